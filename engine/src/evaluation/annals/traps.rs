//! `traps`: control of each trap. A piece weighs by its strength relative to the enemy and its steps to the trap (most
//! next to it), half if frozen. The larger weight controls, up to twice the value of a clear majority.

use annals_rules::arimaa::Square;
use annals_rules::arimaa::bitboard::squares;

use super::notes::Notes;
use super::view::View;

/// Factor of a piece's power by distance to the trap.
const REACH: [u64; 5] = [2, 4, 2, 1, 0];

/// Reach of each square to the four traps, sixteen bits each: one multiplication weighs a piece for all.
static REACHES: [u64; 64] = {
    let mut table = [0; 64];
    let mut i: usize = 0;
    while i < 64 {
        let mut trap = 0;
        while trap < 4 {
            let at = Square::TRAPS[trap].index() as usize;
            let distance = (i & 7).abs_diff(at & 7) + (i >> 3).abs_diff(at >> 3);
            let reach = REACH[if distance < 4 { distance } else { 4 }];
            table[i] |= reach << (16 * trap);
            trap += 1;
        }
        i += 1;
    }
    table
};

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

/// Total weight at each trap, sixteen bits each, in the order of [`Square::TRAPS`].
#[inline]
pub(super) fn weigh(kinds: &[u64; 6], power: &[i32; 6], frozen: u64) -> u64 {
    let mut all = 0;
    for (set, power) in kinds.iter().zip(power) {
        for square in squares(*set) {
            let halves = if frozen & square.bit() == 0 { 2 } else { 1 };
            all += REACHES[usize::from(square.index()) & 63] * (*power as u64 * halves);
        }
    }
    all
}
