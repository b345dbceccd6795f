//! A game that its operator enters line by line: each line is decided and appended separately; a dry run appends none.

use annals_events::canonical::CanonicalError;
use annals_events::{GameEvent, GameKind, Micros, PlayerAtStart, Started, StreamName};
use annals_rules::amazons::Position;
use annals_store::Log;
use serde_json::{Value, json};

use super::append::{HandlerError, append, would_append};
use super::draft::Draft;
use super::operate::{Board, OperateError, OperatorLine, OperatorLineError};
use crate::cut::Cut;
use crate::view::GameView;

/// How a game that belongs to no tournament begins.
#[derive(Debug, Clone)]
pub struct NewGame {
    pub kind: GameKind,
    /// The names of the players with the first and the second move; empty if unknown.
    pub players: [String; 2],
    /// The time control in its normal form.
    pub time_control: Option<String>,
    /// The position to begin from, as a text.
    pub position: Option<String>,
}

/// Why a line is not entered. Nothing of it is in the log.
#[derive(Debug, thiserror::Error)]
pub enum EnterError {
    #[error(transparent)]
    Line(#[from] OperatorLineError),
    #[error(transparent)]
    Operate(#[from] OperateError),
    /// The present game cannot be read.
    #[error(transparent)]
    Board(OperateError),
    #[error(transparent)]
    Handler(#[from] HandlerError),
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    #[error("an event cannot be written as JSON: {0}")]
    Json(serde_json::Error),
    #[error("there is no move to take back")]
    NoMove,
    #[error("{loser} cannot move in that position, so the game is over before it begins")]
    Decided { loser: &'static str },
}

/// The result of a line.
#[derive(Debug)]
pub struct Entered {
    /// The events as `annals log append` reads them; none for a line that only shows the game.
    pub events: Vec<Value>,
    /// The receipt of the log; none of a dry run.
    pub receipt: Option<String>,
    /// Who had a move taken back, and why.
    pub retracted: Option<(String, String)>,
    /// The ending of the game by this line, and its pairing if it has one.
    pub over: Option<(String, Option<String>)>,
}

/// A game, the log that it is in, and how it is entered.
pub struct OperatedGame {
    pub log: Log,
    pub stream: StreamName,
    pub actor: String,
    /// When it happens, if stated.
    pub at: Option<Micros>,
    /// Whether the time between two lines is the time of the move.
    pub live: bool,
    pub dry_run: bool,
    /// What would have been appended.
    pub tried: Vec<Draft>,
}

impl OperatedGame {
    fn now(&self) -> Micros {
        self.log.now().unwrap_or(0)
    }

    /// Begins a new game.
    ///
    /// # Errors
    /// When a side has no move in its position, or the log does not accept it.
    pub fn begin(&mut self, new: NewGame) -> Result<(), EnterError> {
        let position = new.position.as_deref().filter(|_| new.kind == GameKind::Amazons);
        // Then no event could end it.
        if let Some((winner, _)) = position.and_then(|text| text.parse::<Position>().ok()?.score()) {
            return Err(EnterError::Decided { loser: winner.other().name_in(GameKind::Amazons) });
        }
        let [first, second] = new.players;
        let player = |name: String| PlayerAtStart { name: name.into(), ..PlayerAtStart::default() };
        let start = GameEvent::Started(Box::new(Started {
            gold: player(first),
            silver: player(second),
            time_control: new.time_control.map(Into::into),
            ..Started::plain(new.kind, new.position.map(Into::into))
        }));
        let draft = Draft::new(self.stream.clone(), self.at.unwrap_or_else(|| self.now()), start)?;
        let draft = if self.at.is_none() { draft.now() } else { draft };
        self.take(vec![draft])?;
        Ok(())
    }

    /// Appends events through the command handler; a dry run only stores them. Returns the receipt.
    fn take(&mut self, drafts: Vec<Draft>) -> Result<Option<String>, HandlerError> {
        if self.dry_run {
            let actor = |draft: Draft| if draft.actor.is_none() { draft.by(&self.actor) } else { draft };
            let mut all = self.tried.clone();
            all.extend(drafts.into_iter().map(actor));
            would_append(&self.log, &all)?;
            self.tried = all;
            return Ok(None);
        }
        let appended = append(&mut self.log, &drafts, &self.actor, &[])?;
        Ok(Some(appended.head.to_string()))
    }

    fn board(&self) -> Result<Board<'_>, OperateError> {
        Board::of(&self.log, &self.stream, &self.tried, (self.at, self.now()))
    }

    /// Enters a line.
    ///
    /// # Errors
    /// When the line cannot be read, or its events are refused.
    pub fn enter(&mut self, line: &OperatorLine) -> Result<Entered, EnterError> {
        let board = self.board().map_err(EnterError::Board)?;
        let was_over = board.replay().is_over();
        let running = if self.live { board.running(self.now()) } else { None };
        let (_, drafts) = board.say(line, running)?;
        let mut entered = Entered { events: Vec::new(), receipt: None, retracted: None, over: None };
        if drafts.is_empty() {
            return Ok(entered);
        }
        entered.events = drafts.iter().map(|draft| self.event(draft)).collect::<Result<_, _>>()?;
        entered.receipt = self.take(drafts)?;
        if let OperatorLine::Retract { by, why } = line {
            entered.retracted = Some((by.clone().unwrap_or_else(|| self.actor.clone()), why.clone()));
        }
        let board = self.board().map_err(EnterError::Board)?;
        let pairing = board.replay().started().and_then(|started| started.pairing.clone());
        entered.over = board.ending().filter(|_| !was_over).map(|how| (how, pairing.map(Into::into)));
        Ok(entered)
    }

    /// For a retraction after the end: the event that ended the game. The last move was then mistyped, and decided the game on
    /// the board.
    #[must_use]
    pub fn end_to_strike(&self, line: &OperatorLine) -> Option<u64> {
        if !matches!(line, OperatorLine::Retract { .. }) {
            return None;
        }
        self.board().ok()?.replay().game().ending()?;
        let events = self.log.stream(&self.stream, u64::MAX).ok()?;
        Some(events.iter().rev().find(|event| event.event_type == "game.ended")?.seq)
    }

    /// The present game.
    ///
    /// # Errors
    /// When the game cannot be read.
    pub fn view(&self) -> Result<GameView, OperateError> {
        let cut = if self.live { Cut::as_of(self.now()) } else { Cut::NOW };
        Ok(GameView::of(&self.stream, self.board()?.replay(), &cut))
    }

    /// An event as `annals log append` reads it.
    ///
    /// # Errors
    /// When its payload is not JSON.
    pub fn event(&self, draft: &Draft) -> Result<Value, EnterError> {
        let payload: Value = serde_json::from_str(draft.payload.as_str()).map_err(EnterError::Json)?;
        Ok(json!({
            "stream": draft.stream, "type": draft.event_type, "payload": payload,
            "effective_at": draft.effective_at, "actor": draft.actor.as_ref().unwrap_or(&self.actor),
        }))
    }
}
