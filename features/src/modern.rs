//! Planes in the modern style: one per kind of piece and side, plus rule information such as frozen pieces. Oriented as
//! [`crate::paper`]: the mover is at the bottom.

use annals_events::Side;
use annals_rules::arimaa::bitboard::{TRAPS, neighbours, squares};
use annals_rules::arimaa::{Piece, Position, Square};

use crate::paper::turn;

/// In order.
pub const NAMES: [&str; 20] = [
    "own rabbits: 1",
    "own cats: 1",
    "own dogs: 1",
    "own horses: 1",
    "own camel: 1",
    "own elephant: 1",
    "opponent's rabbits: 1",
    "opponent's cats: 1",
    "opponent's dogs: 1",
    "opponent's horses: 1",
    "opponent's camel: 1",
    "opponent's elephant: 1",
    "own frozen pieces: 1",
    "opponent's frozen pieces: 1",
    "traps: 1",
    "on each trap: own pieces beside it, 0 to 4",
    "on each trap: opponent's pieces beside it, 0 to 4",
    "everywhere: 1 where the mover is Gold, else 0",
    "everywhere: steps that the mover has left, 1 to 4",
    "everywhere: how often the position stood before in this game, at most 2",
];

pub const PLANES: usize = NAMES.len();

/// Numbers per position: [`PLANES`] × 8 rows × 8 columns.
pub const LEN: usize = PLANES * 64;

/// With `steps_left` steps for the mover, and `seen` earlier occurrences in the game.
///
/// ```
/// use annals_features::modern;
/// use annals_rules::arimaa::Position;
///
/// let position: Position = "s [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]".parse()?;
/// let planes = modern::planes(&position, 4, 0);
/// assert_eq!(planes[17 * 64], 0, "it is Silver's turn");
/// assert_eq!(planes[18 * 64], 4, "with all its steps");
/// # Ok::<(), annals_rules::arimaa::PositionTextError>(())
/// ```
#[must_use]
pub fn planes(position: &Position, steps_left: u8, seen: u32) -> [i8; LEN] {
    let mut bytes = [0; LEN];
    fill(position, steps_left, seen, &mut bytes);
    bytes.map(u8::cast_signed)
}

/// Over zeros, as bytes of 8-bit numbers.
pub(crate) fn fill(position: &Position, steps_left: u8, seen: u32, out: &mut [u8]) {
    let (mover, board) = (position.to_move(), position.board());
    let turned = turn(mover);
    let mut planes = out.chunks_exact_mut(64);
    let mut next = || planes.next().unwrap_or_default();
    let sides = [mover, mover.other()];
    for side in sides {
        for piece in Piece::ALL {
            mark(next(), turned, board.bits(side, piece));
        }
    }
    for side in sides {
        mark(next(), turned, board.frozen(side));
    }
    mark(next(), turned, TRAPS);
    for side in sides {
        let plane = next();
        for trap in Square::TRAPS {
            let beside = (neighbours(trap) & board.occupied(side)).count_ones();
            if let Some(cell) = plane.get_mut(usize::from(trap.index() ^ turned)) {
                *cell = beside as u8;
            }
        }
    }
    next().fill(u8::from(mover == Side::Gold));
    next().fill(steps_left);
    next().fill(seen.min(2) as u8);
}

fn mark(plane: &mut [u8], turned: u8, set: u64) {
    for square in squares(set) {
        if let Some(cell) = plane.get_mut(usize::from(square.index() ^ turned)) {
            *cell = 1;
        }
    }
}
