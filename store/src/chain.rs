//! The hash chain: what exactly is hashed, in which order. `tools/check_proof.py` computes the same with Python's
//! standard library only. Every change of a byte here is a new log format.
//!
//! ```text
//! genesis  = SHA-256("annals/log/v1\0" ‖ log id (16 bytes))
//! hash(n)  = SHA-256("annals/event/v1\0" ‖ hash(n-1) ‖ field ‖ field ‖ … ‖ field)
//! field    = length in bytes (4 bytes, big end first) ‖ bytes
//! ```
//!
//! The fields, in this order: seq, stream, version, id, type, schema, effective_at, recorded_at, actor, payload. Integers
//! are 8 bytes, two's complement, big end first; texts are UTF-8; the payload is the stored text, never one that was
//! parsed and written again. Each field has its length, so that moving a boundary between fields changes the hash.
//! `hash(0)` is the genesis.

use annals_events::{Hash, LogId};
use sha2::{Digest, Sha256};

use crate::row::EventRef;

/// Domain tag of event hashes.
pub const EVENT_TAG: &[u8; 16] = b"annals/event/v1\0";

/// Domain tag of a chain's start.
pub const LOG_TAG: &[u8; 14] = b"annals/log/v1\0";

/// The start of a log's chain.
#[must_use]
pub fn genesis(log: LogId) -> Hash {
    let mut sha = Sha256::new();
    sha.update(LOG_TAG);
    sha.update(log.as_bytes());
    Hash(sha.finalize().into())
}

/// Hashes events with a reusable buffer.
#[derive(Debug, Default)]
pub struct Chain {
    input: Vec<u8>,
}

impl Chain {
    /// Over all fields of the event but its hash; `previous` is the hash of the event before.
    #[must_use]
    pub fn hash(&mut self, previous: &Hash, event: &EventRef<'_>) -> Hash {
        let input = &mut self.input;
        input.clear();
        input.extend_from_slice(EVENT_TAG);
        input.extend_from_slice(previous.as_bytes());
        field(input, &event.seq.to_be_bytes());
        field(input, event.stream.as_bytes());
        field(input, &event.version.to_be_bytes());
        field(input, event.id.as_bytes());
        field(input, event.event_type.as_bytes());
        field(input, &u64::from(event.schema).to_be_bytes());
        field(input, &event.effective_at.to_be_bytes());
        field(input, &event.recorded_at.to_be_bytes());
        field(input, event.actor.as_bytes());
        field(input, event.payload.as_bytes());
        Hash(Sha256::digest(&*input).into())
    }

    /// Covered by the last hash.
    #[must_use]
    pub fn hashed_bytes(&self) -> usize {
        self.input.len()
    }
}

fn field(input: &mut Vec<u8>, bytes: &[u8]) {
    // SQLite texts are shorter than 2^32 bytes, and the log's limit is far lower.
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    input.extend_from_slice(&length.to_be_bytes());
    input.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use annals_events::EventId;

    use super::*;

    fn example() -> EventRef<'static> {
        EventRef {
            seq: 2,
            stream: "game/1",
            version: 1,
            id: EventId([3; 16]),
            event_type: "game.halted",
            schema: 1,
            effective_at: -5,
            recorded_at: 7,
            actor: "omar",
            payload: "{}",
            hash: Hash::default(),
        }
    }

    #[test]
    fn the_hash_is_the_one_that_was_fixed_when_the_format_was() {
        // Computed once by an independent implementation in Python; these never change.
        let start = genesis(LogId([0x11; 16]));
        assert_eq!(start.to_string(), "decd9f8df6c01904fa4002d1b2187f2b9d5bd9b1a7346d972c4fdbc7e5e109d7");
        assert_eq!(
            Chain::default().hash(&start, &example()).to_string(),
            "066ee968a7cff63aa571a7290b0f11bbcae2c8eb30e722361ebf6e749792de08"
        );
    }

    #[test]
    fn every_field_and_the_hash_before_it_count() {
        let start = genesis(LogId([0x11; 16]));
        let mut chain = Chain::default();
        let plain = chain.hash(&start, &example());
        let e = example();
        let changed = [
            EventRef { seq: 3, ..e },
            EventRef { stream: "game/2", ..e },
            EventRef { version: 2, ..e },
            EventRef { id: EventId([4; 16]), ..e },
            EventRef { event_type: "game.annulled", ..e },
            EventRef { schema: 2, ..e },
            EventRef { effective_at: -4, ..e },
            EventRef { recorded_at: 8, ..e },
            EventRef { actor: "omaR", ..e },
            EventRef { payload: "{ }", ..e },
            EventRef { actor: "omar{", payload: "}", ..e },
            EventRef { stream: "game/", ..e },
        ];
        let mut seen = vec![plain, chain.hash(&genesis(LogId([0x12; 16])), &e)];
        seen.extend(changed.iter().map(|event| chain.hash(&start, event)));
        let distinct: std::collections::HashSet<Hash> = seen.iter().copied().collect();
        assert_eq!(distinct.len(), seen.len());
    }
}
