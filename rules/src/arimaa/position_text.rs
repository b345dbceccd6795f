//! Positions as text: the side to move before a board text, `g [64 letters]`, or in a header line `12s` above the ranks,
//! with or without the turn's number. Gold is `g` or `w`, Silver `s` or `b`.
//!
//! ```
//! use annals_rules::arimaa::Position;
//!
//! let short = "s [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
//! let position: Position = short.parse().unwrap();
//! assert_eq!(position.to_string(), short);
//! let long = format!("2b\n{}", position.board());
//! assert_eq!(long.parse(), Ok(position));
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
        "the side to move is missing: begin with g or w (Gold), s or b (Silver), with or without the turn's number, \
         then the board"
    )]
    NoSide,
    /// The text has steps between the side and the board: the position is in the middle of a turn.
    #[error("steps follow the side to move; only a position between two turns can be read")]
    MidTurn,
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl FromStr for Position {
    type Err = PositionTextError;

    fn from_str(text: &str) -> Result<Position, PositionTextError> {
        let text = text.trim_start();
        let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let side =
            after_number.bytes().next().and_then(Side::from_letter).ok_or(PositionTextError::NoSide)?;
        let rest = &after_number[1..];
        let board = match rest.split_once('\n') {
            // Long text: only the label is on the first line.
            Some((header, board)) if board.contains('|') && !header.contains('|') => {
                if !header.trim().is_empty() {
                    return Err(PositionTextError::MidTurn);
                }
                board
            }
            // Short text: after one space, or in brackets.
            _ => rest.strip_prefix([' ', '\t', '\n']).ok_or(PositionTextError::NoSide)?,
        };
        Ok(Position::new(Board::parse(board)?, side))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.to_move().letter(), self.board().to_short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_a_side_or_within_a_turn_is_refused() {
        let board = Board::EMPTY;
        let error = |text: String| text.parse::<Position>().unwrap_err();
        assert_eq!(error(board.to_short()), PositionTextError::NoSide);
        assert_eq!(error(String::new()), PositionTextError::NoSide);
        assert_eq!(error(format!("gold {}", board.to_short())), PositionTextError::NoSide);
        assert_eq!(error(format!("12w Ea1n\n{board}")), PositionTextError::MidTurn);
        assert!(matches!(error("g R".to_owned()), PositionTextError::Board(_)));
    }

    #[test]
    fn both_pairs_of_side_letters_are_read() {
        let board = Board::EMPTY;
        for (letter, side) in [("g", Side::Gold), ("w", Side::Gold), ("s", Side::Silver), ("b", Side::Silver)]
        {
            assert_eq!(format!("{letter} {}", board.to_short()).parse(), Ok(Position::new(board, side)));
            assert_eq!(format!(" 7{letter} \r\n{board}\n").parse(), Ok(Position::new(board, side)));
        }
    }
}
