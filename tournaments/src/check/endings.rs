//! How a game can end: by the rules of its kind, and for Arimaa by its period (2008-07-01 for endings on the board,
//! 2009-02-20 for illegal moves).

use annals_events::{GameKind, Micros, PlayerKind, Side, Termination};
use annals_rules::GameFacts;
use annals_rules::game::Era;

use super::Checker;
use super::limit::Stated;
use super::score::began;
use crate::rulebook::RuleId;
use crate::state::calendar::moment;

/// From then on a program that plays an illegal move loses.
const ILLEGAL_MOVES_LOSE: Micros = moment(2009, 2, 20, 0, 0);

/// Checks that the game ends in a way that its rules have, at the time when it was played.
pub(super) fn check(check: &mut Checker<'_>, subject: &str, stated: Stated, facts: Option<&GameFacts>) {
    let game = check.case.rulebook.game;
    let Some(said) = stated.termination else { return };
    if !said.occurs_in(game) {
        check.hold(RuleId::ResultGame, subject, false, || {
            let ways = Termination::ALL.into_iter().filter(|way| way.occurs_in(game));
            let ways: Vec<&str> = ways.map(Termination::word).collect();
            (format!("a game of {game} ends by {}", ways.join(", ")), format!("it is recorded as {said}"))
        });
    }
    let ended = facts.and_then(|facts| facts.ended);
    // The game itself is checked by its own rules.
    let of_the_game = ended.is_some_and(|end| end.termination == said);
    if game != GameKind::Arimaa || check.case.rulebook.edition == 1 || of_the_game {
        return;
    }
    let fault = out_of_its_period(check, stated, said, facts).or_else(|| by_a_human(check, stated, said));
    if let Some(expected) = fault {
        check.hold(RuleId::ResultGame, subject, false, || (expected, format!("it is recorded as {said}")));
    }
}

/// The period in which games end so, if this one is of another.
fn out_of_its_period(
    check: &Checker<'_>,
    stated: Stated,
    said: Termination,
    facts: Option<&GameFacts>,
) -> Option<String> {
    let at = check.when.at;
    let era = Era::at(Some(began(check.case, stated.pairing, facts, at)));
    let when = match (said, era) {
        (Termination::NoRabbits | Termination::Repetition, Era::Modern) => "began before 2008-07-01",
        (Termination::Elimination, Era::Early) => "began on 2008-07-01 or later",
        (Termination::IllegalMove, _) if at < ILLEGAL_MOVES_LOSE => "ended on 2009-02-20 or later",
        _ => return None,
    };
    Some(format!("only a game that {when} ends by {said}"))
}

/// An illegal move loses the game of a program only; a human has to play another one.
fn by_a_human(check: &Checker<'_>, stated: Stated, said: Termination) -> Option<String> {
    let (_, board) = check.case.board(stated.pairing).filter(|_| said == Termination::IllegalMove)?;
    let loser = match stated.outcome.winner()?.other() {
        Side::Gold => board.gold(),
        Side::Silver => board.silver(),
    }?;
    let entrant = check.case.tournament.entrants.get(loser)?;
    let human = entrant.kind == PlayerKind::Human;
    human.then(|| format!("only a program loses by {said}, and `{loser}` is a {}", entrant.kind.word()))
}
