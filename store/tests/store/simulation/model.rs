//! What must hold in every state of a world, in a form that is independent of how the store does it: what was
//! acknowledged is there once, with every byte; what is shown as intact is what was sent; every receipt holds, or is
//! named as lost.

use std::collections::HashMap;
use std::path::Path;

use annals_events::{EventId, RawEnvelope, RawPayload, StreamName};
use annals_store::{Finding, Head, Log, Report, VerifyOptions, verify};

use super::clock::Recorded;
use crate::work;

/// What is known of a transaction that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It may be in the log or not. A loss that is named leaves it so, too.
    Open,
    Acknowledged {
        first: u64,
        last: u64,
    },
}

/// An event that was sent.
pub struct Sent {
    transaction: u64,
    place: u64,
    stream: StreamName,
    pub payload: RawPayload,
}

/// What can make a log differ from what was acknowledged, since it was last whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Harm {
    /// Of the database or the write-ahead log.
    pub inside: bool,
    /// Of the anchor, so that only a receipt may show a loss.
    pub anchor: bool,
    /// How many bits flipped; none of another harm.
    pub flips: u64,
    pub other: bool,
}

impl Harm {
    pub fn is_none(self) -> bool {
        self == Harm::default()
    }
}

#[derive(Default)]
pub struct Model {
    /// Whether a log was acknowledged.
    pub exists: bool,
    /// How many logs were there before it.
    pub logs_before: u64,
    pub sent: Vec<Fate>,
    events: HashMap<EventId, Sent>,
    pub receipts: Vec<Head>,
    /// Receipts that are lost, as the log or its verification named it.
    pub named: Vec<Head>,
    pub harm: Harm,
    recorded: Recorded,
    /// Events that the log itself wrote, as they were first seen.
    own: HashMap<EventId, RawEnvelope>,
}

pub fn report(path: &Path, receipts: &[Head]) -> Result<Report, String> {
    let options = VerifyOptions { threads: 1, receipts: receipts.to_vec(), ..VerifyOptions::default() };
    verify(path, &options).map_err(|error| error.to_string())
}

pub fn events(path: &Path) -> Result<Vec<RawEnvelope>, String> {
    let log = Log::inspect(path).map_err(|error| error.to_string())?;
    log.events(1..=u64::MAX).collect::<Result<_, _>>().map_err(|error| error.to_string())
}

impl Model {
    /// A new transaction, which is about to be sent.
    pub fn send(&mut self) -> u64 {
        let number = self.sent.len() as u64;
        self.sent.push(Fate::Open);
        for (place, event) in (0..).zip(&work::transaction(0, number).events) {
            let sent = Sent {
                transaction: number,
                place,
                stream: event.stream().clone(),
                payload: work::payload(0, number, place),
            };
            self.events.insert(event.id(), sent);
        }
        number
    }

    /// The transaction of an event and its place in it, if it was sent.
    pub fn place_of(&self, id: EventId) -> Option<(u64, u64)> {
        self.events.get(&id).map(|sent| (sent.transaction, sent.place))
    }

    pub fn sent_as(&self, id: EventId) -> Option<&Sent> {
        self.events.get(&id)
    }

    /// Whether an event is one that was sent, with every byte.
    pub fn is_true(&self, event: &RawEnvelope) -> bool {
        match self.events.get(&event.id) {
            Some(sent) => {
                event.payload == sent.payload && event.stream == sent.stream && event.actor == "child"
            }
            None => {
                let is_own = event.stream.as_str() == annals_events::log::LOG_STREAM;
                is_own && self.own.get(&event.id).is_none_or(|first| first == event)
            }
        }
    }

    /// What a report and the events say is intact must be true.
    pub fn intact_is_true(&self, report: &Report, events: &[RawEnvelope]) -> Result<(), String> {
        let is_intact = |seq: u64| report.intact.iter().any(|range| range.contains(&seq));
        match events.iter().find(|event| is_intact(event.seq) && !self.is_true(event)) {
            Some(event) => {
                Err(format!("event {} is intact by `verify`, and is not what was sent", event.seq))
            }
            None => Ok(()),
        }
    }

    /// A log that is whole has everything that was acknowledged, once, and every receipt holds.
    pub fn whole(&mut self, report: &Report, events: &[RawEnvelope]) -> Result<(), String> {
        self.intact_is_true(report, events)?;
        if report.intact_count() != report.last || events.len() as u64 != report.last {
            return Err(format!("whole, but not all of {} events are intact", report.last));
        }
        for (number, fate) in self.sent.iter().enumerate() {
            let Fate::Acknowledged { first, last } = *fate else { continue };
            for place in 0..=last - first {
                let event = events.get((first + place - 1) as usize);
                let there = event.and_then(|event| self.place_of(event.id));
                if there != Some((number as u64, place)) {
                    return Err(format!(
                        "transaction {number} was acknowledged, and event {first}+{place} is {there:?}"
                    ));
                }
            }
        }
        self.anchored(report)?;
        self.no_event_is_twice_or_alone(events)?;
        for event in events.iter().filter(|event| !self.events.contains_key(&event.id)) {
            self.own.entry(event.id).or_insert_with(|| event.clone());
        }
        self.recorded = Recorded::of(events)?;
        Ok(())
    }

    /// An anchor that nothing harmed has every transaction that was acknowledged.
    pub fn anchored(&self, report: &Report) -> Result<(), String> {
        let anchored = report.acknowledged.map_or(0, |head| head.seq);
        for (number, fate) in self.sent.iter().enumerate() {
            if matches!(fate, Fate::Acknowledged { last, .. } if anchored < *last) {
                return Err(format!(
                    "transaction {number} is {fate:?}, and the anchor acknowledges up to {anchored}"
                ));
            }
        }
        Ok(())
    }

    /// The events of a log that nobody acknowledged.
    pub fn find(&mut self, events: &[RawEnvelope]) -> Result<(), String> {
        self.recorded = Recorded::of(events)?;
        Ok(())
    }

    fn no_event_is_twice_or_alone(&self, events: &[RawEnvelope]) -> Result<(), String> {
        let mut places: HashMap<u64, Vec<(u64, u64)>> = HashMap::new();
        for event in events {
            if let Some((transaction, place)) = self.place_of(event.id) {
                places.entry(transaction).or_default().push((event.seq, place));
            }
        }
        for (transaction, places) in places {
            let first = places[0].0;
            let expected: Vec<_> =
                (0..work::size(0, transaction)).map(|place| (first + place, place)).collect();
            if places != expected {
                return Err(format!("transaction {transaction} is stored in part, or twice: {places:?}"));
            }
        }
        Ok(())
    }

    /// Whether the clock must be refused for a new event, and how.
    pub fn doubt(&self, now: i64, is_real: bool) -> Option<&'static str> {
        self.recorded.doubt(now, is_real)
    }

    /// An acknowledgement: the events are there from now on, at a time that follows from the clock.
    pub fn acknowledge(
        &mut self,
        number: u64,
        words: &[String],
        now: i64,
        is_real: bool,
    ) -> Result<(), String> {
        let (recorded_at, repeated) = self.acknowledge_at_once(number, words)?;
        if !repeated {
            if let Some(doubt) = self.doubt(now, is_real) {
                return Err(format!("a clock that is {doubt} was accepted"));
            }
            let next = self.recorded.last.map_or(now, |last| now.max(last + 1));
            if recorded_at != next {
                return Err(format!("recorded at {recorded_at}, where {next} was due"));
            }
            self.recorded.step(recorded_at);
        }
        Ok(())
    }

    /// The same, where other processes may have appended before. The time of the events, and whether they were there before.
    pub fn acknowledge_at_once(&mut self, number: u64, words: &[String]) -> Result<(i64, bool), String> {
        let value = |i: usize| words.get(i).and_then(|word| word.parse::<i64>().ok()).unwrap_or(-1);
        let (first, last, repeated) = (value(0).unsigned_abs(), value(1).unsigned_abs(), value(3) == 1);
        let fate = Fate::Acknowledged { first, last };
        let before = std::mem::replace(&mut self.sent[number as usize], fate);
        if last + 1 - first != work::size(0, number) {
            return Err(format!("transaction {number} has another size: {words:?}"));
        }
        if before != Fate::Open && (before != fate || !repeated) {
            return Err(format!("transaction {number} was {before:?}, and is acknowledged again: {words:?}"));
        }
        let head = super::world::Answer::receipt(words, 4).ok_or("no receipt")?;
        if head.seq < last {
            return Err(format!("the receipt of {} events does not cover event {last}", head.seq));
        }
        self.receipts.push(head);
        Ok((value(2), repeated))
    }

    /// The last event that was acknowledged.
    pub fn acknowledged_up_to(&self) -> u64 {
        let last = |fate: &Fate| match fate {
            Fate::Acknowledged { last, .. } => *last,
            Fate::Open => 0,
        };
        self.sent.iter().map(last).max().unwrap_or(0)
    }

    /// Takes from the receipts those that no longer hold. Each must be named by a finding, and truly be lost.
    pub fn name_lost(&mut self, report: &Report, events: &[RawEnvelope]) -> Result<(), String> {
        let named: Vec<String> = report
            .findings
            .iter()
            .filter_map(|finding| match finding {
                Finding::Receipt { receipt, .. } => Some(receipt.clone()),
                _ => None,
            })
            .collect();
        let holds = |head: &Head| {
            events.get((head.seq as usize).wrapping_sub(1)).is_some_and(|event| event.hash == head.hash)
        };
        for head in std::mem::take(&mut self.receipts) {
            match (named.contains(&format!("receipt `{head}`")), holds(&head)) {
                (false, true) => self.receipts.push(head),
                (true, false) => self.named.push(head),
                (true, true) => {
                    return Err(format!("the events of {head} are there, and it is not accepted"));
                }
                (false, false) => {
                    return Err(format!("the events of {head} are not there, and it is accepted"));
                }
            }
        }
        // What is lost with them may be sent again, and then is in another place. What an earlier anchor does not
        // acknowledge may be in the log or not.
        let anchored = report.acknowledged.map_or(0, |head| head.seq);
        for number in 0..self.sent.len() {
            let Fate::Acknowledged { first, last } = self.sent[number] else { continue };
            let event = events.get((first - 1) as usize);
            let is_there = event.and_then(|event| self.place_of(event.id)) == Some((number as u64, 0));
            if !is_there || last > anchored {
                self.sent[number] = Fate::Open;
            }
        }
        Ok(())
    }
}
