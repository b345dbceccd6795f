//! Which format so many entrants play, and the rounds of an all-play-all (Olympiad 2000, Tournament Rules 2).

/// Up to so many entrants everyone meets everyone.
pub const ALL_PLAY_ALL_UP_TO: usize = 6;

/// The rounds of the Swiss.
pub const SWISS_ROUNDS: u32 = 5;

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Nobody is entered: there is no tournament.
    Nobody,
    /// One is entered, who is first without a game.
    Alone,
    /// Everyone meets everyone in an encounter.
    AllPlayAll,
    Swiss {
        rounds: u32,
    },
}

/// The format for so many entrants.
#[must_use]
pub const fn format_for(entrants: usize) -> Format {
    match entrants {
        0 => Format::Nobody,
        1 => Format::Alone,
        2..=ALL_PLAY_ALL_UP_TO => Format::AllPlayAll,
        _ => Format::Swiss { rounds: SWISS_ROUNDS },
    }
}

/// The rounds of an all-play-all: in each, pairs of entrants by number from 0, the one with White in the first game
/// first. Of an odd number one rests in each round. The text gives no order: this is the usual one, in which the last
/// entrant keeps the seat and the others go round.
#[must_use]
pub fn all_play_all(entrants: usize) -> Vec<Vec<(usize, usize)>> {
    if entrants < 2 {
        return Vec::new();
    }
    let seats = entrants + entrants % 2;
    let moving = seats - 1;
    (0..moving)
        .map(|round| {
            (0..seats / 2)
                .map(|table| {
                    let one = (round + table) % moving;
                    let other = if table == 0 { seats - 1 } else { (round + moving - table) % moving };
                    // At the first table, which always seats the last entrant, colours change from round to round.
                    if table == 0 && round % 2 == 1 { (other, one) } else { (one, other) }
                })
                .filter(|&(one, other)| one < entrants && other < entrants)
                .collect()
        })
        .collect()
}
