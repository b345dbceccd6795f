//! Compares the effect of a ruling with what the rulebook permits.

use crate::rulebook::{PIECE_POINTS, RuleId};
use annals_events::tournament::{Clocks, Effect, Failure, Outcome, RulingGiven};
use annals_events::{BoardId, GameId, PlayerId, Side, Termination};

use super::places;
use crate::check::attempts::{self, PairingNow};
use crate::check::territory::MOST_TERRITORY;
use crate::check::{Checker, clocks, endings, entries, limit, score};
use crate::rulings::failure_paragraph;
use crate::state::{Board, Money, ResumePoint, RulingInForce};
use crate::subject::Subject;

/// An attempt put out of force, and where it resumes.
struct Point<'a> {
    pairing: BoardId,
    game: Option<&'a GameId>,
    ply: u32,
    failure: Failure,
    clocks: Option<Clocks>,
}

pub(super) fn check(check: &mut Checker<'_>, subject: &str, ruling: &RulingGiven) {
    before_prizes(check, subject, &ruling.effect);
    match &ruling.effect {
        Effect::Halt { pairing, game, ply, failure, clocks }
        | Effect::Invalidate { pairing, game, ply, failure, clocks } => {
            let (game, failure) = (game.as_ref(), *failure);
            let point = Point { pairing: *pairing, game, ply: *ply, failure, clocks: *clocks };
            set_aside(check, subject, &point, matches!(ruling.effect, Effect::Halt { .. }));
        }
        Effect::Rematch { pairing, failure } => rematch(check, subject, *pairing, *failure),
        Effect::SetResult { pairing, outcome, termination } => {
            set_result(check, subject, *pairing, *outcome);
            let (pairing, outcome, termination) = (*pairing, *outcome, *termination);
            if let Some((_, board)) = check.case.board(pairing) {
                let game = board.games.get(&board.attempt_under_way());
                let facts = game.and_then(|game| check.case.context.game(game));
                let stated = limit::Stated { pairing, outcome, termination, ruled: true };
                endings::check(check, subject, stated, facts);
                score::check(check, subject, stated, facts);
            }
        }
        Effect::Vacate { pairing } => {
            if let Some((_, board)) = check.paired(RuleId::RulingNumber, subject, *pairing) {
                check.not_frozen(subject, *pairing);
                let played = board.outcome().is_some() && board.last_attempt() > 0;
                check.hold(RuleId::RulingInvalidate, subject, !played, || {
                    let found = format!("{pairing} was played, and is vacated");
                    ("a game that is taken back is replayed", found)
                });
                let why = "each player has a game or a bye in a round; the director answers for a pairing that is not played";
                left_to_the_director(check, subject, why);
            }
        }
        Effect::SetTerritory { pairing, squares } => set_territory(check, subject, *pairing, *squares),
        Effect::SetRated { pairing, rated, .. } => {
            if let Some((_, board)) = check.paired(RuleId::RulingNumber, subject, *pairing) {
                check.not_frozen(subject, *pairing);
                if *rated && check.case.rulebook.edition > 1 {
                    stays_unrated(check, subject, ruling, board);
                }
            }
        }
        Effect::SetColours { pairing, gold } => {
            if let Some((_, board)) = check.paired(RuleId::RulingNumber, subject, *pairing) {
                let now = PairingNow { case: check.case, pairing: *pairing, board };
                check.allowed(RuleId::RulingFrozen, subject, now.may_set_colours(gold));
                if board.gold().is_some_and(|has| has != gold) {
                    let why = "the rules give the colours of a pairing; the director answers for others";
                    left_to_the_director(check, subject, why);
                }
            }
        }
        Effect::Remove { player } => {
            standing(check, subject, player, true);
            let why = "the rules name what takes a player out; the director answers for another reason";
            left_to_the_director(check, subject, why);
        }
        Effect::Reinstate { player } => {
            standing(check, subject, player, false);
            appeal_of_the_removed(check, subject, player);
        }
        Effect::Place { players, place } => places::check(check, subject, players, *place),
        Effect::Read { option, reading } => {
            let mut rulebook = check.case.rulebook.clone();
            let wrong = match rulebook.read(option, reading) {
                Err(wrong) => Some(wrong.to_string()),
                Ok(()) => rulebook.lacks_points().then(|| {
                    format!(
                        "T44 is read as {reading}, and the announcement states no points as `{PIECE_POINTS}`"
                    )
                }),
            };
            check.none(RuleId::RulingReading, subject, wrong, |wrong| {
                ("a reading that the text allows", wrong)
            });
        }
        Effect::Nothing => {}
    }
}

/// What the rules leave to the director.
fn left_to_the_director(check: &mut Checker<'_>, subject: &str, why: &str) {
    if check.case.rulebook.edition > 1 {
        let rule = check.first_rule(&[RuleId::RulingFinal, RuleId::RulingCause, RuleId::RulingNumber]);
        check.open(rule, subject, why);
    }
}

/// No result or place changes once a prize depends on it.
fn before_prizes(check: &mut Checker<'_>, subject: &str, effect: &Effect) {
    let changes = match effect {
        Effect::Halt { .. }
        | Effect::Invalidate { .. }
        | Effect::Rematch { .. }
        | Effect::SetResult { .. }
        | Effect::Vacate { .. }
        | Effect::SetTerritory { .. }
        | Effect::Place { .. }
        | Effect::Remove { .. } => check.case.rulebook.edition > 1,
        Effect::SetRated { .. }
        | Effect::SetColours { .. }
        | Effect::Reinstate { .. }
        | Effect::Read { .. }
        | Effect::Nothing => false,
    };
    if !changes {
        return;
    }
    let prize = check.case.tournament.ledger.iter().find(|line| line.what == Money::Prize);
    let rule = check.first_rule(&[RuleId::RulingFrozen, RuleId::RulingNumber]);
    check.none(rule, subject, prize, |prize| {
        let found = format!("`{}` got a prize (event {})", prize.who, prize.seq);
        ("results and places stay as they are once a prize is awarded", found)
    });
}

/// A halted or invalidated game is made unrated, and no later ruling rates it.
fn stays_unrated(check: &mut Checker<'_>, subject: &str, ruling: &RulingGiven, board: &Board) {
    let tournament = check.case.tournament;
    let game = tournament.game_of(&ruling.effect);
    // Attempts missing in the log cannot be distinguished, so only one still to be played is identified.
    let known = game.is_some() || board.owed().is_some();
    let sets_aside = |given: &&RulingInForce| {
        matches!(given.ruling.effect, Effect::Halt { .. } | Effect::Invalidate { .. })
            && given.ruling.effect.pairing() == ruling.effect.pairing()
            && given.game.as_ref() == game
            && ruling.supersedes != Some(given.ruling.number)
    };
    let aside = tournament.rulings_in_force().find(sets_aside).filter(|_| known);
    check.none(RuleId::RulingUnrated, subject, aside, |aside| {
        let found = format!("ruling {} took it out of force", aside.ruling.number);
        ("a game that was halted or invalidated stays unrated", found)
    });
}

/// As in a sentence.
fn words(failure: Failure) -> String {
    failure.word().replace('_', " ")
}

/// A listed failure permits a halt or replay; the director decides on others.
fn cause(check: &mut Checker<'_>, subject: &str, failure: Failure) {
    match failure {
        Failure::Other | Failure::GameServer => {
            let why = format!(
                "{} is not on the list: the director decides ({})",
                words(failure),
                failure_paragraph(failure)
            );
            check.open(RuleId::RulingCause, subject, why);
        }
        _ => check.compliant(RuleId::RulingCause, subject),
    }
}

fn set_aside(check: &mut Checker<'_>, subject: &str, point: &Point<'_>, halt: bool) {
    let Some((_, board)) = check.paired(RuleId::RulingNumber, subject, point.pairing) else { return };
    let (rule, what) =
        if halt { (RuleId::RulingHalt, "halted") } else { (RuleId::RulingInvalidate, "invalidated") };
    if !check.has(rule) {
        foreign(check, subject, point, what);
        of_what_was_played(check, subject, point, board, halt);
        return;
    }
    let number = match point.game {
        None => board.last_attempt().max(1),
        Some(game) => {
            let attempt = board.number_of(game);
            check.hold(rule, subject, attempt.is_some(), || {
                ("an attempt at that pairing", format!("{game} is no game of {}", point.pairing))
            });
            let Some(attempt) = attempt else { return };
            attempt
        }
    };
    let at = ResumePoint { attempt: number, ply: point.ply };
    let now = PairingNow { case: check.case, pairing: point.pairing, board };
    let unseen = halt && board.last_attempt() == 0 && board.outcome().is_none();
    let course = course_of(check, point.pairing, board);
    if attempts::begun(check.case) > point.pairing.round {
        // Rule 1 precedes every other objection.
        check.not_frozen(subject, point.pairing);
    } else if unseen && course != Course::NotBegun {
        under_way(check, rule, subject, point.pairing, course);
        check.not_frozen(subject, point.pairing);
    } else {
        let may = if halt { now.may_halt(at) } else { now.may_invalidate(at) };
        check.allowed(rule, subject, may);
    }
    cause(check, subject, point.failure);
    let facts = board.games.get(&number).and_then(|game| check.case.context.game(game));
    if let Some(facts) = facts.filter(|_| halt) {
        check.hold(rule, subject, facts.ended.is_none(), || {
            let expected = "a game that is over is invalidated, once its result is recorded";
            (expected, "the game is over")
        });
    }
    if facts.is_none() {
        let why = "the log does not hold the game, so it is not known whether ply";
        check.open(RuleId::RulingResume, subject, format!("{why} {} was played", point.ply));
    }
    match (point.clocks, facts.and_then(|facts| clocks::clocks_at(facts, point.ply))) {
        (None, _) => check.compliant(RuleId::RulingClocks, subject),
        (Some(clocks), Some(was)) => clocks::compare(check, subject, was, clocks::as_facts(clocks)),
        (Some(_), None) => {
            check.open(RuleId::RulingClocks, subject, "the record does not tell the clocks at that ply");
        }
    }
}

/// A halt or replay under a rulebook that has none.
fn foreign(check: &mut Checker<'_>, subject: &str, point: &Point<'_>, what: &str) {
    check.not_frozen(subject, point.pairing);
    check.hold(RuleId::RulingRematch, subject, point.failure == Failure::GameServer, || {
        let expected = "only a fault of the game server is a reason to play again";
        (expected, format!("a game is {what} for {}", words(point.failure)))
    });
    let why = format!("the rules do not speak of games that are {what}; the director's decision is final");
    check.open(RuleId::RulingFinal, subject, why);
}

/// A ruling is about recorded facts: an existing attempt, a ply that was played, for a halt an unfinished
/// game.
fn of_what_was_played(check: &mut Checker<'_>, subject: &str, point: &Point<'_>, board: &Board, halt: bool) {
    const RULE: RuleId = RuleId::RulingNumber;
    let Point { pairing, ply, .. } = *point;
    if let Some(game) = point.game {
        let attempt = board.games.values().any(|known| known == game);
        check.hold(RULE, subject, attempt, || {
            ("an attempt at that pairing", format!("{game} is no game of {pairing}"))
        });
    }
    let game = point.game.or_else(|| board.games.values().next_back());
    let Some(facts) = game.and_then(|game| check.case.context.game(game)) else { return };
    check.hold(RULE, subject, ply <= facts.plies, || {
        let expected = format!("one of the {} plies that were played", facts.plies);
        (expected, format!("play goes on after ply {ply}"))
    });
    check.hold(RULE, subject, !halt || facts.ended.is_none(), || {
        let expected = "a game that is over is invalidated, once its result is recorded";
        (expected, "the game is over")
    });
}

/// How far the game of a pairing has come, by the record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Course {
    Begun,
    /// Its round has begun, and no event names the game: the log may not have it.
    Unknown,
    NotBegun,
}

fn course_of(check: &Checker<'_>, pairing: BoardId, board: &Board) -> Course {
    let round = check.case.tournament.rounds.get(&pairing.round);
    let named = round.is_some_and(|round| round.started(pairing.board).is_some());
    match board.last_attempt() > 0 || board.outcome().is_some() || named {
        true => Course::Begun,
        false if round.is_some_and(crate::Round::has_begun) => Course::Unknown,
        false => Course::NotBegun,
    }
}

/// Only a game that was begun is halted or played again.
fn under_way(
    check: &mut Checker<'_>,
    rule: impl Into<Option<RuleId>>,
    subject: &str,
    pairing: BoardId,
    course: Course,
) {
    let rule = rule.into();
    if course == Course::Unknown {
        check.open(rule, subject, format!("no event says that a game of {pairing} was under way"));
    } else {
        let begun = course == Course::Begun;
        check.hold(rule, subject, begun, || {
            ("a game that was begun", format!("no game of {pairing} has begun"))
        });
    }
}

fn rematch(check: &mut Checker<'_>, subject: &str, pairing: BoardId, failure: Failure) {
    let Some((_, board)) = check.paired(RuleId::RulingNumber, subject, pairing) else { return };
    check.not_frozen(subject, pairing);
    let late = !board.forfeited_by().is_empty();
    check.hold(RuleId::ForfeitNoRematch, subject, !late, || {
        let who: Vec<&str> = board.forfeited_by().iter().map(|player| player.as_str()).collect();
        let expected = "a game lost by forfeit is not played again, whatever the reason";
        (expected, format!("{pairing} was forfeited by {}", who.join(" and ")))
    });
    check.hold(RuleId::RulingRematch, subject, failure == Failure::GameServer, || {
        let expected = "a rematch for a fault of the game server".to_owned();
        (expected, format!("the cause is {}", words(failure)))
    });
    let rule = check.first_rule(&[RuleId::RulingRematch, RuleId::RulingResume, RuleId::RulingNumber]);
    under_way(check, rule, subject, pairing, course_of(check, pairing, board));
    // A rematch from the start is a resumption if the failure was there.
    if check.has(RuleId::RulingInvalidate) {
        cause(check, subject, failure);
        let why = "a replay begins where the disadvantage first occurred: here, at the start";
        check.open(RuleId::RulingInvalidate, subject, why);
    }
}

fn set_result(check: &mut Checker<'_>, subject: &str, pairing: BoardId, outcome: Outcome) {
    let Some((_, board)) = check.paired(RuleId::RulingNumber, subject, pairing) else { return };
    if check.has(RuleId::RulingFrozen) {
        let now = PairingNow { case: check.case, pairing, board };
        check.allowed(RuleId::RulingFrozen, subject, now.may_set_result());
    }
    check.hold(RuleId::ResultDraw, subject, outcome != Outcome::Draw, || ("one of the two wins", "a draw"));
    let first = check.side(Side::Gold);
    check.hold(RuleId::GamePlayers, subject, outcome.winner().is_none() || board.gold().is_some(), || {
        let expected = "the colours are decided before a side can win";
        (expected, format!("who has {first} in {pairing} is not decided"))
    });
    if check.has(RuleId::RulingFinal) {
        check.compliant(RuleId::RulingFinal, subject);
    } else if check.has(RuleId::RulingHalt) {
        let why = "the rules speak of halting and replaying, and leave a result to the games";
        check.open(RuleId::RulingCause, subject, why);
    }
}

fn set_territory(check: &mut Checker<'_>, subject: &str, pairing: BoardId, squares: u32) {
    if !check.has(RuleId::Territory) {
        check.hold(RuleId::RulingNumber, subject, false, || {
            ("a rulebook that counts territory", format!("{squares} squares are given"))
        });
        return;
    }
    let Some((_, board)) = check.paired(RuleId::RulingNumber, subject, pairing) else { return };
    let won = board.outcome().is_some_and(|outcome| outcome.winner().is_some());
    check.hold(RuleId::Territory, subject, won, || {
        ("territory is credited to a winner", format!("{pairing} has no winner"))
    });
    check.hold(RuleId::Territory, subject, squares <= MOST_TERRITORY, || {
        (format!("at most {MOST_TERRITORY} squares are free of queens"), format!("{squares} squares"))
    });
    let played_out = board.termination() == Some(Termination::Immobilization);
    let subject = Subject::About(subject.to_owned(), pairing);
    check.hold(RuleId::Territory, subject, !played_out || board.territory() == Some(squares), || {
        let has = board.territory().map_or_else(|| "not recorded".to_owned(), |squares| squares.to_string());
        (format!("the game was played out: its territory is {has}"), format!("{squares} squares"))
    });
}

fn standing(check: &mut Checker<'_>, subject: &str, player: &PlayerId, removes: bool) {
    check.entered(RuleId::RulingNumber, subject, player);
    let Some(entrant) = check.case.tournament.entrants.get(player) else { return };
    check.hold(RuleId::RulingNumber, subject, entrant.is_in() == removes, || {
        let expected = if removes { "a player who takes part" } else { "a player who is out" };
        (expected.to_owned(), format!("`{player}` is {}", entrant.status().word()))
    });
    if !removes {
        entries::returns(check, subject, player);
    }
}

/// A player removed for a forfeit returns only by an accepted appeal.
fn appeal_of_the_removed(check: &mut Checker<'_>, subject: &str, player: &PlayerId) {
    let tournament = check.case.tournament;
    let left = tournament.entrants.get(player).and_then(|entrant| entrant.left.as_ref());
    if left.is_none_or(|left| left.how != crate::state::Leaving::Forfeit) {
        return;
    }
    check.hold(RuleId::ForfeitRemoved, subject, tournament.heard(player, None), || {
        (format!("an appeal of `{player}` is accepted first"), "none was accepted")
    });
}
