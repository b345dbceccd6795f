//! How everybody stands in a final.
//!
//! * Those who are in come first: in 2015 by fewest losses, then tournament performance rating, then seed (2015 WCC,
//!   Tournament format 10); in 2009 by fewest losses, then by their place in the preliminary. Once the first place is decided
//!   the champion stands above those who play on.
//! * Below come those who are out: by games won, as second and third place go, then by who was eliminated later. Players
//!   level on both share a rank.
//! * Whoever withdrew or was disqualified in the course of the final stands last, by games won.

use annals_events::tournament::Measure;

use super::course::{Contest, Course, Gaps, course};
use super::propose as elimination;
use crate::formats::Standing;
use crate::history::Player;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::state::Tournament;

/// What a player stands by; less is better.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Champion,
    In { losses: u32, class: usize, seed: u32 },
    Out { fewer_wins: std::cmp::Reverse<u32>, later: std::cmp::Reverse<usize> },
    Gone { fewer_wins: std::cmp::Reverse<u32> },
}

/// Everybody in the order of a final.
pub(crate) fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<Standing>, Refusal> {
    let course = course(tournament, rulebook, u32::MAX, Gaps::Counted)?;
    let ratings = match &course.contest {
        Contest::Quadruple(final_) => {
            Some(final_.ratings().map_err(|error| Refusal::lacking(error.to_string()))?)
        }
        _ => None,
    };
    let mut lines: Vec<(Key, Standing)> = Vec::new();
    let (active, champion) = (course.active(), course.champion());
    for (number, player) in course.seeds() {
        let record = course.record(number);
        let one = |name: &str, value: i64| Measure { name: name.to_owned(), values: vec![value] };
        let (class, elo) =
            ratings.as_ref().map_or((0, None), |all| (all.class(number).unwrap_or(0), all.elo(number)));
        let wins = std::cmp::Reverse(record.wins);
        let out = course.out_after(number);
        let seed = number.0 + 1;
        let key = if champion == Some(number) {
            Key::Champion
        } else if active.contains(&number) {
            Key::In { losses: record.losses, class, seed }
        } else if course.removed(number) {
            Key::Gone { fewer_wins: wins }
        } else {
            Key::Out { fewer_wins: wins, later: std::cmp::Reverse(out) }
        };
        let losses = one("losses", i64::from(record.losses));
        let rating = elo.map(|elo| one("rating", elimination::millionths(elo)));
        let won = one("wins", i64::from(record.wins));
        let measures = match key {
            Key::Champion | Key::In { .. } => {
                [Some(losses), rating, Some(one("seed", i64::from(seed)))].into_iter().flatten().collect()
            }
            Key::Out { .. } => vec![won, one("rounds", i64::try_from(out).unwrap_or(i64::MAX)), losses],
            Key::Gone { .. } => vec![won, losses],
        };
        let active = matches!(key, Key::Champion | Key::In { .. });
        lines.push((key, Standing { player: player.clone(), rank: 0, measures, active }));
    }
    lines.sort_by(|(one, _), (other, _)| one.cmp(other));
    let keys: Vec<Key> = lines.iter().map(|(key, _)| key.clone()).collect();
    let rank = |key: &Key| keys.iter().position(|other| other == key).unwrap_or(0) + 1;
    let ranked = lines.into_iter().map(|(key, mut standing)| {
        standing.rank = u32::try_from(rank(&key)).unwrap_or(u32::MAX);
        standing
    });
    Ok(ranked.collect())
}

impl Course {
    /// Those who are still in.
    pub fn active(&self) -> Vec<Player> {
        match &self.contest {
            Contest::Nobody => Vec::new(),
            Contest::Quadruple(final_) => final_.active(),
            Contest::Double(final_) => final_.active(),
        }
    }

    /// The champion, once there is one.
    pub fn champion(&self) -> Option<Player> {
        match &self.contest {
            Contest::Nobody => None,
            Contest::Quadruple(final_) => final_.places().champion,
            Contest::Double(final_) => final_.conclusion().champion,
        }
    }

    /// Whether a player was taken out in the course of the final.
    pub fn removed(&self, player: Player) -> bool {
        match &self.contest {
            Contest::Nobody => false,
            Contest::Quadruple(final_) => final_.removed().contains(&player),
            Contest::Double(final_) => final_.removed().contains(&player),
        }
    }

    /// The last round of the final in which a player had a place, from 1; 0 for nobody's.
    fn out_after(&self, player: Player) -> usize {
        let rounds = match &self.contest {
            Contest::Nobody => return 0,
            Contest::Quadruple(final_) => final_.rounds(),
            Contest::Double(final_) => final_.rounds(),
        };
        let in_it = |round: &crate::history::PastRound| {
            round.byes.contains(&player)
                || round.meetings.iter().any(|meeting| [meeting.gold, meeting.silver].contains(&player))
        };
        rounds.iter().rposition(in_it).map_or(0, |at| at + 1)
    }
}
