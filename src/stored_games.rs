//! Games to learn from: what was named, or the home's dataset.

use std::path::PathBuf;

use annals_ingest::manifest::MANIFEST_FILE;

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
                .hint("run `annals ingest FILE...`, or `annals ingest --log` for the games of the log"))
        }
        named => Ok(named.to_vec()),
    }
}
