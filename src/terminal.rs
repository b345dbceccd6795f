//! What differs between a terminal and a pipe: a terminal gets progress bars, a pipe a line now and then.

use std::io::{self, IsTerminal as _};
#[cfg(feature = "learning")]
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

pub use annals_events::display::{counted, grouped};
#[cfg(feature = "learning")]
use indicatif::{ProgressBar, ProgressStyle};

/// Whether standard error is a terminal: progress and colour go there.
pub fn talks_to_a_person() -> bool {
    io::stderr().is_terminal()
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
            crate::output::talk(format_args!("annals: {}", line(&message)));
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
