//! The games of an encounter, as programs play them one after the other: which game is next, who has which colour in it, and
//! how its result is recorded.

use std::path::PathBuf;

use annals_events::narrative::ending;
use annals_events::tournament::Outcome;
use annals_events::{BoardId, GameEvent, GameId, Micros, PlayerId, StreamName, Termination};
use annals_report::Document;
use annals_tournaments::commands::Command;
use annals_tournaments::{Board, Tournament};
use serde::Serialize;

use super::session::{DirectorSession, SessionError};
use crate::cut::Cut;
use crate::standing_events::{StandingEvents, standing_events};

/// A game of an encounter that has no result.
#[derive(Debug)]
pub struct EncounterGame {
    pub board: BoardId,
    pub stream: StreamName,
    /// For White and Black: 0 for the first of the two who meet, 1 for the second.
    pub seats: [usize; 2],
    game: GameId,
    players: [String; 2],
    events: StandingEvents,
}

impl EncounterGame {
    /// Its events so far, with their times.
    #[must_use]
    pub fn events(&self) -> Vec<(Micros, GameEvent<'_>)> {
        let timed = self.events.timed(|at, _| Some(at));
        timed.into_iter().filter_map(|(at, event)| Some((at?, event))).collect()
    }

    /// Its row in the summary while it has no result.
    #[must_use]
    pub fn halted(&self) -> EncounterResult {
        let [white, black] = self.players.clone();
        EncounterResult {
            pairing: self.board,
            white,
            black,
            stream: self.stream.clone(),
            result: None,
            termination: None,
            territory: None,
            file: None,
        }
    }
}

/// A game of an encounter in a summary.
#[derive(Debug, Serialize)]
pub struct EncounterResult {
    pairing: BoardId,
    white: String,
    black: String,
    stream: StreamName,
    /// None if play is halted.
    result: Option<Outcome>,
    termination: Option<Termination>,
    /// The squares by which the winner won.
    territory: Option<u32>,
    /// The file of its moves, if one was written.
    pub file: Option<PathBuf>,
}

impl EncounterResult {
    /// The games that were played, a line each.
    #[must_use]
    pub fn document(games: &[EncounterResult]) -> Document {
        let line = |game: &EncounterResult| {
            let result = match game.result {
                Some(Outcome::Gold) => "White won".to_owned(),
                Some(Outcome::Silver) => "Black won".to_owned(),
                Some(other) => other.to_string(),
                None => "halted".to_owned(),
            };
            let how = game.termination.map_or(String::new(), |how| format!(" by {}", ending(how)));
            let territory = game.territory.map_or(String::new(), |squares| format!(", {squares} squares"));
            let EncounterResult { pairing, white, black, stream, .. } = game;
            format!("{pairing}: {white} - {black}: {result}{how}{territory}, {stream}")
        };
        Document::default()
            .lines("", games.iter().map(line).collect())
            .or_line("every game of the encounter has its result")
    }
}

impl DirectorSession {
    /// The boards of the encounter of a pairing, in their order.
    ///
    /// # Errors
    /// When there is no such pairing, or the log cannot be read.
    pub fn encounter(&self, pairing: BoardId) -> Result<Vec<BoardId>, SessionError> {
        boards(&self.state()?, pairing)
    }

    /// The game of a board of an encounter; it is started if necessary. None if the board has a result. Of the two who
    /// meet, `first` names the first one; if it is not given, that is White of the first game.
    ///
    /// # Errors
    /// When the colours are not decided, `first` is another player, or the game cannot begin.
    pub fn game_without_result(
        &mut self,
        board: BoardId,
        first: Option<&str>,
    ) -> Result<Option<EncounterGame>, SessionError> {
        let state = self.state()?;
        let Some(pair) = board_of(&state, board).filter(|pair| pair.outcome().is_none()) else {
            return Ok(None);
        };
        let seats = self.seats(&state, board, first)?;
        let players =
            [pair.gold(), pair.silver()].map(|player| player.map_or("", PlayerId::as_str).to_owned());
        let begun = pair.games.values().next_back().filter(|_| pair.owed().is_none());
        let game = match begun {
            Some(game) => game.clone(),
            None => {
                let (game, steps) = self.beginning(&state, board, None)?;
                self.direct(&steps)?;
                game
            }
        };
        let stream = format!("game/{game}").parse()?;
        let events = standing_events(&self.log, &stream, &Cut::NOW)?;
        Ok(Some(EncounterGame { board, stream, seats, game, players, events }))
    }

    /// Records the result of a game that is over.
    ///
    /// # Errors
    /// When the rulebook refuses it.
    pub fn record_result(&mut self, game: &EncounterGame) -> Result<EncounterResult, SessionError> {
        let (pairing, id) = (game.board, Some(game.game.clone()));
        let (outcome, termination, territory) = (None, None, None);
        self.direct(&[Command::Result { pairing, outcome, termination, game: id, territory }.into()])?;
        let state = self.state()?;
        let board = board_of(&state, pairing);
        Ok(EncounterResult {
            result: board.and_then(Board::outcome),
            termination: board.and_then(Board::termination),
            territory: board.and_then(Board::territory),
            ..game.halted()
        })
    }

    fn seats(
        &self,
        state: &Tournament,
        pairing: BoardId,
        first: Option<&str>,
    ) -> Result<[usize; 2], SessionError> {
        let open = || SessionError::NoColours { pairing };
        let first = match first {
            Some(name) => self.player(name)?,
            None => {
                let boards = boards(state, pairing)?;
                let white = boards.first().and_then(|first| board_of(state, *first)?.gold());
                white.ok_or_else(open)?.clone()
            }
        };
        let board = board_of(state, pairing);
        match (board.and_then(Board::gold), board.and_then(Board::silver)) {
            (Some(white), _) if *white == first => Ok([0, 1]),
            (_, Some(black)) if *black == first => Ok([1, 0]),
            (Some(white), Some(black)) => Err(SessionError::OtherPairing {
                player: first,
                pairing,
                players: [white.clone(), black.clone()],
            }),
            _ => Err(open()),
        }
    }
}

fn board_of(state: &Tournament, pairing: BoardId) -> Option<&Board> {
    state.rounds.get(&pairing.round)?.boards.get(&pairing.board)
}

/// The boards of an encounter: those of the round that have its number.
fn boards(state: &Tournament, pairing: BoardId) -> Result<Vec<BoardId>, SessionError> {
    let board = board_of(state, pairing).ok_or(SessionError::NoSuchPairing { pairing })?;
    let Some(number) = board.pair.encounter else { return Ok(vec![pairing]) };
    let boards = state.rounds.get(&pairing.round).into_iter().flat_map(|round| &round.boards);
    let of_it = boards.filter(|(_, board)| board.pair.encounter == Some(number));
    Ok(of_it.map(|(board, _)| BoardId { round: pairing.round, board: *board }).collect())
}
