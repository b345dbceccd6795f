//! A pager for answers that are longer than the terminal.

use std::env;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::terminal;

/// Quits where the text fits, shows colours, and leaves the text on the screen.
const DEFAULT: &str = "less -FRX";

static IS_OFF: AtomicBool = AtomicBool::new(false);

/// Prints every text at once from now on.
pub fn turn_off() {
    IS_OFF.store(true, Ordering::Relaxed);
}

/// Shows a text in `$ANNALS_PAGER`, `$PAGER` or `less`, and waits until it is read. Returns false if nothing was shown: standard
/// output is no terminal or is high enough, the pager is `cat` or empty, or it cannot be started.
pub fn page(text: &str) -> bool {
    let is_long = terminal::size().is_some_and(|(_, height)| text.lines().count() >= usize::from(height));
    if !is_long || IS_OFF.load(Ordering::Relaxed) {
        return false;
    }
    let named = env::var("ANNALS_PAGER").or_else(|_| env::var("PAGER"));
    let named = named.unwrap_or_else(|_| DEFAULT.to_owned());
    let mut words = named.split_whitespace();
    let Some(program) = words.next().filter(|program| *program != "cat") else { return false };
    let Ok(mut pager) = Command::new(program).args(words).stdin(Stdio::piped()).spawn() else { return false };
    if let Some(mut input) = pager.stdin.take() {
        // A pager that ends early does not read the rest.
        let _ = input.write_all(text.as_bytes());
    }
    let _ = pager.wait();
    true
}
