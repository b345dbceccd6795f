//! A child process under `ptrace`: stopped at each of its calls to the kernel. What it does to the files of a folder goes
//! into a [`Trace`]; a call can be made to fail, or be its last. Where a child has a seed, it gets its random numbers from
//! that, so that it writes the same bytes each time.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command};

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::trace::{Failure, How, Op, Trace};
use crate::work::dice;

/// What a descriptor of the process stands for.
#[derive(Debug, Clone, Copy)]
enum Open {
    Folder,
    File {
        file: usize,
        at: u64,
        at_end: bool,
    },
    Random,
    /// Of no concern: it is not in the folder, or only shared memory.
    Other,
}

/// Where a process is after it was let on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// At the beginning or the end of a call to the kernel.
    Working,
    /// It sleeps until another process has done something. Where it has a seed, no time goes by.
    Sleeping,
    /// It waits for a line.
    Idle,
    Ended,
}

pub struct Process {
    child: Child,
    pid: Pid,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    memory: File,
    open: HashMap<u64, Open>,
    /// The call in which it is, and the result that it gets instead of being made.
    entered: Option<(libc::user_regs_struct, Option<i64>)>,
    /// Calls so far that change a file, sync it, or change a name, since it was asked for something.
    calls: usize,
    fail: Option<Failure>,
    /// Whether a call was made to fail.
    pub has_failed: bool,
    /// Whether it has read a line since then.
    has_read: bool,
    /// Of its random numbers, and how many it has had.
    seed: Option<(u64, u64)>,
}

impl Process {
    /// Starts a child that waits (`wait …`); none where the system does not permit to trace.
    pub fn start(mut command: Command) -> Option<Process> {
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut ready = String::new();
        output.read_line(&mut ready).unwrap();
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
        waitpid(pid, Some(WaitPidFlag::__WALL)).unwrap();
        let memory = File::options().read(true).write(true).open(format!("/proc/{pid}/mem")).unwrap();
        let input = child.stdin.take();
        Some(Process {
            child,
            pid,
            input,
            output,
            memory,
            open: HashMap::new(),
            entered: None,
            calls: 0,
            fail: None,
            has_failed: false,
            has_read: false,
            seed: None,
        })
    }

    /// The same, with random numbers from a seed.
    pub fn seeded(command: Command, seed: u64) -> Option<Process> {
        let mut process = Process::start(command)?;
        process.seed = Some((seed, 0));
        Some(process)
    }

    /// Lets it go, and records what it does; what it says in all.
    pub fn run_to_its_end(mut self, trace: &mut Trace, fail: Option<Failure>) -> Vec<u8> {
        self.fail = fail;
        // Dropped: there is nothing more to read.
        let _ = self.input.take().map(|mut input| input.write_all(b"go\n"));
        while self.go_on(trace) != Progress::Ended {}
        self.rest()
    }

    /// What else it said before its end.
    pub fn rest(mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        self.output.read_to_end(&mut rest).unwrap();
        self.child.wait().ok();
        rest
    }

    /// Asks it for something, in a line, and records what it does. Its answer, in a line; none when it was killed.
    pub fn ask(&mut self, trace: &mut Trace, line: &str, fail: Option<Failure>) -> Option<String> {
        self.begin(line, fail);
        loop {
            match self.go_on(trace) {
                Progress::Working | Progress::Sleeping => {}
                Progress::Idle => return Some(self.answer()),
                Progress::Ended => return None,
            }
        }
    }

    /// Asks it for something, which it does as it is let on.
    pub fn begin(&mut self, line: &str, fail: Option<Failure>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).and_then(|()| input.write_all(b"\n")).unwrap();
        (self.calls, self.fail, self.has_read) = (0, fail, false);
    }

    /// The line that it answered.
    pub fn answer(&mut self) -> String {
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        answer.trim_end().to_owned()
    }

    /// Lets it on, to the beginning of its next call or the end of this one, and records what it did.
    pub fn go_on(&mut self, trace: &mut Trace) -> Progress {
        let pid = self.pid;
        ptrace::syscall(pid, None).unwrap();
        loop {
            match waitpid(pid, Some(WaitPidFlag::__WALL)).unwrap() {
                WaitStatus::PtraceSyscall(_) => {}
                WaitStatus::Stopped(_, signal) => {
                    ptrace::syscall(pid, signal).unwrap();
                    continue;
                }
                WaitStatus::Exited(..) | WaitStatus::Signaled(..) => return Progress::Ended,
                _ => {
                    ptrace::syscall(pid, None).unwrap();
                    continue;
                }
            }
            let now = ptrace::getregs(pid).unwrap();
            match self.entered.take() {
                None => {
                    let sleeps = self.seed.is_some() && is_sleeping(&now);
                    let instead = match self.before(trace, &now) {
                        Some(How::Killed) => {
                            self.child.kill().unwrap();
                            continue;
                        }
                        Some(How::Fails(errno) | How::Stays(errno)) => Some(-i64::from(errno as i32)),
                        None => sleeps.then_some(0),
                    };
                    if instead.is_some() {
                        // No such call: nothing is done.
                        let nothing = libc::user_regs_struct { orig_rax: u64::MAX, ..now };
                        ptrace::setregs(pid, nothing).unwrap();
                    }
                    self.entered = Some((now, instead));
                    if sleeps {
                        return Progress::Sleeping;
                    }
                    if is_reading(&now) && self.has_read {
                        return Progress::Idle;
                    }
                }
                Some((_, Some(result))) => {
                    let rax = result.cast_unsigned();
                    ptrace::setregs(pid, libc::user_regs_struct { rax, ..now }).unwrap();
                }
                Some((call, None)) => {
                    self.has_read |= is_reading(&call);
                    self.after(trace, &call, now.rax.cast_signed());
                }
            }
            return Progress::Working;
        }
    }

    fn bytes(&self, address: u64, length: u64) -> Vec<u8> {
        let mut bytes = vec![0; length as usize];
        self.memory.read_exact_at(&mut bytes, address).unwrap();
        bytes
    }

    fn path(&self, address: u64) -> PathBuf {
        let mut path = Vec::new();
        loop {
            // A path does not cross into a page that is not there.
            let from = address + path.len() as u64;
            let piece = self.bytes(from, 4096 - from % 4096);
            match piece.iter().position(|byte| *byte == 0) {
                Some(end) => {
                    path.extend(&piece[..end]);
                    return PathBuf::from(String::from_utf8(path).unwrap());
                }
                None => path.extend(piece),
            }
        }
    }

    /// The name in the folder that a path leads to; none when it leads elsewhere, the empty one for the folder itself.
    fn name(&self, trace: &Trace, address: u64) -> Option<String> {
        let path = self.path(address);
        let inside = path.strip_prefix(&trace.folder).ok()?;
        Some(inside.to_str().unwrap().to_owned()).filter(|name| !name.ends_with("-shm"))
    }

    fn file_of(&self, descriptor: u64) -> Option<usize> {
        match self.open.get(&descriptor) {
            Some(Open::File { file, .. }) => Some(*file),
            _ => None,
        }
    }

    /// A call that begins: whether it does not come to its end.
    fn before(&mut self, trace: &mut Trace, call: &libc::user_regs_struct) -> Option<How> {
        let number = call.orig_rax.cast_signed();
        let unknown = [
            libc::SYS_pwritev,
            libc::SYS_pwritev2,
            libc::SYS_writev,
            libc::SYS_fallocate,
            libc::SYS_sync_file_range,
            libc::SYS_msync,
        ];
        assert!(
            !(unknown.contains(&number) && self.file_of(call.rdi).is_some()),
            "call {number} on a file of the log is not understood"
        );
        let other = [libc::SYS_truncate, libc::SYS_creat, libc::SYS_link, libc::SYS_io_uring_setup];
        assert!(!other.contains(&number), "call {number} is not understood");

        let is_known =
            |descriptor| matches!(self.open.get(&descriptor), Some(Open::Folder | Open::File { .. }));
        let counts = match number {
            libc::SYS_write | libc::SYS_pwrite64 | libc::SYS_ftruncate | libc::SYS_sendfile => {
                is_known(call.rdi)
            }
            libc::SYS_copy_file_range => is_known(call.rdx),
            libc::SYS_fsync | libc::SYS_fdatasync => is_known(call.rdi),
            libc::SYS_rename | libc::SYS_unlink => self.name(trace, call.rdi).is_some(),
            libc::SYS_renameat | libc::SYS_renameat2 | libc::SYS_unlinkat => {
                self.name(trace, call.rsi).is_some()
            }
            _ => false,
        };
        self.calls += usize::from(counts);
        let is_it = |fail: &Failure| {
            let is_after = matches!(fail.how, How::Stays(_)) && fail.call < self.calls;
            counts && (is_after || fail.call + 1 == self.calls)
        };
        let how = self.fail.filter(is_it).map(|fail| fail.how);
        self.has_failed |= how.is_some();
        let is_sync = matches!(number, libc::SYS_fsync | libc::SYS_fdatasync);
        if let (Some(How::Fails(_) | How::Stays(_)), true, Some(file)) =
            (how, is_sync, self.file_of(call.rdi))
        {
            trace.ops.push(Op::SyncFailed { file });
        }
        how
    }

    /// A call that has ended, with its result.
    fn after(&mut self, trace: &mut Trace, call: &libc::user_regs_struct, result: i64) {
        if result < 0 {
            return;
        }
        let done = result.cast_unsigned();
        let (first, second, third) = (call.rdi, call.rsi, call.rdx);
        match call.orig_rax.cast_signed() {
            libc::SYS_openat => self.opened(trace, second, third, done),
            libc::SYS_open => self.opened(trace, first, second, done),
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
            libc::SYS_getrandom => self.give_random(first, done),
            // One processor, so one thread: the order of several would be the kernel's.
            libc::SYS_sched_getaffinity if self.seed.is_some() => {
                let mut processors = vec![0; done as usize];
                processors[0] = 1;
                self.memory.write_all_at(&processors, third).unwrap();
            }
            libc::SYS_read => match self.open.get_mut(&first) {
                Some(Open::File { at, .. }) => *at += done,
                Some(Open::Random) => self.give_random(second, done),
                _ => {}
            },
            libc::SYS_write if first == 1 => {
                let bytes = self.bytes(second, done);
                trace.ops.push(Op::Say { bytes });
            }
            libc::SYS_write => {
                let bytes = self.bytes(second, done);
                self.written_on(trace, first, bytes);
            }
            libc::SYS_sendfile => self.copied_into(trace, first, done),
            libc::SYS_copy_file_range => self.copied_into(trace, third, done),
            libc::SYS_pwrite64 => {
                if let Some(file) = self.file_of(first) {
                    let bytes = self.bytes(second, done);
                    written(trace, file, call.r10, bytes);
                }
            }
            libc::SYS_ftruncate => {
                if let Some(file) = self.file_of(first) {
                    trace.lengths[file] = second;
                    trace.ops.push(Op::Truncate { file, length: second });
                }
            }
            libc::SYS_fsync | libc::SYS_fdatasync => match self.open.get(&first) {
                Some(Open::File { file, .. }) => trace.ops.push(Op::Sync { file: *file }),
                Some(Open::Folder) => trace.ops.push(Op::SyncFolder),
                _ => {}
            },
            libc::SYS_rename => self.renamed(trace, first, second),
            libc::SYS_renameat | libc::SYS_renameat2 => self.renamed(trace, second, call.r10),
            libc::SYS_unlink => self.unlinked(trace, first),
            libc::SYS_unlinkat => self.unlinked(trace, second),
            _ => {}
        }
    }

    /// Puts numbers of the seed in the place of those that the kernel gave.
    fn give_random(&mut self, address: u64, length: u64) {
        let Some((seed, given)) = &mut self.seed else { return };
        let mut bytes = Vec::new();
        while bytes.len() < length as usize {
            *given += 1;
            bytes.extend(dice(&[50, *seed, *given]).to_be_bytes());
        }
        self.memory.write_all_at(&bytes[..length as usize], address).unwrap();
    }

    fn copied(&mut self, from: u64, to: u64) {
        if let Some(open) = self.open.get(&from).copied() {
            self.open.insert(to, open);
        }
    }

    fn opened(&mut self, trace: &mut Trace, path: u64, flags: u64, descriptor: u64) {
        let flags = flags as i32;
        let open = match self.name(trace, path) {
            None if self.path(path).ends_with("dev/urandom") => Open::Random,
            None => Open::Other,
            Some(name) if name.is_empty() => Open::Folder,
            Some(name) => {
                let file = match trace.names.get(&name) {
                    Some(file) => *file,
                    None => {
                        assert!(flags & libc::O_CREAT != 0, "{name} was opened, but is not known");
                        trace.named(name)
                    }
                };
                if flags & libc::O_TRUNC != 0 {
                    trace.lengths[file] = 0;
                    trace.ops.push(Op::Truncate { file, length: 0 });
                }
                Open::File { file, at: 0, at_end: flags & libc::O_APPEND != 0 }
            }
        };
        self.open.insert(descriptor, open);
    }

    /// Bytes written at the place where the descriptor is.
    fn written_on(&mut self, trace: &mut Trace, descriptor: u64, bytes: Vec<u8>) {
        if let Some(Open::File { file, at, at_end }) = self.open.get(&descriptor).copied() {
            let at = if at_end { trace.lengths[file] } else { at };
            self.open.insert(descriptor, Open::File { file, at: at + bytes.len() as u64, at_end });
            written(trace, file, at, bytes);
        }
    }

    /// The kernel itself copied bytes into a file: they are read from there.
    fn copied_into(&mut self, trace: &mut Trace, descriptor: u64, length: u64) {
        let Some(Open::File { at, .. }) = self.open.get(&descriptor).copied() else { return };
        let file = File::open(format!("/proc/{}/fd/{descriptor}", self.pid)).unwrap();
        let mut bytes = vec![0; length as usize];
        file.read_exact_at(&mut bytes, at).unwrap();
        self.written_on(trace, descriptor, bytes);
    }

    fn renamed(&mut self, trace: &mut Trace, from: u64, to: u64) {
        if let (Some(from), Some(to)) = (self.name(trace, from), self.name(trace, to)) {
            let file = trace.names.remove(&from).unwrap();
            trace.names.insert(to.clone(), file);
            trace.ops.push(Op::Rename { from, to });
        }
    }

    fn unlinked(&mut self, trace: &mut Trace, path: u64) {
        if let Some(name) = self.name(trace, path) {
            trace.names.remove(&name);
            trace.ops.push(Op::Unlink { name });
        }
    }
}

/// Whether a call reads from standard input.
fn is_reading(call: &libc::user_regs_struct) -> bool {
    call.orig_rax.cast_signed() == libc::SYS_read && call.rdi == 0
}

fn is_sleeping(call: &libc::user_regs_struct) -> bool {
    [libc::SYS_nanosleep, libc::SYS_clock_nanosleep].contains(&call.orig_rax.cast_signed())
}

fn written(trace: &mut Trace, file: usize, at: u64, bytes: Vec<u8>) {
    trace.lengths[file] = trace.lengths[file].max(at + bytes.len() as u64);
    trace.ops.push(Op::Write { file, at, bytes });
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
