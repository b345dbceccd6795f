//! A published round compared with the one that its format proposes, for every format; and what the rounds of every format
//! share ([`course`]).
//!
//! An event about a round that was never paired is checked here, whatever the format.

pub(crate) mod coins;
pub(crate) mod course;
pub(crate) mod published;

use std::sync::Arc;

use annals_events::tournament::{RoundPaired, Stage};
use annals_events::{Pairing, TournamentEvent};

use crate::check::Bench;
use crate::formats::{self, Proposal, StageFormat, StageState};
use crate::rulebook::RuleId;
use crate::subject::Subject;

/// Checks what belongs here.
pub(crate) fn check(bench: &mut Bench<'_>, event: &TournamentEvent) {
    let stage = match about(event) {
        None => return,
        Some(About::Stage(stage)) => stage,
        Some(About::Round(round)) => match bench.case.tournament.rounds.get(&round) {
            Some(round) => round.stage,
            None => return course::never_paired(bench, round),
        },
    };
    match bench.case.rulebook.stage(stage).map(|rules| formats::module(&rules.format)) {
        None => course::no_such_stage(bench, event, stage),
        Some(None) => course::not_paired_at_all(bench, event, stage),
        Some(Some(format)) => formats::check(format, bench, event),
    }
}

/// What an event of rounds is about.
enum About {
    Stage(Stage),
    Round(u32),
}

fn about(event: &TournamentEvent) -> Option<About> {
    use TournamentEvent as E;
    match event {
        E::RoundsDeclared(declared) => Some(About::Stage(declared.stage)),
        E::LotsDrawn(_) => Some(About::Stage(Stage::Swiss)),
        E::RoundPaired(paired) => Some(About::Stage(paired.stage)),
        E::PairingRevoked(revoked) => Some(About::Round(revoked.round)),
        E::RoundStarted(started) => Some(About::Round(started.round)),
        E::ColourDrawn(drawn) => Some(About::Round(drawn.pairing.round)),
        E::ColourChosen(chosen) => Some(About::Round(chosen.pairing.round)),
        _ => None,
    }
}

/// How a round is called in verdicts.
pub(crate) const fn round(number: u32) -> Subject {
    Subject::Round(number)
}

/// The round that a format proposes in the place of a published one; none where the published one cannot be compared,
/// which is then said.
pub(crate) fn proposal(
    format: &dyn StageFormat,
    rule: RuleId,
    bench: &mut Bench<'_>,
    paired: &RoundPaired,
) -> Option<Arc<Proposal>> {
    let subject = round(paired.round);
    if paired.inferred {
        let why = "the round was inferred from its games, and what it rested on is not known";
        bench.open(rule, subject, why);
        return None;
    }
    if !course::in_order(bench, paired) {
        return None;
    }
    let (tournament, rulebook) = (bench.case.tournament, bench.case.rulebook);
    let proposed = bench.case.around.proposal().filter(|proposal| proposal.paired.stage == paired.stage);
    let propose = || format.propose(&StageState { tournament, rulebook, stage: paired.stage }).map(Arc::new);
    match proposed.map_or_else(propose, Ok) {
        Ok(proposal) => Some(proposal),
        Err(refusal) => {
            published::cannot_follow(bench, rule, &subject, refusal);
            None
        }
    }
}

/// Checks a coin or a choice where the format itself gives the colours.
pub(crate) fn no_decision(
    bench: &mut Bench<'_>,
    rule: RuleId,
    pairing: Pairing,
    expected: &str,
    found: &str,
) {
    bench.hold(rule, Subject::Colours(pairing), false, || (expected.to_owned(), found.to_owned()));
}
