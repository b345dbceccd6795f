//! `placement`: officers' squares. The elephant belongs in the middle; camel and horses on a wing each, in the enemy's
//! half but not at its edge; dogs and cats at their own traps. `advance`: the rabbits' ranks, which count more as the
//! board empties, since rabbits at home guard the goal.

use annals_rules::arimaa::bitboard::{TRAPS, neighbours, squares};
use annals_rules::arimaa::{Piece, Square};

use super::notes::Notes;
use super::view::View;

/// For dogs and cats, horses, camel, elephant: value by rank from the first.
const RANKS: [[i32; 8]; 6] = [
    [0; 8],
    [0, 6, 5, -6, -14, -22, -28, -32],
    [-2, 6, 5, -3, -10, -18, -24, -30],
    [-22, -6, 4, 10, 13, 12, -2, -16],
    [-30, -8, 6, 14, 15, 10, -10, -28],
    [-45, -18, 4, 18, 22, 16, -12, -40],
];

/// Value by file, from the edge to the middle.
const FILES: [[i32; 4]; 6] =
    [[0; 4], [-6, 0, 3, 1], [-6, 0, 3, 1], [-6, 5, 4, -1], [-12, 3, 6, 3], [-26, -4, 10, 16]];

/// A piece on a trap binds a friend.
const ON_TRAP: i32 = -12;

static OFFICERS: [[i32; 64]; 6] = {
    let mut table = [[0; 64]; 6];
    let mut kind = 1;
    while kind < 6 {
        let mut i = 0;
        while i < 64 {
            let file = i & 7;
            let from_edge = if file < 4 { file } else { 7 - file };
            table[kind][i] = RANKS[kind][i >> 3] + FILES[kind][from_edge];
            if TRAPS & 1 << i != 0 {
                table[kind][i] += ON_TRAP;
            }
            i += 1;
        }
        kind += 1;
    }
    table
};

pub(super) fn share<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let mut sum = 0;
    for (kind, table) in OFFICERS.iter().enumerate().skip(1) {
        for square in squares(view.me.kinds[kind]) {
            let worth = table[usize::from(square.index()) & 63];
            sum += worth;
            if worth.abs() >= 15 {
                notes.note(|| format!("{}: {worth:+}", view.own(square)));
            }
        }
    }
    sum
}

/// A rabbit's value by rank from the first, with all enemies on the board; the last is never used.
const ADVANCE: [i32; 8] = [0, 0, 0, 5, 20, 46, 90, 120];

/// The edges are safer.
const ROAD: [i32; 4] = [6, 3, -3, -5];

/// A rabbit beyond the middle next to a friend.
const SUPPORTED: i32 = 12;

const FAR_HALF: u64 = !0 << 32;

pub(super) fn advance<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let gone = 16 - view.foe.counts.iter().sum::<i32>();
    let mut sum = 0;
    for square in squares(view.me.kinds[Piece::Rabbit.index()] & !0xff) {
        let far = usize::from(square.rank()) & 7;
        let worth = one_rabbit(square, gone) + SUPPORTED * i32::from(supported(view, square));
        sum += worth;
        if far >= 4 {
            notes.note(|| {
                let friend = if supported(view, square) { ", with a friend" } else { "" };
                format!("{}, {} steps from the goal rank{friend}: {worth:+}", view.own(square), 7 - far)
            });
        }
    }
    sum
}

#[inline]
fn one_rabbit(square: Square, gone: i32) -> i32 {
    let far = usize::from(square.rank()) & 7;
    let file = usize::from(square.file()) & 7;
    let road = ROAD[file.min(7 - file) & 3];
    // Without enemies each step counts as on the far ranks of a full board.
    ADVANCE[far] + if far >= 2 { road } else { 0 } + 2 * gone * far as i32
}

#[inline]
fn supported(view: &View, square: Square) -> bool {
    square.bit() & FAR_HALF != 0 && neighbours(square) & view.me.all != 0
}
