//! `captures`: enemies that can be brought into a trap, in relaxed steps. One next to a trap that no friend guards
//! takes two steps once a stronger piece is next to it; one on a trap is captured when its only friend is removed;
//! further friends and the hunter's way cost more. What is possible in the present turn counts almost fully.

use annals_rules::arimaa::Square;
use annals_rules::arimaa::bitboard::{neighbours, spread, squares};

use super::notes::Notes;
use super::view::View;

/// Steps of a turn; prey further away does not count.
const TURN: u8 = 4;

/// Sums all prey with the smaller part, and adds the rest for the best: independent of order.
#[derive(Default)]
struct Bag {
    small: i32,
    more: i32,
}

impl Bag {
    fn add(&mut self, worth: i32, parts: [i32; 2]) {
        let [full, small] = parts.map(|part| worth * part / 100);
        self.small += small;
        self.more = self.more.max(full - small);
    }
}

pub(super) fn share<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let [now_best, now_other, later_best, later_other] = view.parameters.captures;
    let mut bag = Bag::default();
    for trap in Square::TRAPS {
        let ring = neighbours(trap);
        let zone = trap.bit() | ring | spread(ring);
        if view.foe.all & zone == 0 {
            continue;
        }
        let guards = view.foe.all & ring;
        let mut taken = |square: Square, needed: u8| {
            if needed > TURN {
                return;
            }
            let worth = view.foe.worth[view.foe.kind_at(square.bit())];
            let now = needed <= view.left;
            bag.add(worth, if now { [now_best, now_other] } else { [later_best, later_other] });
            notes.note(|| {
                let when = if now { "in this turn" } else { "in the next turn" };
                format!(
                    "{} can be taken on {} in about {needed} steps, {when}",
                    view.other(square),
                    view.square(trap)
                )
            });
        };
        if view.foe.all & trap.bit() != 0 {
            taken(trap, displacing(view, guards));
            continue;
        }
        match guards.count_ones() {
            0 => {
                // Two steps in a row towards the trap, over an empty square next to it.
                for square in squares(view.foe.all & spread(ring) & !trap.bit() & spread(ring & view.empty)) {
                    if view.empty & trap.bit() != 0 && way_to(view, square) == 0 {
                        taken(square, 4);
                    }
                }
            }
            1 | 2 => {
                for square in squares(guards) {
                    // A piece on the trap has to leave it, unless it pulls.
                    let kind = view.foe.kind_at(square.bit());
                    let blocked = view.me.all & !view.me.over[kind] & trap.bit() != 0;
                    taken(square, displacing(view, guards) + u8::from(blocked));
                }
            }
            _ => {}
        }
    }
    bag.small + bag.more
}

/// Steps to displace all of these enemies by one square each.
fn displacing(view: &View, prey: u64) -> u8 {
    squares(prey).map(|square| 2 + way_to(view, square)).fold(0, u8::saturating_add)
}

/// Steps until a stronger free piece is next to an enemy; many above two.
#[inline]
fn way_to(view: &View, square: Square) -> u8 {
    let hunters = view.me.over[view.foe.kind_at(square.bit())];
    let beside = neighbours(square);
    if beside & hunters != 0 {
        return 0;
    }
    let one = spread(beside & view.empty);
    if one & hunters != 0 {
        return 1;
    }
    if spread(one & view.empty) & hunters != 0 { 2 } else { TURN }
}
