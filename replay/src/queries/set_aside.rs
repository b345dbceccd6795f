//! What tournaments decided on games: rulings that halt or invalidate an attempt, and the attempt that a game resumes.

use annals_events::tournament::Effect;
use annals_events::{BoardId, GameId, StreamName};
use annals_store::Log;
use serde::Serialize;

use super::list::all;
use super::tournament_at::TournamentAt;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::game::GameReplay;

/// A ruling in force on a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulingOnGame {
    /// The stream of the game.
    pub game: String,
    pub tournament: String,
    /// The number of the ruling.
    pub ruling: u32,
    /// `halted` or `invalidated`.
    pub effect: &'static str,
    pub reason: String,
    #[serde(skip)]
    pub pairing: BoardId,
}

/// The point of an earlier attempt at which a game resumes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resumes {
    /// The stream of the earlier attempt.
    pub game: String,
    /// The number of plies kept.
    pub ply: u32,
}

/// The rulings that set games aside, of all tournaments.
///
/// # Errors
/// If the log cannot be read.
pub fn rulings_on_games(log: &Log, cut: &Cut) -> Result<Vec<RulingOnGame>, ReplayError> {
    Ok(all(log, cut)?.iter().flat_map(of_tournament).collect())
}

/// Whether a game of the log is played at a cut: it is not over or annulled, and no ruling sets it aside.
///
/// # Errors
/// If the log cannot be read.
pub fn is_under_way(
    log: &Log,
    game: &StreamName,
    cut: &Cut,
    replay: &GameReplay,
) -> Result<bool, ReplayError> {
    let is_played = !replay.is_over() && !replay.is_stopped();
    Ok(is_played && rulings_on_games(log, cut)?.iter().all(|ruling| ruling.game != game.as_str()))
}

/// The rulings of a tournament that set games aside.
pub(super) fn of_tournament<'o>(opened: &'o TournamentAt<'_>) -> impl Iterator<Item = RulingOnGame> + 'o {
    let in_force = opened.tournament().rulings.iter().filter(|given| given.superseded_by.is_none());
    in_force.filter_map(|given| {
        let (effect, pairing) = match given.ruling.effect {
            Effect::Halt { pairing, .. } => ("halted", pairing),
            Effect::Invalidate { pairing, .. } => ("invalidated", pairing),
            _ => return None,
        };
        Some(RulingOnGame {
            game: format!("game/{}", given.game.as_ref()?),
            tournament: opened.stream.name().to_owned(),
            ruling: given.ruling.number,
            effect,
            reason: given.ruling.reason.clone(),
            pairing,
        })
    })
}

/// The earlier attempt that a game of a tournament resumes.
///
/// # Errors
/// If the log cannot be read.
pub fn resumes(log: &Log, game: &StreamName, cut: &Cut) -> Result<Option<Resumes>, ReplayError> {
    let Ok(id) = game.name().parse::<GameId>() else { return Ok(None) };
    for opened in all(log, cut)? {
        let boards = opened.tournament().rounds.values().flat_map(|round| round.boards.values());
        for board in boards {
            let Some(attempt) = board.number_of(&id) else { continue };
            let Some((before, earlier)) = board.games.range(..attempt).next_back() else { continue };
            let mut aside = board.set_aside.iter().rev().map(|aside| aside.fact.point());
            let kept = aside.find(|point| point.attempt == *before && point.ply > 0);
            return Ok(kept.map(|point| Resumes { game: format!("game/{earlier}"), ply: point.ply }));
        }
    }
    Ok(None)
}
