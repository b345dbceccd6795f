//! Ctrl-C and the signals that end a program.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::errors::{CliError, InWords as _};
use crate::output::diagnostic;

/// What a signal to end does.
struct State {
    is_heard: bool,
    /// The flag of a command that ends its work itself.
    cancel: Option<Arc<AtomicBool>>,
    /// Folders of this process with files that are not needed after it has ended.
    folders: Vec<PathBuf>,
    /// Stops a query where one is being answered; then the program goes on.
    stop: Option<Box<dyn Fn() -> bool + Send>>,
    /// What is done before the program ends at once.
    last: Option<Box<dyn FnOnce() + Send>>,
}

static STATE: Mutex<State> =
    Mutex::new(State { is_heard: false, cancel: None, folders: Vec::new(), stop: None, last: None });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// For long commands. The first Ctrl-C sets the flag; a second one ends the program at once, which leaves the dataset as it was,
/// too.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>, CliError> {
    let cancel = Arc::new(AtomicBool::new(false));
    state().cancel = Some(Arc::clone(&cancel));
    listen().cannot("cannot listen for Ctrl-C and signals to end")?;
    Ok(cancel)
}

/// As [`stop_on_interrupt`]; `last` is called before a second Ctrl-C ends the program.
pub fn stop_on_interrupt_with(last: impl FnOnce() + Send + 'static) -> Result<Arc<AtomicBool>, CliError> {
    state().last = Some(Box::new(last));
    stop_on_interrupt()
}

/// For a prompt. A signal ends the program only where `stop` had nothing to stop.
#[cfg(feature = "sql")]
pub fn cancel_first(stop: impl Fn() -> bool + Send + 'static) -> io::Result<()> {
    state().stop = Some(Box::new(stop));
    listen()
}

/// For long work that a signal ends at once: `last` is called before the end.
#[cfg(any(feature = "learning", feature = "sql"))]
pub fn before_the_end(last: impl FnOnce() + Send + 'static) -> io::Result<()> {
    state().last = Some(Box::new(last));
    listen()
}

/// Removes a folder of this process when a signal ends the program.
pub fn remove_at_the_end(folder: &Path) -> io::Result<()> {
    state().folders.push(folder.to_owned());
    listen()
}

/// Ends the program from any thread: its folders are removed, and nothing else is waited for.
pub fn end_at_once(status: i32) -> ! {
    let (folders, last) = {
        let mut state = state();
        (std::mem::take(&mut state.folders), state.last.take())
    };
    if let Some(last) = last {
        last();
    }
    for folder in folders {
        // Other threads may still create files there.
        for _ in 0..10 {
            if std::fs::remove_dir_all(&folder).is_ok() || !folder.exists() {
                break;
            }
        }
    }
    std::process::exit(status)
}

fn listen() -> io::Result<()> {
    let mut state = state();
    if state.is_heard {
        return Ok(());
    }
    ctrlc::set_handler(on_signal).map_err(io::Error::other)?;
    state.is_heard = true;
    Ok(())
}

fn on_signal() {
    if state().stop.as_ref().is_some_and(|stop| stop()) {
        return;
    }
    let cancel = state().cancel.clone();
    match cancel {
        Some(flag) if !flag.swap(true, Ordering::Relaxed) => {
            // On another thread: if standard error blocks, the next signal must still be handled.
            let words = "\nstopping; what is finished is kept (Ctrl-C again: at once)";
            let _ = std::thread::Builder::new().spawn(move || diagnostic(words));
        }
        _ => end_at_once(130),
    }
}
