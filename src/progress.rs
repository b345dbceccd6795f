//! The progress of long work: a bar on a terminal, a line now and then for a pipe.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::talk;
use crate::terminal::talks_to_a_person;

/// How long a pipe waits for the next line.
const PAUSE: Duration = Duration::from_secs(10);

/// The progress of long work: a bar on a terminal, otherwise a line every ten seconds.
pub struct Progress {
    bar: Option<ProgressBar>,
    printed: Mutex<Instant>,
}

impl Progress {
    /// Nothing is shown yet.
    pub fn new(template: &str) -> Progress {
        let bar = talks_to_a_person().then(|| {
            let bar = ProgressBar::new(0);
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar
        });
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
            talk(format_args!("annals: {}", line(&message)));
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
