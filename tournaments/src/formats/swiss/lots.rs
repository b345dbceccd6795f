//! Checks of Swiss lots: drawn for the coming round after the previous one, one per player, distinct, and
//! consistent with a stated seed (2009 WC, Preliminary 6).

use crate::rulebook::RuleId;
use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_events::tournament::{LotsDrawn, Stage};

use super::played::played;
use crate::check::checker::Checker;
use crate::formats::swiss::FinalLots;
use crate::lot;
use crate::verdict::Compliance;

const RULE: RuleId = RuleId::SwissLots;

pub(super) fn check(check: &mut Checker<'_>, drawn: &LotsDrawn) {
    let subject = format!("the lots of round {}", drawn.round);
    match fault(check, drawn) {
        Some(Compliance::Violation { expected, found }) => {
            check.hold(RULE, subject, false, || (expected, found));
        }
        Some(Compliance::Undetermined { why }) => check.open(RULE, subject, why),
        _ => check.compliant(RULE, subject),
    }
}

/// Why no more lots are drawn; none while they are. After the last round they are if the final order is read
/// to need new ones.
fn none_to_come(check: &Checker<'_>) -> Option<&'static str> {
    let tournament = check.case.tournament;
    if tournament.rounds.values().any(|round| round.stage != Stage::Swiss) {
        return Some("the Swiss is over, and what follows it has begun");
    }
    let declared = tournament.rounds_declared.get(&Stage::Swiss)?.fact.rounds;
    let paired = tournament.rounds_of(&[Stage::Swiss]).count();
    let last_is_paired = paired > 0 && u32::try_from(paired).is_ok_and(|paired| paired >= declared);
    let last_lots = check.case.rulebook.readings.swiss.final_lots == FinalLots::LastRound;
    (last_is_paired && last_lots).then_some("all declared rounds are paired")
}

/// The first error in a draw, or what is undetermined.
fn fault(check: &Checker<'_>, drawn: &LotsDrawn) -> Option<Compliance> {
    let is_violation = |expected: String, found: String| Some(Compliance::Violation { expected, found });
    let tournament = check.case.tournament;
    let next = tournament.next_round();
    let declared = tournament.rounds_declared.get(&Stage::Swiss).map(|declared| declared.fact.rounds);
    if declared == Some(0) && tournament.rounds.is_empty() {
        let why = "no round of the Swiss is played, and the final comes at once: no order rests on lots";
        return Some(Compliance::Undetermined { why: why.to_owned() });
    }
    if let Some(why) = none_to_come(check) {
        return is_violation("lots for a round of the Swiss that is to come".to_owned(), why.to_owned());
    }
    if drawn.round != next {
        return is_violation(
            format!("lots for round {next}, the coming one"),
            format!("lots for round {}", drawn.round),
        );
    }
    if tournament.lots.contains_key(&drawn.round) {
        let expected = format!("one draw for round {}", drawn.round);
        return is_violation(expected, "a second one".to_owned());
    }
    let open = tournament.rounds.iter().find(|(_, round)| !round.is_over());
    if let Some((number, _)) = open {
        let expected = "lots at the start of a round, when the one before is over".to_owned();
        return is_violation(expected, format!("round {number} is not over"));
    }
    let mut players: BTreeSet<&PlayerId> = BTreeSet::new();
    let mut numbers = BTreeSet::new();
    for lot in &drawn.lots {
        if !players.insert(&lot.player) {
            return is_violation("one lot for each player".to_owned(), format!("two for {}", lot.player));
        }
        if !numbers.insert(lot.number) {
            return is_violation("numbers that differ".to_owned(), format!("{} twice", lot.number));
        }
        if !tournament.entrants.contains_key(&lot.player) {
            return is_violation("lots of players".to_owned(), format!("{} never entered", lot.player));
        }
    }
    let played = match played(tournament) {
        Ok(played) => played,
        Err(refusal) => return Some(Compliance::Undetermined { why: refusal.what }),
    };
    let without = played
        .players
        .iter()
        .map(|player| &player.player)
        .find(|player| !played.out.contains(*player) && !players.contains(*player));
    if let Some(player) = without {
        return is_violation("a lot for everybody who is in".to_owned(), format!("none for {player}"));
    }
    if let (Some(seed), Some(commitment)) = (&drawn.draw.seed, &drawn.draw.commitment)
        && lot::commitment(seed) != *commitment
    {
        let found = format!("a seed of {}", lot::commitment(seed));
        return is_violation(format!("a seed of the commitment {commitment}"), found);
    }
    if drawn.draw.method != lot::METHOD {
        return None;
    }
    let Some(seed) = &drawn.draw.seed else {
        let why = "the seed is not recorded, so the lots cannot be drawn again".to_owned();
        return Some(Compliance::Undetermined { why });
    };
    for wanted in lot::lots(seed, drawn.round, players) {
        let found = drawn.lots.iter().find(|lot| lot.player == wanted.player);
        if let Some(found) = found.filter(|found| found.number != wanted.number) {
            return is_violation(
                format!("number {} for {}, as the seed has it", wanted.number, wanted.player),
                format!("number {}", found.number),
            );
        }
    }
    None
}
