//! Step order: the best known step, captures, killers; then history together with the likelihood, or with the nearness
//! to the last step.

use annals_events::Side;
use annals_rules::arimaa::bitboard::{TRAPS, neighbours, spread, squares};
use annals_rules::arimaa::{Board, NextStep, Piece, Square, Steps};

use super::learned::{Killers, LEARNED, age, learn};
use super::likelihood::StepFeatures;
use super::line::{PASS, id_of};

/// What ranks the steps, together with their history.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ranking {
    Likelihood,
    /// To the target of the turn's last step.
    Nearness(Option<Square>),
}

/// A step, or none for the end of the turn, with its rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) next: Option<NextStep>,
    pub(super) rank: i32,
}

impl Candidate {
    pub(super) fn id(&self) -> u16 {
        self.next.map_or(PASS, |next| id_of(next.from, next.to))
    }

    /// The step that the table knows as the best, if it is legal.
    pub(super) fn known(steps: &Steps, may_end: bool, id: u16) -> Option<Candidate> {
        let next = match id {
            PASS if !may_end => return None,
            PASS => None,
            id => Some(steps.next_step(Square::new((id >> 6) as u8)?, Square::new((id & 63) as u8)?)?),
        };
        Some(Candidate { next, rank: KNOWN_BEST })
    }
}

const KNOWN_BEST: i32 = 1 << 28;
const CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 18;
const LOSES_PIECE: i32 = -(1 << 18);
/// Below: steps that lose an own piece.
pub(super) const LOSING: i32 = LOSES_PIECE / 2;
/// Above: the best known step, captures and killers.
pub(super) const SPECIAL: i32 = KILLER / 2;

/// History of steps.
#[derive(Debug)]
pub(super) struct Order {
    /// By mover, owner of the piece, and squares.
    learned: Vec<i32>,
    killers: Killers<u16>,
}

impl Order {
    pub(super) fn new(most_plies: usize) -> Order {
        Order { learned: vec![0; 2 * 2 * 4096], killers: Killers::new(most_plies) }
    }

    pub(super) fn clear(&mut self) {
        self.learned.fill(0);
        self.killers.clear();
    }

    /// Begins a search, two turns after the last.
    pub(super) fn age(&mut self) {
        age(&mut self.learned);
        self.killers.clear();
    }

    fn index(mover: Side, own: bool, id: u16) -> usize {
        mover.index() << 13 | usize::from(own) << 12 | usize::from(id)
    }

    fn learn(&mut self, mover: Side, own: bool, id: u16, bonus: i32) {
        if let Some(worth) = self.learned.get_mut(Order::index(mover, own, id)) {
            learn(worth, bonus);
        }
    }

    /// Records a cutoff by a step, and the failure of those before it.
    pub(super) fn refuted(
        &mut self,
        steps: &Steps,
        height: usize,
        depth: i32,
        best: &Candidate,
        before: &[Candidate],
    ) {
        let own = |candidate: &Candidate| {
            candidate.next.is_none_or(|next| steps.board().occupied(steps.mover()) & next.from.bit() != 0)
        };
        let bonus = 32 * depth.clamp(1, 12) * depth.clamp(1, 12);
        self.learn(steps.mover(), own(best), best.id(), bonus);
        for other in before {
            self.learn(steps.mover(), own(other), other.id(), -bonus / 4);
        }
        self.killers.put(height, best.id());
    }

    /// Adds all steps but the known one, and the end of the turn if `may_end`, to `into`, ranked.
    pub(super) fn rank(
        &self,
        steps: &Steps,
        may_end: bool,
        known: Option<u16>,
        by: Ranking,
        height: usize,
        into: &mut Vec<Candidate>,
    ) {
        let mover = steps.mover();
        let supports = Supports::of(steps.board(), mover);
        let features = matches!(by, Ranking::Likelihood).then(|| StepFeatures::of(steps));
        let likelihood =
            |next: Option<&NextStep>| features.as_ref().map_or(0, |features| features.weight(next));
        let killers = self.killers.at(height);
        let learned = |own, id| self.learned.get(Order::index(mover, own, id)).copied().unwrap_or(0);
        if may_end && known != Some(PASS) {
            let rank = match () {
                () if killers.contains(&Some(PASS)) => KILLER,
                () => learned(true, PASS) + likelihood(None),
            };
            into.push(Candidate { next: None, rank });
        }
        steps.for_each_next(|next| {
            let id = id_of(next.from, next.to);
            if known == Some(id) {
                return true;
            }
            let own = supports.own & next.from.bit() != 0;
            let mut rank = learned(own, id) + likelihood(Some(&next));
            if killers[0] == Some(id) {
                rank += KILLER;
            } else if killers[1] == Some(id) {
                rank += KILLER - LEARNED;
            }
            match supports.loss(steps.board(), &next, own) {
                Some(kind) if own => rank += LOSES_PIECE * (1 + kind.index() as i32 / 2),
                Some(kind) => rank += CAPTURE * (1 + kind.index() as i32),
                None if !own && features.is_none() => rank += 3_000,
                None => {}
            }
            if let Ranking::Nearness(Some(last)) = by {
                rank += nearness(last, &next);
            }
            into.push(Candidate { next: Some(next), rank });
            true
        });
    }
}

/// Most turns are one idea.
fn nearness(last: Square, next: &NextStep) -> i32 {
    match distance(last, next.from).min(distance(last, next.to)) {
        0 => 2_000,
        1 => 1_200,
        2 => 500,
        _ => 0,
    }
}

fn distance(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank())
}

/// Pieces lost when a piece moves.
struct Supports {
    own: u64,
    enemy: u64,
    /// The only friends of friends on traps.
    sole: u64,
}

impl Supports {
    fn of(board: &Board, mover: Side) -> Supports {
        let (own, enemy) = (board.occupied(mover), board.occupied(mover.other()));
        let mut sole = 0;
        for trap in squares((own | enemy) & TRAPS) {
            let friends = if own & trap.bit() != 0 { own } else { enemy };
            let support = neighbours(trap) & friends;
            if support.count_ones() == 1 {
                sole |= support;
            }
        }
        Supports { own, enemy, sole }
    }

    /// The kind of own piece that the step loses.
    fn loss(&self, board: &Board, next: &NextStep, own: bool) -> Option<Piece> {
        let friends = if own { self.own } else { self.enemy };
        let (from, to) = (next.from.bit(), next.to.bit());
        let square = if to & TRAPS != 0 && spread(to) & friends & !from == 0 {
            next.from
        } else if self.sole & from != 0 {
            // The trap may still be supported from the target, but no two squares next to a trap touch.
            squares(spread(from) & friends & TRAPS).next().filter(|trap| *trap != next.to)?
        } else {
            return None;
        };
        board.piece_at(square).map(|(_, kind)| kind)
    }
}

/// Moves the best of the rest to the front and returns it.
#[inline]
pub(super) fn take_best(rest: &mut [Candidate]) -> Option<Candidate> {
    let mut best = 0;
    let mut rank = rest.first()?.rank;
    for (i, candidate) in rest.iter().enumerate().skip(1) {
        if candidate.rank > rank {
            (best, rank) = (i, candidate.rank);
        }
    }
    // Keeps the others' order, so that equal ranks are tried as generated.
    rest.get_mut(..=best)?.rotate_right(1);
    rest.first().copied()
}
