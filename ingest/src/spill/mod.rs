//! What does not fit into a fixed budget of memory waits in sorted runs: temporary files without a name, which the system
//! removes with the process that made them, however it ends.

mod numbered;
mod runs;

pub use numbered::{NumberedMap, Value};
pub use runs::{Merged, Record, Runs, number};

/// Bytes that a search for duplicates, the table of players and the facts of the index may each hold, unless told otherwise.
pub const HELD_BYTES: usize = 64 << 20;
