//! Points, sums of opponents' points, territory, and the ranking by them with shared places (Olympiad 2000, Tournament
//! Rules 3 and 4).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use annals_events::PlayerId;

use super::reading::{OlympiadReadings, OpponentByes, UnfinishedTerritory};
use crate::formats::shared_ranks;
use crate::pairing::PairingError;
use crate::record::{Against, Ending, Played, PlayedGame, Record, RecordError};

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
    #[error("none of {entered} entrants is still in, so there is nothing to pair")]
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
    /// The sum of the points of everyone met in a game that is over, each once, in halves. The player's own bye adds nothing; that of
    /// an opponent, by reading T47.
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
    let of_a_bye = readings.bye_points.half_points();
    let tally = played.tally(2, of_a_bye)?;
    let as_opponent = |record: &Record| match readings.opponent_byes {
        OpponentByes::OwnerOnly => record.half_points.saturating_sub(record.byes.saturating_mul(of_a_bye)),
        OpponentByes::Included => record.half_points,
    };
    let mut scores: Vec<Score> = (1..)
        .zip(&played.players)
        .map(|(number, entrant)| (number, &entrant.player, tally.record(&entrant.player)))
        .map(|(number, player, record)| Score {
            player: player.clone(),
            number,
            half_points: record.half_points,
            opponents_half_points: record
                .opponents
                .iter()
                .filter(|(_, against)| against.over > 0)
                .map(|(one, _)| as_opponent(tally.record(one)))
                .sum(),
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
pub struct OlympiadPlace {
    /// The place, from 1; who is level on everything shares it.
    pub place: u32,
    pub score: Score,
}

/// The ranking: points, sum of opponents' points, territory; who is still level shares the place, and stands in the
/// order of the list of entrants.
///
/// # Errors
///
/// When the record contradicts itself.
pub fn ranking(played: &Played, readings: OlympiadReadings) -> Result<Vec<OlympiadPlace>, OlympiadError> {
    let mut scores = scores(played, readings)?;
    scores.sort_by_key(order_key);
    let places = shared_ranks(&scores, |above, score| rank_key(above) == rank_key(score));
    Ok(places.into_iter().zip(scores).map(|(place, score)| OlympiadPlace { place, score }).collect())
}

/// What the ranking rests on: points, then the sum of the opponents' points, then territory. Where everyone has met everyone
/// and has had as many byes, that sum is all points of games less one's own, and never separates two who are level on points.
fn rank_key(score: &Score) -> Reverse<(u32, u32, u32)> {
    Reverse((score.half_points, score.opponents_half_points, score.territory))
}

/// The order before a round, which is total: the ranking, and the number where that leaves two level.
pub(super) fn order_key(score: &Score) -> (Reverse<(u32, u32, u32)>, usize) {
    (rank_key(score), score.number)
}
