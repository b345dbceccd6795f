//! The error of a command that could not run: what and where, the reason, the state that is left, and the next command.

use std::error::Error;
use std::fmt;
use std::io::{self, Write as _};

use annals_report::{harmless, nearest};

use crate::home::in_home;
use crate::terminal::{diagnostics_screen, wrapped};

/// What to run next about a damaged log.
pub const DOCTOR: &str = "`annals doctor` lists the damage, and the command to run next";

/// What a refused change leaves.
pub const UNCHANGED: &str = "nothing was changed";

/// A command that could not run (exit status 2), or that refused a damaged log (exit status 1).
#[derive(Debug, Default)]
pub struct CliError {
    message: String,
    reason: Option<String>,
    state: Option<String>,
    hints: Vec<String>,
    is_finding: bool,
    is_broken_pipe: bool,
}

impl CliError {
    /// An error with its message: what happened, and where.
    pub fn new(message: impl fmt::Display) -> CliError {
        CliError { message: message.to_string(), ..CliError::default() }
    }

    /// With another message.
    #[must_use]
    pub fn message(self, message: impl fmt::Display) -> CliError {
        CliError { message: message.to_string(), ..self }
    }

    /// With the place of the error in front: `PLACE: MESSAGE`.
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> CliError {
        CliError { message: format!("{place}: {}", self.message), ..self }
    }

    /// Adds the rule or the cause.
    #[must_use]
    pub fn reason(self, reason: impl fmt::Display) -> CliError {
        CliError { reason: Some(reason.to_string()), ..self }
    }

    /// Adds what the command leaves, where the user could wonder.
    #[must_use]
    pub fn state(self, state: impl fmt::Display) -> CliError {
        CliError { state: Some(state.to_string()), ..self }
    }

    /// Adds the next step: one command.
    #[must_use]
    pub fn hint(mut self, hint: impl fmt::Display) -> CliError {
        self.hints.push(hint.to_string());
        self
    }

    /// Without a hint, which names the command that failed.
    #[must_use]
    pub fn without_hint(mut self, hint: &str) -> CliError {
        self.hints.retain(|given| given != hint);
        self
    }

    /// Adds the existing name that is most similar to a misspelt one; if none is similar, another hint, if any.
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
    pub fn about(self, tournament: &str) -> CliError {
        self.naming("TOURNAMENT", tournament)
    }

    /// Puts a value in the place of a placeholder of the hints.
    #[must_use]
    pub fn naming(mut self, placeholder: &str, value: impl fmt::Display) -> CliError {
        let value = value.to_string();
        self.hints.iter_mut().for_each(|hint| *hint = hint.replace(placeholder, &value));
        self
    }

    /// Makes it a finding about the data (exit status 1).
    #[must_use]
    pub fn finding(self) -> CliError {
        CliError { is_finding: true, ..self }
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        if self.is_finding { 1 } else { 2 }
    }

    /// Whether the reader of the output closed the pipe, which is not a failure.
    pub fn is_broken_pipe(&self) -> bool {
        self.is_broken_pipe
    }

    /// Writes the error to standard error.
    pub fn report(&self) {
        let mut text = format!("error: {}\n", self.message);
        let reason = self.reason.iter().map(|reason| ("reason", reason));
        let state = self.state.iter().map(|state| ("state", state));
        for (what, line) in reason.chain(state).chain(self.hints.iter().map(|hint| ("hint", hint))) {
            text.push_str(&format!("  {what}: {}\n", in_home(line)));
        }
        let text = wrapped(&harmless(&text), diagnostics_screen().as_ref());
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Adds the cause where no reason is stated.
    #[must_use]
    pub fn reason_if_none(mut self, reason: String) -> CliError {
        self.reason.get_or_insert(reason);
        self
    }

    /// This, with what it lacks from another.
    #[must_use]
    pub fn or(self, other: CliError) -> CliError {
        CliError {
            reason: self.reason.or(other.reason),
            state: self.state.or(other.state),
            hints: if self.hints.is_empty() { other.hints } else { self.hints },
            is_finding: self.is_finding || other.is_finding,
            is_broken_pipe: self.is_broken_pipe || other.is_broken_pipe,
            message: self.message,
        }
    }

    /// The message of an error alone.
    pub fn of(error: &(dyn Error + 'static)) -> CliError {
        let kind = error.downcast_ref().map(io::Error::kind);
        CliError { is_broken_pipe: kind == Some(io::ErrorKind::BrokenPipe), ..CliError::new(error) }
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
            let error: CliError = error.into();
            let reason = match &error.reason {
                Some(reason) => format!("{}: {reason}", error.message),
                None => error.message.clone(),
            };
            CliError { is_broken_pipe: false, ..error.message(what).reason(reason) }
        })
    }

    fn at(self, place: impl fmt::Display) -> Result<T, CliError> {
        self.map_err(|error| error.into().at(place))
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
