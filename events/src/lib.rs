//! The events of games, tournaments, people and the log, their envelope, and the canonical JSON of both.
//!
//! Pure: no file, clock, thread or random number. Whether the rules of a game allow an event is for `annals-rules`.
//!
//! ```
//! use annals_events::{Event, GameEvent, Side, TurnTaken};
//!
//! let event = Event::from(GameEvent::TurnTaken(TurnTaken::plain(2, Side::Gold, "Eb2n Eb3n")));
//! let payload = event.to_payload().unwrap();
//! assert_eq!(payload.as_str(), r#"{"number":2,"side":"gold","steps":"Eb2n Eb3n"}"#);
//!
//! let (name, schema) = (event.event_type().name(), event.event_type().schema());
//! assert_eq!((name, schema), ("game.turn_taken", 1));
//! assert_eq!(Event::from_payload(name, schema, payload.as_str()).unwrap(), event);
//! ```

mod blank_name;
pub mod bounds;
pub mod canonical;
mod decode;
mod envelope;
mod event;
mod event_type;
mod family;
mod fixed_point;
mod game;
pub mod generated;
mod identity;
mod ids;
pub mod log;
mod names;
pub mod narrative;
mod numbers;
mod payload;
pub mod people;
mod schema;
mod stated_period;
mod time;
pub mod tournament;
mod turn_text;
mod vocabulary;

pub use blank_name::blank_name;
pub use decode::{DecodeError, PROGRAM, UpcastError};
pub use envelope::{Envelope, EnvelopeError, RawEnvelope, StreamName};
pub use event::{Entry, Event};
pub use event_type::{EventType, Family};
pub use fixed_point::{Cents, FixedPoint, FixedPointError, Thousandths};
pub use game::{
    Annulled, ClockSet, Ended, GameEvent, Halted, PlayerAtStart, RatedChanged, Resumed, Started,
    TurnRejected, TurnRetracted, TurnTaken,
};
pub use identity::{EventId, Hash, HexError, LogId};
pub use ids::{BoardId, GameId, MAX_NAME, NameError, PairingId, PlayerId, TournamentId};
pub use log::{LOG_STREAM, LogEvent};
pub use names::{Subject, each_named, names};
pub use payload::RawPayload;
pub use people::PeopleEvent;
pub use schema::{Schemas, Step, check_payload};
pub use stated_period::{NotAPeriod, StatedPeriod};
pub use time::{Micros, TIME_KEY, TimeNote};
pub use tournament::TournamentEvent;
pub use vocabulary::{GameKind, PlayerKind, Side, Termination, UnknownWord};

/// A description of every event type as JSON: its payload's fields, the types within it, and an example.
pub const REFERENCE: &str = include_str!("../reference.json");
