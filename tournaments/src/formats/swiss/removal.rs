//! Who plays no more: a player who forfeits a game is out of later rounds, unless an appeal is accepted (2009 WC, Time of
//! games); and who goes on to the final: the best eight still in (2009 WC, Tournament format).

use std::collections::BTreeSet;

use annals_events::Side;

use super::record::SwissRound;
use super::standings::Standing;

/// A removal by forfeit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Removal<P> {
    /// The round of the forfeited game, from 1; the player is out from the next one on.
    pub round: u32,
    /// Who.
    pub player: P,
}

impl<P> Removal<P> {
    /// The paragraph that it follows from.
    #[must_use]
    pub const fn paragraph(&self) -> &'static str {
        "2009 WC, Time of games"
    }
}

/// Everybody who is out by forfeit, in order of rounds. `accepted` holds the forfeits of which an appeal was accepted;
/// the forfeited game stays lost even then. Of a double forfeit both are out.
#[must_use]
pub fn removals<P: Clone + Ord>(
    rounds: &[SwissRound<P>],
    accepted: &BTreeSet<Removal<P>>,
) -> Vec<Removal<P>> {
    let mut out = Vec::new();
    for (number, round) in (1..).zip(rounds) {
        for game in round.games.iter().filter(|game| game.forfeit) {
            for side in Side::BOTH {
                let removal = Removal { round: number, player: game.player(side).clone() };
                if game.half_points(side) == Some(0) && !accepted.contains(&removal) {
                    out.push(removal);
                }
            }
        }
    }
    out
}

/// The players who go on, best first: the first `size` (eight in 2009) of the final order who are not out.
#[must_use]
pub fn finalists<P: Clone + Ord>(order: &[Standing<P>], out: &BTreeSet<P>, size: usize) -> Vec<P> {
    order
        .iter()
        .filter(|standing| !out.contains(&standing.player))
        .take(size)
        .map(|standing| standing.player.clone())
        .collect()
}
