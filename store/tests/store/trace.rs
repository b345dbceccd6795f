//! What a process does to the files of one folder, in order, as it asks the kernel for it: every write with its bytes,
//! every sync, every name made, moved or removed, and every line that it says on its standard output. Recorded with
//! `ptrace`, from outside, so nothing in the program knows of it.
//!
//! A call that changes a file and is not understood here ends the test: what is not recorded cannot be tried. One of
//! the calls can be made to fail, or its process be killed at it. Several processes, one after the other, make one
//! recording: what the first one wrote and did not sync is not on the disk because the next one reads it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::child::let_go;

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
    folder: PathBuf,
    names: HashMap<String, usize>,
    lengths: Vec<u64>,
}

/// What a descriptor of the process stands for.
#[derive(Debug, Clone, Copy)]
enum Open {
    Folder,
    File {
        file: usize,
        at: u64,
        at_end: bool,
    },
    /// Of no concern: it is not in the folder, or only shared memory.
    Other,
}

struct Recorder<'t> {
    trace: &'t mut Trace,
    memory: File,
    open: HashMap<u64, Open>,
    /// Calls so far that change a file, sync it, or change a name.
    calls: usize,
    fail: Option<Failure>,
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

    /// Runs a child that waits (`wait …`), records what it does, and gives what it says; none where the system does
    /// not permit to trace.
    pub fn record(&mut self, mut command: Command, fail: Option<Failure>) -> Option<Vec<u8>> {
        let mut child = command.spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut ready = String::new();
        said.read_line(&mut ready).unwrap();
        assert_eq!(ready, "ready\n");
        let pid = Pid::from_raw(child.id().cast_signed());
        let options = ptrace::Options::PTRACE_O_TRACESYSGOOD | ptrace::Options::PTRACE_O_EXITKILL;
        match ptrace::seize(pid, options) {
            Ok(()) => {}
            Err(Errno::EPERM | Errno::ENOSYS | Errno::EACCES) => {
                child.kill().unwrap();
                child.wait().unwrap();
                return None;
            }
            Err(error) => panic!("tracing: {error}"),
        }
        ptrace::interrupt(pid).unwrap();
        let_go(&mut child);

        let memory = File::open(format!("/proc/{pid}/mem")).unwrap();
        let mut recorder = Recorder { trace: self, memory, open: HashMap::new(), calls: 0, fail };
        let mut entered: Option<(libc::user_regs_struct, Option<How>)> = None;
        loop {
            match waitpid(pid, Some(WaitPidFlag::__WALL)).unwrap() {
                WaitStatus::PtraceSyscall(_) => {
                    let now = ptrace::getregs(pid).unwrap();
                    match entered.take() {
                        None => {
                            let failure = recorder.before(&now);
                            match failure {
                                Some(How::Killed) => {
                                    child.kill().unwrap();
                                    continue;
                                }
                                // No such call: nothing is done.
                                Some(How::Fails(_)) => {
                                    ptrace::setregs(
                                        pid,
                                        libc::user_regs_struct { orig_rax: u64::MAX, ..now },
                                    )
                                    .unwrap();
                                }
                                None => {}
                            }
                            entered = Some((now, failure));
                        }
                        Some((_, Some(How::Fails(errno)))) => {
                            let rax = (-i64::from(errno as i32)).cast_unsigned();
                            ptrace::setregs(pid, libc::user_regs_struct { rax, ..now }).unwrap();
                        }
                        Some((call, _)) => recorder.after(&call, now.rax.cast_signed()),
                    }
                }
                WaitStatus::Stopped(_, signal) => {
                    ptrace::syscall(pid, signal).unwrap();
                    continue;
                }
                WaitStatus::Exited(..) | WaitStatus::Signaled(..) => break,
                _ => {}
            }
            ptrace::syscall(pid, None).unwrap();
        }
        let mut rest = Vec::new();
        said.read_to_end(&mut rest).unwrap();
        child.wait().ok();
        Some(rest)
    }
}

impl Recorder<'_> {
    fn bytes(&self, address: u64, length: u64) -> Vec<u8> {
        let mut bytes = vec![0; length as usize];
        self.memory.read_exact_at(&mut bytes, address).unwrap();
        bytes
    }

    /// The name in the folder that a path leads to; none when it leads elsewhere, the empty one for the folder itself.
    fn name(&self, address: u64) -> Option<String> {
        let mut path = Vec::new();
        while path.last() != Some(&0) {
            path.extend(self.bytes(address + path.len() as u64, 1));
        }
        path.pop();
        let path = PathBuf::from(String::from_utf8(path).unwrap());
        let inside = path.strip_prefix(&self.trace.folder).ok()?;
        Some(inside.to_str().unwrap().to_owned()).filter(|name| !name.ends_with("-shm"))
    }

    fn file_of(&self, descriptor: u64) -> Option<usize> {
        match self.open.get(&descriptor) {
            Some(Open::File { file, .. }) => Some(*file),
            _ => None,
        }
    }

    /// A call that begins: whether it does not come to its end.
    fn before(&mut self, call: &libc::user_regs_struct) -> Option<How> {
        let number = call.orig_rax.cast_signed();
        let unknown = [
            libc::SYS_pwritev,
            libc::SYS_pwritev2,
            libc::SYS_writev,
            libc::SYS_fallocate,
            libc::SYS_sync_file_range,
            libc::SYS_sendfile,
            libc::SYS_msync,
        ];
        assert!(
            !(unknown.contains(&number) && self.file_of(call.rdi).is_some()),
            "call {number} on a file of the log is not understood"
        );
        let other = [libc::SYS_truncate, libc::SYS_creat, libc::SYS_link, libc::SYS_io_uring_setup];
        assert!(!other.contains(&number), "call {number} is not understood");

        let is_known = |descriptor| !matches!(self.open.get(&descriptor), None | Some(Open::Other));
        let counts = match number {
            libc::SYS_write | libc::SYS_pwrite64 | libc::SYS_ftruncate => is_known(call.rdi),
            libc::SYS_fsync | libc::SYS_fdatasync => is_known(call.rdi),
            libc::SYS_copy_file_range => is_known(call.rdx),
            libc::SYS_rename | libc::SYS_unlink => self.name(call.rdi).is_some(),
            libc::SYS_renameat | libc::SYS_renameat2 | libc::SYS_unlinkat => self.name(call.rsi).is_some(),
            _ => false,
        };
        self.calls += usize::from(counts);
        let is_it = |fail: &Failure| counts && fail.call + 1 == self.calls;
        let how = self.fail.filter(is_it).map(|fail| fail.how);
        let is_sync = matches!(number, libc::SYS_fsync | libc::SYS_fdatasync);
        if let (Some(How::Fails(_)), true, Some(file)) = (how, is_sync, self.file_of(call.rdi)) {
            self.trace.ops.push(Op::SyncFailed { file });
        }
        how
    }

    /// A call that has ended, with its result.
    fn after(&mut self, call: &libc::user_regs_struct, result: i64) {
        if result < 0 {
            return;
        }
        let done = result.cast_unsigned();
        let (first, second, third) = (call.rdi, call.rsi, call.rdx);
        match call.orig_rax.cast_signed() {
            libc::SYS_openat => self.opened(second, third, done),
            libc::SYS_open => self.opened(first, second, done),
            libc::SYS_close => {
                self.open.remove(&first);
            }
            libc::SYS_dup => self.copied(first, done),
            libc::SYS_fcntl if [libc::F_DUPFD, libc::F_DUPFD_CLOEXEC].contains(&(second as i32)) => {
                self.copied(first, done);
            }
            libc::SYS_lseek => {
                if let Some(Open::File { at, .. }) = self.open.get_mut(&first) {
                    *at = done;
                }
            }
            libc::SYS_read => {
                if let Some(Open::File { at, .. }) = self.open.get_mut(&first) {
                    *at += done;
                }
            }
            libc::SYS_write if first == 1 => {
                let bytes = self.bytes(second, done);
                self.trace.ops.push(Op::Say { bytes });
            }
            libc::SYS_write => {
                if let Some(Open::File { file, at, at_end }) = self.open.get(&first).copied() {
                    let at = if at_end { self.trace.lengths[file] } else { at };
                    self.written(file, at, second, done);
                    self.open.insert(first, Open::File { file, at: at + done, at_end });
                }
            }
            libc::SYS_copy_file_range => {
                assert!(second == 0 && call.r10 == 0, "a copy that names its places is not understood");
                for descriptor in [first, third] {
                    let Some(Open::File { file, at, .. }) = self.open.get_mut(&descriptor) else { continue };
                    let (file, from) = (*file, *at);
                    *at += done;
                    if descriptor == third {
                        self.copied_into(file, from, done);
                    }
                }
            }
            libc::SYS_pwrite64 => {
                if let Some(file) = self.file_of(first) {
                    self.written(file, call.r10, second, done);
                }
            }
            libc::SYS_ftruncate => {
                if let Some(file) = self.file_of(first) {
                    self.trace.lengths[file] = second;
                    self.trace.ops.push(Op::Truncate { file, length: second });
                }
            }
            libc::SYS_fsync | libc::SYS_fdatasync => match self.open.get(&first) {
                Some(Open::File { file, .. }) => self.trace.ops.push(Op::Sync { file: *file }),
                Some(Open::Folder) => self.trace.ops.push(Op::SyncFolder),
                _ => {}
            },
            libc::SYS_rename => self.renamed(first, second),
            libc::SYS_renameat | libc::SYS_renameat2 => self.renamed(second, call.r10),
            libc::SYS_unlink => self.unlinked(first),
            libc::SYS_unlinkat => self.unlinked(second),
            _ => {}
        }
    }

    fn copied(&mut self, from: u64, to: u64) {
        if let Some(open) = self.open.get(&from).copied() {
            self.open.insert(to, open);
        }
    }

    fn opened(&mut self, path: u64, flags: u64, descriptor: u64) {
        let flags = flags as i32;
        let open = match self.name(path) {
            None => Open::Other,
            Some(name) if name.is_empty() => Open::Folder,
            Some(name) => {
                let file = match self.trace.names.get(&name) {
                    Some(file) => *file,
                    None => {
                        assert!(flags & libc::O_CREAT != 0, "{name} was opened, but is not known");
                        let file = self.trace.lengths.len();
                        self.trace.lengths.push(0);
                        self.trace.names.insert(name.clone(), file);
                        self.trace.ops.push(Op::Create { name, file });
                        file
                    }
                };
                if flags & libc::O_TRUNC != 0 {
                    self.trace.lengths[file] = 0;
                    self.trace.ops.push(Op::Truncate { file, length: 0 });
                }
                Open::File { file, at: 0, at_end: flags & libc::O_APPEND != 0 }
            }
        };
        self.open.insert(descriptor, open);
    }

    fn written(&mut self, file: usize, at: u64, address: u64, length: u64) {
        let bytes = self.bytes(address, length);
        self.trace.lengths[file] = self.trace.lengths[file].max(at + length);
        self.trace.ops.push(Op::Write { file, at, bytes });
    }

    /// Bytes that the kernel copied from another file.
    fn copied_into(&mut self, file: usize, at: u64, length: u64) {
        let name = self.trace.names.iter().find(|(_, known)| **known == file).unwrap().0;
        let mut bytes = vec![0; length as usize];
        let copy = File::open(self.trace.folder.join(name)).unwrap();
        copy.read_exact_at(&mut bytes, at).unwrap();
        self.trace.lengths[file] = self.trace.lengths[file].max(at + length);
        self.trace.ops.push(Op::Write { file, at, bytes });
    }

    fn renamed(&mut self, from: u64, to: u64) {
        if let (Some(from), Some(to)) = (self.name(from), self.name(to)) {
            let file = self.trace.names.remove(&from).unwrap();
            self.trace.names.insert(to.clone(), file);
            self.trace.ops.push(Op::Rename { from, to });
        }
    }

    fn unlinked(&mut self, path: u64) {
        if let Some(name) = self.name(path) {
            self.trace.names.remove(&name);
            self.trace.ops.push(Op::Unlink { name });
        }
    }
}
