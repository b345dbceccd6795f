//! What is printed with the errors about datasets, feature tables and SQL.

#[cfg(feature = "sql")]
use annals_analytics::{Error as AnalyticsError, Remedy, studies::StudyError};
#[cfg(all(feature = "sql", feature = "charts"))]
use annals_charts::recipe::RecipeError;
#[cfg(feature = "sql")]
use annals_demo::DemoError;
use annals_events::Termination;
use annals_features::{
    FeatureError,
    columns::{self, Group},
};
use annals_ingest::location::{AddressError, PublishError, RequestFailure};
use annals_ingest::{
    manifest::ManifestError,
    other_version::OtherVersion,
    run::{IngestError, shards::PlanError},
    stored_games::StoredGamesError,
};

#[cfg(feature = "sql")]
use crate::errors::DOCTOR;
use crate::errors::{CliError, UNCHANGED};

/// After a plan that cannot be used.
const NEW_PLAN: &str = "`annals ingest FILE... --address ADDRESS --plan NEW.json` makes a new one";

/// The state after a publication that failed.
const NOTHING_PUBLISHED: &str = "the address has the dataset that it had before";

type Failure = dyn std::error::Error + 'static;

pub fn dataset(error: &Failure, it: CliError) -> Option<CliError> {
    table! { error:
        IngestError {
            IngestError::Plan(error) => return dataset(error, it),
            _ => it.state("the dataset is as it was before"),
        }
        PlanError {
            PlanError::Publish(error) => return dataset(error, it),
            PlanError::Damaged(_) | PlanError::OtherProgram { .. } => it.hint(NEW_PLAN),
            PlanError::Changed { .. } | PlanError::OtherBase { .. } => it.state(NOTHING_PUBLISHED).hint(NEW_PLAN),
            PlanError::Missing { shard, .. } =>
                it.state(NOTHING_PUBLISHED).hint(format_args!("annals ingest --plan PLAN --shard {shard}")),
            PlanError::NoShard => it.state(NOTHING_PUBLISHED).hint("annals ingest --plan PLAN --shard 1/N"),
            PlanError::Report { .. } | PlanError::OtherReport { .. } | PlanError::NoObject { .. } =>
                it.state(NOTHING_PUBLISHED).hint("delete the folder `shards` at the address, and run the shards again"),
            PlanError::NoGame => it.state(NOTHING_PUBLISHED).hint("`annals ingest --help` lists the files that are read"),
            _ => it,
        }
        ManifestError {
            ManifestError::Missing { .. } => it.hint("annals ingest FILE..."),
            ManifestError::OtherVersion(other) => other_version(it, other),
            ManifestError::Damaged { .. } | ManifestError::File { .. } =>
                it.hint("delete the folder, and run `annals ingest FILE...`"),
            ManifestError::Io { .. } => it,
            ManifestError::Address(error) => address(it, error),
        }
        AddressError { error => address(it, error), }
        PublishError {
            PublishError::Manifest(error) => return dataset(error, it.state(NOTHING_PUBLISHED)),
            PublishError::Address(error) => address(it, error).state(NOTHING_PUBLISHED),
            PublishError::Conflict { .. } => it.reason("each number is created once, by the publication that is first")
                .state("that publication is whole; the files of this one are copied and not listed")
                .hint("run the same command again: it publishes under the next number"),
            PublishError::Damaged { .. } => it.state(NOTHING_PUBLISHED)
                .hint("store the games again in another home: `annals --home NEW ingest FILE...`"),
            _ => it.state(NOTHING_PUBLISHED),
        }
        StoredGamesError {
            StoredGamesError::MissingColumn { table, .. } => it.hint(format_args!("annals schema tables {table}")),
            StoredGamesError::NeitherTable { .. } | StoredGamesError::WrongType { .. } =>
                it.hint("annals schema tables"),
            StoredGamesError::OneTable { missing, .. } =>
                it.hint(format_args!("`annals schema tables {missing}` prints its columns")),
            StoredGamesError::Damaged { .. } | StoredGamesError::Value { .. }
            | StoredGamesError::Contradiction { .. } =>
                it.hint("store the games again in another home: `annals --home NEW ingest FILE...`"),
            _ => it,
        }
        FeatureError {
            FeatureError::TwoKinds { .. } => it.reason("a table is made of one or the other")
                .hint("store the archive file with `annals ingest FILE`, and name the dataset alone"),
            FeatureError::NotStored { .. } => it.hint("name the archive files in place of the dataset"),
            FeatureError::Selected | FeatureError::OneWay { .. } => it.hint("`annals learn features -o FILE.parquet` makes another table"),
            FeatureError::Combined => it.hint("`annals learn features FILE... -o FILE.parquet` makes one table of all"),
            FeatureError::NoColumn { .. } => it.hint("`annals learn features --features paper -o FILE` makes a table with it"),
            FeatureError::NoDescription { .. } => it.reason("a program that writes some of the rows leaves it out, unless it copies the metadata")
                .hint("`annals learn evaluate MODEL TABLE --fold K` reads a fold of the whole table")
                .hint("docs/reference/features.md shows how pyarrow copies the metadata"),
            FeatureError::Damaged { .. } => it.hint("`annals learn features -o FILE` makes the table again"),
            FeatureError::UnknownFormat { .. } => it.hint("add `--format parquet`, `npz` or `safetensors`"),
            FeatureError::OtherGame { .. } => it.hint("`annals learn features --list` lists the columns of each game"),
            FeatureError::NoSuchFeature { name } => {
                let groups = Group::ASKED.map(Group::word);
                let known = columns::all().map(|c| c.name).chain(groups).chain(["all"]);
                it.did_you_mean(name, known, "annals learn features --list")
            },
            FeatureError::NoSuchEnding { name } => {
                let all = Termination::ALL.map(|ending| format!("{} {}", ending.archive_letter(), ending.word()));
                it.reason(format_args!("the endings are {}", all.join(", ")))
                    .did_you_mean(name, Termination::ALL.map(Termination::word), "")
            },
            _ => it,
        }
    }
    None
}

/// An address: what to do by the kind of failure.
fn address(it: CliError, error: &AddressError) -> CliError {
    match error {
        AddressError::NotBuilt { .. } => it.hint("cargo install --path . --locked --features remote"),
        AddressError::Damaged { object, .. } => {
            let address = object.rsplit_once('/').map_or(object.as_str(), |(address, _)| address);
            it.hint(format_args!(
                "`annals --home HOME publish {}` publishes it again, from the home that has the dataset",
                if address.starts_with("http") { "ADDRESS" } else { address }
            ))
        }
        AddressError::Invalid { .. } => it.hint("`annals publish --help` lists the kinds of addresses"),
        AddressError::Request { failure, .. } => match failure {
            RequestFailure::Denied => it.hint(
                "set the credentials of the store, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
            ),
            RequestFailure::Unreachable => {
                it.hint("check the network; a store of your own is named by AWS_ENDPOINT_URL")
            }
            RequestFailure::NoBucket => {
                it.hint("create the bucket, or correct its name; a store of your own is named by AWS_ENDPOINT_URL")
            }
            RequestFailure::NoRanges => it.hint(
                "copy the dataset to a host with range requests, or into a folder: `--dataset FOLDER` reads it there",
            ),
            RequestFailure::EveryName => it.hint("name the folder of the host that has the numbered manifests"),
            RequestFailure::Missing => it.hint("`annals publish ADDRESS` publishes a dataset"),
            RequestFailure::NotSupported => {
                it.hint("publish to s3://, gs:// or a folder; a web host can serve a copy of that folder")
            }
            RequestFailure::Other => it,
        },
    }
}

/// A dataset of another version: the commands that make it again.
fn other_version(it: CliError, other: &OtherVersion) -> CliError {
    /// Files that are named one by one.
    const NAMED: usize = 6;
    let it = it.state(UNCHANGED);
    if !other.is_earlier() {
        return it.reason("a newer version of Annals wrote it");
    }
    let home = match other.folder.file_name().and(other.folder.parent()) {
        Some(home) if !home.as_os_str().is_empty() => format!(" --home {}", home.display()),
        _ => String::new(),
    };
    let made_of = other.inputs.len();
    let files = match made_of {
        0 => return it.hint(format_args!("`annals{home} ingest --log` makes it again")),
        1..=NAMED => format!("{}` makes it again", other.inputs.join(" ")),
        _ => format!("FILE...` makes it again from its {made_of} files"),
    };
    let it = it.hint(format_args!("`annals{home} ingest {files}"));
    match other.has_log {
        true => it.hint(format_args!("`annals{home} ingest --log` adds the games of the log")),
        false => it,
    }
}

#[cfg(feature = "sql")]
pub fn sql(error: &Failure, it: CliError) -> Option<CliError> {
    table! { error:
        AnalyticsError {
            AnalyticsError::Unknown { what: "game", similar, .. } if similar.is_empty() =>
                it.hint("`annals game list` lists the games"),
            AnalyticsError::DamagedLog(_) => it.finding().hint(DOCTOR),
            AnalyticsError::NoDataset { .. } =>
                it.hint("`annals ingest FILE...` makes one from the gameroom's archive files")
                    .hint("`annals --home DIR ...` looks in another home"),
            AnalyticsError::UserTable { reason: Some(reason), .. } => it.reason(reason),
            AnalyticsError::UserTable { reason: None, .. } => it.hint("give the file another name: `--table NAME=FILE`"),
            AnalyticsError::Nothing { next, .. } => next.iter().map(next_command).fold(it, CliError::hint),
            error => error.hints().into_iter().fold(it, CliError::hint),
        }
        StudyError { error => study(error, it), }
        DemoError {
            DemoError::NotEmpty(..) => it.hint("annals demo --output DIR"),
            _ => it,
        }
    }
    None
}

#[cfg(feature = "sql")]
fn next_command(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Words(words) => words.clone(),
        Remedy::CountUnrated => "`--unrated` counts unrated games too".to_owned(),
        Remedy::CountWhere(condition) => format!(
            "`annals query \"SELECT count(*) FROM games WHERE {condition}\"` tells how many games the condition leaves"
        ),
        Remedy::OtherTime => "without `--from` and `--to` the chart has all games".to_owned(),
        Remedy::ListMeetings => "`annals game list --player NAME --vs NAME` lists who met".to_owned(),
        Remedy::ShowPlayer => "`annals player show NAME` shows the games that there are".to_owned(),
        Remedy::OtherGame(game) => {
            format!("`--game {game}` selects the games of the dataset, which are all of that kind")
        }
        Remedy::ListRatings => "`annals rating list` gives the ratings all the same".to_owned(),
        Remedy::DrawWithoutClock { or_used: false } => "`--clock off` draws the game without it".to_owned(),
        Remedy::DrawWithoutClock { or_used: true } => {
            "`--clock off` or `--clock used` draws the game without it".to_owned()
        }
    }
}

#[cfg(feature = "sql")]
fn study(error: &StudyError, it: CliError) -> CliError {
    let it = error.hints().into_iter().fold(it, CliError::hint);
    match error {
        StudyError::Broken { .. } => it.hint(
            "docs/reference/studies.md describes the form of a study; `annals study show growth` prints one",
        ),
        StudyError::Unknown { .. } => {
            it.hint("`annals study list` lists them; a file is named with its ending, `mine.sql`")
        }
        StudyError::ParameterMissing { name, .. } => it.hint(format_args!("`--param {name}=VALUE`")),
        StudyError::NotOneQuestion { found: 1.., .. } => {
            it.hint("`annals query -f FILE` asks several; WITH makes one of them")
        }
        StudyError::NoChart { study } => {
            it.hint(format_args!("`annals study run {study} --data FILE.csv` writes its rows"))
        }
        #[cfg(feature = "charts")]
        StudyError::Drawing { study, source: RecipeError::Empty } => it
            .hint(format_args!("`annals study show {study} --sql` prints the query, which has no rows here"))
            .hint(format_args!("a parameter may select too few: `annals study show {study}`")),
        _ => it,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dataset_of_another_version_is_answered_with_the_commands_that_make_it_again() {
        let advised = |version: u64, inputs: &[&str], has_log: bool| {
            let other = OtherVersion {
                folder: "home/dataset".into(),
                version,
                inputs: inputs.iter().map(|name| (*name).to_owned()).collect(),
                has_log,
                files: Vec::new(),
            };
            format!("{:?}", other_version(CliError::new("it is old"), &other))
        };
        let both = advised(1, &["b.txt"], true);
        assert!(both.contains("`annals --home home ingest b.txt` makes it again"), "{both}");
        assert!(both.contains("`annals --home home ingest --log` adds the games of the log"), "{both}");
        assert!(advised(1, &[], true).contains("`annals --home home ingest --log` makes it again"));
        assert!(advised(1, &["b.txt"; 7], false).contains("ingest FILE...` makes it again from its 7 files"));
        assert!(advised(u64::MAX, &["b.txt"], false).contains("a newer version of Annals wrote it"));
    }
}
