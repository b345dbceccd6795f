//! A position as one side sees it: its own home at the bottom. What holds for one side is said once and asked
//! for both, so neither colour can be judged otherwise than the other.

use annals_events::Side;
use annals_rules::arimaa::bitboard::{spread, squares};
use annals_rules::arimaa::{Board, MOST_STEPS, Piece, Square, Steps};

use super::{traps, worth};

/// The pieces of one side, with what each term needs to know of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Camp {
    /// Where the pieces of each kind stand, from the rabbits to the elephant.
    pub kinds: [u64; 6],
    /// Where any of them stands.
    pub all: u64,
    /// Those that cannot move because a stronger enemy stands beside them and no friend does.
    pub frozen: u64,
    /// For each kind: those that are stronger than it and not frozen.
    pub over: [u64; 6],
    /// The squares beside any of them.
    pub beside: u64,
    /// How many there are of each kind.
    pub counts: [i32; 6],
    /// What one piece of each kind is worth against the other side's pieces, in hundredths of a rabbit.
    pub worth: [i32; 6],
    /// How much one piece of each kind weighs in the fight for a trap.
    pub power: [i32; 6],
    /// What they weigh at each trap together, sixteen bits for each.
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

    /// The camp seen from the other end of the board.
    fn turned(&self) -> Camp {
        Camp {
            kinds: self.kinds.map(u64::swap_bytes),
            all: self.all.swap_bytes(),
            frozen: self.frozen.swap_bytes(),
            over: self.over.map(u64::swap_bytes),
            beside: self.beside.swap_bytes(),
            // The traps of one half change places with those of the other.
            weight: self.weight.rotate_left(32),
            ..*self
        }
    }

    /// The kind of the piece on a square of the camp, 0 for a rabbit to 5 for the elephant.
    #[inline]
    pub fn kind_at(&self, bit: u64) -> usize {
        self.kinds.iter().position(|kind| kind & bit != 0).unwrap_or(0)
    }

    /// Pieces other than rabbits.
    #[inline]
    pub fn officers(&self) -> u64 {
        self.all & !self.kinds[0]
    }
}

/// A position as one side sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// Who looks.
    pub side: Side,
    /// The steps that it has left in this turn; none where the other side is to move.
    pub left: u8,
    /// Its own pieces.
    pub me: Camp,
    /// The pieces of the other side.
    pub foe: Camp,
    /// Where nothing stands.
    pub empty: u64,
}

impl View {
    /// Gold's view and Silver's.
    #[inline]
    pub fn both(steps: &Steps) -> [View; 2] {
        let board = steps.board();
        let mut gold = Camp::new(board, Side::Gold, board.occupied(Side::Silver));
        let mut silver = Camp::new(board, Side::Silver, board.occupied(Side::Gold));
        (gold.worth, gold.power) = worth::of_kinds(&gold.counts, &silver.counts);
        (silver.worth, silver.power) = worth::of_kinds(&silver.counts, &gold.counts);
        for camp in [&mut gold, &mut silver] {
            camp.weight = traps::weigh(&camp.kinds, &camp.power, camp.frozen);
        }
        let empty = !board.taken();
        let left = |side| if steps.mover() == side { MOST_STEPS.saturating_sub(steps.made()) } else { 0 };
        [
            View { side: Side::Gold, left: left(Side::Gold), me: gold, foe: silver, empty },
            View {
                side: Side::Silver,
                left: left(Side::Silver),
                me: silver.turned(),
                foe: gold.turned(),
                empty: empty.swap_bytes(),
            },
        ]
    }

    /// The square that a square of this view is on the board.
    pub fn square(&self, seen: Square) -> Square {
        match self.side {
            Side::Gold => seen,
            Side::Silver => Square::new(seen.index() ^ 56).unwrap_or(seen),
        }
    }

    /// An own piece in words: `gold horse d4`.
    pub fn own(&self, seen: Square) -> String {
        self.named(self.side, &self.me, seen)
    }

    /// A piece of the other side in words.
    pub fn other(&self, seen: Square) -> String {
        self.named(self.side.other(), &self.foe, seen)
    }

    fn named(&self, side: Side, camp: &Camp, seen: Square) -> String {
        format!("{side} {} {}", Piece::ALL[camp.kind_at(seen.bit())], self.square(seen))
    }

    /// The pieces of the other side on some squares, in words.
    pub fn others(&self, set: u64) -> String {
        let names: Vec<String> = squares(set & self.foe.all).map(|square| self.other(square)).collect();
        names.join(" and ")
    }
}
