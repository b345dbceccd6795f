use annals_events::PlayerId;

use super::bye::{ByeChoice, choose_bye};
use super::colours::{ColourCount, SwissColour, colour};
use super::reading::{ColourMeasure, SwissReadings};
use super::standings::{Lots, StandingsError, SwissPlace, standings};
use super::walk::{Listed, Walk, WalkPair, walk};
use crate::record::{Played, RecordError, Tally};

#[derive(Debug, Clone)]
pub struct PairRequest<'a> {
    /// All who began, in any order; the rounds so far; who is out.
    pub played: &'a Played,
    /// Drawn at the start of this round.
    pub lots: &'a Lots,
    /// Declared before the start.
    pub declared_rounds: u32,
    pub readings: SwissReadings,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairedGame {
    pub upper: PlayerId,
    pub lower: PlayerId,
    /// The upper player's colours so far.
    pub upper_count: ColourCount,
    /// The lower player's colours so far.
    pub lower_count: ColourCount,
    pub colour: SwissColour,
}

impl PairedGame {
    pub(super) fn of(
        tally: &Tally,
        upper: &PlayerId,
        lower: &PlayerId,
        reading: ColourMeasure,
    ) -> PairedGame {
        let count = |player| ColourCount::from(tally.record(player));
        let (upper_count, lower_count) = (count(upper), count(lower));
        let colour = colour(upper_count, lower_count, reading);
        PairedGame { upper: upper.clone(), lower: lower.clone(), upper_count, lower_count, colour }
    }

    /// None if a coin decides.
    pub(super) fn gold(&self) -> Option<&PlayerId> {
        match self.colour {
            SwissColour::Upper => Some(&self.upper),
            SwissColour::Lower => Some(&self.lower),
            SwissColour::ByLot => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissPairing {
    /// All players in order, also those who are out.
    pub order: Vec<SwissPlace>,
    pub bye: Option<(PlayerId, ByeChoice)>,
    pub walk: Walk<PlayerId>,
    /// In the order of the walk.
    pub games: Vec<PairedGame>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SwissError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Standings(#[from] StandingsError),
    #[error(
        "{gold} against {silver} in round {round} has no result, and the order of the next round rests on it \
         (2009 WC, Preliminary 6). Record the result, or the forfeit"
    )]
    OpenGame { round: u32, gold: PlayerId, silver: PlayerId },
    #[error(
        "all {declared} rounds that were declared before the start are paired (2009 WC, Preliminary 1). Publish \
         the final order"
    )]
    NoRoundLeft { declared: u32 },
    #[error("none of {entered} players is still in, so there is nothing to pair")]
    NoPlayerLeft { entered: usize },
}

/// Pairs the next round. A single player has the bye.
///
/// # Errors
/// If the record contradicts itself, a game is open, all rounds are played, lots are missing, or no player is
/// left.
pub fn pair_round(request: &PairRequest<'_>) -> Result<SwissPairing, SwissError> {
    let PairRequest { played, readings, .. } = *request;
    let tally = played.tally(1, readings.bye_points.half_points())?;
    if let Some(game) = played.open_game() {
        let round = game.pairing.round;
        return Err(SwissError::OpenGame { round, gold: game.gold.clone(), silver: game.silver.clone() });
    }
    let rounds = u32::try_from(played.rounds.len()).unwrap_or(u32::MAX);
    if rounds >= request.declared_rounds {
        return Err(SwissError::NoRoundLeft { declared: request.declared_rounds });
    }
    let order = standings(played, &tally, request.lots)?;
    let mut still_in: Vec<&SwissPlace> =
        order.iter().filter(|standing| !played.out.contains(&standing.player)).collect();
    if still_in.is_empty() {
        return Err(SwissError::NoPlayerLeft { entered: played.players.len() });
    }
    let bye =
        choose_bye(&still_in, readings.second_bye).map(|(at, why)| (still_in.remove(at).player.clone(), why));
    let list: Vec<Listed<PlayerId>> = still_in
        .iter()
        .map(|standing| Listed { player: standing.player.clone(), half_points: standing.half_points })
        .collect();
    let walk = walk(&list, |a, b| tally.met(a, b), readings);
    let game = |pair: &WalkPair<PlayerId>| PairedGame::of(&tally, &pair.upper, &pair.lower, readings.colour);
    let games = walk.pairs.iter().map(game).collect();
    Ok(SwissPairing { order, bye, walk, games })
}
