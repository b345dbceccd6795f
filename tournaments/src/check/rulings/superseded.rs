//! A ruling that replaces an earlier one undoes it: only one in force on which nothing depends.

use annals_events::PlayerId;
use annals_events::tournament::{Effect, RulingGiven};

use super::numbers::exists;
use crate::check::{Checker, entries};
use crate::rulebook::RuleId;
use crate::state::{Money, RulingInForce, Tournament};

/// The tournament without the replaced ruling; none if it undoes no ruling.
pub(super) fn check(check: &mut Checker<'_>, subject: &str, ruling: &RulingGiven) -> Option<Tournament> {
    let tournament = check.case.tournament;
    let number = ruling.supersedes?;
    let known = tournament.rulings.iter().find(|old| old.ruling.number == number);
    exists(check, subject, "ruling", Some(number), known.is_some());
    let known = known?;
    if let Some(by) = known.superseded_by {
        check.hold(RuleId::RulingNumber, subject, false, || {
            ("a ruling in force", format!("ruling {by} took the place of ruling {number} before"))
        });
        return None;
    }
    let late = too_late(tournament, known);
    check.none(RuleId::RulingNumber, subject, late, |late| {
        (format!("ruling {number} is undone before anything rests on it"), late)
    });
    rests(check, subject, &known.ruling.effect);
    tournament.without_ruling(number, ruling.number)
}

/// What prevents undoing a ruling.
fn too_late(tournament: &Tournament, old: &RulingInForce) -> Option<String> {
    let number = old.ruling.number;
    if !tournament.is_as_ruled(old) {
        return Some(format!("what ruling {number} changed has changed since"));
    }
    let later = |of: &dyn Fn(&PlayerId) -> bool| {
        let mut rounds = tournament.rounds.iter().filter(|(_, round)| round.paired.seq > old.seq);
        let plays = |(_, round): &(&u32, &crate::Round)| {
            let mut players = round.boards.values().flat_map(|board| board.players());
            players.any(of) || round.byes.iter().any(|bye| of(&bye.player))
        };
        rounds.find(plays).map(|(round, _)| format!("round {round} was paired after ruling {number}"))
    };
    let rested_on = match &old.ruling.effect {
        Effect::Nothing | Effect::SetRated { .. } => return None,
        Effect::Place { .. } => later(&|_| true),
        Effect::Reinstate { player } => later(&|other| other == player),
        _ => None,
    };
    let paid = tournament.ledger.iter().find(|line| line.what == Money::Prize && line.seq > old.seq);
    rested_on.or_else(|| paid.map(|line| format!("`{}` got a prize after ruling {number}", line.who)))
}

fn rests(check: &mut Checker<'_>, subject: &str, effect: &Effect) {
    if let Some(pairing) = effect.pairing() {
        check.not_frozen(subject, pairing);
    } else if let Effect::Remove { player } = effect {
        entries::returns(check, subject, player);
    }
}
