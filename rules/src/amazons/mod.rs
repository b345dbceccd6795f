//! The game of the Amazons: positions, moves, notation, legality, territory, results. White is Gold in the events and
//! everywhere that serves both games, and Black is Silver; texts of this game say White and Black.
//!
//! A [`Board`] has any [`Size`] that 128 bits hold, with queens and blocks anywhere, and cannot be invalid; a
//! [`Position`] is a board with the side to move and its hash. [`Amazons`] makes it a game that events fold into.
//!
//! ```
//! use annals_rules::amazons::{Amazons, Move, Position, Stage};
//! use annals_rules::game::Game;
//!
//! let start = Position::start();
//! assert_eq!((start.count_moves(), start.perft(2)), (2_176, 4_307_152));
//! let position = start.play(Move::parse(b"d1-d7(g7)").unwrap()).unwrap();
//! let illegal = position.play(Move::parse(b"d10-d6/d8").unwrap()).unwrap_err();
//! assert_eq!(illegal.to_string(), "the queen cannot move from d10 to d6: a queen of White stands on d7");
//!
//! let end: Position = "w [Wx.../xx.../..B../...../.....]".parse().unwrap();
//! assert_eq!(end.score().map(|(_, squares)| squares), Some(20));
//! assert!(matches!(end.stage(), Stage::Finished { .. }));
//! # let _ = Game::<Amazons>::new(annals_rules::game::Strictness::Strict);
//! ```

mod board;
mod board_text;
mod count;
mod distance;
mod generate;
mod illegal;
mod moves;
mod position;
mod position_text;
mod size;
mod square;
mod state;
mod symmetry;
mod territory;
pub mod zobrist;

pub use board::{Board, BoardError, Content};
pub use distance::Closer;
pub use illegal::{Illegal, Part};
pub use moves::{Move, MoveTextError};
pub use position::Position;
pub use position_text::PositionTextError;
pub use size::{Size, SizeError};
pub use square::Square;
pub use state::Amazons;
pub use symmetry::Symmetry;
pub use territory::{Owner, Region, Stage};
