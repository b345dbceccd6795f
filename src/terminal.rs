//! What differs between a terminal and a pipe: progress bars are drawn on a terminal only.

use std::io::{self, IsTerminal as _};

pub use annals_events::display::{counted, grouped};

/// Whether standard error is a terminal: progress and colour go there.
pub fn talks_to_a_person() -> bool {
    io::stderr().is_terminal()
}
