//! The work of a child process, computed from numbers alone, so that the test that runs it can compute every event that it
//! must find.

use annals_events::{Entry, Event, EventId, GameEvent, LogId, RawPayload, Side, StreamName, TurnTaken};
use annals_store::{NewEvent, NewLog, Transaction};
use sha2::{Digest, Sha256};

/// The streams that all children write to.
pub const STREAMS: u64 = 5;

/// A number that looks random and is always the same.
pub fn dice(of: &[u64]) -> u64 {
    let mut sha = Sha256::new();
    of.iter().for_each(|n| sha.update(n.to_be_bytes()));
    let digest: [u8; 32] = sha.finalize().into();
    digest.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// How many events a transaction has: 1 to 7.
pub fn size(writer: u64, transaction: u64) -> u64 {
    1 + dice(&[1, writer, transaction]) % 7
}

/// A stream that every child writes to.
pub fn stream(n: u64) -> StreamName {
    format!("game/shared-{n}").parse().expect("a stream name")
}

/// The identity of an event of a transaction.
pub fn id(writer: u64, transaction: u64, place: u64) -> EventId {
    EventId::for_import(dice(&[2, writer]).to_be_bytes(), transaction * 8 + place + 1)
}

/// The payload of an event.
pub fn payload(writer: u64, transaction: u64, place: u64) -> RawPayload {
    let padding = "x".repeat((dice(&[3, writer, transaction, place]) % 200) as usize);
    let steps = format!("writer {writer} transaction {transaction} place {place} {padding}");
    let side = if place.is_multiple_of(2) { Side::Gold } else { Side::Silver };
    let turn = TurnTaken::plain(transaction as u32, side, steps);
    Event::from(GameEvent::TurnTaken(turn)).to_payload().expect("a payload")
}

/// One transaction: several events, in several streams.
pub fn transaction(writer: u64, transaction: u64) -> Transaction {
    let event = |place: u64| {
        let stream = stream(dice(&[4, writer, transaction, place]) % STREAMS);
        let at = 1_000_000 * transaction as i64 + place as i64;
        let (id, payload) = (id(writer, transaction, place), payload(writer, transaction, place));
        NewEvent::from_parts(stream, id, "game.turn_taken", 1, at, "child", payload).expect("an event")
    };
    Transaction::of((0..size(writer, transaction)).map(event).collect())
}

/// One event of a counter: the number is the version that its writer expects.
pub fn tick(writer: u64, stream: &StreamName, number: u64, attempt: u64) -> NewEvent {
    let id = EventId::for_import(dice(&[5, writer]).to_be_bytes(), attempt);
    let turn = TurnTaken::plain(number as u32, Side::Gold, format!("writer {writer}"));
    let entry = Entry::from(Event::from(GameEvent::TurnTaken(turn)));
    NewEvent::new(stream.clone(), id, number as i64, "child", &entry).expect("an event")
}

/// The facts with which a child creates its log.
pub fn new_log() -> NewLog {
    NewLog {
        log_id: LogId([0xab; 16]),
        program: "annals-store-child".to_owned(),
        note: None,
        actor: "child".to_owned(),
    }
}
