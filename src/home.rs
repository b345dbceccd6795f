//! The home: the one folder in which the program keeps what it makes.

#[cfg(feature = "sql")]
use std::path::Path;
use std::path::PathBuf;

/// The folder named by `--home` or `ANNALS_HOME`; by default `./annals-home`.
#[derive(Debug, Clone)]
pub struct Home {
    root: PathBuf,
    allows_damage: bool,
}

impl Home {
    /// The home at a folder, which need not exist yet.
    pub fn new(root: PathBuf) -> Home {
        Home { root, allows_damage: false }
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

    /// The Parquet dataset inside it.
    #[cfg(feature = "dataset")]
    pub fn dataset(&self) -> PathBuf {
        self.root.join("dataset")
    }

    /// The log inside it.
    pub fn log(&self) -> PathBuf {
        self.root.join("log.db")
    }
}
