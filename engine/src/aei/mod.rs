//! AEI, the text protocol between a controller and an engine. [`ToEngine`] and [`FromEngine`] are its messages, one per
//! line; [`serve`] runs an engine; the controller's side is in [`crate::arena`].
//!
//! ```
//! use annals_engine::aei::{FromEngine, ToEngine};
//!
//! let go: ToEngine = "go ponder".parse().unwrap();
//! assert_eq!(go, ToEngine::Go { ponder: true });
//! let answer: FromEngine = "bestmove Ee2n Ee3n".parse().unwrap();
//! assert_eq!(answer, FromEngine::BestMove("Ee2n Ee3n".to_owned()));
//! assert_eq!(answer.to_string(), "bestmove Ee2n Ee3n");
//! ```

pub mod lines;
mod message;
mod options;
mod position;
mod serve;
mod speaker;
mod worker;

pub(crate) use message::shown;
pub use message::{FromEngine, LogLevel, MessageError, ToEngine};
pub(crate) use options::reserve_name;
pub use serve::{ServeError, Served, serve};
