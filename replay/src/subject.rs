//! What is replayed, by its name: a stream, the game of a board, the whole log, or all players.

use std::collections::BTreeMap;

use annals_events::{BoardId, EnvelopeError, StreamName};
use annals_store::{Log, ReadError};

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::read::tournament_at;
use crate::view::{View, log_view, people_view, view_at};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Stream(StreamName),
    /// Named `log`.
    Log,
    /// Named `people`.
    People,
}

/// The name matches no stream, or several.
#[derive(Debug, thiserror::Error)]
pub enum FindStreamError {
    #[error(transparent)]
    Name(#[from] EnvelopeError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("`{name}` is the name of several streams")]
    Several { name: String, streams: Vec<StreamName> },
    #[error("the log has no stream `{name}`")]
    None {
        name: String,
        /// In the log.
        streams: Vec<StreamName>,
    },
    #[error("`{0}` is not a game")]
    NotAGame(StreamName),
    #[error("the log has no game of board {board} of {tournament}")]
    NoGameOfBoard {
        tournament: StreamName,
        board: BoardId,
        /// The boards that have one.
        boards: Vec<BoardId>,
    },
    #[error(transparent)]
    Tournament(Box<ReplayError>),
}

impl Subject {
    /// # Errors
    /// If the log has no such stream, or several.
    pub fn of(log: &Log, name: &str) -> Result<Subject, FindStreamError> {
        match name {
            "log" => Ok(Subject::Log),
            "people" => Ok(Subject::People),
            name => find_stream(log, name).map(Subject::Stream),
        }
    }

    #[must_use]
    pub fn stream(&self) -> Option<&StreamName> {
        match self {
            Subject::Stream(name) => Some(name),
            _ => None,
        }
    }

    /// # Errors
    /// If the log cannot be read.
    pub fn view(&self, log: &Log, cut: &Cut) -> Result<View, ReplayError> {
        match self {
            Subject::Stream(name) => view_at(log, name, cut),
            Subject::Log => log_view(log, cut),
            Subject::People => people_view(log, None, cut),
        }
    }
}

/// A stream by its name, which must have events. Without a family in front, the name is looked for in every family.
/// `cup r3.1` is the game of a board.
///
/// # Errors
/// If the log has no such stream, or several.
pub fn find_stream(log: &Log, text: &str) -> Result<StreamName, FindStreamError> {
    if let Some((tournament, board)) = board_of(text) {
        return game_of_board(log, tournament, board);
    }
    let families: &[&str] = if text.contains('/') { &[] } else { &["tournament", "game", "people", "log"] };
    let mut streams = existing(log, text, families)?;
    match streams.len() {
        0 => {
            let streams = log.streams(None)?.into_iter().map(|stream| stream.name).collect();
            Err(FindStreamError::None { name: text.to_owned(), streams })
        }
        1 => Ok(streams.remove(0)),
        _ => Err(FindStreamError::Several { name: text.to_owned(), streams }),
    }
}

/// The stream of a game: by its name, with or without the family, or by the board of a tournament.
///
/// # Errors
/// When the log has no such game; the error has the streams of its games.
pub fn find_game(log: &Log, text: &str) -> Result<StreamName, FindStreamError> {
    if let Some((tournament, board)) = board_of(text) {
        return game_of_board(log, tournament, board);
    }
    let families: &[&str] = if text.contains('/') { &[] } else { &["game"] };
    match existing(log, text, families)?.pop() {
        Some(stream) if stream.family() == "game" => Ok(stream),
        Some(stream) => Err(FindStreamError::NotAGame(stream)),
        None => {
            let streams = log.streams(Some("game"))?.into_iter().map(|stream| stream.name).collect();
            Err(FindStreamError::None { name: text.to_owned(), streams })
        }
    }
}

/// The streams of a name that have events: of these families, or the one that the name states.
fn existing(log: &Log, text: &str, families: &[&str]) -> Result<Vec<StreamName>, FindStreamError> {
    let names: Vec<StreamName> = match families {
        [] => vec![text.parse()?],
        families => families.iter().filter_map(|family| format!("{family}/{text}").parse().ok()).collect(),
    };
    let mut streams = Vec::new();
    for name in names {
        if log.stream_info(&name)?.is_some() {
            streams.push(name);
        }
    }
    Ok(streams)
}

/// `cup r3.1` as a tournament and a board.
fn board_of(text: &str) -> Option<(&str, BoardId)> {
    let (tournament, board) = text.trim().rsplit_once(char::is_whitespace)?;
    Some((tournament.trim_end(), board.parse().ok()?))
}

/// The game of a board, the last one if there were several.
fn game_of_board(log: &Log, tournament: &str, board: BoardId) -> Result<StreamName, FindStreamError> {
    let tournament = tournament.strip_prefix("tournament/").unwrap_or(tournament);
    let Some(stream) = existing(log, tournament, &["tournament"])?.pop() else {
        let streams = log.streams(Some("tournament"))?.into_iter().map(|stream| stream.name).collect();
        return Err(FindStreamError::None { name: tournament.to_owned(), streams });
    };
    let found = tournament_at(log, &stream, &Cut::NOW)
        .map_err(|error| FindStreamError::Tournament(Box::new(error)))?;
    let mut games: BTreeMap<BoardId, BTreeMap<u32, StreamName>> = BTreeMap::new();
    // A game that no event attaches to its board is known by its name: `cup.r3.1`, `cup.r3.1.2` for the second attempt.
    for game in log.streams(Some("game"))? {
        let name = game.name.name().strip_prefix(stream.name()).and_then(|rest| rest.strip_prefix('.'));
        let Some(name) = name else { continue };
        let attempt = name
            .rsplit_once('.')
            .and_then(|(board, attempt)| Some((board.parse::<BoardId>().ok()?, attempt.parse().ok()?)));
        if let Some((board, attempt)) = name.parse().ok().map(|board| (board, 1)).or(attempt) {
            games.entry(board).or_default().insert(attempt, game.name);
        }
    }
    for (round, paired) in &found.tournament.rounds {
        for (number, at) in &paired.boards {
            let board = BoardId { round: *round, board: *number };
            for (attempt, game) in &at.games {
                games.entry(board).or_default().insert(*attempt, format!("game/{game}").parse()?);
            }
        }
    }
    let last = games.get_mut(&board).and_then(|attempts| attempts.pop_last());
    last.map(|(_, game)| game).ok_or_else(|| FindStreamError::NoGameOfBoard {
        tournament: stream,
        board,
        boards: games.into_keys().collect(),
    })
}
