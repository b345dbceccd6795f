//! Small files of JSON that are replaced as a whole, and synced.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fault::{Fault, FaultKind, sync_folder_of};
use crate::names::appended;

const MAX_FILE: u64 = 64 << 20;

/// The default without a file.
pub(super) fn read<T: DeserializeOwned + Default>(path: &Path, doing: &'static str) -> Result<T, Fault> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(T::default()),
        Err(error) => return Err(Fault::io(path, doing, &error)),
    };
    let mut text = String::new();
    file.take(MAX_FILE).read_to_string(&mut text).map_err(|error| Fault::io(path, doing, &error))?;
    serde_json::from_str(&text)
        .map_err(|error| Fault::new(FaultKind::Damaged, path, doing, error.to_string()))
}

pub(super) fn write<T: Serialize>(path: &Path, value: &T, doing: &'static str) -> Result<(), Fault> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Fault::new(FaultKind::Other, path, doing, error.to_string()))?;
    let new = appended(path, ".new");
    let fault = |error: std::io::Error| Fault::io(&new, doing, &error);
    let mut file = File::create(&new).map_err(fault)?;
    file.write_all(text.as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(fault)?;
    file.sync_all().map_err(|error| Fault::sync(&new, doing, &error))?;
    std::fs::rename(&new, path).map_err(|error| Fault::io(path, doing, &error))?;
    sync_folder_of(path)
}

/// Locks a file until the returned one is dropped.
pub(super) fn lock(path: &Path, doing: &'static str) -> Result<File, Fault> {
    let file = File::open(path).map_err(|error| Fault::io(path, doing, &error))?;
    file.lock().map_err(|error| Fault::io(path, doing, &error))?;
    Ok(file)
}
