//! What differs between a terminal and a pipe: progress bars are drawn on a terminal only, and numbers in talk
//! are grouped for reading.

use std::io::{self, IsTerminal as _};

/// Columns and lines of the terminal to which standard output goes; none where it goes elsewhere, or the terminal does not know.
pub fn size() -> Option<(u16, u16)> {
    let (width, height) = terminal_size::terminal_size_of(io::stdout())?;
    (width.0 >= 20).then_some((width.0, height.0))
}

/// Whether standard error is a terminal: progress and colour go there.
pub fn talks_to_a_person() -> bool {
    io::stderr().is_terminal()
}

/// A number with its thousands set apart: `10,298`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A singular or plural noun with its number: `1 row`, `1,204 rows`.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart_and_nouns_agree() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(10_298), "10,298");
        assert_eq!(grouped(1_000_000), "1,000,000");
        assert_eq!(counted(1, "row"), "1 row");
        assert_eq!(counted(0, "row"), "0 rows");
    }
}
