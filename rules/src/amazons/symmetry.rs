//! The symmetries of a board: eight if square, else four.

use super::board::Board;
use super::moves::Move;
use super::position::Position;
use super::size::Size;
use super::square::Square;

/// Optional exchange of files and ranks, then reversal of files, then of ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry {
    transposed: bool,
    files_reversed: bool,
    ranks_reversed: bool,
}

impl Symmetry {
    pub const IDENTITY: Symmetry = Symmetry::new(false, false, false);

    const fn new(transposed: bool, files_reversed: bool, ranks_reversed: bool) -> Symmetry {
        Symmetry { transposed, files_reversed, ranks_reversed }
    }

    /// The identity first.
    pub fn of(size: Size) -> impl Iterator<Item = Symmetry> {
        let count = if size.is_square() { 8 } else { 4 };
        (0..count).map(|n: u8| Symmetry::new(n & 4 != 0, n & 1 != 0, n & 2 != 0))
    }

    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        match self.transposed {
            true => Symmetry::new(true, self.ranks_reversed, self.files_reversed),
            false => self,
        }
    }

    /// The image of a square on a board of this size.
    #[must_use]
    pub fn square(self, size: Size, square: Square) -> Square {
        let (file, rank) = match self.transposed && size.is_square() {
            true => (square.rank(), square.file()),
            false => (square.file(), square.rank()),
        };
        let turned = |reversed: bool, at: u8, count: u8| {
            if reversed { count.saturating_sub(1).saturating_sub(at) } else { at }
        };
        Square::new(
            turned(self.files_reversed, file, size.files()),
            turned(self.ranks_reversed, rank, size.ranks()),
        )
    }

    /// The image of a set.
    #[must_use]
    pub fn set(self, size: Size, set: u128) -> u128 {
        size.squares(set).fold(0, |turned, square| turned | size.bit(self.square(size, square)))
    }

    #[must_use]
    pub fn turn(self, size: Size, played: Move) -> Move {
        let square = |square| self.square(size, square);
        Move { from: square(played.from), to: square(played.to), block: square(played.block) }
    }

    #[must_use]
    pub fn board(self, board: &Board) -> Board {
        let size = board.size();
        let queens = annals_events::Side::BOTH.map(|side| self.set(size, board.queens(side)));
        Board::from_sets(size, queens, self.set(size, board.blocks()))
    }

    #[must_use]
    pub fn position(self, position: &Position) -> Position {
        Position::new(self.board(position.board()), position.to_move())
    }
}

impl Position {
    /// The smallest hash of all symmetric images, and the symmetry that leads to it.
    #[must_use]
    pub fn key(&self) -> (u64, Symmetry) {
        let images = Symmetry::of(self.board().size()).map(|symmetry| {
            let image = symmetry.board(self.board());
            (image.hash(self.to_move()), symmetry)
        });
        images.min().unwrap_or((self.hash(), Symmetry::IDENTITY))
    }
}
