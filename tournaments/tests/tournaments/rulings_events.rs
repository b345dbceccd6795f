//! The stored cases of technical rulings, told as events of a tournament with its games around it.

use annals_events::tournament::{Effect, Failure, Outcome, Stage};
use annals_events::{Pairing, Side, Termination, TournamentEvent};
use annals_rules::{EndFacts, GameFacts};
use annals_tournaments::check::{AttemptOf, course};
use annals_tournaments::commands::Command;
use annals_tournaments::rulings::{Act, PairedBoard};
use serde_json::Value;

use crate::director::{Director, game, id};
use crate::rulings::text;
use crate::vectors::vectors;

/// The stored pairings by their letters: `a` and `b` are of round 1, `c` and `d` of round 2.
fn place(letter: &str) -> Pairing {
    match letter {
        "a" => Pairing { round: 1, board: 1 },
        "b" => Pairing { round: 1, board: 2 },
        "c" => Pairing { round: 2, board: 1 },
        _ => Pairing { round: 2, board: 2 },
    }
}

/// The rule of the rulebook for a refusal in the words of the stored cases.
fn rule_for(words: &str) -> &'static str {
    match words {
        "must resume from the ruled point" | "point beyond the moves played" | "game not open" => {
            "ruling.resume"
        }
        "colours may not change" => "game.players",
        "unknown or revoked pairing" => "result.paired",
        "rule 1: a later round has begun" => "ruling.frozen",
        "rule 2 needs a game in progress" => "ruling.halt",
        "rule 3 needs a finished game" => "ruling.invalidate",
        "previous round not complete" => "round.order",
        "another attempt is open" | "pairing already has a result" => "result.once",
        other => panic!("no rule is known for {other}"),
    }
}

fn command(director: &mut Director, event: &Value) -> Command {
    let number = |name: &str| u32::try_from(event[name].as_u64().unwrap()).unwrap();
    match event["e"].as_str().unwrap() {
        "start" => {
            let pairing = place(event["pairing"].as_str().unwrap());
            let name = game(event["game"].as_str().unwrap());
            let side = |side: &str| event[side].as_str().map(|name| name.to_owned());
            let facts = GameFacts {
                gold: side("gold"),
                silver: side("silver"),
                resumes: event["parent"].as_str().map(|parent| (game(parent), number("from_ply"))),
                plies: event["from_ply"].as_u64().map_or(0, |_| number("from_ply")),
                ..GameFacts::default()
            };
            director.games.0.insert(name.clone(), facts);
            Command::Start { pairing, game: Some(name) }
        }
        "end" => {
            let name = game(event["game"].as_str().unwrap());
            let winner = if event["winner"] == "gold" { Side::Gold } else { Side::Silver };
            let end = EndFacts { at: 0, winner: Some(winner), termination: Termination::Goal };
            director.games.0.get_mut(&name).unwrap().ended = Some(end);
            Command::Result {
                pairing: of_game(director, &name),
                outcome: None,
                termination: None,
                game: Some(name),
                territory: None,
            }
        }
        "forfeit" => {
            let pairing = place(event["pairing"].as_str().unwrap());
            let board = &director.tournament.rounds[&pairing.round].boards[&pairing.board];
            let (gold, silver) = (board.gold.clone().unwrap(), board.silver().cloned().unwrap());
            let absent = match event["loser"].as_str().unwrap() {
                "gold" => vec![gold],
                "silver" => vec![silver],
                _ => vec![gold, silver],
            };
            Command::Forfeit { pairing, absent, waited_until: None }
        }
        word => {
            let name = game(event["game"].as_str().unwrap());
            let pairing = of_game(director, &name);
            let (ply, failure, clocks) = (number("ply"), Failure::MoveLostToPlayer, None);
            let effect = if word == "halt" {
                Effect::Halt { pairing, game: Some(name), ply, failure, clocks }
            } else {
                Effect::Invalidate { pairing, game: Some(name), ply, failure, clocks }
            };
            Command::Rule {
                effect,
                reason: "a move was lost".to_owned(),
                evidence: Vec::new(),
                dispute: None,
                supersedes: None,
            }
        }
    }
}

fn of_game(director: &Director, name: &annals_events::GameId) -> Pairing {
    let rounds = director.tournament.rounds.iter();
    rounds
        .flat_map(|(&round, known)| {
            known.boards.iter().map(move |(&board, known)| (Pairing { round, board }, known))
        })
        .find(|(_, board)| board.games.values().any(|other| other == name))
        .map(|(pairing, _)| pairing)
        .expect("a game of a pairing that stands")
}

/// Tells a stored event; the rule that refuses it, or nothing.
fn tell(director: &mut Director, event: &Value) -> Option<&'static str> {
    match event["e"].as_str().unwrap() {
        // Which pairing is best is judged elsewhere; here the question is whether a round may be paired at all.
        "pair" => {
            let round = u32::try_from(event["round"].as_u64().unwrap()).unwrap();
            let pairs: Vec<(String, String)> = event["pairs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|pair| (text(&pair[1]), text(&pair[2])))
                .collect();
            let boards = pairs.iter().zip(1..).map(|((gold, silver), board)| PairedBoard {
                pairing: Pairing { round, board },
                gold: id(gold),
                silver: id(silver),
            });
            let act: Act<Pairing, AttemptOf, _> = Act::RoundPaired { round, boards: boards.collect() };
            if course(&director.case()).judge(&act).is_err() {
                return Some("round.order");
            }
            let pairs: Vec<(&str, &str)> =
                pairs.iter().map(|(one, other)| (one.as_str(), other.as_str())).collect();
            director.pair(round, Stage::Final, &pairs);
            None
        }
        "move" => {
            let name = game(event["game"].as_str().unwrap());
            director.games.0.get_mut(&name).unwrap().plies += 1;
            None
        }
        _ => {
            let before = director.games.0.clone();
            let command = command(director, event);
            match director.ask(&command) {
                Ok(decision) => {
                    for event in decision.events {
                        director.tell(event);
                    }
                    None
                }
                Err(refusal) => {
                    director.games.0 = before;
                    let rule = refusal.rule.unwrap_or_else(|| panic!("{refusal}"));
                    assert!(refusal.to_string().contains("2015 WCC"), "{refusal}");
                    Some(rule.id.name())
                }
            }
        }
    }
}

#[test]
fn the_sixteen_stored_cases_are_judged_alike_when_they_are_told_as_events() {
    let Some(file) = vectors("rulings.json") else { return };
    let cases = file.as_array().unwrap();
    assert_eq!(cases.len(), 16);
    for case in cases {
        let name = text(&case["name"]);
        let mut director = Director::with_players("wcc-2015", &["A", "B", "C", "D"]);
        let log = case["log"].as_array().unwrap();
        let refused: Vec<&str> = log.iter().filter_map(|event| tell(&mut director, event)).collect();
        let expected: Vec<&str> = case["rejected"]
            .as_array()
            .unwrap()
            .iter()
            .map(|words| rule_for(words.as_str().unwrap()))
            .collect();
        assert_eq!(refused, expected, "{name}");
        assert!(director.tournament.findings.is_empty(), "{name}: {:?}", director.tournament.findings);
    }
}

fn two_rounds() -> Director {
    let mut director = Director::with_players("wcc-2015", &["A", "B", "C", "D"]);
    director.pair(1, Stage::Final, &[("A", "D"), ("B", "C")]);
    for (board, name) in [(1, "g1"), (2, "g2")] {
        director.games.0.insert(game(name), GameFacts { plies: 6, ..GameFacts::default() });
        let pairing = Pairing { round: 1, board };
        director.does(&Command::Start { pairing, game: Some(game(name)) });
        let end = EndFacts { at: 0, winner: Some(Side::Gold), termination: Termination::Goal };
        director.games.0.get_mut(&game(name)).unwrap().ended = Some(end);
        director.does(&Command::Result {
            pairing,
            outcome: None,
            termination: None,
            game: None,
            territory: None,
        });
    }
    director.pair(2, Stage::Final, &[("A", "B"), ("C", "D")]);
    director
}

fn ruling(effect: Effect) -> Command {
    Command::Rule {
        effect,
        reason: "as the director found".to_owned(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    }
}

#[test]
fn an_invalidation_revokes_the_next_round_that_has_not_begun_by_an_event_of_its_own() {
    let mut director = two_rounds();
    let effect = Effect::Invalidate {
        pairing: Pairing { round: 1, board: 1 },
        game: None,
        ply: 2,
        failure: Failure::Misconfigured,
        clocks: None,
    };
    let decision = director.does(&ruling(effect));
    assert_eq!(decision.events.len(), 2);
    let TournamentEvent::RulingGiven(given) = &decision.events[0] else { panic!() };
    let Effect::Invalidate { game: named, .. } = &given.effect else { panic!() };
    assert_eq!(*named, Some(game("g1")), "the ruling names the game");
    assert_eq!(given.grounds[0].paragraph.as_deref(), Some("2015 WCC, Technical Problems 3"));
    assert!(matches!(&decision.events[1], TournamentEvent::PairingRevoked(revoked) if revoked.round == 2));
    assert!(!director.tournament.rounds.contains_key(&2));
    assert!(director.tournament.rounds[&1].boards[&1].owed().is_some());
}

#[test]
fn a_round_whose_revocation_was_left_out_is_not_begun() {
    let mut director = two_rounds();
    let effect = Effect::SetResult {
        pairing: Pairing { round: 1, board: 1 },
        outcome: Outcome::Silver,
        termination: None,
    };
    let decision = director.ask(&ruling(effect)).unwrap();
    director.tell(decision.events[0].clone());
    let (rule, text) =
        director.refuses(&Command::Start { pairing: Pairing { round: 2, board: 1 }, game: None });
    assert_eq!(rule, "round.order", "{text}");
    assert!(text.contains("ruling 1"), "{text}");
}

#[test]
fn every_change_to_a_frozen_round_is_refused_with_the_paragraph() {
    let mut director = two_rounds();
    director.does(&Command::Start { pairing: Pairing { round: 2, board: 1 }, game: None });
    let pairing = Pairing { round: 1, board: 1 };
    let (ply, failure) = (2, Failure::Misconfigured);
    for effect in [
        Effect::Invalidate { pairing, game: None, ply, failure, clocks: None },
        Effect::Rematch { pairing, failure },
        Effect::SetResult { pairing, outcome: Outcome::Silver, termination: None },
        Effect::SetColours { pairing, gold: id("D") },
        Effect::SetRated { pairing, game: None, rated: false },
        Effect::Vacate { pairing },
    ] {
        let (rule, text) = director.refuses(&ruling(effect.clone()));
        assert_eq!(rule, "ruling.frozen", "{effect:?}");
        assert!(text.contains("2015 WCC, Technical Problems 1"), "{text}");
    }
}
