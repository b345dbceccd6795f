//! Boards as text: rows from the last rank down, separated by slashes, or ranks between bars. The size follows from the
//! text.
//!
//! ```
//! use annals_rules::amazons::Board;
//!
//! let board = Board::parse(
//!     "   +---------+
//!      3 | . B . x |
//!      2 | . . . . |
//!      1 | W . . . |
//!        +---------+
//!          a b c d",
//! )
//! .unwrap();
//! assert_eq!(board.to_short(), ".B.x/..../W...");
//! assert_eq!(Board::parse(&board.to_string()), Ok(board));
//! assert_eq!(Board::parse("[.B.x/..../W...]"), Ok(board));
//! ```

use std::fmt;

use annals_events::Side;

use super::board::{Board, BoardError, Content};
use super::size::Size;
use super::square::Square;

impl Board {
    /// Reads rows separated by slashes, with or without square brackets; or lines with the rank's number before a bar.
    /// A square is `W`, `B`, `x` (or `X`) or `.`; between bars spaces are ignored.
    ///
    /// # Errors
    /// If the text is neither, or the size is invalid.
    pub fn parse(text: &str) -> Result<Board, BoardError> {
        if text.contains('|') {
            let lines = text.lines().filter_map(|line| line.split_once('|'));
            let (labels, rows): (Vec<&str>, Vec<String>) = lines
                .map(|(label, rest)| {
                    let inner = rest.split_once('|').map_or(rest, |(inner, _)| inner);
                    (label.trim(), inner.chars().filter(|letter| !letter.is_whitespace()).collect())
                })
                .unzip();
            for (label, expected) in labels.iter().zip((1..=labels.len()).rev()) {
                if *label != expected.to_string() {
                    return Err(BoardError::Label { expected, found: label.chars().take(20).collect() });
                }
            }
            return from_rows(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let text = text.trim();
        let inner = match (text.strip_prefix('['), text.strip_suffix(']')) {
            (None, None) => text,
            (Some(rest), Some(_)) => rest.strip_suffix(']').ok_or(BoardError::Brackets)?,
            _ => return Err(BoardError::Brackets),
        };
        from_rows(&inner.split('/').collect::<Vec<_>>())
    }

    /// Rows from the last rank down, separated by slashes.
    #[must_use]
    pub fn to_short(&self) -> String {
        let rows = (0..self.size().ranks()).rev().map(|rank| self.letters(rank).collect::<String>());
        rows.collect::<Vec<_>>().join("/")
    }

    fn letters(&self, rank: u8) -> impl Iterator<Item = char> {
        (0..self.size().files()).map(move |file| match self.at(Square::new(file, rank)) {
            None => '.',
            Some(Content::Queen(Side::Gold)) => 'W',
            Some(Content::Queen(Side::Silver)) => 'B',
            Some(Content::Block) => 'x',
        })
    }
}

fn from_rows(rows: &[&str]) -> Result<Board, BoardError> {
    let length = |row: &str| row.chars().count();
    let files = rows.first().map_or(0, |row| length(row));
    for (rank, row) in (1..=rows.len()).rev().zip(rows) {
        if length(row) != files {
            return Err(BoardError::Uneven { rank, found: length(row), expected: files });
        }
    }
    let size = Size::new(files, rows.len())?;
    let mut sets = [0u128; 3];
    for (rank, row) in (0..size.ranks()).rev().zip(rows) {
        for (file, letter) in (0..size.files()).zip(row.chars()) {
            let square = Square::new(file, rank);
            let set = match letter {
                '.' => continue,
                'W' => 0,
                'B' => 1,
                'x' | 'X' => 2,
                found => return Err(BoardError::Letter { square, found }),
            };
            sets[set] |= size.bit(square);
        }
    }
    Ok(Board::from_sets(size, [sets[0], sets[1]], sets[2]))
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = self.size().files();
        let border = "-".repeat(2 * usize::from(files) + 1);
        writeln!(f, "    +{border}+")?;
        for rank in (0..self.size().ranks()).rev() {
            write!(f, "{:>3} |", u16::from(rank) + 1)?;
            for letter in self.letters(rank) {
                write!(f, " {letter}")?;
            }
            writeln!(f, " |")?;
        }
        write!(f, "    +{border}+\n     ")?;
        (0..files).try_for_each(|file| write!(f, " {}", (b'a' + file) as char))
    }
}
