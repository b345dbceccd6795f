//! Text of a record or a file name on a terminal, and numbers and times as they are read there.

use std::time::Duration;

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

/// Words out of the record on one line: what could pass for something else is written as an escape.
#[must_use]
pub fn one_line(words: &str) -> String {
    words.chars().fold(String::with_capacity(words.len()), |mut out, character| {
        if misleads(character) {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
        out
    })
}

/// A text of several lines of ours with words out of the record in it: only its line ends are left.
#[must_use]
pub fn harmless(text: &str) -> String {
    text.split('\n').map(one_line).collect::<Vec<_>>().join("\n")
}

/// A number with its thousands separated: `10,298`.
#[must_use]
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

/// A number with its noun in the singular or plural: `1 row`, `1,204 rows`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A time to wait, in its two largest units: `4 s`, `3 min 20 s`, `2 h 5 min`.
#[must_use]
pub fn duration(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_record_cannot_pass_for_something_else() {
        assert_eq!(one_line("a\u{202e}b\u{1b}[31m\n#9 fake"), "a\\u{202e}b\\u{1b}[31m\\n#9 fake");
        assert_eq!(one_line("Þórður 12g – fine"), "Þórður 12g – fine");
        assert_eq!(harmless("one\ntwo\u{7}\n"), "one\ntwo\\u{7}\n");
    }

    #[test]
    fn thousands_are_set_apart_and_nouns_agree() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(10_298), "10,298");
        assert_eq!(grouped(1_000_000), "1,000,000");
        assert_eq!(counted(1, "row"), "1 row");
        assert_eq!(counted(0, "row"), "0 rows");
    }

    #[test]
    fn what_turns_or_controls_a_line_misleads_and_letters_do_not() {
        for character in "\u{202e}\u{2066}\u{61c}\u{200f}\u{2028}\u{1b}\n\u{9b}".chars() {
            assert!(misleads(character), "{character:?}");
        }
        assert!(!"aÞ–é 日א\u{200d}".chars().any(misleads));
    }

    #[test]
    fn thousands_are_separated_and_nouns_agree() {
        assert_eq!([0, 999, 10_298, 1_000_000].map(grouped), ["0", "999", "10,298", "1,000,000"]);
        assert_eq!([counted(1, "row"), counted(0, "row")], ["1 row", "0 rows"]);
    }

    #[test]
    fn a_duration_has_its_two_largest_units() {
        let text = |seconds| duration(Duration::from_secs(seconds));
        assert_eq!([text(7), text(200), text(7_530)], ["7 s", "3 min 20 s", "2 h 5 min"]);
    }
}
