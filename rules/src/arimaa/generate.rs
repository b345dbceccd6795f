//! All distinct turns of a position. A turn is a chain of units: a step of an own piece (one step), a push or a pull
//! (two steps). Boards are found in order of the fewest steps that reach them, each once, so that the many orders
//! of the same steps cost one look into a set of hashes and are not followed further.

use annals_events::Side;

use super::bitboard::{self, TRAP_ZONE, TRAPS, squares};
use super::board::Board;
use super::hash_set::HashSet;
use super::next_step::{NextStep, StepKind};
use super::piece::{self, Piece};
use super::position::Position;
use super::square::Square;
use super::steps::{MOST_STEPS, Steps};
use super::turn_text::Turn;
use super::zobrist;

/// A board that was reached, with the unit that led there from another.
#[derive(Debug, Clone, Copy)]
struct Node {
    board: Board,
    hash: u64,
    parent: u32,
    unit: Unit,
}

/// One or two steps, as (from, to) each.
#[derive(Debug, Clone, Copy)]
struct Unit {
    first: (Square, Square),
    second: Option<(Square, Square)>,
}

/// Finds the distinct turns of positions; its tables are kept between calls.
#[derive(Debug, Clone, Default)]
pub struct Generator {
    seen: HashSet,
    nodes: Vec<Node>,
}

/// Whether boards after the fourth step are kept, or only counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Kept,
    Counted,
}

impl Generator {
    /// A generator with empty tables.
    #[must_use]
    pub fn new() -> Generator {
        Generator::default()
    }

    /// How many different boards one turn can lead to, repetition left aside.
    pub fn count(&mut self, position: &Position) -> usize {
        self.count_by_steps(position).iter().sum()
    }

    /// The same, split by the fewest steps (1 to 4) that lead to the board.
    pub fn count_by_steps(&mut self, position: &Position) -> [usize; 4] {
        self.search(position, Last::Counted)
    }

    /// Hands every distinct turn to `found`, with the position after it, in a fixed order: fewest steps first. Of the
    /// turns that lead to the same board the one handed over has the fewest steps. Repetition is left aside.
    pub fn for_each(&mut self, position: &Position, mut found: impl FnMut(&Position, &Turn)) {
        self.any(position, |after, turn| {
            found(after, turn);
            false
        });
    }

    /// Whether any turn leads to a position that `wanted` accepts.
    pub(super) fn any_turn(&mut self, position: &Position, wanted: impl Fn(&Position) -> bool) -> bool {
        self.any(position, |after, _| wanted(after))
    }

    fn any(&mut self, position: &Position, mut found: impl FnMut(&Position, &Turn) -> bool) -> bool {
        self.search(position, Last::Kept);
        self.nodes[1..].iter().any(|node| {
            let (steps, turn) = self.trace(position, node);
            steps.finish(position).is_ok_and(|after| found(&after, &turn))
        })
    }

    /// Plays the units that lead to a node once more, for the words of the turn and both hashes.
    fn trace(&self, position: &Position, node: &Node) -> (Steps, Turn) {
        let mut units = [node.unit; MOST_STEPS as usize];
        let mut len = 1;
        let mut parent = node.parent as usize;
        while parent != 0 && len < units.len() {
            units[len] = self.nodes[parent].unit;
            parent = self.nodes[parent].parent as usize;
            len += 1;
        }
        let mut steps = Steps::begin(position);
        let mut turn = Turn::EMPTY;
        for unit in units[..len].iter().rev() {
            for (from, to) in std::iter::once(unit.first).chain(unit.second) {
                let code = steps.board().code_at(from);
                // What the step is to the turn does not matter here; its words and its captures do.
                let step = NextStep::new(code, from, to, StepKind::Own);
                turn.push(step.token());
                if let Some(capture) = steps.take(step) {
                    turn.push(capture);
                }
            }
        }
        (steps, turn)
    }

    fn search(&mut self, position: &Position, last: Last) -> [usize; 4] {
        let mover = position.to_move();
        let corner = Square::masked(0);
        let root = Node {
            board: *position.board(),
            hash: position.hash(),
            parent: 0,
            unit: Unit { first: (corner, corner), second: None },
        };
        self.nodes.clear();
        self.nodes.push(root);
        self.seen.reset(4096);
        self.seen.insert(root.hash);
        let mut counts = [0; 4];
        // Where the boards of the last two numbers of steps stand among the nodes.
        let (mut before, mut here) = (0..0, 0..1);
        for (made, count) in counts.iter_mut().enumerate() {
            if made == 3 {
                // The layers grow by a nearly constant factor.
                let expected = self.seen.len() + here.len() * here.len() / before.len().max(1);
                self.seen.grow(expected);
            }
            let known = self.seen.len();
            for parent in before.clone() {
                self.doubles(parent, mover);
            }
            for parent in here.clone() {
                if made == 3 && last == Last::Counted {
                    let node = self.nodes[parent];
                    singles(&node, mover, |_, _, hash, _| {
                        self.seen.insert(hash);
                    });
                } else {
                    self.singles(parent, mover);
                }
            }
            *count = self.seen.len() - known;
            before = here;
            here = before.end..self.nodes.len();
        }
        counts
    }

    fn singles(&mut self, parent: usize, mover: Side) {
        let node = self.nodes[parent];
        singles(&node, mover, |from, to, hash, captured| {
            if self.seen.insert(hash) {
                let mut board = node.board;
                board.toggle(board.code_at(from), from.bit() | to.bit());
                if let Some(square) = captured {
                    board.toggle(board.code_at(square), square.bit());
                }
                let unit = Unit { first: (from, to), second: None };
                self.nodes.push(Node { board, hash, parent: parent as u32, unit });
            }
        });
    }

    /// All pushes and pulls.
    fn doubles(&mut self, parent: usize, mover: Side) {
        let node = self.nodes[parent];
        let board = &node.board;
        let free = board.occupied(mover) & !board.frozen(mover);
        let empty = !board.taken();
        for victim_at in squares(board.pushable(mover, free)) {
            let Some((_, victim)) = piece::from_code(board.code_at(victim_at)) else { continue };
            let beside = bitboard::neighbours(victim_at);
            let stronger = beside & free & board.stronger_kinds(victim);
            for to in squares(beside & empty) {
                let pushed = moved(board, node.hash, victim_at, to);
                for pusher_at in squares(stronger) {
                    let unit = Unit { first: (victim_at, to), second: Some((pusher_at, victim_at)) };
                    self.add(pushed, unit, parent);
                }
            }
            for puller_at in squares(stronger) {
                for to in squares(bitboard::neighbours(puller_at) & empty) {
                    let stepped = moved(board, node.hash, puller_at, to);
                    let unit = Unit { first: (puller_at, to), second: Some((victim_at, puller_at)) };
                    self.add(stepped, unit, parent);
                }
            }
        }
    }

    fn add(&mut self, (board, hash): (Board, u64), unit: Unit, parent: usize) {
        let Some((from, to)) = unit.second else { return };
        let (board, hash) = moved(&board, hash, from, to);
        if self.seen.insert(hash) {
            self.nodes.push(Node { board, hash, parent: parent as u32, unit });
        }
    }
}

/// The board and its hash after one piece has moved and what that captures is gone.
#[inline]
fn moved(board: &Board, hash: u64, from: Square, to: Square) -> (Board, u64) {
    let mut board = *board;
    let code = board.code_at(from);
    board.toggle(code, from.bit() | to.bit());
    let mut hash = hash ^ zobrist::of(code, from.index()) ^ zobrist::of(code, to.index());
    if let Some(square) = squares(board.unsupported()).next() {
        let captured = board.code_at(square);
        board.toggle(captured, square.bit());
        hash ^= zobrist::of(captured, square.index());
    }
    (board, hash)
}

/// Hands the steps of own pieces to `found`: from, to, the hash after it and the square of what it captures.
///
/// Two steps of different pieces that have nothing to do with each other lead to the same board in either order. Where
/// the node was itself reached by a step, steps from a lower square that have nothing to do with that step are left
/// out: their board is also reached by making them first, through a node that was reached with no more steps. (That
/// node may leave out its last step in turn, but only for one from a still higher square, so the board is found.)
#[inline]
fn singles(node: &Node, mover: Side, mut found: impl FnMut(Square, Square, u64, Option<Square>)) {
    let board = &node.board;
    let own = board.occupied(mover);
    let free = own & !board.frozen(mover);
    let empty = !board.taken();
    let apart = node.unit.apart();
    // Pieces that are the only support of a friend on a trap.
    let mut sole = 0;
    for trap in squares(own & TRAPS) {
        let support = bitboard::neighbours(trap) & own;
        if support.count_ones() == 1 {
            sole |= support;
        }
    }
    for from in squares(free) {
        let code = board.code_at(from);
        let rabbit = code & 7 == 1;
        let kind = if rabbit { Piece::Rabbit } else { Piece::Elephant };
        let hash = node.hash ^ zobrist::of(code, from.index());
        let mut left_alone = None;
        let mut capture = 0;
        if sole & from.bit() != 0
            && let Some(trap) = squares(bitboard::neighbours(from) & own & TRAPS).next()
        {
            left_alone = Some(trap);
            capture = zobrist::of(board.code_at(trap), trap.index());
        }
        let mut targets = board.targets(mover, kind, from) & empty;
        if apart.from & from.bit() != 0 {
            targets &= !apart.to;
        }
        for to in squares(targets) {
            let arrived = hash ^ zobrist::of(code, to.index());
            if to.bit() & TRAPS != 0 && bitboard::neighbours(to) & own & !from.bit() == 0 {
                found(from, to, hash, Some(to));
            } else {
                found(from, to, arrived ^ capture, left_alone);
            }
        }
    }
}

/// Steps that are left out after a step, as they have nothing to do with it: from any of `from` to any of `to`.
#[derive(Clone, Copy)]
struct Apart {
    from: u64,
    to: u64,
}

impl Unit {
    /// Which steps are left out after this unit; none after a push or a pull.
    ///
    /// A step from c to d has nothing to do with one from a to b if neither changes what the other needs: c and the
    /// squares beside it (whether the piece is frozen) and d (empty) are neither a nor b; a, the squares beside it and b
    /// are neither c nor d; and not both touch a trap or a square beside one, so that captures are the same.
    #[inline]
    fn apart(&self) -> Apart {
        let (a, b) = self.first;
        if self.second.is_some() || a == b {
            return Apart { from: 0, to: 0 };
        }
        let step = a.bit() | b.bit();
        let near_a = step | bitboard::neighbours(a);
        let zone = if step & TRAP_ZONE == 0 { 0 } else { TRAP_ZONE };
        let lower = a.bit() - 1;
        Apart { from: lower & !(near_a | bitboard::neighbours(b) | zone), to: !(near_a | zone) }
    }
}

/// How many different boards one turn can lead to. For many positions use one [`Generator`].
#[must_use]
pub fn distinct_turns(position: &Position) -> usize {
    Generator::new().count(position)
}

/// Hands every distinct turn of a position to `found`; see [`Generator::for_each`].
pub fn for_each_distinct_turn(position: &Position, found: impl FnMut(&Position, &Turn)) {
    Generator::new().for_each(position, found);
}

/// How many legal first steps a position has, a push counted by its first step.
#[must_use]
pub fn first_steps(position: &Position) -> usize {
    let mut count = 0;
    Steps::begin(position).for_each_next(|_| {
        count += 1;
        true
    });
    count
}
