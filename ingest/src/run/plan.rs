//! The work of an ingest: stored files are skipped, and the completed part of an interrupted ingest is resumed, both by
//! digest, not by time.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::error::IngestError;
use crate::manifest::Manifest;
use crate::source::SourceFile;
use crate::write::{FinishedInput, Journal, Staging};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToRead {
    pub file: SourceFile,
    /// BLAKE3 of the file, if already computed.
    pub digest: Option<String>,
    /// Completed sources, which are skipped.
    pub finished: u32,
}

#[derive(Debug, Default)]
pub struct Plan {
    /// Stored and unchanged.
    pub unchanged: Vec<SourceFile>,
    /// Completed by an interrupted ingest.
    pub resumed: Vec<FinishedInput>,
    pub to_read: Vec<ToRead>,
}

/// Makes the plan. `tick` gets the number of digested bytes and may stop.
///
/// # Errors
/// If it was stopped.
pub fn plan(
    files: Vec<SourceFile>,
    manifest: &Manifest,
    journal: Option<Journal>,
    staging: &Staging,
    tick: &mut dyn FnMut(u64) -> Result<(), IngestError>,
) -> Result<Plan, IngestError> {
    let known: HashSet<&str> = manifest.inputs.iter().map(|input| input.digest.as_str()).collect();
    let sizes: HashSet<u64> = manifest.inputs.iter().map(|input| input.bytes).collect();
    let mut plan = Plan::default();
    let mut journal = journal.unwrap_or_default().inputs.into_iter().peekable();
    let mut resuming = true;
    for file in files {
        // Plain texts are digested while read, packed files before; a file with a known size to compare it.
        let packed = !file.path.extension().is_some_and(|e| e.eq_ignore_ascii_case("txt"));
        let in_journal = journal.peek().is_some_and(|input| input.entry.name == file.name);
        let wanted = packed || sizes.contains(&file.bytes) || in_journal;
        let digest = if wanted { digest(&file.path, tick)? } else { None };
        if digest.as_deref().is_some_and(|digest| known.contains(digest)) {
            plan.unchanged.push(file);
            continue;
        }
        let mut finished = 0;
        if resuming {
            match journal.next() {
                Some(input)
                    if !input.sources.is_empty()
                        && input.entry.name == file.name
                        && Some(&input.entry.digest) == digest.as_ref()
                        && input
                            .sources
                            .iter()
                            .flat_map(|source| &source.files)
                            .all(|f| staging.recover(f)) =>
                {
                    let whole = input.whole;
                    finished = input.sources.len() as u32;
                    plan.resumed.push(input);
                    if whole {
                        continue;
                    }
                    resuming = false;
                }
                _ => resuming = false,
            }
        }
        plan.to_read.push(ToRead { file, digest, finished });
    }
    Ok(plan)
}

/// BLAKE3 of a file in hexadecimal; none if it cannot be read.
///
/// # Errors
/// If `tick` stops it.
pub fn digest(
    path: &Path,
    tick: &mut dyn FnMut(u64) -> Result<(), IngestError>,
) -> Result<Option<String>, IngestError> {
    let Ok(mut file) = File::open(path) else { return Ok(None) };
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(Some(hasher.finalize().to_hex().to_string())),
            Ok(read) => {
                hasher.update(&buffer[..read]);
                tick(read as u64)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Ok(None),
        }
    }
}
