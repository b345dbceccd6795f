//! Which moves to try first: what was best here before, moves that refuted others at the same distance, and those whose
//! halves did well elsewhere: the queen's way, and the square that was blocked. What is not known yet goes by how
//! free the queen lands and whom the block stands beside.

use annals_events::Side;
use annals_rules::amazons::{Move, Position, Size};

use crate::amazons::neighbours::{Neighbours, id_of, number};
use crate::search::learned::{Killers, LEARNED, age, learn};

/// A move to try, with its rank in the order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) played: Move,
    pub(super) rank: i32,
    /// Its place among the moves as they are generated, by which equal ranks are told apart.
    place: u16,
}

const KNOWN_BEST: i32 = 1 << 28;
const KILLER: i32 = 1 << 20;
/// Ranks above this are of the best known move and of killers.
pub(super) const SPECIAL: i32 = KILLER / 2;

/// What each vacant square beside the queen where it lands counts.
const FREE_BESIDE: i32 = 120;
/// What an enemy queen beside the block counts, and an own one.
const ENEMY_BESIDE: i32 = 900;
const OWN_BESIDE: i32 = -500;

/// What was learned of moves so far.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) neighbours: Neighbours,
    /// By side and the queen's way.
    ways: Vec<i32>,
    /// By side, where the queen landed, and the square that was blocked.
    shots: Vec<i32>,
    /// By side and the square that was blocked.
    blocks: Vec<i32>,
    killers: Killers<u32>,
}

const WAYS: usize = 1 << 14;

impl Order {
    pub(super) fn new(most_plies: usize) -> Order {
        Order {
            neighbours: Neighbours::of(Size::USUAL),
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

    /// A new search begins, on a board of this size.
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

    /// The three places of a move in what is learned.
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

    /// A move was good enough to end the search of a position, and those before it were not.
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

    /// Adds all moves to `into`, ranked.
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

/// Brings so many of the best to the front, in order; the others follow in any order that depends on all of them alone.
pub(super) fn bring_best_forward(candidates: &mut [Candidate], count: usize) {
    let key = |candidate: &Candidate| (std::cmp::Reverse(candidate.rank), candidate.place);
    if count < candidates.len() {
        candidates.select_nth_unstable_by_key(count, key);
    }
    if let Some(first) = candidates.get_mut(..count.min(candidates.len())) {
        first.sort_unstable_by_key(key);
    }
}
