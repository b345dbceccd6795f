//! Board sizes up to 128 squares, numbered from a1 along the ranks, with derived tables: steps on the board, rays of
//! squares.

use std::fmt;

use super::square::Square;

/// At most 26 files and 128 squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    files: u8,
    ranks: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no board has {files} files and {ranks} ranks: there are 1 to 26 files, and 1 to 128 squares")]
pub struct SizeError {
    pub files: usize,
    pub ranks: usize,
}

impl Size {
    /// Ten by ten, the default.
    pub const STANDARD: Size = Size { files: 10, ranks: 10 };

    /// # Errors
    /// With too many files or squares, or none.
    pub fn new(files: usize, ranks: usize) -> Result<Size, SizeError> {
        let error = SizeError { files, ranks };
        let (Ok(f), Ok(r)) = (u8::try_from(files), u8::try_from(ranks)) else { return Err(error) };
        let fits = f <= Square::MOST_FILES && (1..=128).contains(&(u16::from(f) * u16::from(r)));
        if fits { Ok(Size { files: f, ranks: r }) } else { Err(error) }
    }

    #[inline]
    #[must_use]
    pub const fn files(self) -> u8 {
        self.files
    }

    #[inline]
    #[must_use]
    pub const fn ranks(self) -> u8 {
        self.ranks
    }

    #[inline]
    #[must_use]
    pub const fn count(self) -> u8 {
        self.files * self.ranks
    }

    #[must_use]
    pub const fn is_square(self) -> bool {
        self.files == self.ranks
    }

    #[inline]
    #[must_use]
    pub const fn has(self, square: Square) -> bool {
        square.file() < self.files && square.rank() < self.ranks
    }

    /// The corner opposite a1.
    #[must_use]
    pub const fn last(self) -> Square {
        Square::new(self.files - 1, self.ranks - 1)
    }

    /// Empty off the board.
    #[inline]
    #[must_use]
    pub fn bit(self, square: Square) -> u128 {
        if self.has(square) { BITS[(self.index(square) & 127) as usize] } else { 0 }
    }

    /// For a square on the board.
    #[inline]
    pub(super) fn bit_on_board(self, square: Square) -> u128 {
        BITS[usize::from(self.index(square) & 127)]
    }

    #[inline]
    pub(super) const fn index(self, square: Square) -> u8 {
        square.rank().wrapping_mul(self.files).wrapping_add(square.file())
    }

    #[inline]
    pub(super) fn by_number(self) -> &'static [Square; 128] {
        &SQUARES[(self.files % 27) as usize]
    }

    #[inline]
    #[must_use]
    pub const fn all(self) -> u128 {
        u128::MAX >> (128 - self.count() as u32)
    }

    /// From the opposite corner: a1 and the last square exchange, and so on.
    #[inline]
    pub(super) const fn reversed(self, set: u128) -> u128 {
        set.reverse_bits() >> (128 - self.count() as u32)
    }

    /// From a1 on.
    pub fn squares(self, set: u128) -> impl Iterator<Item = Square> {
        let squares = self.by_number();
        ones(set & self.all()).map(move |i| squares[i & 127])
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.files, self.ranks)
    }
}

/// One bit each: a load is faster than a shift of 128 bits.
static BITS: [u128; 128] = {
    let mut table = [0; 128];
    let mut i = 0;
    while i < 128 {
        table[i] = 1 << i;
        i += 1;
    }
    table
};

static SQUARES: [[Square; 128]; 27] = {
    let mut table = [[Square::new(0, 0); 128]; 27];
    let mut files = 1;
    while files < 27 {
        let mut i = 0;
        while i < 128 {
            table[files][i] = Square::new((i % files) as u8, (i / files) as u8);
            i += 1;
        }
        files += 1;
    }
    table
};

/// The a-file by number of files, on an infinite board.
static FIRST_FILE: [u128; 27] = {
    let mut table = [0; 27];
    let mut files = 1;
    while files < 27 {
        let mut i = 0;
        while i < 128 {
            table[files] |= 1 << i;
            i += files;
        }
        files += 1;
    }
    table
};

/// Population count without multiplication, faster on processors without the instruction.
#[inline(always)]
pub(super) fn members(set: u128) -> u32 {
    const ODD: u64 = 0x5555_5555_5555_5555;
    const PAIRS: u64 = 0x3333_3333_3333_3333;
    const NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let fours = |word: u64| {
        let twos = word - (word >> 1 & ODD);
        (twos & PAIRS) + (twos >> 2 & PAIRS)
    };
    let both = fours(set as u64) + fours((set >> 64) as u64);
    let bytes = (both & NIBBLES) + (both >> 4 & NIBBLES);
    let words = bytes + (bytes >> 8);
    let words = words + (words >> 16);
    ((words + (words >> 32)) & 0xff) as u32
}

/// Square numbers in order.
#[inline(always)]
pub(super) fn ones(set: u128) -> Ones {
    Ones { low: set as u64, high: (set >> 64) as u64 }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Ones {
    low: u64,
    high: u64,
}

impl Iterator for Ones {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let (word, first) = if self.low != 0 { (&mut self.low, 0) } else { (&mut self.high, 64) };
        if *word == 0 {
            return None;
        }
        let i = word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(first + i)
    }

    /// By words, which is faster than testing which word is next.
    #[inline(always)]
    fn fold<T, F: FnMut(T, usize) -> T>(self, init: T, mut with: F) -> T {
        let mut folded = init;
        for (mut word, first) in [(self.low, 0), (self.high, 64)] {
            while word != 0 {
                folded = with(folded, first + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
        folded
    }
}

/// The four directions of rising numbers (east, north-west, north, north-east), used both ways: the number difference,
/// and the squares from which a step stays on the board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ways {
    pub(super) by: [u32; 4],
    pub(super) ahead: [u128; 4],
    pub(super) behind: [u128; 4],
}

impl Ways {
    #[inline(always)]
    pub(super) fn of(size: Size) -> Ways {
        let (files, all) = (u32::from(size.files), size.all());
        let first = FIRST_FILE[(size.files % 27) as usize];
        let (not_first, not_last) = (all & !first, all & !(first << (files - 1)));
        Ways {
            by: [1, files - 1, files, files + 1],
            ahead: [not_last, not_first, all, not_last],
            behind: [not_first, not_last, all, not_first],
        }
    }
}

/// Squares ahead on the four rising rays, to the edge.
pub(super) type Rays = [u128; 4];

/// Computed by walking.
const fn rays(files: u8, ranks: u8, square: u8) -> Rays {
    const STEPS: [(i16, i16); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut rays = [0; 4];
    let mut way = 0;
    while way < 4 {
        let (mut file, mut rank) =
            ((square % files) as i16 + STEPS[way].0, (square / files) as i16 + STEPS[way].1);
        while file >= 0 && file < files as i16 && rank < ranks as i16 {
            rays[way] |= 1 << (rank * files as i16 + file);
            (file, rank) = (file + STEPS[way].0, rank + STEPS[way].1);
        }
        way += 1;
    }
    rays
}

/// With rays of no square after the last one.
const fn table(files: u8, ranks: u8) -> [Rays; 128] {
    let mut table = [[0; 4]; 128];
    let mut i = 0;
    while i < files * ranks {
        table[i as usize] = rays(files, ranks, i);
        i += 1;
    }
    table
}

static RAYS_10: [Rays; 128] = table(10, 10);
static RAYS_8: [Rays; 128] = table(8, 8);

impl Size {
    /// From tables for the two common sizes, computed for others.
    #[inline(always)]
    pub(super) fn rays(self, square: usize) -> Rays {
        match self {
            Size { files: 10, ranks: 10 } => RAYS_10[square & 127],
            Size { files: 8, ranks: 8 } => RAYS_8[square & 127],
            _ => rays(self.files, self.ranks, square as u8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> impl Iterator<Item = Size> {
        (1..=26).flat_map(|files| (1..=128 / files).map(move |ranks| Size::new(files, ranks).unwrap()))
    }

    #[test]
    fn a_size_has_up_to_26_files_and_128_squares() {
        assert_eq!(sizes().count(), 483);
        for (files, ranks) in
            [(0, 1), (1, 0), (27, 1), (1, 129), (12, 11), (26, 5), (usize::MAX, 2), (16, 16)]
        {
            assert_eq!(Size::new(files, ranks), Err(SizeError { files, ranks }));
        }
        assert_eq!(Size::new(10, 10), Ok(Size::STANDARD));
    }

    #[test]
    fn squares_numbers_and_sets_agree_on_every_size() {
        for size in sizes() {
            assert_eq!(size.all().count_ones(), u32::from(size.count()));
            let squares: Vec<Square> = size.squares(size.all()).collect();
            for (i, square) in squares.iter().enumerate() {
                assert!(size.has(*square));
                assert_eq!(usize::from(size.index(*square)), i);
                assert_eq!(size.reversed(size.bit(*square)), size.bit(squares[squares.len() - 1 - i]));
            }
            assert_eq!(squares.last(), Some(&size.last()));
            let beyond = Square::new(size.files(), 0);
            assert!(!size.has(beyond) && size.bit(beyond) == 0);
        }
    }

    #[test]
    fn rays_are_single_steps_repeated_on_every_size() {
        for size in sizes() {
            let ways = Ways::of(size);
            for i in 0..usize::from(size.count()) {
                for (way, ray) in size.rays(i).into_iter().enumerate() {
                    let (mut walked, mut here) = (0, 1u128 << i);
                    while here != 0 {
                        let next = (here & ways.ahead[way]) << ways.by[way] & size.all();
                        assert!(next == 0 || (next & ways.behind[way]) >> ways.by[way] == here, "{size}");
                        walked |= next;
                        here = next;
                    }
                    assert_eq!(walked, ray, "{size}, square {i}, way {way}");
                }
            }
        }
    }
}
