//! Games of ours as an archive in the gameroom's format: rows out of events, and the file that they go into. A file gets its name
//! when it is whole; until then it lies beside it as `NAME.part`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use annals_events::{GameEvent, Micros};
use annals_ingest::archive_row::{RowError, Transcript, push_game, push_header};

use crate::errors::CliError;

/// Rows of an archive, made out of games.
pub struct Rows {
    first_id: u64,
    mode: &'static str,
    row: Vec<u8>,
    transcript: Transcript,
}

impl Rows {
    /// Rows whose first game has this number, and whose column `mode` says this.
    pub fn new(first_id: u64, mode: &'static str) -> Rows {
        Rows { first_id, mode, row: Vec::new(), transcript: Transcript::default() }
    }

    /// The header line.
    pub fn header(&mut self) -> &[u8] {
        self.row.clear();
        push_header(&mut self.row);
        &self.row
    }

    /// The row of the game that is the so-manieth from 0.
    pub fn of(&mut self, game: u64, events: &[(Micros, GameEvent<'static>)]) -> Result<&[u8], RowError> {
        let events: Vec<(Option<Micros>, GameEvent<'_>)> =
            events.iter().map(|(at, event)| (Some(*at), event.clone())).collect();
        self.row.clear();
        push_game(
            &mut self.row,
            &mut self.transcript,
            self.first_id.saturating_add(game),
            self.mode,
            &events,
        )?;
        Ok(&self.row)
    }
}

/// A file that is being written. Where it is not finished, nothing is left of it.
pub struct ArchiveFile {
    path: PathBuf,
    part: PathBuf,
    out: Option<BufWriter<File>>,
}

impl ArchiveFile {
    /// Begins a file. One that is there is left as it is, unless it may be written over.
    pub fn create(path: &Path, force: bool) -> Result<ArchiveFile, CliError> {
        if path.exists() && !force {
            return Err(CliError::new(format!("{} is there already, and is left as it is", path.display()))
                .hint("name another file, or write over it with --force"));
        }
        let part = PathBuf::from(format!("{}.part", path.display()));
        let file = File::create(&part).map_err(|error| cannot(path, &error))?;
        let out = Some(BufWriter::with_capacity(1 << 20, file));
        Ok(ArchiveFile { path: path.to_owned(), part, out })
    }

    /// Gives the file its name, now that it is whole.
    pub fn finish(mut self) -> Result<(), CliError> {
        let finished = match self.out.take() {
            Some(out) => out
                .into_inner()
                .map_err(|error| error.into_error())
                .and_then(|file| file.sync_all())
                .and_then(|()| std::fs::rename(&self.part, &self.path)),
            None => Ok(()),
        };
        finished.map_err(|error| {
            // What is there of it is no archive; that it could not be taken away is the lesser evil.
            let _ = std::fs::remove_file(&self.part);
            cannot(&self.path, &error)
        })
    }
}

fn cannot(path: &Path, error: &io::Error) -> CliError {
    CliError::new(format!("cannot write {}: {error}", path.display())).hint("name another file")
}

impl Write for ArchiveFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Some(out) => out.write(bytes),
            None => Err(io::Error::other("the archive is finished")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for ArchiveFile {
    fn drop(&mut self) {
        if self.out.take().is_some() {
            let _ = std::fs::remove_file(&self.part);
        }
    }
}
