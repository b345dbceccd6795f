//! Errors of demonstrations.

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

#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The folder is not empty: one of its names.
    #[error("{0} is not empty, it holds `{1}`: an event that is made up is not mixed with anything else")]
    NotEmpty(PathBuf, String),
    /// The folder cannot be read or created: the activity.
    #[error("cannot {1} the folder {0}: {2}")]
    Folder(PathBuf, &'static str, io::Error),
    /// The event deviates from its script.
    #[error("{0}")]
    Script(String),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    System(#[from] io::Error),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Begin(#[from] BeginError),
    #[error(transparent)]
    Direct(#[from] DirectError),
    #[error(transparent)]
    Handler(#[from] HandlerError),
    /// A name, time, setting or event of the script is invalid.
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
