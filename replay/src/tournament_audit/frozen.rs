//! Once a round has begun, no earlier one changes (2015 WCC, Technical Problems 1), by corrections neither. Each
//! correction is checked on the tournament before it. Changes of text or time alone change no round.

use annals_events::tournament::Outcome;
use annals_events::{Event, RawEnvelope, Termination, TournamentEvent};
use annals_tournaments::check::has_begun;
use annals_tournaments::reading::Reading as _;
use annals_tournaments::refusal::{AND_CLOSED, BY_T50};
use annals_tournaments::rulebook::{EarlierResults, RuleId, Rulebook};
use annals_tournaments::rulings::RoundBegins;
use annals_tournaments::verdict::{Compliance, Verdict};
use annals_tournaments::{Round, Tournament};

use crate::event_round::of_round;

/// The verdict on a correction that changes a round when a later one has begun; none if the rulebook has no such rule.
/// `said` is the event without and with the correction, none if struck.
pub(crate) fn violation(
    (before, rulebook): (&Tournament, &Rulebook),
    seq: u64,
    target: &RawEnvelope,
    said: &[Option<RawEnvelope>; 2],
) -> Option<Verdict> {
    let rule = rulebook.rule(RuleId::RulingFrozen)?;
    let read_as = |rulebook: &Rulebook| {
        said.each_ref().map(|event| match event.as_ref()?.decode().ok()? {
            Event::Tournament(event) => Some(decisive(*event, rulebook)),
            _ => None,
        })
    };
    let [old, new] = read_as(rulebook);
    if old == new {
        return None;
    }
    let mut other = rulebook.clone();
    other.readings.earlier_results = EarlierResults::Corrected;
    let [was, is] = read_as(&other);
    let by_reading = if was == is { BY_T50 } else { "" };
    let closed = if before.closed.is_some() { AND_CLOSED } else { "" };
    // For a change of round, the earlier one counts.
    let (of, subject) = [&old, &new].into_iter().flatten().filter_map(of_round).min_by_key(|(of, _)| *of)?;
    let with_pairing = rulebook.readings.round_begins == RoundBegins::Paired;
    let later_than_target = |round: &Round| {
        let started = round.started_at.filter(|_| !with_pairing);
        round.paired.seq > target.seq || started.is_some_and(|at| at > target.effective_at)
    };
    let mut begun = before.rounds.iter().filter(|(_, round)| has_begun(rulebook, round));
    let (later, expected) = match of {
        Some(of) => {
            let later = begun.next_back().filter(|(number, _)| **number > of)?;
            (
                later.0,
                format!("nothing of round {of} changes once a later round has begun{by_reading}{closed}"),
            )
        }
        None => {
            let later = begun.find(|(_, round)| later_than_target(round))?;
            (later.0, format!("nothing that a round rests on changes once it has begun{closed}"))
        }
    };
    let what = if new.is_none() { "is struck" } else { "is changed" };
    let found = format!("round {later} has begun, and event {}, {}, {what}", target.seq, target.event_type);
    Some(Verdict { seq, subject, rule, holds: Compliance::Violation { expected, found }, criterion: None })
}

/// An event without what changes no round: notes, reasons, paragraphs; how a game ended, if only a reading keeps results (T50); and by
/// that reading, who won. A forfeit decides who plays on.
fn decisive(mut event: TournamentEvent, rulebook: &Rulebook) -> TournamentEvent {
    use TournamentEvent as T;
    match &mut event {
        T::RoundPaired(paired) => {
            paired.pairs.iter_mut().for_each(|pair| pair.colour = None);
            paired.byes.iter_mut().for_each(|bye| bye.grounds.clear());
        }
        T::ResultRecorded(result) => {
            result.note = None;
            let played = result.termination.is_some_and(|how| how != Termination::Forfeit);
            if played && rulebook.ambiguous.contains(&EarlierResults::REGISTER) {
                result.termination = Some(Termination::Resignation);
                if rulebook.readings.earlier_results == EarlierResults::Corrected {
                    result.outcome = Outcome::NoDecision;
                }
            }
        }
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
    use annals_events::tournament::{
        Bye, Closed, Pair, PairingRevoked, ResultRecorded, RoundPaired, RoundStarted, Stage,
    };
    use annals_events::{Entry, EventId, Hash, Side};
    use annals_tournaments::refusal::Remedy;

    use super::*;

    fn recorded(seq: u64, event: &TournamentEvent) -> RawEnvelope {
        RawEnvelope {
            seq,
            stream: "tournament/cup".parse().unwrap(),
            version: 1,
            id: EventId([0; 16]),
            event_type: event.type_name().to_owned(),
            schema: 1,
            effective_at: 0,
            recorded_at: 0,
            actor: "director".to_owned(),
            payload: Entry::from(Event::from(event.clone())).to_payload().unwrap(),
            hash: Hash([0; 32]),
        }
    }

    #[test]
    fn a_revoked_round_has_not_begun_where_a_round_begins_with_its_pairing() {
        let paired = |round| {
            TournamentEvent::RoundPaired(RoundPaired {
                round,
                stage: Stage::Swiss,
                pairs: Vec::new(),
                byes: vec![Bye { player: "anna".parse().unwrap(), half_points: None, grounds: Vec::new() }],
                order: Vec::new(),
                measures: Vec::new(),
                equals: None,
                inferred: false,
            })
        };
        let revoked = PairingRevoked { round: 2, board: None, reason: String::new() };
        let events = [paired(1), paired(2), TournamentEvent::PairingRevoked(revoked), paired(2)];
        let target = recorded(1, &events[0]);
        let mut rulebook = Rulebook::named("wcc-2015").unwrap();
        for (begins, expected) in
            [(RoundBegins::Paired, [false, true, false, true]), (RoundBegins::FirstGameStarted, [false; 4])]
        {
            rulebook.readings.round_begins = begins;
            let mut before = Tournament::default();
            for ((seq, event), frozen) in (1..).zip(&events).zip(expected) {
                before.evolve(seq, 0, event);
                let found = violation((&before, &rulebook), 9, &target, &[Some(target.clone()), None]);
                assert_eq!(found.is_some(), frozen, "{begins:?}, event {seq}: {found:?}");
            }
        }
    }

    #[test]
    fn a_frozen_result_of_a_closed_tournament_is_not_freed_by_a_reading() {
        let round = |round| {
            let pair = Pair {
                board: 1,
                upper: "anna".parse().unwrap(),
                lower: "bela".parse().unwrap(),
                upper_side: Some(Side::Gold),
                colour: None,
                encounter: None,
            };
            TournamentEvent::RoundPaired(RoundPaired {
                round,
                stage: Stage::Swiss,
                pairs: vec![pair],
                byes: Vec::new(),
                order: Vec::new(),
                measures: Vec::new(),
                equals: None,
                inferred: false,
            })
        };
        let result = |outcome| {
            TournamentEvent::ResultRecorded(ResultRecorded {
                pairing: "r1.1".parse().unwrap(),
                outcome,
                termination: Some(Termination::Goal),
                attempt: None,
                game: None,
                territory: None,
                note: None,
            })
        };
        let started = TournamentEvent::RoundStarted(RoundStarted {
            round: 2,
            pairing: None,
            game: None,
            programs: Vec::new(),
        });
        let closed = TournamentEvent::Closed(Closed { places: Vec::new(), fund_left: None, note: None });
        let envelope = |outcome| recorded(2, &result(outcome));
        let rulebook = Rulebook::named("wc-2009").unwrap();
        let mut before = Tournament::default();
        let mut next = |seq, event: &TournamentEvent| {
            before.evolve(seq, 0, event);
            let said = [Some(envelope(Outcome::Gold)), Some(envelope(Outcome::Silver))];
            let found = violation((&before, &rulebook), 9, &envelope(Outcome::Gold), &said)?;
            let Compliance::Violation { expected, .. } = &found.holds else { panic!("{found:?}") };
            Remedy::of_text(found.rule.id, expected)
        };
        assert_eq!(next(1, &round(1)), None);
        assert_eq!(next(2, &result(Outcome::Gold)), None);
        assert_eq!(next(3, &round(2)), None);
        assert_eq!(next(4, &started), Some(Remedy::CorrectEarlier));
        assert_eq!(next(5, &closed), Some(Remedy::History));
    }
}
