//! Errors of a study: in its file, in its parameters, and in its result.

#[cfg(feature = "charts")]
use annals_charts::recipe::RecipeError;

use super::front_matter::Broken;
use crate::Error;
use crate::error::did_you_mean;

/// Why a study cannot be read, run or drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    #[error("{file}, line {line}: {why}")]
    Broken {
        file: String,
        /// The line, from 1.
        line: usize,
        why: String,
    },
    #[error("there is no study `{name}`")]
    Unknown { name: String, similar: Vec<String> },
    #[error("the study `{study}` has no parameter `{name}`")]
    NoSuchParameter {
        study: String,
        name: String,
        /// The parameters that it has, with their meanings.
        has: Vec<String>,
    },
    #[error("the parameter `{name}` is given twice")]
    Twice { name: String },
    #[error("`{found}` will not do for the parameter `{name}` of the study `{study}`: {why}")]
    BadValue { study: String, name: String, found: String, why: String },
    #[error("the study `{study}` cannot be run without its parameter `{name}`: {meaning}")]
    ParameterMissing { study: String, name: String, meaning: String },
    #[error("{file} holds {found} statements, and a study is one")]
    NotOneQuestion { file: String, found: usize },
    #[error("{file}: {source}")]
    Asking { file: String, source: Error },
    #[error("the study `{study}` has no chart: its front matter has no `[chart.KIND]`")]
    NoChart { study: String },
    /// The result cannot be drawn.
    #[cfg(feature = "charts")]
    #[error("the study `{study}` cannot be drawn: {source}")]
    Drawing { study: String, source: RecipeError },
}

impl StudyError {
    /// What to do next, one line each; the program adds its commands.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        match self {
            StudyError::Unknown { similar, .. } => did_you_mean(similar).into_iter().collect(),
            StudyError::NoSuchParameter { has, .. } if has.is_empty() => vec!["it has none".to_owned()],
            StudyError::NoSuchParameter { has, .. } => vec![format!("it has {}", has.join("; "))],
            StudyError::NotOneQuestion { found: 0, .. } => {
                vec!["the question stands below the front matter, after an empty line".to_owned()]
            }
            StudyError::Asking { source, .. } => source.hints(),
            #[cfg(feature = "charts")]
            StudyError::Drawing { source, .. } => source.hints(),
            _ => Vec::new(),
        }
    }

    /// An invalid line of a file.
    pub(super) fn broken(file: &str, broken: Broken) -> StudyError {
        StudyError::Broken { file: file.to_owned(), line: broken.line, why: broken.why }
    }
}
