//! The board: four bit planes of piece codes, 32 bytes, which are also its form in the dataset. A board is always
//! valid: no side has more pieces than it starts with, and no piece is unsupported on a trap. All constructors check or
//! preserve this.

use annals_events::Side;

use super::bitboard::{self, TRAPS, squares};
use super::piece::{self, Piece};
use super::square::Square;
use super::zobrist;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    planes: [u64; 4],
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Neither eight ranks nor 64 squares.
    #[error("no board: {0}")]
    Shape(String),
    /// A character that is not a piece, or an `x` off the traps.
    #[error(
        "no board: {square} holds {found:?}; a square is one of R C D H M E (gold), r c d h m e (silver), or \
         empty (space, `.`, or `x` on a trap)"
    )]
    Letter { square: Square, found: char },
    #[error("no board: {0} holds a code that is neither empty (0), gold (1 to 6) nor silver (9 to 14)")]
    Code(Square),
    #[error("no board: two pieces on {0}")]
    Twice(Square),
    #[error("no possible board: {side} has {count} {piece}s, and starts with {most}", most = piece.most())]
    TooMany { side: Side, piece: Piece, count: u32 },
    /// An unsupported piece on a trap, which would have been captured.
    #[error(
        "no possible board: the piece on the trap {0} has no friend next to it, so it is captured at once"
    )]
    Unsupported(Square),
}

impl Board {
    pub const EMPTY: Board = Board { planes: [0; 4] };

    /// Bit `s` of plane `k` is bit `k` of the code of the piece on square `s` (0 empty, 1 to 6 Gold's rabbit to
    /// elephant, 9 to 14 Silver's). Little-endian words are the dataset's board.
    #[inline]
    #[must_use]
    pub const fn planes(&self) -> [u64; 4] {
        self.planes
    }

    /// From [`Board::planes`].
    ///
    /// # Errors
    /// If a code is invalid, a side has too many pieces, or a piece is unsupported on a trap.
    pub fn from_planes(planes: [u64; 4]) -> Result<Board, BoardError> {
        let board = Board { planes };
        let [p0, p1, p2, p3] = planes;
        let not_a_piece = (p0 & p1 & p2) | (p3 & !(p0 | p1 | p2));
        match squares(not_a_piece).next() {
            Some(square) => Err(BoardError::Code(square)),
            None => board.checked(),
        }
    }

    /// # Errors
    /// If two pieces share a square, a side has too many, or one is unsupported on a trap.
    pub fn from_pieces(pieces: impl IntoIterator<Item = (Square, Side, Piece)>) -> Result<Board, BoardError> {
        let mut board = Board::EMPTY;
        for (square, side, piece) in pieces {
            if board.is_taken(square) {
                return Err(BoardError::Twice(square));
            }
            board.toggle(piece::code(side, piece), square.bit());
        }
        board.checked()
    }

    fn checked(self) -> Result<Board, BoardError> {
        for side in Side::BOTH {
            for piece in Piece::ALL {
                let count = self.count(side, piece);
                if count > piece.most() {
                    return Err(BoardError::TooMany { side, piece, count });
                }
            }
        }
        match squares(self.unsupported()).next() {
            Some(square) => Err(BoardError::Unsupported(square)),
            None => Ok(self),
        }
    }

    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<(Side, Piece)> {
        piece::from_code(self.code_at(square))
    }

    #[must_use]
    pub const fn count(&self, side: Side, piece: Piece) -> u32 {
        self.bits(side, piece).count_ones()
    }

    #[inline]
    #[must_use]
    pub const fn bits(&self, side: Side, piece: Piece) -> u64 {
        self.kind(piece) & self.occupied(side)
    }

    #[inline]
    #[must_use]
    pub const fn occupied(&self, side: Side) -> u64 {
        match side {
            Side::Gold => self.taken() & !self.planes[3],
            Side::Silver => self.planes[3],
        }
    }

    #[inline]
    #[must_use]
    pub const fn taken(&self) -> u64 {
        self.planes[0] | self.planes[1] | self.planes[2]
    }

    /// From rabbits to elephant.
    #[must_use]
    pub fn counts(&self, side: Side) -> [u8; 6] {
        Piece::ALL.map(|piece| self.count(side, piece) as u8)
    }

    /// Pieces next to a stronger enemy and no friend.
    #[must_use]
    pub fn frozen(&self, side: Side) -> u64 {
        let own = self.occupied(side);
        let alone = own & !bitboard::spread(own);
        let mut frozen = 0;
        if alone != 0 {
            let enemy = self.occupied(side.other());
            for piece in &Piece::ALL[..5] {
                frozen |= self.kind(*piece) & bitboard::spread(enemy & self.stronger_kinds(*piece));
            }
        }
        alone & frozen
    }

    /// Pieces that can begin a turn: not frozen, and with an empty square to step to (for a rabbit not backwards), or
    /// next to a weaker enemy that has one, to push it. Pulls begin with the puller's step and add nothing. Repetition
    /// is not considered.
    #[must_use]
    pub fn mobile(&self, side: Side) -> u64 {
        self.frozen_and_mobile(side).1
    }

    /// Both at the cost of [`Board::mobile`].
    #[must_use]
    pub fn frozen_and_mobile(&self, side: Side) -> (u64, u64) {
        let own = self.occupied(side);
        let frozen = self.frozen(side);
        let free = own & !frozen;
        let empty = !self.taken();
        let rabbits = self.kind(Piece::Rabbit);
        let beside_empty = bitboard::spread(empty);
        let steppers = free & ((beside_empty & !rabbits) | (rabbit_may_step(empty, side) & rabbits));
        let pushable = self.occupied(side.other()) & beside_empty;
        let mut pushers = 0;
        if free & !steppers != 0 && pushable != 0 {
            for piece in &Piece::ALL[1..] {
                let victims = pushable & !self.kind(*piece) & !self.stronger_kinds(*piece);
                pushers |= free & self.kind(*piece) & bitboard::spread(victims);
            }
        }
        (frozen, steppers | pushers)
    }

    /// With a side to move; see [`zobrist`]. Part of the dataset's format.
    #[must_use]
    pub fn hash(&self, to_move: Side) -> u64 {
        self.hashes(to_move)[0]
    }

    /// Of the board and its mirror image.
    pub(super) fn hashes(&self, to_move: Side) -> [u64; 2] {
        let start = match to_move {
            Side::Gold => 0,
            Side::Silver => zobrist::SILVER_TO_MOVE,
        };
        squares(self.taken()).fold([start, start], |[hash, mirror], square| {
            let code = self.code_at(square);
            let index = square.index();
            [hash ^ zobrist::of(code, index), mirror ^ zobrist::of_mirrored(code, index)]
        })
    }

    /// The smaller hash of a position and its mirror image, and whether it is the mirror image's. A symmetric position
    /// is not flipped.
    #[must_use]
    pub fn key(&self, to_move: Side) -> (u64, bool) {
        let [hash, mirror] = self.hashes(to_move);
        (hash.min(mirror), mirror < hash)
    }

    /// Left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Board {
        Board { planes: self.planes.map(bitboard::mirrored) }
    }

    /// Turned by 180 degrees with colours exchanged: the same game for the other player.
    #[must_use]
    pub fn rotated(&self) -> Board {
        let [p0, p1, p2, p3] = self.planes.map(u64::reverse_bits);
        Board { planes: [p0, p1, p2, (p0 | p1 | p2) & !p3] }
    }

    /// Of either side.
    #[inline]
    pub(super) const fn kind(&self, piece: Piece) -> u64 {
        let [p0, p1, p2, _] = self.planes;
        match piece {
            Piece::Rabbit => p0 & !p1 & !p2,
            Piece::Cat => !p0 & p1 & !p2,
            Piece::Dog => p0 & p1,
            Piece::Horse => !p0 & !p1 & p2,
            Piece::Camel => p0 & p2,
            Piece::Elephant => p1 & p2,
        }
    }

    /// Of either side.
    #[inline]
    pub(super) const fn stronger_kinds(&self, piece: Piece) -> u64 {
        let [p0, p1, p2, _] = self.planes;
        match piece {
            Piece::Rabbit => p1 | p2,
            Piece::Cat => p2 | (p0 & p1),
            Piece::Dog => p2,
            Piece::Horse => p2 & (p0 | p1),
            Piece::Camel => p1 & p2,
            Piece::Elephant => 0,
        }
    }

    /// Unsupported pieces on traps; empty for a valid board.
    #[inline]
    pub(super) const fn unsupported(&self) -> u64 {
        let on_traps = self.taken() & TRAPS;
        if on_traps == 0 {
            return 0;
        }
        let gold = self.occupied(Side::Gold);
        let silver = self.planes[3];
        (on_traps & gold & !bitboard::spread(gold)) | (on_traps & silver & !bitboard::spread(silver))
    }

    #[inline]
    pub(super) const fn is_taken(&self, square: Square) -> bool {
        self.taken() & square.bit() != 0
    }

    /// 0 if empty.
    #[inline]
    pub(super) const fn code_at(&self, square: Square) -> u8 {
        let [p0, p1, p2, p3] = self.planes;
        let i = square.index() & 63;
        ((p0 >> i & 1) | (p1 >> i & 1) << 1 | (p2 >> i & 1) << 2 | (p3 >> i & 1) << 3) as u8
    }

    /// Pieces of the side of a piece code.
    #[inline]
    pub(super) const fn occupied_by_code(&self, code: u8) -> u64 {
        let not_gold = ((code >> 3 & 1) as u64).wrapping_sub(1);
        self.taken() & (self.planes[3] ^ not_gold)
    }

    /// Squares that differ.
    #[inline]
    pub(super) fn changed(&self, other: &Board) -> u64 {
        self.planes.iter().zip(&other.planes).fold(0, |changed, (a, b)| changed | (a ^ b))
    }

    /// Adds a code to empty squares, or removes it. The caller keeps the board valid.
    #[inline]
    pub(super) const fn toggle(&mut self, code: u8, set: u64) {
        let planes = &CODE_PLANES[(code & 15) as usize];
        self.planes[0] ^= set & planes[0];
        self.planes[1] ^= set & planes[1];
        self.planes[2] ^= set & planes[2];
        self.planes[3] ^= set & planes[3];
    }
}

/// Per piece code, full words for its set bits.
static CODE_PLANES: [[u64; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut code = 0;
    while code < 16 {
        let mut plane = 0;
        while plane < 4 {
            table[code][plane] = 0u64.wrapping_sub(code as u64 >> plane & 1);
            plane += 1;
        }
        code += 1;
    }
    table
};

/// Squares from which a rabbit of a side can step to an empty square.
#[inline]
const fn rabbit_may_step(empty: u64, side: Side) -> u64 {
    use super::square::Direction::{East, North, South, West};
    let forward_from = match side {
        Side::Gold => bitboard::shift(empty, South),
        Side::Silver => bitboard::shift(empty, North),
    };
    forward_from | bitboard::shift(empty, East) | bitboard::shift(empty, West)
}
