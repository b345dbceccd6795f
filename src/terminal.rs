//! What differs between a terminal and a pipe: progress bars are drawn on a terminal only.

use std::io::{self, IsTerminal as _};

use annals_report::Screen;
pub use annals_report::{counted, grouped};

/// Columns and lines of the terminal to which standard output goes; none if it is not a terminal, or the terminal does not report them.
pub fn size() -> Option<(u16, u16)> {
    let (width, height) = terminal_size::terminal_size_of(io::stdout())?;
    (width.0 >= 20).then_some((width.0, height.0))
}

/// The screen to which standard output goes, if it goes to one. `complete` names the options that show all columns.
pub fn screen(complete: &str) -> Option<Screen> {
    size().map(|(width, _)| Screen { width: width.into(), complete: complete.to_owned() })
}

/// The screen to which diagnostics go, if they go to one.
pub fn diagnostics_screen() -> Option<Screen> {
    let (width, _) = terminal_size::terminal_size_of(io::stderr())?;
    (width.0 >= 20).then(|| Screen { width: width.0.into(), complete: String::new() })
}

/// A text in lines that fit a screen, each indented as it was and continued two columns further. Receipts and JSON stay on one
/// line, so that they can be copied.
pub fn wrapped(text: &str, screen: Option<&Screen>) -> String {
    let Some(screen) = screen else { return text.to_owned() };
    let wrapped = |line: &str| {
        let words = line.trim_start_matches(' ');
        if line.chars().count() <= screen.width || words.starts_with("annals-head/") || words.starts_with('{')
        {
            return format!("{line}\n");
        }
        let indent = &line[..line.len() - words.len()];
        annals_report::wrapped(words, Some(screen), indent, &format!("{indent}  "))
    };
    text.lines().map(wrapped).collect()
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
