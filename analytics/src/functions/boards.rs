//! Functions on a board alone. In Arimaa they work on the four bit-planes: plane k holds bit k of the code of the piece on each
//! square (0 empty, 1 to 6 gold's RCDHME, 9 to 14 silver's).

use std::sync::Arc;

use annals_events::Side;
use annals_ingest::stored_board::{StoredBoard, WIDTH, of_planes};
use annals_rules::amazons::{self, Content, Symmetry};
use annals_rules::arimaa::Square;
use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, FixedSizeBinaryBuilder, Int64Builder, StringBuilder,
};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;

use super::BOARD_BYTES;
use super::arguments::{AnyBoard, Boards, Texts, refused};
use crate::pattern::Pattern;

pub(super) fn board_text(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("board_text", &arguments[0])?;
    texts(rows, |row| Ok(boards.get_checked(row)?.map(|board| board.to_string())))
}

pub(super) fn board_short(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("board_short", &arguments[0])?;
    texts(rows, |row| Ok(boards.get_checked(row)?.map(|board| board.to_short())))
}

pub(super) fn board_of(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("board_of", &arguments[0])?;
    boards_out(rows, |row| {
        Ok(boards.get(row)?.map(|board| match board {
            AnyBoard::Arimaa(planes) => of_planes(planes),
            AnyBoard::Amazons(board) => StoredBoard::Amazons(board).to_bytes(),
        }))
    })
}

pub(super) fn mirror(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("mirror", &arguments[0])?;
    boards_out(rows, |row| Ok(boards.get_checked(row)?.map(|board| mirrored(&board).to_bytes())))
}

pub(super) fn rotate(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("rotate", &arguments[0])?;
    boards_out(rows, |row| Ok(boards.get_checked(row)?.map(|board| rotated(&board).to_bytes())))
}

pub(super) fn piece_at(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("piece_at", &arguments[0])?;
    let squares = Texts::new(&arguments[1], |text| {
        amazons::Square::from_name(text.as_bytes()).ok_or_else(|| {
            refused("piece_at", text, "is no square: a1 to h8 are the squares, on larger boards those beyond")
        })
    })?;
    texts(rows, |row| {
        let (Some(board), Some(square)) = (boards.get(row)?, squares.get(row)?) else { return Ok(None) };
        Ok(match board {
            AnyBoard::Arimaa(planes) => in_arimaa(square).and_then(|square| letter(code_at(planes, square))),
            AnyBoard::Amazons(board) => board.at(square).map(|content| sign(content).to_owned()),
        })
    })
}

pub(super) fn count_piece(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("count_piece", &arguments[0])?;
    let wanted = Texts::new(&arguments[1], |text| {
        Wanted::parse(text).ok_or_else(|| {
            refused(
                "count_piece",
                text,
                "is no piece: RCDHME are gold's, rcdhme silver's, + and - all of a side; in the Amazons W, B and x",
            )
        })
    })?;
    let mut out = Int64Builder::with_capacity(rows);
    for row in 0..rows {
        let (Some(board), Some(wanted)) = (boards.get(row)?, wanted.get(row)?) else {
            out.append_null();
            continue;
        };
        out.append_option(match board {
            AnyBoard::Arimaa(planes) => wanted.squares(planes).map(|set| i64::from(set.count_ones())),
            AnyBoard::Amazons(board) => wanted.set(&board).map(|set| i64::from(set.count_ones())),
        });
    }
    Ok(Arc::new(out.finish()))
}

pub(super) fn board_matches(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("board_matches", &arguments[0])?;
    let patterns = Texts::new(&arguments[1], |text| {
        Pattern::parse(text).map_err(|why| refused("board_matches", text, format!("is no pattern: {why}")))
    })?;
    let mut out = BooleanBuilder::with_capacity(rows);
    for row in 0..rows {
        match (boards.get(row)?, patterns.get(row)?) {
            (Some(AnyBoard::Arimaa(planes)), Some(pattern)) => out.append_value(pattern.matches(planes)),
            // Patterns are for boards of Arimaa.
            (Some(AnyBoard::Amazons(_)), Some(_)) => out.append_value(false),
            _ => out.append_null(),
        }
    }
    Ok(Arc::new(out.finish()))
}

fn mirrored(board: &StoredBoard) -> StoredBoard {
    match board {
        StoredBoard::Arimaa(board) => StoredBoard::Arimaa(board.mirrored()),
        StoredBoard::Amazons(board) => StoredBoard::Amazons(turned(board, 1)),
    }
}

fn rotated(board: &StoredBoard) -> StoredBoard {
    match board {
        StoredBoard::Arimaa(board) => StoredBoard::Arimaa(board.rotated()),
        StoredBoard::Amazons(board) => {
            let board = turned(board, 3);
            let squares = |set| board.size().squares(set).collect::<Vec<_>>();
            let [white, black] = Side::BOTH.map(|side| squares(board.queens(side)));
            // The sets are those of a board, so they are disjoint and on it.
            let exchanged = amazons::Board::new(board.size(), [&black, &white], &squares(board.blocks()));
            StoredBoard::Amazons(exchanged.unwrap_or(board))
        }
    }
}

/// A board of the Amazons under the symmetry of a number.
fn turned(board: &amazons::Board, number: usize) -> amazons::Board {
    Symmetry::of(board.size()).nth(number).unwrap_or(Symmetry::IDENTITY).board(board)
}

/// The same square on a board of Arimaa; none where it has no such square.
fn in_arimaa(square: amazons::Square) -> Option<Square> {
    let name = [b'a' + square.file(), b'1' + square.rank().min(8)];
    Square::from_name(&name)
}

const fn sign(content: Content) -> &'static str {
    match content {
        Content::Queen(Side::Gold) => "W",
        Content::Queen(Side::Silver) => "B",
        Content::Block => "x",
    }
}

/// What `count_piece` counts.
#[derive(Clone, Copy)]
enum Wanted {
    Code(u8),
    AllOfGold,
    AllOfSilver,
    /// White's or Black's queens in the Amazons.
    Queens(Side),
    /// Blocks in the Amazons.
    Blocks,
}

impl Wanted {
    fn parse(text: &str) -> Option<Wanted> {
        let [letter] = text.as_bytes() else { return None };
        match letter {
            b'+' => Some(Wanted::AllOfGold),
            b'-' => Some(Wanted::AllOfSilver),
            b'W' => Some(Wanted::Queens(Side::Gold)),
            b'B' => Some(Wanted::Queens(Side::Silver)),
            b'x' => Some(Wanted::Blocks),
            b'_' => None,
            _ => LETTERS.iter().position(|l| l == letter).map(|code| Wanted::Code(code as u8)),
        }
    }

    /// The squares on a board of the Amazons; none for a piece that it does not have.
    fn set(self, board: &amazons::Board) -> Option<u128> {
        match self {
            Wanted::AllOfGold | Wanted::Queens(Side::Gold) => Some(board.queens(Side::Gold)),
            Wanted::AllOfSilver | Wanted::Queens(Side::Silver) => Some(board.queens(Side::Silver)),
            Wanted::Blocks => Some(board.blocks()),
            Wanted::Code(_) => None,
        }
    }

    /// The squares on a board of Arimaa; none for a piece that it does not have.
    fn squares(self, [p0, p1, p2, p3]: [u64; 4]) -> Option<u64> {
        Some(match self {
            Wanted::AllOfGold => (p0 | p1 | p2) & !p3,
            Wanted::AllOfSilver => (p0 | p1 | p2) & p3,
            Wanted::Queens(_) | Wanted::Blocks => return None,
            Wanted::Code(code) => {
                let on = |k: u8, plane: u64| if code >> k & 1 == 1 { plane } else { !plane };
                on(0, p0) & on(1, p1) & on(2, p2) & on(3, p3)
            }
        })
    }
}

/// The letters by piece code; a space where no piece has the code.
const LETTERS: [u8; 16] = *b"_RCDHME__rcdhme_";

fn code_at(planes: [u64; 4], square: Square) -> usize {
    let at = |k: usize| (planes[k] >> square.index() & 1) as usize;
    at(0) | at(1) << 1 | at(2) << 2 | at(3) << 3
}

fn letter(code: usize) -> Option<String> {
    let letter = LETTERS[code & 15];
    (letter != b'_').then(|| char::from(letter).to_string())
}

pub(super) fn texts(rows: usize, mut value: impl FnMut(usize) -> Result<Option<String>>) -> Result<ArrayRef> {
    let mut out = StringBuilder::with_capacity(rows, rows * 16);
    for row in 0..rows {
        out.append_option(value(row)?);
    }
    Ok(Arc::new(out.finish()))
}

fn boards_out(rows: usize, mut value: impl FnMut(usize) -> Result<Option<[u8; WIDTH]>>) -> Result<ArrayRef> {
    let mut out = FixedSizeBinaryBuilder::with_capacity(rows, BOARD_BYTES);
    for row in 0..rows {
        match value(row)? {
            Some(board) => out.append_value(board)?,
            None => out.append_null(),
        }
    }
    Ok(Arc::new(out.finish()))
}

#[cfg(test)]
mod tests {
    use annals_rules::arimaa::Board;

    use super::*;

    #[test]
    fn letters_and_codes_agree_with_the_rules() {
        let text = "rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR";
        let board = Board::parse(text).unwrap();
        for square in Square::all() {
            let expected = board.piece_at(square).map(|(side, piece)| piece.letter(side).to_string());
            assert_eq!(letter(code_at(board.planes(), square)), expected, "{square}");
        }
    }
}
