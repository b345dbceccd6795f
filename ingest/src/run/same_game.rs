//! Whether a file's row and a logged game are the same, by their events. A correction in the log, or a different row,
//! makes them differ.

use annals_events::{Event, GameEvent};

use crate::game_record::TimedEvent;

/// The digest of a game's events with stated times.
#[derive(Debug, Default)]
pub struct GameDigest(blake3::Hasher);

impl GameDigest {
    pub fn add(&mut self, at: Option<i64>, event: &GameEvent<'_>) {
        self.field(&at.unwrap_or(i64::MIN).to_be_bytes());
        let event = Event::Game(event.clone());
        self.field(event.event_type().name().as_bytes());
        match event.to_payload() {
            Ok(payload) => self.field(payload.as_str().as_bytes()),
            // No log can contain such an event, so no logged game is equal.
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

/// Of a game in a file.
#[must_use]
pub fn digest_of_events(events: &[TimedEvent<'_>]) -> [u8; 16] {
    let mut digest = GameDigest::default();
    events.iter().for_each(|(at, event)| digest.add(*at, event));
    digest.finish()
}
