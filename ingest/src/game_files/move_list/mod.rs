//! The plain list of moves that the organisers ask of every program: some header lines, then the moves by their numbers.

mod header;
mod read;
mod word;
mod write;

pub(super) use read::{looks_like_one, read};
pub(super) use write::write;
