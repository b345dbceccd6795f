//! The table at which a game is entered: each line is put to the desk, and the position is shown.

use annals_events::{Micros, StreamName};
use annals_replay::Cut;
use annals_replay::handler::{self, Board, Draft, OperatorLine};
use annals_replay::view::GameView;
use annals_store::Log;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::begin::NewGame;
use crate::errors::CliError;
use crate::output::{harmless, one_line, standard_output, talk, write_json_line, write_unmarked};

/// A game, the log that it is in, and how it is entered.
pub struct OperatedGame {
    pub log: Log,
    pub stream: StreamName,
    pub actor: String,
    pub zone: TimeZone,
    /// When it happens, where that is stated.
    pub at: Option<Micros>,
    /// Whether the time between two lines is the time of the move.
    pub live: bool,
    pub dry_run: bool,
    pub json: bool,
    /// What would have been appended.
    pub tried: Vec<Draft>,
}

/// What came of a line.
pub enum Answer {
    /// The game goes on.
    GoesOn,
    /// The game is over with it; how, in words.
    Over(String),
}

impl OperatedGame {
    fn now(&self) -> Micros {
        self.log.now().unwrap_or(0)
    }

    /// Begins a new game.
    pub fn begin(&mut self, new: &NewGame) -> Result<(), CliError> {
        let Some(start) = new.start() else { return Ok(()) };
        if let Some(loser) = new.decided_against() {
            let what = format!("{loser} cannot move in that position, so the game is over before it begins");
            return Err(CliError::new(what).hint("give a position in which the side to move has a move"));
        }
        let draft = Draft::new(self.stream.clone(), self.at.unwrap_or_else(|| self.now()), start)
            .map_err(|e| CliError::from_error(&e))?;
        let draft = if self.at.is_none() { draft.now() } else { draft };
        self.take(vec![draft])?;
        Ok(())
    }

    /// Has the desk decide about events, and appends them; a dry run keeps them aside. Gives the receipt, where there is one.
    fn take(&mut self, drafts: Vec<Draft>) -> Result<Option<String>, CliError> {
        if self.dry_run {
            let actor = |draft: Draft| if draft.actor.is_none() { draft.by(&self.actor) } else { draft };
            let mut all = self.tried.clone();
            all.extend(drafts.into_iter().map(actor));
            handler::would_append(&self.log, &all)?;
            self.tried = all;
            return Ok(None);
        }
        let appended = handler::append(&mut self.log, &drafts, &self.actor, &[])?;
        Ok(Some(appended.head.to_string()))
    }

    fn board(&self) -> Result<Board<'_>, CliError> {
        let board = Board::of(&self.log, &self.stream, &self.tried, (self.at, self.now()));
        board.map_err(|e| CliError::from_error(&e))
    }

    /// Enters a line, and shows what the game has come to.
    pub fn enter(&mut self, number: u32, line: &str) -> Result<Answer, CliError> {
        let at_line = |error: &dyn std::fmt::Display| {
            let line: String = line.chars().take(80).collect();
            CliError::new(format!("line {number} (`{}`): {error}", one_line(&line)))
        };
        let said: OperatorLine = line.parse().map_err(|e| at_line(&e))?;
        let board = self.board()?;
        let was_over = board.replay().is_over();
        let running = if self.live { board.running(self.now()) } else { None };
        let (_, drafts) = board.say(&said, running).map_err(|e| self.with_a_way_out(&said, at_line(&e)))?;
        if drafts.is_empty() {
            self.show()?;
            return Ok(Answer::GoesOn);
        }
        let events =
            drafts.iter().map(|draft| self.event(draft)).collect::<Result<Vec<Value>, CliError>>()?;
        let receipt = self.take(drafts).map_err(|e| self.with_a_way_out(&said, at_line(&e)))?;
        let board = self.board()?;
        let ending = board.ending().filter(|_| !was_over);
        if self.json {
            let game = self.view(&board);
            let mut out = standard_output();
            let done =
                json!({"line": number, "said": line, "events": events, "receipt": receipt, "game": game});
            write_json_line(&mut out, &done)?;
            std::io::Write::flush(&mut out)?;
        } else {
            if let OperatorLine::Retract { by, why } = &said {
                let by = by.as_deref().unwrap_or(&self.actor);
                self.write(&format!("\nThe last move is taken back under the instruction of {by}: {why}\n"))?;
            }
            self.write_position(&board)?;
        }
        Ok(match ending {
            Some(how) => {
                Answer::Over(match board.replay().started().and_then(|started| started.pairing.clone()) {
                    Some(pairing) => format!("{how}; `annals tournament result` records it for {pairing}"),
                    None => how,
                })
            }
            None => Answer::GoesOn,
        })
    }

    fn with_a_way_out(&self, said: &OperatorLine, error: CliError) -> CliError {
        match self.after_the_end(said) {
            Some(what_to_do) => error.hint(what_to_do),
            None => error,
        }
    }

    /// What can be done where a move is to be taken back after the end: the last one was mistyped, and the board took it for
    /// the end of the game.
    fn after_the_end(&self, said: &OperatorLine) -> Option<String> {
        if !matches!(said, OperatorLine::Retract { .. }) {
            return None;
        }
        self.board().ok()?.replay().game().ending()?;
        let events = self.log.stream(&self.stream, u64::MAX).ok()?;
        let ended = events.iter().rev().find(|event| event.event_type == "game.ended")?.seq;
        let payload = json!({"corrects": ended, "change": "strike", "reason": "the last move was mistyped"});
        let line = json!({"stream": self.stream.as_str(), "type": "log.correction", "payload": payload});
        Some(format!(
            "the end of the game is event {ended}; strike that by a correction first, then take the move back: put this line into \
             a file for `annals log append`: {line}"
        ))
    }

    fn view(&self, board: &Board<'_>) -> GameView {
        let cut = if self.live { Cut::as_of(self.now()) } else { Cut::NOW };
        GameView::of(&self.stream, board.replay(), &cut)
    }

    /// Shows the game as it stands.
    pub fn show(&self) -> Result<(), CliError> {
        if self.json {
            return Ok(());
        }
        self.write_position(&self.board()?)
    }

    fn write_position(&self, board: &Board<'_>) -> Result<(), CliError> {
        let position = self.view(board).at_the_board(&self.zone);
        self.write(&format!("\n{}", position.text(&self.zone, None)))
    }

    /// Shows a text: to whoever watches where standard output is for the events of a dry run.
    fn write(&self, text: &str) -> Result<(), CliError> {
        if self.dry_run {
            let lines: Vec<String> = text.lines().map(one_line).collect();
            talk(lines.join("\n"));
            return Ok(());
        }
        write_unmarked(&harmless(text))
    }

    /// An event as `annals log append` takes it.
    fn event(&self, draft: &Draft) -> Result<Value, CliError> {
        let payload: Value = serde_json::from_str(draft.payload.as_str())
            .map_err(|e| CliError::new(format!("an event cannot be written as JSON: {e}")))?;
        Ok(json!({
            "stream": draft.stream, "type": draft.event_type, "payload": payload,
            "effective_at": draft.effective_at, "actor": draft.actor.as_ref().unwrap_or(&self.actor),
        }))
    }

    /// At the end of a dry run, prints what would be appended.
    pub fn done(&self) -> Result<(), CliError> {
        if !self.dry_run {
            return Ok(());
        }
        if !self.json {
            let mut out = standard_output();
            for draft in &self.tried {
                write_json_line(&mut out, &self.event(draft)?)?;
            }
            std::io::Write::flush(&mut out)?;
        }
        talk("annals: a dry run; nothing was appended");
        Ok(())
    }
}
