//! Points, sums of opponents' points, territory, and the ranking by them with shared places (Olympiad 2000, Tournament
//! Rules 3 and 4).

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::fmt;

use annals_events::PlayerId;

use super::reading::{OlympiadReadings, UnfinishedTerritory};
use crate::pairing::PairingError;
use crate::record::{Against, Ending, Played, PlayedGame, RecordError};

/// What the ranking rests on, most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
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
pub enum OlympiadError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("the encounter of {one} and {other} in round {round} must hold two games with colours reversed")]
    NotTwoGames { one: PlayerId, other: PlayerId, round: u32 },
    /// An encounter is not over.
    #[error(
        "the encounter of {one} and {other} in round {round} is not over, and the next round rests on it. Record \
         both results"
    )]
    OpenEncounter { one: PlayerId, other: PlayerId, round: u32 },
    #[error("of {entered} entrants nobody is still in, so there is nothing to pair")]
    NobodyLeft { entered: usize },
    #[error("all {rounds} rounds are paired")]
    NoRoundLeft { rounds: u32 },
    #[error(transparent)]
    Pairing(#[from] PairingError),
}

/// One entrant's score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    pub player: PlayerId,
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
    pub byes: u32,
    /// Every player met in an encounter.
    pub opponents: BTreeMap<PlayerId, Against>,
}

impl Score {
    /// How often the player has met another in an encounter.
    pub(super) fn meetings(&self, opponent: &PlayerId) -> u32 {
        self.opponents.get(opponent).map_or(0, |against| against.meetings)
    }
}

/// Whether the territory of a game counts: the game was played out, or its territory ruled, or the reading takes any
/// position in which a game ended. One of which nobody says how it ended may have been played out.
fn territory_counts(game: &PlayedGame, reading: UnfinishedTerritory) -> bool {
    game.territory_ruled
        || match game.ending {
            Ending::NoMoves | Ending::Unsaid => true,
            Ending::Time | Ending::Resignation => reading == UnfinishedTerritory::AsItStands,
            Ending::Forfeit | Ending::Ruling => false,
        }
}

/// The territory as far as it is known. Squares without a word of how the game ended say nothing, unless every position
/// counts in which one ends.
fn known_territory(game: &PlayedGame, reading: UnfinishedTerritory) -> Option<u32> {
    let told =
        game.territory_ruled || game.ending != Ending::Unsaid || reading == UnfinishedTerritory::AsItStands;
    game.territory.filter(|_| told)
}

/// The scores in the order of the list of entrants, which is that of the record. Games without a result count for nothing
/// yet.
///
/// # Errors
/// When the record contradicts itself.
pub fn scores(played: &Played, readings: OlympiadReadings) -> Result<Vec<Score>, OlympiadError> {
    for round in &played.rounds {
        for meeting in round.meetings() {
            if let [first, second, rest @ ..] = &meeting.games[..]
                && (!rest.is_empty() || first.gold == second.gold)
            {
                let (one, other) = (meeting.pair.0.clone(), meeting.pair.1.clone());
                return Err(OlympiadError::NotTwoGames { one, other, round: round.number });
            }
        }
    }
    let tally = played.tally(2, readings.bye_points.half_points())?;
    let mut scores: Vec<Score> = (1..)
        .zip(&played.players)
        .map(|(number, entrant)| (number, &entrant.player, tally.record(&entrant.player)))
        .map(|(number, player, record)| Score {
            player: player.clone(),
            number,
            half_points: record.half_points,
            opponents_half_points: record.opponents.keys().map(|one| tally.record(one).half_points).sum(),
            territory: 0,
            territory_missing: 0,
            byes: record.byes,
            opponents: record.opponents.clone(),
        })
        .collect();
    for game in played.rounds.iter().flat_map(|round| &round.games) {
        let won = |score: &&mut Score| game.winner() == Some(&score.player);
        let Some(score) = scores.iter_mut().find(won) else { continue };
        if territory_counts(game, readings.territory) {
            match known_territory(game, readings.territory) {
                Some(squares) => score.territory = score.territory.saturating_add(squares),
                None => score.territory_missing += 1,
            }
        }
    }
    Ok(scores)
}

/// A place in the ranking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The place, from 1; who is level on everything shares it.
    pub place: usize,
    pub score: Score,
    /// What puts the one above before this one; none for the first and for those who share a place.
    pub below_by: Option<Criterion>,
}

/// The ranking: points, sum of opponents' points, territory; who is still level shares the place, and stands in the
/// order of the list of entrants.
///
/// # Errors
///
/// When the record contradicts itself.
pub fn ranking(played: &Played, readings: OlympiadReadings) -> Result<Vec<Place>, OlympiadError> {
    let mut scores = scores(played, readings)?;
    scores.sort_by_key(order_key);
    let mut places: Vec<Place> = Vec::with_capacity(scores.len());
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
pub(super) fn order_key(score: &Score) -> (Reverse<u32>, Reverse<u32>, Reverse<u32>, usize) {
    (Reverse(score.half_points), Reverse(score.opponents_half_points), Reverse(score.territory), score.number)
}

fn separation(above: &Score, below: &Score) -> Option<Criterion> {
    [
        (above.half_points.cmp(&below.half_points), Criterion::Points),
        (above.opponents_half_points.cmp(&below.opponents_half_points), Criterion::OpponentPoints),
        (above.territory.cmp(&below.territory), Criterion::Territory),
    ]
    .into_iter()
    .find(|(ordering, _)| *ordering != Ordering::Equal)
    .map(|(_, criterion)| criterion)
}
