//! Boards as values: pieces on squares, marked squares, arrows and captures, each with a line below.
//!
//! ```
//! use annals_charts::{Board, Diagram, Drawn, Look, Picture, Piece};
//!
//! let rabbit = Piece { at: (0, 0), letter: 'R', look: Look::Gold };
//! let board = Board { files: 8, ranks: 8, pieces: vec![rabbit], ..Board::default() };
//! let diagram = Diagram { title: "A rabbit".into(), boards: vec![board], ..Diagram::default() };
//! assert!(diagram.draw(Picture::Svg).unwrap().starts_with(b"<svg"));
//! assert_eq!(diagram.data().unwrap(), "board,square,content\r\n1,a1,R\r\n");
//! ```

mod animation;
mod draw;

use crate::error::ChartError;
use crate::file::{Drawn, Figures};
use crate::picture::{Picture, picture};

pub use animation::animation;

/// File and rank of a square, each counted from 0; `(0, 0)` is a1.
pub type Square = (u8, u8);

/// One or more boards on a sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagram {
    pub title: String,
    /// May be empty.
    pub subtitle: String,
    /// In reading order.
    pub boards: Vec<Board>,
    /// Boards in a row; 0 fills the width.
    pub across: usize,
    /// Whether the highest rank is at the bottom.
    pub flipped: bool,
    /// Where the position comes from, and the command that drew it.
    pub source: String,
}

/// A position, with what is played in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Board {
    pub caption: String,
    pub files: u8,
    pub ranks: u8,
    pub pieces: Vec<Piece>,
    /// Squares in another colour: the traps of Arimaa.
    pub marked: Vec<Square>,
    /// Squares that nothing can enter: where an arrow of the Amazons landed.
    pub blocked: Vec<Square>,
    pub arrows: Vec<Arrow>,
    /// Squares on which a piece is captured.
    pub captured: Vec<Square>,
}

/// A piece on its square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub at: Square,
    pub letter: char,
    pub look: Look,
}

/// The colours of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Gold,
    Silver,
    White,
    Black,
}

/// A movement from square to square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    pub from: Square,
    pub to: Square,
    /// Whether a piece moves; otherwise it is a shot.
    pub moves: bool,
}

/// `a1` for `(0, 0)`.
fn name((file, rank): Square) -> String {
    format!("{}{}", char::from(b'a'.saturating_add(file)), u32::from(rank) + 1)
}

impl Drawn for Diagram {
    fn title(&self) -> &str {
        &self.title
    }

    fn draw(&self, kind: Picture) -> Result<Vec<u8>, ChartError> {
        picture(&draw::Sheet::new(self)?, kind)
    }

    fn data(&self) -> Result<String, ChartError> {
        let mut figures = Figures::new(&["board", "square", "content"])?;
        for (number, board) in (1..).zip(&self.boards) {
            let number = number.to_string();
            let pieces = board.pieces.iter().map(|piece| (piece.at, piece.letter.to_string()));
            let mut squares: Vec<_> =
                pieces.chain(board.blocked.iter().map(|at| (*at, "x".to_owned()))).collect();
            squares.sort();
            for (at, content) in squares {
                figures.line(&[&number, &name(at), &content])?;
            }
        }
        figures.text()
    }
}
