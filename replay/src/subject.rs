//! The subject of a replay: a stream, the log, or all players.

use annals_events::{EnvelopeError, StreamName};
use annals_store::{Log, ReadError};

use crate::cut::Cut;
use crate::error::ReplayError;
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

/// A stream with events by name, in every family if none is stated.
///
/// # Errors
/// If the log has no such stream, or several.
pub fn find_stream(log: &Log, text: &str) -> Result<StreamName, FindStreamError> {
    let whole: Vec<StreamName> = if text.contains('/') {
        vec![text.parse()?]
    } else {
        let families = ["tournament", "game", "people", "log"];
        families.iter().filter_map(|family| format!("{family}/{text}").parse().ok()).collect()
    };
    let mut streams = Vec::new();
    for name in whole {
        if log.stream_info(&name)?.is_some() {
            streams.push(name);
        }
    }
    let name = text.to_owned();
    match streams.len() {
        0 => {
            let streams = log.streams(None)?.into_iter().map(|stream| stream.name).collect();
            Err(FindStreamError::None { name, streams })
        }
        1 => Ok(streams.remove(0)),
        _ => Err(FindStreamError::Several { name, streams }),
    }
}
