//! The Smart Game Format, FF[4], of the Amazons, GM[18]. A point is two letters, column from the left and row from the
//! top; a move is three points: from, to, arrow. Without a set-up, White's queens are at the top and Black generally
//! moves first, so Annals always writes the start.

mod names;
mod points;
mod read;
mod tree;
mod write;

pub(super) use read::read;
pub(super) use write::write;
