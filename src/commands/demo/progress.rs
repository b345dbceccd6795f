//! What is printed while an event is played: the narrative on standard output, progress and times on standard error.

use std::io::{self, Write as _};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use annals_demo::DemoError;
use indicatif::{ProgressBar, ProgressStyle};

use crate::errors::CliError;
use crate::output::diagnostic;
use crate::terminal::stderr_is_terminal;

/// A line of the narrative.
pub fn say(line: &str) -> Result<(), CliError> {
    Ok(writeln!(io::stdout().lock(), "{line}")?)
}

/// How far it is, and when each part began: on a terminal a bar, otherwise a line for each part.
pub struct Progress {
    bar: ProgressBar,
    began: Mutex<Vec<(&'static str, Instant)>>,
}

impl Progress {
    /// Before the first part.
    pub fn new() -> Progress {
        let bar = if stderr_is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {pos} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.set_message("games");
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar, began: Mutex::default() }
    }

    /// Removes the bar.
    pub fn rest(&self) {
        self.bar.finish_and_clear();
    }

    /// How long each part took.
    pub fn times(&self) -> String {
        let began = self.began.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let ends = began.iter().skip(1).map(|(_, at)| *at).chain([Instant::now()]);
        let seconds = |from: Instant, to: Instant| format!("{:.1} s", (to - from).as_secs_f64());
        let parts: Vec<String> = began
            .iter()
            .zip(ends)
            .map(|((part, from), to)| format!("{part} {}", seconds(*from, to)))
            .collect();
        let all = began.first().map_or(String::new(), |(_, from)| seconds(*from, Instant::now()));
        format!("{}; {all} in all", parts.join(", "))
    }
}

impl annals_demo::Progress for Progress {
    fn begin(&self, part: &'static str) {
        self.bar.set_prefix(part);
        self.bar.set_position(0);
        if !stderr_is_terminal() {
            diagnostic(format_args!("note: {part}"));
        }
        let mut began = self.began.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        began.push((part, Instant::now()));
    }

    fn game(&self) {
        self.bar.inc(1);
    }

    fn say(&self, line: &str) -> Result<(), DemoError> {
        Ok(self.bar.suspend(|| writeln!(io::stdout().lock(), "{line}"))?)
    }
}
