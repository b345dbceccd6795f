//! What a searcher is made with.

/// There is not enough memory for a table of positions; a searcher makes do with a smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is not enough memory for a table of {wanted} MiB, only for one of {got} MiB; ask for a smaller one, or give the program more"
)]
pub struct TableTooLarge {
    /// What was asked for, in MiB.
    pub wanted: u32,
    /// What it has instead, in MiB; 0 is no table at all.
    pub got: u32,
}

/// What a searcher is made with: the size of its table, and which of its methods it uses. All of them are on unless a test or a
/// comparison turns one off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// The size of the table of positions, in MiB.
    pub hash_mib: u32,
    /// Whether positions that were searched before are looked up. Exact.
    pub table: bool,
    /// Whether goals within the turn are found without making the steps. Exact, except that a faster win of another kind is
    /// not looked for.
    pub goals: bool,
    /// Whether captures that take a push or a pull are followed where the tree ends with a turn.
    pub quiescence: bool,
    /// Whether steps that come late in the order are searched less deep at first.
    pub reductions: bool,
    /// Whether the last steps of the order are left out near the end of the tree.
    pub pruning: bool,
    /// Whether a turn that gives a goal at once is exchanged for the best that does not, where the search was cut off before it
    /// saw the other side's turn.
    pub safety: bool,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            hash_mib: 32,
            table: true,
            goals: true,
            quiescence: true,
            reductions: true,
            pruning: true,
            safety: true,
        }
    }
}

impl SearchOptions {
    /// Nothing but alpha-beta and the order of steps: the worth that comes out is that of plain minimax.
    #[must_use]
    pub const fn plain(hash_mib: u32) -> SearchOptions {
        SearchOptions {
            hash_mib,
            table: false,
            goals: false,
            quiescence: false,
            reductions: false,
            pruning: false,
            safety: false,
        }
    }
}
