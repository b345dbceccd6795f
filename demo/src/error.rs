//! Why a demonstration ends before its event does.

use std::io;
use std::path::{Path, PathBuf};

use annals_engine::evaluation::UnknownEvaluator;
use annals_events::canonical::CanonicalError;
use annals_events::{DecodeError, EnvelopeError, NameError};
use annals_ingest::output_file::OutputError;
use annals_replay::ReplayError;
use annals_replay::handler::{BeginError, DirectError, HandlerError};
use annals_store::{OpenError, ReadError};
use annals_tournaments::rulebook::RulebookError;

/// Why a demonstration ends before its event does.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The folder holds something: one of the names in it.
    #[error("{0} is not empty, it holds `{1}`: an event that is made up is not mixed with anything else")]
    NotEmpty(PathBuf, String),
    /// The folder cannot be read or created: what was tried.
    #[error("cannot {1} the folder {0}: {2}")]
    Folder(PathBuf, &'static str, io::Error),
    /// The event does not go as its script has it.
    #[error("{0}")]
    Script(String),
    /// A file was not written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The system refuses.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The log cannot be created or opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The log cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The log cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A game cannot begin.
    #[error(transparent)]
    Begin(#[from] BeginError),
    /// A request of the director is refused.
    #[error(transparent)]
    Direct(#[from] DirectError),
    /// An event is refused.
    #[error(transparent)]
    Handler(#[from] HandlerError),
    /// A name, time, setting or event of the script is not valid.
    #[error(transparent)]
    Invalid(Box<dyn std::error::Error + Send + Sync>),
}

macro_rules! invalid {
    ($($error:ty),*) => {
        $(impl From<$error> for DemoError {
            fn from(error: $error) -> DemoError {
                DemoError::Invalid(error.into())
            }
        })*
    };
}

invalid!(NameError, EnvelopeError, CanonicalError, DecodeError, RulebookError, UnknownEvaluator, jiff::Error);

impl DemoError {
    pub(crate) fn folder(doing: &'static str, folder: &Path) -> impl FnOnce(io::Error) -> DemoError {
        move |error| DemoError::Folder(folder.to_owned(), doing, error)
    }
}
