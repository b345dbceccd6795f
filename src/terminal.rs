//! What differs between a terminal and a pipe: progress bars are drawn on a terminal only.

use std::io::{self, IsTerminal as _};

pub use annals_report::{counted, grouped};

/// Columns and lines of the terminal to which standard output goes; none if it is not a terminal, or the terminal does not report them.
pub fn size() -> Option<(u16, u16)> {
    let (width, height) = terminal_size::terminal_size_of(io::stdout())?;
    (width.0 >= 20).then_some((width.0, height.0))
}

/// Whether standard error is a terminal: progress and colour go there.
pub fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Whether an output is in colour: on a terminal that can show it, unless NO_COLOR is set.
pub fn in_colour(is_terminal: bool) -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_terminal && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
