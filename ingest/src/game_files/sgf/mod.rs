//! The Smart Game Format, FF[4], of the Amazons, GM[18].
//!
//! A point is two letters, the column from the left and the row from the top, and a move is three points: from, to and
//! arrow. Where nothing is set up, White's queens stand at the top and Black's at the bottom, and Black usually moves first;
//! so the start of our games is always written out.

mod names;
mod points;
mod read;
mod tree;
mod write;

pub(super) use read::read;
pub(super) use write::write;
