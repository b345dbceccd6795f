//! What processes do to the files of one folder, in order, as they ask the kernel for it: every write with its bytes,
//! every sync, every name made, moved or removed, and every line that they say on their standard output. Recorded with
//! `ptrace`, from outside, so nothing in the program knows of it (see `process.rs`).
//!
//! A call that changes a file and is not understood there ends the test: what is not recorded cannot be tried. One of
//! the calls can be made to fail, or its process be killed at it. Several processes, one after the other, make one
//! recording: what the first one wrote and did not sync is not on the disk because the next one reads it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::errno::Errno;

use crate::process::Process;

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// A name was given to a new, empty file.
    Create { name: String, file: usize },
    /// Bytes were written.
    Write { file: usize, at: u64, bytes: Vec<u8> },
    /// The length was set.
    Truncate { file: usize, length: u64 },
    /// Everything written to the file until now is on the disk.
    Sync { file: usize },
    /// Nobody knows what of the file is on the disk, and no later sync writes what was written until now.
    SyncFailed { file: usize },
    /// A file got another name.
    Rename { from: String, to: String },
    /// A name was removed.
    Unlink { name: String },
    /// Every name made, moved or removed until now is on the disk.
    SyncFolder,
    /// Something was said to the world.
    Say { bytes: Vec<u8> },
}

/// A recording of a folder, and what was in it before, which counts as synced.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Names and contents, the files numbered as they stand here.
    pub before: Vec<(String, Vec<u8>)>,
    pub ops: Vec<Op>,
    pub folder: PathBuf,
    pub names: HashMap<String, usize>,
    pub lengths: Vec<u64>,
}

/// A call that does not come to its end.
#[derive(Debug, Clone, Copy)]
pub struct Failure {
    /// Which of the calls that change a file, sync it, or change a name, from 0.
    pub call: usize,
    pub how: How,
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy)]
pub enum How {
    /// The kernel says this instead, as for a disk that is broken or full.
    Fails(Errno),
    /// The same, and so says every later call of the process until it is asked for something else.
    Stays(Errno),
    /// The process is killed before the call does anything.
    Killed,
}

impl Trace {
    /// A recording that begins with what is in a folder.
    pub fn of(folder: &Path) -> Trace {
        let mut before: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
            .filter(|(name, _)| !name.ends_with("-shm"))
            .collect();
        before.sort();
        let names = before.iter().enumerate().map(|(file, (name, _))| (name.clone(), file)).collect();
        let lengths = before.iter().map(|(_, bytes)| bytes.len() as u64).collect();
        Trace { before, ops: Vec::new(), folder: folder.to_owned(), names, lengths }
    }

    /// The folder is as it is now, because something other than a traced process changed it, and all of it is on the disk.
    pub fn refresh(&mut self) {
        let now = Trace::of(&self.folder).before;
        for name in self.names.keys().cloned().collect::<Vec<_>>() {
            if !now.iter().any(|(found, _)| *found == name) {
                self.names.remove(&name);
                self.ops.push(Op::Unlink { name });
            }
        }
        for (name, bytes) in now {
            let file = self.names.get(&name).copied().unwrap_or_else(|| self.named(name));
            self.lengths[file] = bytes.len() as u64;
            self.ops.push(Op::Truncate { file, length: 0 });
            self.ops.push(Op::Write { file, at: 0, bytes });
            self.ops.push(Op::Sync { file });
        }
        self.ops.push(Op::SyncFolder);
    }

    /// Gives a name to a new, empty file.
    pub fn named(&mut self, name: String) -> usize {
        let file = self.lengths.len();
        self.lengths.push(0);
        self.names.insert(name.clone(), file);
        self.ops.push(Op::Create { name, file });
        file
    }

    /// Runs a child that waits (`wait …`), records what it does, and gives what it says; none where the system does
    /// not permit to trace.
    pub fn record(&mut self, command: Command, fail: Option<Failure>) -> Option<Vec<u8>> {
        Some(Process::start(command)?.run_to_its_end(self, fail))
    }
}
