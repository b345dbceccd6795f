//! Compares a file with its digest, and a log with another.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use annals_events::Hash;
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

use crate::connection;
use crate::fault::Fault;
use crate::names::digest_path;
use crate::open_error::OpenError;
use crate::outside::hash_at;
use crate::schema::SchemaDifference;
use crate::tail::last_seq;

/// With the length in bytes.
pub(crate) fn digest_of(path: &Path) -> io::Result<(Hash, u64)> {
    let mut file = File::open(path)?;
    let mut sha = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((Hash(sha.finalize().into()), bytes)),
            n => {
                sha.update(&buffer[..n]);
                bytes += n as u64;
            }
        }
    }
}

/// What is wrong with a sealed file by its digest, if it has one. No connection to the file may be open.
pub(crate) fn digest_problem(path: &Path) -> Option<String> {
    let stated = match std::fs::read_to_string(digest_path(path)) {
        Ok(stated) => stated,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => return Some(format!("the digest cannot be read: {error}")),
    };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match digest_of(path) {
        Ok((digest, _)) if stated == format!("{digest}  {name}\n") => None,
        Ok((digest, _)) => {
            let stated = stated.split_whitespace().next().unwrap_or_default();
            Some(format!("the file's SHA-256 is {digest}, but {stated} was noted when it was sealed"))
        }
        Err(error) => Some(format!("the file cannot be read: {error}")),
    }
}

/// The first event in which two logs differ; none if one begins with the other and the second is not longer. Equal
/// hashes mean equal beginnings, so bisection finds it.
pub(crate) fn first_difference(log: &Connection, other: &Connection) -> rusqlite::Result<Option<u64>> {
    let (last, other_last) = (last_seq(log)?, last_seq(other)?);
    let same = |seq: u64| Ok::<_, rusqlite::Error>(hash_at(log, seq)? == hash_at(other, seq)?);
    let common = last.min(other_last);
    if common == 0 || same(common)? {
        return Ok((other_last > last).then_some(last + 1));
    }
    let (mut equal, mut different) = (0, common);
    while different - equal > 1 {
        let middle = equal + (different - equal) / 2;
        if same(middle)? {
            equal = middle;
        } else {
            different = middle;
        }
    }
    Ok(Some(different))
}

/// Opens a log to read all of it, if it has a log's tables.
pub(crate) fn open_tables(path: &Path) -> Result<Connection, OpenError> {
    let connection = connection::open_bounded(path)?;
    let differences = connection::schema_differences(path, &connection)?;
    match differences.into_iter().find(SchemaDifference::is_of_a_table) {
        Some(difference) => Err(OpenError::Schema { path: path.to_owned(), difference }),
        None => Ok(connection),
    }
}

/// The first event in which a log differs from another, such as a backup; none if the other is its beginning.
///
/// # Errors
/// If one cannot be opened or read.
pub fn compare(log: &Path, other: &Path) -> Result<Option<u64>, OpenError> {
    let doing = "comparing two logs";
    let (first, second) = (open_tables(log)?, open_tables(other)?);
    first_difference(&first, &second).map_err(|e| Fault::sqlite(other, doing, &e).into())
}
