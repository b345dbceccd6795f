//! Games to learn from: what was named, or the home's dataset; and what to do where they cannot be read.

use std::path::PathBuf;

use annals_features::FeatureError;
use annals_ingest::manifest::{MANIFEST_FILE, ManifestError};
use annals_ingest::stored_games::StoredGamesError;

use crate::errors::CliError;
use crate::home::Home;

/// What was named; where nothing was, the dataset of the home.
pub fn named_or_stored(named: &[PathBuf], home: &Home) -> Result<Vec<PathBuf>, CliError> {
    let dataset = home.dataset();
    match named {
        [] if dataset.join(MANIFEST_FILE).is_file() => Ok(vec![dataset]),
        [] => {
            let error = format!("no games are named, and there is no dataset in `{}`", dataset.display());
            Err(CliError::new(error)
                .hint("run `annals ingest FILE…`, or for the games of the log `annals ingest --log`"))
        }
        named => Ok(named.to_vec()),
    }
}

/// An error about games in words, with what to do next.
pub fn explain(error: &FeatureError) -> CliError {
    let said = CliError::from_error(error);
    match error {
        FeatureError::Discover(_) => {
            said.hint("name archive files, game files, folders or patterns, or none for the home's dataset")
        }
        FeatureError::TwoKinds { .. } => said.hint("store the archive file with `annals ingest FILE`, and name the dataset alone"),
        FeatureError::NotStored { .. } => said.hint("name the archive files in place of the dataset"),
        FeatureError::Stored(stored) => match stored {
            // They say it themselves.
            StoredGamesError::Manifest(ManifestError::Missing { .. } | ManifestError::Damaged { .. } | ManifestError::OtherVersion { .. } | ManifestError::File { .. }) => said,
            StoredGamesError::Manifest(_) | StoredGamesError::Read { .. } => said.hint("look to the file, its folder and its permissions"),
            StoredGamesError::NeitherTable { .. } | StoredGamesError::MissingColumn { .. } | StoredGamesError::WrongType { .. } => {
                said.hint("run `annals schema tables games` or `annals schema tables turns` for the columns of each table")
            }
            StoredGamesError::OneTable { missing, .. } => said.hint(format_args!(
                "name a Parquet file of `{missing}` as well, or the folder of a dataset; `annals schema tables {missing}` prints its columns"
            )),
            StoredGamesError::Damaged { .. } | StoredGamesError::Value { .. } | StoredGamesError::Contradiction { .. } => {
                said.hint("store the games anew in another home: `annals --home NEW ingest FILE…`")
            }
        },
        _ => said,
    }
}
