//! The shared files that the rules are checked against: the vectors of games with known counts, and the real
//! archive. `ANNALS_ARCHIVE` names the folder of the archive, and the vectors lie in the folder `vectors` beside
//! it. Where they are missing a test says so and passes, except under `CI=true`.

use std::path::PathBuf;

/// Whether the long runs were asked for (`ANNALS_LONG=1`).
pub fn long() -> bool {
    std::env::var_os("ANNALS_LONG").is_some_and(|value| value == "1")
}

/// A number of inputs: the few of every day, or the many of a long run.
pub fn cases(short: u32, long_run: u32) -> u32 {
    if long() { long_run } else { short }
}

fn archive_folder() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    match std::env::var_os("ANNALS_ARCHIVE") {
        Some(folder) => root.join(folder),
        None => root.join("../shared/data/archive"),
    }
}

fn read(path: PathBuf) -> Option<String> {
    match std::fs::read(&path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => {
            let ci = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!ci, "{} cannot be read: {error}", path.display());
            eprintln!("skipped: {} cannot be read ({error}); set ANNALS_ARCHIVE", path.display());
            None
        }
    }
}

/// A file of the archive.
pub fn archive(name: &str) -> Option<String> {
    read(archive_folder().join(name))
}

/// A file of the vectors.
pub fn vector(name: &str) -> Option<String> {
    read(archive_folder().join("../vectors").join(name))
}

/// A column of an archive file, row by row, with the game's id.
pub fn column<'a>(text: &'a str, name: &str) -> Vec<(&'a str, &'a str)> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let find = |name: &str| header.iter().position(|column| *column == name).expect("the column exists");
    let (id, wanted) = (find("id"), find(name));
    lines
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|row| row.len() == header.len())
        .map(|row| (row[id], row[wanted]))
        .collect()
}
