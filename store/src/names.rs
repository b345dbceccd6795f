//! The names of the files that belong to a log: each is made from the whole name of the log, so that logs of different
//! names share none, but for `NAME` and `NAME.db`.

use std::path::{Path, PathBuf};

/// The file of a log that ends in `.word`. A log `NAME.db` has `NAME.word`; each other log has its whole name before the
/// word: `copy-2026.11.21` has `copy-2026.11.21.word`.
pub(crate) fn beside(log: &Path, word: &str) -> PathBuf {
    if log.extension().is_some_and(|extension| extension == "db") {
        return log.with_extension(word);
    }
    appended(log, &format!(".{word}"))
}

/// A path with more behind its last character.
pub(crate) fn appended(path: &Path, more: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(more);
    PathBuf::from(name)
}

/// The path of the anchor of a log: `log.anchor` for `log.db`, `NAME.anchor` for each other name.
#[must_use]
pub fn anchor_path(log: &Path) -> PathBuf {
    beside(log, "anchor")
}

/// The file in which an earlier version kept the anchor of a log, where there is such a file and it is another one now:
/// everything behind the last dot of the name was replaced.
pub(crate) fn earlier_anchor(log: &Path) -> Option<PathBuf> {
    let earlier = log.with_extension("anchor");
    (earlier != anchor_path(log) && earlier.exists()).then_some(earlier)
}

/// The path of the digest of a sealed file.
#[must_use]
pub fn digest_path(sealed: &Path) -> PathBuf {
    appended(sealed, ".sha256")
}

/// The path of the write-ahead log of a database.
#[must_use]
pub fn wal_path(database: &Path) -> PathBuf {
    appended(database, "-wal")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_logs_share_an_anchor_and_log_db_keeps_its_own() {
        let anchor = |log: &str| anchor_path(Path::new(log)).into_os_string().into_string().unwrap();
        assert_eq!(anchor("home/log.db"), "home/log.anchor");
        assert_eq!(anchor("b/annals-2026.11.21"), "b/annals-2026.11.21.anchor");
        assert_eq!(anchor("b/annals-2026.11.21.db"), "b/annals-2026.11.21.anchor");
        assert_eq!(anchor("log.sqlite"), "log.sqlite.anchor");
        assert_eq!(anchor("log"), "log.anchor");
        assert_eq!(anchor("b.db/log"), "b.db/log.anchor");
        assert_eq!(anchor(".db"), ".db.anchor");
    }

    #[test]
    fn the_anchor_of_an_earlier_version_is_found_under_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        assert_eq!(earlier_anchor(&file("copy-2026.11.21")), None);
        std::fs::write(file("copy-2026.11.anchor"), "").unwrap();
        assert_eq!(earlier_anchor(&file("copy-2026.11.21")), Some(file("copy-2026.11.anchor")));
        assert_eq!(earlier_anchor(&file("copy-2026.11.db")), None);
        assert_eq!(earlier_anchor(&file("copy-2026.11")), None);
    }
}
