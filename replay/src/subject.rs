//! What is replayed, by its name: a stream, the game of a board, the whole log, or all players.

use std::collections::BTreeMap;

use annals_events::{BoardId, EnvelopeError, StreamName};
use annals_store::{Log, ReadError};
use annals_tournaments::Tournament;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::read::{game_at, tournament_at};
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
    #[error("the log has no tournament `{name}`")]
    NoTournament {
        name: String,
        /// The tournaments that the log has.
        tournaments: Vec<String>,
    },
}

impl Subject {
    /// # Errors
    /// If the log has no such stream, or several.
    pub fn of(log: &Log, name: &str) -> Result<Subject, FindStreamError> {
        Subject::at(log, name, |_| Ok(Cut::NOW))
    }

    /// As [`of`](Subject::of), with the attempt of a board at a point in time, which `cut` resolves for the tournament.
    ///
    /// # Errors
    /// If the log has no such stream, or several, or the point cannot be resolved.
    pub fn at<E: From<FindStreamError>>(
        log: &Log,
        name: &str,
        cut: impl FnOnce(&StreamName) -> Result<Cut, E>,
    ) -> Result<Subject, E> {
        match name {
            "log" => Ok(Subject::Log),
            "people" => Ok(Subject::People),
            name => find_stream_at(log, name, cut).map(Subject::Stream),
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

/// The stream of a tournament by its name, which must have events.
///
/// # Errors
/// When the log has no tournament of that name.
pub fn find_tournament(log: &Log, text: &str) -> Result<StreamName, FindStreamError> {
    let name = text.strip_prefix("tournament/").unwrap_or(text);
    let stream: StreamName = format!("tournament/{name}").parse()?;
    if log.stream_info(&stream)?.is_some() {
        return Ok(stream);
    }
    let streams = log.streams(Some("tournament"))?;
    let tournaments = streams.iter().map(|stream| stream.name.name().to_owned()).collect();
    Err(FindStreamError::NoTournament { name: name.to_owned(), tournaments })
}

/// A stream by its name, which must have events. Without a family in front, the name is looked for in every family.
/// `cup r3.1` is the game of a board.
///
/// # Errors
/// If the log has no such stream, or several.
pub fn find_stream(log: &Log, text: &str) -> Result<StreamName, FindStreamError> {
    if let Some((tournament, board)) = board_of(text) {
        return game_of_board(log, tournament, board, &Cut::NOW);
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
        return game_of_board(log, tournament, board, &Cut::NOW);
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

/// As [`find_stream`]; the attempt at a board is the last one at a point in time, which `cut` resolves for the tournament.
///
/// # Errors
/// If the log has no such stream, or several, or the point cannot be resolved.
pub fn find_stream_at<E: From<FindStreamError>>(
    log: &Log,
    text: &str,
    cut: impl FnOnce(&StreamName) -> Result<Cut, E>,
) -> Result<StreamName, E> {
    at_board(log, text, cut).unwrap_or_else(|| Ok(find_stream(log, text)?))
}

/// As [`find_game`], with the attempt of [`find_stream_at`].
///
/// # Errors
/// When the log has no such game, or the point cannot be resolved.
pub fn find_game_at<E: From<FindStreamError>>(
    log: &Log,
    text: &str,
    cut: impl FnOnce(&StreamName) -> Result<Cut, E>,
) -> Result<StreamName, E> {
    at_board(log, text, cut).unwrap_or_else(|| Ok(find_game(log, text)?))
}

fn at_board<E: From<FindStreamError>>(
    log: &Log,
    text: &str,
    cut: impl FnOnce(&StreamName) -> Result<Cut, E>,
) -> Option<Result<StreamName, E>> {
    let (tournament, board) = board_of(text)?;
    let found = || {
        let cut = cut(&tournament_stream(log, tournament)?)?;
        Ok(game_of_board(log, tournament, board, &cut)?)
    };
    Some(found())
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

/// The tournament in the name of a board.
fn tournament_stream(log: &Log, name: &str) -> Result<StreamName, FindStreamError> {
    let name = name.strip_prefix("tournament/").unwrap_or(name);
    existing(log, name, &["tournament"])?.pop().map_or_else(
        || {
            let streams = log.streams(Some("tournament"))?.into_iter().map(|stream| stream.name).collect();
            Err(FindStreamError::None { name: name.to_owned(), streams })
        },
        Ok,
    )
}

/// The games of boards that the log has, each by the number of its attempt.
pub type GamesOfBoards = BTreeMap<BoardId, BTreeMap<u32, StreamName>>;

/// # Errors
/// If the log cannot be read.
pub fn games_of_boards(
    log: &Log,
    stream: &StreamName,
    tournament: &Tournament,
) -> Result<GamesOfBoards, FindStreamError> {
    let mut games = GamesOfBoards::new();
    // A game that no event attaches to its board is known by its name: `cup.r3.1`, `cup.r3.1.2` for the second attempt.
    let prefix = format!("game/{}.", stream.name());
    for game in log.streams_from(&prefix)? {
        let name = &game.name.as_str()[prefix.len()..];
        let attempt = name
            .rsplit_once('.')
            .and_then(|(board, attempt)| Some((board.parse::<BoardId>().ok()?, attempt.parse().ok()?)));
        if let Some((board, attempt)) = name.parse().ok().map(|board| (board, 1)).or(attempt) {
            games.entry(board).or_default().insert(attempt, game.name);
        }
    }
    for (round, paired) in &tournament.rounds {
        for (number, at) in &paired.boards {
            let board = BoardId { round: *round, board: *number };
            for (attempt, game) in &at.games {
                games.entry(board).or_default().insert(*attempt, format!("game/{game}").parse()?);
            }
        }
    }
    Ok(games)
}

/// The game of a board, the last one if there were several by then.
fn game_of_board(
    log: &Log,
    tournament: &str,
    board: BoardId,
    cut: &Cut,
) -> Result<StreamName, FindStreamError> {
    let stream = tournament_stream(log, tournament)?;
    let unread = |error| FindStreamError::Tournament(Box::new(error));
    let found = tournament_at(log, &stream, cut).map_err(unread)?;
    let games = games_of_boards(log, &stream, &found.tournament)?;
    let mut attempts = games.get(&board).into_iter().flat_map(BTreeMap::values).rev();
    for game in attempts.clone() {
        if has_begun(log, game, cut).map_err(unread)? {
            return Ok(game.clone());
        }
    }
    // A game that begins later is named by the error of what reads it.
    attempts.next_back().cloned().ok_or_else(|| FindStreamError::NoGameOfBoard {
        tournament: stream,
        board,
        boards: games.into_keys().collect(),
    })
}

/// Whether an event of a game counts at a point in time.
///
/// # Errors
/// If the log cannot be read.
pub fn has_begun(log: &Log, game: &StreamName, cut: &Cut) -> Result<bool, ReplayError> {
    match game_at(log, game, cut) {
        Ok(_) => Ok(true),
        Err(ReplayError::NotYet { .. } | ReplayError::NoSuchStream { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}
