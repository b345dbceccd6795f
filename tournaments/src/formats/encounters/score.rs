//! Points, sums of opponents' points, territory, and the ranking by them with shared places (Olympiad 2000, Tournament
//! Rules 3 and 4).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use annals_events::PlayerId;

use super::reading::{OlympiadReadings, OpponentByes, RepeatedOpponents, UnfinishedTerritory};
use crate::formats::shared_ranks;
use crate::pairing::PairingError;
use crate::record::{Against, Ending, Played, PlayedGame, Record, RecordError};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OlympiadError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("the encounter of {one} and {other} in round {round} must hold two games with colours reversed")]
    NotTwoGames { one: PlayerId, other: PlayerId, round: u32 },
    #[error("the encounter of {one} and {other} in round {round} is not over")]
    OpenEncounter { one: PlayerId, other: PlayerId, round: u32 },
    #[error("none of {entered} entrants is still in, so there is nothing to pair")]
    NoPlayerLeft { entered: usize },
    #[error("all {rounds} rounds are paired")]
    NoRoundLeft { rounds: u32 },
    #[error(transparent)]
    Pairing(#[from] PairingError),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    pub player: PlayerId,
    /// In the list of entrants, from 1.
    pub number: usize,
    /// Points, in halves.
    pub half_points: u32,
    /// Sum over all opponents of finished games, in halves: each once or for each encounter, by reading T49. The
    /// player's own bye adds nothing; an opponent's, by reading T47.
    pub opponents_half_points: u32,
    /// The territory of the games won, in squares.
    pub territory: u32,
    /// Won games whose territory is unknown.
    pub territory_missing: u32,
    pub byes: u32,
    pub opponents: BTreeMap<PlayerId, Against>,
}

impl Score {
    pub(super) fn meetings(&self, opponent: &PlayerId) -> u32 {
        self.opponents.get(opponent).map_or(0, |against| against.meetings)
    }
}

/// Whether a game's territory counts: played out, ruled, or any ending by the reading. An unknown ending may
/// be played out.
fn territory_counts(game: &PlayedGame, reading: UnfinishedTerritory) -> bool {
    game.territory_ruled
        || match game.ending {
            Ending::NoMoves | Ending::Unsaid => true,
            Ending::Time | Ending::Resignation => reading == UnfinishedTerritory::AsItStands,
            Ending::Forfeit | Ending::Ruling => false,
        }
}

/// The known territory. Without a recorded ending it is unknown, unless the reading counts every ending.
fn known_territory(game: &PlayedGame, reading: UnfinishedTerritory) -> Option<u32> {
    let told =
        game.territory_ruled || game.ending != Ending::Unsaid || reading == UnfinishedTerritory::AsItStands;
    game.territory.filter(|_| told)
}

/// Scores in the order of the list of entrants. Games without a result do not count yet.
///
/// # Errors
/// If the record contradicts itself.
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
    let times = |against: &Against| match readings.repeated_opponents {
        RepeatedOpponents::Once => against.over.min(1),
        RepeatedOpponents::EachEncounter => against.over.div_ceil(2),
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
                .map(|(one, against)| times(against) * as_opponent(tally.record(one)))
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OlympiadPlace {
    /// From 1; level players share it.
    pub place: u32,
    pub score: Score,
}

/// By points, sum of opponents' points, territory; level players share a place, in list order.
///
/// # Errors
/// If the record contradicts itself.
pub fn ranking(played: &Played, readings: OlympiadReadings) -> Result<Vec<OlympiadPlace>, OlympiadError> {
    let mut scores = scores(played, readings)?;
    scores.sort_by_key(order_key);
    let places = shared_ranks(&scores, |above, score| rank_key(above) == rank_key(score));
    Ok(places.into_iter().zip(scores).map(|(place, score)| OlympiadPlace { place, score }).collect())
}

/// Points, sum of opponents' points, territory. After an all-play-all with equal byes the sum is equal for equal points.
fn rank_key(score: &Score) -> Reverse<(u32, u32, u32)> {
    Reverse((score.half_points, score.opponents_half_points, score.territory))
}

/// The total order before a round: the ranking, then the number.
pub(super) fn order_key(score: &Score) -> (Reverse<(u32, u32, u32)>, usize) {
    (rank_key(score), score.number)
}
