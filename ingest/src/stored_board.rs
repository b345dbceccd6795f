//! A board in the dataset: 34 bytes for either game, so that one column of fixed width holds both.
//!
//! * Arimaa: four bit planes of the piece code, 8 bytes each, little-endian; then two zeros.
//! * Amazons: two bits for each square, along the ranks from a1, the lowest bits first (0 vacant, 1 White, 2 Black, 3
//!   blocked), padded to 32 bytes; then the number of files and that of ranks. The largest board has 128 squares, which fit.
//!
//! ```
//! use annals_ingest::stored_board::StoredBoard;
//! use annals_rules::amazons::Board;
//!
//! let board = StoredBoard::Amazons(Board::parse(".B.x/..../W...").unwrap());
//! let bytes = board.to_bytes();
//! assert_eq!((bytes[0], bytes[2], &bytes[32..]), (0b01, 0b1100_1000, [4, 3].as_slice()));
//! assert_eq!(StoredBoard::from_bytes(&bytes), Ok(board));
//! ```

use annals_events::Side;
use annals_rules::{amazons, arimaa};

pub const WIDTH: usize = 34;

/// Before the size.
const SQUARES: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredBoard {
    Arimaa(arimaa::Board),
    Amazons(amazons::Board),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoredBoardError {
    #[error("no board: {0} bytes, a board has {WIDTH}")]
    Width(usize),
    #[error(transparent)]
    Arimaa(#[from] arimaa::BoardError),
    #[error(transparent)]
    Amazons(#[from] amazons::BoardError),
}

impl StoredBoard {
    #[must_use]
    pub fn to_bytes(&self) -> [u8; WIDTH] {
        match self {
            StoredBoard::Arimaa(board) => of_planes(board.planes()),
            StoredBoard::Amazons(board) => of_amazons(board),
        }
    }

    /// Also reads the 32 bytes of Arimaa's planes alone.
    ///
    /// # Errors
    /// If they are not a board.
    pub fn from_bytes(bytes: &[u8]) -> Result<StoredBoard, StoredBoardError> {
        if let Some(planes) = planes(bytes) {
            return Ok(StoredBoard::Arimaa(arimaa::Board::from_planes(planes)?));
        }
        let bytes: &[u8; WIDTH] = bytes.try_into().map_err(|_| StoredBoardError::Width(bytes.len()))?;
        Ok(StoredBoard::Amazons(to_amazons(bytes)?))
    }

    #[must_use]
    pub fn to_short(&self) -> String {
        match self {
            StoredBoard::Arimaa(board) => board.to_short(),
            StoredBoard::Amazons(board) => board.to_short(),
        }
    }
}

impl std::fmt::Display for StoredBoard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoredBoard::Arimaa(board) => board.fmt(f),
            StoredBoard::Amazons(board) => board.fmt(f),
        }
    }
}

/// Unchecked planes of a stored Arimaa board; none for another game, or too few bytes.
#[inline]
#[must_use]
pub fn planes(bytes: &[u8]) -> Option<[u64; 4]> {
    let (squares, size) = bytes.split_at_checked(SQUARES)?;
    if !matches!(size, [] | [0, 0]) {
        return None;
    }
    let (words, _) = squares.as_chunks::<8>();
    let [a, b, c, d] = words else { return None };
    Some([a, b, c, d].map(|word| u64::from_le_bytes(*word)))
}

#[inline]
#[must_use]
pub fn of_planes(planes: [u64; 4]) -> [u8; WIDTH] {
    let mut bytes = [0; WIDTH];
    for (chunk, plane) in bytes.chunks_exact_mut(8).zip(planes) {
        chunk.copy_from_slice(&plane.to_le_bytes());
    }
    bytes
}

/// Along the ranks from a1.
fn number(size: amazons::Size, square: amazons::Square) -> usize {
    usize::from(square.rank()) * usize::from(size.files()) + usize::from(square.file())
}

fn of_amazons(board: &amazons::Board) -> [u8; WIDTH] {
    let mut bytes = [0; WIDTH];
    let size = board.size();
    let sets = [(board.queens(Side::Gold), 1), (board.queens(Side::Silver), 2), (board.blocks(), 3)];
    for (set, code) in sets {
        for square in size.squares(set) {
            let at = number(size, square);
            if let Some(byte) = bytes.get_mut(at / 4) {
                *byte |= code << (2 * (at % 4));
            }
        }
    }
    bytes[SQUARES] = size.files();
    bytes[SQUARES + 1] = size.ranks();
    bytes
}

fn to_amazons(bytes: &[u8; WIDTH]) -> Result<amazons::Board, amazons::BoardError> {
    let size = amazons::Size::new(usize::from(bytes[SQUARES]), usize::from(bytes[SQUARES + 1]))?;
    let mut sets: [Vec<amazons::Square>; 3] = Default::default();
    for square in size.squares(size.all()) {
        let at = number(size, square);
        let code = bytes.get(at / 4).map_or(0, |byte| byte >> (2 * (at % 4)) & 3);
        if let Some(set) = usize::from(code).checked_sub(1).and_then(|set| sets.get_mut(set)) {
            set.push(square);
        }
    }
    amazons::Board::new(size, [&sets[0], &sets[1]], &sets[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_board_of_any_size_survives_its_bytes(
            files in 1usize..=26,
            ranks in 1usize..=128,
            squares in prop::collection::vec(0u8..4, 128),
        ) {
            let Ok(size) = amazons::Size::new(files, ranks) else { return Ok(()) };
            let of = |code: u8| -> Vec<amazons::Square> {
                let all = size.squares(size.all()).zip(&squares);
                all.filter(|(_, found)| **found == code).map(|(square, _)| square).collect()
            };
            let board = amazons::Board::new(size, [&of(1), &of(2)], &of(3)).unwrap();
            let stored = StoredBoard::Amazons(board);
            prop_assert_eq!(StoredBoard::from_bytes(&stored.to_bytes()), Ok(stored));
            prop_assert_eq!(planes(&stored.to_bytes()), None);
        }

        #[test]
        fn no_bytes_make_the_reader_fall_over(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(board) = StoredBoard::from_bytes(&bytes) {
                prop_assert_eq!(StoredBoard::from_bytes(&board.to_bytes()), Ok(board));
            }
        }
    }

    #[test]
    fn a_board_of_arimaa_is_its_planes_and_two_zeros() {
        let text = "rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR";
        let board = arimaa::Board::parse(text).unwrap();
        let stored = StoredBoard::Arimaa(board);
        let bytes = stored.to_bytes();
        assert_eq!((planes(&bytes), &bytes[32..]), (Some(board.planes()), [0, 0].as_slice()));
        assert_eq!(StoredBoard::from_bytes(&bytes), Ok(stored));
        assert_eq!(StoredBoard::from_bytes(&bytes[..32]), Ok(stored));
        assert_eq!(StoredBoard::from_bytes(&bytes[..33]), Err(StoredBoardError::Width(33)));
    }
}
