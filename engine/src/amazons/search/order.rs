//! Move order: the best known move, killers, and history of both halves of a move (the queen's way, the blocked
//! square); unknown moves by the queen's freedom and the block's neighbours.

use annals_events::Side;
use annals_rules::amazons::{Move, Position, Size};

use crate::amazons::neighbours::{Neighbours, id_of, number};
use crate::search::learned::{Killers, LEARNED, age, learn};

/// With its rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) played: Move,
    pub(super) rank: i32,
    /// Index among the generated moves, which breaks ties.
    place: u16,
}

const KNOWN_BEST: i32 = 1 << 28;
const KILLER: i32 = 1 << 20;
/// Above: the best known move and killers.
pub(super) const SPECIAL: i32 = KILLER / 2;

/// Per vacant square next to the queen's target.
const FREE_BESIDE: i32 = 120;
/// Per enemy queen next to the block, and per own one.
const ENEMY_BESIDE: i32 = 900;
const OWN_BESIDE: i32 = -500;

/// History of moves.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) neighbours: Neighbours,
    /// By side and the queen's way.
    ways: Vec<i32>,
    /// By side, queen's target and blocked square.
    shots: Vec<i32>,
    /// By side and blocked square.
    blocks: Vec<i32>,
    killers: Killers<u32>,
}

const WAYS: usize = 1 << 14;

impl Order {
    pub(super) fn new(most_plies: usize) -> Order {
        Order {
            neighbours: Neighbours::of(Size::STANDARD),
            ways: vec![0; 2 * WAYS],
            shots: vec![0; 2 * WAYS],
            blocks: vec![0; 2 * 128],
            killers: Killers::new(most_plies),
        }
    }

    pub(super) fn clear(&mut self) {
        for learned in [&mut self.ways, &mut self.shots, &mut self.blocks] {
            learned.fill(0);
        }
        self.killers.clear();
    }

    /// Begins a search on a board of this size.
    pub(super) fn begin(&mut self, size: Size) {
        if self.neighbours.size() != size {
            self.neighbours = Neighbours::of(size);
            self.clear();
        }
        for learned in [&mut self.ways, &mut self.shots, &mut self.blocks] {
            age(learned);
        }
        self.killers.clear();
    }

    /// The three history indices of a move.
    fn places(side: Side, id: u32) -> [usize; 3] {
        let (id, side) = (id as usize, side.index());
        [side * WAYS + (id & 0x3fff), side * WAYS + (id >> 7 & 0x3fff), side * 128 + (id >> 14 & 127)]
    }

    pub(super) fn learn(&mut self, side: Side, played: Move, bonus: i32) {
        let places = Order::places(side, id_of(self.neighbours.size(), played));
        for (learned, place) in [&mut self.ways, &mut self.shots, &mut self.blocks].into_iter().zip(places) {
            if let Some(worth) = learned.get_mut(place) {
                learn(worth, bonus);
            }
        }
    }

    /// Records a cutoff by a move, and the failure of those before it.
    pub(super) fn refuted(
        &mut self,
        side: Side,
        ply: usize,
        depth: i32,
        best: &Candidate,
        before: &[Candidate],
    ) {
        let bonus = 128 * depth.clamp(1, 8);
        self.learn(side, best.played, bonus);
        for other in before.iter().take(16) {
            self.learn(side, other.played, -bonus / 8);
        }
        self.killers.put(ply, id_of(self.neighbours.size(), best.played));
    }

    pub(super) fn rank(
        &self,
        position: &Position,
        known_best: Option<u32>,
        ply: usize,
        into: &mut Vec<Candidate>,
    ) {
        let (board, side) = (position.board(), position.to_move());
        let size = board.size();
        let (vacant, own, enemy) = (board.vacant(), board.queens(side), board.queens(side.other()));
        let killers = self.killers.at(ply);
        let mut landing = [0i32; 128];
        let mut blocking = [0i32; 128];
        for square in size.squares(board.size().all() & !board.blocks()) {
            let at = number(size, square) & 127;
            let beside = self.neighbours.beside(at);
            let count = |set: u128| (beside & set).count_ones() as i32;
            landing[usize::from(at)] = FREE_BESIDE * count(vacant);
            let learned = self.blocks.get(side.index() * 128 + usize::from(at)).copied().unwrap_or(0);
            blocking[usize::from(at)] = learned + ENEMY_BESIDE * count(enemy) + OWN_BESIDE * count(own);
        }
        let mut place = 0;
        board.for_each_move(side, |played| {
            let id = id_of(size, played);
            let [way, shot, _] = Order::places(side, id);
            let mut rank = self.ways.get(way).copied().unwrap_or(0)
                + self.shots.get(shot).copied().unwrap_or(0)
                + landing[(id >> 7 & 127) as usize]
                + blocking[(id >> 14 & 127) as usize];
            if known_best == Some(id) {
                rank += KNOWN_BEST;
            } else if killers[0] == Some(id) {
                rank += KILLER;
            } else if killers[1] == Some(id) {
                rank += KILLER - 4 * LEARNED;
            }
            into.push(Candidate { played, rank, place });
            place += 1;
        });
    }
}

/// Sorts the best `count` to the front; the others' order is deterministic.
pub(super) fn bring_best_forward(candidates: &mut [Candidate], count: usize) {
    let key = |candidate: &Candidate| (std::cmp::Reverse(candidate.rank), candidate.place);
    if count < candidates.len() {
        candidates.select_nth_unstable_by_key(count, key);
    }
    if let Some(first) = candidates.get_mut(..count.min(candidates.len())) {
        first.sort_unstable_by_key(key);
    }
}
