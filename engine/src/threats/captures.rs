//! What the side whose turn it is can capture within the turn.

use annals_rules::arimaa::{MOST_STEPS, Pending, Piece, Steps};

/// What can be captured within one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Captures {
    /// For each kind, from the rabbit to the elephant: the fewest further steps after which a piece of that kind of the other
    /// side is captured and no push is left open; none where the rest of the turn does not suffice.
    pub fewest: [Option<u8>; 6],
    /// The squares on which the pieces stand now that can be captured, one turn each.
    pub squares: u64,
}

/// All pieces of the other side that can be captured within the rest of this turn.
#[must_use]
pub fn captures(steps: &Steps) -> Captures {
    let mut found = Captures::default();
    walk(steps, std::array::from_fn(|square| square as u8), 0, &mut found);
    found
}

/// `origin` says of each square where the piece on it stood at first; `taken` holds the squares of captured pieces.
fn walk(steps: &Steps, origin: [u8; 64], taken: u64, found: &mut Captures) {
    if !matches!(steps.pending(), Pending::Push { .. }) {
        found.squares |= taken;
    }
    if steps.made() >= MOST_STEPS {
        return;
    }
    steps.for_each_next(|next| {
        let mut after = *steps;
        let (from, to) = (usize::from(next.from.index()), usize::from(next.to.index()));
        let mut origin = origin;
        origin[to] = origin[from];
        let mut taken = taken;
        if let Some(capture) = after.take(next)
            && capture.side() != steps.mover()
        {
            taken |= 1 << origin[usize::from(capture.square().index())];
        }
        walk(&after, origin, taken, found);
        let lost = Piece::ALL.map(|piece| {
            steps.board().count(steps.mover().other(), piece)
                - after.board().count(steps.mover().other(), piece)
        });
        for (kind, lost) in lost.into_iter().enumerate() {
            if lost > 0 {
                // The push that captures is open until the pusher has followed.
                let open = u8::from(matches!(after.pending(), Pending::Push { .. }));
                let fewest = found.fewest[kind].get_or_insert(u8::MAX);
                *fewest = (*fewest).min(after.made() + open);
            }
        }
        true
    });
}
