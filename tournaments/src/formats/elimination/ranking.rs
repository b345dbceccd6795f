//! The order of all players in a final.
//!
//! * Players still in come first: in 2015 by fewest losses, performance rating, seed (2015 WCC, Tournament
//!   format 10); in 2009 by fewest losses, place in the preliminary. After the first place is decided the
//!   champion is first.
//! * Then players who are out: by games won, then by later elimination. Level players share a rank.
//! * Players who withdrew or were disqualified are last, by games won; so is one removed for a forfeit.
//!   The readings may give a place to one who withdrew (T48) or forfeited (T43).

use std::cmp::Reverse;

use super::course::{Gaps, course};
use super::final_round::millionths;
use crate::formats::{RankGroup, RankedPlayer, measure, shared_ranks};
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::state::Tournament;

/// The rank of a player; less is better.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Champion,
    In { losses: u32, class: usize, seed: i64 },
    Out { fewer_wins: Reverse<u32>, later: Reverse<usize> },
    Gone { fewer_wins: Reverse<u32> },
}

impl Key {
    fn group(&self) -> RankGroup {
        match self {
            Key::Champion => RankGroup::Champion,
            Key::In { .. } => RankGroup::StillIn,
            Key::Out { .. } => RankGroup::Out,
            Key::Gone { .. } => RankGroup::WithoutPlace,
        }
    }
}

pub(crate) fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<RankedPlayer>, Refusal> {
    let state = course(tournament, rulebook, u32::MAX, Gaps::Counted)?.state;
    let ratings = state.ratings()?;
    let (active, champion) = (state.active(), state.conclusion().champion);
    let mut lines: Vec<(Key, RankedPlayer)> = Vec::new();
    for (player, seed) in state.field().players().iter().zip(1_i64..) {
        let record = state.tally().record(player);
        let rating = ratings.as_ref().and_then(|all| Some((all.class(player)?, all.elo(player)?)));
        let (last, wins) = (state.last_round(player), state.wins(player));
        let fewer_wins = Reverse(wins);
        let key = if champion == Some(player) {
            Key::Champion
        } else if active.contains(&player) {
            Key::In { losses: record.losses, class: rating.map_or(0, |(class, _)| class), seed }
        } else if !state.takes_a_place(player) {
            Key::Gone { fewer_wins }
        } else {
            Key::Out { fewer_wins, later: Reverse(last) }
        };
        let (won, losses) = (measure("wins", [wins]), measure("losses", [record.losses]));
        let rating = rating.map(|(_, elo)| measure("rating", [millionths(elo)]));
        let active = matches!(key, Key::Champion | Key::In { .. });
        let measures = match key {
            Key::Champion | Key::In { .. } => {
                [Some(losses), rating, Some(measure("seed", [seed]))].into_iter().flatten().collect()
            }
            Key::Out { .. } => vec![won, measure("rounds", [last as i64]), losses],
            Key::Gone { .. } => vec![won, losses],
        };
        let group = Some(key.group());
        lines.push((key, RankedPlayer { player: player.clone(), rank: 0, measures, active, group }));
    }
    lines.sort_by(|(one, _), (other, _)| one.cmp(other));
    let ranks = shared_ranks(&lines, |(above, _), (key, _)| above == key);
    Ok(lines.into_iter().zip(ranks).map(|((_, standing), rank)| RankedPlayer { rank, ..standing }).collect())
}
