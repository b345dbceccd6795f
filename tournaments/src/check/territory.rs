use annals_events::tournament::{Outcome, ResultRecorded};
use annals_events::{GameId, Termination};
use annals_rules::GameFacts;

use super::{Checker, JudgingContext};
use crate::formats::encounters::UnfinishedTerritory;
use crate::rulebook::RuleId;
use crate::subject::Subject;

/// A standard board without queens: the largest possible territory.
pub(crate) const MOST_TERRITORY: u32 = 92;

fn counts_unfinished(case: &JudgingContext<'_>) -> bool {
    case.rulebook.readings.encounters.territory == UnfinishedTerritory::AsItStands
}

/// The winner's territory by the game itself, if the rulebook counts it for that ending.
pub(crate) fn of_the_game(case: &JudgingContext<'_>, facts: &GameFacts, outcome: Outcome) -> Option<u32> {
    case.rulebook.rule(RuleId::Territory)?;
    let (_, squares) = facts.territory.filter(|(winner, _)| outcome.winner() == Some(*winner))?;
    let played_out = facts.ended?.termination == Termination::Immobilization;
    (played_out || counts_unfinished(case)).then_some(squares)
}

pub(super) fn check(
    check: &mut Checker<'_>,
    subject: &Subject,
    result: &ResultRecorded,
    game: Option<&GameId>,
) {
    const RULE: RuleId = RuleId::Territory;
    let case = check.case;
    if !check.has(RULE) {
        return;
    }
    let facts = game.and_then(|game| case.context.game(game));
    let ended = facts.and_then(|facts| facts.ended).map(|end| end.termination);
    let and_the_log = game.zip(ended).map(|(game, ended)| format!("; {game} ended by {}", ended.word()));
    let and_the_log = and_the_log.unwrap_or_default();
    // The game's own ending takes precedence over the recorded one.
    let played_out = ended.or(result.termination) == Some(Termination::Immobilization);
    let said = result.termination;
    let won = result.outcome.winner().is_some();
    let counts_unfinished = counts_unfinished(case);
    let counted = facts.and_then(|facts| of_the_game(case, facts, result.outcome));
    let counted = game.zip(counted);
    let Some(squares) = result.territory else {
        if won && said.is_none() && !counts_unfinished {
            let why =
                "the result does not say how the game ended, so it is not known whether its territory counts";
            check.open(RULE, subject, format!("{why}{and_the_log}"));
        } else if won && played_out {
            let known =
                counted.map(|(game, squares)| format!("; at the end of {game} it is {squares} squares"));
            let known = known.unwrap_or_default();
            check.open(RULE, subject, format!("the territory of the winner is not recorded{known}"));
        } else {
            check.compliant(RULE, subject);
        }
        return;
    };
    let found = format!("{squares} squares");
    let (expected, found) = if !won {
        ("territory is credited to a winner".to_owned(), format!("{found} without a winner"))
    } else if squares > 0 && said == Some(Termination::Forfeit) {
        ("a game that was not played has no territory".to_owned(), found)
    } else if squares > 0 && said.is_none() && !counts_unfinished {
        let expected = "a result that credits territory says that the game was played out (immobilization)";
        (expected.to_owned(), format!("{found}, and no word of how the game ended{and_the_log}"))
    } else if squares > 0 && !played_out && !counts_unfinished {
        let expected = "a game that was not played out counts 0, unless a ruling gives it".to_owned();
        (expected, format!("{found}{and_the_log}"))
    } else if squares > MOST_TERRITORY {
        (format!("at most {MOST_TERRITORY} squares are free of queens"), found)
    } else if let Some((game, counted)) = counted.filter(|(_, counted)| *counted != squares) {
        (format!("the winner can still reach {counted} squares at the end of {game}"), found)
    } else {
        return check.compliant(RULE, subject);
    };
    check.hold(RULE, subject, false, || (expected, found));
}
