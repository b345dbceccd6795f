//! The plain list of moves that the organisers ask of every program: some header lines, then the moves by their numbers.

mod header;
mod read;
mod recognise;
mod word;
mod write;

pub(super) use read::read;
pub(super) use recognise::looks_like_one;
pub(super) use write::write;
