//! Games of a player who left. A game that had begun is played to its end; any other is a forfeit of the player who left.

use annals_events::tournament::ResultRecorded;
use annals_events::{PlayerId, Side};
use annals_rules::GameFacts;

use super::Checker;
use super::entries::way;
use crate::rulebook::RuleId;
use crate::state::calendar::utc;
use crate::state::{Board, Left};
use crate::subject::Subject;

/// The players of a pairing who left before this event happened. Edition 1 has no such check.
fn left_before<'a>(
    check: &Checker<'a>,
    board: &'a Board,
) -> impl Iterator<Item = (&'a PlayerId, &'a Left)> + use<'a> {
    let (case, at) = (check.case, check.when.at);
    let players = board.players().into_iter().filter(move |_| case.rulebook.edition > 1);
    players.filter_map(move |player| {
        let left = case.tournament.entrants.get(player)?.left.as_ref()?;
        (at >= left.at).then_some((player, left))
    })
}

fn words(player: &PlayerId, left: &Left) -> String {
    format!("`{player}` {} at {} (event {})", way(left.how), utc(left.at), left.seq)
}

/// The first game of a pairing begins.
pub(super) fn game_begins(
    check: &mut Checker<'_>,
    subject: &Subject,
    board: &Board,
    facts: Option<&GameFacts>,
) {
    // A game of a pairing with a result does not begin in any case.
    if board.outcome().is_some() {
        return;
    }
    let began = facts.and_then(|facts| facts.started_at);
    let late: Option<String> = {
        let mut gone = left_before(check, board);
        gone.find(|(_, left)| began.is_none_or(|began| began >= left.at))
            .map(|(player, left)| words(player, left))
    };
    if let Some(found) = late {
        check.hold(RuleId::RegistrationStanding, subject, false, || {
            ("a forfeit of the player who left", found)
        });
    }
}

/// A result of a pairing.
pub(super) fn result(
    check: &mut Checker<'_>,
    subject: &Subject,
    board: &Board,
    (result, forfeit): (&ResultRecorded, bool),
    facts: Option<&GameFacts>,
) {
    let winner = match result.outcome.winner() {
        Some(Side::Gold) => board.gold(),
        Some(Side::Silver) => board.silver(),
        None => None,
    };
    let gone: Vec<(&PlayerId, &Left)> = left_before(check, board).collect();
    let Some((player, left)) = gone.iter().find(|(player, _)| !forfeit || winner == Some(*player)) else {
        return;
    };
    let claimed =
        board.claim.as_ref().is_some_and(|claim| claim.seq < left.seq && claim.fact.claimant == **player);
    if forfeit && claimed {
        return;
    }
    let found = words(player, left);
    // The start of a game that the log does not have is not known. A game that goes on after a ruling is of a pairing that had begun.
    let attempts = board.games.values().filter_map(|game| check.case.context.game(game));
    let round = check.case.tournament.rounds.get(&result.pairing.round);
    let stated = round.and_then(|round| round.started(result.pairing.board));
    let began = attempts.chain(facts).filter_map(|facts| facts.started_at).min().or(stated);
    let had_begun =
        round.is_some_and(|round| round.inferred || round.started_at.is_some_and(|at| at < left.at));
    match began {
        Some(began) if !forfeit && began < left.at => {}
        None if !forfeit && had_begun => {
            let why = format!(
                "{found}; the log does not have the game, so it is not known whether it began before"
            );
            check.open(RuleId::RegistrationStanding, subject, why);
        }
        _ => check.hold(RuleId::RegistrationStanding, subject, false, || {
            let expected = format!("`{player}` loses by forfeit, since no game of the pairing had begun");
            (expected, found)
        }),
    }
}
