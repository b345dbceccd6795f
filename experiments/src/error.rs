//! Why an experiment ends before its results are written.

use std::io;
use std::path::{Path, PathBuf};

use annals_charts::ChartError;
use annals_engine::arena::sprt::SprtError;
use annals_features::FeatureError;
use annals_ingest::archive_row::ArchiveError;
use annals_ingest::output_file::OutputError;
use annals_learning::{ModelError, NetworkTextError, SamplesError, SettingsError};

type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// Why an experiment ends before its results are written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A dropout rate of the grid search is not in 0 to below 1.
    #[error("{0} is not a valid dropout rate")]
    DropoutRate(f32),
    /// A kernel of the grid search does not fit its network.
    #[error(transparent)]
    Kernel(#[from] NetworkTextError),
    /// The folder cannot be opened, created or written; with the activity.
    #[error("{0} cannot be {1}: {2}, so the results have no place")]
    Folder(PathBuf, &'static str, io::Error),
    /// The folder for charts holds files.
    #[error("the directory {0} for charts is not empty")]
    NotEmpty(PathBuf),
    /// The folder for charts cannot be created.
    #[error("cannot create the directory {0} for charts: {1}")]
    NoFolder(PathBuf, io::Error),
    /// The folder has other files.
    #[error("{0} is not empty, and does not hold results of this command")]
    NoReport(PathBuf),
    /// A finished stage of a run with other options or games.
    #[error("the stage {} is of another run: {what} was {was}, and is {is} now", .stage.display())]
    OtherRun {
        /// The stage's file.
        stage: PathBuf,
        /// The name of the value that differs.
        what: String,
        /// Its value then.
        was: String,
        /// Its value now.
        is: String,
    },
    /// A finished stage that cannot be read: its file, and what is wrong with it.
    #[error("the stage {0} is truncated or damaged ({1})")]
    Damaged(PathBuf, String),
    /// A stage or the figures cannot be written as JSON.
    #[error("{0} cannot be written: {1}")]
    Json(String, serde_json::Error),
    /// A file of the folder was not written.
    #[error(transparent)]
    Kept(OutputError),
    /// A picture or the games of self-play were not written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A picture cannot be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// There are no games, for these reasons.
    #[error("there are no games for training: {0}")]
    NoGames(String),
    /// The games of self-play are too few, for this reason.
    #[error("the games of self-play cannot be used: {0}")]
    FewGames(String),
    /// No game of self-play has a winner; with the number of games as text.
    #[error("none of the {0} of self-play has a winner")]
    NoWinner(String),
    /// The file of a finished stage cannot be read.
    #[error("{0} of a finished stage cannot be read: {1}")]
    Gone(PathBuf, io::Error),
    /// The file of a finished stage was changed.
    #[error("{0} is not what this command wrote")]
    Changed(PathBuf),
    /// Another process works in the folder.
    #[error("another process works in {0}")]
    InUse(PathBuf),
    /// The caller stopped the work.
    #[error("stopped; what is finished is kept")]
    Stopped,
    /// The test of a match.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// The training settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Self-play failed.
    #[error(transparent)]
    SelfPlay(AnyError),
    /// A game of self-play was not written.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] FeatureError),
    /// The positions cannot be used for training.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// A stage of this name failed.
    #[error("the stage {0} failed")]
    Stage(String, #[source] AnyError),
    /// The folder of the trained networks cannot be created.
    #[error("cannot make {0}: {1}")]
    Models(PathBuf, io::Error),
    /// A trained network was not written.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The system refuses.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl Error {
    pub(crate) fn folder(doing: &'static str, folder: &Path) -> impl Fn(io::Error) -> Error {
        move |error| Error::Folder(folder.to_owned(), doing, error)
    }

    pub(crate) fn stage(stage: &str, error: impl Into<AnyError>) -> Error {
        Error::Stage(stage.to_owned(), error.into())
    }

    pub(crate) fn self_play(error: impl Into<AnyError>) -> Error {
        Error::SelfPlay(error.into())
    }
}
