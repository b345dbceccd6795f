//! `goal`: the rabbits' distance to the goal. A clear path leads over empty squares on which the rabbit is not frozen:
//! within the present turn it is almost a win, within the next it needs an answer. Otherwise relaxed steps count: a
//! square where the rabbit would be frozen, or that a friend has to leave, costs two, one with an enemy three, and a
//! frozen rabbit one more.

use annals_rules::arimaa::bitboard::{GOAL, TRAPS, shift, spread, squares};
use annals_rules::arimaa::{Direction, MOST_STEPS};

use super::notes::Notes;
use super::view::View;

/// Largest distance distinguished.
const FAR: usize = 9;

pub(super) fn share<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let mut bag = Bag { second: view.parameters.second[0], small: 0, more: 0 };
    let roads = Roads::new(view);
    let mut waiting = view.me.kinds[0] & !view.me.frozen;
    for (steps, from) in (1..).zip(roads.clear()) {
        for square in squares(waiting & from) {
            let now = steps <= usize::from(view.left);
            bag.add(view.parameters.clear[if now { 0 } else { steps }]);
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
            bag.add(view.parameters.relaxed[needed]);
            notes.note(|| format!("{} needs about {needed} steps to the goal", view.own(square)));
        }
        waiting &= !from;
        if waiting == 0 {
            break;
        }
    }
    bag.small + bag.more
}

/// Sums all rabbits with the smaller part, and adds the rest for the best: independent of order.
struct Bag {
    /// Percentage for rabbits other than the nearest.
    second: i32,
    small: i32,
    more: i32,
}

impl Bag {
    #[inline]
    fn add(&mut self, worth: i32) {
        let small = worth * self.second / 100;
        self.small += small;
        self.more = self.more.max(worth - small);
    }
}

/// Squares by a rabbit's costs of entering and leaving.
struct Roads {
    one: u64,
    two: u64,
    three: u64,
}

impl Roads {
    #[inline]
    fn new(view: &View) -> Roads {
        // A rabbit brings no friend along: a single own piece next to the square may be the rabbit itself, so two make
        // it safe.
        let backed = beside_two(view.me.all);
        let safe = view.empty & (backed | !(spread(view.foe.officers()) | TRAPS));
        let one = safe | view.empty & GOAL[0];
        Roads { one, two: (view.empty & !one) | view.me.all, three: view.foe.all }
    }

    /// For each number of steps from one: the squares with a clear path to the goal.
    #[inline]
    fn clear(&self) -> [u64; MOST_STEPS as usize] {
        let mut entered = 0;
        [(); MOST_STEPS as usize].map(|()| {
            entered |= self.one & (before_step(entered) | GOAL[0]);
            before_step(entered)
        })
    }

    /// The same for relaxed steps, to the largest distance distinguished.
    #[inline]
    fn relaxed(&self) -> [u64; FAR - 1] {
        // Squares from which the goal costs at most now, one less, and two less steps, entering included.
        let (mut now, mut before, mut before_that) = (0, 0, 0);
        let mut reached = [0; FAR - 1];
        for (k, reached) in reached.iter_mut().enumerate() {
            // On the goal rank only entering costs.
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

/// The squares from which a rabbit steps into a set: from below or a side.
#[inline]
fn before_step(set: u64) -> u64 {
    shift(set, Direction::South) | shift(set, Direction::East) | shift(set, Direction::West)
}

/// Squares next to at least two of a set.
#[inline]
fn beside_two(set: u64) -> u64 {
    let [n, e, s, w] =
        [Direction::North, Direction::East, Direction::South, Direction::West].map(|d| shift(set, d));
    n & (e | s | w) | e & (s | w) | s & w
}
