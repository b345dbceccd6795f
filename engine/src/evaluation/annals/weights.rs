//! Values of pieces by what the other side has, and their weights at the traps.

use annals_rules::arimaa::Square;
use annals_rules::arimaa::bitboard::squares;

use super::parameters::Parameters;

/// Largest x: six stronger officers and two equal ones, and one spare.
const MOST_X: usize = 16;

/// Value and trap weight of one piece per kind.
#[inline]
pub(super) fn of_kinds(parameters: &Parameters, mine: &[i32; 6], theirs: &[i32; 6]) -> ([i32; 6], [i32; 6]) {
    let rabbits = (mine[0].max(1) as usize).min(8);
    let mut worth = [parameters.rabbits[rabbits] - parameters.rabbits[rabbits - 1], 0, 0, 0, 0, 0];
    let mut power = [parameters.rabbit_power[0], 0, 0, 0, 0, 0];
    let mut stronger = 0;
    for kind in (1..6).rev() {
        let x = ((2 * stronger + theirs[kind]) as usize).min(MOST_X - 1);
        worth[kind] = parameters.officer[x];
        power[kind] = parameters.power[x];
        stronger += theirs[kind];
    }
    (worth, power)
}

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
