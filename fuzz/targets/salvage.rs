//! Salvage of a damaged database or write-ahead log next to the true anchor: only true events are written. The first byte
//! chooses the file, and whether the rest is the file itself or changes of the true one.
#![no_main]

use std::collections::HashSet;
use std::fs;
use std::sync::LazyLock;

use annals_fuzz::known_log::{KnownLog, folder};
use annals_store::{anchor_path, salvage, wal_path};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

static LOG: LazyLock<KnownLog> = LazyLock::new(KnownLog::create);
static LINES: LazyLock<HashSet<String>> =
    LazyLock::new(|| LOG.lines().iter().map(|line| without_clock(line.trim_end())).collect());
static TRUE_FILES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| [LOG.database(), LOG.write_ahead_log()]);
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = folder();
    fs::write(anchor_path(&folder.path().join("log.db")), LOG.anchor()).unwrap();
    folder
});

/// Only the first event states the kind of clock, and it may be lost.
fn without_clock(line: &str) -> String {
    line.replace("\"clock\":\"simulated\",", "")
}

/// Changes: three bytes of place, one of length, and the new bytes; without a length the file ends there.
fn changed(file: &[u8], mut changes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    while let [high, middle, low, length, rest @ ..] = changes {
        let place = u32::from_be_bytes([0, *high, *middle, *low]) as usize % (file.len() + 1);
        let (new, rest) = rest.split_at(usize::from(length % 16).min(rest.len()));
        if new.is_empty() {
            file.truncate(place);
        }
        for (byte, new) in file.iter_mut().skip(place).zip(new) {
            *byte = *new;
        }
        changes = rest;
    }
    file
}

fuzz_target!(|data: &[u8]| {
    let [form, rest @ ..] = data else { return };
    let which = usize::from(form % 2);
    let bytes = if form / 2 % 2 == 0 { changed(&TRUE_FILES[which], rest) } else { rest.to_vec() };
    let path = FOLDER.path().join("log.db");
    let (file, other) =
        if which == 0 { (path.clone(), wal_path(&path)) } else { (wal_path(&path), path.clone()) };
    let _ = fs::remove_file(&other);
    let _ = fs::remove_file(FOLDER.path().join("log.db-shm"));
    fs::write(&file, bytes).unwrap();
    let mut out = Vec::new();
    let salvaged = salvage(&path, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!(out.lines().count() as u64, salvaged.written);
    for line in out.lines() {
        assert!(LINES.contains(&without_clock(line)), "{line}");
    }
});
