//! Signatures of actors on their events. An event names the key of an actor, and later events have its signed notes. A
//! note has a digest over the hashes of the actor's events in a range. Each hash covers the events before it, so a
//! signature also fixes every event before the last one of its range.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use annals_events::log::{ActorKeyNamed, ActorSigned, LOG_STREAM};
use annals_events::{Event, Hash, LogEvent, LogId};
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

use super::note::{KeyKind, Note, Signed, VerifierKey};

/// First line of a signed range.
pub const SIGNATURE: &str = "annals/actor-signature/v1";

/// First line of a signed rotation.
pub const ROTATION: &str = "annals/actor-key/v1";

/// Domain tag of the digest over the hashes of events.
pub const EVENTS_TAG: &[u8; 23] = b"annals/actor-events/v1\0";

/// The type whose events are signatures, which no other signature is about.
pub(crate) const SIGNED: &str = "log.actor_signed";

/// The name of an actor's key: white space, `+` and `%` are written as the hexadecimal digits of their bytes.
#[must_use]
pub fn key_name(actor: &str) -> String {
    let mut name = String::new();
    for c in actor.chars() {
        if c.is_whitespace() || c == '+' || c == '%' {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(name, "%{byte:02X}");
            }
        } else {
            name.push(c);
        }
    }
    name
}

/// The actor of a key with this name.
#[must_use]
pub fn actor_of(name: &str) -> Option<String> {
    let mut parts = name.split('%');
    let mut bytes: Vec<u8> = parts.next()?.into();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(rest.as_bytes());
    }
    String::from_utf8(bytes).ok().filter(|actor| key_name(actor) == name)
}

/// The digest over events in order.
#[derive(Debug, Clone)]
pub(crate) struct EventsDigest {
    sha: Sha256,
    pub events: u64,
}

impl Default for EventsDigest {
    fn default() -> EventsDigest {
        EventsDigest { sha: Sha256::new_with_prefix(EVENTS_TAG), events: 0 }
    }
}

impl EventsDigest {
    pub fn push(&mut self, hash: &Hash) {
        self.sha.update(hash.as_bytes());
        self.events += 1;
    }

    pub fn digest(self) -> Hash {
        Hash(self.sha.finalize().into())
    }
}

/// A range of an actor's events, as it is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub first: u64,
    pub last: u64,
    pub events: u64,
}

/// Without its last line, the digest.
fn range_text(log: LogId, actor: &str, range: Range) -> String {
    let Range { first, last, events } = range;
    format!("{SIGNATURE}\n{log}\n{actor}\n{first}\n{last}\n{events}\n")
}

/// The text that an actor signs for a range.
pub(crate) fn signature_text(log: LogId, actor: &str, range: Range, digest: &Hash) -> String {
    format!("{}{digest}\n", range_text(log, actor, range))
}

/// The text that the key before signs for the next one.
pub(crate) fn rotation_text(log: LogId, actor: &str, before: &VerifierKey, next: &VerifierKey) -> String {
    format!("{ROTATION}\n{log}\n{actor}\n{before}\n{next}\n")
}

/// A key of an actor, and the event that names it.
#[derive(Debug, Clone)]
pub(crate) struct NamedKey {
    pub seq: u64,
    pub key: VerifierKey,
    /// Whether the key before it signed that.
    pub is_signed: bool,
}

/// A signature by a key that is in force; the events are not yet compared with it.
#[derive(Debug, Clone)]
pub(crate) struct RangeSignature {
    /// Of its event.
    pub seq: u64,
    pub range: Range,
    pub digest: Hash,
    /// The place of the key among those of the actor.
    pub key: usize,
}

/// What an actor's events state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Actor {
    pub keys: Vec<NamedKey>,
    /// In order, each range after the one before.
    pub signatures: Vec<RangeSignature>,
}

impl Actor {
    pub fn signed_up_to(&self) -> u64 {
        self.signatures.last().map_or(0, |signature| signature.range.last)
    }
}

/// An event that names a key or has a signature, and is not what it must be.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub seq: u64,
    pub actor: String,
    /// The key in force, as [`RangeSignature::key`].
    pub key: Option<usize>,
    pub text: String,
}

/// All actors with keys or signatures.
#[derive(Debug, Default)]
pub(crate) struct Actors {
    pub by_name: BTreeMap<String, Actor>,
    pub problems: Vec<Problem>,
}

impl Actors {
    /// From the log's own stream.
    pub fn read(connection: &Connection, log: LogId) -> rusqlite::Result<Actors> {
        let sql = "SELECT seq, type, schema, actor, payload FROM event WHERE stream = ?1 AND \
                   type IN ('log.actor_key_named', 'log.actor_signed') ORDER BY version";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([LOG_STREAM])?;
        let mut actors = Actors::default();
        while let Some(row) = rows.next()? {
            let (seq, event_type, schema): (i64, String, u32) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let (by, payload): (String, String) = (row.get(3)?, row.get(4)?);
            let seq = seq.unsigned_abs();
            // Unreadable events are findings elsewhere.
            let (actor, problem) = match Event::from_payload(&event_type, schema, &payload) {
                Ok(Event::Log(LogEvent::ActorKeyNamed(named))) => {
                    let actor = actors.by_name.entry(named.actor.clone()).or_default();
                    let problem = actor.name_key(log, seq, &named).err();
                    (named.actor, problem)
                }
                Ok(Event::Log(LogEvent::ActorSigned(signed))) => {
                    let actor = actors.by_name.entry(signed.actor.clone()).or_default();
                    let problem = actor.sign(log, seq, &signed).err();
                    (signed.actor, problem)
                }
                _ => continue,
            };
            let problem = problem.or_else(|| (by != actor).then(|| format!("`{by}` recorded it")));
            if let Some(text) = problem {
                let key = actors.by_name.get(&actor).and_then(|actor| actor.keys.len().checked_sub(1));
                actors.problems.push(Problem { seq, actor, key, text });
            }
        }
        Ok(actors)
    }
}

impl Actor {
    fn name_key(&mut self, log: LogId, seq: u64, named: &ActorKeyNamed) -> Result<(), String> {
        let key: VerifierKey = named.verifier_key.parse().map_err(|error| format!("{error}"))?;
        if key.kind() != KeyKind::Log || key.name() != key_name(&named.actor) {
            return Err(format!("{key} is not a key with the name of the actor"));
        }
        let before = self.keys.last().map(|before| before.key.clone());
        self.keys.push(NamedKey { seq, key: key.clone(), is_signed: false });
        match (before, &named.signed_note) {
            (_, None) => Ok(()),
            (None, Some(_)) => Err("it has a signature of a key before it, and there is none".to_owned()),
            (Some(before), Some(note)) => {
                let note: Note = note.parse().map_err(|error| format!("{error}"))?;
                if note.text() != rotation_text(log, &named.actor, &before, &key) {
                    return Err(format!("the signed text does not name this key after {before}"));
                }
                signed_by(&note, &before)?;
                if let Some(named) = self.keys.last_mut() {
                    named.is_signed = true;
                }
                Ok(())
            }
        }
    }

    fn sign(&mut self, log: LogId, seq: u64, signed: &ActorSigned) -> Result<(), String> {
        let key = self.keys.len().checked_sub(1).ok_or("the log names no key of the actor before it")?;
        let range = Range { first: signed.first_seq, last: signed.last_seq, events: signed.events };
        let next = self.signed_up_to() + 1;
        if range.first != next {
            return Err(format!("its range begins at event {}, where event {next} is next", range.first));
        }
        if range.last < range.first || range.last >= seq {
            return Err(format!("its range ends at event {}", range.last));
        }
        let note: Note = signed.signed_note.parse().map_err(|error| format!("{error}"))?;
        let digest = note.text().strip_prefix(&range_text(log, &signed.actor, range));
        let digest =
            digest.and_then(|digest| digest.strip_suffix('\n')).and_then(|digest| digest.parse().ok());
        let digest: Hash = digest.ok_or("the signed text is not about these events of this log")?;
        signed_by(&note, &self.keys[key].key)?;
        self.signatures.push(RangeSignature { seq, range, digest, key });
        Ok(())
    }
}

fn signed_by(note: &Note, key: &VerifierKey) -> Result<(), String> {
    match note.signed_by(key) {
        Signed::Yes(_) => Ok(()),
        Signed::No => Err(format!("{key} did not sign it")),
        Signed::Wrong => Err(format!("the signature is not one of {key} on this text")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::note::is_key_name;
    use super::*;

    #[test]
    fn every_actor_has_a_name_of_a_key_that_leads_back() {
        for actor in ["omar", "Omar Syed", "a+b", "100%", "%20", "\u{a0}é\u{2003}", "club.example/1"] {
            let name = key_name(actor);
            assert!(is_key_name(&name), "{name}");
            assert_eq!(actor_of(&name).as_deref(), Some(actor), "{name}");
        }
        assert_eq!(key_name("Omar Syed"), "Omar%20Syed");
        for bad in ["%", "%2", "%zz", "%6f", "a%ff", "a b", "%2b"] {
            assert_eq!(actor_of(bad), None, "{bad}");
        }
    }
}
