//! The six kinds of piece, their letters, and four-bit codes.

use std::fmt;

use annals_events::Side;

/// From weakest to strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Piece {
    /// Never steps backwards; wins on the far rank.
    Rabbit,
    Cat,
    Dog,
    Horse,
    /// Letter `M`, since the cat has `C`.
    Camel,
    Elephant,
}

impl Piece {
    /// From weakest to strongest.
    pub const ALL: [Piece; 6] =
        [Piece::Rabbit, Piece::Cat, Piece::Dog, Piece::Horse, Piece::Camel, Piece::Elephant];

    /// The most per side.
    #[must_use]
    pub const fn most(self) -> u32 {
        match self {
            Piece::Rabbit => 8,
            Piece::Cat | Piece::Dog | Piece::Horse => 2,
            Piece::Camel | Piece::Elephant => 1,
        }
    }

    /// 0 for the rabbit to 5 for the elephant.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Upper case for Gold, lower case for Silver.
    #[must_use]
    pub const fn letter(self, side: Side) -> char {
        let upper = b"RCDHME"[self as usize];
        match side {
            Side::Gold => upper as char,
            Side::Silver => upper.to_ascii_lowercase() as char,
        }
    }

    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<(Side, Piece)> {
        from_code(LETTER_CODES[letter as usize])
    }

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Piece::Rabbit => "rabbit",
            Piece::Cat => "cat",
            Piece::Dog => "dog",
            Piece::Horse => "horse",
            Piece::Camel => "camel",
            Piece::Elephant => "elephant",
        }
    }

    const fn from_rank(rank: u8) -> Option<Piece> {
        match rank {
            1 => Some(Piece::Rabbit),
            2 => Some(Piece::Cat),
            3 => Some(Piece::Dog),
            4 => Some(Piece::Horse),
            5 => Some(Piece::Camel),
            6 => Some(Piece::Elephant),
            _ => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// 1 to 6 for Gold's rabbit to elephant, 9 to 14 for Silver's; 0 is empty. Part of the dataset's format; never changes.
#[inline]
#[must_use]
pub const fn code(side: Side, piece: Piece) -> u8 {
    (piece as u8 + 1) | (side as u8) << 3
}

/// None for empty or invalid codes.
#[inline]
#[must_use]
pub const fn from_code(code: u8) -> Option<(Side, Piece)> {
    let side = if code & 8 == 0 { Side::Gold } else { Side::Silver };
    match Piece::from_rank(code & 7) {
        Some(piece) if code < 16 => Some((side, piece)),
        _ => None,
    }
}

/// For a valid code.
#[inline]
pub(crate) fn of_code(code: u8) -> Piece {
    Piece::ALL[(code & 7).saturating_sub(1).min(5) as usize]
}

/// Codes by letter; 0 for other bytes.
pub(crate) static LETTER_CODES: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 6 {
        let letter = b"RCDHME"[i];
        table[letter as usize] = i as u8 + 1;
        table[letter.to_ascii_lowercase() as usize] = (i as u8 + 1) | 8;
        i += 1;
    }
    table
};

/// `.` for empty.
pub(crate) const fn code_letter(code: u8) -> u8 {
    b".RCDHME..rcdhme."[(code & 15) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_survives_its_letter_and_its_code() {
        for side in Side::BOTH {
            for piece in Piece::ALL {
                assert_eq!(Piece::from_letter(piece.letter(side) as u8), Some((side, piece)));
                assert_eq!(from_code(code(side, piece)), Some((side, piece)));
                assert_eq!(code_letter(code(side, piece)) as char, piece.letter(side));
            }
        }
        assert_eq!((0..=255).filter(|&l| Piece::from_letter(l).is_some()).count(), 12);
        assert_eq!((0..=255).filter(|&c| from_code(c).is_some()).count(), 12);
        assert_eq!(Piece::ALL.iter().map(|p| p.most()).sum::<u32>(), 16);
    }
}
