//! Functions that count the legal turns and steps of a position.

use std::sync::Arc;

use annals_ingest::stored_board::StoredBoard;
use annals_rules::{amazons, arimaa};
use datafusion::arrow::array::{ArrayRef, Int64Builder};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;

use super::arguments::{Boards, Texts};
use super::positions::side;

pub(super) fn first_steps(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("first_steps", &arguments[0])?;
    let sides = Texts::new(&arguments[1], side)?;
    let mut out = Int64Builder::with_capacity(rows);
    for row in 0..rows {
        let (Some(board), Some(side)) = (boards.get_checked(row)?, sides.get(row)?) else {
            out.append_null();
            continue;
        };
        out.append_option(match board {
            StoredBoard::Arimaa(board) => {
                Some(whole(arimaa::first_steps(&arimaa::Position::new(board, side))))
            }
            // A move of the Amazons has no steps.
            StoredBoard::Amazons(_) => None,
        });
    }
    Ok(Arc::new(out.finish()))
}

pub(super) fn distinct_turns(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let boards = Boards::new("distinct_turns", &arguments[0])?;
    let sides = Texts::new(&arguments[1], side)?;
    // The generator's tables are created once for all rows.
    let mut generator = arimaa::Generator::new();
    let mut out = Int64Builder::with_capacity(rows);
    for row in 0..rows {
        let (Some(board), Some(side)) = (boards.get_checked(row)?, sides.get(row)?) else {
            out.append_null();
            continue;
        };
        out.append_value(match board {
            StoredBoard::Arimaa(board) => whole(generator.count(&arimaa::Position::new(board, side))),
            StoredBoard::Amazons(board) => {
                i64::try_from(amazons::Position::new(board, side).count_moves()).unwrap_or(i64::MAX)
            }
        });
    }
    Ok(Arc::new(out.finish()))
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
