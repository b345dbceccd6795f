//! A turn of a given game, as users name it: by its label, by its number, or as the last one.

use std::fmt;
use std::str::FromStr;

use crate::{NotATurn, TurnLabel};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnChoice {
    /// The last that was played.
    Last,
    /// The first with this number.
    Number(u32),
    /// With the letter of the side as it was written.
    Label(TurnLabel, char),
}

impl TurnChoice {
    /// Its place among the labels of a game, from 0; the number of labels for the turn `next` that would follow.
    pub fn place(
        self,
        labels: impl IntoIterator<Item = TurnLabel>,
        next: Option<TurnLabel>,
    ) -> Option<usize> {
        let labels: Vec<TurnLabel> = labels.into_iter().collect();
        let is_it = |label: &TurnLabel| match self {
            TurnChoice::Last => false,
            TurnChoice::Number(number) => label.number == number,
            TurnChoice::Label(wanted, _) => *label == wanted,
        };
        match self {
            TurnChoice::Last => labels.len().checked_sub(1),
            _ => labels.iter().chain(&next).position(is_it),
        }
    }
}

impl From<TurnLabel> for TurnChoice {
    fn from(label: TurnLabel) -> TurnChoice {
        TurnChoice::Label(label, label.side.letter())
    }
}

impl FromStr for TurnChoice {
    type Err = NotATurn;

    /// `last`, a number, or a label.
    fn from_str(text: &str) -> Result<TurnChoice, NotATurn> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            _ if text == "last" => Ok(TurnChoice::Last),
            Ok(number) if is_number && number > 0 => Ok(TurnChoice::Number(number)),
            _ => {
                let label: TurnLabel = text.parse()?;
                let letter = text.trim().chars().next_back().unwrap_or_else(|| label.side.letter());
                Ok(TurnChoice::Label(label, letter.to_ascii_lowercase()))
            }
        }
    }
}

impl fmt::Display for TurnChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnChoice::Last => f.write_str("last"),
            TurnChoice::Number(number) => write!(f, "{number}"),
            TurnChoice::Label(label, letter) => write!(f, "{}{letter}", label.number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_finds_its_place() {
        let choice = |text: &str| text.parse::<TurnChoice>().unwrap();
        let label = |text: &str| text.parse::<TurnLabel>().unwrap();
        let labels = ["1g", "1s", "2g"].map(label);
        let place = |text: &str| choice(text).place(labels, Some(label("2s")));
        assert_eq!(
            [place("last"), place("2"), place("1b"), place("2s")],
            [Some(2), Some(2), Some(1), Some(3)]
        );
        assert_eq!([place("3"), choice("last").place([], Some(label("1g")))], [None, None]);
        assert_eq!(
            ["99w", "99g", "7B", "07s"].map(|text| choice(text).to_string()),
            ["99w", "99g", "7b", "7s"]
        );
        assert_eq!(choice("1").place([label("1s")], None), Some(0), "Silver begins");
        for text in ["0", "-1", "+1", "", "first", "99999999999", "1.5"] {
            assert!(text.parse::<TurnChoice>().is_err(), "{text}");
        }
    }
}
