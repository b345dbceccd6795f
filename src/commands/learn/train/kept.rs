//! The files that training writes, tried before anything is read: hours of work should not end at a folder that is not there.

use std::path::PathBuf;

use annals_learning::Keep;

use crate::errors::CliError;
use crate::output_file::Staging;

/// The checkpoint in a file, where there is to be one.
pub fn keep(path: Option<PathBuf>, resume: bool) -> Result<Option<Keep>, CliError> {
    match path {
        Some(path) => Ok(Some(Keep::at(path, resume))),
        None if resume => {
            Err(CliError::new("--resume goes on from a checkpoint, and no file was named that has one")
                .hint("name the same --out or --checkpoint as before"))
        }
        None => Ok(None),
    }
}

/// Tries the files, refuses a checkpoint that nobody wants to go on from, and says where there is none to go on from.
pub fn check(keeps: &[Keep]) -> Result<(), CliError> {
    for keep in keeps {
        // A checkpoint is created, or overwritten as its training continues.
        Staging::begin(&keep.path, true).map_err(|error| {
            CliError::from(error).hint("name another file with --checkpoint; nothing was read or trained")
        })?;
        match (keep.resume, keep.path.exists()) {
            (false, true) => {
                let text =
                    format!("there is a checkpoint {} of a training that did not end", keep.path.display());
                return Err(
                    CliError::new(text).hint("go on from it with --resume, or delete it to begin anew")
                );
            }
            (true, false) => {
                eprintln!(
                    "note: there is no checkpoint {}; what it was for begins anew",
                    keep.path.display()
                );
            }
            _ => {}
        }
    }
    Ok(())
}
