use crate::rulebook::{EarlierResults, RuleId};
use annals_events::tournament::{GameAttached, Outcome, ResultRecorded};
use annals_events::{BoardId, GameId, GameKind, Side, Termination};

use super::attempts::PairingNow;
use super::{Checker, absent, clocks, endings, forfeits, games, limit, score, territory};
use crate::refusal::{OTHER_TERMINATION, OTHER_WINNER};
use crate::state::{Board, ResumePoint};
use crate::subject::Subject;

/// A round paired before an earlier result changed is paired again before play.
pub(super) fn rests_on_results_in_force(check: &mut Checker<'_>, number: u32) {
    let tournament = check.case.tournament;
    let frozen = check.has(RuleId::RulingFrozen);
    let corrected = check.case.rulebook.readings.earlier_results == EarlierResults::Corrected;
    // Once it has begun, such a correction leaves it as it was paired.
    let stays = |round: &crate::Round| corrected && round.is_started();
    let Some(round) = tournament.rounds.get(&number).filter(|round| frozen && !stays(round)) else { return };
    let corrected = check.case.context.before(round.paired.seq).map(|past| past.results_before(number));
    let now = tournament.results_before(number);
    let mut was = corrected.as_ref().unwrap_or(&round.rests_on).iter();
    let changed = was.find(|(pairing, result)| now.get(pairing) != Some(result));
    check.none(RuleId::RoundOrder, format!("round {number}"), changed, |(pairing, _)| {
        (
            format!("the pairing of round {number} is revoked, and it is paired again"),
            format!("it was paired before the result of {pairing} changed, on which it rests"),
        )
    });
}

pub(super) fn game_attached(check: &mut Checker<'_>, attached: &GameAttached) {
    rests_on_results_in_force(check, attached.pairing.round);
    let GameAttached { pairing, attempt, game } = attached;
    let subject = format!("the game {game} of {pairing}");
    let Some(board) = check.board(*pairing, &subject) else { return };
    let due = board.last_attempt().saturating_add(1);
    let rule = check.first_rule(&[RuleId::RulingResume, RuleId::RulingRematch, RuleId::ResultOnce]);
    check.hold(rule, &subject, *attempt == due, || {
        (format!("the next attempt is the {due}."), format!("it is called the {attempt}."))
    });
    // The same game cannot be played twice, here or on another board.
    let tournament = check.case.tournament;
    let has_it =
        |at: &BoardId| check.case.board(*at).is_some_and(|(_, board)| board.number_of(game).is_some());
    let elsewhere = tournament.index.attached.get(game).into_iter().flatten().copied().find(has_it);
    check.none(RuleId::ResultOnce, &subject, elsewhere, |other| {
        ("a game belongs to one pairing, once", format!("it is a game of {other} already"))
    });
    let facts = check.case.context.game(game);
    let round = tournament.rounds.get(&pairing.round);
    // Edition 1 accepted a game before the start of its round.
    if check.case.rulebook.edition > 1 {
        let started = round.is_some_and(crate::Round::is_started);
        check.hold(RuleId::ResultPaired, &subject, started, || {
            let expected = format!("round {} has begun: record its start first", pairing.round);
            (expected, format!("round {} has not begun", pairing.round))
        });
    }
    let paired = round.filter(|round| !round.inferred).map(|round| round.paired.at);
    if let (Some(began), Some(paired)) = (facts.and_then(|facts| facts.started_at), paired) {
        check.hold(RuleId::GamePlayers, &subject, began >= paired, || {
            let expected = "a game that began after its pairing was published";
            (expected, format!("{game} began before {pairing} was paired"))
        });
    }
    let owed = board.owed().map(|owed| owed.fact.clone());
    if *attempt == 1 {
        absent::game_begins(check, &Subject::About(subject.clone(), *pairing), board, facts);
    }
    let now = PairingNow { case: check.case, pairing: *pairing, board };
    let may = now.may_start(resumption(board, facts));
    check.allowed(RuleId::ResultPaired, &subject, may);
    games::attached(check, *pairing, board, game);
    if let Some(owed) = owed {
        let old = board.games.get(&owed.attempt).and_then(|old| check.case.context.game(old));
        if let Some(rated) = old.and_then(|old| old.rated) {
            check.hold(RuleId::RulingUnrated, &subject, !rated, || {
                ("the game that was taken out of force is unrated", "it is still rated")
            });
        }
        let due = owed.clocks.map(clocks::as_facts);
        let ply = owed.ply.unwrap_or(0);
        let due = due.or_else(|| old.and_then(|old| clocks::clocks_at(old, ply)));
        let has = facts.and_then(|facts| clocks::clocks_at(facts, ply));
        if let (Some(due), Some(has), Some(_)) = (due, has, owed.ply) {
            clocks::compare(check, &subject, due, has);
        }
    }
}

/// Where a game resumes by its own record; without one, where it is due.
fn resumption(board: &Board, facts: Option<&annals_rules::GameFacts>) -> Option<ResumePoint> {
    let owed = board.owed().map(|owed| &owed.fact);
    // Without the game in the log, only a full rematch is recognisable.
    let rematch = owed.is_some_and(|owed| match owed.ply {
        None => true,
        Some(ply) => ply == 0 && !board.games.contains_key(&owed.attempt),
    });
    match facts {
        // A rematch begins at the start, which is a resumption from ply 0.
        Some(facts) if facts.resumes.is_some() || !rematch => facts
            .resumes
            .as_ref()
            .map(|(game, ply)| ResumePoint { attempt: board.number_of(game).unwrap_or(0), ply: *ply }),
        _ => owed.map(crate::state::SetAside::point),
    }
}

pub(super) fn result_recorded(check: &mut Checker<'_>, result: &ResultRecorded) {
    rests_on_results_in_force(check, result.pairing.round);
    let pairing = result.pairing;
    let subject = format!("the result of {pairing}");
    let Some(board) = check.board(pairing, &subject) else { return };
    let forfeit = board.is_forfeit_by(result);
    check.none(RuleId::ResultOnce, &subject, board.outcome(), |found| {
        let event = board.result().map_or(String::new(), |result| format!(" (event {})", result.seq));
        let found = format!("{pairing} has the result {}{event}", found.word());
        ("one result, unless a ruling takes it back", found)
    });
    if board.outcome().is_none() {
        let number = result_attempt(board, result);
        let under_way = board.attempt_under_way();
        let attempt = number.unwrap_or(under_way);
        let now = PairingNow { case: check.case, pairing, board };
        let may = if forfeit {
            now.may_forfeit(result.outcome)
        } else if board.status_of(attempt).is_some() {
            now.may_end(attempt)
        } else {
            // No event dates the start of a game missing in the log, so its start is checked now.
            now.may_start(board.owed().map(|owed| owed.fact.point()))
        };
        check.allowed(RuleId::ResultPaired, &subject, may);
    }
    let round = check.case.tournament.rounds.get(&pairing.round);
    let begun = forfeit || round.is_some_and(crate::Round::is_started);
    check.hold(RuleId::ResultPaired, &subject, begun, || {
        let expected = format!("a game of round {} has begun: record its start first", pairing.round);
        (expected, format!("round {} has not begun", pairing.round))
    });
    outcome(check, &subject, board, result, forfeit);
    if forfeit && result.outcome.winner().is_some() {
        forfeits::claimed_by_the_winner(check, &subject, board, result);
    } else if forfeit {
        forfeits::nobody_came(check, &subject, board);
    }
    let game = game_of(board, result);
    if let Some(game) = &game {
        of_the_game(check, &subject, board, result, game, forfeit);
    }
    let facts = game.as_ref().and_then(|game| check.case.context.game(game));
    absent::result(check, &Subject::About(subject.clone(), pairing), board, (result, forfeit), facts);
    let (outcome, termination) = (result.outcome, result.termination);
    let stated = limit::Stated { pairing, outcome, termination, ruled: false };
    endings::check(check, &subject, stated, facts);
    score::check(check, &subject, stated, facts);
    territory::check(check, &Subject::About(subject, pairing), result, game.as_ref());
}

/// The attempt that a result is of, if stated.
fn result_attempt(board: &Board, result: &ResultRecorded) -> Option<u32> {
    result.attempt.or_else(|| result.game.as_ref().and_then(|game| board.number_of(game)))
}

/// The game that the result names, else the attempt's.
fn game_of(board: &Board, result: &ResultRecorded) -> Option<GameId> {
    let attempt = result_attempt(board, result).unwrap_or_else(|| board.attempt_under_way());
    result.game.clone().or_else(|| board.games.get(&attempt).cloned())
}

fn outcome(check: &mut Checker<'_>, subject: &str, board: &Board, result: &ResultRecorded, forfeit: bool) {
    let word = check.outcome(result.outcome);
    let found = || format!("it is recorded as {word}");
    let by_ruling = matches!(result.outcome, Outcome::DoubleWin | Outcome::NoDecision);
    check.hold(RuleId::ResultGame, subject, !by_ruling, || {
        ("only a ruling says that both won, or that nothing was decided", found())
    });
    let double_loss = result.outcome == Outcome::DoubleLoss && !forfeit;
    check.hold(RuleId::ResultGame, subject, !double_loss, || {
        ("both lose only by forfeit, or by a ruling", found())
    });
    check.hold(RuleId::ResultDraw, subject, result.outcome != Outcome::Draw, || {
        ("one of the two wins", found())
    });
    if result.outcome == Outcome::Draw {
        drawn(check, subject, result.termination);
    }
    let needs_colours = result.outcome.winner().is_some();
    let first = check.side(Side::Gold);
    check.hold(RuleId::GamePlayers, subject, board.gold().is_some() || !needs_colours, || {
        let expected = "the colours are decided before a side can win";
        (expected, format!("who has {first} in {} is not decided", result.pairing))
    });
}

/// A draw in the Amazons. The source scores drawn games, but its game rules end each game with a winner (Olympiad 2000, Game
/// Rules).
fn drawn(check: &mut Checker<'_>, subject: &str, termination: Option<Termination>) {
    let rulebook = check.case.rulebook;
    if rulebook.game != GameKind::Amazons || rulebook.edition == 1 {
        return;
    }
    match termination {
        Some(how) => check.hold(RuleId::ResultGame, subject, false, || {
            ("one of the two wins: the first player unable to move loses", format!("a draw by {how}"))
        }),
        None => check.open(
            RuleId::ResultGame,
            subject,
            "a drawn game is half a point for each player, but no game of the Amazons ends in a draw",
        ),
    }
}

fn of_the_game(
    check: &mut Checker<'_>,
    subject: &str,
    board: &Board,
    result: &ResultRecorded,
    game: &GameId,
    forfeit: bool,
) {
    let attempt = board.number_of(game);
    let agrees = attempt.is_some() && result.attempt.is_none_or(|said| Some(said) == attempt);
    check.hold(RuleId::ResultGame, subject, agrees, || {
        let found = match attempt {
            None => format!("{game} is no game of {}: attach it first", result.pairing),
            Some(attempt) => format!("{game} is attempt {attempt}, not {}", result.attempt.unwrap_or(0)),
        };
        ("the result is that of an attempt at the pairing".to_owned(), found)
    });
    let Some(facts) = check.case.context.game(game) else {
        if attempt.is_some() {
            check.open(RuleId::ResultGame, subject, format!("the log does not hold the game {game}"));
        }
        return;
    };
    match &facts.ended {
        None => check.hold(RuleId::ResultGame, subject, forfeit, || {
            let plies = facts.plies;
            let expected = "the game ends before its result is recorded";
            (expected, format!("{game} is not over after {plies} plies"))
        }),
        Some(end) => {
            let expected = end.winner.map_or(Outcome::Draw, Outcome::from);
            let same = result.termination.is_none_or(|said| said == end.termination);
            let [due, said] = [expected, result.outcome].map(|outcome| check.outcome(outcome));
            // If piece points decide, the game itself may leave the winner undetermined.
            let open = end.termination == Termination::Score
                && score::due(check.case, result.pairing, Some(facts), check.when.at).is_some();
            let agrees = open || expected == result.outcome;
            check.hold(RuleId::ResultGame, subject, agrees && same, || {
                let by = result.termination.map_or_else(String::new, |said| format!(" by {}", said.word()));
                let differs = if agrees { OTHER_TERMINATION } else { OTHER_WINNER };
                (
                    format!("{game} ended as {due} by {}", end.termination.word()),
                    format!("{said} is recorded{by}{differs}"),
                )
            });
        }
    }
    games::finished(check, result.pairing, board, game);
}
