//! The running programs, so that any thread can end all of them at once, as when this program itself has to end
//! without returning to them.

use std::io;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// The running programs. Copies share them.
#[derive(Debug, Clone, Default)]
pub struct Running(Arc<Mutex<Groups>>);

#[derive(Debug, Default)]
struct Groups {
    /// The process groups of programs that are not reaped yet, so that their ids are not reused.
    led: Vec<Pid>,
    over: bool,
}

impl Running {
    /// Ends all of them with their child processes, and prevents further starts.
    pub fn end_all(&self) {
        let mut groups = self.groups();
        groups.over = true;
        for group in &groups.led {
            let _ = killpg(*group, Signal::SIGKILL);
        }
    }

    /// Starts a program that leads a group of its own.
    pub(super) fn start(&self, command: &mut Command) -> io::Result<(Child, Option<Pid>)> {
        // Locked during the start: a program must not start unregistered after the others were ended.
        let mut groups = self.groups();
        if groups.over {
            return Err(io::Error::other("all programs are being ended"));
        }
        let child = command.spawn()?;
        let group = i32::try_from(child.id()).ok().map(Pid::from_raw);
        groups.led.extend(group);
        Ok((child, group))
    }

    /// Ends one group, which is not reaped yet, and removes it.
    pub(super) fn end(&self, group: Pid) {
        let mut groups = self.groups();
        groups.led.retain(|led| *led != group);
        let _ = killpg(group, Signal::SIGKILL);
    }

    fn groups(&self) -> MutexGuard<'_, Groups> {
        // A list of numbers is valid even after a panic of its holder.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
