//! Territory and regions: what a side can reach, and whether anything is contested.

use annals_events::Side;

use super::board::Board;
use super::position::Position;
use super::size::Ways;

/// Connected squares that are not blocked, with their queens. Blocks are permanent, so queens never leave a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region {
    pub vacant: u128,
    /// White's and Black's.
    pub queens: [u128; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Only this side's queens are in it.
    Side(Side),
    /// Both sides' queens are in it.
    Shared,
    /// No queen is in it.
    Nobody,
}

impl Region {
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

/// The stage of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Some region has queens of both sides.
    Open,
    /// No region has queens of both sides: the sides only fill their own.
    Decided,
    /// The side to move cannot move, and `winner` has won.
    Finished { winner: Side },
}

impl Board {
    /// Vacant squares reachable if the other side passes.
    #[must_use]
    pub fn territory(&self, side: Side) -> u128 {
        let (ways, vacant) = (Ways::of(self.size()), self.vacant());
        spread(&ways, self.queens(side), vacant) & vacant
    }

    /// By first square.
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

    /// No region has queens of both sides.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let open = self.size().all() & !self.blocks();
        let [white, black] = Side::BOTH.map(|side| self.queens(side));
        spread(&Ways::of(self.size()), white, open) & black == 0
    }
}

impl Position {
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self.winner() {
            Some(winner) => Stage::Finished { winner },
            None if self.board().is_decided() => Stage::Decided,
            None => Stage::Open,
        }
    }

    /// The winner and the squares of its territory, at the end.
    #[must_use]
    pub fn score(&self) -> Option<(Side, u32)> {
        self.winner().map(|winner| (winner, self.board().territory(winner).count_ones()))
    }
}

/// The set and everything connected to it by open squares.
fn spread(ways: &Ways, from: u128, open: u128) -> u128 {
    let (mut all, mut front) = (from, from);
    while front != 0 {
        front = ways.beside(front) & open & !all;
        all |= front;
    }
    all
}
