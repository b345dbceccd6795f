//! Games to learn from: those that are named, or the home's dataset; and hints for errors about them.

use std::path::PathBuf;

use annals_events::Termination;
use annals_features::FeatureError;
use annals_features::columns::{self, Group};
use annals_ingest::manifest::{MANIFEST_FILE, ManifestError};
use annals_ingest::stored_games::StoredGamesError;

use crate::errors::CliError;
use crate::home::Home;
use crate::values::OrNone;

// Games to learn from.
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
        let dataset = home.dataset();
        match self.sources.as_slice() {
            [] if dataset.join(MANIFEST_FILE).is_file() => Ok(vec![dataset]),
            [] => {
                let error = format!("no games are named, and there is no dataset in `{}`", dataset.display());
                Err(CliError::new(error)
                    .hint("run `annals ingest FILE…`, or for the games of the log `annals ingest --log`"))
            }
            named => Ok(named.to_vec()),
        }
    }
}

/// An error about games, with what to do next; `wider` is the hint where no position is left.
pub fn explain(error: &FeatureError, wider: &str) -> CliError {
    if let FeatureError::Output(error) = error {
        return CliError::from_error(error);
    }
    let shown = CliError::from_error(error);
    let again = "write the table again with `annals learn features`";
    let hint = match error {
        FeatureError::Empty { .. } => wider,
        FeatureError::Discover(_) => {
            "name archive files, game files, folders or patterns, or none for the home's dataset"
        }
        FeatureError::TwoKinds { .. } => {
            "store the archive file with `annals ingest FILE`, and name the dataset alone"
        }
        FeatureError::NotStored { .. } => "name the archive files in place of the dataset",
        FeatureError::Selected => "make another table with `annals learn features`",
        FeatureError::Combined => "make one table of all of them with `annals learn features`",
        FeatureError::NoColumn { .. } => {
            return shown.hint(format_args!("{again}, whose --features have to name `paper`"));
        }
        FeatureError::OneWay { .. } => "write the table as .parquet or .safetensors",
        FeatureError::Damaged { .. } => again,
        FeatureError::UnknownFormat { .. } => {
            "give the file one of these endings, or add --format parquet, npz or safetensors"
        }
        FeatureError::OtherGame { .. } => {
            "`annals learn features --list` lists every column with its group; those of the group `amazons` are of that game"
        }
        FeatureError::Write { .. } => {
            "look to the folder, its permissions and the space on its disk, or name another with --output"
        }
        FeatureError::NoSuchFeature { name } => {
            let groups = Group::ASKED.map(Group::word);
            let known: Vec<&str> = columns::all().map(|c| c.name).chain(groups).chain(["all"]).collect();
            return shown
                .did_you_mean(name, known, "")
                .hint("`annals learn features --list` lists every column");
        }
        FeatureError::NoSuchEnding { name } => {
            let shown = shown.did_you_mean(name, Termination::ALL.map(Termination::word), "");
            let all = Termination::ALL.map(|ending| format!("{} {}", ending.archive_letter(), ending.word()));
            return shown.hint(format_args!("the endings are {}", all.join(", ")));
        }
        FeatureError::Stored(stored) => match stored {
            StoredGamesError::Manifest(
                ManifestError::Missing { .. }
                | ManifestError::Damaged { .. }
                | ManifestError::OtherVersion { .. }
                | ManifestError::File { .. },
            ) => return shown,
            StoredGamesError::Manifest(_) | StoredGamesError::Read { .. } => {
                "look to the file, its folder and its permissions"
            }
            StoredGamesError::NeitherTable { .. }
            | StoredGamesError::MissingColumn { .. }
            | StoredGamesError::WrongType { .. } => {
                "run `annals schema tables games` or `annals schema tables turns` for the columns of each table"
            }
            StoredGamesError::OneTable { missing, .. } => {
                return shown.hint(format_args!(
                    "name a Parquet file of `{missing}` as well, or the folder of a dataset; `annals schema tables {missing}` prints its columns"
                ));
            }
            StoredGamesError::Damaged { .. }
            | StoredGamesError::Value { .. }
            | StoredGamesError::Contradiction { .. } => {
                "store the games again in another home: `annals --home NEW ingest FILE…`"
            }
        },
        _ => return shown,
    };
    shown.hint(hint)
}
