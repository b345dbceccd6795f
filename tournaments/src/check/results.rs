//! Games attached to pairings, results, forfeits.

use crate::rulebook::RuleId;
use annals_events::tournament::{Effect, ForfeitClaimed, GameAttached, Outcome, ResultRecorded, RulingGiven};
use annals_events::{GameId, Pairing, Side, Termination, TournamentEvent};

use super::attempts::PairingNow;
use super::{Bench, games};
use crate::formats::encounters::UnfinishedTerritory;
use crate::state::calendar::utc;
use crate::state::{Board, ResumePoint, Tournament};

/// The squares of the usual board that no queen stands on: nobody has more territory.
pub(crate) const MOST_TERRITORY: u32 = 92;

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::RoundStarted(started) => rests_on_what_stands(bench, started.round),
        TournamentEvent::GameAttached(attached) => {
            rests_on_what_stands(bench, attached.pairing.round);
            game_attached(bench, attached);
        }
        TournamentEvent::ResultRecorded(result) => {
            rests_on_what_stands(bench, result.pairing.round);
            result_recorded(bench, result);
        }
        TournamentEvent::ForfeitClaimed(claimed) => forfeit_claimed(bench, claimed),
        _ => {}
    }
}

/// The first of some rules that the rulebook has: an older text may not know the finer one.
pub(crate) fn first_rule(bench: &Bench<'_>, rules: &[RuleId]) -> Option<RuleId> {
    rules.iter().copied().find(|rule| bench.has(*rule))
}

/// A round that was paired before a ruling changed a result of an earlier one is paired anew before it is played.
fn rests_on_what_stands(bench: &mut Bench<'_>, number: u32) {
    if !bench.has(RuleId::RulingFrozen) {
        return;
    }
    let tournament = bench.case.tournament;
    let Some(round) = tournament.rounds.get(&number) else { return };
    let ruling = tournament.rulings.iter().find(|given| {
        given.seq > round.paired.seq
            && changes_result_of(tournament, &given.ruling).is_some_and(|round| round < number)
    });
    bench.hold(RuleId::RoundOrder, format!("round {number}"), ruling.is_none(), || {
        let given = ruling.map_or(0, |ruling| ruling.ruling.number);
        (
            format!("the pairing of round {number} is revoked, and it is paired anew"),
            format!("it was paired before ruling {given} changed a result that it rests on"),
        )
    });
}

/// The first round of which a ruling changes a result, by its effect or by undoing an earlier one.
pub(crate) fn changes_result_of(tournament: &Tournament, ruling: &RulingGiven) -> Option<u32> {
    let mut rulings = tournament.rulings.iter().map(|old| &old.ruling);
    let undone = rulings.find(|old| Some(old.number) == ruling.supersedes);
    let effects = [Some(ruling), undone].into_iter().flatten().map(|ruling| &ruling.effect);
    effects
        .filter_map(|effect| match effect {
            Effect::Invalidate { pairing, .. }
            | Effect::Rematch { pairing, .. }
            | Effect::SetResult { pairing, .. }
            | Effect::Vacate { pairing } => Some(pairing.round),
            _ => None,
        })
        .min()
}

fn game_attached(bench: &mut Bench<'_>, attached: &GameAttached) {
    let GameAttached { pairing, attempt, game } = attached;
    let subject = format!("the game {game} of {pairing}");
    let Some(board) = stands(bench, *pairing, &subject) else { return };
    let due = board.last_attempt().saturating_add(1);
    let rule = first_rule(bench, &[RuleId::RulingResume, RuleId::RulingRematch, RuleId::ResultOnce]);
    bench.hold(rule, subject.as_str(), *attempt == due, || {
        (format!("the next attempt is the {due}."), format!("it is called the {attempt}."))
    });
    // The same game cannot be played twice, here or on another board.
    let rounds = &bench.case.tournament.rounds;
    let elsewhere = rounds.iter().find_map(|(&round, known)| {
        let boards = &mut known.boards.iter();
        let found = boards.find(|(_, other)| other.games.values().any(|other| other == game));
        found.map(|(&board, _)| Pairing { round, board })
    });
    bench.hold(RuleId::ResultOnce, subject.as_str(), elsewhere.is_none(), || {
        let where_ = elsewhere.map_or_else(String::new, |other| format!("it is a game of {other} already"));
        ("a game belongs to one pairing, once".to_owned(), where_)
    });
    let facts = bench.case.around.game(game);
    let paired = rounds.get(&pairing.round).filter(|round| !round.inferred).map(|round| round.paired.at);
    if let (Some(began), Some(paired)) = (facts.and_then(|facts| facts.started_at), paired) {
        bench.hold(RuleId::GamePlayers, subject.as_str(), began >= paired, || {
            let expected = "a game that began after its pairing was published".to_owned();
            (expected, format!("{game} began before {pairing} was paired"))
        });
    }
    let owed = board.owed().map(|owed| owed.fact.clone());
    let now = PairingNow { case: bench.case, pairing: *pairing, board };
    let may = now.may_start(resumption(board, facts));
    bench.allowed(RuleId::ResultPaired, &subject, may);
    games::attached(bench, *pairing, board, game);
    if let Some(owed) = owed {
        let old = board.games.get(&owed.attempt).and_then(|old| bench.case.around.game(old));
        if let Some(rated) = old.and_then(|old| old.rated) {
            bench.hold(RuleId::RulingUnrated, subject.as_str(), !rated, || {
                ("the game that was taken out of force is unrated".to_owned(), "it is still rated".to_owned())
            });
        }
        let due = owed.clocks.map(super::rulings::as_facts);
        let ply = owed.ply.unwrap_or(0);
        let due = due.or_else(|| old.and_then(|old| games::clocks_at(old, ply)));
        let has = facts.and_then(|facts| games::clocks_at(facts, ply));
        if let (Some(due), Some(has), Some(_)) = (due, has, owed.ply) {
            super::rulings::compare_clocks(bench, &subject, due, has);
        }
    }
}

/// From where a game goes on by its own record; what the log does not hold is taken to go on as it is due.
fn resumption(board: &Board, facts: Option<&annals_rules::GameFacts>) -> Option<ResumePoint> {
    let owed = board.owed().map(|owed| &owed.fact);
    // Of a game that the log does not hold, only that nothing is kept of it can be told.
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

/// The board, or a departure from the rule that a result belongs to a pairing.
fn stands<'a>(bench: &mut Bench<'a>, pairing: Pairing, subject: &str) -> Option<&'a Board> {
    let rounds = &bench.case.tournament.rounds;
    let board = rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
    if board.is_none() {
        bench.hold(RuleId::ResultPaired, subject, false, || {
            let known = rounds.get(&pairing.round).map_or_else(
                || format!("round {} is not paired", pairing.round),
                |round| format!("round {} has the boards {:?}", pairing.round, round.boards.keys()),
            );
            (
                "a pairing that stands".to_owned(),
                format!("{pairing} was never paired, or was revoked: {known}"),
            )
        });
    }
    board
}

fn result_recorded(bench: &mut Bench<'_>, result: &ResultRecorded) {
    let pairing = result.pairing;
    let subject = format!("the result of {pairing}");
    let Some(board) = stands(bench, pairing, &subject) else { return };
    let forfeit = board.is_forfeit_by(result);
    bench.hold(RuleId::ResultOnce, subject.as_str(), board.outcome().is_none(), || {
        let found = board.outcome().map_or("", Outcome::word);
        ("one result, unless a ruling takes it back".to_owned(), format!("{pairing} has the result {found}"))
    });
    if board.outcome().is_none() {
        let number = result_attempt(board, result);
        let under_way = board.attempt_under_way();
        let attempt = number.unwrap_or(under_way);
        let now = PairingNow { case: bench.case, pairing, board };
        let may = if forfeit {
            now.may_forfeit(result.outcome)
        } else if board.status_of(attempt).is_some() {
            now.may_end(attempt)
        } else {
            // A game that the log does not hold: no event says when it started, so its start is checked now.
            now.may_start(board.owed().map(|owed| owed.fact.point()))
        };
        bench.allowed(RuleId::ResultPaired, &subject, may);
    }
    let round = bench.case.tournament.rounds.get(&pairing.round);
    let begun = forfeit || round.is_some_and(|round| round.started_at.is_some() || round.inferred);
    bench.hold(RuleId::ResultPaired, subject.as_str(), begun, || {
        let expected = format!("a game of round {} has begun: record its start first", pairing.round);
        (expected, format!("round {} has not begun", pairing.round))
    });
    outcome(bench, &subject, board, result, forfeit);
    ends_so(bench, &subject, result.termination);
    if forfeit && result.outcome.winner().is_some() {
        claimed_by_the_winner(bench, &subject, board, result);
    }
    let game = game_of(board, result);
    if let Some(game) = &game {
        of_the_game(bench, &subject, board, result, game, forfeit);
    }
    territory(bench, &subject, result, &LastPosition::of(bench, result, game.as_ref()));
}

/// The attempt that a result is of, as far as it says.
fn result_attempt(board: &Board, result: &ResultRecorded) -> Option<u32> {
    result.attempt.or_else(|| result.game.as_ref().and_then(|game| board.number_of(game)))
}

/// The game that a result is of: the one that it names, else the attempt's.
fn game_of(board: &Board, result: &ResultRecorded) -> Option<GameId> {
    let attempt = result_attempt(board, result).unwrap_or_else(|| board.attempt_under_way());
    result.game.clone().or_else(|| board.games.get(&attempt).cloned())
}

fn outcome(bench: &mut Bench<'_>, subject: &str, board: &Board, result: &ResultRecorded, forfeit: bool) {
    let word = bench.outcome(result.outcome);
    let found = || format!("it is recorded as {word}");
    let by_ruling = matches!(result.outcome, Outcome::DoubleWin | Outcome::NoDecision);
    bench.hold(RuleId::ResultGame, subject, !by_ruling, || {
        ("only a ruling says that both won, or that nothing was decided".to_owned(), found())
    });
    let double_loss = result.outcome == Outcome::DoubleLoss && !forfeit;
    bench.hold(RuleId::ResultGame, subject, !double_loss, || {
        ("both lose only by forfeit, or by a ruling".to_owned(), found())
    });
    bench.hold(RuleId::ResultDraw, subject, result.outcome != Outcome::Draw, || {
        ("one of the two wins".to_owned(), found())
    });
    let needs_colours = result.outcome.winner().is_some();
    let first = bench.side(Side::Gold);
    bench.hold(RuleId::GamePlayers, subject, board.gold().is_some() || !needs_colours, || {
        let expected = "the colours are decided before a side can win".to_owned();
        (expected, format!("who has {first} in {} is not decided", result.pairing))
    });
}

/// A game ends in one of the ways that its rules have.
pub(crate) fn ends_so(bench: &mut Bench<'_>, subject: &str, said: Option<Termination>) {
    let game = bench.case.rulebook.game;
    if let Some(said) = said.filter(|said| !said.occurs_in(game)) {
        bench.hold(RuleId::ResultGame, subject, false, || {
            let ways = Termination::ALL.into_iter().filter(|way| way.occurs_in(game));
            let ways: Vec<&str> = ways.map(Termination::word).collect();
            (format!("a game of {game} ends by {}", ways.join(", ")), format!("it is recorded as {said}"))
        });
    }
}

fn of_the_game(
    bench: &mut Bench<'_>,
    subject: &str,
    board: &Board,
    result: &ResultRecorded,
    game: &GameId,
    forfeit: bool,
) {
    let attempt = board.number_of(game);
    let agrees = attempt.is_some() && result.attempt.is_none_or(|said| Some(said) == attempt);
    bench.hold(RuleId::ResultGame, subject, agrees, || {
        let found = match attempt {
            None => format!("{game} is no game of {}: attach it first", result.pairing),
            Some(attempt) => format!("{game} is attempt {attempt}, not {}", result.attempt.unwrap_or(0)),
        };
        ("the result is that of an attempt at the pairing".to_owned(), found)
    });
    let Some(facts) = bench.case.around.game(game) else {
        if attempt.is_some() {
            bench.open(RuleId::ResultGame, subject, format!("the log does not hold the game {game}"));
        }
        return;
    };
    match &facts.ended {
        None => bench.hold(RuleId::ResultGame, subject, forfeit, || {
            let plies = facts.plies;
            let expected = "the game ends before its result is recorded".to_owned();
            (expected, format!("{game} is not over after {plies} plies"))
        }),
        Some(end) => {
            let expected = end.winner.map_or(Outcome::Draw, Outcome::from);
            let same = result.termination.is_none_or(|said| said == end.termination);
            let [due, said] = [expected, result.outcome].map(|outcome| bench.outcome(outcome));
            bench.hold(RuleId::ResultGame, subject, expected == result.outcome && same, || {
                let by = result.termination.map_or_else(String::new, |said| format!(" by {}", said.word()));
                (
                    format!("{game} ended as {due} by {}", end.termination.word()),
                    format!("{said} is recorded{by}"),
                )
            });
        }
    }
    games::finished(bench, result.pairing, board, game);
}

/// What the log itself holds of the end of a game.
struct LastPosition<'g> {
    game: Option<&'g GameId>,
    termination: Option<Termination>,
    /// The winner's squares there, where that is the winner that the result names.
    squares: Option<u32>,
}

impl<'g> LastPosition<'g> {
    fn of(bench: &Bench<'_>, result: &ResultRecorded, game: Option<&'g GameId>) -> LastPosition<'g> {
        let facts = game.and_then(|game| bench.case.around.game(game));
        let counted = facts.and_then(|facts| facts.territory);
        LastPosition {
            game,
            termination: facts.and_then(|facts| facts.ended).map(|end| end.termination),
            squares: counted
                .filter(|(winner, _)| result.outcome.winner() == Some(*winner))
                .map(|(_, squares)| squares),
        }
    }

    /// Says what the log holds, behind a sentence.
    fn and_the_log(&self) -> String {
        match (self.game, self.termination) {
            (Some(game), Some(termination)) => format!("; {game} ended by {}", termination.word()),
            _ => String::new(),
        }
    }
}

/// Territory is the winner's, of a game that was played out; of any other it is nothing, unless a ruling or the reading
/// of the text gives it. Where the log holds the game, it is the one of the position in which that ended. A result that
/// does not say how the game ended credits nothing: nobody could tell what it counts for.
fn territory(bench: &mut Bench<'_>, subject: &str, result: &ResultRecorded, last: &LastPosition<'_>) {
    if !bench.has(RuleId::Territory) {
        return;
    }
    let said = result.termination;
    // What the game itself says comes before what is said of it.
    let played_out = last.termination.or(said) == Some(Termination::Immobilization);
    let won = result.outcome.winner().is_some();
    let as_it_stands = bench.case.rulebook.readings.encounters.territory == UnfinishedTerritory::AsItStands;
    match result.territory {
        Some(squares) if !won => bench.hold(RuleId::Territory, subject, false, || {
            ("territory is credited to a winner".to_owned(), format!("{squares} squares without a winner"))
        }),
        Some(squares) if squares > 0 && said == Some(Termination::Forfeit) => {
            bench.hold(RuleId::Territory, subject, false, || {
                ("a game that was not played has no territory".to_owned(), format!("{squares} squares"))
            });
        }
        Some(squares) if squares > 0 && said.is_none() && !as_it_stands => {
            bench.hold(RuleId::Territory, subject, false, || {
                let expected =
                    "a result that credits territory says that the game was played out (immobilization)";
                let found =
                    format!("{squares} squares, and no word of how the game ended{}", last.and_the_log());
                (expected.to_owned(), found)
            });
        }
        Some(squares) if squares > 0 && !played_out && !as_it_stands => {
            bench.hold(RuleId::Territory, subject, false, || {
                let expected = "a game that was not played out counts 0, unless a ruling gives it".to_owned();
                (expected, format!("{squares} squares{}", last.and_the_log()))
            });
        }
        Some(squares) if squares > MOST_TERRITORY => bench.hold(RuleId::Territory, subject, false, || {
            (format!("at most {MOST_TERRITORY} squares are free of queens"), format!("{squares} squares"))
        }),
        Some(squares) => {
            let counted = last.squares.filter(|counted| (played_out || as_it_stands) && *counted != squares);
            bench.hold(RuleId::Territory, subject, counted.is_none(), || {
                let expected = last.game.zip(counted).map_or_else(String::new, |(game, counted)| {
                    format!("the winner can still reach {counted} squares at the end of {game}")
                });
                (expected, format!("{squares} squares"))
            });
        }
        None if won && said.is_none() && !as_it_stands => {
            let why = format!(
                "the result does not say how the game ended, so nobody can tell whether its territory counts{}",
                last.and_the_log()
            );
            bench.open(RuleId::Territory, subject, why);
        }
        None if won && played_out => {
            let known = last.game.zip(last.squares).map_or_else(String::new, |(game, squares)| {
                format!("; at the end of {game} it is {squares} squares")
            });
            bench.open(
                RuleId::Territory,
                subject,
                format!("the territory of the winner is not recorded{known}"),
            );
        }
        None => bench.hold(RuleId::Territory, subject, true, Default::default),
    }
}

fn forfeit_claimed(bench: &mut Bench<'_>, claimed: &ForfeitClaimed) {
    let pairing = claimed.pairing;
    let subject = format!("the claim of {} in {pairing}", claimed.claimant);
    let Some(board) = stands(bench, pairing, &subject) else { return };
    let of_the_pair = board.has(&claimed.claimant);
    bench.hold(RuleId::ForfeitClaim, subject.as_str(), of_the_pair, || {
        let expected = format!("`{}` or `{}` claims it", board.upper(), board.lower());
        (expected, format!("`{}` claims it", claimed.claimant))
    });
    bench.hold(RuleId::ForfeitClaim, subject.as_str(), board.outcome().is_none(), || {
        ("the game is still to be decided".to_owned(), format!("{pairing} has its result"))
    });
    let Some(lateness) = bench.case.rulebook.lateness else { return };
    let Some(scheduled) = board.scheduled_at() else {
        let why = format!("no event fixes the time of {pairing}, so nobody can tell who was late");
        bench.open(RuleId::ForfeitClaim, subject, why);
        return;
    };
    if let Some(said) = claimed.scheduled_at {
        bench.hold(RuleId::ForfeitClaim, subject.as_str(), said == scheduled, || {
            (format!("the game was fixed for {}", utc(scheduled)), format!("the claim says {}", utc(said)))
        });
    }
    let absent = board.other(&claimed.claimant);
    if bench.has(RuleId::NoticeGameTime)
        && !crate::appointment::told_the_time(bench.case.tournament, pairing, absent)
    {
        let why = format!("no notice is recorded that told `{absent}` when the game of {pairing} is played");
        bench.open(RuleId::NoticeGameTime, subject.as_str(), why);
    }
    let over = scheduled.saturating_add(lateness);
    if let Some(waited) = claimed.waited_until {
        bench.hold(RuleId::ForfeitClaim, subject.as_str(), waited >= over, || {
            let minutes = waited.saturating_sub(scheduled).div_euclid(crate::rulebook::MINUTE);
            let expected = format!("{} minutes are waited", lateness / crate::rulebook::MINUTE);
            (expected, format!("{minutes} minutes were waited"))
        });
        let at = bench.when.at;
        bench.hold(RuleId::ForfeitClaim, subject.as_str(), at >= waited, || {
            (
                "a claim comes after the waiting".to_owned(),
                format!("it is dated {}, before {}", utc(at), utc(waited)),
            )
        });
    } else {
        let at = bench.when.at;
        bench.hold(RuleId::ForfeitClaim, subject, at >= over, || {
            (format!("the game can be claimed from {}", utc(over)), format!("it is claimed at {}", utc(at)))
        });
    }
}

/// Who did not come loses, and the other one claims it; without a claim nobody can tell whether anybody waited.
fn claimed_by_the_winner(bench: &mut Bench<'_>, subject: &str, board: &Board, result: &ResultRecorded) {
    if !bench.has(RuleId::ForfeitClaim) {
        return;
    }
    let winner = match result.outcome.winner() {
        Some(Side::Gold) => board.gold(),
        _ => board.silver(),
    };
    let Some(winner) = winner else { return };
    match &board.claim {
        Some(claim) => bench.hold(RuleId::ForfeitClaim, subject, claim.fact.claimant == *winner, || {
            let found = format!("`{}` claimed it, `{winner}` wins", claim.fact.claimant);
            ("the one who claims it wins".to_owned(), found)
        }),
        None => {
            bench.open(RuleId::ForfeitClaim, subject, "no claim is recorded, so nobody can tell who waited")
        }
    }
}
