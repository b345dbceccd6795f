//! The home: the one folder in which the program keeps what it makes.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

#[cfg(feature = "dataset")]
use annals_ingest::location::{AddressError, Location};

#[cfg(feature = "dataset")]
use crate::errors::CliError;
use crate::values::shell_path;

/// The home that the command line named.
static NAMED: OnceLock<String> = OnceLock::new();

/// Keeps the home that the command line named, for the commands that are printed.
pub fn keep_named(home: &Path) {
    let _ = NAMED.set(shell_path(home));
}

/// A text with the home in each command that it names, if the command line named one: at its beginning or in backticks.
pub fn in_home(text: &str) -> String {
    match NAMED.get() {
        Some(home) => with_home(text, home),
        None => text.to_owned(),
    }
}

fn with_home(text: &str, home: &str) -> String {
    let command = format!("annals --home {home} ");
    let is_named = |rest: &str| rest.contains("--home");
    let put = |part: &str| match part.strip_prefix("annals ").filter(|rest| !is_named(rest)) {
        Some(rest) => format!("{command}{rest}"),
        None => part.to_owned(),
    };
    let parts = text
        .split('`')
        .enumerate()
        .map(|(at, part)| if at % 2 == 1 || at == 0 { put(part) } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("`")
}

/// The folder named by `--home` or `ANNALS_HOME`; by default `./annals-home`.
#[derive(Debug, Clone)]
pub struct Home {
    root: PathBuf,
    /// The dataset that `--dataset` named.
    #[cfg(feature = "dataset")]
    dataset: Option<String>,
    allows_damage: bool,
}

impl Home {
    /// The home at a folder, which need not exist yet.
    pub fn new(root: PathBuf) -> Home {
        Home {
            root,
            #[cfg(feature = "dataset")]
            dataset: None,
            allows_damage: false,
        }
    }

    /// Whether a damaged log is shown.
    pub fn allowing_damage(self, allows_damage: bool) -> Home {
        Home { allows_damage, ..self }
    }

    /// Whether a damaged log is shown.
    pub fn allows_damage(&self) -> bool {
        self.allows_damage
    }

    /// The folder itself.
    #[cfg(feature = "sql")]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder into which queries spill: in the home, or if a dataset elsewhere is read without a home, that of the system.
    #[cfg(feature = "sql")]
    pub fn spill(&self) -> PathBuf {
        match self.root.exists() || self.dataset.is_none() {
            true => self.root.join("tmp"),
            false => std::env::temp_dir().join("annals"),
        }
    }

    /// With the dataset of `--dataset` in place of its own.
    #[cfg(feature = "dataset")]
    pub fn reading(self, dataset: Option<String>) -> Home {
        Home { dataset, ..self }
    }

    /// The Parquet dataset: the one named, or that of the home.
    #[cfg(feature = "dataset")]
    pub fn dataset(&self) -> Result<Location, AddressError> {
        match &self.dataset {
            Some(named) => Location::parse(named),
            None => Ok(Location::Folder(self.root.join("dataset"))),
        }
    }

    /// The dataset that `--dataset` named.
    #[cfg(feature = "dataset")]
    pub fn named_dataset(&self) -> Result<Option<Location>, AddressError> {
        self.dataset.as_deref().map(Location::parse).transpose()
    }

    /// The folder for the work of one shard of an ingest.
    #[cfg(feature = "dataset")]
    pub fn shard(&self, name: &str) -> PathBuf {
        self.root.join("shards").join(name)
    }

    /// Whether there is a folder with a dataset in the home.
    pub fn has_own_dataset(&self) -> bool {
        self.root.join("dataset").is_dir()
    }

    /// Whether there is a dataset.
    #[cfg(feature = "server")]
    pub fn has_dataset(&self) -> Result<bool, AddressError> {
        Ok(self.dataset()?.stamp()?.is_some())
    }

    /// The folder of the home's own dataset, for a command that writes it.
    #[cfg(feature = "dataset")]
    pub fn own_dataset(&self, command: &str) -> Result<PathBuf, CliError> {
        match &self.dataset {
            Some(_) => Err(CliError::new(format!("`annals {command}` does not read `--dataset`"))
                .reason("it works on the dataset of the home")
                .hint(format!("annals {command} --help"))),
            None => Ok(self.root.join("dataset")),
        }
    }

    /// The log inside it.
    pub fn log(&self) -> PathBuf {
        self.root.join("log.db")
    }
}

#[cfg(test)]
mod tests {
    use super::with_home;

    #[test]
    fn a_command_at_the_beginning_or_in_backticks_gets_the_home() {
        for (text, expected) in [
            ("annals doctor", "annals --home 'a b' doctor"),
            ("run `annals log verify`, or `mv a b`", "run `annals --home 'a b' log verify`, or `mv a b`"),
            ("`annals --home x log init` makes one", "`annals --home x log init` makes one"),
            ("the annals doctor", "the annals doctor"),
        ] {
            assert_eq!(with_home(text, "'a b'"), expected);
        }
    }
}
