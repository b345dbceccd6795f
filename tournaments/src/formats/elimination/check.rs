use std::collections::BTreeMap;

use annals_events::tournament::RoundPaired;
use annals_events::{BoardId, PlayerId};

use super::course::{Gaps, course};
use super::propose::playoff_due;
use crate::check::checker::Checker;
use crate::formats::meetings::numbered;
use crate::formats::{Decided, Decider, RoundPairing, RoundRules, StageState, Value, Worse};
use crate::pairing::Candidate;
use crate::refusal::Refusal;
use crate::rulebook::RuleId;
use crate::state::Board;
use crate::subject::Subject;

pub(super) const FINAL: RoundRules = RoundRules {
    pairing: RuleId::PairingBest,
    bye: RuleId::ByeChoice,
    order: RuleId::PairingOrder,
    colour: RuleId::Colour,
    kept: &[RuleId::RoundNeeded, RuleId::RoundPlayers],
    coin_recorded: false,
};

pub(super) const PLAYOFF: RoundRules = RoundRules {
    pairing: RuleId::PlayoffPair,
    bye: RuleId::PlayoffPair,
    colour: RuleId::PlayoffColour,
    kept: &[RuleId::RoundNeeded],
    ..FINAL
};

/// Why the players of the round are not exactly those still in, once each; none if they are.
pub(super) fn wrong_players(best: &RoundPairing, paired: &RoundPaired) -> Option<String> {
    let mut seats: BTreeMap<&PlayerId, u32> = BTreeMap::new();
    let players = paired.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]);
    for player in players.chain(paired.byes.iter().map(|bye| &bye.player)) {
        *seats.entry(player).or_default() += 1;
    }
    let active = &best.ranking;
    let missing: Vec<&PlayerId> = active.iter().filter(|player| !seats.contains_key(player)).collect();
    let strange: Vec<&PlayerId> = seats.keys().copied().filter(|player| !active.contains(player)).collect();
    let twice: Vec<&PlayerId> =
        seats.iter().filter(|(_, seats)| **seats > 1).map(|(player, _)| *player).collect();
    let mut faults = Vec::new();
    for (players, what) in
        [(missing, "without a place"), (strange, "not in any more, or never"), (twice, "with two places")]
    {
        if !players.is_empty() {
            let names: Vec<&str> = players.into_iter().map(PlayerId::as_str).collect();
            faults.push(format!("{what}: {}", names.join(", ")));
        }
    }
    if paired.byes.len() != active.len() % 2 {
        faults.push(format!("{} byes for {} players", paired.byes.len(), active.len()));
    }
    if let Err(boards) = numbered(paired) {
        faults.push(format!("boards numbered {boards} and not from 1"));
    }
    (!faults.is_empty()).then(|| faults.join("; "))
}

/// The value of a round of the players still in. One with a forbidden bye is worse than any other.
pub(super) fn value(best: &RoundPairing, paired: &RoundPaired) -> Result<Value, Refusal> {
    let bye = paired.byes.first().map(|bye| &bye.player);
    if let Some(bye) = bye
        && best.problem.bar(Candidate::Bye(best.index(bye)?))?.is_some()
    {
        let (expected, found) = (best.expected(), "a bye that is forbidden".to_owned());
        return Ok(Value { measures: None, worse: Some(Worse { criterion: None, expected, found }) });
    }
    best.compare(paired.pairs.iter().map(|pair| (&pair.upper, &pair.lower)), bye)
}

/// Checks whether the player may have the bye, and whether the round needs one.
pub(super) fn bye(check: &mut Checker<'_>, best: &RoundPairing, paired: &RoundPaired) {
    let Some(player) = paired.byes.first().map(|bye| &bye.player) else { return };
    let Ok(index) = best.index(player) else { return };
    let subject = format!("{}, bye of {player}", Subject::Round(paired.round));
    let bar = best.problem.bar(Candidate::Bye(index)).ok().flatten();
    check.hold(RuleId::ByeFewest, &subject, bar.is_none(), || {
        let because = bar.map(|bar| bar.because.clone()).unwrap_or_default();
        ("a bye for a player with the fewest byes so far".to_owned(), because)
    });
    if best.bye() == Some(player) {
        check.compliant(RuleId::ByeChoice, subject);
    } else if bar.is_none() {
        let expected = format!("the bye for {}", best.bye().map_or("", PlayerId::as_str));
        let (criterion, found) = match best.problem.best_with(Candidate::Bye(index)) {
            Ok(other) => best.loss(&other),
            Err(_) => (None, "no round is possible with it".to_owned()),
        };
        check.worse(RuleId::ByeChoice, subject, criterion, (expected, found));
    }
}

/// What gives the colours of a recorded board.
pub(super) fn decider(state: &StageState<'_>, pairing: BoardId, board: &Board) -> Result<Decider, Refusal> {
    let StageState { tournament, rulebook, stage } = *state;
    if stage.is_playoff() {
        let chooser = playoff_due(tournament, rulebook, pairing.round)?;
        let less_often = || Decider::Rules("the colour that was played less often".to_owned());
        return Ok(chooser.map_or_else(less_often, Decider::Player));
    }
    let course = course(tournament, rulebook, pairing.round, Gaps::Refused)?;
    Ok(match course.colours(rulebook, board.upper(), board.lower()) {
        // The colours of a published pair are not drawn again.
        Some(Decided { arbitrary: true, .. }) if board.pair.upper_side.is_none() => Decider::Coin,
        Some(Decided { gold: Some(gold), ground, .. }) => {
            let finding = ground.and_then(|ground| ground.finding).unwrap_or_default();
            Decider::Rules(format!("Gold for {gold} without a coin ({finding})"))
        }
        _ => Decider::Coin,
    })
}
