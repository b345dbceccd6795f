//! The error of a command that could not run: what and where, the reason, the state that is left, and the next command.

use std::error::Error;
use std::fmt;
use std::io::{self, Write as _};

use annals_report::nearest;

use crate::hints::{Advice, advice, cause};
use crate::output::harmless;

/// A command that could not run (exit status 2), or that refused a damaged log (exit status 1).
#[derive(Debug)]
pub struct CliError {
    message: String,
    advice: Advice,
    broken_pipe: bool,
}

impl CliError {
    /// An error with its message: what happened, and where.
    pub fn new(message: impl fmt::Display) -> CliError {
        CliError { message: message.to_string(), advice: Advice::default(), broken_pipe: false }
    }

    /// Adds the rule or the cause.
    #[must_use]
    pub fn reason(mut self, reason: impl fmt::Display) -> CliError {
        self.advice.reason = Some(reason.to_string());
        self
    }

    /// Adds what the command leaves, where the user could wonder.
    #[must_use]
    pub fn state(mut self, state: impl fmt::Display) -> CliError {
        self.advice.state = Some(state.to_string());
        self
    }

    /// Adds what to do next: one command.
    #[must_use]
    pub fn hint(mut self, hint: impl fmt::Display) -> CliError {
        self.advice.hints.push(hint.to_string());
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
        self.advice.hints.iter_mut().for_each(|hint| *hint = hint.replace("TOURNAMENT", tournament));
        self
    }

    /// Makes it a finding about the data (exit status 1).
    #[must_use]
    pub fn finding(mut self) -> CliError {
        self.advice.is_finding = true;
        self
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        if self.advice.is_finding { 1 } else { 2 }
    }

    /// Whether the reader of our output went away, which is no failure.
    pub fn is_broken_pipe(&self) -> bool {
        self.broken_pipe
    }

    /// Writes the error to standard error.
    pub fn report(&self) {
        let Advice { reason, state, hints, .. } = &self.advice;
        let mut text = format!("error: {}\n", self.message);
        let lines = reason.iter().map(|reason| ("reason", reason));
        let lines = lines.chain(state.iter().map(|state| ("state", state)));
        for (what, line) in lines.chain(hints.iter().map(|hint| ("hint", hint))) {
            text.push_str(&format!("  {what}: {line}\n"));
        }
        let _ = io::stderr().lock().write_all(harmless(&text).as_bytes());
    }

    /// From any error of a library: its causes are the reason, and the table of hints adds what to do next.
    pub fn from_error(error: &(dyn Error + 'static)) -> CliError {
        let mut error = error;
        let mut found = advice(error);
        while let Some(inner) = cause(error) {
            error = inner;
            found = advice(inner).or(found);
        }
        let message = found.message.take().unwrap_or_else(|| error.to_string());
        let mut broken_pipe = is_broken_pipe(error);
        let mut causes: Vec<String> = Vec::new();
        let mut source = error.source();
        while let Some(next) = source {
            let text = next.to_string();
            if !message.contains(&text) && !causes.iter().any(|cause| cause.contains(&text)) {
                causes.push(text);
            }
            broken_pipe |= is_broken_pipe(next);
            found = found.or(Advice { message: None, ..advice(next) });
            source = next.source();
        }
        if !causes.is_empty() {
            found.reason.get_or_insert(causes.join(": "));
        }
        CliError { message, advice: found, broken_pipe }
    }
}

/// `?` turns every error of a library into an error of the program.
impl<E: Error + 'static> From<E> for CliError {
    fn from(error: E) -> CliError {
        CliError::from_error(&error)
    }
}

/// More about the error of a result.
pub trait InWords<T> {
    /// Adds what to do next.
    fn hint(self, hint: impl fmt::Display) -> Result<T, CliError>;

    /// Adds what the command leaves.
    fn state(self, state: impl fmt::Display) -> Result<T, CliError>;

    /// States what could not be done; the error becomes the reason.
    fn cannot(self, what: impl fmt::Display) -> Result<T, CliError>;

    /// States the place of the error: `PLACE: ERROR`.
    fn at(self, place: impl fmt::Display) -> Result<T, CliError>;
}

impl<T, E: Into<CliError>> InWords<T> for Result<T, E> {
    fn hint(self, hint: impl fmt::Display) -> Result<T, CliError> {
        self.map_err(|error| error.into().hint(hint))
    }

    fn state(self, state: impl fmt::Display) -> Result<T, CliError> {
        self.map_err(|error| error.into().state(state))
    }

    fn cannot(self, what: impl fmt::Display) -> Result<T, CliError> {
        self.map_err(|error| {
            let CliError { message, advice, .. } = error.into();
            let reason = match &advice.reason {
                Some(reason) => format!("{message}: {reason}"),
                None => message,
            };
            CliError { advice, ..CliError::new(&what) }.reason(reason)
        })
    }

    fn at(self, place: impl fmt::Display) -> Result<T, CliError> {
        self.map_err(|error| {
            let error = error.into();
            CliError { message: format!("{place}: {}", error.message), ..error }
        })
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
