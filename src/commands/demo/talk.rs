//! What the demonstration says while it runs: the story to standard output, progress and times to standard error.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::errors::CliError;
use crate::output::talk;
use crate::terminal::talks_to_a_person;

/// A line of the story.
pub fn say(text: impl AsRef<str>) -> Result<(), CliError> {
    writeln!(io::stdout().lock(), "{}", text.as_ref()).map_err(CliError::from)
}

/// How far it is, and how long each part took.
pub struct Progress {
    bar: ProgressBar,
    quiet: bool,
    began: Instant,
    parts: Vec<(&'static str, Duration)>,
}

impl Progress {
    /// Shown on a terminal as a bar, else as a line for each part.
    pub fn new() -> Progress {
        let bar = if talks_to_a_person() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {pos} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.set_message("games");
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar, quiet: false, began: Instant::now(), parts: Vec::new() }
    }

    /// Says nothing.
    #[cfg(test)]
    pub fn silent() -> Progress {
        Progress { bar: ProgressBar::hidden(), quiet: true, began: Instant::now(), parts: Vec::new() }
    }

    /// Does a part under its name, and remembers how long it took.
    pub fn part<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce(&Progress) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        self.bar.set_prefix(name);
        self.bar.set_position(0);
        if !self.quiet && !talks_to_a_person() {
            talk(format_args!("annals: {name}"));
        }
        let began = Instant::now();
        let done = work(self);
        self.parts.push((name, began.elapsed()));
        done
    }

    /// One more game was played.
    pub fn game(&self) {
        self.bar.inc(1);
    }

    /// Writes while the bar is out of the way.
    pub fn say(&self, text: impl AsRef<str>) -> Result<(), CliError> {
        if self.quiet { Ok(()) } else { self.bar.suspend(|| say(text)) }
    }

    /// Takes the bar away.
    pub fn rest(&self) {
        self.bar.finish_and_clear();
    }

    /// The times, for standard error.
    pub fn times(&self) -> String {
        let parts: Vec<String> =
            self.parts.iter().map(|(name, took)| format!("{name} {:.1} s", took.as_secs_f64())).collect();
        format!("{}; {:.1} s in all", parts.join(", "), self.began.elapsed().as_secs_f64())
    }
}
