/// Not enough memory for the table; the searcher uses a smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is not enough memory for a table of {wanted} MiB, only for one of {got} MiB; ask for a smaller one, or give the program more"
)]
pub struct TableTooLarge {
    /// In MiB.
    pub wanted: u32,
    /// In MiB; 0 for none.
    pub got: u32,
}

/// Table size and methods, which are all on by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// In MiB.
    pub hash_mib: u32,
    /// Searching together if time alone limits a search; one otherwise.
    pub threads: u32,
    /// Transposition table. Exact.
    pub table: bool,
    /// Detect goals within the turn. Exact, except that a faster win of another kind is ignored.
    pub goals: bool,
    /// Follow captures by a push or pull at the end of a turn.
    pub quiescence: bool,
    /// Late step reductions.
    pub reductions: bool,
    /// Rank steps by their likelihood; else those near the last step first.
    pub likelihood: bool,
    /// Omit the last steps near the leaves.
    pub pruning: bool,
    /// Replace a turn that allows an immediate goal if the search did not reach the reply.
    pub safety: bool,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            hash_mib: 32,
            threads: 1,
            table: true,
            goals: true,
            quiescence: true,
            reductions: true,
            likelihood: true,
            pruning: true,
            safety: true,
        }
    }
}

impl SearchOptions {
    /// Alpha-beta and step order only: the value is that of plain minimax.
    #[must_use]
    pub const fn plain(hash_mib: u32) -> SearchOptions {
        SearchOptions {
            hash_mib,
            threads: 1,
            table: false,
            goals: false,
            quiescence: false,
            reductions: false,
            likelihood: false,
            pruning: false,
            safety: false,
        }
    }
}
