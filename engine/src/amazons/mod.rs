//! The game of the Amazons: evaluators, search, player.
//!
//! ```
//! use annals_engine::amazons::{Player, Registry, Settings};
//! use annals_events::{GameEvent, GameKind, Started};
//! use annals_rules::amazons::Amazons;
//! use annals_rules::game::{Game, Strictness};
//!
//! let settings: Settings = "evaluator=queens nodes=300 seed=3".parse().unwrap();
//! let mut player = Player::new(settings, &Registry::standard()).unwrap();
//! let mut game: Game<Amazons> = Game::new(Strictness::Strict);
//! let started = Started::plain(GameKind::Amazons, Some("w [.B./.../W..]".into()));
//! game.apply(None, &GameEvent::Started(Box::new(started))).unwrap();
//! let choice = player.choose(&game).unwrap();
//! assert!(game.state().unwrap().play(choice.chosen).is_ok());
//! ```

pub mod evaluation;
pub mod filling;
mod neighbours;
mod player;
mod position_report;
mod search;
mod settings;

pub use evaluation::{Evaluator, Registry};
pub use player::{ChosenTurn, Player};
pub use position_report::{PositionReport, PositionReportError};
pub use search::{SearchOptions, Searcher};
pub use settings::{Kind, RESIGN_TURNS, Settings};
