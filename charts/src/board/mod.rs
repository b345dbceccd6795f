mod animation;
mod draw;

use crate::error::ChartError;
use crate::file::{Drawn, Figures};
use crate::picture::{Picture, picture};

pub use animation::animation;

/// File and rank from 0; `(0, 0)` is a1.
pub type Square = (u8, u8);

/// One or more boards on a sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagram {
    pub title: String,
    /// May be empty.
    pub subtitle: String,
    /// In reading order.
    pub boards: Vec<Board>,
    /// Boards per row; 0 fills the width.
    pub across: usize,
    /// The highest rank at the bottom.
    pub flipped: bool,
    /// The origin, and the drawing command.
    pub source: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Board {
    pub caption: String,
    pub files: u8,
    pub ranks: u8,
    pub pieces: Vec<Piece>,
    /// The traps of Arimaa.
    pub marked: Vec<Square>,
    /// Arrows of the Amazons.
    pub blocked: Vec<Square>,
    pub arrows: Vec<Arrow>,
    pub captured: Vec<Square>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub at: Square,
    pub letter: char,
    pub look: Look,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Gold,
    Silver,
    White,
    Black,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    pub from: Square,
    pub to: Square,
    /// Otherwise it is a shot.
    pub moves: bool,
}

impl Board {
    /// The board with its caption alone, as SVG for a page.
    ///
    /// # Errors
    /// `NoPoints` without a square, `Drawing` if drawing fails.
    pub fn svg(&self) -> Result<String, ChartError> {
        let diagram = Diagram { boards: vec![self.clone()], ..Diagram::default() };
        draw::Sheet::new(&diagram)?.alone()
    }
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
