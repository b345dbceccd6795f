//! The reports of a reproduction to its caller.

use std::fmt;
use std::time::Duration;

/// The caller's handling of reports while a reproduction runs.
pub trait Diagnostics: Sync {
    /// A message for the user.
    fn note(&self, message: fmt::Arguments<'_>);

    /// A source was not read, for this reason.
    fn not_read(&self, source: &str, reason: &str);

    /// The completed part of the work, from 0 to 1, the stage, and the remaining time. Called often, from any thread.
    fn progress(&self, share: f64, stage: &str, left: Duration);

    /// The work is done.
    fn finish(&self);
}
