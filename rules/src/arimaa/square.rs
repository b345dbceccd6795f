//! Squares and directions. A square is a number from 0 (a1) to 63 (h8), files first: h1 is 7, a2 is 8.

use std::fmt;

/// 0 is a1, 7 is h1, 63 is h8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// c3, f3, c6 and f6.
    pub const TRAPS: [Square; 4] = [Square(18), Square(21), Square(42), Square(45)];

    /// Below 64.
    #[must_use]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// From the low six bits.
    pub(crate) const fn masked(index: u8) -> Square {
        Square(index & 63)
    }

    /// Both from 0 to 7.
    #[must_use]
    pub const fn at(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 { Some(Square(rank * 8 + file)) } else { None }
    }

    /// `a1` to `h8`.
    #[must_use]
    pub const fn from_name(name: &[u8; 2]) -> Option<Square> {
        Square::at(name[0].wrapping_sub(b'a'), name[1].wrapping_sub(b'1'))
    }

    /// 0 to 63.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// 0 for the a-file.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank (Gold's).
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set of this square.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// a1 and h1 exchange.
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square(self.0 ^ 7)
    }

    /// a1 and h8 exchange.
    #[must_use]
    pub const fn rotated(self) -> Square {
        Square(63 - self.0)
    }

    /// None off the board.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Option<Square> {
        match direction {
            Direction::North if self.0 < 56 => Some(Square(self.0 + 8)),
            Direction::East if self.0 & 7 != 7 => Some(Square(self.0 + 1)),
            Direction::South if self.0 >= 8 => Some(Square(self.0 - 8)),
            Direction::West if self.0 & 7 != 0 => Some(Square(self.0 - 1)),
            _ => None,
        }
    }

    #[must_use]
    pub const fn is_trap(self) -> bool {
        matches!(self.0, 18 | 21 | 42 | 45)
    }

    /// From a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64u8).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

/// From Gold's side: north is towards the eighth rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    North,
    East,
    South,
    West,
}

impl Direction {
    /// Clockwise from north.
    pub const ALL: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];

    /// `n`, `e`, `s` or `w`.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Direction> {
        match letter {
            b'n' => Some(Direction::North),
            b'e' => Some(Direction::East),
            b's' => Some(Direction::South),
            b'w' => Some(Direction::West),
            _ => None,
        }
    }

    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Direction::North => 'n',
            Direction::East => 'e',
            Direction::South => 's',
            Direction::West => 'w',
        }
    }

    #[must_use]
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::North => Direction::South,
            Direction::East => Direction::West,
            Direction::South => Direction::North,
            Direction::West => Direction::East,
        }
    }

    /// None if the squares are not adjacent.
    #[must_use]
    pub fn between(from: Square, to: Square) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&d| from.step(d) == Some(to))
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_survives_its_name_and_its_number() {
        for square in Square::all() {
            let name = square.to_string();
            let bytes: [u8; 2] = name.as_bytes().try_into().unwrap();
            assert_eq!(Square::from_name(&bytes), Some(square));
            assert_eq!(Square::new(square.index()), Some(square));
            assert_eq!(Square::at(square.file(), square.rank()), Some(square));
        }
        assert_eq!(Square::from_name(b"a1").map(Square::index), Some(0));
        assert_eq!(Square::from_name(b"h1").map(Square::index), Some(7));
        assert_eq!(Square::from_name(b"h8").map(Square::index), Some(63));
        assert_eq!(Square::from_name(b"i1"), None);
        assert_eq!(Square::from_name(b"a9"), None);
        assert_eq!(Square::from_name(b"A1"), None);
        assert_eq!(Square::new(64), None);
    }

    #[test]
    fn a_step_and_the_step_back_return_to_the_square() {
        let mut steps = 0;
        for square in Square::all() {
            for direction in Direction::ALL {
                if let Some(next) = square.step(direction) {
                    steps += 1;
                    assert_eq!(next.step(direction.opposite()), Some(square));
                    assert_eq!(Direction::between(square, next), Some(direction));
                }
            }
        }
        assert_eq!(steps, 2 * 2 * 7 * 8);
    }

    #[test]
    fn the_traps_are_c3_f3_c6_and_f6() {
        assert_eq!(Square::TRAPS.map(|t| t.to_string()), ["c3", "f3", "c6", "f6"]);
        assert_eq!(Square::all().filter(|s| s.is_trap()).collect::<Vec<_>>(), Square::TRAPS);
    }
}
