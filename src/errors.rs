//! What the program says when a command could not run: what happened, and what to do next.

use std::error::Error;
use std::fmt;
use std::io::{self, Write as _};

use crate::hints::{after, hints, is_damage, step_that_failed};
use crate::output::harmless;
use crate::suggest::nearest;

/// A command that could not run (exit status 2), or that refused a damaged log (exit status 1).
#[derive(Debug)]
pub struct CliError {
    message: String,
    hints: Vec<String>,
    broken_pipe: bool,
    status: u8,
}

impl CliError {
    /// An error with its message: what happened, where, and why it matters.
    pub fn new(message: impl fmt::Display) -> CliError {
        CliError { message: message.to_string(), hints: Vec::new(), broken_pipe: false, status: 2 }
    }

    /// Adds what to do next; shown on a line of its own.
    #[must_use]
    pub fn hint(mut self, hint: impl fmt::Display) -> CliError {
        self.hints.push(hint.to_string());
        self
    }

    /// Adds the known name that is nearest to a misspelt one; where none is near, what else to do, if there is anything.
    #[must_use]
    pub fn did_you_mean<'k>(
        self,
        name: &str,
        known: impl IntoIterator<Item = &'k str>,
        otherwise: &str,
    ) -> CliError {
        match nearest(name, known) {
            Some(near) => self.hint(format_args!("did you mean `{near}`?")),
            None if otherwise.is_empty() => self,
            None => self.hint(otherwise),
        }
    }

    /// Names the tournament in the hints.
    #[must_use]
    pub fn about(mut self, tournament: &str) -> CliError {
        self.hints.iter_mut().for_each(|hint| *hint = hint.replace("TOURNAMENT", tournament));
        self
    }

    /// Makes it a finding about the data (exit status 1).
    #[must_use]
    pub fn finding(mut self) -> CliError {
        self.status = 1;
        self
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        self.status
    }

    /// Whether the reader of our output went away, which is no failure.
    pub fn is_broken_pipe(&self) -> bool {
        self.broken_pipe
    }

    /// Writes the error to standard error.
    pub fn report(&self) {
        let mut err = io::stderr().lock();
        let _ = writeln!(err, "error: {}", harmless(&self.message));
        for hint in &self.hints {
            let _ = writeln!(err, "  hint: {}", harmless(hint));
        }
    }

    /// From any error of a library: its chain of causes joined into one message, with what to do next.
    pub fn from_error(error: &(dyn Error + 'static)) -> CliError {
        let error = step_that_failed(error);
        let mut message = error.to_string();
        let mut broken_pipe = is_broken_pipe(error);
        let mut next_step = after(error);
        let mut cause = error.source();
        while let Some(next) = cause {
            let text = next.to_string();
            if !message.contains(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            broken_pipe |= is_broken_pipe(next);
            next_step = next_step.or_else(|| after(next));
            cause = next.source();
        }
        message.push_str(next_step.unwrap_or_default());
        let said = CliError { message, hints: Vec::new(), broken_pipe, status: 2 };
        let said = hints(error).into_iter().fold(said, CliError::hint);
        if is_damage(error) { said.finding() } else { said }
    }
}

/// `?` turns every error of a library into words.
impl<E: Error + 'static> From<E> for CliError {
    fn from(error: E) -> CliError {
        CliError::from_error(&error)
    }
}

/// More words for the error of a result.
pub trait InWords<T> {
    /// Adds what to do next.
    fn hint(self, hint: impl fmt::Display) -> Result<T, CliError>;

    /// Says what could not be done: `WHAT: ERROR`.
    fn cannot(self, what: impl fmt::Display) -> Result<T, CliError>;
}

impl<T, E: fmt::Display + Into<CliError>> InWords<T> for Result<T, E> {
    fn hint(self, hint: impl fmt::Display) -> Result<T, CliError> {
        self.map_err(|error| error.into().hint(hint))
    }

    fn cannot(self, what: impl fmt::Display) -> Result<T, CliError> {
        self.map_err(|error| CliError::new(format_args!("{what}: {error}")))
    }
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
