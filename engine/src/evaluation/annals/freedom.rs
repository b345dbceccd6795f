//! What restricts pieces. `frozen`: next to a stronger enemy without a friend; `dominated`: saved from that by a friend
//! only, next to an enemy free to push; `mobility`: possible steps; `blockade`: an elephant without exits.

use annals_rules::arimaa::bitboard::{neighbours, shift, spread, squares};
use annals_rules::arimaa::{Direction, Piece};

use super::notes::Notes;
use super::parameters::part;
use super::view::View;

pub(super) fn frozen<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let mut sum = 0;
    for square in squares(view.me.frozen) {
        let kind = view.me.kind_at(square.bit());
        let cost = view.parameters.frozen[kind] + part(view.me.worth[kind], view.parameters.parts[0]);
        sum -= cost;
        notes.note(|| {
            let by = view.others(neighbours(square) & stronger(view, kind));
            format!("{} is frozen by {by}: -{cost}", view.own(square))
        });
    }
    sum
}

/// Enemies stronger than a kind, frozen or not.
fn stronger(view: &View, kind: usize) -> u64 {
    view.foe.kinds[kind + 1..].iter().fold(0, |set, kind| set | kind)
}

pub(super) fn dominated<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let mut sum = 0;
    for kind in 1..5 {
        let hunters = view.foe.over[kind];
        let hunted = view.me.kinds[kind] & !view.me.frozen & spread(hunters);
        for square in squares(hunted) {
            let cost = view.parameters.dominated[kind] + part(view.me.worth[kind], view.parameters.parts[1]);
            sum -= cost;
            notes.note(|| {
                let by = view.others(neighbours(square) & hunters);
                format!("{} stands beside {by}: -{cost}", view.own(square))
            });
        }
    }
    sum
}

/// More steps add nothing.
const ENOUGH_STEPS: i32 = 26;
/// Below this, each missing step brings the loss by immobilization nearer.
const FEW_STEPS: i32 = 4;

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
    let [step, missing_step] = view.parameters.steps;
    let missing = (FEW_STEPS - steps).max(0);
    let worth = step * steps.min(ENOUGH_STEPS) - missing_step * missing;
    notes.note(|| format!("{} has {steps} single steps: {worth:+}", view.side));
    worth
}

pub(super) fn blockade<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let elephant = view.me.kinds[Piece::Elephant.index()];
    // A piece in the way can step aside or be pushed if an empty square is next to it; an elephant cannot be pushed.
    let movable =
        (view.me.all | view.foe.all & !view.foe.kinds[Piece::Elephant.index()]) & spread(view.empty);
    let ways = (spread(elephant) & (view.empty | movable)).count_ones();
    let [no_way_out, one_way_out] = view.parameters.exits;
    let cost = match ways {
        0 if elephant != 0 => no_way_out,
        1 => one_way_out,
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
