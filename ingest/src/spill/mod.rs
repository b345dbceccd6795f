//! Data above a memory budget, as sorted runs in unnamed temporary files, which the system removes with the process.

mod numbered;
mod runs;

pub use numbered::{NumberedMap, Value};
pub use runs::{Merged, Record, Runs, number};

/// Default budget of each user.
pub const HELD_BYTES: usize = 64 << 20;
