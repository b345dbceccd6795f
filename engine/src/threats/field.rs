//! The board from the mover's view: its rabbits run north, and there are no hashes. Units are an own step (one step),
//! and a push or pull (two).

use annals_events::Side;
use annals_rules::arimaa::bitboard::{TRAPS, spread};
use annals_rules::arimaa::{Action, Board, Direction, Position, Square, Steps, Token, Turn};

/// The goal rank.
pub(super) const LAST_RANK: u64 = 0xff << 56;

/// Turned by 180 degrees for Silver.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub own: u64,
    pub foe: u64,
    /// The low bits of piece codes: 1 for a rabbit to 6 for an elephant.
    kinds: [u64; 3],
}

/// From and to, as sets of one square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    pub from: u64,
    pub to: u64,
}

/// A push or pull: its two steps in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Double {
    pub first: Move,
    pub second: Move,
}

/// At most four steps.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StepLine {
    moves: [Option<Move>; 4],
}

/// Between board and view.
#[inline]
pub(super) const fn turned(set: u64, mover: Side) -> u64 {
    match mover {
        Side::Gold => set,
        Side::Silver => set.reverse_bits(),
    }
}

/// As sets of one square.
#[inline]
pub(super) fn each(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Squares that rabbits can step to.
#[inline]
pub(super) const fn ahead(rabbits: u64) -> u64 {
    spread(rabbits) & !(rabbits >> 8) | rabbits << 8
}

/// Adds each touched trap with its surroundings, which together decide its captures.
#[inline]
pub(super) const fn with_traps(set: u64) -> u64 {
    let touched = (set | spread(set)) & TRAPS;
    set | touched | spread(touched)
}

/// Adds all squares within two steps, with traps' surroundings: the range of one step's influence. A square changed by
/// a step from `a` to `b` depends on `a`, `b` and the squares next to `a` (freezing), all within two steps, and on
/// touched traps. A push or pull depends on squares within four steps and costs two, so two rounds cover it.
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

    /// Stronger than a rabbit, both sides.
    #[inline]
    pub(super) const fn officers(&self) -> u64 {
        self.kinds[1] | self.kinds[2]
    }

    #[inline]
    pub(super) const fn own_rabbits(&self) -> u64 {
        self.own & !self.officers()
    }

    /// 1 for a rabbit to 6 for an elephant; 0 for empty.
    #[inline]
    pub(super) const fn strength(&self, square: u64) -> u8 {
        let [p0, p1, p2] = self.kinds;
        (p0 & square != 0) as u8 | ((p1 & square != 0) as u8) << 1 | ((p2 & square != 0) as u8) << 2
    }

    /// Both sides.
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

    #[inline]
    const fn weaker_foes(&self, strength: u8) -> u64 {
        self.foe & !self.stronger(strength.saturating_sub(1))
    }

    /// Own pieces next to a stronger enemy and no friend.
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

    /// Moves a piece and removes captures.
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

    /// After a push or pull.
    #[inline]
    pub(super) fn after_both(&self, double: Double) -> Field {
        self.after(double.first).after(double.second)
    }

    /// For a rabbit without the square behind it.
    #[inline]
    pub(super) const fn targets(&self, from: u64) -> u64 {
        let to = if self.officers() & from != 0 { spread(from) } else { ahead(from) };
        to & self.empty()
    }

    /// Own pieces that can enter the square of a pushed enemy of this strength.
    #[inline]
    pub(super) fn pushers(&self, victim_from: u64, strength: u8) -> u64 {
        spread(victim_from) & self.own & self.stronger(strength) & !self.frozen()
    }

    /// Calls `found` for each push and pull that touches `near`, until it returns true.
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

    /// Enemies that can follow an own piece of this strength from the square it left.
    #[inline]
    pub(super) const fn followers(&self, left: u64, strength: u8) -> u64 {
        spread(left) & self.weaker_foes(strength)
    }
}

/// Steps that need not be tried after a step, since the reverse order leads to the same board: from any of `from` to
/// any of `to`. Independent successive steps commute, so only the order is kept in which no step is independent of the
/// one before and starts from a lower square. Steps a–b and c–d are independent if c and d are neither a nor b nor next
/// to a, a and b are not next to c, and not both touch a trap or a square next to one.
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

    /// The remaining targets of a piece.
    #[inline]
    pub(super) const fn left(&self, from: u64, targets: u64) -> u64 {
        if self.from & from != 0 { targets & !self.to } else { targets }
    }
}

impl StepLine {
    /// With one more step. (A fifth is dropped; no turn has one.)
    #[inline]
    pub(super) fn with(mut self, step: Move) -> StepLine {
        if let Some(slot) = self.moves.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(step);
        }
        self
    }

    /// With captures; none if illegal.
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
