//! `goal`: how near rabbits are to the goal. A clear road leads over empty squares on which the rabbit is not
//! frozen: within the steps of the present turn it is as good as won, within those of the next turn it has to
//! be answered. Else the way is counted in relaxed steps: a square where the rabbit would be frozen, or where
//! a friend has to make way, costs two to enter, one that an enemy holds three, and a frozen rabbit needs one
//! more to be freed.

use annals_rules::arimaa::bitboard::{GOAL, TRAPS, shift, spread, squares};
use annals_rules::arimaa::{Direction, MOST_STEPS};

use super::notes::Notes;
use super::view::View;

/// As far as distances are told apart.
const FAR: usize = 9;

/// A clear road of so many steps as are left in this turn.
const NOW: i32 = 1400;

/// A clear road of so many steps, at the earliest in the next own turn.
const CLEAR: [i32; 5] = [0, 700, 600, 500, 400];

/// So many relaxed steps.
const RELAXED: [i32; FAR + 1] = [0, 450, 400, 330, 260, 160, 100, 60, 28, 0];

/// What a rabbit that is not the nearest counts of that.
const SECOND_PART: i32 = 4;

pub(super) fn share<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let mut bag = Bag::default();
    let roads = Roads::new(view);
    let mut waiting = view.me.kinds[0] & !view.me.frozen;
    for (steps, from) in (1..).zip(roads.clear()) {
        for square in squares(waiting & from) {
            let now = steps <= usize::from(view.left);
            bag.add(if now { NOW } else { CLEAR[steps] });
            notes.note(|| {
                let when = if now { "in this turn" } else { "in the next turn" };
                format!("{} has a clear road of {steps} to the goal, {when}", view.own(square))
            });
        }
        waiting &= !from;
    }
    waiting |= view.me.kinds[0] & view.me.frozen;
    for (steps, from) in (1..).zip(roads.relaxed()) {
        for square in squares(waiting & from) {
            let needed = (steps + usize::from(view.me.frozen & square.bit() != 0)).min(FAR);
            bag.add(RELAXED[needed]);
            notes.note(|| format!("{} needs about {needed} steps to the goal", view.own(square)));
        }
        waiting &= !from;
        if waiting == 0 {
            break;
        }
    }
    bag.small + bag.more
}

/// All rabbits by the smaller part, and what the best of them adds by counting in full: no matter in which
/// order they come.
#[derive(Default)]
struct Bag {
    small: i32,
    more: i32,
}

impl Bag {
    #[inline]
    fn add(&mut self, worth: i32) {
        self.small += worth / SECOND_PART;
        self.more = self.more.max(worth - worth / SECOND_PART);
    }
}

/// The squares by what it costs a rabbit to enter and leave them.
struct Roads {
    one: u64,
    two: u64,
    three: u64,
}

impl Roads {
    #[inline]
    fn new(view: &View) -> Roads {
        // A rabbit brings no friend to the square it steps to: where one own piece alone stands beside it,
        // that may be the rabbit itself. So a square is safe with two of them.
        let backed = beside_two(view.me.all);
        let safe = view.empty & (backed | !(spread(view.foe.officers()) | TRAPS));
        let one = safe | view.empty & GOAL[0];
        Roads { one, two: (view.empty & !one) | view.me.all, three: view.foe.all }
    }

    /// For each number of steps, from one on: the squares from which a clear road leads to the goal with so
    /// many or fewer.
    #[inline]
    fn clear(&self) -> [u64; MOST_STEPS as usize] {
        let mut entered = 0;
        [(); MOST_STEPS as usize].map(|()| {
            entered |= self.one & (before_step(entered) | GOAL[0]);
            before_step(entered)
        })
    }

    /// The same for relaxed steps, as far as distances are told apart.
    #[inline]
    fn relaxed(&self) -> [u64; FAR - 1] {
        // Squares whose entering, with all that follows up to the goal, costs at most so many steps: as now,
        // one less, and two less.
        let (mut now, mut before, mut before_that) = (0, 0, 0);
        let mut reached = [0; FAR - 1];
        for (k, reached) in reached.iter_mut().enumerate() {
            // On the goal rank nothing follows, so all that counts is whether the entering is paid for.
            let mut entered = now | self.one & (before_step(now) | GOAL[0]);
            if k >= 1 {
                entered |= self.two & (before_step(before) | GOAL[0]);
            }
            if k >= 2 {
                entered |= self.three & (before_step(before_that) | GOAL[0]);
            }
            (before_that, before, now) = (before, now, entered);
            *reached = before_step(entered);
        }
        reached
    }
}

/// The squares from which a rabbit steps into a set: from below, or from either side.
#[inline]
fn before_step(set: u64) -> u64 {
    shift(set, Direction::South) | shift(set, Direction::East) | shift(set, Direction::West)
}

/// Squares with at least two of a set beside them.
#[inline]
fn beside_two(set: u64) -> u64 {
    let [n, e, s, w] =
        [Direction::North, Direction::East, Direction::South, Direction::West].map(|d| shift(set, d));
    n & (e | s | w) | e & (s | w) | s & w
}
