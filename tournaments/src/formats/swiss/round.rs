//! A whole round of the Swiss from the record: order, bye, pairs, colours.

use std::collections::BTreeSet;
use std::fmt;

use super::bye::{ByeChoice, choose_bye};
use super::colours::{ColourCount, SwissColour, colour};
use super::reading::SwissReadings;
use super::record::{RecordError, SwissPlayer, SwissRecord, SwissRound};
use super::standings::{Lots, Standing, StandingsError, standings};
use super::walk::{Listed, Walk, walk};

/// What a round is made from.
#[derive(Debug, Clone)]
pub struct PairRequest<'a, P> {
    /// All who began, in any order.
    pub players: &'a [SwissPlayer<P>],
    /// The rounds so far.
    pub rounds: &'a [SwissRound<P>],
    /// Who is out.
    pub out: &'a BTreeSet<P>,
    /// The numbers drawn at the start of this round.
    pub lots: &'a Lots<P>,
    /// How many rounds were declared before the start.
    pub declared_rounds: u32,
    /// How ambiguous texts are read.
    pub readings: SwissReadings,
}

/// A pair with its colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairedGame<P> {
    /// The upper of the pair.
    pub upper: P,
    /// The lower.
    pub lower: P,
    /// How often the upper has had each colour.
    pub upper_count: ColourCount,
    /// How often the lower has had each colour.
    pub lower_count: ColourCount,
    /// Who has Gold.
    pub colour: SwissColour,
}

/// A round of the Swiss, with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissPairing<P> {
    /// The number of the round, from 1.
    pub round: u32,
    /// The order that it rests on, of all players, those who are out among them.
    pub order: Vec<Standing<P>>,
    /// Who has the bye, and why.
    pub bye: Option<(P, ByeChoice)>,
    /// The pairs and how each was found.
    pub walk: Walk<P>,
    /// The pairs with their colours, in the same order.
    pub games: Vec<PairedGame<P>>,
}

/// Why a round cannot be paired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SwissError<P: fmt::Display> {
    /// The record contradicts itself.
    #[error(transparent)]
    Record(#[from] RecordError<P>),
    /// The order cannot be made.
    #[error(transparent)]
    Standings(#[from] StandingsError<P>),
    /// A game has no result.
    #[error(
        "{gold} against {silver} in round {round} has no result, and the order of the next round rests on it \
         (2009 WC, Preliminary 6). Record the result, or the forfeit"
    )]
    OpenGame {
        /// The round, from 1.
        round: usize,
        /// Gold.
        gold: P,
        /// Silver.
        silver: P,
    },
    /// Somebody is said to be out who was never in.
    #[error("{player} is said to be out and was never entered. Check the name")]
    OutNotEntered {
        /// Who.
        player: P,
    },
    /// All rounds are played.
    #[error(
        "all {declared} rounds that were declared before the start are paired (2009 WC, Preliminary 1). Publish \
         the final order"
    )]
    NoRoundLeft {
        /// How many were declared.
        declared: u32,
    },
    /// Nobody is in.
    #[error("of {entered} players nobody is still in, so there is nothing to pair")]
    NobodyLeft {
        /// How many began.
        entered: usize,
    },
}

/// Pairs the next round. A player who is left alone has the bye.
///
/// # Errors
///
/// When the record contradicts itself, a game is open, all rounds are played, lots are missing, or nobody is left.
pub fn pair_round<P: Clone + Ord + fmt::Display>(
    request: &PairRequest<'_, P>,
) -> Result<SwissPairing<P>, SwissError<P>> {
    let readings = request.readings;
    let record = SwissRecord::new(request.players, request.rounds, readings.bye_points)?;
    if let Some(player) = request.out.iter().find(|player| record.position(player).is_none()) {
        return Err(SwissError::OutNotEntered { player: player.clone() });
    }
    let played = u32::try_from(request.rounds.len()).unwrap_or(u32::MAX);
    if played >= request.declared_rounds {
        return Err(SwissError::NoRoundLeft { declared: request.declared_rounds });
    }
    if let Some((round, game)) = record.open_game() {
        return Err(SwissError::OpenGame { round, gold: game.gold.clone(), silver: game.silver.clone() });
    }
    let order = standings(&record, request.lots)?;
    let mut still_in: Vec<&Standing<P>> =
        order.iter().filter(|standing| !request.out.contains(&standing.player)).collect();
    if still_in.is_empty() {
        return Err(SwissError::NobodyLeft { entered: request.players.len() });
    }
    let bye =
        choose_bye(&still_in, readings.second_bye).map(|(at, why)| (still_in.remove(at).player.clone(), why));
    let list: Vec<Listed<P>> = still_in
        .iter()
        .map(|standing| Listed { player: standing.player.clone(), half_points: standing.half_points })
        .collect();
    let walk = walk(&list, |a, b| record.met(a, b), readings);
    let count = |player: &P| {
        let tally = record.position(player).map(|at| &record.tallies[at]);
        tally.map_or_else(ColourCount::default, |tally| ColourCount {
            golds: tally.golds,
            silvers: tally.silvers,
        })
    };
    let games = walk
        .pairs
        .iter()
        .map(|pair| {
            let (upper_count, lower_count) = (count(&pair.upper), count(&pair.lower));
            PairedGame {
                upper: pair.upper.clone(),
                lower: pair.lower.clone(),
                upper_count,
                lower_count,
                colour: colour(upper_count, lower_count, readings.colour),
            }
        })
        .collect();
    Ok(SwissPairing { round: played + 1, order, bye, walk, games })
}
