//! Turn labels: `12g`, or in the archive's letters `12w`. A label names a turn by its number and its side. Gold's setup is
//! `1g`, Silver's `1s`.

use std::fmt;
use std::str::FromStr;

use annals_events::{GameKind, Side};

/// A turn's number and side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnLabel {
    /// From 1, the setups.
    pub number: u32,
    pub side: Side,
}

/// A text that is not a label.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a turn; expected its number and side: 12g or 12s (12w and 12b are read too)")]
pub struct NotATurn(String);

impl TurnLabel {
    /// How many turns of a regular game come before this one: 0 for `1g`, 1 for `1s`, 2 for `2g`.
    #[must_use]
    pub fn turns_before(self) -> i64 {
        2 * (i64::from(self.number) - 1) + self.side.index() as i64
    }

    /// The label of the turn after this one.
    #[must_use]
    pub fn next(self) -> TurnLabel {
        match self.side {
            Side::Gold => TurnLabel { side: Side::Silver, ..self },
            Side::Silver => TurnLabel { number: self.number.saturating_add(1), side: Side::Gold },
        }
    }

    /// In the letters of a game: `12s` in Arimaa, `12b` in the Amazons.
    #[must_use]
    pub fn text_in(self, game: GameKind) -> String {
        format!("{}{}", self.number, self.side.letter_in(game))
    }
}

impl FromStr for TurnLabel {
    type Err = NotATurn;

    /// `g` and `w` are Gold, `s` and `b` are Silver.
    fn from_str(text: &str) -> Result<TurnLabel, NotATurn> {
        let label = || {
            let (&letter, number) = text.trim().as_bytes().split_last()?;
            let side = Side::from_letter(letter.to_ascii_lowercase())?;
            let number = std::str::from_utf8(number).ok()?;
            let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let number: u32 = number.parse().ok().filter(|number| digits && *number > 0)?;
            Some(TurnLabel { number, side })
        };
        label().ok_or_else(|| NotATurn(text.chars().take(20).collect()))
    }
}

impl fmt::Display for TurnLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.side.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_letter_conventions_are_read_and_ours_is_written() {
        let label = |text: &str| text.parse::<TurnLabel>().unwrap();
        assert_eq!(label("12w").to_string(), "12g");
        assert_eq!(label("12B").to_string(), "12s");
        assert_eq!(label("12s").text_in(GameKind::Amazons), "12b");
        assert_eq!(label(" 1s ").turns_before(), 1);
        assert_eq!(label("2g").turns_before(), 2);
        assert_eq!((label("12g").next(), label("12s").next()), (label("12s"), label("13g")));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "g", "12", "0g", "-1g", "12x", "1.5g", "+1g", "99999999999g", "gg", "é"] {
            assert!(text.parse::<TurnLabel>().is_err(), "{text}");
        }
    }
}
