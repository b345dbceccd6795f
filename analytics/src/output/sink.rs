//! Where output goes: standard output, or a file that appears under its name only when it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::Error;

/// An opened output.
pub struct Sink {
    target: Target,
}

enum Target {
    Stdout(BufWriter<io::Stdout>),
    File { file: BufWriter<File>, partial: PathBuf, path: PathBuf, done: bool },
}

impl Sink {
    /// Standard output.
    #[must_use]
    pub fn stdout() -> Sink {
        Sink { target: Target::Stdout(BufWriter::with_capacity(1 << 16, io::stdout())) }
    }

    /// A file. It is written beside its name, with `.partial` added, and renamed by [`finish`](Sink::finish).
    ///
    /// # Errors
    /// Where the file cannot be made.
    pub fn file(path: &Path) -> Result<Sink, Error> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let partial = path.with_file_name(name);
        let file = File::create(&partial)
            .map_err(|e| Error::io(format!("make the file {}", partial.display()), e))?;
        let file = BufWriter::with_capacity(1 << 16, file);
        Ok(Sink { target: Target::File { file, partial, path: path.to_owned(), done: false } })
    }

    /// Ends the output: everything is written, and a file has its name.
    ///
    /// # Errors
    /// Where the last bytes cannot be written or the file cannot be renamed.
    pub fn finish(mut self) -> Result<(), Error> {
        match &mut self.target {
            Target::Stdout(out) => out.flush().map_err(|e| Error::io("write the answer", e)),
            Target::File { file, partial, path, done } => {
                let doing = || format!("write {}", path.display());
                file.flush().map_err(|e| Error::io(doing(), e))?;
                fs::rename(&*partial, &*path).map_err(|e| Error::io(doing(), e))?;
                *done = true;
                Ok(())
            }
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Stdout(out) => out.write(bytes),
            Target::File { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Stdout(out) => out.flush(),
            Target::File { file, .. } => file.flush(),
        }
    }
}

impl Drop for Sink {
    /// An output that was not finished leaves nothing behind.
    fn drop(&mut self) {
        if let Target::File { partial, done: false, .. } = &self.target {
            let _ = fs::remove_file(partial);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_when_it_is_whole_and_not_before() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answer.csv");
        let mut sink = Sink::file(&path).unwrap();
        sink.write_all(b"a\n").unwrap();
        assert!(!path.exists());
        sink.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a\n");
        drop(Sink::file(&dir.path().join("broken")).unwrap());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "a broken-off output leaves nothing");
    }
}
