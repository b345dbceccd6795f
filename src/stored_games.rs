//! Games for training: those that are named, or the home's dataset.

use std::path::PathBuf;

use annals_features::FeatureError;
use annals_replay::Identifier;

use crate::errors::CliError;
use crate::home::Home;
use crate::provenance;
use crate::values::OrNone;

// Games for training.
#[derive(Debug, clap::Args)]
pub struct GamesArgs {
    /// Archive files, a dataset or Parquet files [default: the home's dataset]
    #[arg(value_name = "SOURCE")]
    pub sources: Vec<PathBuf>,

    /// Least rating of both players, or `none` [default: 1800; Amazons: none]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub rating_floor: Option<OrNone<i32>>,
}

impl GamesArgs {
    /// The sources that are named; if none is, the dataset of the home.
    pub fn named_or_stored(&self, home: &Home) -> Result<Vec<PathBuf>, CliError> {
        let dataset = home.dataset()?;
        match self.sources.as_slice() {
            [] if dataset.stamp()?.is_some() => {
                if let Ok(digest) = dataset.open()?.manifest.checksum.parse() {
                    provenance::reads(Identifier::Dataset { digest });
                }
                Ok(vec![dataset.to_string().into()])
            }
            [] => {
                let error = format!("no games are named, and there is no dataset in `{dataset}`");
                Err(CliError::new(error)
                    .hint("run `annals ingest FILE...`, or `annals ingest --log` for the games of the log"))
            }
            named => {
                let names = named.iter().filter_map(|path| path.file_name());
                names.for_each(|name| provenance::reads(name.to_string_lossy()));
                Ok(named.to_vec())
            }
        }
    }
}

/// An error about games; `wider` is the hint where no position is left.
pub fn explain(error: &FeatureError, wider: &str) -> CliError {
    let shown = CliError::from_error(error);
    if matches!(error, FeatureError::Empty { .. }) { shown.hint(wider) } else { shown }
}
