//! Compares a game with its tournament: players, sides, time control, clocks, moves. Facts that the log does
//! not contain are skipped.

use crate::rulebook::{RuleId, SetupTime};
use annals_events::tournament::Effect;
use annals_events::{BoardId, GameId, PlayerId, Side};
use annals_rules::clock::TimeControl;
use annals_rules::{GameFacts, Retraction, TakenBackBy};

use super::attempts::RESUMPTION;
use super::findings::rule_of;
use super::limit::AT_THE_LIMIT;
use super::{Checker, clocks, limit};
use crate::refusal::GOES_ON;
use crate::state::{Board, RulingInForce};

/// Why a correction of a turn in a game under way is undetermined.
const SLIP_OR_MOVE: &str = "a correction changes a turn while the game is under way: the director says whether that was a slip of entry or a move taken back";

pub(crate) fn attached(check: &mut Checker<'_>, pairing: BoardId, board: &Board, game: &GameId) {
    let Some(facts) = check.case.context.game(game) else { return };
    players(check, pairing, board, game, facts);
    time_control(check, pairing, board, game, facts);
    rated(check, pairing, board, game, facts);
}

pub(crate) fn finished(check: &mut Checker<'_>, pairing: BoardId, board: &Board, game: &GameId) {
    let Some(facts) = check.case.context.game(game) else { return };
    attached(check, pairing, board, game);
    let subject = format!("the game {game} of {pairing}");
    for rule in [RuleId::GameClock, RuleId::GameRules] {
        let violation = facts
            .violations
            .iter()
            .find(|violation| rule_of(check.case.rulebook, violation.code) == Some(rule));
        check.none(rule, &subject, violation, |violation| {
            let found = format!("event {}: {}", violation.seq, violation.message);
            ("everything in a game follows from what came before it", found)
        });
    }
    limit::finished(check, &subject, facts);
    if facts.setup_time_lost && check.case.rulebook.readings.setup_time == SetupTime::Added {
        check.hold(RuleId::GameClock, &subject, false, || {
            ("unused time of a setup is added to the reserve", "it is not added")
        });
    }
    check.hold(RuleId::GameNoTakeBack, &subject, facts.retracted == 0, || {
        ("no move is taken back", format!("{} turns were taken back", facts.retracted))
    });
    for retraction in &facts.retractions {
        let subject = format!("event {} in {subject}", retraction.seq);
        if retraction.kind == TakenBackBy::CorrectionInPlay && check.case.rulebook.edition > 1 {
            check.open(RuleId::GameNoTakeBack, &subject, SLIP_OR_MOVE);
        }
        taken_back(check, &subject, retraction);
    }
    adjourned(check, &subject, board, facts);
    let interrupted = facts.halts > 0 && !facts.halted && !is_halted_by_ruling(check, game);
    check.hold(RuleId::GameUninterrupted, subject, !interrupted, || {
        ("a game is completed once it is started", "it was halted, and resumed later")
    });
}

/// What happens during play that a rulebook may forbid.
#[derive(Debug, Clone, Copy)]
pub enum InPlay<'a> {
    TakenBack(&'a Retraction),
    Halted,
    /// Play of an attempt that has a successor or is out of force.
    GoesOn,
    /// Such an attempt ends.
    Ends,
    /// A finding on an ambiguous text: the game limit, unused setup time.
    Found {
        code: &'a str,
        what: &'a str,
    },
}

pub(crate) fn in_play(check: &mut Checker<'_>, game: &GameId, what: &InPlay<'_>) {
    match what {
        InPlay::TakenBack(retraction) => {
            let subject = format!("a move taken back in the game {game}");
            match retraction.kind {
                TakenBackBy::Play => check.hold(RuleId::GameNoTakeBack, &subject, false, || {
                    ("no move is taken back once it has been submitted", "a move is taken back")
                }),
                TakenBackBy::CorrectionInPlay if check.case.rulebook.edition > 1 => {
                    check.open(RuleId::GameNoTakeBack, &subject, SLIP_OR_MOVE);
                }
                TakenBackBy::CorrectionInPlay | TakenBackBy::Correction => {
                    check.compliant(RuleId::GameNoTakeBack, &subject);
                }
            }
            taken_back(check, &subject, retraction);
        }
        InPlay::GoesOn => goes_on(check, game),
        InPlay::Ends if check.case.rulebook.edition > 1 => goes_on(check, game),
        InPlay::Ends => {}
        InPlay::Halted => {
            let ruled = is_halted_by_ruling(check, game);
            check.hold(RuleId::GameUninterrupted, format!("the game {game}"), ruled, || {
                ("a game is completed once it is started", "it is halted")
            });
        }
        InPlay::Found { code, what } => {
            let rule = rule_of(check.case.rulebook, code);
            let expected = match rule {
                Some(RuleId::GameLimit) => AT_THE_LIMIT,
                _ => "unused time of a setup is not added to the reserve (T23)",
            };
            check.hold(rule, format!("the game {game}"), false, || (expected, *what));
        }
    }
}

/// A started game is completed. A resumption by ruling is the director's decision, and a rematch resumes
/// nothing. Edition 1 has no exception.
fn adjourned(check: &mut Checker<'_>, subject: &str, board: &Board, facts: &GameFacts) {
    const RULE: RuleId = RuleId::GameNoAdjournment;
    let strict = check.case.rulebook.edition == 1;
    let from = facts.resumes.as_ref().filter(|(_, ply)| strict || *ply > 0).map(|(game, _)| game);
    let ruled = from.filter(|_| !strict).and_then(|from| {
        let attempt = board.number_of(from)?;
        let aside = board.set_aside.iter().rev().find(|aside| aside.fact.attempt == attempt)?;
        check.case.tournament.rulings.iter().find(|given| given.seq == aside.seq)
    });
    if let Some(given) = ruled.filter(|_| !facts.halted) {
        let number = given.ruling.number;
        let why = format!("it goes on from another game by ruling {number}, for which the director answers");
        return check.open(RULE, subject, why);
    }
    check.hold(RULE, subject, !facts.halted && from.is_none(), || {
        let found = if facts.halted { "it was halted" } else { "it goes on from another game" };
        ("a game is completed once it is started", found)
    });
}

/// Play of an attempt that has a successor, or that a ruling put out of force. Edition 1 allows the latter.
fn goes_on(check: &mut Checker<'_>, game: &GameId) {
    let rule = check.first_rule(RESUMPTION);
    let (tournament, edition) = (check.case.tournament, check.case.rulebook.edition);
    let over = tournament.index.attached.get(game).into_iter().flatten().find_map(|pairing| {
        let (_, board) = check.case.board(*pairing)?;
        if let Some(later) = board.later_attempt(game) {
            return Some(format!("attempt {later} at {pairing} has begun"));
        }
        let aside = board.aside(game).filter(|_| edition > 1)?;
        let ruling = tournament.rulings.iter().find(|given| given.seq == aside.seq)?.ruling.number;
        Some(format!("ruling {ruling} took it out of force, and {pairing}{GOES_ON}"))
    });
    check.none(rule, format!("the game {game}"), over, |over| ("one game of a pairing at a time", over));
}

fn is_halted_by_ruling(check: &Checker<'_>, game: &GameId) -> bool {
    let halts = |given: &RulingInForce| matches!(given.ruling.effect, Effect::Halt { .. });
    let rulings = &check.case.tournament.rulings;
    rulings.iter().any(|given| halts(given) && given.game.as_ref() == Some(game))
}

/// A move is retracted by a director who states a reason (Olympiad 2000, Operational Rules 1).
fn taken_back(check: &mut Checker<'_>, subject: &str, retraction: &Retraction) {
    let directors =
        check.case.tournament.announced.as_ref().map_or(&[][..], |announced| &announced.directors);
    let by = retraction.by.trim();
    if directors.is_empty() {
        let edition = check.case.rulebook.edition;
        if let Some(player) = entered_as(check, by).filter(|_| edition > 1) {
            let found = format!("`{player}` asks for it, who plays in the tournament");
            let expected = "a move is taken back under the instruction of the director";
            return check.hold(RuleId::GameRetraction, subject, false, || (expected.to_owned(), found));
        }
        let why = format!("the announcement names no director, so it is not known whether {by} is one");
        check.open(RuleId::GameRetraction, subject, why);
        return;
    }
    let directs = directors.iter().any(|director| director.trim().eq_ignore_ascii_case(by));
    check.hold(RuleId::GameRetraction, subject, directs, || {
        let expected = format!("a move is taken back under the instruction of {}", directors.join(" or "));
        let found = if by.is_empty() { "no person is named".to_owned() } else { format!("{by} asks for it") };
        (expected, format!("{found}, who is no director"))
    });
    let says_why = retraction.reason.as_deref().is_some_and(|reason| !reason.trim().is_empty());
    check.hold(RuleId::GameRetraction, subject, says_why, || {
        ("it is said why a move is taken back", "no reason is given")
    });
}

/// The entrant of that identity or name, ignoring case.
fn entered_as<'a>(check: &Checker<'a>, name: &str) -> Option<&'a PlayerId> {
    let same = |other: &str| other.trim().eq_ignore_ascii_case(name);
    let mut entrants = check.case.tournament.entrants.iter();
    let found = entrants.find(|(player, entrant)| same(player.as_str()) || same(&entrant.name));
    found.map(|(player, _)| player)
}

/// Accepts a player's name in the gameroom or in the log, ignoring case.
fn players(check: &mut Checker<'_>, pairing: BoardId, board: &Board, game: &GameId, facts: &GameFacts) {
    let sides = [
        (Side::Gold, board.gold(), facts.gold.as_deref()),
        (Side::Silver, board.silver(), facts.silver.as_deref()),
    ];
    for (side, player, found) in sides {
        let Some(found) = found else { continue };
        let word = check.side_word(side);
        let subject = format!("{word} in the game {game} of {pairing}");
        match player {
            Some(player) => check.hold(RuleId::GamePlayers, subject, is_named(check, player, found), || {
                (format!("`{player}` has {word} in {pairing}"), format!("`{found}` plays it"))
            }),
            None => {
                let known = board.players();
                let of_the_pair = known.iter().any(|player| is_named(check, player, found));
                check.hold(RuleId::GamePlayers, subject, of_the_pair, || {
                    let expected =
                        format!("{pairing} is played by `{}` and `{}`", board.upper(), board.lower());
                    (expected, format!("`{found}` plays {word}"))
                });
            }
        }
    }
}

fn is_named(check: &Checker<'_>, player: &PlayerId, found: &str) -> bool {
    let entered = check.case.tournament.entrants.get(player).map(|entrant| entrant.name.as_str());
    player.as_str().eq_ignore_ascii_case(found)
        || entered.is_some_and(|name| name.eq_ignore_ascii_case(found))
}

/// A resumed game may have a shorter limit: the time played counts.
fn time_control(check: &mut Checker<'_>, pairing: BoardId, board: &Board, game: &GameId, facts: &GameFacts) {
    let Some(expected) = check.case.time_control(pairing.round) else { return };
    let Some(found) = facts.time_control.as_deref() else { return };
    let subject = format!("the game {game} of {pairing}");
    let rest = || is_the_rest_of(&expected, found, length_before(check, board, game));
    let follows = same_control(&expected, found) || facts.resumes.is_some() && rest();
    if follows {
        check.compliant(RuleId::TimeControl, subject);
    } else if facts.resumes.is_some() && differs_in_length_only(&expected, found) {
        let why = format!("{found} differs from {expected} in the game limit only, and the game is resumed");
        check.open(RuleId::TimeControl, subject, why);
    } else {
        check.hold(RuleId::TimeControl, subject, false, || {
            (format!("the time control is {expected}"), format!("it is played with {found}"))
        });
    }
}

fn read(text: &str) -> Option<TimeControl> {
    text.parse().ok()
}

/// One fixed time for all moves equals its other notation: `game 30m`, `0/30m`.
fn same_control(one: &str, other: &str) -> bool {
    let same = |one: TimeControl, other: TimeControl| {
        one == other || one.one_time().is_some() && one.one_time() == other.one_time()
    };
    one == other || read(one).zip(read(other)).is_some_and(|(one, other)| same(one, other))
}

fn differs_in_length_only(one: &str, other: &str) -> bool {
    let without = |text: &str| read(text).map(|control| control.with_game_limit(None));
    without(one).zip(without(other)).is_some_and(|(one, other)| one == other)
}

/// Whether a control is the remainder of another after `played`.
fn is_the_rest_of(whole: &str, found: &str, played: Option<u64>) -> bool {
    let rest = read(whole).zip(played).map(|(whole, played)| whole.after(played));
    rest.is_some() && rest == read(found)
}

/// Length of the game that an attempt resumes, at that ply: from the ruling, else from the log.
fn length_before(check: &Checker<'_>, board: &Board, game: &GameId) -> Option<u64> {
    let own = board.number_of(game).unwrap_or(u32::MAX);
    let aside = &board.set_aside.iter().rev().find(|aside| aside.fact.attempt < own)?.fact;
    let ruled = aside.clocks.and_then(|clocks| clocks.game_time);
    let before = || {
        clocks::clocks_at(check.case.context.game(board.games.get(&aside.attempt)?)?, aside.ply?)?.game_time
    };
    ruled.or_else(before)
}

fn rated(check: &mut Checker<'_>, pairing: BoardId, board: &Board, game: &GameId, facts: &GameFacts) {
    let Some(rated) = facts.rated else { return };
    let subject = format!("the game {game} of {pairing}");
    check.hold(RuleId::GameRated, &subject, rated, || ("games are rated", "the game is unrated"));
    check.hold(RuleId::GamePostal, &subject, facts.postal != Some(false), || {
        ("games are postal games", "the game is no postal game")
    });
    let resumed = board.games.keys().next().is_some_and(|first| board.games.get(first) != Some(game));
    if resumed {
        use crate::rulings::ResumedRating;
        let expected = check.case.rulebook.readings.resumed_rating == ResumedRating::Rated;
        check.hold(RuleId::RulingUnrated, &subject, rated == expected, || {
            let word = |rated| if rated { "rated" } else { "unrated" };
            (format!("a resumed game is {}", word(expected)), format!("it is {}", word(rated)))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{differs_in_length_only, is_the_rest_of, same_control};

    #[test]
    fn one_time_for_a_game_is_the_same_in_either_writing() {
        assert!(same_control("game 30m", "0/30m") && same_control("0/30m/0", "game 30"));
        assert!(!same_control("game 30m", "0/31m") && !same_control("game 30m", "1s/30m"));
        assert!(!same_control("0/30m", "0/30m/100/40m") && !same_control("none", "game 30m"));
    }

    #[test]
    fn a_resumed_game_is_played_with_the_rest_of_the_length() {
        let whole = "60s/5m/75/0/4h/4m";
        assert!(is_the_rest_of(whole, "1m/5m/75/0/3h55m/4m", Some(300)));
        assert!(!is_the_rest_of(whole, "1m/5m/75/0/3h55m/4m", Some(301)));
        assert!(!is_the_rest_of(whole, "1m/5m/75/0/3h55m/4m", None));
        assert!(!is_the_rest_of("none", "none", Some(0)));
        assert!(differs_in_length_only(whole, "1m/5m/75/0/2h/4m"));
        assert!(!differs_in_length_only(whole, "2m/5m/75/0/4h/4m"));
    }
}
