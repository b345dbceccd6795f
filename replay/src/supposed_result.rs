//! A result that a query supposes: of a pairing without a result the result itself, else a ruling that sets it. The handler
//! decides both; a supposed result that it rejects still counts, and the answer names the rule.

use annals_events::tournament::{Effect, Outcome, ResultRecorded, RulingGiven};
use annals_events::{BoardId, GameKind, PlayerId, RawEnvelope, StreamName, TournamentEvent, UnknownWord};
use annals_store::Log;
use annals_tournaments::commands::Command;
use annals_tournaments::{Board, Tournament};
use serde::Serialize;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::handler::{DirectError, Director, Draft, Handler, Step, consider_steps, game_played};
use crate::read::tournament_at;
use crate::what_if::{Moment, WhatIf};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SupposedResult {
    pub pairing: BoardId,
    /// Of the record, if any.
    pub recorded: Option<Outcome>,
    pub supposed: Outcome,
    /// Why the log would reject it at that moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    #[serde(skip)]
    game: GameKind,
}

impl SupposedResult {
    pub(crate) fn lines(&self) -> Vec<String> {
        let name = |outcome: Outcome| outcome.word_in(self.game);
        let recorded = self.recorded.map_or("no result", name);
        let supposed = name(self.supposed);
        let mut lines = vec![format!("{}: supposed {supposed}, recorded {recorded}", self.pairing)];
        lines.extend(self.refused.iter().map(|why| format!("the log would reject it: {why}")));
        lines
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SupposedResultError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Outcome(#[from] UnknownWord),
    #[error("there is no pairing {pairing} at that point in time")]
    NoSuchPairing { pairing: BoardId },
    #[error("`{player}` does not play in {pairing}: that is {} against {}", players[0], players[1])]
    NotOfThePair { pairing: BoardId, player: String, players: [PlayerId; 2] },
    #[error("the colours of {pairing} are not decided at that point in time")]
    NoColours { pairing: BoardId },
    #[error("{0}")]
    Direct(#[from] DirectError),
    #[error(transparent)]
    Canonical(#[from] annals_events::canonical::CanonicalError),
}

/// A tournament's state at a cut with another result of a pairing. The outcome is named by its word, by the side or by the
/// player that wins.
///
/// # Errors
/// If the log cannot be read, or there is no such pairing or outcome at that moment.
pub fn what_if_result(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    (pairing, outcome): (BoardId, &str),
) -> Result<WhatIf, SupposedResultError> {
    let tournament = tournament_at(log, stream, cut)?.tournament;
    let board = tournament.board(pairing).ok_or(SupposedResultError::NoSuchPairing { pairing })?;
    let outcome = outcome_of(&tournament, (pairing, board), outcome)?;
    let moment = Moment::of(log, stream, cut)?;
    let mut handler = Handler::at(log, moment.decided_at)?;
    let at = handler.moment(cut.as_of);
    let director = Director { stream, at: Some(at), actor: "", dry_run: true };
    let recorded = board.outcome();
    let (command, event) = supposing(&tournament, (pairing, board), outcome);
    let refused = match consider_steps(&mut handler, &director, &[Step::from(command)]) {
        Ok(()) => None,
        Err(DirectError::Handler(crate::handler::HandlerError::Replay(error))) => return Err(error.into()),
        Err(refused) => Some(refused.to_string()),
    };
    let taken: Vec<RawEnvelope> = match &refused {
        None => handler.accepted().iter().map(|one| one.envelope.clone()).collect(),
        Some(_) => {
            let handler = Handler::at(log, moment.decided_at)?;
            vec![handler.envelope(&Draft::new(stream.clone(), at, event)?)]
        }
    };
    let game = game_played(&tournament);
    let supposed = SupposedResult { pairing, recorded, supposed: outcome, refused, game };
    Ok(moment.compared(log, stream, taken, Vec::new(), Some(supposed))?)
}

/// The request that gives a pairing a result, and its event if the request is rejected.
fn supposing(
    tournament: &Tournament,
    (pairing, board): (BoardId, &Board),
    outcome: Outcome,
) -> (Command, TournamentEvent) {
    if board.outcome().is_none() {
        let attempt = Some(board.last_attempt()).filter(|attempt| *attempt > 0);
        let game = board.games.values().next_back().cloned();
        let (termination, territory, note) = (None, None, None);
        let command =
            Command::Result { pairing, outcome: Some(outcome), termination, game: game.clone(), territory };
        let result = ResultRecorded { pairing, outcome, termination, attempt, game, territory, note };
        return (command, TournamentEvent::ResultRecorded(result));
    }
    let effect = Effect::SetResult { pairing, outcome, termination: None };
    let (reason, evidence, dispute, supersedes) = ("supposed".to_owned(), Vec::new(), None, None);
    let command = Command::Rule {
        effect: effect.clone(),
        reason: reason.clone(),
        evidence: evidence.clone(),
        dispute,
        supersedes,
    };
    let number = tournament.rulings.iter().map(|given| given.ruling.number).max().unwrap_or(0) + 1;
    let ruling = RulingGiven { number, effect, reason, grounds: Vec::new(), evidence, dispute, supersedes };
    (command, TournamentEvent::RulingGiven(ruling))
}

/// An outcome by its word, by the side or by the player that wins.
pub(crate) fn outcome_of(
    tournament: &Tournament,
    (pairing, board): (BoardId, &Board),
    text: &str,
) -> Result<Outcome, SupposedResultError> {
    let unknown = match Outcome::read_in(text, game_played(tournament)) {
        Ok(outcome) => return Ok(outcome),
        Err(unknown) => unknown,
    };
    let is_named = |player: &PlayerId| {
        let name = tournament.entrants.get(player).map(|entrant| entrant.name.as_str());
        player.as_str() == text || name.is_some_and(|name| name.eq_ignore_ascii_case(text))
    };
    match (board.gold(), board.silver()) {
        (Some(gold), _) if is_named(gold) => Ok(Outcome::Gold),
        (_, Some(silver)) if is_named(silver) => Ok(Outcome::Silver),
        (None, _) => Err(SupposedResultError::NoColours { pairing }),
        (Some(gold), Some(silver)) if tournament.entrants.keys().any(is_named) => {
            let (player, players) = (text.to_owned(), [gold.clone(), silver.clone()]);
            Err(SupposedResultError::NotOfThePair { pairing, player, players })
        }
        _ => Err(unknown.into()),
    }
}
