//! Errors of queries. Each error states what happened and where; `hints` has the
//! next steps, as the prompt shows them. For a [`Remedy`] the program names its own command.

use std::io;
use std::path::PathBuf;

use annals_events::GameKind;
use annals_ingest::manifest::ManifestError;
use annals_ingest::stored_games::StoredGamesError;
use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;

use crate::checked_arithmetic;

/// What a user can do if a query has no data. The program names its own command for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    Words(String),
    CountUnrated,
    /// Counts the games that a condition leaves.
    CountWhere(String),
    ListMeetings,
    /// No game is in the period.
    OtherTime,
    ShowPlayer,
    ListRatings,
    /// All games of the dataset are of this kind, which is not the selected one.
    OtherGame(GameKind),
    DrawWithoutClock {
        /// The time used may be recorded.
        or_used: bool,
    },
}

/// Why a query fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The folder has no manifest: nothing was ingested there.
    #[error("there is no dataset in {}", dir.display())]
    NoDataset { dir: PathBuf },
    #[error(transparent)]
    Dataset(ManifestError),
    /// A file of the dataset cannot be read.
    #[error(transparent)]
    Stored(#[from] StoredGamesError),
    #[error("{0}")]
    Log(String),
    #[error("the log is damaged: {0}")]
    DamagedLog(String),
    /// A statement that is no SQL, or names what does not exist. The message holds the line and a mark under the place.
    #[error("{message}")]
    Sql { message: String, hints: Vec<String> },
    #[error("`{statement}` is refused: `annals query` reads the dataset and never changes it")]
    ReadOnly {
        /// The beginning of the statement.
        statement: String,
    },
    /// A name that is not in the dataset: a player, a game, a table.
    #[error("there is no {what} `{name}`")]
    Unknown {
        /// The kind of name: "player", "game", "table".
        what: &'static str,
        name: String,
        /// Existing names similar to it, the most similar first.
        similar: Vec<String>,
    },
    #[error("`{found}` is no {what}: {why}")]
    Argument { what: &'static str, found: String, why: String },
    /// A row that is not of the expected type.
    #[error("the dataset has a value of another type than its version states: {0}")]
    Rows(String),
    /// No worker runs parts of queries.
    #[cfg(feature = "cluster")]
    #[error("cannot use the workers: {what}")]
    Workers { what: String },
    #[error("{what}")]
    Nothing { what: String, next: Vec<Remedy> },
    #[error(transparent)]
    Ratings(#[from] annals_ratings::RatingsError),
    #[error("cannot {doing}")]
    Io { doing: String, source: io::Error },
    /// The query exceeded its memory limit.
    #[error(
        "the query was stopped: it held {} MiB of memory, and {} MiB are allowed (--memory) with {} MiB for buffers",
        .held >> 20, .limit >> 20, .buffers >> 20
    )]
    Memory {
        held: u64,
        /// The memory limit by its options, in bytes.
        limit: u64,
        buffers: u64,
    },
    #[error("the query was stopped")]
    Cancelled,
    /// A file that cannot be a table.
    #[error("{what}")]
    UserTable { what: String, reason: Option<String> },
    #[error("the query failed: {}", in_words(.0))]
    Engine(Box<DataFusionError>),
}

impl Error {
    /// What to do next, one line each.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        match self {
            Error::Sql { hints, .. } => hints.clone(),
            Error::Nothing { next, .. } => next.iter().filter_map(in_words_alone).collect(),
            Error::Ratings(error) => error.hints(),
            Error::ReadOnly { .. } => vec![
                "SELECT, WITH, VALUES, EXPLAIN, DESCRIBE and SHOW are answered".to_owned(),
                "to keep a result: `annals query --format parquet -o FILE \"SELECT ...\"`".to_owned(),
            ],
            Error::Unknown { similar, .. } => did_you_mean(similar).into_iter().collect(),
            error if error.is_out_of_memory() => less_memory(),
            Error::Engine(e) => {
                let remedy = checked_arithmetic::remedy(e).map(str::to_owned);
                remedy.or_else(|| of_a_study(&in_words(e))).into_iter().collect()
            }
            // The manifest's errors state the next step themselves.
            Error::DamagedLog(_) => {
                vec!["`annals doctor` lists the damage, and the command to run next".to_owned()]
            }
            Error::Log(_) => vec!["`annals doctor` says what is the case with the log".to_owned()],
            #[cfg(feature = "cluster")]
            Error::Workers { .. } => vec![
                "`annals worker --listen HOST:PORT` starts one; without `--workers` a query runs here alone"
                    .to_owned(),
            ],
            Error::NoDataset { .. }
            | Error::Dataset(_)
            | Error::Stored(_)
            | Error::Argument { .. }
            | Error::Rows(_)
            | Error::Cancelled
            | Error::UserTable { .. }
            | Error::Io { .. }
            | Error::Memory { .. } => Vec::new(),
        }
    }

    /// Whether the memory limit ended the query.
    #[must_use]
    pub fn is_out_of_memory(&self) -> bool {
        match self {
            Error::Memory { .. } => true,
            Error::Engine(error) => is_out_of_memory(error),
            _ => false,
        }
    }

    /// An I/O error with the activity.
    pub(crate) fn io(doing: impl Into<String>, source: io::Error) -> Error {
        Error::Io { doing: doing.into(), source }
    }
}

fn in_words_alone(remedy: &Remedy) -> Option<String> {
    match remedy {
        Remedy::Words(words) => Some(words.clone()),
        Remedy::OtherGame(game) => Some(format!("all games of the dataset are of the kind `{game}`")),
        _ => None,
    }
}

/// The command for a query with a parameter, which only a study may have.
fn of_a_study(message: &str) -> Option<String> {
    let name = message.strip_prefix("Placeholder '$")?.split('\'').next()?;
    Some(format!("`annals study run FILE.sql --param {name}=VALUE` runs a study with its parameters"))
}

/// The next step if memory does not suffice.
fn less_memory() -> Vec<String> {
    vec![
        "a larger limit may do: `--memory 4GB`".to_owned(),
        "or ask for less at once: fewer columns, a WHERE, a LIMIT".to_owned(),
    ]
}

/// "did you mean `a` or `b`?", if there are similar names.
pub(crate) fn did_you_mean(similar: &[String]) -> Option<String> {
    let (last, rest) = similar.split_last()?;
    if rest.is_empty() {
        return Some(format!("did you mean `{last}`?"));
    }
    let rest: Vec<String> = rest.iter().map(|s| format!("`{s}`")).collect();
    Some(format!("did you mean {} or `{last}`?", rest.join(", ")))
}

/// The engine's innermost message, without the names of its layers.
fn in_words(error: &DataFusionError) -> String {
    match error.find_root() {
        DataFusionError::Execution(message) | DataFusionError::ResourcesExhausted(message) => message.clone(),
        other => other.to_string(),
    }
}

fn is_out_of_memory(error: &DataFusionError) -> bool {
    matches!(error.find_root(), DataFusionError::ResourcesExhausted(_))
}

impl From<DataFusionError> for Error {
    fn from(error: DataFusionError) -> Error {
        Error::Engine(Box::new(error))
    }
}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Error {
        match error {
            ArrowError::IoError(doing, source) => Error::Io { doing: format!("write: {doing}"), source },
            other => Error::Engine(Box::new(DataFusionError::from(other))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_answered_with_what_looks_like_it() {
        let error = Error::Unknown {
            what: "player",
            name: "Fritzlien".to_owned(),
            similar: vec!["Fritzlein".to_owned(), "Fritz".to_owned()],
        };
        assert_eq!(error.to_string(), "there is no player `Fritzlien`");
        assert_eq!(error.hints(), ["did you mean `Fritzlein` or `Fritz`?"]);
        assert!(Error::Unknown { what: "game", name: "7".to_owned(), similar: vec![] }.hints().is_empty());
    }
}
