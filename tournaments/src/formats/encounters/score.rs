//! Points, sums of opponents' points, territory, and the ranking by them with shared places (Olympiad 2000, Tournament
//! Rules 3 and 4).

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use annals_events::tournament::Outcome;

use crate::pairing::PairingError;

use super::encounter::OlympiadRound;
use super::reading::{ByePoints, OlympiadReadings};

/// What the ranking rests on, most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// Points.
    Points,
    /// The sum of the opponents' points. Where everyone has met everyone it is all points less one's own, and never
    /// tells two apart who are level on points.
    OpponentPoints,
    /// The territory of the games won.
    Territory,
}

impl Criterion {
    /// The paragraph that it follows from.
    #[must_use]
    pub const fn paragraph(self) -> &'static str {
        "Olympiad 2000, Tournament Rules 4"
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Criterion::Points => "more points",
            Criterion::OpponentPoints => "higher sum of opponents' points",
            Criterion::Territory => "more territory in the games won",
        })
    }
}

/// Why there is no ranking, or no round.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OlympiadError<P: fmt::Display> {
    /// An entrant is listed twice.
    #[error("{player} is entered twice")]
    EnteredTwice {
        /// Who.
        player: P,
    },
    /// Somebody plays who is not entered.
    #[error("{player} plays or has the bye in round {round} and is not entered. Register {player} first")]
    NotEntered {
        /// Who.
        player: P,
        /// The round, from 1.
        round: u32,
    },
    /// Somebody appears twice in a round.
    #[error("{player} appears twice in round {round}. An entrant has one encounter or the bye in a round")]
    TwiceInRound {
        /// Who.
        player: P,
        /// The round, from 1.
        round: u32,
    },
    /// A game of an encounter is between others.
    #[error("an encounter of {one} and {other} in round {round} holds a game that is not between the two")]
    ForeignGame {
        /// One of the encounter.
        one: P,
        /// The other.
        other: P,
        /// The round, from 1.
        round: u32,
    },
    /// An encounter holds more than two games, or two with the same colours.
    #[error(
        "the encounter of {one} and {other} in round {round} must hold two games with colours reversed (Olympiad \
         2000, Tournament Rules 1)"
    )]
    NotTwoGames {
        /// One of the encounter.
        one: P,
        /// The other.
        other: P,
        /// The round, from 1.
        round: u32,
    },
    /// An encounter is not over.
    #[error(
        "the encounter of {one} and {other} in round {round} is not over, and the next round rests on it. Record \
         both results"
    )]
    OpenEncounter {
        /// One of the encounter.
        one: P,
        /// The other.
        other: P,
        /// The round, from 1.
        round: u32,
    },
    /// Somebody is said to be out who was never in.
    #[error("{player} is said to be out and was never entered. Check the name")]
    OutNotEntered {
        /// Who.
        player: P,
    },
    /// Nobody is in.
    #[error("of {entered} entrants nobody is still in, so there is nothing to pair")]
    NobodyLeft {
        /// How many entered.
        entered: usize,
    },
    /// All rounds are played.
    #[error("all {rounds} rounds are paired (Olympiad 2000, Tournament Rules 2)")]
    NoRoundLeft {
        /// How many there are.
        rounds: u32,
    },
    /// The round cannot be paired.
    #[error(transparent)]
    Pairing(#[from] PairingError),
}

/// One entrant's score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score<P> {
    /// Who.
    pub player: P,
    /// The number in the list of entrants, from 1.
    pub number: usize,
    /// Points, in halves.
    pub half_points: u32,
    /// The sum of the points of everyone met, each once, in halves; a bye adds nobody.
    pub opponents_half_points: u32,
    /// The territory of the games won, in squares.
    pub territory: u32,
    /// How many games won would add territory that is not known.
    pub territory_missing: u32,
    /// Byes.
    pub byes: u32,
    /// Everyone met in an encounter, with how often: positions in the list of entrants, from 0.
    pub met: BTreeMap<usize, u32>,
}

/// The scores in the order of the list of entrants. Games without a result count for nothing yet.
///
/// # Errors
///
/// When the record contradicts itself.
pub fn scores<P: Clone + Ord + fmt::Display>(
    entrants: &[P],
    rounds: &[OlympiadRound<P>],
    readings: OlympiadReadings,
) -> Result<Vec<Score<P>>, OlympiadError<P>> {
    let mut index = BTreeMap::new();
    for (i, player) in entrants.iter().enumerate() {
        if index.insert(player, i).is_some() {
            return Err(OlympiadError::EnteredTwice { player: player.clone() });
        }
    }
    let mut scores: Vec<Score<P>> = (1..)
        .zip(entrants)
        .map(|(number, player)| Score {
            player: player.clone(),
            number,
            half_points: 0,
            opponents_half_points: 0,
            territory: 0,
            territory_missing: 0,
            byes: 0,
            met: BTreeMap::new(),
        })
        .collect();
    for (round, played) in (1..).zip(rounds) {
        let mut seen = BTreeSet::new();
        let mut find = |player: &P| {
            let &at = index
                .get(player)
                .ok_or_else(|| OlympiadError::NotEntered { player: player.clone(), round })?;
            if !seen.insert(at) {
                return Err(OlympiadError::TwiceInRound { player: player.clone(), round });
            }
            Ok(at)
        };
        for encounter in &played.encounters {
            let (one, other) = (&encounter.pair.0, &encounter.pair.1);
            let (a, b) = (find(one)?, find(other)?);
            *scores[a].met.entry(b).or_insert(0) += 1;
            *scores[b].met.entry(a).or_insert(0) += 1;
            if let [first, second, rest @ ..] = &encounter.games[..]
                && (!rest.is_empty() || first.white == second.white)
            {
                return Err(OlympiadError::NotTwoGames { one: one.clone(), other: other.clone(), round });
            }
            for game in &encounter.games {
                let between = (game.white == *one && game.black == *other)
                    || (game.white == *other && game.black == *one);
                if !between {
                    return Err(OlympiadError::ForeignGame { one: one.clone(), other: other.clone(), round });
                }
                for (at, player) in [(a, one), (b, other)] {
                    let half_points = game.half_points(player).unwrap_or(0);
                    scores[at].half_points += half_points;
                    let won = half_points == 2 && game.outcome != Some(Outcome::DoubleWin);
                    if won && game.territory_counts(readings.territory) {
                        match game.known_territory(readings.territory) {
                            Some(squares) => {
                                scores[at].territory = scores[at].territory.saturating_add(squares);
                            }
                            None => scores[at].territory_missing += 1,
                        }
                    }
                }
            }
        }
        if let Some(bye) = &played.bye {
            let at = find(bye)?;
            scores[at].byes += 1;
            scores[at].half_points += match readings.bye_points {
                ByePoints::Two => 4,
                ByePoints::One => 2,
                ByePoints::None => 0,
            };
        }
    }
    let half_points: Vec<u32> = scores.iter().map(|score| score.half_points).collect();
    for score in &mut scores {
        score.opponents_half_points = score.met.keys().map(|&other| half_points[other]).sum();
    }
    Ok(scores)
}

/// A place in the ranking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<P> {
    /// The place, from 1; who is level on everything shares it.
    pub place: usize,
    /// The score.
    pub score: Score<P>,
    /// What puts the one above before this one; none for the first and for those who share a place.
    pub below_by: Option<Criterion>,
}

/// The ranking: points, sum of opponents' points, territory; who is still level shares the place, and stands in the
/// order of the list of entrants.
///
/// # Errors
///
/// When the record contradicts itself.
pub fn ranking<P: Clone + Ord + fmt::Display>(
    entrants: &[P],
    rounds: &[OlympiadRound<P>],
    readings: OlympiadReadings,
) -> Result<Vec<Place<P>>, OlympiadError<P>> {
    let mut scores = scores(entrants, rounds, readings)?;
    scores.sort_by_key(order_key);
    let mut places: Vec<Place<P>> = Vec::with_capacity(scores.len());
    for (i, score) in scores.into_iter().enumerate() {
        let above = places.last();
        let below_by = above.and_then(|above| separation(&above.score, &score));
        let place = match (above, below_by) {
            (Some(above), None) => above.place,
            _ => i + 1,
        };
        places.push(Place { place, score, below_by });
    }
    Ok(places)
}

/// The order before a round, which is total: the ranking, and the number where that leaves two level.
pub(super) fn order_key<P>(score: &Score<P>) -> (Reverse<u32>, Reverse<u32>, Reverse<u32>, usize) {
    (Reverse(score.half_points), Reverse(score.opponents_half_points), Reverse(score.territory), score.number)
}

fn separation<P>(above: &Score<P>, below: &Score<P>) -> Option<Criterion> {
    [
        (above.half_points.cmp(&below.half_points), Criterion::Points),
        (above.opponents_half_points.cmp(&below.opponents_half_points), Criterion::OpponentPoints),
        (above.territory.cmp(&below.territory), Criterion::Territory),
    ]
    .into_iter()
    .find(|(ordering, _)| *ordering != Ordering::Equal)
    .map(|(_, criterion)| criterion)
}
