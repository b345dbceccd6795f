use crate::spill::HELD_BYTES;

/// Default rows in memory: some 400 MB.
const ROWS_HELD: u64 = 4_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Index rows in memory.
    pub index_rows: u64,
    /// Approximate bytes held by each of duplicate search, player table and index games; more is spilled.
    pub held_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { index_rows: ROWS_HELD, held_bytes: HELD_BYTES }
    }
}
