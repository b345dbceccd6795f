//! Signatures of actors: the digest of every signed range is computed again in one pass over the events, and keys that
//! an auditor got from an actor are compared with those that the log names.

use std::collections::BTreeMap;

use annals_events::{Hash, LogId};
use rusqlite::Connection;
use serde::Serialize;

use super::Verifying;
use super::report::{Finding, Severity};
use crate::row::clamp;
use crate::tlog::actor::{Actor, Actors, EventsDigest, Problem, SIGNED, actor_of};
use crate::tlog::note::VerifierKey;

/// Findings listed; the rest is counted.
const LISTED: usize = 100;

/// What is signed of the events of an actor that has a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ActorSignatures {
    pub actor: String,
    /// The key in force.
    pub verifier_key: String,
    /// All of the actor, but its signatures.
    pub events: u64,
    /// Of them, those in ranges whose signature holds.
    pub signed: u64,
    /// The last event of the last signature that holds; 0 if none.
    pub signed_up_to: u64,
    /// Events of the actor after that one.
    pub not_yet_signed: u64,
    /// Of a key that was given: the last event that it fixes, with all before.
    pub given_key_up_to: Option<u64>,
}

/// A signature that holds.
struct Held {
    seq: u64,
    key: usize,
    last: u64,
}

/// An actor, while the events are read.
struct Followed {
    actor: Actor,
    /// Signatures that are compared.
    done: usize,
    /// Of the events in the range of the next one.
    digest: EventsDigest,
    events: u64,
    signed: u64,
    /// Events since the last one that a signature covers.
    since: u64,
    held: Vec<Held>,
}

impl Followed {
    fn of(actor: Actor) -> Followed {
        let digest = EventsDigest::default();
        Followed { actor, done: 0, digest, events: 0, signed: 0, since: 0, held: Vec::new() }
    }

    /// Compares the signatures whose ranges end before an event.
    fn compare_before(&mut self, seq: u64, name: &str, problems: &mut Vec<Problem>) {
        while let Some(signature) = self.actor.signatures.get(self.done)
            && signature.range.last < seq
        {
            self.done += 1;
            let digest = std::mem::take(&mut self.digest);
            let (found, stated) = (digest.events, signature.range.events);
            let text = if found != stated {
                format!("its range has {found} events of the actor, and {stated} were signed")
            } else if digest.digest() != signature.digest {
                "an event up to the end of its range was changed after it was signed".to_owned()
            } else {
                self.signed += found;
                self.since = 0;
                let (seq, key, last) = (signature.seq, signature.key, signature.range.last);
                self.held.push(Held { seq, key, last });
                continue;
            };
            problems.push(Problem {
                seq: signature.seq,
                actor: name.to_owned(),
                key: Some(signature.key),
                text,
            });
        }
    }

    fn take(&mut self, seq: u64, hash: &Hash) {
        self.events += 1;
        self.since += 1;
        if self.actor.signatures.get(self.done).is_some_and(|next| next.range.first <= seq) {
            self.digest.push(hash);
        }
    }

    /// The last event that signatures of some of the keys, in events before one, fix with all before.
    fn fixed_up_to(&self, keys: std::ops::RangeInclusive<usize>, before: u64) -> u64 {
        let held = self.held.iter().filter(|held| keys.contains(&held.key) && held.seq < before);
        held.map(|held| held.last).max().unwrap_or(0)
    }

    /// What the log states about a key that the actor gave: the last event that it fixes, and why it does not fix more.
    fn compared_with(&self, given: &VerifierKey) -> (u64, Option<String>) {
        let keys = &self.actor.keys;
        let Some(first) = keys.iter().rposition(|named| named.key.is_same_key(given)) else {
            let problem = match keys.last() {
                Some(named) => format!("event {} names another one, {}", named.seq, named.key),
                None => "the log names no key of the actor".to_owned(),
            };
            return (0, Some(problem));
        };
        // A key that it signed follows it.
        let after = keys.iter().enumerate().skip(first + 1).find(|(_, named)| !named.is_signed);
        let last = after.map_or(keys.len(), |(next, _)| next) - 1;
        let fixed = self.fixed_up_to(first..=last, u64::MAX);
        let problem = match after {
            Some((_, named)) => Some(format!(
                "event {} names {} after it, and no signature of the key before shows that",
                named.seq, named.key
            )),
            None if fixed == 0 => Some("no signature of it holds in the log".to_owned()),
            None => None,
        };
        (fixed, problem)
    }
}

impl Verifying<'_> {
    /// Compares all signatures, and the keys that were given, with the events up to the last one.
    pub(super) fn signatures(&mut self, log: LogId, last: u64) -> Vec<ActorSignatures> {
        let read = Actors::read(&self.connection, log).and_then(|actors| {
            let Actors { by_name, mut problems } = actors;
            let mut followed: BTreeMap<String, Followed> =
                by_name.into_iter().map(|(name, actor)| (name, Followed::of(actor))).collect();
            follow(&self.connection, last, &mut followed, &mut problems)?;
            Ok((followed, problems))
        });
        let (followed, mut problems) = match read {
            Ok(read) => read,
            Err(error) => {
                // Of a damaged log, the damage itself is the finding.
                if self.findings.iter().all(|finding| finding.severity() < Severity::Damage) {
                    self.ask("comparing the signatures of actors", |_| Err::<(), _>(error));
                }
                return Vec::new();
            }
        };
        problems.sort_by_key(|problem| problem.seq);
        let not_listed = problems.len().saturating_sub(LISTED) as u64;
        for Problem { seq, actor, key, text } in problems.into_iter().take(LISTED) {
            let fixed = followed.get(&actor).zip(key).map_or(0, |(of, key)| of.fixed_up_to(key..=key, seq));
            self.findings.push(Finding::Signature { seq, first: fixed + 1, actor, problem: text });
        }
        if not_listed > 0 {
            self.findings.push(Finding::More { count: not_listed });
        }
        for (name, of) in &followed {
            let unsigned = of.actor.keys.iter().skip(1).filter(|named| !named.is_signed);
            let finding = |seq| Finding::KeyNotSigned { seq, actor: name.clone() };
            self.findings.extend(unsigned.take(LISTED).map(|named| finding(named.seq)));
        }
        let mut given: BTreeMap<&str, u64> = BTreeMap::new();
        let none = Followed::of(Actor::default());
        for key in &self.options.actor_keys {
            let actor = actor_of(key.name()).unwrap_or_else(|| key.name().to_owned());
            let named = followed.get_key_value(&actor);
            let (fixed, problem) = named.map_or(&none, |(_, of)| of).compared_with(key);
            if let Some((name, _)) = named {
                let most = given.entry(name).or_default();
                *most = fixed.max(*most);
            }
            if let Some(problem) = problem {
                let key = key.to_string();
                self.findings.push(Finding::ActorKey { first: fixed + 1, key, actor, problem });
            }
        }
        let shown = followed.iter().filter_map(|(name, of)| {
            Some(ActorSignatures {
                actor: name.clone(),
                verifier_key: of.actor.keys.last()?.key.to_string(),
                events: of.events,
                signed: of.signed,
                signed_up_to: of.held.last().map_or(0, |held| held.last),
                not_yet_signed: of.since,
                given_key_up_to: given.get(name.as_str()).copied(),
            })
        });
        shown.collect()
    }
}

/// Reads the hashes of all events once, if an actor has a key or a signature.
fn follow(
    connection: &Connection,
    last: u64,
    followed: &mut BTreeMap<String, Followed>,
    problems: &mut Vec<Problem>,
) -> rusqlite::Result<()> {
    if followed.is_empty() {
        return Ok(());
    }
    let sql = "SELECT seq, actor, hash FROM event WHERE seq BETWEEN 1 AND ?1 AND type <> ?2 ORDER BY seq";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query((clamp(last), SIGNED))?;
    while let Some(row) = rows.next()? {
        let actor = row.get_ref(1)?.as_str()?;
        if let Some(of) = followed.get_mut(actor) {
            let seq = row.get::<_, i64>(0)?.unsigned_abs();
            of.compare_before(seq, actor, problems);
            of.take(seq, &Hash(row.get(2)?));
        }
    }
    for (name, of) in followed {
        of.compare_before(u64::MAX, name, problems);
    }
    Ok(())
}
