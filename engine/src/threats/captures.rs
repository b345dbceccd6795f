//! Captures within the present turn.
//!
//! A capture is an enemy piece that disappears by a step still to be made: displaced into a trap without a friend next
//! to it, or left on a trap because its last friend was displaced. Steps count to the first moment after it without an
//! open push: the completing step counts, and a push that cannot be completed captures nothing. Own pieces may be lost.
//! Earlier captures of the turn do not count.
//!
//! An enemy piece moves only by pushes and pulls, two steps each, so a shortest capturing line ends in a push or pull
//! next to the trap. Four steps leave room for two single steps before, or another push or pull.
//!
//! * A push or pull captures at a trap at once if exactly one enemy is next to it ([`at_once`]).
//! * Single own steps move no enemy, so they help only at such traps: they bring a piece to the enemy, free it, or make
//!   room ([`Hunt::prepared`]).
//! * Two pushes or pulls are tried exhaustively ([`Hunt::doubled`]).

use annals_rules::arimaa::bitboard::{TRAPS, spread};
use annals_rules::arimaa::{MOST_STEPS, Pending, Piece, Position, Square, Steps, Turn};

use super::field::{Apart, Double, Field, Move, StepLine, each, influence, turned, with_traps};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Captures {
    /// Per kind from the rabbit to the elephant: the fewest steps after which such an enemy is captured without an open
    /// push; none if this turn does not suffice.
    pub fewest: [Option<u8>; 6],
    /// Present squares of the pieces that can be captured.
    pub squares: u64,
}

/// A capturable piece with a cheapest turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaptureTurn {
    pub piece: Piece,
    /// Before the turn.
    pub square: Square,
    /// Fewest.
    pub steps: u8,
    /// With captures.
    pub turn: Turn,
}

/// Within the rest of this turn.
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

/// A cheapest turn per capturable piece, by square from a1.
#[must_use]
pub fn capture_turns(position: &Position) -> Vec<CaptureTurn> {
    let mover = position.to_move();
    let field = Field::of(position.board(), mover);
    let mut hunt = Hunt { lines: Some(Vec::new()), ..Hunt::default() };
    hunt.within(&field, MOST_STEPS, &Way::default());
    let mut turns = Vec::new();
    for (steps, pieces) in (0..).zip(hunt.by_steps) {
        for victim in each(pieces) {
            // Later lines are cheaper than those before.
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

/// The push or pull that captures at a trap at once, with the captured piece's square.
///
/// It exists exactly if a single enemy is next to the trap and can be displaced: into the trap, or away from an enemy
/// on the trap. Without one, no enemy is one step from the trap or depends on it; with two, the other supports.
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
    // The victim goes into the trap, or anywhere from a friend on the trap.
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

/// The steps made before.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// In this turn, from now.
    steps: u8,
    line: StepLine,
    /// Displaced enemies, last first.
    displaced: [Option<Move>; 2],
}

impl Way {
    #[inline]
    fn step(&self, step: Move) -> Way {
        Way { steps: self.steps + 1, line: self.line.with(step), displaced: self.displaced }
    }

    /// With an enemy's step.
    #[inline]
    fn dragged(&self, step: Move) -> Way {
        Way { displaced: [Some(step), self.displaced[0]], ..self.step(step) }
    }

    /// The original square of a piece.
    #[inline]
    fn origin(&self, square: u64) -> u64 {
        let back = |at: u64, step: &Move| if step.to == at { step.from } else { at };
        self.displaced.iter().flatten().fold(square, back)
    }
}

#[derive(Debug, Default)]
struct Hunt {
    /// Squares of capturable pieces by fewest known steps.
    by_steps: [u64; MOST_STEPS as usize + 1],
    /// Lines by piece and steps, if wanted.
    lines: Option<Vec<(u64, StepLine)>>,
}

impl Hunt {
    fn all(&self) -> u64 {
        self.by_steps.iter().fold(0, |all, pieces| all | pieces)
    }

    /// Capturable within this number of steps.
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

    /// From a turn in progress.
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

    /// Within this number of steps, with no open push.
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

    /// Whether a push or pull captures at a trap after exactly this many single steps. In a shortest line each step
    /// changes something that a later one depends on: the last push or pull depends on squares near the enemy next to
    /// the trap, the step before on squares near that.
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
        // A stronger piece has to get next to the victim, one step per square, and one more of another piece if frozen.
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

/// Where an enemy captured by an enemy's step was: its target, or where it was left alone.
fn lost(before: &Field, after: &Field, step: Move) -> Option<u64> {
    let stayed = before.foe & !step.from;
    let gone = (stayed | step.to) & !after.foe;
    (gone != 0).then_some(gone)
}
