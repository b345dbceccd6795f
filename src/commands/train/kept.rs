//! The files that training writes, tried before anything is read: hours of work should not end at a folder that is not there.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use annals_learning::Keep;

use crate::errors::CliError;

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
pub fn check(out: Option<&Path>, keeps: &[Keep]) -> Result<(), CliError> {
    if let Some(out) = out {
        writable(out, "--out")?;
    }
    for keep in keeps {
        writable(&keep.path, "--checkpoint")?;
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
                    "annals: there is no checkpoint {}; what it was for begins anew",
                    keep.path.display()
                );
            }
            _ => {}
        }
    }
    Ok(())
}

fn writable(path: &Path, option: &str) -> Result<(), CliError> {
    try_to_write(path).map_err(|error| {
        let text = format!("{} cannot be written: {error}; nothing was read or trained", path.display());
        CliError::new(text)
            .hint(format!("name a file with {option} in a folder that is there and that you may write to"))
    })
}

/// Makes a file beside the place and removes it: what is at the place stays as it is.
fn try_to_write(path: &Path) -> io::Result<()> {
    if path.file_name().is_none() {
        return Err(ErrorKind::InvalidFilename.into());
    }
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let beside = path.with_file_name(format!(".annals-{}.tried", std::process::id()));
    File::create_new(&beside)?;
    fs::remove_file(beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_written_is_left_as_it_is_and_what_cannot_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.safetensors");
        try_to_write(&file).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        fs::write(&file, "kept").unwrap();
        try_to_write(&file).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
        for wrong in
            [folder.path().to_owned(), folder.path().join("none/model"), file.join("model"), "..".into()]
        {
            assert!(try_to_write(&wrong).is_err(), "{}", wrong.display());
        }
    }
}
