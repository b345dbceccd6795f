//! One step within a turn, and what it leaves open.

use annals_events::Side;

use super::piece::{self, Piece};
use super::square::{Direction, Square};
use super::turn_text::{Action, Token};

/// The role of a step in its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum StepKind {
    /// An own piece steps; a pull may follow.
    Own,
    /// An enemy follows into the square that a stronger piece just left: the pull is complete.
    Pulled,
    /// An enemy gives way to a stronger piece, which must follow.
    PushBegun,
    /// The stronger piece enters the square from which it pushed.
    PushCompleted,
}

/// Left open by the last step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pending {
    Nothing,
    /// An enemy was pushed from `from`: a stronger piece must enter it next.
    Push {
        from: Square,
        victim: Piece,
    },
    /// An own piece left `from`: a weaker adjacent enemy may be pulled into it next.
    Pull {
        from: Square,
        puller: Piece,
    },
}

/// A legal step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NextStep {
    /// Of the piece.
    pub from: Square,
    /// Of the piece.
    pub to: Square,
    code: u8,
    kind: StepKind,
}

impl NextStep {
    /// No step: nothing is left open.
    pub(super) const NONE: NextStep =
        NextStep::new(0, Square::masked(0), Square::masked(0), StepKind::PushCompleted);

    #[inline]
    pub(super) const fn new(code: u8, from: Square, to: Square, kind: StepKind) -> NextStep {
        NextStep { from, to, code, kind }
    }

    #[must_use]
    pub fn token(&self) -> Token {
        Token::from_code(self.code, self.from, Action::Step(self.direction()))
    }

    #[must_use]
    pub fn direction(&self) -> Direction {
        Direction::between(self.from, self.to).unwrap_or(Direction::North)
    }

    #[inline]
    #[must_use]
    pub const fn kind(&self) -> StepKind {
        self.kind
    }

    /// Of the moving piece.
    #[inline]
    #[must_use]
    pub fn piece(&self) -> Piece {
        piece::of_code(self.code)
    }

    /// Of the moving piece, which in a push or pull is the enemy's.
    #[inline]
    #[must_use]
    pub const fn side(&self) -> Side {
        if self.code & 8 == 0 { Side::Gold } else { Side::Silver }
    }

    /// From 1 to 14, as in [`piece::code`].
    #[inline]
    #[must_use]
    pub const fn code(&self) -> u8 {
        self.code
    }

    /// What it leaves open.
    #[inline]
    #[must_use]
    pub fn leaves(&self) -> Pending {
        match self.kind {
            StepKind::Own => Pending::Pull { from: self.from, puller: self.piece() },
            StepKind::PushBegun => Pending::Push { from: self.from, victim: self.piece() },
            StepKind::Pulled | StepKind::PushCompleted => Pending::Nothing,
        }
    }
}
