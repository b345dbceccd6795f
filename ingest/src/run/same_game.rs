//! Whether a row of a file and a game of a log are the same game: by their events, which is what a log takes of a row. A
//! correction in the log, or another row in the file, makes them differ.

use annals_events::{Event, GameEvent};

use crate::game_record::TimedEvent;

/// The digest of a game's events, with the times that its source states.
#[derive(Debug, Default)]
pub struct GameDigest(blake3::Hasher);

impl GameDigest {
    /// Takes the next event.
    pub fn add(&mut self, at: Option<i64>, event: &GameEvent<'_>) {
        self.field(&at.unwrap_or(i64::MIN).to_be_bytes());
        let event = Event::Game(event.clone());
        self.field(event.event_type().name().as_bytes());
        match event.to_payload() {
            Ok(payload) => self.field(payload.as_str().as_bytes()),
            // No log can hold such an event, so no game of a log is the same.
            Err(error) => self.field(error.to_string().as_bytes()),
        }
    }

    #[must_use]
    pub fn finish(&self) -> [u8; 16] {
        let mut digest = [0; 16];
        digest.copy_from_slice(&self.0.finalize().as_bytes()[..16]);
        digest
    }

    fn field(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }
}

/// The digest of the events of a game in a file.
#[must_use]
pub fn digest_of_events(events: &[TimedEvent<'_>]) -> [u8; 16] {
    let mut digest = GameDigest::default();
    events.iter().for_each(|(at, event)| digest.add(*at, event));
    digest.finish()
}
