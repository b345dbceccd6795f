//! Compares a published round with the proposal of its format, for every format; [`course`] has the checks
//! common to all rounds. Also checks events about rounds that were never paired.

mod coins;
mod course;
pub(crate) mod published;

use std::sync::Arc;

use annals_events::tournament::{ColourChosen, ColourDrawn, Equals, RoundPaired, Stage};
use annals_events::{BoardId, Side, TournamentEvent};

use crate::check::checker::Checker;
use crate::formats::meetings::meetings;
use crate::formats::{self, Decider, StageFormat, StageState, Value, Worse};
use crate::state::Board;
use crate::subject::Subject;

pub(crate) fn check(check: &mut Checker<'_>, event: &TournamentEvent) {
    let stage = match about(event) {
        None => return,
        Some(About::Stage(stage)) => stage,
        Some(About::Round(round)) => match check.case.tournament.rounds.get(&round) {
            Some(round) => round.stage,
            None => return course::never_paired(check, round),
        },
    };
    let format = match check.case.rulebook.stage(stage).map(|rules| formats::module(&rules.format)) {
        None => return course::no_such_stage(check, event, stage),
        Some(None) => return course::not_paired_at_all(check, event, stage),
        Some(Some(format)) => format,
    };
    match event {
        TournamentEvent::RoundPaired(paired) => round_paired(format, check, paired),
        TournamentEvent::PairingRevoked(revoked) => course::revocation(check, revoked),
        TournamentEvent::RoundStarted(started) => course::start(check, started),
        TournamentEvent::ColourDrawn(drawn) => coin(format, check, stage, drawn),
        TournamentEvent::ColourChosen(chosen) => choice(format, check, stage, chosen),
        event => format.check_other(check, event),
    }
}

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

fn round_paired(format: &dyn StageFormat, check: &mut Checker<'_>, paired: &RoundPaired) {
    let (rules, subject) = (format.rules(paired.stage), Subject::Round(paired.round));
    if paired.inferred {
        let why = "the round was inferred from its games: it was not published, so its grounds are not known";
        return check.open(rules.pairing, subject, why);
    }
    format.check_pairs(check, paired);
    if !course::in_order(check, paired) {
        return;
    }
    let state = StageState::of(check, paired.stage);
    let proposed = check.case.proposal.cloned().filter(|proposal| proposal.paired.stage == paired.stage);
    let next = match proposed.map_or_else(|| format.propose(&state).map(Arc::new), Ok) {
        Ok(next) => next,
        Err(refusal) => return published::cannot_follow(check, rules.pairing, &subject, refusal),
    };
    if let Some((rule, why)) = next.undetermined {
        check.open(rule, &subject, why);
    }
    published::colours(check, &rules, paired.round, format.colours(&state, &next, paired));
    published::same_order(check, rules.order, &subject, &next.paired.order, &paired.order);
    let Value { measures, worse } = match format.value(&state, &next, paired) {
        Ok(value) => value,
        Err(refusal) => return published::cannot_follow(check, rules.pairing, &subject, refusal),
    };
    for rule in rules.kept {
        check.compliant(*rule, &subject);
    }
    format.check_byes(check, &next, paired);
    let equals = next.paired.equals.filter(|_| worse.is_none());
    match worse {
        // Uncounted: the proposed round and another.
        None => {
            let same = meetings(&next.paired.pairs) == meetings(&paired.pairs);
            // Edition 1 did not count equal rounds that the proposal does not publish.
            let counted = next.reasons.equals.filter(|_| check.case.rulebook.edition > 1);
            let other = counted.unwrap_or(Equals::Exactly(1));
            let least = if same { other } else { Equals::AtLeast(2) };
            check.one_of(rules.pairing, &subject, equals.unwrap_or(least));
        }
        Some(Worse { criterion, expected, found }) => {
            check.worse(rules.pairing, &subject, criterion, (expected, found));
        }
    }
    published::same_values(check, rules.pairing, &subject, (measures.as_deref(), equals), paired);
}

/// A recorded board, its colours' source by the rules, and whether its round has begun. If not found, adds a
/// verdict.
fn decider<'a>(
    format: &dyn StageFormat,
    check: &mut Checker<'a>,
    pairing: BoardId,
) -> Option<(&'a Board, Decider, bool)> {
    let round = check.case.tournament.rounds.get(&pairing.round)?;
    let (rule, subject) = (format.rules(round.stage).colour, Subject::Colours(pairing));
    let Some(board) = round.boards.get(&pairing.board) else {
        check
            .hold(rule, subject, false, || ("a board that is paired".to_owned(), "no such board".to_owned()));
        return None;
    };
    match format.decider(&StageState::of(check, round.stage), pairing, board) {
        Ok(decider) => Some((board, decider, round.has_begun())),
        Err(refusal) => {
            check.open(rule, subject, refusal.what);
            None
        }
    }
}

fn coin(format: &dyn StageFormat, check: &mut Checker<'_>, stage: Stage, drawn: &ColourDrawn) {
    let Some((board, decider, begun)) = decider(format, check, drawn.pairing) else { return };
    let rule = format.rules(stage).colour;
    let expected = match decider {
        Decider::Coin => return coins::drawn(check, rule, board, begun, drawn),
        Decider::Rules(expected) => expected,
        Decider::Player(chooser) => format!("the choice of {chooser}"),
    };
    let gold = check.side(Side::Gold);
    check.hold(rule, Subject::Colours(drawn.pairing), false, || {
        (expected, format!("a coin, with {gold} for {}", drawn.gold))
    });
}

fn choice(format: &dyn StageFormat, check: &mut Checker<'_>, stage: Stage, chosen: &ColourChosen) {
    let Some((board, decider, begun)) = decider(format, check, chosen.pairing) else { return };
    let found = format!("the choice of {}", chosen.player);
    let fault = match decider {
        Decider::Rules(expected) => Some((expected, found)),
        Decider::Coin => Some(("a coin".to_owned(), found)),
        Decider::Player(chooser) if chooser != chosen.player => {
            Some((format!("the choice of {chooser}"), found))
        }
        Decider::Player(_) if begun => {
            Some(("a choice before the game".to_owned(), "the round has begun".to_owned()))
        }
        Decider::Player(_) => {
            board.chosen().map(|_| ("one choice".to_owned(), "the colours were chosen before".to_owned()))
        }
    };
    let holds = fault.is_none();
    check.hold(format.rules(stage).colour, Subject::Colours(chosen.pairing), holds, || {
        fault.unwrap_or_default()
    });
}
