//! Functions on a board alone. They work on the four bit-planes: plane k holds bit k of the code of the piece on each
//! square (0 empty, 1 to 6 gold's RCDHME, 9 to 14 silver's).

use std::sync::Arc;

use annals_rules::arimaa::Square;
use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, FixedSizeBinaryBuilder, Int64Builder, StringBuilder,
};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;

use super::BOARD_BYTES;
use super::arguments::{Boards, Texts, bytes_of, refused};
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
    boards_out(rows, |row| boards.get(row))
}

pub(super) fn mirror(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("mirror", &arguments[0])?;
    boards_out(rows, |row| Ok(boards.get_checked(row)?.map(|board| board.mirrored().planes())))
}

pub(super) fn rotate(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("rotate", &arguments[0])?;
    boards_out(rows, |row| Ok(boards.get_checked(row)?.map(|board| board.rotated().planes())))
}

pub(super) fn piece_at(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("piece_at", &arguments[0])?;
    let squares = Texts::new(&arguments[1], |text| {
        let name: Option<&[u8; 2]> = text.as_bytes().try_into().ok();
        name.and_then(Square::from_name)
            .ok_or_else(|| refused("piece_at", text, "is no square: a1 to h8 are the squares"))
    })?;
    texts(rows, |row| {
        let (Some(planes), Some(square)) = (boards.get(row)?, squares.get(row)?) else { return Ok(None) };
        Ok(letter(code_at(planes, square)))
    })
}

pub(super) fn count_piece(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("count_piece", &arguments[0])?;
    let wanted = Texts::new(&arguments[1], |text| {
        Wanted::parse(text).ok_or_else(|| {
            refused(
                "count_piece",
                text,
                "is no piece: RCDHME are gold's, rcdhme silver's, + and - all of a side",
            )
        })
    })?;
    let mut out = Int64Builder::with_capacity(rows);
    for row in 0..rows {
        let (Some(planes), Some(wanted)) = (boards.get(row)?, wanted.get(row)?) else {
            out.append_null();
            continue;
        };
        out.append_value(i64::from(wanted.squares(planes).count_ones()));
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
            (Some(planes), Some(pattern)) => out.append_value(pattern.matches(planes)),
            _ => out.append_null(),
        }
    }
    Ok(Arc::new(out.finish()))
}

/// What `count_piece` counts.
#[derive(Clone, Copy)]
enum Wanted {
    Code(u8),
    AllOfGold,
    AllOfSilver,
}

impl Wanted {
    fn parse(text: &str) -> Option<Wanted> {
        let [letter] = text.as_bytes() else { return None };
        match letter {
            b'+' => Some(Wanted::AllOfGold),
            b'-' => Some(Wanted::AllOfSilver),
            _ => LETTERS.iter().position(|l| l == letter).map(|code| Wanted::Code(code as u8)),
        }
    }

    fn squares(self, [p0, p1, p2, p3]: [u64; 4]) -> u64 {
        match self {
            Wanted::AllOfGold => (p0 | p1 | p2) & !p3,
            Wanted::AllOfSilver => (p0 | p1 | p2) & p3,
            Wanted::Code(code) => {
                let on = |k: u8, plane: u64| if code >> k & 1 == 1 { plane } else { !plane };
                on(0, p0) & on(1, p1) & on(2, p2) & on(3, p3)
            }
        }
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

fn boards_out(rows: usize, mut value: impl FnMut(usize) -> Result<Option<[u64; 4]>>) -> Result<ArrayRef> {
    let mut out = FixedSizeBinaryBuilder::with_capacity(rows, BOARD_BYTES);
    for row in 0..rows {
        match value(row)? {
            Some(planes) => out.append_value(bytes_of(planes))?,
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
