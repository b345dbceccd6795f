//! The progress of long work: a bar on a terminal; elsewhere nothing, or a line now and then.

#[cfg(feature = "dataset")]
use std::cell::RefCell;
#[cfg(feature = "learning")]
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::one_line;
use crate::terminal::stderr_is_terminal;

/// A bar of `total` units with this template, and `{prefix}` in it.
pub fn bar(total: u64, template: &str, prefix: &str) -> ProgressBar {
    if !stderr_is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_prefix(one_line(prefix));
    bar
}

/// The bars of work in stages, one after the other; a bar is made at the first report of its stage.
#[cfg(feature = "dataset")]
pub struct Stages<S>(RefCell<Option<(S, ProgressBar)>>);

#[cfg(feature = "dataset")]
impl<S: PartialEq + Copy> Stages<S> {
    /// Bars if standard error is a terminal; else none.
    pub fn watched() -> Option<Stages<S>> {
        stderr_is_terminal().then_some(Stages(RefCell::new(None)))
    }

    /// Shows how far a stage is.
    pub fn at(&self, stage: S, fresh: impl FnOnce() -> ProgressBar, position: u64, message: String) {
        let mut shown = self.0.borrow_mut();
        if shown.as_ref().is_none_or(|(known, _)| *known != stage) {
            if let Some((_, old)) = shown.take() {
                old.finish_and_clear();
            }
            *shown = Some((stage, fresh()));
        }
        if let Some((_, bar)) = shown.as_ref() {
            bar.set_position(position);
            bar.set_message(message);
            bar.tick();
        }
    }
}

#[cfg(feature = "dataset")]
impl<S> Drop for Stages<S> {
    fn drop(&mut self) {
        if let Some((_, bar)) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

/// How long a pipe waits for the next line.
#[cfg(feature = "learning")]
const PAUSE: Duration = Duration::from_secs(10);

/// The progress of long work: a bar on a terminal, otherwise a line every ten seconds.
#[cfg(feature = "learning")]
pub struct Progress {
    bar: Option<ProgressBar>,
    printed: Mutex<Instant>,
}

#[cfg(feature = "learning")]
impl Progress {
    /// Nothing is shown yet.
    pub fn new(template: &str) -> Progress {
        let bar = stderr_is_terminal().then(|| bar(0, template, ""));
        Progress { bar, printed: Mutex::new(Instant::now()) }
    }

    /// Shows how much is done, of how much, with a message; `line` makes the line for a pipe of it.
    pub fn show(&self, (done, all): (u64, u64), message: String, line: impl FnOnce(&str) -> String) {
        if let Some(bar) = &self.bar {
            bar.set_length(all);
            bar.set_position(done);
            bar.set_message(message);
            return;
        }
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        if printed.elapsed() >= PAUSE {
            crate::output::diagnostic(format_args!("note: {}", line(&message)));
            *printed = Instant::now();
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
