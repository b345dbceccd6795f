use super::narrator::{Narrative, Narrator, utc};
use super::wording::{Why, because, counted, digest, part, plain};
use crate::event::Entry;
use crate::log::{
    ActorKeyNamed, ActorSigned, Change, ClockConfirmed, ClockKind, Correction, Imported, KeyNamed, LogEvent,
    LossAcknowledged, Opened,
};

pub fn narrate(narrator: &Narrator<'_>, event: &LogEvent) -> Narrative {
    match event {
        LogEvent::Opened(e) => opened(e),
        LogEvent::Correction(e) => correction(narrator, e, None),
        LogEvent::Imported(e) => plain(imported(e)),
        LogEvent::LossAcknowledged(e) => loss_acknowledged(e),
        LogEvent::ClockConfirmed(e) => clock_confirmed(e),
        LogEvent::KeyNamed(e) => key_named(e),
        LogEvent::ActorKeyNamed(e) => actor_key_named(e),
        LogEvent::ActorSigned(e) => plain(actor_signed(e)),
    }
}

/// With the type of the corrected event its new payload is narrated, else it is printed as it is.
pub fn correction(narrator: &Narrator<'_>, e: &Correction, corrected_type: Option<&str>) -> Narrative {
    let why = Why::default().reason(e.reason.as_str());
    let Change::Replace { payload, schema, effective_at } = &e.change else {
        return because(
            format!("Event {} was struck: it is as if it had never been recorded.", e.corrects),
            why,
        );
    };
    let read = corrected_type.and_then(|name| Entry::from_payload(name, *schema, payload.as_str()).ok());
    let told = read.map(|entry| narrator.narrate(&entry));
    let to = match told {
        Some(Narrative { what, why: None }) => format!("“{}”", what.trim_end_matches('.')),
        Some(Narrative { what, why: Some(why) }) => format!("“{what} {}”", why.trim_end_matches('.')),
        None => payload.to_string(),
    };
    let when = part(*effective_at, |at| format!(", and to have happened at {}", narrator.at(at)));
    because(format!("Event {} was corrected to {to}{when}.", e.corrects), why)
}

fn opened(e: &Opened) -> Narrative {
    let clock = match e.clock {
        ClockKind::Real => "under the clock of the machine",
        ClockKind::Simulated => "under a simulated clock: it is no record of what happened",
    };
    let what = format!("The log {} was opened by {}, {clock}.", e.log_id, e.program);
    because(what, Why::default().reason(e.note.as_deref()))
}

fn imported(e: &Imported) -> String {
    let span = match (e.first_seq, e.last_seq) {
        (Some(first), Some(last)) => format!(" (events {first} to {last})"),
        _ => String::new(),
    };
    let left_out = if e.left_out == 0 { String::new() } else { format!(", {} not asked for", e.left_out) };
    format!(
        "{} ({}, {} bytes, {}) was imported by {}: of {} {} were taken, {} taken with a flag, {} refused{left_out}; \
         {} in {} were appended{span}, {} were known before.",
        e.source,
        e.format.replace('_', " "),
        e.bytes,
        digest(&e.digest),
        e.program,
        counted(e.rows, "row"),
        e.accepted,
        e.flagged,
        e.rejected,
        counted(e.events, "event"),
        counted(e.streams, "stream"),
        e.known_before,
    )
}

fn clock_confirmed(e: &ClockConfirmed) -> Narrative {
    let what = format!(
        "The clock was confirmed: it shows {}, and the event before was recorded at {}.",
        utc(e.shows),
        utc(e.last_recorded_at)
    );
    because(what, Why::default().reason(e.reason.as_str()))
}

fn key_named(e: &KeyNamed) -> Narrative {
    let what = format!("The key {} was named: it signs the checkpoints of the log.", e.verifier_key);
    because(what, Why::default().reason(e.reason.as_deref()))
}

fn actor_key_named(e: &ActorKeyNamed) -> Narrative {
    let by = if e.signed_note.is_some() { " The key before it signed that." } else { "" };
    let what = format!("The key {} was named: it signs for {}.{by}", e.verifier_key, e.actor);
    because(what, Why::default().reason(e.reason.as_deref()))
}

fn actor_signed(e: &ActorSigned) -> String {
    format!(
        "{} signed {} from event {} to event {}.",
        e.actor,
        counted(e.events, "event"),
        e.first_seq,
        e.last_seq
    )
}

fn loss_acknowledged(e: &LossAcknowledged) -> Narrative {
    let what = if e.anchored_seq > e.head_seq {
        format!(
            "It was accepted that {} are lost: {} had been acknowledged, and the log goes on from event {}.",
            counted(e.anchored_seq - e.head_seq, "acknowledged event"),
            e.anchored_seq,
            e.head_seq
        )
    } else if e.anchored_seq == 0 {
        format!(
            "It was accepted that how many events had been acknowledged is not known; the log goes on from event {}.",
            e.head_seq
        )
    } else {
        format!(
            "It was accepted that what had been acknowledged up to event {} is no longer borne out; the log goes on \
             from event {}.",
            e.anchored_seq, e.head_seq
        )
    };
    because(what, Why::default().reason(e.reason.as_str()))
}
