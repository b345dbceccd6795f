//! The threats of a turn by looking at every sequence of steps: slow, and right by definition.

use annals_rules::arimaa::bitboard::GOAL;
use annals_rules::arimaa::{MOST_STEPS, Pending, Piece, Square, Steps};

/// What the rest of a turn can do.
pub struct Slow {
    /// The fewest further steps to a rabbit on its goal rank with no push open.
    pub goal: Option<u8>,
    /// By square: the fewest further steps after which the enemy piece that stands there now is captured,
    /// with no push open.
    pub captured: [Option<u8>; 64],
}

impl Slow {
    /// Looks at every sequence of steps.
    pub fn of(steps: &Steps) -> Slow {
        let mut slow = Slow { goal: None, captured: [None; 64] };
        slow.walk(steps, steps.made(), std::array::from_fn(|square| square as u8), 0);
        slow
    }

    /// `origin` says of each square where the piece on it stood at first; `taken` holds the first squares of
    /// captured pieces.
    fn walk(&mut self, steps: &Steps, start: u8, origin: [u8; 64], taken: u64) {
        let made = steps.made() - start;
        if !matches!(steps.pending(), Pending::Push { .. }) {
            let lower = |known: &mut Option<u8>| *known = Some(known.map_or(made, |known| known.min(made)));
            for square in Square::all().filter(|square| square.bit() & taken != 0) {
                lower(&mut self.captured[usize::from(square.index())]);
            }
            if steps.board().bits(steps.mover(), Piece::Rabbit) & GOAL[steps.mover().index()] != 0 {
                lower(&mut self.goal);
            }
        }
        if steps.made() >= MOST_STEPS {
            return;
        }
        steps.for_each_next(|next| {
            let mut after = *steps;
            let mut origin = origin;
            origin[usize::from(next.to.index())] = origin[usize::from(next.from.index())];
            let lost = after.take(next).filter(|capture| capture.side() != steps.mover());
            let lost = lost.map_or(0, |capture| 1 << origin[usize::from(capture.square().index())]);
            self.walk(&after, start, origin, taken | lost);
            true
        });
    }
}
