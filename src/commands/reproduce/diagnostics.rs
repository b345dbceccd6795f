//! What a reproduction reports while it runs, on standard error.

use std::fmt;
use std::time::Duration;

use annals_experiments::Diagnostics;
use annals_report::duration;

use crate::output::diagnostic;
use crate::progress::Progress;

/// Messages as lines, progress as a bar or a line now and then.
pub struct OnStandardError(Progress);

impl Default for OnStandardError {
    fn default() -> OnStandardError {
        OnStandardError(Progress::new("{wide_bar} {percent}%  {msg}"))
    }
}

impl Diagnostics for OnStandardError {
    fn note(&self, message: fmt::Arguments<'_>) {
        diagnostic(format_args!("note: {message}"));
    }

    fn not_read(&self, source: &str, reason: &str) {
        diagnostic(format_args!("{source}: not read: {reason}"));
    }

    fn progress(&self, share: f64, stage: &str, left: Duration) {
        let message = format!("{stage}, {} left", duration(left));
        self.0.show(((1_000.0 * share) as u64, 1_000), message, |message| {
            format!("{:.0} %: {message}", 100.0 * share)
        });
    }

    fn finish(&self) {
        self.0.finish();
    }
}
