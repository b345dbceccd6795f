//! Whole tournaments of every rulebook, played at random to the end through a director's desk: with byes, forfeits, double
//! forfeits, withdrawals, halted and invalidated games, games that reach the limit of their length, rulings in the place of
//! others, corrections, disqualifications, invitations, continuations, playoffs.

pub mod corrupt;
pub mod desk;
mod entries;
mod games;
pub mod moves;
pub mod numbers;
pub mod record;
mod rounds;
mod rulings;

use annals_events::tournament::Announced;
use annals_events::{Micros, PlayerId};
use annals_tournaments::rulebook::DAY;

use desk::Desk;
use numbers::Numbers;

/// All rulebooks.
pub const RULEBOOKS: [&str; 4] = ["wcc-2015", "wc-2009", "postal-2006", "olympiad-amazons-2000"];

/// How wild it gets.
#[derive(Debug, Clone, Copy)]
pub struct Wildness {
    /// The most players; each rulebook has a limit of its own.
    pub players: usize,
    /// In a hundred boards: one does not come.
    pub forfeit: usize,
    /// In a hundred boards: neither comes.
    pub double_forfeit: usize,
    /// In a hundred games: halted or invalidated.
    pub trouble: usize,
    /// In a hundred rounds: somebody withdraws.
    pub withdrawal: usize,
    /// In a hundred games: every turn of it is recorded.
    pub recorded: usize,
    /// In a hundred games: nothing but the result is recorded.
    pub untold: usize,
}

impl Default for Wildness {
    fn default() -> Wildness {
        Wildness {
            players: usize::MAX,
            forfeit: 6,
            double_forfeit: 2,
            trouble: 8,
            withdrawal: 10,
            recorded: 4,
            untold: 15,
        }
    }
}

/// A tournament by a rulebook, from the announcement to the close, at a desk that records it.
pub fn play<D: Desk>(
    name: &str,
    numbers: &mut Numbers,
    wild: Wildness,
    desk: impl FnOnce(Announced, Micros) -> D,
) -> D {
    let most = match name {
        "wcc-2015" => 12,
        "wc-2009" => 14,
        "postal-2006" => 15,
        _ => 11,
    };
    let players = numbers.below(most.min(wild.players) + 1);
    let (announced, beginning) = entries::announced(name, numbers);
    let mut desk = desk(announced, beginning);
    entries::enter(&mut desk, players, numbers);
    if name == "wcc-2015" {
        entries::qualifier(&mut desk, players, numbers);
    } else {
        desk.wait_until(beginning + 40 * DAY);
    }
    rounds::rounds(&mut desk, numbers, wild);
    rounds::conclude(&mut desk, numbers, wild);
    desk
}

fn id(name: &str) -> PlayerId {
    name.parse().expect("a name")
}

/// Whether a tournament has the games of the Amazons.
fn is_amazons(desk: &dyn Desk) -> bool {
    desk.rulebook().name == "olympiad-amazons-2000"
}
