//! Arimaa: positions, turns, notation, legality, results.
//!
//! A [`Board`] is always valid; a [`Position`] is a board with the side to move and hashes; a [`Turn`] is parsed, and
//! [`Position::play`] checks and makes it. [`State`] is a [`Position`] or setup in a game, with the rules of its era.
//! [`Arimaa`] are its [`Rules`](crate::game::Rules). [`Generator`] finds all distinct turns.
//!
//! ```
//! use annals_rules::arimaa::{Arimaa, Generator, State};
//! use annals_rules::game::{Era, Rules, Strictness};
//!
//! let mut state = State::new(Era::Modern);
//! let mut play = |text: &str| {
//!     let not_seen = |_| 0;
//!     Arimaa::play(&mut state, text.as_bytes(), Strictness::Strict, not_seen).map(|_| state)
//! };
//! play("Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2").unwrap();
//! let state = play("ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 da7 hb7 cc7 ed7 me7 cf7 hg7 dh7").unwrap();
//! assert_eq!(Generator::new().count(state.position()), 3_353);
//!
//! let illegal = play("Ee2n Ee3s").unwrap_err();
//! assert_eq!(illegal.code(), "position_unchanged");
//! let illegal = play("Ra1e").unwrap_err();
//! assert_eq!(illegal.to_string(), "step 1, `Ra1e`: b1 is taken; a step goes to an empty square");
//! ```

pub mod bitboard;
mod board;
mod board_text;
mod generate;
mod hash_set;
mod illegal;
mod next_step;
mod next_steps;
mod outcome;
pub mod piece;
mod play;
mod position;
mod position_text;
mod setup;
mod square;
mod state;
mod steps;
mod turn_text;
pub mod zobrist;

pub use board::{Board, BoardError};
pub use generate::{Generator, distinct_turns, first_steps};
pub use illegal::Illegal;
pub use next_step::{NextStep, Pending, StepKind};
pub use next_steps::NextSteps;
pub use piece::Piece;
pub use position::Position;
pub use position_text::PositionTextError;
pub use setup::Setup;
pub use square::{Direction, Square};
pub use state::{Arimaa, Phase, State};
pub use steps::{MOST_STEPS, Steps};
pub use turn_text::{Action, Token, Turn, TurnKind, TurnTextError};
