//! Escapes text from a record.

use std::borrow::Cow;

/// Escapes characters that could mislead: control characters, direction changes, line ends.
#[must_use]
pub fn escaped(words: &str) -> Cow<'_, str> {
    if !words.contains(misleads) {
        return Cow::Borrowed(words);
    }
    let mut out = String::with_capacity(words.len() + 8);
    for sign in words.chars() {
        if misleads(sign) { out.extend(sign.escape_default()) } else { out.push(sign) }
    }
    Cow::Owned(out)
}

/// The same for each line.
pub(crate) fn escaped_lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.trim_end_matches('\n').split('\n').map(escaped)
}

/// On one line, as [`escaped`].
#[must_use]
pub fn one_line(words: &str) -> String {
    escaped(words).into_owned()
}

/// The same for text of several lines, which keeps its line ends.
#[must_use]
pub fn harmless(text: &str) -> String {
    text.split('\n').map(one_line).collect::<Vec<_>>().join("\n")
}

/// Whether a character could mislead on a terminal: control characters, direction changes, line breaks.
#[must_use]
pub fn misleads(sign: char) -> bool {
    let turns = matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    sign.is_control() || turns
}

#[cfg(test)]
mod tests {
    use super::{escaped, harmless, misleads};

    #[test]
    fn what_turns_or_controls_a_line_misleads_and_letters_do_not() {
        for sign in "\u{202e}\u{2066}\u{61c}\u{200f}\u{2028}\u{1b}\n\u{9b}".chars() {
            assert!(misleads(sign), "{sign:?}");
        }
        assert!(!"aÞ–é 日א\u{200d}".chars().any(misleads));
    }

    #[test]
    fn words_of_the_record_cannot_pass_for_something_else() {
        assert_eq!(escaped("a\u{202e}b\u{1b}[31m\n#9 fake"), "a\\u{202e}b\\u{1b}[31m\\n#9 fake");
        assert_eq!(escaped("Þórður 12g – fine"), "Þórður 12g – fine");
        assert_eq!(harmless("one\ntwo\u{7}\n"), "one\ntwo\\u{7}\n");
    }
}
