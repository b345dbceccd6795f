//! The plan of a sharded ingest, and which files a shard reads.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::location::{Objects, PublishError, check_creates, read_newest};
use crate::manifest::{InputEntry, Manifest};
use crate::run::error::IngestError;
use crate::run::plan::digest;
use crate::source::{SourceFile, discover};
use crate::tables::SCHEMA_VERSION;

/// `format` of a plan.
const PLAN: &str = "annals-ingest-plan";
const VERSION: u32 = 1;

#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("the plan is damaged: {0}")]
    Damaged(String),
    #[error(
        "the plan is of `{found}` with tables of version {found_tables}; this is `{expected}` with tables of version {SCHEMA_VERSION}"
    )]
    OtherProgram { found: String, found_tables: u32, expected: String },
    #[error("`{}` cannot be read", path.display())]
    Unreadable { path: PathBuf },
    /// A path that is not UTF-8 cannot be in a plan.
    #[error("the path `{}` is not UTF-8", path.display())]
    Path { path: PathBuf },
    #[error("`{name}` has changed since the plan was made")]
    Changed { name: String },
    #[error(
        "the dataset at `{address}` has changed since the plan was made: it had manifest {base}, it has manifest {last}"
    )]
    OtherBase { address: String, base: u64, last: u64 },
    #[error("shard {shard} is not complete: there is no `{report}`")]
    Missing { shard: Shard, report: String },
    #[error("no shard of this plan is complete")]
    NoShard,
    #[error("the report `{report}` is damaged: {why}")]
    Report { report: String, why: String },
    #[error("another run of shard {shard} made another report, `{report}`")]
    OtherReport { shard: Shard, report: String },
    #[error("no file of the plan has a game that is not in the dataset")]
    NoGame,
    #[error("no shard has the file `{path}` of the dataset")]
    NoObject { path: String },
    #[error(transparent)]
    Publish(#[from] PublishError),
}

/// The K-th of N shards, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    pub number: u32,
    pub of: u32,
}

impl Shard {
    /// More shards than files have nothing to do, and the finisher holds some megabytes for each.
    pub const MOST: u32 = 1_024;
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let expected = || format!("expected K/N with 1 <= K <= N <= {}, as 2/4", Shard::MOST);
        let (number, of) = text.split_once('/').ok_or_else(expected)?;
        let (number, of) = (number.parse().map_err(|_| expected())?, of.parse().map_err(|_| expected())?);
        match (1..=of).contains(&number) && of <= Shard::MOST {
            true => Ok(Shard { number, of }),
            false => Err(expected()),
        }
    }
}

/// The files of a sharded ingest, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardPlan {
    /// [`PLAN`].
    format: String,
    version: u32,
    /// Of the tables.
    schema_version: u32,
    program: String,
    /// Whether steps and turns of every position are counted.
    pub counts: bool,
    /// Where the shards write, and the dataset is published.
    pub address: String,
    /// The number of the manifest at the address, to whose dataset the games are added; 0 without a dataset.
    pub base: u64,
    pub inputs: Vec<PlannedInput>,
    /// BLAKE3 of this text with an empty checksum, in hexadecimal.
    pub checksum: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedInput {
    pub name: String,
    /// The same on every machine.
    pub path: String,
    pub bytes: u64,
    /// BLAKE3 of the file, in hexadecimal.
    pub digest: String,
}

impl PlannedInput {
    pub(super) fn file(&self) -> SourceFile {
        SourceFile { name: self.name.clone(), path: PathBuf::from(&self.path), bytes: self.bytes }
    }

    /// Whether an entry is of this file, with the content that the plan states.
    pub(super) fn is(&self, entry: &InputEntry) -> bool {
        (&self.name, &self.digest) == (&entry.name, &entry.digest)
    }
}

impl ShardPlan {
    /// Lists the files of `inputs`. `tick` gets the bytes that were read and of all files, and may stop.
    ///
    /// # Errors
    /// If a file is missing or unreadable, or the address cannot be read or is a web host.
    pub fn make(
        inputs: &[PathBuf],
        address: &str,
        counts: bool,
        tick: &mut dyn FnMut(u64, u64) -> Result<(), IngestError>,
    ) -> Result<ShardPlan, IngestError> {
        let files = discover(inputs)?;
        let objects = at(address)?;
        check_creates(&objects).map_err(|error| PlanError::from(PublishError::from(error)))?;
        let base = read_newest(&objects)?.map_or(0, |published| published.number);
        let (all, mut read) = (files.iter().map(|file| file.bytes).sum(), 0u64);
        let mut planned = Vec::with_capacity(files.len());
        for SourceFile { name, path, bytes } in files {
            let digest = digest(&path, &mut |more| {
                read = read.saturating_add(more);
                tick(read, all)
            })?;
            let digest = digest.ok_or_else(|| PlanError::Unreadable { path: path.clone() })?;
            planned.push(PlannedInput { name, path: absolute(&path)?, bytes, digest });
        }
        let address = match address.contains("://") {
            true => objects.address().to_owned(),
            false => absolute(Path::new(address))?,
        };
        let plan = ShardPlan {
            format: PLAN.to_owned(),
            version: VERSION,
            schema_version: SCHEMA_VERSION,
            program: Manifest::default().program,
            counts,
            address,
            base,
            inputs: planned,
            checksum: String::new(),
        };
        Ok(ShardPlan { checksum: plan.computed_checksum()?, ..plan })
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// If it is not a plan, was changed, or is of another version of the program.
    pub fn parse(text: &str) -> Result<ShardPlan, PlanError> {
        /// What must be known before the rest is read.
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
            schema_version: u32,
            program: String,
        }
        let damaged = |error: serde_json::Error| PlanError::Damaged(error.to_string());
        let head: Head = serde_json::from_str(text).map_err(damaged)?;
        if head.format != PLAN {
            return Err(PlanError::Damaged(format!("it is `{}`, expected `{PLAN}`", head.format)));
        }
        let expected = Manifest::default().program;
        if (head.version, head.schema_version, &head.program) != (VERSION, SCHEMA_VERSION, &expected) {
            let (found, found_tables) = (head.program, head.schema_version);
            return Err(PlanError::OtherProgram { found, found_tables, expected });
        }
        let plan: ShardPlan = serde_json::from_str(text).map_err(damaged)?;
        match plan.computed_checksum().map_err(damaged)? == plan.checksum {
            true => Ok(plan),
            false => Err(PlanError::Damaged("its text does not match its checksum".to_owned())),
        }
    }

    /// # Errors
    /// If serialization fails, which cannot happen.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The files of a shard: a part of the list with about its share of the bytes.
    #[must_use]
    pub fn inputs_of(&self, shard: Shard) -> &[PlannedInput] {
        let all: u128 = self.inputs.iter().map(|input| u128::from(input.bytes)).sum();
        // Each file is in the shard that has its middle. Twice the bytes, since a middle can be half a byte.
        let share = |before: u128, bytes: u64| {
            let middle = before * 2 + u128::from(bytes);
            (middle * u128::from(shard.of) / (all * 2).max(1)).min(u128::from(shard.of) - 1)
        };
        let (mut before, mut start, mut end) = (0, 0, 0);
        for (place, input) in self.inputs.iter().enumerate() {
            let number = share(before, input.bytes) + 1;
            if number < u128::from(shard.number) {
                start = place + 1;
            }
            if number <= u128::from(shard.number) {
                end = place + 1;
            }
            before += u128::from(input.bytes);
        }
        self.inputs.get(start..end).unwrap_or_default()
    }

    /// The objects of its address.
    pub(super) fn objects(&self) -> Result<Arc<Objects>, PlanError> {
        at(&self.address)
    }

    /// The folder of its reports, below the address.
    pub(super) fn folder(&self) -> String {
        format!("shards/{}", self.checksum.get(..32).unwrap_or(&self.checksum))
    }

    fn computed_checksum(&self) -> Result<String, serde_json::Error> {
        let unsealed = ShardPlan { checksum: String::new(), ..self.clone() };
        Ok(blake3::hash(serde_json::to_string(&unsealed)?.as_bytes()).to_hex().to_string())
    }
}

fn at(address: &str) -> Result<Arc<Objects>, PlanError> {
    let objects = match address.contains("://") {
        true => Objects::at(address),
        false => Objects::in_folder(Path::new(address)),
    };
    objects.map(Arc::new).map_err(|error| PublishError::from(error).into())
}

fn absolute(path: &Path) -> Result<String, PlanError> {
    let absolute = std::path::absolute(path).map_err(|_| PlanError::Unreadable { path: path.to_owned() })?;
    absolute.into_os_string().into_string().map_err(|path| PlanError::Path { path: path.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plan(sizes: &[u64]) -> ShardPlan {
        let input = |(place, bytes): (usize, &u64)| PlannedInput {
            name: place.to_string(),
            path: format!("/{place}"),
            bytes: *bytes,
            digest: String::new(),
        };
        ShardPlan {
            format: PLAN.to_owned(),
            version: VERSION,
            schema_version: SCHEMA_VERSION,
            program: Manifest::default().program,
            counts: false,
            address: "/a".to_owned(),
            base: 0,
            inputs: sizes.iter().enumerate().map(input).collect(),
            checksum: String::new(),
        }
    }

    proptest! {
        #[test]
        fn every_file_is_in_one_shard_in_order_with_about_its_share(
            sizes in prop::collection::vec(0u64..1_000_000, 0..40),
            of in 1u32..9,
        ) {
            let plan = plan(&sizes);
            let shards: Vec<_> = (1..=of).map(|number| plan.inputs_of(Shard { number, of })).collect();
            prop_assert_eq!(&shards.concat(), &plan.inputs);
            let largest = sizes.iter().max().copied().unwrap_or(0);
            let share = sizes.iter().sum::<u64>() / u64::from(of);
            for shard in shards {
                let bytes: u64 = shard.iter().map(|input| input.bytes).sum();
                prop_assert!(bytes <= share + largest + 1, "{} of {}", bytes, share);
            }
        }
    }

    #[test]
    fn a_plan_that_was_changed_or_is_of_another_version_is_refused() {
        let plan = plan(&[1, 2]);
        let sealed = ShardPlan { checksum: plan.computed_checksum().unwrap(), ..plan };
        let text = sealed.text().unwrap();
        assert_eq!(ShardPlan::parse(&text).unwrap(), sealed);
        for (from, to, expected) in [
            ("\"bytes\": 2", "\"bytes\": 3", "checksum"),
            (PLAN, "something", "expected `annals-ingest-plan`"),
            ("\"program\": \"annals ", "\"program\": \"annals 9", "the plan is of `annals 9"),
        ] {
            let error = ShardPlan::parse(&text.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert!(ShardPlan::parse("{}").is_err());
    }

    #[test]
    fn a_shard_is_written_as_its_number_and_their_number() {
        assert_eq!("2/4".parse::<Shard>().unwrap(), Shard { number: 2, of: 4 });
        for text in ["0/4", "5/4", "2", "2/0", "-1/4", "1/1025", "a/b", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
