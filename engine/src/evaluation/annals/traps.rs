//! `traps`: control of each trap. A piece weighs by its strength relative to the enemy and its steps to the trap (most
//! next to it), half if frozen. The larger weight controls, up to twice the value of a clear majority.

use annals_rules::arimaa::Square;

use super::notes::Notes;
use super::view::View;

/// Value of controlling a trap, own ones first (as in [`Square::TRAPS`]).
const RULED: [i32; 4] = [140, 140, 190, 190];

/// The margin for half of it.
const HALF: i32 = 350;

pub(super) fn share<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let (mine, theirs) = (view.me.weight, view.foe.weight);
    let mut sum = 0;
    for (trap, (square, ruled)) in Square::TRAPS.into_iter().zip(RULED).enumerate() {
        let lane = |all: u64| (all >> (16 * trap) & 0xffff) as i32;
        let (mine, theirs) = (lane(mine), lane(theirs));
        let margin = mine - theirs;
        if margin > 0 {
            let worth = ruled * margin / (margin + HALF);
            sum += worth;
            notes.note(|| {
                format!("{} rules {}, {mine} to {theirs}: {worth:+}", view.side, view.square(square))
            });
        }
    }
    sum
}
