//! What the side whose turn it is can capture within the turn.
//!
//! What counts: an enemy piece that disappears from the board by a step of this turn that is still to be
//! made, be it displaced into a trap without a friend beside it, or left alone on a trap because its last
//! friend was displaced. The steps are counted from now to the first moment after it at which no push is
//! open: the step that completes a push counts, though the piece is gone before it, and a push that cannot be
//! completed within the turn captures nothing. Own pieces may be lost on the way. What was captured earlier
//! in the turn does not count.
//!
//! An enemy piece moves only by pushes and pulls, two steps each, and a piece that is captured or left alone
//! is always moved or left by one, so a line that captures and has no step too many ends in a push or a pull
//! beside the trap. Four steps leave room for two single steps before it, or for another push or pull.
//!
//! * A push or a pull captures at a trap at once if exactly one enemy stands beside the trap ([`at_once`]).
//! * Single steps of own pieces move no enemy, so they help only at such traps: they bring a piece to that
//!   one enemy, free it, or make room ([`Hunt::prepared`]).
//! * Two pushes or pulls are tried all ([`Hunt::doubled`]).

use annals_rules::arimaa::bitboard::{TRAPS, spread};
use annals_rules::arimaa::{MOST_STEPS, Pending, Piece, Position, Square, Steps, Turn};

use super::field::{Apart, Double, Field, Move, StepLine, each, influence, turned, with_traps};

/// What can be captured within one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Captures {
    /// For each kind, from the rabbit to the elephant: the fewest further steps after which a piece of that
    /// kind of the other side is captured and no push is left open; none where the rest of the turn does not
    /// suffice.
    pub fewest: [Option<u8>; 6],
    /// The squares on which the pieces stand now that can be captured, one turn each.
    pub squares: u64,
}

/// A piece that can be captured, and a cheapest turn that does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaptureTurn {
    pub piece: Piece,
    /// Where it stands before the turn.
    pub square: Square,
    /// The fewest steps that capture it.
    pub steps: u8,
    /// A turn of so many steps that does, with its captures.
    pub turn: Turn,
}

/// All pieces of the other side that can be captured within the rest of this turn.
#[must_use]
pub fn captures(steps: &Steps) -> Captures {
    let mover = steps.mover();
    let field = Field::of(steps.board(), mover);
    let mut hunt = Hunt::default();
    hunt.rest(&field, steps);
    let mut found = Captures { fewest: [None; 6], squares: turned(hunt.all(), mover) };
    for (steps, pieces) in (0..).zip(hunt.by_steps) {
        for piece in each(pieces) {
            if let Some(fewest) = found.fewest.get_mut(usize::from(field.strength(piece)).wrapping_sub(1)) {
                fewest.get_or_insert(steps);
            }
        }
    }
    found
}

/// A cheapest turn for each piece of the other side that the side to move can capture, by the piece's square
/// from a1 on.
#[must_use]
pub fn capture_turns(position: &Position) -> Vec<CaptureTurn> {
    let mover = position.to_move();
    let field = Field::of(position.board(), mover);
    let mut hunt = Hunt { lines: Some(Vec::new()), ..Hunt::default() };
    hunt.within(&field, MOST_STEPS, &Way::default());
    let mut turns = Vec::new();
    for (steps, pieces) in (0..).zip(hunt.by_steps) {
        for victim in each(pieces) {
            // A later line is there because it is cheaper than those before it.
            let line = hunt.lines.iter().flatten().rev().find(|(captured, _)| *captured == victim);
            let square = Square::new(turned(victim, mover).trailing_zeros() as u8);
            if let (Some((_, line)), Some(square)) = (line, square)
                && let Some((_, piece)) = position.board().piece_at(square)
                && let Some(turn) = line.turn(position)
            {
                turns.push(CaptureTurn { piece, square, steps, turn });
            }
        }
    }
    turns.sort_unstable_by_key(|turn| turn.square);
    turns
}

/// The push or pull that captures at a trap at once, with the square of the piece that it captures.
///
/// There is one exactly where a single enemy stands beside the trap and can be displaced: into the trap,
/// where it is captured itself, or away from an enemy on the trap, which is captured. With none beside it no
/// enemy is one step from the trap or left alone on it; with two, another supports what is on the trap.
#[inline]
fn at_once(field: &Field, trap: u64) -> Option<(u64, Double)> {
    let victim = spread(trap) & field.foe;
    if !victim.is_power_of_two() {
        return None;
    }
    let beside = spread(victim);
    let strong = beside & field.own & field.stronger(field.strength(victim));
    if strong == 0 {
        return None;
    }
    let empty = field.empty();
    // Where the victim may go: into the trap, or anywhere from a friend on the trap.
    let (captured, to) = if field.foe & trap != 0 { (trap, !0) } else { (victim, trap) };
    for mover in each(strong) {
        let around = spread(mover);
        if around & field.own == 0 && around & field.foe & field.stronger(field.strength(mover)) != 0 {
            continue;
        }
        if let Some(to) = each(beside & to & empty).next() {
            let (first, second) = (Move { from: victim, to }, Move { from: mover, to: victim });
            return Some((captured, Double { first, second }));
        }
        if mover & to != 0
            && let Some(aside) = each(around & empty).next()
        {
            let (first, second) = (Move { from: mover, to: aside }, Move { from: victim, to: mover });
            return Some((captured, Double { first, second }));
        }
    }
    None
}

/// The steps before those that are looked at, and what they did.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// How many of them are made in this turn from now.
    steps: u8,
    line: StepLine,
    /// The enemy pieces that were displaced on it, last first.
    displaced: [Option<Move>; 2],
}

impl Way {
    #[inline]
    fn step(&self, step: Move) -> Way {
        Way { steps: self.steps + 1, line: self.line.with(step), displaced: self.displaced }
    }

    /// The way with an enemy's step.
    #[inline]
    fn dragged(&self, step: Move) -> Way {
        Way { displaced: [Some(step), self.displaced[0]], ..self.step(step) }
    }

    /// Where the piece on a square stood at first.
    #[inline]
    fn origin(&self, square: u64) -> u64 {
        let back = |at: u64, step: &Move| if step.to == at { step.from } else { at };
        self.displaced.iter().flatten().fold(square, back)
    }
}

/// What was found so far.
#[derive(Debug, Default)]
struct Hunt {
    /// The squares of the pieces that can be captured, each by the fewest steps known.
    by_steps: [u64; MOST_STEPS as usize + 1],
    /// A line for each piece and number of steps, if lines are wanted.
    lines: Option<Vec<(u64, StepLine)>>,
}

impl Hunt {
    fn all(&self) -> u64 {
        self.by_steps.iter().fold(0, |all, pieces| all | pieces)
    }

    /// The pieces that can be captured by so many steps.
    #[inline]
    fn known(&self, steps: u8) -> u64 {
        self.by_steps.iter().take(usize::from(steps) + 1).fold(0, |all, pieces| all | pieces)
    }

    #[inline]
    fn record(&mut self, way: &Way, captured: u64) {
        let origin = way.origin(captured);
        if self.known(way.steps) & origin != 0 {
            return;
        }
        for (steps, pieces) in (0..).zip(&mut self.by_steps) {
            *pieces = if steps == way.steps { *pieces | origin } else { *pieces & !origin };
        }
        if let Some(lines) = &mut self.lines {
            lines.push((origin, way.line));
        }
    }

    /// Everything from a turn in progress on.
    fn rest(&mut self, field: &Field, steps: &Steps) {
        let left = MOST_STEPS - steps.made();
        let start = Way::default();
        let seen = |square: Square| turned(square.bit(), steps.mover());
        match steps.pending() {
            Pending::Nothing => self.within(field, left, &start),
            Pending::Push { from, victim } => {
                let to = seen(from);
                for from in each(field.pushers(to, victim as u8 + 1)) {
                    let step = Move { from, to };
                    self.within(&field.after(step), left.saturating_sub(1), &start.step(step));
                }
            }
            Pending::Pull { from, puller } => {
                self.within(field, left, &start);
                let to = seen(from);
                if left == 0 {
                    return;
                }
                for from in each(field.followers(to, puller as u8 + 1)) {
                    let step = Move { from, to };
                    let after = field.after(step);
                    let way = start.dragged(step);
                    if let Some(captured) = lost(field, &after, step) {
                        self.record(&way, captured);
                    }
                    self.within(&after, left - 1, &way);
                }
            }
        }
    }

    /// Everything within so many steps where no step is pending.
    fn within(&mut self, field: &Field, left: u8, way: &Way) {
        if left < 2 {
            return;
        }
        for trap in each(TRAPS) {
            let victim = spread(trap) & field.foe;
            if !victim.is_power_of_two() {
                continue;
            }
            (0..=left - 2).any(|singles| self.prepared(field, trap, victim, singles, Apart::default(), way));
        }
        if left >= 4 {
            self.doubled(field, way);
        }
    }

    /// Whether a push or a pull captures at a trap after exactly so many single steps, which need not be
    /// fewer.
    ///
    /// In a shortest line each step changes something that a later one depends on. What the last push or pull
    /// depends on is near the one enemy beside the trap; what the step before it depends on, near that.
    fn prepared(
        &mut self,
        field: &Field,
        trap: u64,
        victim: u64,
        singles: u8,
        apart: Apart,
        way: &Way,
    ) -> bool {
        let strong = field.own & field.stronger(field.strength(victim));
        let beside = spread(victim);
        if singles == 0 {
            let Some((captured, double)) = at_once(field, trap) else { return false };
            self.record(&way.step(double.first).step(double.second), captured);
            return true;
        }
        // Some stronger piece has to get beside the victim, one step for each square, and one of another if
        // it is frozen.
        let two = beside | spread(beside);
        let nearer = if singles == 1 { beside } else { two };
        let far = if singles == 1 { two } else { two | spread(two) };
        if strong & far == 0 {
            return false;
        }
        let frozen = field.frozen();
        if strong & (far & !frozen | nearer) == 0 {
            return false;
        }
        let mut near = with_traps(two);
        if singles > 1 {
            near = influence(near);
        }
        for from in each(field.own & !frozen) {
            let targets = apart.left(from, field.targets(from));
            for to in each(if from & near != 0 { targets } else { targets & near }) {
                let step = Move { from, to };
                let after = field.after(step);
                if self.prepared(&after, trap, victim, singles - 1, Apart::after(step), &way.step(step)) {
                    return true;
                }
            }
        }
        false
    }

    /// Captures by the second of two pushes or pulls.
    fn doubled(&mut self, field: &Field, way: &Way) {
        let free = field.own & !field.frozen();
        field.any_double(free, !0, |double| {
            let after = field.after_both(double);
            for trap in each(TRAPS) {
                let Some((captured, last)) = at_once(&after, trap) else { continue };
                let pushed = double.first.from & field.foe != 0;
                let way = if pushed {
                    way.dragged(double.first).step(double.second)
                } else {
                    way.step(double.first).dragged(double.second)
                };
                self.record(&way.step(last.first).step(last.second), captured);
            }
            false
        });
    }
}

/// Where the enemy piece stands that a step of an enemy piece captures: where it stepped, or where it was
/// left alone.
fn lost(before: &Field, after: &Field, step: Move) -> Option<u64> {
    let stayed = before.foe & !step.from;
    let gone = (stayed | step.to) & !after.foe;
    (gone != 0).then_some(gone)
}
