//! The files that training writes. They are tried before anything is read, so that no training ends at a missing directory.

use std::path::PathBuf;

use annals_learning::Keep;

use crate::errors::CliError;
use crate::output_file::Staging;

/// The checkpoint in a file, if one is named.
pub fn keep(path: Option<PathBuf>, resume: bool) -> Result<Option<Keep>, CliError> {
    match path {
        Some(path) => Ok(Some(Keep::at(path, resume))),
        None if resume => {
            Err(CliError::new("--resume continues from a checkpoint, and no option names its file")
                .hint("name the same --output or --checkpoint as before"))
        }
        None => Ok(None),
    }
}

/// Tries the files, refuses a checkpoint without `--resume`, and notes a missing one.
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
                    CliError::new(text).hint("continue from it with --resume, or delete it to start again")
                );
            }
            (true, false) => {
                eprintln!("note: there is no checkpoint {}; its training starts again", keep.path.display());
            }
            _ => {}
        }
    }
    Ok(())
}
