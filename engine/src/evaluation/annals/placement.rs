//! `placement`: officers' squares. The elephant belongs in the middle; camel and horses on a wing each, in the enemy's
//! half but not at its edge; dogs and cats at their own traps. `advance`: the rabbits' ranks, which count more as the
//! board empties, since rabbits at home guard the goal.

use annals_rules::arimaa::bitboard::{neighbours, squares};
use annals_rules::arimaa::{Piece, Square};

use super::notes::Notes;
use super::view::View;

pub(super) fn share<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let mut sum = 0;
    for kind in 1..6 {
        for square in squares(view.me.kinds[kind]) {
            let worth = at(view, kind, square);
            sum += worth;
            if worth.abs() >= 15 {
                notes.note(|| format!("{}: {worth:+}", view.own(square)));
            }
        }
    }
    sum
}

/// The value of a kind's square.
#[inline]
fn at(view: &View, kind: usize, square: Square) -> i32 {
    let file = usize::from(square.file()) & 7;
    view.parameters.squares[kind * 32 + (usize::from(square.rank()) & 7) * 4 + file.min(7 - file)]
}

const FAR_HALF: u64 = !0 << 32;

pub(super) fn advance<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let gone = 16 - view.foe.counts.iter().sum::<i32>();
    let mut sum = 0;
    for square in squares(view.me.kinds[Piece::Rabbit.index()] & !0xff) {
        let far = usize::from(square.rank()) & 7;
        let worth = at(view, 0, square)
            + view.parameters.emptier[0] * gone * far as i32
            + view.parameters.supported[0] * i32::from(supported(view, square));
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
fn supported(view: &View, square: Square) -> bool {
    square.bit() & FAR_HALF != 0 && neighbours(square) & view.me.all != 0
}
