//! Corrections: only an earlier event of the same stream can be corrected, its new time is after the events on which it
//! depends and before those that depend on it, and no event is struck or changed on which others depend.

mod resting;

use annals_events::log::Correction;
use annals_events::{Family, RawEnvelope, StreamName};
use annals_rules::TakenBackBy;
use annals_store::Log;
use annals_tournaments::check::counts_against;
use annals_tournaments::verdict::Verdict;

use super::draft::Draft;
use super::handler_state::Handler;
use super::known::State;
use super::refusal::{Checked, Reason, Stop, violation};
use crate::context::rulebook_in_force;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::projection::Growing;
use crate::recorded::reference;
use crate::taken_back;
use crate::timeline::{Corrections, effective};
use crate::tournament_audit::{
    Corrected, Record, TournamentAuditError, changing_what_is_frozen, corrected as corrected_record,
};
use resting::pulls_away;

/// Decides about a correction. If it is accepted, the state of the stream is the corrected one. Returns the verdicts on the
/// corrected event.
pub(super) fn decide(
    handler: &mut Handler<'_>,
    key: &str,
    draft: &Draft,
    correction: &Correction,
    envelope: &RawEnvelope,
) -> Result<Checked, ReplayError> {
    let stream = &draft.stream;
    let events = handler.events(key);
    let in_stream = |event: &&RawEnvelope| event.seq == correction.corrects && event.stream == *stream;
    let Some(target) = events.iter().find(in_stream).cloned() else {
        return Ok(Err(not_here(handler.log, correction.corrects, stream)?.into()));
    };
    let mut corrections = Corrections::of(events);
    let old = corrections.effective(&target);
    corrections.note(&reference(envelope));
    // With an unknown rulebook nothing is checked.
    let rulebook = handler.tournament(stream).and_then(|before| rulebook_in_force(before).ok()?);
    if let (Some(rulebook), Some(before)) = (&rulebook, handler.tournament(stream)) {
        let said = [old, corrections.effective(&target)];
        if let Some(frozen) = changing_what_is_frozen((before, rulebook), envelope.seq, &target, &said) {
            return Ok(Err(Stop::Rule(frozen)));
        }
    }
    let mut verdicts = Vec::new();
    let corrected = reference(&target);
    let takes_back = corrections.corrected(&corrected).and_then(|change| taken_back::by_correction(&change));
    if takes_back.is_some() && stream.family() == Family::Game.word() {
        let game = handler.streams.get(&key.to_owned()).and_then(|known| known.state().game());
        let kind = match game.is_some_and(|replay| replay.game().ending().is_some()) {
            true => TakenBackBy::Correction,
            false => TakenBackBy::CorrectionInPlay,
        };
        verdicts = match handler.takes_back(key, draft, Some(correction.reason.clone()), kind)? {
            Ok(verdicts) => verdicts,
            stopped => return Ok(stopped),
        };
        if let Some(violated) = verdicts.iter().find(|verdict| verdict.is_violation()) {
            return Ok(Err(Stop::Rule(violated.clone())));
        }
    }
    let standing = effective(handler.events(key));
    if let Some(reason) = pulls_away(handler, correction, &standing, &target)? {
        return Ok(Err(reason.into()));
    }

    // The remaining events must still follow from those before them.
    let mut events = handler.events(key).to_vec();
    // The correction is recorded now.
    events.push(RawEnvelope { recorded_at: handler.recorded_now(), ..envelope.clone() });
    let (after, found) = if rulebook.is_some() {
        let accepted: Vec<RawEnvelope> = handler.accepted().iter().map(|one| one.envelope.clone()).collect();
        let record = Record::of(handler.log, stream, &Cut::at_seq(handler.up_to), events, &accepted)?;
        handler.count_check();
        let (after, found) = corrected_record(&record, correction, envelope.seq);
        (after, Some(found))
    } else {
        (Growing::of(events), None)
    };
    let of_game = handler.rulebook_of_game(key)?.map(|(_, rulebook)| rulebook);
    let counts =
        |finding: &&Finding| of_game.as_ref().is_none_or(|rulebook| counts_against(rulebook, finding.code));
    let before = handler.streams.get(&key.to_owned()).map(|known| known.state());
    if let Some(reason) =
        before.and_then(|before| orphaned(before, after.state(), correction.corrects, counts))
    {
        return Ok(Err(reason.into()));
    }
    if let Some(found) = found {
        match by_the_rules(correction, found)? {
            Ok(more) => verdicts.extend(more),
            stopped => return Ok(stopped),
        }
    }
    handler.replace(key, after);
    Ok(Ok(verdicts))
}

/// Why a correction is refused that gives an event a new finding. `counts` returns whether the rulebook has a rule for a
/// finding.
fn orphaned(
    before: &State,
    after: &State,
    corrects: u64,
    counts: impl Fn(&&Finding) -> bool,
) -> Option<Reason> {
    let is = |finding: &Finding, other: &Finding| (finding.seq, finding.code) == (other.seq, other.code);
    let new = |finding: &&Finding| !before.findings().iter().any(|old| is(old, finding));
    let broken = || after.broken().filter(|now| !before.broken().is_some_and(|old| is(old, now)));
    let orphan = after.findings().iter().filter(counts).find(new).or_else(broken)?.clone();
    Some(if orphan.seq == corrects {
        Reason::Illegal { code: orphan.code.to_owned(), message: orphan.message }
    } else {
        Reason::OthersRest { corrects, resting: orphan.seq, why: orphan.message }
    })
}

/// The verdicts on a corrected event of a tournament. It is refused if it violates a rule that it did not violate
/// before: a correction repairs the record, and must not bypass the rulebook. No event is struck on which a later one
/// depends by the rules. The audit reports the effect of other changes on later events.
fn by_the_rules(
    correction: &Correction,
    found: Result<Corrected, TournamentAuditError>,
) -> Result<Checked, ReplayError> {
    let Corrected { before, after, overturns } = match found {
        Ok(found) => found,
        Err(TournamentAuditError::Replay(error)) => return Err(error),
        Err(error) => {
            let message = format!("as corrected it could not be checked any more: {error}");
            return Ok(Err(Reason::Illegal { code: "rulebook".to_owned(), message }.into()));
        }
    };
    let same = |old: &Verdict, new: &Verdict| old.rule.id == new.rule.id && old.subject == new.subject;
    let stood = |new: &Verdict| before.iter().any(|old| old.is_violation() && same(old, new));
    if let Some(violated) = after.iter().find(|verdict| verdict.is_violation() && !stood(verdict)) {
        return Ok(Err(Stop::Rule(violated.clone())));
    }
    if let Some(overturned) = overturns {
        let (corrects, resting) = (correction.corrects, overturned.seq);
        let Reason::Illegal { code, message } = violation(&overturned) else { return Ok(Ok(after)) };
        let why = format!("{message} [{code}]");
        return Ok(Err(Reason::OthersRest { corrects, resting, why }.into()));
    }
    Ok(Ok(after))
}

fn not_here(log: &Log, corrects: u64, stream: &StreamName) -> Result<Reason, ReplayError> {
    let why = match log.event(corrects)?.filter(|event| event.seq == corrects) {
        Some(event) => format!(
            "that is in `{}`; a correction is in the stream of the event that it corrects, not in `{stream}`",
            event.stream
        ),
        None => "the log has no such event yet".to_owned(),
    };
    Ok(Reason::NoSuchEvent { named: corrects, why })
}
