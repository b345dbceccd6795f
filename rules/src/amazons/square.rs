//! Squares by file and rank, with the same name on every board size.

use std::fmt;

/// A file a to z and a rank 1 to 128; [`Size`](super::Size) decides whether a board has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    rank: u8,
    file: u8,
}

impl Square {
    /// Files with a letter.
    pub const MOST_FILES: u8 = 26;
    pub const MOST_RANKS: u8 = 128;

    /// Both from 0.
    #[must_use]
    pub const fn at(file: u8, rank: u8) -> Option<Square> {
        if file < Square::MOST_FILES && rank < Square::MOST_RANKS {
            Some(Square { rank, file })
        } else {
            None
        }
    }

    /// For numbers within range.
    pub(super) const fn new(file: u8, rank: u8) -> Square {
        Square { rank, file }
    }

    /// A small letter, and a rank without leading zeros.
    #[must_use]
    pub fn from_name(name: &[u8]) -> Option<Square> {
        let (file, digits) = name.split_first()?;
        if !file.is_ascii_lowercase() || digits.first() == Some(&b'0') || !(1..=3).contains(&digits.len()) {
            return None;
        }
        let mut rank = 0u16;
        for digit in digits {
            if !digit.is_ascii_digit() {
                return None;
            }
            rank = 10 * rank + u16::from(digit - b'0');
        }
        Square::at(file - b'a', u8::try_from(rank - 1).ok()?)
    }

    #[inline]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.file
    }

    /// 0 for White's first rank.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.rank
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file) as char, u16::from(self.rank) + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_survives_its_name_and_nothing_else_is_one() {
        for file in 0..Square::MOST_FILES {
            for rank in 0..Square::MOST_RANKS {
                let square = Square::at(file, rank).unwrap();
                assert_eq!(Square::from_name(square.to_string().as_bytes()), Some(square));
                assert_eq!((square.file(), square.rank()), (file, rank));
            }
        }
        for name in ["", "a", "a0", "a01", "a129", "a1000", "A1", "1a", "aa1", "a1 ", "a-1", "é1", "{1"] {
            assert_eq!(Square::from_name(name.as_bytes()), None, "{name}");
        }
        assert_eq!((Square::at(26, 0), Square::at(0, 128)), (None, None));
    }
}
