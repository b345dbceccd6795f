//! Boards as text: the gameroom's ranks between bars, and the 64 letters of the engine protocol.
//!
//! ```
//! use annals_rules::arimaa::Board;
//!
//! let board = Board::parse(
//!     " +-----------------+
//!      8| r r r d d r r r |
//!      7| r h c m e c h r |
//!      6|     x     x     |
//!      5|                 |
//!      4|                 |
//!      3|     x     x     |
//!      2| R H C E M C H R |
//!      1| R R R D D R R R |
//!       +-----------------+
//!         a b c d e f g h",
//! )
//! .unwrap();
//! assert_eq!(board.to_short(), "rrrddrrrrhcmechr................................RHCEMCHRRRRDDRRR");
//! assert_eq!(Board::parse(&board.to_string()), Ok(board));
//! assert_eq!(Board::parse(&board.to_short()), Ok(board));
//! ```

use std::fmt;

use super::board::{Board, BoardError};
use super::piece::{self, LETTER_CODES};
use super::square::Square;

impl Board {
    /// Reads either text. Long: eight lines from `8|` to `1|` with any surroundings, a file's piece at every other
    /// character; a second bar and trailing empty squares may be missing. Short: 64 characters from a8 to h8 down to a1
    /// to h1, with or without square brackets. An empty square is a space or `.`, a trap also `x` or `X`.
    ///
    /// # Errors
    /// If the text is neither, or the board is invalid.
    pub fn parse(text: &str) -> Result<Board, BoardError> {
        if text.contains('|') { parse_long(text) } else { parse_short(text) }
    }

    /// 64 characters from a8 to h8 down to a1 to h1, `.` for empty.
    #[must_use]
    pub fn to_short(&self) -> String {
        short_order().map(|square| piece::code_letter(self.code_at(square)) as char).collect()
    }
}

/// a8 to h8, a7 to h7, down to h1.
fn short_order() -> impl Iterator<Item = Square> {
    Square::all().map(|square| Square::masked(square.index() ^ 56))
}

fn code_of(square: Square, letter: char) -> Result<u8, BoardError> {
    let code = u8::try_from(letter).map_or(0, |letter| LETTER_CODES[letter as usize]);
    match letter {
        ' ' | '.' => Ok(0),
        'x' | 'X' if square.is_trap() => Ok(0),
        _ if code != 0 => Ok(code),
        found => Err(BoardError::Letter { square, found }),
    }
}

fn parse_short(text: &str) -> Result<Board, BoardError> {
    let shape = |count: usize| {
        BoardError::Shape(format!(
            "{count} squares where 64 are wanted (a8 to h8 first, a1 to h1 last, `.` or space for an empty one)"
        ))
    };
    let inner = match text.find('[') {
        Some(open) => {
            let rest = &text[open + 1..];
            let (inner, after) =
                rest.split_once(']').ok_or_else(|| BoardError::Shape("`[` without `]`".to_owned()))?;
            if let Some(around) = [&text[..open], after].map(str::trim).iter().find(|text| !text.is_empty()) {
                let around: String = around.chars().take(20).collect();
                return Err(BoardError::Shape(format!("`{around}` stands outside of the brackets")));
            }
            inner
        }
        // Spaces are squares: surrounding ones can be dropped only if there are too many.
        None => match text.trim_matches(['\r', '\n', '\t']) {
            line if line.chars().count() == 64 => line,
            line => line.trim(),
        },
    };
    let count = inner.chars().count();
    if count != 64 {
        return Err(shape(count));
    }
    let mut pieces = Vec::with_capacity(32);
    for (square, letter) in short_order().zip(inner.chars()) {
        if let Some((side, piece)) = piece::from_code(code_of(square, letter)?) {
            pieces.push((square, side, piece));
        }
    }
    Board::from_pieces(pieces)
}

fn parse_long(text: &str) -> Result<Board, BoardError> {
    let mut ranks = [false; 8];
    let mut pieces = Vec::with_capacity(32);
    for line in text.lines() {
        let Some((label, rest)) = line.split_once('|') else { continue };
        let rank = match label.trim().as_bytes() {
            [digit @ b'1'..=b'8'] => digit - b'1',
            _ => {
                let label: String = label.chars().take(20).collect();
                return Err(BoardError::Shape(format!("`{label}` before the bar is no rank from 1 to 8")));
            }
        };
        if std::mem::replace(&mut ranks[rank as usize], true) {
            return Err(BoardError::Shape(format!("rank {} stands there twice", rank + 1)));
        }
        let inner = rest.split_once('|').map_or(rest, |(inner, _)| inner);
        let dense = rest.contains('|') && inner.chars().count() == 8;
        for (i, letter) in inner.chars().enumerate() {
            let file = if dense { i } else { i / 2 };
            let between = !dense && i % 2 == 0;
            match u8::try_from(file).ok().and_then(|file| Square::at(file, rank)) {
                Some(square) if !between => {
                    if let Some((side, piece)) = piece::from_code(code_of(square, letter)?) {
                        pieces.push((square, side, piece));
                    }
                }
                _ if letter.is_whitespace() => {}
                _ => {
                    let why = format!("`{letter}` stands between the squares of rank {}", rank + 1);
                    return Err(BoardError::Shape(why));
                }
            }
        }
    }
    match ranks.iter().rposition(|seen| !seen) {
        Some(rank) => Err(BoardError::Shape(format!("rank {} is missing", rank + 1))),
        None => Board::from_pieces(pieces),
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, " +-----------------+")?;
        for rank in (0..8).rev() {
            write!(f, "{}|", rank + 1)?;
            for file in 0..8 {
                let square = Square::masked(rank * 8 + file);
                let letter = match piece::code_letter(self.code_at(square)) {
                    b'.' if square.is_trap() => 'x',
                    b'.' => ' ',
                    letter => letter as char,
                };
                write!(f, " {letter}")?;
            }
            writeln!(f, " |")?;
        }
        writeln!(f, " +-----------------+")?;
        write!(f, "   a b c d e f g h")
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.to_short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(square: &str, letter: char) -> String {
        let bytes: [u8; 2] = square.as_bytes().try_into().unwrap();
        let index = Square::from_name(&bytes).unwrap().index() ^ 56;
        let mut text = vec!['.'; 64];
        text[index as usize] = letter;
        text.into_iter().collect()
    }

    #[test]
    fn a_board_that_cannot_be_is_refused_with_its_reason() {
        let error = |text: &str| Board::parse(text).unwrap_err().to_string();
        assert!(error(&with("c3", 'R')).contains("on the trap c3 has no friend"));
        assert!(error(&with("d4", 'x')).contains("d4 holds 'x'"));
        assert!(error(&with("d4", 'Q')).contains("d4 holds 'Q'"));
        assert!(error(&"E".repeat(64)).contains("gold has 64 elephants, and starts with 1"));
        assert!(error("....").contains("4 squares where 64 are wanted"));
        assert!(error("[....").contains("without"));
        assert!(error(&format!("[{}] Ra1n", Board::EMPTY.to_short())).contains("`Ra1n` stands outside"));
        assert!(error(&format!("at [{}]", Board::EMPTY.to_short())).contains("`at` stands outside"));
        assert!(error("8| r |\n8| r |").contains("rank 8 stands there twice"));
        assert!(error("8| r |").contains("rank 7 is missing"));
        assert!(error("9| r |").contains("no rank from 1 to 8"));
        assert!(error("8|rr |").contains("between the squares"));
    }

    #[test]
    fn the_short_text_may_have_brackets_spaces_and_marked_traps() {
        let plain = Board::parse(&with("c3", 'x')).unwrap();
        assert_eq!(plain, Board::EMPTY);
        let spaced = format!("[{}]", with("a8", 'r').replace('.', " "));
        let board = Board::parse(&spaced).unwrap();
        assert_eq!(board.to_short(), with("a8", 'r'));
        assert_eq!(Board::parse(&" ".repeat(64)), Ok(Board::EMPTY));
    }

    #[test]
    fn a_rank_may_be_cut_short_or_dense() {
        let text = "8|r.......|\n7|\n6|  \n5| . . . .\n4||\n3| . . x\n2|\n1|.......R|";
        let board = Board::parse(text).unwrap();
        assert_eq!(board.to_short(), format!("r{}R", ".".repeat(62)));
    }

    #[test]
    fn planes_that_are_no_pieces_are_refused() {
        assert_eq!(Board::from_planes([1, 1, 1, 0]), Err(BoardError::Code(Square::masked(0))));
        assert_eq!(Board::from_planes([0, 0, 0, 4]), Err(BoardError::Code(Square::masked(2))));
        assert!(Board::from_planes([1, 0, 0, 0]).is_ok());
    }
}
