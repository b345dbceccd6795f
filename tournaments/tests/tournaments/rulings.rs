//! The technical rulings as events: the stored cases and random courses are judged by the checks that the handler and the
//! audit use, and compared with a model that looks only at the list of what was accepted. Wrong models must be caught.

use std::collections::BTreeMap;

use annals_events::tournament::{
    Effect, Failure, GameAttached, Outcome, PairingRevoked, ResultRecorded, RoundStarted, RulingGiven, Stage,
};
use annals_events::{BoardId, GameId, PlayerId, Side, Termination, TournamentEvent};
use annals_rules::{EndFacts, GameFacts};
use annals_tournaments::{AttemptStatus, Board};
use serde_json::{Value, json};

use crate::director::{self, Director, game};
use crate::rulings_by_list::{Wrong, random_course, refusals_by_the_list};
use crate::vectors::{ask_the_checkers, cases, vectors};

pub fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// The rules of the rulebook for a refusal in the words of the model.
fn rules_for(words: &str) -> &'static [&'static str] {
    match words {
        "must resume from the ruled point"
        | "point beyond the moves played"
        | "no resumption is due"
        | "first attempt has no parent" => &["ruling.resume"],
        "game not open" => &["ruling.resume", "result.once", "result.paired"],
        "colours may not change" => &["game.players"],
        "unknown or revoked pairing" => &["result.paired"],
        "no open pairing" => &["result.paired", "result.once"],
        "rule 1: a later round has begun" => &["ruling.frozen"],
        // A later round that has begun is told before anything else.
        "rule 2 needs a game in progress" => &["ruling.halt", "ruling.number", "ruling.frozen"],
        "rule 3 needs a finished game" => &["ruling.invalidate", "ruling.number", "ruling.frozen"],
        "not the result in force" => &["ruling.invalidate"],
        "previous round not complete" => &["round.order"],
        "round already begun" => &["round.order", "round.revoked"],
        "duplicate game id" | "another attempt is open" | "pairing already has a result" => &["result.once"],
        other => panic!("no rule is known for {other}"),
    }
}

/// No pairing of this name exists, or it was revoked.
const NONE: BoardId = BoardId { round: 9, board: 9 };

/// A tournament that is told by acts in the form in which the cases are stored.
pub struct Told {
    director: Director,
    /// The pairings that exist, by the names that the acts give them.
    names: BTreeMap<String, BoardId>,
}

impl Told {
    pub fn new() -> Told {
        let director = Director::with_players("wcc-2015", &["A", "B", "C", "D"]);
        Told { director, names: BTreeMap::new() }
    }

    pub fn is_paired(&self, round: u32) -> bool {
        self.director.tournament.rounds.contains_key(&round)
    }

    /// The pairings that exist, the latest round first.
    pub fn pairings(&self) -> Vec<String> {
        let mut names: Vec<(&BoardId, &String)> = self.names.iter().map(|(name, at)| (at, name)).collect();
        names.sort_by_key(|(at, _)| (std::cmp::Reverse(at.round), at.board));
        names.into_iter().map(|(_, name)| name.clone()).collect()
    }

    pub fn board(&self, name: &str) -> Option<&Board> {
        let at = self.names.get(name)?;
        self.director.tournament.rounds.get(&at.round)?.boards.get(&at.board)
    }

    pub fn place(&self, name: &str) -> Option<BoardId> {
        self.names.get(name).copied()
    }

    /// The game and the ply from which the next attempt has to go on.
    pub fn due(board: &Board) -> Option<(String, u32)> {
        let point = board.owed()?.fact.point();
        Some((board.games[&point.attempt].to_string(), point.ply))
    }

    pub fn letter(player: &PlayerId) -> String {
        player.as_str().to_uppercase()
    }

    pub fn is_open(&self, name: &str) -> bool {
        let Some((_, board)) = self.of_game(&game(name)) else { return false };
        board.status_of(board.number_of(&game(name)).unwrap()) == Some(AttemptStatus::Open)
    }

    fn of_game(&self, name: &GameId) -> Option<(BoardId, &Board)> {
        let rounds = self.director.tournament.rounds.iter();
        let boards = rounds.flat_map(|(&round, known)| {
            known.boards.iter().map(move |(&board, known)| (BoardId { round, board }, known))
        });
        boards.into_iter().find(|(_, board)| board.number_of(name).is_some())
    }

    /// Tells of an act; the rules that refuse it. An act that is refused changes nothing.
    pub fn tell(&mut self, act: &Value) -> Vec<&'static str> {
        let games = self.director.games.0.clone();
        let before = self.director.tournament.clone();
        let is_violation = self.attempt(act);
        if !is_violation.is_empty() {
            self.director.games.0 = games;
            self.director.tournament = before;
        }
        is_violation
    }

    fn attempt(&mut self, act: &Value) -> Vec<&'static str> {
        let number = |name: &str| u32::try_from(act[name].as_u64().unwrap()).unwrap();
        let at = self.names.get(act["pairing"].as_str().unwrap_or_default()).copied().unwrap_or(NONE);
        match act["e"].as_str().unwrap() {
            "pair" => self.pair(number("round"), act["pairs"].as_array().unwrap()),
            "start" => self.start(at, act),
            "move" => {
                let name = text(&act["game"]);
                if !self.is_open(&name) {
                    return vec!["ruling.resume"];
                }
                self.director.games.0.get_mut(&game(&name)).unwrap().plies += 1;
                Vec::new()
            }
            "end" => {
                let name = game(act["game"].as_str().unwrap());
                let winner = if act["winner"] == "gold" { Side::Gold } else { Side::Silver };
                let end = EndFacts { at: 0, winner: Some(winner), termination: Termination::Goal };
                if let Some(facts) = self.director.games.0.get_mut(&name) {
                    facts.ended = Some(end);
                }
                let found = self.of_game(&name).map(|(at, board)| (at, board.number_of(&name)));
                let (pairing, attempt) = found.unwrap_or((NONE, None));
                let said = director::result("r1.1", winner.into(), Some(Termination::Goal));
                let result = ResultRecorded { pairing, attempt, game: Some(name), ..said };
                self.says(TournamentEvent::ResultRecorded(result))
            }
            "forfeit" => {
                let outcome = match act["loser"].as_str().unwrap() {
                    "gold" => Outcome::Silver,
                    "silver" => Outcome::Gold,
                    _ => Outcome::DoubleLoss,
                };
                let said = director::result("r1.1", outcome, Some(Termination::Forfeit));
                self.says(TournamentEvent::ResultRecorded(ResultRecorded { pairing: at, ..said }))
            }
            word => {
                let name = game(act["game"].as_str().unwrap());
                let pairing = self.of_game(&name).map_or(NONE, |(at, _)| at);
                let (game, ply, failure, clocks) =
                    (Some(name), number("ply"), Failure::MoveLostToPlayer, None);
                if word == "halt" {
                    return self.rules(Effect::Halt { pairing, game, ply, failure, clocks });
                }
                let is_violation = self.rules(Effect::Invalidate { pairing, game, ply, failure, clocks });
                if is_violation.is_empty() {
                    self.revoke_from(pairing.round + 1);
                }
                is_violation
            }
        }
    }

    fn says(&mut self, event: TournamentEvent) -> Vec<&'static str> {
        let is_violation = self.director.is_violation(&event);
        self.director.tell(event);
        is_violation
    }

    fn rules(&mut self, effect: Effect) -> Vec<&'static str> {
        let number = u32::try_from(self.director.tournament.rulings.len()).unwrap() + 1;
        let reason = "a move was lost".to_owned();
        let (grounds, evidence) = (Vec::new(), Vec::new());
        let given =
            RulingGiven { number, effect, reason, grounds, evidence, dispute: None, supersedes: None };
        self.says(TournamentEvent::RulingGiven(given))
    }

    /// Revokes what is paired from a round on, as a command does after a ruling; the rules that refuse it.
    fn revoke_from(&mut self, from: u32) -> Vec<&'static str> {
        let rounds: Vec<u32> = self.director.tournament.rounds.range(from..).map(|(&at, _)| at).collect();
        let mut is_violation = Vec::new();
        for round in rounds.into_iter().rev() {
            let reason = "a result has changed".to_owned();
            is_violation.extend(self.says(TournamentEvent::PairingRevoked(PairingRevoked {
                round,
                board: None,
                reason,
            })));
        }
        if is_violation.is_empty() {
            self.names.retain(|_, at| at.round < from);
        }
        is_violation
    }

    /// Whether a round may be paired at all; which pairing is best is judged elsewhere.
    fn pair(&mut self, round: u32, pairs: &[Value]) -> Vec<&'static str> {
        let names = self.names.clone();
        let mut is_violation = if self.is_paired(round) { self.revoke_from(round) } else { Vec::new() };
        let players: Vec<(String, String)> =
            pairs.iter().map(|pair| (text(&pair[1]), text(&pair[2]))).collect();
        let players: Vec<(&str, &str)> =
            players.iter().map(|(one, other)| (one.as_str(), other.as_str())).collect();
        let event = director::paired(round, Stage::Final, &players);
        is_violation.extend(self.says(event).into_iter().filter(|rule| *rule == "round.order"));
        self.names = if is_violation.is_empty() { self.names.clone() } else { names };
        if is_violation.is_empty() {
            let boards = pairs.iter().zip(1..);
            self.names.extend(boards.map(|(pair, board)| (text(&pair[0]), BoardId { round, board })));
        }
        is_violation
    }

    fn start(&mut self, at: BoardId, act: &Value) -> Vec<&'static str> {
        let name = game(act["game"].as_str().unwrap());
        let side = |side: &str| act[side].as_str().map(str::to_owned);
        let from = act["from_ply"].as_u64().map(|ply| u32::try_from(ply).unwrap());
        let facts = GameFacts {
            gold: side("gold"),
            silver: side("silver"),
            resumes: act["parent"].as_str().map(|parent| (game(parent), from.unwrap())),
            plies: from.unwrap_or(0),
            ..GameFacts::default()
        };
        self.director.games.0.entry(name.clone()).or_insert(facts);
        let round = self.director.tournament.rounds.get(&at.round);
        let attempt = round.and_then(|round| round.boards.get(&at.board)).map_or(1, |b| b.last_attempt() + 1);
        let mut is_violation = Vec::new();
        if round.is_some_and(|round| round.started_at.is_none()) {
            let started = RoundStarted { round: at.round, pairing: None, game: None, programs: Vec::new() };
            is_violation = self.says(TournamentEvent::RoundStarted(started));
        }
        let attached = GameAttached { pairing: at, attempt, game: name };
        is_violation.extend(self.says(TournamentEvent::GameAttached(attached)));
        is_violation
    }
}

/// Tells of a course: the acts that are refused, with the rules.
fn refusals(log: &[Value]) -> Vec<(usize, Vec<&'static str>)> {
    let mut told = Told::new();
    let refused = log.iter().enumerate().map(|(i, act)| (i, told.tell(act)));
    refused.filter(|(_, rules)| !rules.is_empty()).collect()
}

/// Whether the same acts are refused, by rules that are meant by the words.
fn agree<'a>(
    refused: &[(usize, Vec<&'static str>)],
    expected: impl ExactSizeIterator<Item = (usize, &'a str)>,
) -> bool {
    refused.len() == expected.len()
        && refused.iter().zip(expected).all(|((i, rules), (at, words))| {
            *i == at && rules.iter().any(|rule| rules_for(words).contains(rule))
        })
}

fn agrees_with_list(refused: &[(usize, Vec<&'static str>)], listed: &[(usize, &'static str)]) -> bool {
    agree(refused, listed.iter().copied())
}

fn stored() -> Vec<(String, Vec<Value>, Vec<String>)> {
    let Some(file) = vectors("rulings.json") else { return Vec::new() };
    file.as_array()
        .unwrap()
        .iter()
        .map(|case| {
            let rejected = case["rejected"].as_array().unwrap().iter().map(text).collect();
            (text(&case["name"]), case["log"].as_array().unwrap().clone(), rejected)
        })
        .collect()
}

#[test]
fn the_sixteen_stored_cases_are_judged_as_stored() {
    let cases = stored();
    for (name, log, rejected) in &cases {
        let mut told = Told::new();
        let refused: Vec<_> =
            log.iter().map(|act| told.tell(act)).filter(|rules| !rules.is_empty()).collect();
        let refused: Vec<_> = (0..).zip(refused).collect();
        assert!(agree(&refused, rejected.iter().map(String::as_str).enumerate()), "{name}: {refused:?}");
        let findings = &told.director.tournament.findings;
        assert!(findings.is_empty(), "{name}: {findings:?}");
    }
    assert!(cases.is_empty() || cases.len() == 16);
}

#[test]
fn random_courses_are_judged_as_by_the_list_of_what_was_accepted() {
    let mut seen = BTreeMap::new();
    for seed in 0..cases(400, 10_000) {
        let log = random_course(seed);
        let listed = refusals_by_the_list(&log, None);
        let refused = refusals(&log);
        assert!(agrees_with_list(&refused, &listed), "seed {seed}: {refused:?}, by the list {listed:?}");
        for (_, words) in listed {
            *seen.entry(words).or_insert(0) += 1;
        }
    }
    assert!(seen.len() == 15 && seen.values().all(|times| *times > 4), "every refusal occurs: {seen:?}");
}

#[test]
fn every_wrong_model_is_caught_by_a_stored_case_or_a_random_course() {
    let cases = stored();
    if cases.is_empty() {
        return;
    }
    let course = |seed| {
        let log = random_course(seed);
        (refusals(&log), log)
    };
    let mut courses: Vec<_> = Vec::new();
    use Wrong::*;
    let mut by_stored = 0;
    for wrong in [
        PairingFreezes,
        NothingFreezes,
        AnyPoint,
        AnyPly,
        OneAttemptOnly,
        ColoursFree,
        HaltedGoesOn,
        InvalidatedKeepsItsResult,
        RoundsUnordered,
        NextRoundStands,
        ForfeitIsNoResult,
        DoubleForfeitLeavesOpen,
        TwoAtOnce,
        ResumedCountFromNothing,
        InvalidatedAgain,
    ] {
        let stored = cases.iter().any(|(_, log, rejected)| {
            let words: Vec<&str> =
                refusals_by_the_list(log, Some(wrong)).into_iter().map(|(_, words)| words).collect();
            words != *rejected
        });
        by_stored += usize::from(stored);
        let caught = stored
            || (0..400).any(|seed| {
                if courses.len() <= seed {
                    courses.push(course(seed as u64));
                }
                let (refused, log) = &courses[seed];
                !agrees_with_list(refused, &refusals_by_the_list(log, Some(wrong)))
            });
        assert!(caught, "{wrong:?} is not caught");
    }
    assert!(by_stored >= 11, "the stored cases catch {by_stored}");
}

#[test]
fn the_checker_itself_judges_random_courses_alike() {
    let logs: Vec<Vec<Value>> = (0..cases(0, 3_000)).map(|seed| random_course(500_000 + seed)).collect();
    let program = "
import json, sys, rulings
print(json.dumps([rulings.apply(log)[1] for log in json.load(sys.stdin)]))
";
    let Some(answer) = ask_the_checkers(program, &json!(logs)) else { return };
    for (i, log) in logs.iter().enumerate() {
        let refused = refusals(log);
        let expected = answer[i].as_array().unwrap().iter();
        let expected = expected.map(|line| (line[0].as_u64().unwrap() as usize, line[1].as_str().unwrap()));
        assert!(agree(&refused, expected), "course {i}: {refused:?}, by the checker {}", answer[i]);
    }
}
