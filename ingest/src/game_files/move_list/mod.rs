//! The plain list of moves that organisers require: header lines, then numbered moves.

mod header;
mod key;
mod read;
mod recognise;
mod word;
mod write;

pub(super) use read::read;
pub(super) use recognise::looks_like_one;
pub(super) use write::write;
