//! Annals' own SQL functions, on boards, positions, turn labels and shares. Each is a row in `CATALOGUE` (name, arguments,
//! meaning, example), which `annals schema tables`, the prompt's help and the engine's registry all read.
//!
//! All are pure: NULL in gives NULL out, a value that means nothing is an error that names it, and nothing panics.

mod arguments;
mod boards;
mod labels;
mod payload;
mod positions;
mod registry;
mod shares;
mod turns;

pub(crate) use registry::udfs;
pub use registry::{Function, Kind, catalogue, find};

/// Width in bytes of a stored board, as [`annals_ingest::stored_board`] lays it out.
pub const BOARD_BYTES: i32 = annals_ingest::stored_board::WIDTH as i32;
