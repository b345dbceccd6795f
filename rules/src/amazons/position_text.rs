//! Positions as text: the side to move before a board text, `w [rows]`, or in a header line `12w` above the ranks, with
//! or without the turn's number. White is `w` or `g`, Black `b` or `s`.
//!
//! ```
//! use annals_rules::amazons::Position;
//!
//! let position: Position = "b [.B./.x./W..]".parse().unwrap();
//! assert_eq!(position.to_string(), "b [.B./.x./W..]");
//! assert_eq!(format!("3b\n{}", position.board()).parse(), Ok(position));
//! ```

use std::fmt;
use std::str::FromStr;

use annals_events::Side;

use super::board::{Board, BoardError};
use super::position::Position;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionTextError {
    /// The side to move is missing.
    #[error(
        "the side to move is missing: begin with w (White) or b (Black), then a space or a new line and the board"
    )]
    NoSide,
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl FromStr for Position {
    type Err = PositionTextError;

    fn from_str(text: &str) -> Result<Position, PositionTextError> {
        let text = text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        let side = text.bytes().next().and_then(Side::from_letter).ok_or(PositionTextError::NoSide)?;
        let board = &text[1..];
        if !board.starts_with(|c: char| c.is_whitespace()) {
            return Err(PositionTextError::NoSide);
        }
        Ok(Position::new(Board::parse(board)?, side))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.to_move().archive_letter(), self.board().to_short())
    }
}
