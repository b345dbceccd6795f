//! Text of a record or a file name on a terminal.

/// Whether a terminal could show something else than what is written because of a character: control characters, and characters
/// that change the direction of writing or break a line.
#[must_use]
pub fn misleads(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::misleads;

    #[test]
    fn what_turns_or_controls_a_line_misleads_and_letters_do_not() {
        for character in "\u{202e}\u{2066}\u{61c}\u{200f}\u{2028}\u{1b}\n\u{9b}".chars() {
            assert!(misleads(character), "{character:?}");
        }
        assert!(!"aÞ–é 日א\u{200d}".chars().any(misleads));
    }
}
