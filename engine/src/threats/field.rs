//! The board as the side sees it whose turn it is: its rabbits run north, whichever colour it has, and there
//! are no hashes to keep. What can be done within a turn is made of units: a step of an own piece (one step),
//! and a push or a pull (two).

use annals_events::Side;
use annals_rules::arimaa::bitboard::{TRAPS, spread};
use annals_rules::arimaa::{Action, Board, Direction, Position, Square, Steps, Token, Turn};

/// The last rank, which the rabbits try to reach.
pub(super) const LAST_RANK: u64 = 0xff << 56;

/// The board seen by the mover. Sets of squares are turned by 180 degrees where the mover is Silver.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub own: u64,
    pub foe: u64,
    /// The three low bits of the pieces' codes: 1 for a rabbit to 6 for an elephant.
    kinds: [u64; 3],
}

/// One piece from a square to another, as sets of one square each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    pub from: u64,
    pub to: u64,
}

/// A push or a pull: its two steps in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Double {
    pub first: Move,
    pub second: Move,
}

/// The steps of a turn, at most four.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StepLine {
    moves: [Option<Move>; 4],
}

/// A square of the board seen by the mover, or back.
#[inline]
pub(super) const fn turned(set: u64, mover: Side) -> u64 {
    match mover {
        Side::Gold => set,
        Side::Silver => set.reverse_bits(),
    }
}

/// Each square of a set, as a set of its own.
#[inline]
pub(super) fn each(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// The squares to which rabbits can step.
#[inline]
pub(super) const fn ahead(rabbits: u64) -> u64 {
    spread(rabbits) & !(rabbits >> 8) | rabbits << 8
}

/// With each trap, and each square beside one, that the set touches: all of that trap's surroundings, as they
/// decide together what the trap captures.
#[inline]
pub(super) const fn with_traps(set: u64) -> u64 {
    let touched = (set | spread(set)) & TRAPS;
    set | touched | spread(touched)
}

/// The set and all squares that are at most two steps from it, with the surroundings of the traps among them.
///
/// This is as far as one step of a piece carries influence: where a square of the set is written by a step
/// from `a` to `b` (or by what it captures), that step depends on `a`, `b` and the squares beside `a`, which
/// decide whether the piece is frozen, all of them at most two steps away; and on the traps that it touches.
/// A push or a pull depends on squares at most four steps away and costs two steps, so two rounds cover it.
#[inline]
pub(super) const fn influence(set: u64) -> u64 {
    let wider = set | spread(set);
    with_traps(wider | spread(wider))
}

impl Field {
    #[inline]
    pub(super) fn of(board: &Board, mover: Side) -> Field {
        let [p0, p1, p2, _] = board.planes();
        let kinds = [turned(p0, mover), turned(p1, mover), turned(p2, mover)];
        let own = turned(board.occupied(mover), mover);
        Field { own, foe: turned(board.occupied(mover.other()), mover), kinds }
    }

    #[inline]
    pub(super) const fn empty(&self) -> u64 {
        !(self.own | self.foe)
    }

    /// Pieces of both sides stronger than the rabbit.
    #[inline]
    pub(super) const fn officers(&self) -> u64 {
        self.kinds[1] | self.kinds[2]
    }

    #[inline]
    pub(super) const fn own_rabbits(&self) -> u64 {
        self.own & !self.officers()
    }

    /// 1 for a rabbit to 6 for an elephant; 0 for an empty square.
    #[inline]
    pub(super) const fn strength(&self, square: u64) -> u8 {
        let [p0, p1, p2] = self.kinds;
        (p0 & square != 0) as u8 | ((p1 & square != 0) as u8) << 1 | ((p2 & square != 0) as u8) << 2
    }

    /// Pieces of both sides that are stronger than that.
    #[inline]
    pub(super) const fn stronger(&self, strength: u8) -> u64 {
        let [p0, p1, p2] = self.kinds;
        match strength {
            0 => p0 | p1 | p2,
            1 => p1 | p2,
            2 => p2 | (p0 & p1),
            3 => p2,
            4 => p2 & (p0 | p1),
            5 => p1 & p2,
            _ => 0,
        }
    }

    /// Enemy pieces weaker than that.
    #[inline]
    const fn weaker_foes(&self, strength: u8) -> u64 {
        self.foe & !self.stronger(strength.saturating_sub(1))
    }

    /// Own pieces that stand beside a stronger enemy and beside no friend.
    #[inline]
    pub(super) fn frozen(&self) -> u64 {
        let alone = self.own & !spread(self.own) & spread(self.foe & self.officers());
        let mut frozen = 0;
        for piece in each(alone) {
            if spread(piece) & self.foe & self.stronger(self.strength(piece)) != 0 {
                frozen |= piece;
            }
        }
        frozen
    }

    /// Moves a piece and removes what that captures.
    #[inline]
    pub(super) fn after(&self, step: Move) -> Field {
        let mut field = *self;
        let both = step.from | step.to;
        let shifted = |set: u64| if set & step.from != 0 { set ^ both } else { set };
        field.kinds = field.kinds.map(shifted);
        field.own = shifted(field.own);
        field.foe = shifted(field.foe);
        if (field.own | field.foe) & TRAPS != 0 {
            let kept = |set: u64| set & !(TRAPS & !spread(set));
            field.own = kept(field.own);
            field.foe = kept(field.foe);
            let taken = field.own | field.foe;
            field.kinds = field.kinds.map(|plane| plane & taken);
        }
        field
    }

    /// The board after a push or a pull.
    #[inline]
    pub(super) fn after_both(&self, double: Double) -> Field {
        self.after(double.first).after(double.second)
    }

    /// The squares beside a square to which an own piece on it may step: for a rabbit not the one behind it.
    #[inline]
    pub(super) const fn targets(&self, from: u64) -> u64 {
        let to = if self.officers() & from != 0 { spread(from) } else { ahead(from) };
        to & self.empty()
    }

    /// Own pieces that can enter a square from which an enemy piece of that strength was pushed.
    #[inline]
    pub(super) fn pushers(&self, victim_from: u64, strength: u8) -> u64 {
        spread(victim_from) & self.own & self.stronger(strength) & !self.frozen()
    }

    /// Hands every push and pull that touches a square of `near` to `found`, until that says true.
    #[inline]
    pub(super) fn any_double(&self, free: u64, near: u64, mut found: impl FnMut(Double) -> bool) -> bool {
        let empty = self.empty();
        for mover in each(free & self.officers() & spread(self.foe)) {
            let weaker = self.weaker_foes(self.strength(mover)) & spread(mover);
            for victim in each(weaker) {
                let touched = (mover | victim) & near != 0;
                let within = if touched { empty } else { empty & near };
                for to in each(spread(victim) & within) {
                    let (first, second) = (Move { from: victim, to }, Move { from: mover, to: victim });
                    if found(Double { first, second }) {
                        return true;
                    }
                }
                for to in each(spread(mover) & within) {
                    let (first, second) = (Move { from: mover, to }, Move { from: victim, to: mover });
                    if found(Double { first, second }) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The enemy pieces that can follow an own piece of that strength which has just left a square.
    #[inline]
    pub(super) const fn followers(&self, left: u64, strength: u8) -> u64 {
        spread(left) & self.weaker_foes(strength)
    }
}

/// Steps that need not be tried after a step, since trying them before it leads to the same board: steps from
/// any of `from` to any of `to`.
///
/// Two steps in a row that have nothing to do with each other can change places. Of all orders of a line only
/// the one is kept in which no step has nothing to do with the step before it and starts from a lower square.
/// The step from a to b and that from c to d have nothing to do with each other if c and d are neither a nor
/// b nor beside a, if a and b are not beside c, and if not both touch a trap or a square beside one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Apart {
    from: u64,
    to: u64,
}

impl Apart {
    #[inline]
    pub(super) const fn after(step: Move) -> Apart {
        const ZONE: u64 = TRAPS | spread(TRAPS);
        let both = step.from | step.to;
        let near = both | spread(step.from);
        let zone = if both & ZONE == 0 { 0 } else { ZONE };
        let lower = step.from - 1;
        Apart { from: lower & !(near | spread(step.to) | zone), to: !(near | zone) }
    }

    /// The targets of a piece that are left.
    #[inline]
    pub(super) const fn left(&self, from: u64, targets: u64) -> u64 {
        if self.from & from != 0 { targets & !self.to } else { targets }
    }
}

impl StepLine {
    /// The line with one step more at its end. (A fifth is not kept; no turn has one.)
    #[inline]
    pub(super) fn with(mut self, step: Move) -> StepLine {
        if let Some(slot) = self.moves.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(step);
        }
        self
    }

    /// The line as a turn of a position, with its captures; none where it is not legal there.
    pub(super) fn turn(&self, position: &Position) -> Option<Turn> {
        let mut steps = Steps::begin(position);
        let mut turn = Turn::EMPTY;
        let square = |set: u64| Square::new(turned(set, position.to_move()).trailing_zeros() as u8);
        for step in self.moves.iter().flatten() {
            let (from, to) = (square(step.from)?, square(step.to)?);
            let direction = Direction::between(from, to)?;
            let (side, piece) = steps.board().piece_at(from)?;
            let token = Token::new(side, piece, from, Action::Step(direction));
            let capture = steps.step(token, direction).ok()?;
            turn.push(token);
            if let Some(capture) = capture {
                turn.push(capture);
            }
        }
        Some(turn)
    }
}
