//! Territory and regions: what a side could reach with any number of moves, and whether anything is left to fight for.

use annals_events::Side;

use super::board::Board;
use super::position::Position;
use super::size::Ways;

/// Squares that are not blocked and hang together, with the queens on them. Blocks never go away, so what stands in a
/// region never leaves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region {
    /// Its vacant squares.
    pub vacant: u128,
    /// White's and Black's queens in it.
    pub queens: [u128; 2],
}

/// To whom a region belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Only this side has queens in it.
    Side(Side),
    /// Both sides have.
    Shared,
    /// No queen is in it.
    Nobody,
}

impl Region {
    /// To whom it belongs.
    #[must_use]
    pub const fn owner(&self) -> Owner {
        match (self.queens[0] != 0, self.queens[1] != 0) {
            (true, true) => Owner::Shared,
            (true, false) => Owner::Side(Side::Gold),
            (false, true) => Owner::Side(Side::Silver),
            (false, false) => Owner::Nobody,
        }
    }
}

/// How far a game has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// A region holds queens of both sides.
    Open,
    /// Every region belongs to one side, or to nobody: the sides only fill what is theirs.
    Decided,
    /// The side to move cannot move; this side has won.
    Finished { winner: Side },
}

impl Board {
    /// The vacant squares that a side's queens could reach given any number of moves, the other side passing.
    #[must_use]
    pub fn territory(&self, side: Side) -> u128 {
        let (ways, vacant) = (Ways::of(self.size()), self.vacant());
        spread(&ways, self.queens(side), vacant) & vacant
    }

    /// The regions, in the order of their first squares.
    #[must_use]
    pub fn regions(&self) -> Vec<Region> {
        let ways = Ways::of(self.size());
        let open = self.size().all() & !self.blocks();
        let mut rest = open;
        let mut regions = Vec::new();
        while rest != 0 {
            let squares = spread(&ways, rest & rest.wrapping_neg(), open);
            rest &= !squares;
            let queens = Side::BOTH.map(|side| self.queens(side) & squares);
            regions.push(Region { vacant: squares & self.vacant(), queens });
        }
        regions
    }

    /// Whether no region holds queens of both sides, so that nothing is left to fight for.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let open = self.size().all() & !self.blocks();
        let [white, black] = Side::BOTH.map(|side| self.queens(side));
        spread(&Ways::of(self.size()), white, open) & black == 0
    }
}

impl Position {
    /// How far the game has come.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self.winner() {
            Some(winner) => Stage::Finished { winner },
            None if self.board().is_decided() => Stage::Decided,
            None => Stage::Open,
        }
    }

    /// The winner, and the squares of its territory; none while the game goes on.
    #[must_use]
    pub fn score(&self) -> Option<(Side, u32)> {
        self.winner().map(|winner| (winner, self.board().territory(winner).count_ones()))
    }
}

/// Everything that hangs together with the set by way of open squares, the set included.
fn spread(ways: &Ways, from: u128, open: u128) -> u128 {
    let (mut all, mut front) = (from, from);
    while front != 0 {
        front = ways.beside(front) & open & !all;
        all |= front;
    }
    all
}
