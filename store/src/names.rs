//! Names of a log's files, made from its whole name, so that logs of different names share none, except `NAME` and
//! `NAME.db`.

use std::path::{Path, PathBuf};

/// A log `NAME.db` has `NAME.word`; others append the word: `copy-2026.11.21` has `copy-2026.11.21.word`.
pub(crate) fn beside(log: &Path, word: &str) -> PathBuf {
    if log.extension().is_some_and(|extension| extension == "db") {
        return log.with_extension(word);
    }
    appended(log, &format!(".{word}"))
}

pub(crate) fn appended(path: &Path, more: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(more);
    PathBuf::from(name)
}

/// `log.anchor` for `log.db`, `NAME.anchor` for other names.
#[must_use]
pub fn anchor_path(log: &Path) -> PathBuf {
    beside(log, "anchor")
}

/// An earlier version's anchor file, if it exists and differs: it replaced everything after the last dot.
pub(crate) fn earlier_anchor(log: &Path) -> Option<PathBuf> {
    let earlier = log.with_extension("anchor");
    (earlier != anchor_path(log) && earlier.exists()).then_some(earlier)
}

#[must_use]
pub fn digest_path(sealed: &Path) -> PathBuf {
    appended(sealed, ".sha256")
}

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
