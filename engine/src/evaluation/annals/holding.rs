//! Held pieces. `hostages`: an enemy officer frozen next to an own trap binds a defender, more so with its elephant far
//! away. `frames`: an enemy on a trap that depends on one friend and cannot leave binds that friend too.

use annals_rules::arimaa::Square;
use annals_rules::arimaa::bitboard::{neighbours, spread, squares};

use super::notes::Notes;
use super::parameters::part;
use super::view::View;

pub(super) fn hostages<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let candidates = view.foe.frozen & view.foe.officers() & HOME_ZONE;
    if candidates == 0 {
        return 0;
    }
    let mut sum = 0;
    for (trap, wing) in Square::TRAPS[..2].iter().zip(WINGS) {
        let ring = neighbours(*trap);
        let near = trap.bit() | ring;
        let guarded = view.foe.kinds[5] & (near | spread(near)) != 0;
        // A trap without own pieces next to it holds nothing.
        if view.me.all & near == 0 {
            continue;
        }
        for square in squares(candidates & spread(near) & wing) {
            let kind = view.foe.kind_at(square.bit());
            if neighbours(square) & view.me.over[kind] == 0 {
                continue;
            }
            let worth = part(view.foe.worth[kind], view.parameters.parts[if guarded { 3 } else { 2 }]);
            sum += worth;
            notes.note(|| {
                let stands = if guarded { ", its elephant by its side" } else { "" };
                format!("{} is held at {}{stands}: {worth:+}", view.other(square), view.square(*trap))
            });
        }
    }
    sum
}

/// Files a to d and e to h: a hostage is held at the trap of its wing.
const WINGS: [u64; 2] = [0x0f0f_0f0f_0f0f_0f0f, 0xf0f0_f0f0_f0f0_f0f0];

/// Squares within two steps of an own trap.
const HOME_ZONE: u64 = {
    let traps = Square::TRAPS[0].bit() | Square::TRAPS[1].bit();
    let near = traps | spread(traps);
    near | spread(near)
};

pub(super) fn frames<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let mut sum = 0;
    for trap in Square::TRAPS {
        let framed = view.foe.all & trap.bit();
        let ring = neighbours(trap);
        let friend = view.foe.all & ring;
        if framed == 0 || friend.count_ones() != 1 || ring & view.empty != 0 {
            continue;
        }
        let kind = view.foe.kind_at(framed);
        let weaker = view.me.kinds[..kind].iter().fold(0, |set, kind| set | kind) & ring;
        if weaker & spread(view.empty) != 0 {
            // It can push its way out.
            continue;
        }
        let pinned = view.foe.kind_at(friend);
        let worth = part(view.foe.worth[kind], view.parameters.parts[4])
            + part(view.foe.worth[pinned], view.parameters.parts[5]);
        sum += worth;
        notes.note(|| {
            format!("{} is framed and lives by {}: {worth:+}", view.other(trap), view.others(friend))
        });
    }
    sum
}
