/// Table size and methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// In MiB.
    pub hash_mib: u32,
    /// Transposition table.
    pub table: bool,
    /// Count out positions without contested regions.
    pub filling: bool,
    /// Late move reductions.
    pub reductions: bool,
    /// Moves searched per position, twice as many for replies to the root's moves, four times at the root; 0 for all.
    pub width: u16,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions { hash_mib: 8, table: true, filling: true, reductions: true, width: 60 }
    }
}

impl SearchOptions {
    /// Alpha-beta and move order only: the value is that of plain minimax.
    #[must_use]
    pub const fn plain() -> SearchOptions {
        SearchOptions { hash_mib: 0, table: false, filling: false, reductions: false, width: 0 }
    }
}
