//! What keeps pieces from moving. `frozen`: pieces beside a stronger enemy without a friend; `dominated`:
//! pieces that would be, were it not for a friend, beside an enemy free to push them; `mobility`: the steps
//! that can be made; `blockade`: an elephant that has no way out.

use annals_rules::arimaa::bitboard::{neighbours, shift, spread, squares};
use annals_rules::arimaa::{Direction, Piece};

use super::notes::Notes;
use super::view::View;

/// A frozen piece costs this and a part of its worth.
const FROZEN: i32 = 4;
const FROZEN_PART: i32 = 15;

pub(super) fn frozen<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let mut sum = 0;
    for square in squares(view.me.frozen) {
        let kind = view.me.kind_at(square.bit());
        let cost = FROZEN + view.me.worth[kind] / FROZEN_PART;
        sum -= cost;
        notes.note(|| {
            let by = view.others(neighbours(square) & stronger(view, kind));
            format!("{} is frozen by {by}: -{cost}", view.own(square))
        });
    }
    sum
}

/// All enemies that are stronger than a kind, frozen or not.
fn stronger(view: &View, kind: usize) -> u64 {
    view.foe.kinds[kind + 1..].iter().fold(0, |set, kind| set | kind)
}

/// The part of its worth that a dominated piece costs.
const DOMINATED_PART: i32 = 12;

pub(super) fn dominated<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let mut sum = 0;
    for kind in 1..5 {
        let hunters = view.foe.over[kind];
        let hunted = view.me.kinds[kind] & !view.me.frozen & spread(hunters);
        for square in squares(hunted) {
            let cost = view.me.worth[kind] / DOMINATED_PART;
            sum -= cost;
            notes.note(|| {
                let by = view.others(neighbours(square) & hunters);
                format!("{} stands beside {by}: -{cost}", view.own(square))
            });
        }
    }
    sum
}

/// From so many steps on, more are no more use.
const ENOUGH_STEPS: i32 = 26;
const STEP: i32 = 6;
/// Below so many, each that is missing brings the loss by immobilisation nearer.
const FEW_STEPS: i32 = 4;
const MISSING_STEP: i32 = 45;

pub(super) fn mobility<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let rabbits = view.me.kinds[Piece::Rabbit.index()];
    let free = view.me.all & !view.me.frozen;
    let steps: i32 = Direction::ALL
        .into_iter()
        .map(|direction| {
            let movers = if direction == Direction::South { free & !rabbits } else { free };
            (shift(movers, direction) & view.empty).count_ones() as i32
        })
        .sum();
    let missing = (FEW_STEPS - steps).max(0);
    let worth = STEP * steps.min(ENOUGH_STEPS) - MISSING_STEP * missing;
    notes.note(|| format!("{} has {steps} single steps: {worth:+}", view.side));
    worth
}

/// An elephant without a way out, and one with a single one.
const NO_WAY_OUT: i32 = 180;
const ONE_WAY_OUT: i32 = 35;

pub(super) fn blockade<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let elephant = view.me.kinds[Piece::Elephant.index()];
    // Whoever stands in the way can step or be pushed aside where it has an empty square beside it; an
    // elephant cannot.
    let movable =
        (view.me.all | view.foe.all & !view.foe.kinds[Piece::Elephant.index()]) & spread(view.empty);
    let ways = (spread(elephant) & (view.empty | movable)).count_ones();
    let cost = match ways {
        0 if elephant != 0 => NO_WAY_OUT,
        1 => ONE_WAY_OUT,
        _ => 0,
    };
    if cost != 0 {
        for square in squares(elephant) {
            notes.note(|| {
                let ways = if ways == 0 { "no way" } else { "one way" };
                format!("{} has {ways} out: -{cost}", view.own(square))
            });
        }
    }
    -cost
}
