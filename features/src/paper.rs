//! The paper's planes by its author's code: 6×8×8 numbers, a plane per kind of piece from the rabbit to the elephant;
//! +1 for the side to move, −1 for the other. The mover is at the bottom: row 0 is its farthest rank, column 0 the file
//! at its left. They do not show who is Gold.

use annals_events::Side;
use annals_rules::arimaa::bitboard::squares;
use annals_rules::arimaa::{Piece, Position};

/// Rabbit, cat, dog, horse, camel, elephant.
pub const PLANES: usize = 6;

/// Numbers per position: [`PLANES`] × 8 rows × 8 columns.
pub const LEN: usize = PLANES * 64;

/// Plane by plane, row by row.
///
/// ```
/// use annals_features::paper;
/// use annals_rules::arimaa::Position;
///
/// let position: Position = "s [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]".parse()?;
/// let planes = paper::planes(&position);
/// assert_eq!(planes[..8], [-1; 8], "Gold's rabbits, at the far end of Silver's board");
/// assert_eq!(planes[56..64], [1; 8], "Silver's own");
/// # Ok::<(), annals_rules::arimaa::PositionTextError>(())
/// ```
#[must_use]
pub fn planes(position: &Position) -> [i8; LEN] {
    let mut bytes = [0; LEN];
    fill(position, &mut bytes);
    bytes.map(u8::cast_signed)
}

/// Over zeros, as bytes of 8-bit two's complement numbers.
pub(crate) fn fill(position: &Position, out: &mut [u8]) {
    let turned = turn(position.to_move());
    let board = position.board();
    for (side, value) in [(position.to_move(), 1u8), (position.to_move().other(), (-1i8).cast_unsigned())] {
        for (piece, plane) in Piece::ALL.into_iter().zip(out.chunks_exact_mut(64)) {
            for square in squares(board.bits(side, piece)) {
                if let Some(cell) = plane.get_mut(usize::from(square.index() ^ turned)) {
                    *cell = value;
                }
            }
        }
    }
}

/// The exclusive-or mask from square number to plane index: for Gold ranks are reversed, for Silver files.
pub(crate) const fn turn(mover: Side) -> u8 {
    match mover {
        Side::Gold => 56,
        Side::Silver => 7,
    }
}
