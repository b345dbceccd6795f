//! A position from one side's view, its home at the bottom. Terms are written once for both sides, so that both colours are
//! evaluated equally.

use annals_events::Side;
use annals_rules::arimaa::bitboard::{spread, squares};
use annals_rules::arimaa::{Board, MOST_STEPS, Piece, Square, Steps};

use super::parameters::Parameters;
use super::weights;

/// One side's pieces with what terms need.
#[derive(Debug, Clone, Copy)]
pub(super) struct Camp {
    /// From rabbits to elephant.
    pub kinds: [u64; 6],
    pub all: u64,
    /// Next to a stronger enemy and no friend.
    pub frozen: u64,
    /// Per kind: stronger pieces that are not frozen.
    pub over: [u64; 6],
    /// Squares next to any of them.
    pub beside: u64,
    /// By kind.
    pub counts: [i32; 6],
    /// Value of one piece per kind against the other side, in hundredths of a rabbit.
    pub worth: [i32; 6],
    /// Weight of one piece per kind at a trap.
    pub power: [i32; 6],
    /// Total at each trap, sixteen bits each.
    pub weight: u64,
}

impl Camp {
    fn new(board: &Board, side: Side, enemies: u64) -> Camp {
        let [p0, p1, p2, _] = board.planes();
        let all = board.occupied(side);
        let by_strength = [p0 & !p1 & !p2, p1 & !p0 & !p2, p0 & p1, p2 & !p0 & !p1, p0 & p2, p1 & p2];
        let kinds = by_strength.map(|kind| kind & all);
        let beside = spread(all);
        let alone = all & !beside;
        let mut frozen = 0;
        let mut stronger_enemies = 0;
        if alone & spread(enemies) != 0 {
            for kind in (0..5).rev() {
                stronger_enemies |= by_strength[kind + 1] & enemies;
                frozen |= kinds[kind] & spread(stronger_enemies);
            }
            frozen &= alone;
        }
        let mut over = [0; 6];
        for kind in (0..5).rev() {
            over[kind] = over[kind + 1] | kinds[kind + 1] & !frozen;
        }
        let counts = kinds.map(|kind| kind.count_ones() as i32);
        Camp { kinds, all, frozen, over, beside, counts, worth: [0; 6], power: [0; 6], weight: 0 }
    }

    /// From the other end of the board.
    fn turned(&self) -> Camp {
        Camp {
            kinds: self.kinds.map(u64::swap_bytes),
            all: self.all.swap_bytes(),
            frozen: self.frozen.swap_bytes(),
            over: self.over.map(u64::swap_bytes),
            beside: self.beside.swap_bytes(),
            // The traps of both halves are exchanged.
            weight: self.weight.rotate_left(32),
            ..*self
        }
    }

    /// 0 for a rabbit to 5 for the elephant.
    #[inline]
    pub fn kind_at(&self, bit: u64) -> usize {
        self.kinds.iter().position(|kind| kind & bit != 0).unwrap_or(0)
    }

    #[inline]
    pub fn officers(&self) -> u64 {
        self.all & !self.kinds[0]
    }
}

/// A position from one side's view.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'p> {
    pub parameters: &'p Parameters,
    pub side: Side,
    /// Steps left in this turn; 0 if the other side is to move.
    pub left: u8,
    pub me: Camp,
    pub foe: Camp,
    pub empty: u64,
}

impl<'p> View<'p> {
    #[inline]
    pub fn both(steps: &Steps, parameters: &'p Parameters) -> [View<'p>; 2] {
        let board = steps.board();
        let mut gold = Camp::new(board, Side::Gold, board.occupied(Side::Silver));
        let mut silver = Camp::new(board, Side::Silver, board.occupied(Side::Gold));
        (gold.worth, gold.power) = weights::of_kinds(parameters, &gold.counts, &silver.counts);
        (silver.worth, silver.power) = weights::of_kinds(parameters, &silver.counts, &gold.counts);
        for camp in [&mut gold, &mut silver] {
            camp.weight = weights::weigh(&camp.kinds, &camp.power, camp.frozen);
        }
        let empty = !board.taken();
        let left = |side| if steps.mover() == side { MOST_STEPS.saturating_sub(steps.made()) } else { 0 };
        [
            View { parameters, side: Side::Gold, left: left(Side::Gold), me: gold, foe: silver, empty },
            View {
                parameters,
                side: Side::Silver,
                left: left(Side::Silver),
                me: silver.turned(),
                foe: gold.turned(),
                empty: empty.swap_bytes(),
            },
        ]
    }

    /// A square of this view on the board.
    pub fn square(&self, seen: Square) -> Square {
        match self.side {
            Side::Gold => seen,
            Side::Silver => Square::new(seen.index() ^ 56).unwrap_or(seen),
        }
    }

    /// For example `gold horse d4`.
    pub fn own(&self, seen: Square) -> String {
        self.named(self.side, &self.me, seen)
    }

    pub fn other(&self, seen: Square) -> String {
        self.named(self.side.other(), &self.foe, seen)
    }

    fn named(&self, side: Side, camp: &Camp, seen: Square) -> String {
        format!("{side} {} {}", Piece::ALL[camp.kind_at(seen.bit())], self.square(seen))
    }

    /// As text.
    pub fn others(&self, set: u64) -> String {
        let names: Vec<String> = squares(set & self.foe.all).map(|square| self.other(square)).collect();
        names.join(" and ")
    }
}
