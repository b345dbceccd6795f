//! One game of any kind as the fold of its events. [`Game`] has plies, takebacks, halts, resumptions, clocks and the
//! ending; [`Rules`] are those of one kind.
//!
//! ```
//! use annals_events::{GameEvent, GameKind, PlayerAtStart, Side, Started, TurnTaken};
//! use annals_rules::arimaa::Arimaa;
//! use annals_rules::game::{Game, Strictness};
//!
//! let started = GameEvent::Started(Box::new(Started {
//!     game: GameKind::Arimaa,
//!     gold: PlayerAtStart::default(),
//!     silver: PlayerAtStart::default(),
//!     time_control: Some("2/2/100/10/8".into()),
//!     rated: true,
//!     postal: false,
//!     event: None,
//!     site: None,
//!     position: Some("g [................................Er..............R......r........]".into()),
//!     pairing: None,
//!     attempt: None,
//! }));
//! let mut game: Game<Arimaa> = Game::new(Strictness::Archive);
//! game.apply(None, &started).unwrap();
//!
//! let turn = |steps: &'static str| GameEvent::TurnTaken(TurnTaken::plain(12, Side::Gold, steps));
//! let error = game.apply(None, &turn("rb4e")).unwrap_err();
//! assert_eq!(error.code(), "push_not_completed");
//! game.apply(None, &turn("rb4e Ea4e")).unwrap();
//! assert_eq!((game.plies()[0].played.steps, game.expected_number()), (2, Some(12)));
//! ```

mod applied;
mod beside;
mod contract;
mod ending;
mod error;
mod fold;
mod limit;
mod ply;
#[cfg(test)]
mod properties;
mod standing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;
mod watch;

pub use applied::{Applied, AppliedOf, NoClock, RejectionCheck};
pub use contract::{Era, Outcome, Played, Rules, Strictness};
pub use ending::{Ending, EndingCheck, LimitCheck, LimitFault};
pub use error::{GameError, GameErrorOf};
pub use fold::Game;
pub use limit::LengthSoFar;
pub use ply::Ply;
