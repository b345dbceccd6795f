//! Players by number, for vectors and random histories that number them: the names sort as the numbers do.

use std::sync::LazyLock;

use annals_events::PlayerId;
use annals_tournaments::field::Field;

/// A player of [`p`], to be copied like a number.
pub type Player = &'static PlayerId;

/// The player of a number below 1000.
pub fn p(number: u32) -> Player {
    static PLAYERS: LazyLock<Vec<PlayerId>> =
        LazyLock::new(|| (0..1000).map(|number| format!("p{number:03}").parse().expect("a name")).collect());
    &PLAYERS[number as usize]
}

/// The number of a player of [`p`].
pub fn number(player: &PlayerId) -> u32 {
    player.as_str()[1..].parse().expect("a number")
}

/// A field of 1 to `players`, each with their number as seed.
pub fn field(players: u32) -> Field {
    Field::new((1..=players).map(|number| p(number).clone()).collect()).expect("players")
}
