//! `material`: values of pieces by what the other side has left. The value of an officer depends on x, which
//! counts every stronger enemy twice and every equal one once. So a horse gains when the enemy camel is gone. Rabbits gain as they get fewer, and as enemy
//! officers do.

use annals_rules::arimaa::Piece;

use super::notes::Notes;
use super::view::View;

pub(super) fn share<N: Notes>(view: &View, notes: &mut N) -> i32 {
    let (mine, theirs) = (&view.me.counts, &view.foe.counts);
    let parameters = view.parameters;
    let mut sum = 0;
    for kind in (1..6).rev() {
        let worth = mine[kind] * view.me.worth[kind];
        sum += worth;
        if mine[kind] > 0 {
            notes.note(|| {
                let stronger: i32 = theirs[kind + 1..].iter().sum();
                let piece = Piece::ALL[kind];
                let s = if mine[kind] == 1 { "" } else { "s" };
                format!(
                    "{} {piece}{s} of {}: {worth} ({stronger} stronger and {} equal against)",
                    mine[kind], view.side, theirs[kind]
                )
            });
        }
    }
    let lost_officers = 8 - theirs[1..].iter().sum::<i32>();
    let rabbits = parameters.rabbits[mine[0].clamp(0, 8) as usize]
        + mine[0] * lost_officers * parameters.freer_rabbit[0];
    if mine[0] > 0 {
        notes.note(|| {
            let s = if mine[0] == 1 { "" } else { "s" };
            format!(
                "{} rabbit{s} of {}: {rabbits} (the enemy lacks {lost_officers} officers)",
                mine[0], view.side
            )
        });
    }
    sum + rabbits
}
