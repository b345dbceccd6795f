//! Turn labels: `12g`, or in the archive's letters `12w`. A label names a turn by its number and its side; gold's
//! setup is `1g`, silver's `1s`.

use annals_events::Side;

/// A turn's number and side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// From 1, the setups.
    pub number: u32,
    pub side: Side,
}

impl Label {
    /// Reads a label; `g`, `w` are gold, `s`, `b` are silver. None where the text is no label.
    #[must_use]
    pub fn parse(text: &str) -> Option<Label> {
        let text = text.trim();
        let (&letter, number) = text.as_bytes().split_last()?;
        let side = Side::from_letter(letter.to_ascii_lowercase())?;
        let number = std::str::from_utf8(number).ok()?;
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let number: u32 = number.parse().ok()?;
        (number >= 1).then_some(Label { number, side })
    }

    /// How many turns of a regular game stand before this one: 0 for `1g`, 1 for `1s`, 2 for `2g`.
    #[must_use]
    pub fn turns_before(self) -> i64 {
        2 * (i64::from(self.number) - 1) + self.side.index() as i64
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.number, self.side.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_letter_conventions_are_read_and_ours_is_written() {
        let label = Label::parse("12w").unwrap();
        assert_eq!(label.to_string(), "12g");
        assert_eq!(Label::parse("12B").unwrap().to_string(), "12s");
        assert_eq!(Label::parse(" 1s ").unwrap().turns_before(), 1);
        assert_eq!(Label::parse("2g").unwrap().turns_before(), 2);
    }

    #[test]
    fn what_is_no_label_is_none() {
        for text in ["", "g", "12", "0g", "-1g", "12x", "1.5g", "+1g", "99999999999g", "gg", "é"] {
            assert_eq!(Label::parse(text), None, "{text}");
        }
    }
}
