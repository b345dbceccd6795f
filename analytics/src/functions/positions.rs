//! Functions on positions (a board and who is to move) and on turns in notation.

use std::sync::Arc;

use annals_events::Side;
use annals_ingest::stored_board::StoredBoard;
use annals_rules::amazons::Position;
use datafusion::arrow::array::{ArrayRef, UInt64Builder};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;

use super::arguments::{Boards, Texts, refused};
use super::boards::texts;
use crate::notation::mirrored_turn;

pub(super) fn position_hash(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    hashes("position_hash", arguments, rows, |board, side| match board {
        StoredBoard::Arimaa(board) => board.hash(side),
        StoredBoard::Amazons(board) => board.hash(side),
    })
}

pub(super) fn position_key(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    hashes("position_key", arguments, rows, |board, side| match board {
        StoredBoard::Arimaa(board) => board.key(side).0,
        StoredBoard::Amazons(board) => Position::new(*board, side).key().0,
    })
}

pub(super) fn mirror_turn(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let turns = Texts::new(&arguments[0], |text| Ok(mirrored_turn(text)))?;
    texts(rows, |row| turns.get(row))
}

fn hashes(
    function: &'static str,
    arguments: &[ColumnarValue],
    rows: usize,
    hash: fn(&StoredBoard, Side) -> u64,
) -> Result<ArrayRef> {
    let boards = Boards::new(function, &arguments[0])?;
    let sides = Texts::new(&arguments[1], side)?;
    let mut out = UInt64Builder::with_capacity(rows);
    for row in 0..rows {
        match (boards.get_checked(row)?, sides.get(row)?) {
            (Some(board), Some(side)) => out.append_value(hash(&board, side)),
            _ => out.append_null(),
        }
    }
    Ok(Arc::new(out.finish()))
}

/// A side from its name or letter.
pub(super) fn side(text: &str) -> Result<Side> {
    text.parse().map_err(|_| refused("to_move", text, "is no side: gold, silver, g, s, w, b are sides"))
}
