//! The input of columns: one position in one game. Costly shared values are computed once.

use std::cell::{OnceCell, RefCell};

use annals_engine::threats::{Captures, captures};
use annals_events::{Side, Termination};
use annals_rules::amazons::{self, Closer};
use annals_rules::arimaa::{Board, Generator, Position, Steps};

/// The facts of a whole game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameFacts {
    pub id: u64,
    pub fold: u32,
    /// By order of reading.
    pub source: u32,
    pub winner: Side,
    pub termination: Termination,
    /// Gold's and Silver's.
    pub ratings: [Option<i32>; 2],
    pub rated: bool,
    pub generated: bool,
}

/// One position in a game.
pub(crate) struct Subject<'g> {
    pub game: &'g GameFacts,
    pub to_move: Side,
    /// Played.
    pub ply: u32,
    /// To come.
    pub height: u32,
    pub view: View<'g>,
}

/// By game.
pub(crate) enum View<'g> {
    Arimaa(ArimaaPosition<'g>),
    Amazons(AmazonsPosition<'g>),
}

pub(crate) struct ArimaaPosition<'g> {
    pub position: &'g Position,
    /// Earlier occurrences.
    pub seen: u32,
    pub generator: &'g RefCell<Generator>,
    pub threats: [OnceCell<Captures>; 2],
}

pub(crate) struct AmazonsPosition<'g> {
    pub position: &'g amazons::Position,
    pub by_queen: OnceCell<Closer>,
    pub by_king: OnceCell<Closer>,
}

/// The side to move, or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chair {
    Own,
    Opponent,
}

impl ArimaaPosition<'_> {
    pub fn board(&self) -> &Board {
        self.position.board()
    }

    pub fn side(&self, chair: Chair) -> Side {
        match chair {
            Chair::Own => self.position.to_move(),
            Chair::Opponent => self.position.to_move().other(),
        }
    }

    /// With that side to move.
    pub fn on_turn(&self, chair: Chair) -> Position {
        match chair {
            Chair::Own => *self.position,
            Chair::Opponent => self.position.passed(),
        }
    }

    /// Within one turn, if that side were to move.
    pub fn captures(&self, chair: Chair) -> &Captures {
        self.threats[chair as usize].get_or_init(|| captures(&Steps::begin(&self.on_turn(chair))))
    }
}

impl AmazonsPosition<'_> {
    pub fn board(&self) -> &amazons::Board {
        self.position.board()
    }

    pub fn side(&self, chair: Chair) -> Side {
        match chair {
            Chair::Own => self.position.to_move(),
            Chair::Opponent => self.position.to_move().other(),
        }
    }

    pub fn by_queen(&self) -> &Closer {
        self.by_queen.get_or_init(|| self.board().closer_by_queen())
    }

    pub fn by_king(&self) -> &Closer {
        self.by_king.get_or_init(|| self.board().closer_by_king())
    }
}
