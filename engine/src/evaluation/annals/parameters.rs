//! The parameters of the terms. `examples/evaluation_weights.rs` fits them and prints `fitted.rs`.

/// Declares the groups of parameters once: as fields, and for the fit.
macro_rules! parameters {
    ($($(#[$about:meta])* $name:ident: $count:literal,)*) => {
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$about])* pub $name: [i32; $count],)*
        }

        impl Parameters {
            /// Calls `group` with each group and its name.
            pub fn each_group(&mut self, mut group: impl FnMut(&'static str, &mut [i32])) {
                $(group(stringify!($name), &mut self.$name);)*
            }
        }
    };
}

parameters! {
    /// An officer by the enemies against it: each stronger one counts two, each equal one counts one.
    officer: 16,
    /// An officer's weight at a trap, by the same number.
    power: 16,
    /// A rabbit's weight at a trap.
    rabbit_power: 1,
    /// By the number of rabbits, all of them together.
    rabbits: 9,
    /// Gain per rabbit and lost enemy officer.
    freer_rabbit: 1,
    /// By kind, rank from the first, and file from the edge.
    squares: 192,
    /// A rabbit's gain per step from the first rank and lost enemy piece.
    emptier: 1,
    /// A rabbit beyond the middle next to a friend.
    supported: 1,
    /// Control of an own trap and of the other traps, and the margin for half of it.
    traps: 3,
    /// By kind: a frozen piece costs this and a part of its value.
    frozen: 6,
    /// By kind: a dominated piece costs this and a part of its value.
    dominated: 6,
    /// Parts of a value in 65,536ths: frozen, dominated, hostage, hostage near its elephant, framed, its friend.
    parts: 6,
    /// A possible step, and one missing below the few.
    steps: 2,
    /// An elephant with no exit, and with one.
    exits: 2,
    /// Percentages of the most valuable prey and of the others: in this turn, and in the next.
    captures: 4,
    /// A clear path to the goal in this turn; then of n steps, in the next own turn at the earliest.
    clear: 5,
    /// By relaxed steps to the goal.
    relaxed: 10,
    /// Percentage for rabbits other than the nearest.
    second: 1,
    /// By the steps left in this turn.
    tempo: 5,
}

/// The value of a part in 65,536ths.
#[inline]
pub(super) const fn part(worth: i32, part: i32) -> i32 {
    (worth * part) >> 16
}

/// A part that gives the same as the division of a value up to 2,700.
const fn divided_by(divisor: i32) -> i32 {
    65_536 / divisor + 1
}

impl Parameters {
    /// Chosen by hand. The demonstration's players have them, so that its log stays the same.
    pub const FIRST: Parameters = Parameters {
        officer: {
            let mut table = [0; 16];
            let mut x = 0;
            while x < 16 {
                table[x] = 4000 / (x as i32 + 2) - 50;
                x += 1;
            }
            table
        },
        power: {
            let mut table = [0; 16];
            let mut x = 0;
            while x < 16 {
                table[x] = 240 / (x as i32 + 2);
                x += 1;
            }
            table
        },
        rabbit_power: [8],
        rabbits: [0, 350, 580, 770, 930, 1070, 1190, 1300, 1400],
        freer_rabbit: [4],
        squares: FIRST_SQUARES,
        emptier: [2],
        supported: [12],
        traps: [140, 190, 350],
        frozen: [4; 6],
        dominated: [0; 6],
        parts: [
            divided_by(15),
            divided_by(12),
            divided_by(10),
            divided_by(24),
            divided_by(5),
            divided_by(12),
        ],
        steps: [6, 45],
        exits: [180, 35],
        captures: [80, 32, 40, 14],
        clear: [1400, 700, 600, 500, 400],
        relaxed: [0, 450, 400, 330, 260, 160, 100, 60, 28, 0],
        second: [25],
        tempo: [0, 8, 16, 24, 32],
    };
}

/// The elephant in the middle, camel and horses forward on a wing, dogs and cats at home; rabbits by how far they are.
const FIRST_SQUARES: [i32; 192] = {
    const RANKS: [[i32; 8]; 6] = [
        [0, 0, 0, 5, 20, 46, 90, 120],
        [0, 6, 5, -6, -14, -22, -28, -32],
        [-2, 6, 5, -3, -10, -18, -24, -30],
        [-22, -6, 4, 10, 13, 12, -2, -16],
        [-30, -8, 6, 14, 15, 10, -10, -28],
        [-45, -18, 4, 18, 22, 16, -12, -40],
    ];
    const FILES: [[i32; 4]; 6] =
        [[6, 3, -3, -5], [-6, 0, 3, 1], [-6, 0, 3, 1], [-6, 5, 4, -1], [-12, 3, 6, 3], [-26, -4, 10, 16]];
    const ON_TRAP: i32 = -12;
    let mut table = [0; 192];
    let mut i = 0;
    while i < 192 {
        let (kind, rank, file) = (i / 32, i / 4 % 8, i % 4);
        table[i] = RANKS[kind][rank];
        if kind > 0 || rank >= 2 {
            table[i] += FILES[kind][file];
        }
        if kind > 0 && file == 2 && (rank == 2 || rank == 5) {
            table[i] += ON_TRAP;
        }
        i += 1;
    }
    table
};
