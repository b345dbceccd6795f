//! Which programs run just now, so that all of them can be ended at once from anywhere, as when this program itself has to end
//! and nobody comes back to them.

use std::io;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// The programs that run. Its copies are of the same ones.
#[derive(Debug, Clone, Default)]
pub struct Running(Arc<Mutex<Groups>>);

#[derive(Debug, Default)]
struct Groups {
    /// The groups that programs lead which are not reaped yet, so that their numbers are nobody else's.
    led: Vec<Pid>,
    over: bool,
}

impl Running {
    /// Ends all of them with what they have started, and lets no further one start.
    pub fn end_all(&self) {
        let mut groups = self.groups();
        groups.over = true;
        for group in &groups.led {
            let _ = killpg(*group, Signal::SIGKILL);
        }
    }

    /// Starts a program that leads a group of its own.
    pub(super) fn start(&self, command: &mut Command) -> io::Result<(Child, Option<Pid>)> {
        // Held while it starts: it must not come to life unknown after the others were ended.
        let mut groups = self.groups();
        if groups.over {
            return Err(io::Error::other("all programs are being ended"));
        }
        let child = command.spawn()?;
        let group = i32::try_from(child.id()).ok().map(Pid::from_raw);
        groups.led.extend(group);
        Ok((child, group))
    }

    /// Ends one group, which is not reaped yet, and forgets it.
    pub(super) fn end(&self, group: Pid) {
        let mut groups = self.groups();
        groups.led.retain(|led| *led != group);
        let _ = killpg(group, Signal::SIGKILL);
    }

    fn groups(&self) -> MutexGuard<'_, Groups> {
        // A list of numbers is whole whoever panicked while holding it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
