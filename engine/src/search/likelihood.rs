//! How likely a step is the best one, by static features: the piece and its squares, danger and support, the traps, and
//! the step before. The weights are those of a conditional logit model; `examples/step_weights.rs` fits them to
//! turns that searches chose.

use annals_events::Side;
use annals_rules::arimaa::bitboard::{TRAPS, neighbours, spread, squares};
use annals_rules::arimaa::{NextStep, Square, StepKind, Steps};

use super::likelihood_weights::WEIGHTS;

/// Squares of half a board: a step and its mirror image have the same features.
const HALF: usize = 32;

/// The first feature of each group.
const OWN_FROM: usize = 0;
const OWN_TO: usize = OWN_FROM + 6 * HALF;
const ENEMY_FROM: usize = OWN_TO + 6 * HALF;
const ENEMY_TO: usize = ENEMY_FROM + 6 * HALF;
/// By kind: stronger enemies next to the old square, and next to the new one with or without a friend.
const DANGER: usize = ENEMY_TO + 6 * HALF;
/// By kind: weaker enemies next to the old and to the new square.
const ATTACK: usize = DANGER + 6 * 6;
/// The step frees a frozen friend.
const THAW: usize = ATTACK + 6 * 4;
/// The step leaves a friend that is then frozen.
const DESERT: usize = THAW + 1;
/// A square next to a trap is left or entered: whose trap, and how many others of both sides are next to it.
const LEAVE: usize = DESERT + 1;
const ENTER: usize = LEAVE + 18;
/// The relation to the step before.
const NEAR: usize = ENTER + 18;
/// By kind and number of the step in its turn.
const MADE: usize = NEAR + 8;
/// A pull or the beginning of a push, by number of the step; and the end of a push.
const DISPLACED: usize = MADE + 6 * 4;
const PUSH_COMPLETED: usize = DISPLACED + 2 * 4;
/// The end of the turn, by the steps made.
const PASS: usize = PUSH_COMPLETED + 1;
/// An enemy is brought next to a trap: with enemies there or not, and whose trap.
const DRAGGED: usize = PASS + 4;
/// The number of features.
pub(super) const FEATURES: usize = DRAGGED + 4;

/// A position within a turn, prepared for its steps' features.
#[derive(Debug)]
pub struct StepFeatures {
    own: u64,
    enemy: u64,
    own_frozen: u64,
    /// Own pieces that a single friend keeps from being frozen.
    held: u64,
    /// By kind: the enemies that are stronger, and those that are weaker.
    stronger: [u64; 6],
    weaker: [u64; 6],
    mover: Side,
    made: usize,
    last: Option<(Square, Square)>,
}

impl StepFeatures {
    /// The number of features; each is identified by a smaller number.
    pub const COUNT: usize = FEATURES;

    #[must_use]
    pub fn of(steps: &Steps) -> StepFeatures {
        let (board, mover) = (steps.board(), steps.mover());
        let [p0, p1, p2, _] = board.planes();
        let (own, enemy) = (board.occupied(mover), board.occupied(mover.other()));
        let kinds = [p0 & !p1 & !p2, p1 & !p0 & !p2, p0 & p1, p2 & !p0 & !p1, p0 & p2, p1 & p2];
        let stronger = [p1 | p2, p2 | (p0 & p1), p2, p2 & (p0 | p1), p1 & p2, 0].map(|set| set & enemy);
        let mut weaker = [0; 6];
        let (mut below, mut threatened) = (0, 0);
        for ((weaker, kind), stronger) in weaker.iter_mut().zip(kinds).zip(stronger) {
            *weaker = below & enemy;
            below |= kind;
            threatened |= kind & own & spread(stronger);
        }
        let supported = spread(own);
        let held = squares(threatened & supported)
            .filter(|square| (neighbours(*square) & own).is_power_of_two())
            .fold(0, |held, square| held | square.bit());
        StepFeatures {
            own,
            enemy,
            own_frozen: threatened & !supported,
            held,
            stronger,
            weaker,
            mover,
            made: usize::from(steps.made()),
            last: steps.last().map(|last| (last.from, last.to)),
        }
    }

    /// The summed weights of a step, or of the end of the turn: log-odds times 1,500.
    #[inline]
    pub(super) fn weight(&self, next: Option<&NextStep>) -> i32 {
        let mut sum = 0;
        self.each(next, |feature| sum += WEIGHTS.get(feature).map_or(0, |weight| i32::from(*weight)));
        sum
    }

    /// Calls `feature` with each feature of a step, or of the end of the turn.
    #[inline]
    pub fn each(&self, next: Option<&NextStep>, mut feature: impl FnMut(usize)) {
        let Some(next) = next else {
            feature(PASS + self.made);
            return;
        };
        let kind = next.piece().index();
        let own = self.own & next.from.bit() != 0;
        let (from, to) = (self.half(next.from), self.half(next.to));
        let [base_from, base_to] = if own { [OWN_FROM, OWN_TO] } else { [ENEMY_FROM, ENEMY_TO] };
        feature(base_from + kind * HALF + from);
        feature(base_to + kind * HALF + to);
        if own {
            feature(MADE + kind * 4 + self.made);
            self.own_step(next, kind, &mut feature);
        } else {
            let push = usize::from(next.kind() == StepKind::PushBegun);
            feature(DISPLACED + push * 4 + self.made);
            let trap = neighbours(next.to) & TRAPS;
            if trap != 0 {
                let guarded = usize::from(spread(trap) & self.enemy & !next.from.bit() != 0);
                feature(DRAGGED + guarded * 2 + usize::from(self.is_home(trap)));
            }
        }
        if next.kind() == StepKind::PushCompleted {
            feature(PUSH_COMPLETED);
        }
        if let Some((last_from, last_to)) = self.last {
            let relation = match () {
                () if next.from == last_to => usize::from(next.to == last_from),
                () if own && next.to == last_from => 2,
                () => 3 + usize::from(distance(last_to, next.from).min(distance(last_to, next.to)).min(4)),
            };
            feature(NEAR + relation);
        }
    }

    #[inline]
    fn own_step(&self, next: &NextStep, kind: usize, feature: &mut impl FnMut(usize)) {
        let [left, entered] = [neighbours(next.from), neighbours(next.to)];
        let (stronger, weaker) = (self.stronger[kind], self.weaker[kind]);
        let friends = self.own & !next.from.bit();
        let after = match (entered & stronger != 0, entered & friends != 0) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => 2,
        };
        feature(DANGER + kind * 6 + usize::from(left & stronger != 0) * 3 + after);
        let attack = usize::from(left & weaker != 0) * 2 + usize::from(entered & weaker != 0);
        feature(ATTACK + kind * 4 + attack);
        if entered & self.own_frozen != 0 {
            feature(THAW);
        }
        if left & self.held & !entered != 0 {
            feature(DESERT);
        }
        self.beside_trap(left, friends, LEAVE, feature);
        self.beside_trap(entered, friends, ENTER, feature);
    }

    /// The trap among the neighbours of a square.
    #[inline]
    fn beside_trap(&self, neighbours: u64, friends: u64, base: usize, feature: &mut impl FnMut(usize)) {
        let trap = neighbours & TRAPS;
        if trap == 0 {
            return;
        }
        let ring = spread(trap);
        let [mine, theirs] = [friends, self.enemy].map(|side| (ring & side).count_ones().min(2) as usize);
        feature(base + (usize::from(self.is_home(trap)) * 3 + mine) * 3 + theirs);
    }

    /// Whether a trap is on the mover's half.
    #[inline]
    fn is_home(&self, trap: u64) -> bool {
        (trap.trailing_zeros() < 32) == (self.mover == Side::Gold)
    }

    /// A square from the mover's side, the same for its mirror image.
    #[inline]
    fn half(&self, square: Square) -> usize {
        let rank = if self.mover == Side::Gold { square.rank() } else { 7 - square.rank() };
        usize::from(rank * 4 + square.file().min(7 - square.file()))
    }
}

#[inline]
fn distance(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank())
}

#[cfg(test)]
mod tests {
    use annals_rules::arimaa::Position;

    use super::*;

    /// The weights of all steps of a turn, in which each step made is the one with the largest weight.
    fn weights(position: &Position) -> Vec<Vec<i32>> {
        let mut steps = Steps::begin(position);
        let mut all = Vec::new();
        for _ in 0..4 {
            let features = StepFeatures::of(&steps);
            let mut weighed = Vec::new();
            steps.for_each_next(|next| {
                features.each(Some(&next), |feature| assert!(feature < FEATURES));
                weighed.push((features.weight(Some(&next)), next));
                true
            });
            weighed.sort_unstable_by_key(|(weight, _)| -weight);
            all.push(weighed.iter().map(|(weight, _)| *weight).collect());
            // With two best steps, a turned board could continue with the other one.
            if weighed.get(1).is_some_and(|(weight, _)| *weight == weighed[0].0) {
                break;
            }
            steps.take(weighed[0].1);
        }
        all
    }

    #[test]
    fn colours_and_wings_have_the_same_weights() {
        let mut steps = 0;
        for text in [
            "g [rrr rrrrhdc mcdh   r        e    H  E            DCM CDHRRRRRRRR]",
            "s [rrrrrrrrhdcmecdh........................R...E.H..H.M.C.RRRRCDRRR]",
            "g [rrrr.r.r.d..rcrhh..e..d..c..mH..........R..M.....HR.DRCRRR.C..RR]",
        ] {
            let position: Position = text.parse().unwrap();
            let own = weights(&position);
            assert_eq!(own, weights(&position.rotated()), "{text}");
            assert_eq!(own, weights(&position.mirrored()), "{text}");
            steps += own.iter().map(Vec::len).sum::<usize>();
        }
        assert!(steps > 100, "{steps}");
    }

    #[test]
    fn an_elephant_moves_more_often_than_a_rabbit_at_home() {
        let position: Position =
            "g [rrrrrrrrhdcmecdh................................HDCEMCDHRRRRRRRR]".parse().unwrap();
        let features = StepFeatures::of(&Steps::begin(&position));
        let steps = Steps::begin(&position);
        let weight = |from: &[u8; 2], to: &[u8; 2]| {
            let square = |name| Square::from_name(name).unwrap();
            features.weight(steps.next_step(square(from), square(to)).as_ref())
        };
        assert!(weight(b"d2", b"d3") > weight(b"a2", b"a3"));
    }
}
