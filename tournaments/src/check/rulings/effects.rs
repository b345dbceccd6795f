//! What a ruling does, held against what the rulebook lets a director do.

use crate::rulebook::RuleId;
use annals_events::tournament::{Clocks, Effect, Failure, Outcome, RulingGiven};
use annals_events::{GameId, Pairing, PlayerId, Side, Termination};

use super::{compare_clocks, not_frozen, places};
use crate::check::attempts::{self, PairingNow};
use crate::check::results::{MOST_TERRITORY, ends_so, first_rule};
use crate::check::{Bench, entries, games};
use crate::rulings::failure_paragraph;
use crate::state::{Board, EntrantStatus, ResumePoint};

/// An attempt that is taken out of force, and from where it goes on.
struct Point<'a> {
    pairing: Pairing,
    game: Option<&'a GameId>,
    ply: u32,
    failure: Failure,
    clocks: Option<Clocks>,
}

/// Judges the effect of a ruling.
pub(super) fn judge(bench: &mut Bench<'_>, subject: &str, ruling: &RulingGiven) {
    match &ruling.effect {
        Effect::Halt { pairing, game, ply, failure, clocks } => {
            let (game, failure) = (game.as_ref(), *failure);
            let point = Point { pairing: *pairing, game, ply: *ply, failure, clocks: *clocks };
            set_aside(bench, subject, &point, true);
        }
        Effect::Invalidate { pairing, game, ply, failure, clocks } => {
            let (game, failure) = (game.as_ref(), *failure);
            let point = Point { pairing: *pairing, game, ply: *ply, failure, clocks: *clocks };
            set_aside(bench, subject, &point, false);
        }
        Effect::Rematch { pairing, failure } => rematch(bench, subject, *pairing, *failure),
        Effect::SetResult { pairing, outcome, termination } => {
            set_result(bench, subject, *pairing, *outcome);
            ends_so(bench, subject, *termination);
        }
        Effect::Vacate { pairing } => {
            if let Some(board) = known(bench, subject, *pairing) {
                not_frozen(bench, subject, *pairing);
                let played = board.outcome().is_some() && board.last_attempt() > 0;
                if bench.has(RuleId::RulingInvalidate) {
                    bench.hold(RuleId::RulingInvalidate, subject, !played, || {
                        (
                            "a game that is taken back is replayed".to_owned(),
                            format!("{pairing} was played, and is vacated"),
                        )
                    });
                }
            }
        }
        Effect::SetTerritory { pairing, squares } => set_territory(bench, subject, *pairing, *squares),
        Effect::SetRated { pairing, .. } => {
            if known(bench, subject, *pairing).is_some() {
                not_frozen(bench, subject, *pairing);
            }
        }
        Effect::SetColours { pairing, gold } => {
            if let Some(board) = known(bench, subject, *pairing) {
                let now = PairingNow { case: bench.case, pairing: *pairing, board };
                bench.allowed(RuleId::RulingFrozen, subject, now.may_set_colours(gold));
            }
        }
        Effect::Remove { player } => standing(bench, subject, player, true),
        Effect::Reinstate { player } => {
            standing(bench, subject, player, false);
            appeal_of_the_removed(bench, subject, player);
        }
        Effect::Place { players, place } => places::judge(bench, subject, players, *place),
        Effect::Read { option, reading } => {
            let mut read = bench.case.rulebook.clone();
            let read = read.read(option, reading);
            bench.hold(RuleId::RulingReading, subject, read.is_ok(), || {
                let why = read.err().map(|error| error.to_string()).unwrap_or_default();
                ("a reading that the text allows".to_owned(), why)
            });
        }
        Effect::Nothing => {}
    }
}

fn known<'a>(bench: &mut Bench<'a>, subject: &str, pairing: Pairing) -> Option<&'a Board> {
    let rounds = &bench.case.tournament.rounds;
    let board = rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
    super::pairing(bench, subject, Some(pairing));
    board
}

/// A failure of the list warrants a halt or a replay; any other the director weighs.
fn cause(bench: &mut Bench<'_>, subject: &str, failure: Failure) {
    match failure {
        Failure::Other | Failure::GameServer => {
            let why = format!(
                "{} is not on the list: the director decides ({})",
                failure.word(),
                failure_paragraph(failure)
            );
            bench.open(RuleId::RulingCause, subject, why);
        }
        _ => bench.hold(RuleId::RulingCause, subject, true, Default::default),
    }
}

fn set_aside(bench: &mut Bench<'_>, subject: &str, point: &Point<'_>, halt: bool) {
    let Some(board) = known(bench, subject, point.pairing) else { return };
    let (rule, what) =
        if halt { (RuleId::RulingHalt, "halted") } else { (RuleId::RulingInvalidate, "invalidated") };
    if !bench.has(rule) {
        foreign(bench, subject, point, what);
        of_what_was_played(bench, subject, point, board, halt);
        return;
    }
    let number = match point.game {
        None => board.last_attempt().max(1),
        Some(game) => {
            let attempt = board.number_of(game);
            bench.hold(rule, subject, attempt.is_some(), || {
                ("an attempt at that pairing".to_owned(), format!("{game} is no game of {}", point.pairing))
            });
            let Some(attempt) = attempt else { return };
            attempt
        }
    };
    let at = ResumePoint { attempt: number, ply: point.ply };
    let now = PairingNow { case: bench.case, pairing: point.pairing, board };
    // A game that no event attached may be under way in a round that has begun.
    let unseen = halt && board.last_attempt() == 0 && board.outcome().is_none();
    let begun = bench.case.tournament.rounds.get(&point.pairing.round);
    if attempts::begun(bench.case) > point.pairing.round {
        // Rule 1 comes before whatever else stands against it.
        not_frozen(bench, subject, point.pairing);
    } else if unseen && begun.is_some_and(|round| round.started_at.is_some()) {
        bench.open(rule, subject, format!("no event says that a game of {} was under way", point.pairing));
        not_frozen(bench, subject, point.pairing);
    } else {
        let may = if halt { now.may_halt(at) } else { now.may_invalidate(at) };
        bench.allowed(rule, subject, may);
    }
    cause(bench, subject, point.failure);
    let facts = board.games.get(&number).and_then(|game| bench.case.around.game(game));
    if let Some(facts) = facts.filter(|_| halt) {
        bench.hold(rule, subject, facts.ended.is_none(), || {
            let expected = "a game that is over is invalidated, once its result is recorded".to_owned();
            (expected, "the game is over".to_owned())
        });
    }
    if facts.is_none() {
        let why = format!(
            "the log does not hold the game, so nobody can tell whether ply {} was played",
            point.ply
        );
        bench.open(RuleId::RulingResume, subject, why);
    }
    match (point.clocks, facts.and_then(|facts| games::clocks_at(facts, point.ply))) {
        (None, _) => bench.hold(RuleId::RulingClocks, subject, true, Default::default),
        (Some(clocks), Some(was)) => compare_clocks(bench, subject, was, super::as_facts(clocks)),
        (Some(_), None) => {
            bench.open(RuleId::RulingClocks, subject, "the record does not tell the clocks at that ply");
        }
    }
}

/// A halt or a replay under a rulebook that speaks of none.
fn foreign(bench: &mut Bench<'_>, subject: &str, point: &Point<'_>, what: &str) {
    not_frozen(bench, subject, point.pairing);
    bench.hold(RuleId::RulingRematch, subject, point.failure == Failure::GameServer, || {
        let expected = "only a fault of the game server is a reason to play again".to_owned();
        (expected, format!("a game is {what} for {}", point.failure.word()))
    });
    let why = format!("the rules do not speak of games that are {what}; the director's decision is final");
    bench.open(RuleId::RulingFinal, subject, why);
}

/// Whatever the director decides, it is decided of what the record knows: an attempt at the pairing, a ply that was played,
/// a game that is not over where play is halted.
fn of_what_was_played(bench: &mut Bench<'_>, subject: &str, point: &Point<'_>, board: &Board, halt: bool) {
    const RULE: RuleId = RuleId::RulingNumber;
    let Point { pairing, ply, .. } = *point;
    if let Some(game) = point.game {
        let attempt = board.games.values().any(|known| known == game);
        bench.hold(RULE, subject, attempt, || {
            ("an attempt at that pairing".to_owned(), format!("{game} is no game of {pairing}"))
        });
    }
    let game = point.game.or_else(|| board.games.values().next_back());
    let Some(facts) = game.and_then(|game| bench.case.around.game(game)) else { return };
    bench.hold(RULE, subject, ply <= facts.plies, || {
        let expected = format!("one of the {} plies that were played", facts.plies);
        (expected, format!("play goes on after ply {ply}"))
    });
    bench.hold(RULE, subject, !halt || facts.ended.is_none(), || {
        let expected = "a game that is over is invalidated, once its result is recorded".to_owned();
        (expected, "the game is over".to_owned())
    });
}

fn rematch(bench: &mut Bench<'_>, subject: &str, pairing: Pairing, failure: Failure) {
    let Some(board) = known(bench, subject, pairing) else { return };
    not_frozen(bench, subject, pairing);
    let late = !board.forfeited_by().is_empty();
    bench.hold(RuleId::ForfeitNoRematch, subject, !late, || {
        let who: Vec<&str> = board.forfeited_by().iter().map(|player| player.as_str()).collect();
        let expected = "a game lost by forfeit is not played again, whatever the reason".to_owned();
        (expected, format!("{pairing} was forfeited by {}", who.join(" and ")))
    });
    bench.hold(RuleId::RulingRematch, subject, failure == Failure::GameServer, || {
        let expected = "a rematch for a fault of the game server".to_owned();
        (expected, format!("the cause is {}", failure.word()))
    });
    let rule = first_rule(bench, &[RuleId::RulingRematch, RuleId::RulingResume, RuleId::RulingNumber]);
    let played = board.last_attempt() > 0 || board.outcome().is_some();
    bench.hold(rule, subject, played, || {
        ("a game that was begun".to_owned(), format!("no game of {pairing} has begun"))
    });
    // Where games are resumed from the point of the failure, one from the start is such a point too, if the failure was there.
    if bench.has(RuleId::RulingInvalidate) {
        cause(bench, subject, failure);
        let why = "a replay begins where the disadvantage first occurred: here, at the start";
        bench.open(RuleId::RulingInvalidate, subject, why);
    }
}

fn set_result(bench: &mut Bench<'_>, subject: &str, pairing: Pairing, outcome: Outcome) {
    let Some(board) = known(bench, subject, pairing) else { return };
    if bench.has(RuleId::RulingFrozen) {
        let now = PairingNow { case: bench.case, pairing, board };
        bench.allowed(RuleId::RulingFrozen, subject, now.may_set_result());
    }
    bench.hold(RuleId::ResultDraw, subject, outcome != Outcome::Draw, || {
        ("one of the two wins".to_owned(), "a draw".to_owned())
    });
    let first = bench.side(Side::Gold);
    bench.hold(RuleId::GamePlayers, subject, outcome.winner().is_none() || board.gold().is_some(), || {
        let expected = "the colours are decided before a side can win".to_owned();
        (expected, format!("who has {first} in {pairing} is not decided"))
    });
    if bench.has(RuleId::RulingFinal) {
        bench.hold(RuleId::RulingFinal, subject, true, Default::default);
    } else if bench.has(RuleId::RulingHalt) {
        let why = "the rules speak of halting and replaying, and leave a result to the games";
        bench.open(RuleId::RulingCause, subject, why);
    }
}

fn set_territory(bench: &mut Bench<'_>, subject: &str, pairing: Pairing, squares: u32) {
    if !bench.has(RuleId::Territory) {
        bench.hold(RuleId::RulingNumber, subject, false, || {
            ("a rulebook that counts territory".to_owned(), format!("{squares} squares are given"))
        });
        return;
    }
    let Some(board) = known(bench, subject, pairing) else { return };
    let won = board.outcome().is_some_and(|outcome| outcome.winner().is_some());
    bench.hold(RuleId::Territory, subject, won, || {
        ("territory is credited to a winner".to_owned(), format!("{pairing} has no winner"))
    });
    bench.hold(RuleId::Territory, subject, squares <= MOST_TERRITORY, || {
        (format!("at most {MOST_TERRITORY} squares are free of queens"), format!("{squares} squares"))
    });
    let played_out = board.termination() == Some(Termination::Immobilization);
    bench.hold(RuleId::Territory, subject, !played_out || board.territory() == Some(squares), || {
        let has = board.territory().map_or_else(|| "none".to_owned(), |squares| squares.to_string());
        (format!("the game was played out: its territory is {has}"), format!("{squares} squares"))
    });
}

/// Who is in can be removed, who is out can be reinstated.
fn standing(bench: &mut Bench<'_>, subject: &str, player: &PlayerId, removes: bool) {
    super::player(bench, subject, player);
    let Some(entrant) = bench.case.tournament.entrants.get(player) else { return };
    let is_in = matches!(entrant.status, EntrantStatus::Entered | EntrantStatus::Invited);
    bench.hold(RuleId::RulingNumber, subject, is_in == removes, || {
        let expected = if removes { "a player who takes part" } else { "a player who is out" };
        (expected.to_owned(), format!("`{player}` is {}", entrant.status.word()))
    });
    if !removes {
        entries::returns(bench, subject, player);
    }
}

/// A player who was removed for a forfeit comes back only by an appeal that was accepted.
fn appeal_of_the_removed(bench: &mut Bench<'_>, subject: &str, player: &PlayerId) {
    let tournament = bench.case.tournament;
    let left = tournament.entrants.get(player).and_then(|entrant| entrant.left.as_ref());
    if left.is_none_or(|left| left.how != crate::state::Leaving::Forfeit) {
        return;
    }
    bench.hold(RuleId::ForfeitRemoved, subject, tournament.heard(player), || {
        (format!("an appeal of `{player}` is accepted first"), "none was accepted".to_owned())
    });
}
