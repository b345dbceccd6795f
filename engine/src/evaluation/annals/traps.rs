//! `traps`: control of each trap. A piece weighs by its strength relative to the enemy and its steps to the trap (most
//! next to it), half if frozen. The larger weight controls, up to twice the value of a clear majority.

use annals_rules::arimaa::Square;

use super::notes::Notes;
use super::view::View;

pub(super) fn share<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let (mine, theirs) = (view.me.weight, view.foe.weight);
    let [own, others, half] = view.parameters.traps;
    let mut sum = 0;
    for (trap, (square, ruled)) in Square::TRAPS.into_iter().zip([own, own, others, others]).enumerate() {
        let lane = |all: u64| (all >> (16 * trap) & 0xffff) as i32;
        let (mine, theirs) = (lane(mine), lane(theirs));
        let margin = mine - theirs;
        if margin > 0 {
            let worth = ruled * margin / (margin + half);
            sum += worth;
            notes.note(|| {
                format!("{} rules {}, {mine} to {theirs}: {worth:+}", view.side, view.square(square))
            });
        }
    }
    sum
}
