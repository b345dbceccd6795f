//! `goal`: how near rabbits are to the goal, in relaxed steps: an empty square costs one step to enter, one where the rabbit would
//! be frozen or where a friend has to make way two, and one that an enemy holds three; a frozen rabbit needs one more to be
//! freed. What is within the steps of the present turn counts as nearly won, what is within the next turn has to be answered.

use annals_rules::arimaa::Direction;
use annals_rules::arimaa::bitboard::{GOAL, TRAPS, shift, spread, squares};

use super::notes::Notes;
use super::view::View;

/// As far as distances are told apart.
const FAR: usize = 9;

/// A goal within the steps that are left in this turn.
const NOW: i32 = 700;

/// A goal in so many relaxed steps, at the earliest in the next own turn.
const LATER: [i32; FAR + 1] = [0, 360, 300, 240, 190, 90, 56, 34, 16, 0];

/// What a rabbit that is not the nearest counts of that.
const SECOND_PART: i32 = 4;

pub(super) fn share<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let mut waiting = view.me.kinds[0];
    let within = from_where(view);
    let (mut small, mut more) = (0, 0);
    for (steps, from) in (1..).zip(within) {
        for square in squares(waiting & from) {
            let frozen = view.me.frozen & square.bit() != 0;
            let needed = (steps + usize::from(frozen)).min(FAR);
            let now = needed <= usize::from(view.left);
            let worth = if now { NOW } else { LATER[needed] };
            small += worth / SECOND_PART;
            more = more.max(worth - worth / SECOND_PART);
            notes.note(|| {
                let when = if now { ", which it has" } else { "" };
                let s = if needed == 1 { "" } else { "s" };
                format!("{} needs about {needed} step{s} to the goal{when}", view.own(square))
            });
        }
        waiting &= !from;
        if waiting == 0 {
            break;
        }
    }
    small + more
}

/// For each number of relaxed steps, from one on: the squares from which a rabbit reaches the goal with so many or fewer.
fn from_where(view: &View) -> [u64; FAR - 1] {
    let officers = view.foe.officers();
    // A rabbit brings no friend to the square it steps to: where one own piece alone stands beside it, that may be the rabbit
    // itself. So a square is safe with two of them.
    let backed = beside_two(view.me.all);
    let safe = view.empty & (backed | !(spread(officers) | TRAPS));
    let steady = GOAL[0];
    // Squares whose entering and leaving cost one, two and three steps.
    let one = safe | view.empty & steady;
    let two = (view.empty & !one) | view.me.all;
    let three = view.foe.all;
    let mut reached = [0; FAR - 1];
    // Squares whose entering, with all that follows up to the goal, costs at most one step less than now, two less, three less.
    let (mut last, mut before, mut before_that) = (0, 0, 0);
    for (k, reached) in reached.iter_mut().enumerate() {
        let target = |behind: u64| before_step(behind) | steady;
        let goal_one = one & target(last);
        let goal_two = if k >= 1 { two & target(before) } else { 0 };
        let goal_three = if k >= 2 { three & target(before_that) } else { 0 };
        let now = last | goal_one | goal_two | goal_three;
        (before_that, before, last) = (before, last, now);
        *reached = before_step(now);
    }
    reached
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
