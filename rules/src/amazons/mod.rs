//! The game of the Amazons: positions, moves, notation, legality, territory, results. White is Gold in events and in
//! code for both games, Black is Silver; texts of this game have White and Black.
//!
//! A [`Board`] has any [`Size`] of at most 128 squares, with queens and blocks anywhere, and is always valid; a
//! [`Position`] is a board with the side to move and a hash. [`Amazons`] are its [`Rules`](crate::game::Rules).
//!
//! ```
//! use annals_events::{GameEvent, GameKind, PlayerAtStart, Side, Started, TurnTaken};
//! use annals_rules::amazons::{Amazons, Move, Position, Stage};
//! use annals_rules::game::{Game, Strictness};
//!
//! let start = Position::start();
//! assert_eq!((start.count_moves(), start.perft(2)), (2_176, 4_307_152));
//! let position = start.play(Move::parse(b"d1-d7(g7)").unwrap()).unwrap();
//! let illegal = position.play(Move::parse(b"d10-d6/d8").unwrap()).unwrap_err();
//! assert_eq!(illegal.to_string(), "the queen cannot move from d10 to d6: a queen of White stands on d7");
//!
//! // A game can start from any position on a board of any size. Here White shuts itself in.
//! let mut game: Game<Amazons> = Game::new(Strictness::Strict);
//! let started = GameEvent::Started(Box::new(Started {
//!     game: GameKind::Amazons,
//!     gold: PlayerAtStart::default(),
//!     silver: PlayerAtStart::default(),
//!     time_control: None,
//!     rated: false,
//!     postal: false,
//!     event: None,
//!     site: None,
//!     position: Some("w [...../...B./xx.../.x.../Wx...]".into()),
//!     pairing: None,
//!     attempt: None,
//! }));
//! game.apply(None, &started).unwrap();
//! assert_eq!(game.state().unwrap().stage(), Stage::Decided);
//! game.apply(None, &GameEvent::TurnTaken(TurnTaken::plain(31, Side::Gold, "a1-a2(a1)"))).unwrap();
//! game.apply(None, &GameEvent::TurnTaken(TurnTaken::plain(31, Side::Silver, "d4-e4/d4"))).unwrap();
//! assert_eq!(game.board_says().unwrap().winner, Some(Side::Silver));
//! assert_eq!(game.state().unwrap().score(), Some((Side::Silver, 17)));
//! ```

mod board;
mod board_text;
mod count;
mod distance;
mod generate;
mod illegal;
mod legality;
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
pub use distance::{Closer, Distances};
pub use illegal::{Illegal, Part};
pub use moves::{Move, MoveTextError};
pub use position::Position;
pub use position_text::PositionTextError;
pub use size::{Size, SizeError};
pub use square::Square;
pub use state::Amazons;
pub use symmetry::Symmetry;
pub use territory::{Owner, Region, Stage};
