//! What a reproduction reports to its caller.

use std::fmt;
use std::time::Duration;

/// What the caller does while a reproduction runs.
pub trait Diagnostics: Sync {
    /// A message for the user.
    fn note(&self, message: fmt::Arguments<'_>);

    /// A source was not read, for this reason.
    fn not_read(&self, source: &str, reason: &str);

    /// How much of the work is done, from 0 to 1, in which stage, and how long the rest takes. Called often, from any thread.
    fn progress(&self, share: f64, stage: &str, left: Duration);

    /// The work is done.
    fn finish(&self);
}
