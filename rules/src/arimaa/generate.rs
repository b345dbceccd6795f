//! All distinct turns of a position. A turn is a chain of units: an own step (one step), or a push or pull (two).
//! Boards are found by fewest steps, each once, so that other orders of the same steps cost one lookup.

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

/// A board with the unit that led to it.
#[derive(Debug, Clone, Copy)]
struct Node {
    board: Board,
    hash: u64,
    parent: u32,
    unit: Unit,
}

/// One or two steps, as (from, to).
#[derive(Debug, Clone, Copy)]
struct Unit {
    first: (Square, Square),
    second: Option<(Square, Square)>,
}

/// Finds distinct turns; tables are kept between calls.
#[derive(Debug, Clone, Default)]
pub struct Generator {
    seen: HashSet,
    nodes: Vec<Node>,
}

/// Whether boards after the fourth step are stored or counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Kept,
    Counted,
}

impl Generator {
    #[must_use]
    pub fn new() -> Generator {
        Generator::default()
    }

    /// Different boards after one turn, without repetition.
    pub fn count(&mut self, position: &Position) -> usize {
        self.count_by_steps(position).iter().sum()
    }

    /// By fewest steps (1 to 4).
    pub fn count_by_steps(&mut self, position: &Position) -> [usize; 4] {
        self.search(position, Last::Counted)
    }

    /// Calls `found` for every distinct turn with the position after it, by fewest steps. Of turns to one board, the
    /// first has the fewest steps. Repetition is not considered.
    pub fn for_each(&mut self, position: &Position, mut found: impl FnMut(&Position, &Turn)) {
        self.any(position, |after, turn| {
            found(after, turn);
            false
        });
    }

    /// Whether a turn leads to a `wanted` position.
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

    /// Replays the units to a node, for the turn's text and both hashes.
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
                // Only its text and captures matter here.
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
        // The nodes of the last two numbers of steps.
        let (mut before, mut here) = (0..0, 0..1);
        for (made, count) in counts.iter_mut().enumerate() {
            if made == 3 {
                // Layers grow by a nearly constant factor.
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

/// After a move and its captures.
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

/// Calls `found` with own steps: from, to, the new hash and the captured square.
///
/// Independent steps of different pieces commute. If the node was reached by a step, independent steps from lower
/// squares are skipped: their board is also reached by making them first, through a node with no more steps. (That node
/// may skip its last step in turn, but only for one from a higher square, so the board is found.)
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

/// Steps skipped after a step: from any of `from` to any of `to`.
#[derive(Clone, Copy)]
struct Apart {
    from: u64,
    to: u64,
}

impl Unit {
    /// None after a push or pull. A step c–d is independent of a–b if neither changes what the other needs: c, the
    /// squares next to it (freezing) and d (empty) are neither a nor b; a, the squares next to it and b are neither c
    /// nor d; and not both touch a trap or a square next to one.
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

/// For many positions use one [`Generator`].
#[must_use]
pub fn distinct_turns(position: &Position) -> usize {
    Generator::new().count(position)
}

/// A push counts by its first step.
#[must_use]
pub fn first_steps(position: &Position) -> usize {
    let mut count = 0;
    Steps::begin(position).for_each_next(|_| {
        count += 1;
        true
    });
    count
}
