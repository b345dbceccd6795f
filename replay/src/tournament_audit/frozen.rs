//! What is frozen: once a round has begun, nothing of an earlier one changes (2015 WCC, Technical Problems 1), and a
//! correction is no way around it. Each correction is checked at its own place in the log, on what was recorded before it. One that
//! only puts words right, or a time, changes nothing of a round.

use std::collections::BTreeMap;

use annals_events::tournament::Effect;
use annals_events::{Event, LogEvent, RawEnvelope, Termination, TournamentEvent};
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::rulings::RoundBegins;
use annals_tournaments::subject::Subject;
use annals_tournaments::verdict::{Holds, Verdict};

use crate::recorded::reference;
use crate::timeline::Corrections;

/// The corrections among the events of a tournament that change what is frozen, in the order of the log; none where
/// the rulebook has no such rule.
pub(crate) fn departing<'a>(
    events: impl Iterator<Item = &'a RawEnvelope>,
    rulebook: &Rulebook,
) -> Vec<Verdict> {
    let Some(rule) = rulebook.rule(annals_tournaments::rulebook::RuleId::RulingFrozen) else {
        return Vec::new();
    };
    // Whether a round begins with its pairing, or with its first game.
    let pairing_begins = rulebook.readings.round_begins == RoundBegins::Paired;
    let mut corrections = Corrections::default();
    let (mut recorded, mut steps, mut found) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for event in events {
        let Ok(Event::Log(LogEvent::Correction(correction))) = event.decode() else {
            recorded.insert(event.seq, event);
            let told = told(event, &corrections);
            steps.extend(told.and_then(|told| step(&told, pairing_begins)).map(|step| (event.seq, step)));
            continue;
        };
        let Some(target) = recorded.get(&correction.corrects) else { continue };
        let begun = begun(&steps);
        let old = told(target, &corrections);
        corrections.note(&reference(event));
        let new = told(target, &corrections);
        if let Some((subject, holds)) = judge(target, (old.as_ref(), new.as_ref()), &begun) {
            found.push(Verdict { seq: event.seq, subject, rule, holds, criterion: None });
        }
        match new.and_then(|new| step(&new, pairing_begins)) {
            Some(step) => steps.insert(target.seq, step),
            None => steps.remove(&target.seq),
        };
    }
    found
}

/// What an event says as it stands: nothing where it is struck, or cannot be read.
fn told(event: &RawEnvelope, corrections: &Corrections) -> Option<TournamentEvent> {
    match corrections.put_in_place(&reference(event))?.decode().ok()?.event {
        Event::Tournament(event) => Some(*event),
        _ => None,
    }
}

/// What an event means for which rounds have begun.
#[derive(Clone, Copy)]
enum Step {
    Begins(u32),
    /// No pairing of the round is in force any more.
    Revoked(u32),
}

/// The rounds that have begun, each with the first event that says so; one that was revoked begins again with a later event.
fn begun(steps: &BTreeMap<u64, Step>) -> BTreeMap<u32, u64> {
    let mut begun = BTreeMap::new();
    for (seq, step) in steps {
        match step {
            Step::Begins(round) => {
                begun.entry(*round).or_insert(*seq);
            }
            Step::Revoked(round) => {
                begun.remove(round);
            }
        }
    }
    begun
}

/// What changes of a frozen round when an event says something new.
fn judge(
    target: &RawEnvelope,
    (old, new): (Option<&TournamentEvent>, Option<&TournamentEvent>),
    begun: &BTreeMap<u32, u64>,
) -> Option<(Subject, Holds)> {
    if old.map(decisive) == new.map(decisive) {
        return None;
    }
    // Where it takes something from one round to another, the earlier one counts.
    let (of, subject) = [old, new].into_iter().flatten().filter_map(of_round).min_by_key(|(of, _)| *of)?;
    let later = match of {
        Some(round) => begun.keys().copied().next_back().filter(|begun| *begun > round),
        None => begun.iter().find(|(_, first)| **first > target.seq).map(|(round, _)| *round),
    }?;
    let expected = match of {
        Some(round) => format!("nothing of round {round} changes once a later round has begun"),
        None => "nothing that a round rests on changes once it has begun".to_owned(),
    };
    let what = if new.is_none() { "is struck" } else { "is changed" };
    let found = format!(
        "round {later} has begun, and event {seq}, {event_type}, {what}",
        seq = target.seq,
        event_type = target.event_type
    );
    Some((subject, Holds::Departs { expected, found }))
}

/// Whether an event shows a round to have begun, or revokes it. A forfeit without a game begins none.
fn step(event: &TournamentEvent, pairing_begins: bool) -> Option<Step> {
    use TournamentEvent as T;
    match event {
        T::RoundStarted(started) => Some(Step::Begins(started.round)),
        T::GameAttached(attached) => Some(Step::Begins(attached.pairing.round)),
        T::ResultRecorded(result) => {
            let played = result.termination != Some(Termination::Forfeit)
                || result.attempt.is_some()
                || result.game.is_some();
            played.then_some(Step::Begins(result.pairing.round))
        }
        T::RoundPaired(paired) if pairing_begins => Some(Step::Begins(paired.round)),
        T::PairingRevoked(revoked) if revoked.board.is_none() => Some(Step::Revoked(revoked.round)),
        _ => None,
    }
}

/// The round that an event is of, and what it is about; no round where it bears on whatever comes after it. None for
/// what no round rests on.
pub(crate) fn of_round(event: &TournamentEvent) -> Option<(Option<u32>, Subject)> {
    use TournamentEvent as T;
    let round = |round: u32| Some((Some(round), Subject::Round(round)));
    match event {
        T::RoundPaired(paired) => round(paired.round),
        T::RoundStarted(started) => round(started.round),
        T::PairingRevoked(revoked) => round(revoked.round),
        T::ResultRecorded(result) => Some((Some(result.pairing.round), result.pairing.into())),
        T::ColourDrawn(drawn) => Some((Some(drawn.pairing.round), drawn.pairing.into())),
        T::ColourChosen(chosen) => Some((Some(chosen.pairing.round), chosen.pairing.into())),
        // A ruling that changes nothing bears on nothing.
        T::RulingGiven(ruling) if ruling.effect == Effect::Nothing => None,
        T::RulingGiven(ruling) => Some((
            ruling.effect.pairing().map(|pairing| pairing.round),
            format!("ruling {}", ruling.number).into(),
        )),
        T::PlayerWithdrawn(left) => Some((None, format!("the withdrawal of {}", left.player).into())),
        T::PlayerReinstated(back) => Some((None, format!("the return of {}", back.player).into())),
        T::Disqualified(out) => Some((None, format!("the disqualification of {}", out.player).into())),
        T::Qualified(qualified) => Some((None, format!("the order of the {}", qualified.from).into())),
        _ => None,
    }
}

/// An event without the words that decide nothing: notes, reasons, the paragraphs that are named.
fn decisive(event: &TournamentEvent) -> TournamentEvent {
    use TournamentEvent as T;
    let mut event = event.clone();
    match &mut event {
        T::RoundPaired(paired) => {
            paired.pairs.iter_mut().for_each(|pair| pair.colour = None);
            paired.byes.iter_mut().for_each(|bye| bye.grounds.clear());
        }
        T::ResultRecorded(result) => result.note = None,
        T::ColourDrawn(drawn) => drawn.ground = None,
        T::ColourChosen(chosen) => chosen.ground = None,
        T::PairingRevoked(revoked) => revoked.reason.clear(),
        T::RulingGiven(ruling) => {
            ruling.reason.clear();
            ruling.grounds.clear();
            ruling.evidence.clear();
        }
        T::PlayerWithdrawn(left) => left.reason = None,
        T::PlayerReinstated(back) => back.reason = None,
        T::Disqualified(out) => {
            out.reason = None;
            out.grounds.clear();
        }
        T::Qualified(qualified) => qualified.grounds.clear(),
        _ => {}
    }
    event
}

#[cfg(test)]
mod tests {
    use annals_events::tournament::{PairingRevoked, RoundPaired, Stage};

    use super::*;

    #[test]
    fn a_revoked_round_has_not_begun_where_a_round_begins_with_its_pairing() {
        let paired = |round| {
            TournamentEvent::RoundPaired(RoundPaired {
                round,
                stage: Stage::Swiss,
                pairs: Vec::new(),
                byes: Vec::new(),
                order: Vec::new(),
                measures: Vec::new(),
                equals: None,
                inferred: false,
            })
        };
        let revoked = PairingRevoked { round: 2, board: None, reason: String::new() };
        let events = [paired(1), paired(2), TournamentEvent::PairingRevoked(revoked), paired(2)];
        let steps = |count| {
            let of = |(seq, event)| Some((seq, step(event, true)?));
            (1..).zip(&events).take(count).filter_map(of).collect()
        };
        assert_eq!(begun(&steps(2)), [(1, 1), (2, 2)].into());
        assert_eq!(begun(&steps(3)), [(1, 1)].into());
        assert_eq!(begun(&steps(4)), [(1, 1), (2, 4)].into());
    }
}
