//! A move and its notations `d1-d7(g7)` and `d1-d7/g7`.

use std::fmt;

use super::square::Square;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The queen's.
    pub from: Square,
    /// The queen's.
    pub to: Square,
    pub block: Square,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    #[error("{found:?} is neither from-to(block), as in d1-d7(g7), nor from-to/block, as in d1-d7/g7")]
    Shape {
        /// The first 40 characters.
        found: String,
    },
    #[error("{found:?} is no square; a square is a small letter and a number from 1, as in d7")]
    Square {
        /// The first 40 characters.
        found: String,
    },
}

fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).chars().take(40).collect()
}

impl Move {
    /// Reads either notation, with or without spaces around it.
    ///
    /// ```
    /// use annals_rules::amazons::Move;
    ///
    /// let played = Move::parse(b"d1-d7(g7)").unwrap();
    /// assert_eq!(played, Move::parse(b"d1-d7/g7").unwrap());
    /// assert_eq!((played.to_string(), played.with_slash()), ("d1-d7(g7)".into(), "d1-d7/g7".into()));
    /// let error = Move::parse(b"d1-d7(g0)").unwrap_err();
    /// assert_eq!(error.to_string(), "\"g0\" is no square; a square is a small letter and a number from 1, as in d7");
    /// ```
    ///
    /// # Errors
    /// If the text has another form, or a square is invalid.
    pub fn parse(text: &[u8]) -> Result<Move, MoveTextError> {
        let text = text.trim_ascii();
        let shape = || MoveTextError::Shape { found: shown(text) };
        let split = |text: &'_ [u8], mark: u8| text.iter().position(|byte| *byte == mark);
        let dash = split(text, b'-').ok_or_else(shape)?;
        let (from, rest) = (&text[..dash], &text[dash + 1..]);
        let (to, block) = match (split(rest, b'('), split(rest, b'/')) {
            (Some(open), None) => {
                let block = rest[open + 1..].strip_suffix(b")").ok_or_else(shape)?;
                (&rest[..open], block)
            }
            (None, Some(slash)) => (&rest[..slash], &rest[slash + 1..]),
            _ => return Err(shape()),
        };
        let square =
            |name: &[u8]| Square::from_name(name).ok_or_else(|| MoveTextError::Square { found: shown(name) });
        Ok(Move { from: square(from)?, to: square(to)?, block: square(block)? })
    }

    #[must_use]
    pub fn with_slash(&self) -> String {
        format!("{}-{}/{}", self.from, self.to, self.block)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}({})", self.from, self.to, self.block)
    }
}
