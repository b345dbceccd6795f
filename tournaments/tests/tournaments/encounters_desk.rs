//! The Olympiad through events: London 2000 with its crosstable, the stored Swiss events, who leaves on the way, and what
//! must be refused.

use std::collections::BTreeMap;

use annals_events::tournament::{
    Bye, Effect, Equals, Outcome, Pair, ResultRecorded, RoundPaired, RulingGiven, Stage, Withdrawal,
};
use annals_events::{BoardId, PlayerId, PlayerKind, Side, Termination, TournamentEvent};
use annals_tournaments::commands::Command;
use annals_tournaments::crosstable::InRound;
use annals_tournaments::formats::{next_round, places, ranking};
use annals_tournaments::verdict::Compliance;
use annals_tournaments::{crosstable, formats, standings};
use serde_json::{Value, json};

use crate::rounds_desk::{Desk, id, paired};
use crate::vectors::vectors;

const LONDON: [&str; 6] = ["8QP", "Yamazon", "Anky", "Antiope", "Aska", "Otrere"];

fn desk<'a>(names: impl IntoIterator<Item = &'a str>) -> Desk {
    let mut desk = Desk::new("olympiad-amazons-2000");
    for (number, name) in (1..).zip(names) {
        desk.enter(name, PlayerKind::Bot, None, Some(number));
    }
    desk
}

fn ruling(desk: &mut Desk, effect: Effect) {
    let number = u32::try_from(desk.tournament.rulings.len() + 1).unwrap();
    desk.fact(&TournamentEvent::RulingGiven(RulingGiven {
        number,
        effect,
        reason: "as it was".to_owned(),
        grounds: Vec::new(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    }));
}

fn wins(desk: &mut Desk, round: u32, pair: &Pair, winner: &PlayerId, how: Termination, squares: Option<u32>) {
    let outcome = if pair.player(Side::Gold) == Some(winner) { Outcome::Gold } else { Outcome::Silver };
    desk.result(BoardId { round, board: pair.board }, outcome, how, squares);
}

#[test]
fn london_2000_is_played_through_to_its_table_and_crosstable() {
    let Some(file) = vectors("olympiad.json") else { return };
    let mut desk = desk(LONDON);
    for round in 1..=5 {
        let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
        assert_eq!(
            (next.paired.round, next.paired.stage, next.paired.pairs.len()),
            (round, Stage::RoundRobin, 6)
        );
        assert!(!places(&desk.tournament, &desk.rulebook).unwrap().decided);
        desk.publish(paired(next.paired.clone()));
        desk.start(round);
        for pair in &next.paired.pairs {
            let level = [id("Yamazon"), id("Anky")].contains(&pair.upper)
                && [id("Yamazon"), id("Anky")].contains(&pair.lower);
            let winner = if level { pair.player(Side::Gold).unwrap() } else { &pair.upper };
            let squares = if *winner == id("Yamazon") { 6 } else { 5 };
            wins(&mut desk, round, pair, winner, Termination::Immobilization, Some(squares));
        }
    }
    assert!(desk.tournament.findings.is_empty());
    let refusal = next_round(&desk.tournament, &desk.rulebook).unwrap_err();
    assert_eq!(refusal.rule.unwrap().id.name(), "encounter.format");
    let found = places(&desk.tournament, &desk.rulebook).unwrap();
    assert!(found.decided);
    let table: Vec<Value> = ranking(&desk.tournament, &desk.rulebook)
        .unwrap()
        .iter()
        .map(|line| {
            let name = &desk.tournament.entrants[&line.player].name;
            let value = |at: usize| line.measures[at].values[0];
            json!([line.rank, name, value(0) as f64 / 2.0, value(1) as f64 / 2.0, value(2)])
        })
        .collect();
    assert_eq!(json!(table), file["table"]);
    let crosstable = crosstable::crosstable(&desk.tournament, &desk.rulebook);
    for (a, one) in LONDON.iter().enumerate() {
        for (b, other) in LONDON.iter().enumerate().skip(a + 1) {
            let points = |row: usize, column: usize| {
                let cell = crosstable.rows[row].cells[column].as_ref().unwrap();
                assert_eq!(cell.games.len(), 2);
                assert_ne!(cell.games[0].side, cell.games[1].side);
                cell.half_points / 2
            };
            let stored = &file["london2000_crosstable"][format!("{one} vs {other}")];
            assert_eq!(json!([points(a, b), points(b, a)]), *stored, "{one} {other}");
        }
        assert_eq!(crosstable.rows[a].name, *one);
        assert_eq!(crosstable.rows[a].rounds.len(), 5);
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn compare(round: &RoundPaired, stored: &Value) {
    let order: Vec<Value> = round
        .order
        .iter()
        .map(|line| {
            let value = |at: usize| line.measures[at].values[0];
            let name = line.player.as_str().to_uppercase();
            json!([name, value(0) as f64 / 2.0, value(1) as f64 / 2.0, value(2)])
        })
        .collect();
    assert_eq!(json!(order), stored["order"]);
    let bye = round.byes.first().map(|bye| bye.player.as_str().to_uppercase());
    assert_eq!(json!(bye), stored["bye"]);
    let vector: Vec<i64> = round.measures.iter().map(|measure| measure.values[0]).collect();
    assert_eq!(json!(vector), stored["vector"]);
    let encounters = stored["encounters"].as_array().unwrap();
    assert_eq!(round.pairs.len(), 2 * encounters.len());
    for (games, stored) in round.pairs.chunks(2).zip(encounters) {
        for (pair, game) in games.iter().zip(stored["games"].as_array().unwrap()) {
            assert_eq!(pair.player(Side::Gold), Some(&id(text(&game[0]))));
            assert_eq!(pair.player(Side::Silver), Some(&id(text(&game[1]))));
        }
        assert_eq!(games[0].encounter, games[1].encounter);
    }
}

/// Plays a stored event; `look` sees each round before it is published.
fn play(event: &Value, mut look: impl FnMut(&Desk, &RoundPaired)) -> Desk {
    let mut desk = desk(event["entrants"].as_array().unwrap().iter().map(text));
    desk.rulebook.read("T47", "included").unwrap();
    for stored in event["rounds"].as_array().unwrap() {
        let number = u32::try_from(stored["round"].as_u64().unwrap()).unwrap();
        let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
        compare(&next.paired, stored);
        look(&desk, &next.paired);
        let explained = &next.reasons;
        assert_eq!(2 * explained.pairs.len(), next.paired.pairs.len());
        desk.publish(paired(next.paired.clone()));
        desk.start(number);
        let games =
            stored["encounters"].as_array().unwrap().iter().flat_map(|one| one["games"].as_array().unwrap());
        for (board, game) in (1..).zip(games) {
            let pairing = BoardId { round: number, board };
            let outcome = match text(&game[2]) {
                "w" => Outcome::Gold,
                "b" => Outcome::Silver,
                "d" => Outcome::Draw,
                _ => Outcome::DoubleLoss,
            };
            let squares = game[4].as_u64().map(|squares| u32::try_from(squares).unwrap());
            let termination = match text(&game[3]) {
                "moves" => Termination::Immobilization,
                "time" => Termination::Time,
                "resign" => Termination::Resignation,
                "forfeit" => Termination::Forfeit,
                _ => {
                    ruling(&mut desk, Effect::SetResult { pairing, outcome, termination: None });
                    continue;
                }
            };
            desk.result(pairing, outcome, termination, squares);
            if game[5] == json!(true) {
                ruling(&mut desk, Effect::SetTerritory { pairing, squares: squares.unwrap() });
            }
        }
        for (player, after) in event["withdrawn_after"].as_object().unwrap() {
            if after.as_u64() == Some(u64::from(number)) {
                desk.withdraw(player, Withdrawal::Own);
            }
        }
    }
    desk
}

#[test]
fn the_stored_swiss_events_go_through_the_desk_to_their_table() {
    let Some(file) = vectors("olympiad_swiss.json") else { return };
    for event in file.as_array().unwrap() {
        let desk = play(event, |_, _| {});
        let table: Vec<Value> = ranking(&desk.tournament, &desk.rulebook)
            .unwrap()
            .iter()
            .map(|line| {
                let value = |at: usize| line.measures[at].values[0];
                let name = line.player.as_str().to_uppercase();
                json!([line.rank, name, value(0) as f64 / 2.0, value(1) as f64 / 2.0, value(2)])
            })
            .collect();
        assert_eq!(json!(table), event["final"], "event {}", event["id"]);
        assert!(places(&desk.tournament, &desk.rulebook).unwrap().decided);
        assert!(next_round(&desk.tournament, &desk.rulebook).is_err());
    }
}

#[test]
fn whatever_is_changed_in_a_round_of_encounters_departs_from_the_rule_that_asks_for_it() {
    let Some(file) = vectors("olympiad_swiss.json") else { return };
    let (mut worse, mut as_good, mut byes) = (0, 0, 0);
    for event in file.as_array().unwrap() {
        play(event, |desk, round| {
            let rules = |change: &dyn Fn(&mut RoundPaired)| {
                let mut changed = round.clone();
                change(&mut changed);
                desk.is_violation(&paired(changed))
            };
            assert!(rules(&|_| {}).is_empty());
            if round.pairs.len() >= 4 {
                let found = rules(&|round| {
                    let other = round.pairs[2].lower.clone();
                    let lower = std::mem::replace(&mut round.pairs[0].lower, other.clone());
                    round.pairs[1].lower = other;
                    round.pairs[2].lower = lower.clone();
                    round.pairs[3].lower = lower;
                });
                if found.contains(&"encounter.pairing") {
                    worse += 1;
                } else {
                    assert_ne!(round.equals, Some(Equals::Exactly(1)), "{found:?}");
                    as_good += 1;
                }
            }
            // Who has White second has it first.
            let reversed = rules(&|round| {
                for pair in &mut round.pairs[..2] {
                    pair.upper_side = pair.upper_side.map(Side::other);
                }
            });
            assert_eq!(reversed, ["encounter.colour"]);
            let same = rules(&|round| round.pairs[1].upper_side = round.pairs[0].upper_side);
            assert_eq!(same, ["encounter.games"]);
            assert!(rules(&|round| drop(round.pairs.pop())).contains(&"encounter.games"));
            assert_eq!(rules(&|round| round.stage = Stage::RoundRobin), ["encounter.format"]);
            if let Some(bye) = round.byes.first() {
                let found = rules(&|round| {
                    let lower = round.pairs[0].lower.clone();
                    for pair in &mut round.pairs[..2] {
                        pair.lower = bye.player.clone();
                    }
                    round.byes[0].player = lower;
                });
                assert!(found.contains(&"encounter.bye"), "{found:?}");
                byes += 1;
            }
        });
    }
    assert!(worse > 30 && byes > 10, "{worse} {as_good} {byes}");
}

#[test]
fn who_leaves_an_all_play_all_forfeits_what_is_left_and_keeps_the_rest() {
    let mut desk = desk(["A", "B", "C", "D", "E"]);
    let declared = desk.ask(&Command::DeclareRounds).unwrap();
    assert!(matches!(&declared.events[0], TournamentEvent::RoundsDeclared(declared)
        if declared.rounds == 5 && declared.stage == Stage::RoundRobin));
    for round in 1..=5 {
        let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
        assert_eq!((next.paired.pairs.len(), next.paired.byes.len()), (4, 1));
        assert_eq!(next.paired.byes[0].half_points, Some(0));
        desk.publish(paired(next.paired.clone()));
        desk.start(round);
        for pair in &next.paired.pairs {
            let gone = round > 2 && pair.upper == id("A");
            let winner = if gone { &pair.lower } else { &pair.upper };
            let how = if gone { Termination::Forfeit } else { Termination::Immobilization };
            wins(&mut desk, round, pair, winner, how, Some(10));
        }
        if round == 2 {
            desk.withdraw("A", Withdrawal::Own);
        }
    }
    assert!(desk.tournament.findings.is_empty(), "{:?}", desk.tournament.findings);
    assert!(places(&desk.tournament, &desk.rulebook).unwrap().decided);
    let ranked = ranking(&desk.tournament, &desk.rulebook).unwrap();
    let games: i64 = ranked.iter().map(|line| line.measures[0].values[0]).sum();
    assert_eq!(games, 2 * 20);
    // A forfeited game brings the point and no territory.
    let territory: i64 = ranked.iter().map(|line| line.measures[2].values[0]).sum();
    let forfeited = crosstable::crosstable(&desk.tournament, &desk.rulebook)
        .rows
        .iter()
        .flat_map(|row| row.cells.iter().flatten().flat_map(|cell| cell.games.clone()))
        .filter(|game| game.forfeit)
        .count();
    assert!(forfeited > 0);
    assert_eq!(territory, 10 * (20 - i64::try_from(forfeited / 2).unwrap()));
    assert!(ranked.iter().any(|line| line.player == id("A") && !line.active));
}

#[test]
fn an_all_play_all_in_another_order_is_in_order_and_an_encounter_twice_is_not() {
    let mut desk = desk(["A", "B", "C", "D"]);
    let first = next_round(&desk.tournament, &desk.rulebook).unwrap().paired;
    // The table has A-D and B-C first; A-B and C-D is as good, and the table goes on with what is left.
    let mut other = first.clone();
    for (pair, (upper, lower)) in other.pairs.iter_mut().zip([("a", "b"), ("a", "b"), ("c", "d"), ("c", "d")])
    {
        (pair.upper, pair.lower) = (id(upper), id(lower));
    }
    assert_ne!(first.pairs, other.pairs);
    let of_the_pairs = |round: &RoundPaired| {
        let verdicts = desk.check(&paired(round.clone()));
        verdicts.into_iter().find(|verdict| verdict.rule.id.name() == "encounter.pairing").unwrap().holds
    };
    assert_eq!(of_the_pairs(&other), Compliance::OneOf(Equals::AtLeast(2)), "the proposed one and this");
    desk.publish(paired(other.clone()));
    for board in 1..=4 {
        desk.result(BoardId { round: 1, board }, Outcome::Gold, Termination::Immobilization, Some(3));
    }
    let mut again = other;
    again.round = 2;
    assert_eq!(desk.is_violation(&paired(again)), ["encounter.pairing"]);
    for round in 2..=3 {
        let next = next_round(&desk.tournament, &desk.rulebook).unwrap().paired;
        desk.publish(paired(next.clone()));
        for board in 1..=4 {
            desk.result(BoardId { round, board }, Outcome::Gold, Termination::Immobilization, None);
        }
    }
    let found = places(&desk.tournament, &desk.rulebook).unwrap();
    // All players have won as many; territory that nobody knows would have to tell them apart.
    assert!(!found.decided && found.ruling_needed.unwrap().contains("territory"));
}

#[test]
fn an_opponent_counts_once_a_game_against_them_is_over() {
    // The bye of a round counts at once, for its owner, and by one reading for those who have met them.
    for (reading, of_the_bye) in [("owner_only", 0), ("included", 4)] {
        opponents_count(reading, of_the_bye);
    }
}

fn opponents_count(reading: &str, of_the_bye: i64) {
    let mut desk = desk(["A", "B", "C", "D", "E", "F", "G"]);
    desk.rulebook.read("T47", reading).unwrap();
    let opponents = |desk: &Desk| -> BTreeMap<PlayerId, i64> {
        let ranked = ranking(&desk.tournament, &desk.rulebook).unwrap();
        ranked.into_iter().map(|line| (line.player, line.measures[1].values[0])).collect()
    };
    for round in 1..=2 {
        let next = next_round(&desk.tournament, &desk.rulebook).unwrap().paired;
        let before = opponents(&desk);
        desk.publish(paired(next.clone()));
        let rested = &next.byes[0].player;
        let score = crosstable::crosstable(&desk.tournament, &desk.rulebook);
        for row in score.rows.iter().filter(|row| row.player != *rested) {
            let met = row.rounds.iter().any(|of| {
                of.had.iter().any(|had| matches!(had, InRound::Game { opponent, .. } if opponent == rested))
            });
            let more = if met { of_the_bye } else { 0 };
            assert_eq!(opponents(&desk)[&row.player], before[&row.player] + more, "{round} {}", row.player);
        }
        desk.start(round);
        for pair in &next.pairs {
            wins(&mut desk, round, pair, &pair.upper, Termination::Immobilization, Some(5));
        }
        assert_ne!(opponents(&desk), before);
    }
}

#[test]
fn an_all_play_all_names_another_round_with_its_byes_as_long_as_there_is_one() {
    for names in [&["A", "B", "C", "D"][..], &["A", "B", "C", "D", "E"], &LONDON] {
        let mut desk = desk(names.iter().copied());
        let rounds = u32::try_from(names.len() - 1 + names.len() % 2).unwrap();
        for number in 1..=rounds {
            let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
            let reasons = &next.reasons;
            assert_eq!((reasons.another.is_none(), next.paired.equals), (number == rounds, None));
            assert_eq!(reasons.equals, (number < rounds).then_some(Equals::AtLeast(2)));
            if let Some(another) = &reasons.another {
                let mut round = next.paired.clone();
                for (pair, (upper, lower)) in
                    round.pairs.iter_mut().zip(another.iter().flat_map(|two| [two, two]))
                {
                    (pair.upper, pair.lower) = (upper.clone(), lower.clone());
                }
                assert_ne!(round.pairs, next.paired.pairs);
                assert_eq!(reasons.another_byes.len(), round.byes.len());
                for (bye, player) in round.byes.iter_mut().zip(&reasons.another_byes) {
                    bye.player = player.clone();
                }
                assert!(desk.is_violation(&paired(round)).is_empty(), "{another:?}");
            }
            desk.publish(paired(next.paired.clone()));
            desk.start(number);
            for pair in &next.paired.pairs {
                wins(&mut desk, number, pair, &pair.upper, Termination::Immobilization, Some(5));
            }
        }
    }
}

#[test]
fn in_an_all_play_all_all_play_who_can_and_the_others_rest_for_nothing() {
    let mut desk = desk(["A", "B", "C", "D", "E"]);
    let first = next_round(&desk.tournament, &desk.rulebook).unwrap().paired;
    let mut round = first.clone();
    for (pair, (upper, lower)) in round.pairs.iter_mut().zip([("a", "b"), ("a", "b"), ("c", "d"), ("c", "d")])
    {
        (pair.upper, pair.lower) = (id(upper), id(lower));
    }
    round.byes[0].player = id("e");
    let is_violation = |change: &dyn Fn(&mut RoundPaired)| {
        let mut changed = round.clone();
        change(&mut changed);
        desk.is_violation(&paired(changed))
    };
    assert!(is_violation(&|_| {}).is_empty());
    let violation = ["encounter.pairing"];
    assert_eq!(is_violation(&|round| round.byes[0].player = id("a")), violation, "A plays");
    assert_eq!(is_violation(&|round| round.byes[0].half_points = Some(4)), violation);
    assert_eq!(is_violation(&|round| round.byes.clear()), violation, "E rests");
    assert_eq!(is_violation(&|round| round.byes.push(round.byes[0].clone())), violation, "E rests once");
    let two_more_rest = is_violation(&|round| {
        round.pairs.truncate(2);
        let byes = ["c", "d", "e"].map(|name| Bye { player: id(name), ..round.byes[0].clone() });
        round.byes = byes.to_vec();
    });
    assert_eq!(two_more_rest, violation, "two who rest have not met");
    // Imported all the same, a bye of a player who plays is worth nothing.
    round.byes[0] = Bye { player: id("a"), half_points: None, grounds: Vec::new() };
    desk.fact(&paired(round));
    let points = standings(&desk.tournament);
    assert!(points.iter().all(|(_, record)| record.half_points == 0), "{points:?}");
}

#[test]
fn a_game_of_the_amazons_ends_in_no_way_that_only_arimaa_has() {
    let mut desk = desk(["A", "B"]);
    desk.publish(paired(next_round(&desk.tournament, &desk.rulebook).unwrap().paired));
    desk.start(1);
    let pairing = BoardId { round: 1, board: 1 };
    let foreign = ["goal", "elimination", "score", "repetition", "no_rabbits"];
    for termination in Termination::ALL {
        let result = TournamentEvent::ResultRecorded(ResultRecorded {
            pairing,
            outcome: Outcome::Gold,
            termination: Some(termination),
            attempt: None,
            game: None,
            territory: None,
            note: None,
        });
        let refused = desk.is_violation(&result).contains(&"result.game");
        assert_eq!(refused, foreign.contains(&termination.word()), "{termination}");
        let effect = Effect::SetResult { pairing, outcome: Outcome::Gold, termination: Some(termination) };
        let ruling = TournamentEvent::RulingGiven(RulingGiven {
            number: 1,
            effect,
            reason: "as it was".to_owned(),
            grounds: Vec::new(),
            evidence: Vec::new(),
            dispute: None,
            supersedes: None,
        });
        assert_eq!(desk.is_violation(&ruling).contains(&"result.game"), refused, "{termination}");
    }
}

#[test]
fn squares_without_a_word_of_how_the_game_ended_count_for_nothing_until_they_are_ruled() {
    let mut desk = desk(["A", "B"]);
    let next = next_round(&desk.tournament, &desk.rulebook).unwrap().paired;
    desk.publish(paired(next.clone()));
    desk.start(1);
    let winner = next.pairs[0].upper.clone();
    for pair in &next.pairs {
        let outcome = if pair.player(Side::Gold) == Some(&winner) { Outcome::Gold } else { Outcome::Silver };
        desk.fact(&TournamentEvent::ResultRecorded(ResultRecorded {
            pairing: BoardId { round: 1, board: pair.board },
            outcome,
            termination: None,
            attempt: None,
            game: None,
            territory: Some(92),
            note: None,
        }));
    }
    let territory = |desk: &Desk| {
        let ranked = ranking(&desk.tournament, &desk.rulebook).unwrap();
        ranked.iter().find(|line| line.player == winner).unwrap().measures[2].values[0]
    };
    assert_eq!(territory(&desk), 0);
    ruling(&mut desk, Effect::SetTerritory { pairing: BoardId { round: 1, board: 1 }, squares: 31 });
    assert_eq!(territory(&desk), 31);
    desk.rulebook.read("T33", "B").unwrap();
    assert_eq!(territory(&desk), 31 + 92);
}

#[test]
fn the_least_vector_says_on_what_another_round_loses() {
    let Some(file) = vectors("olympiad_swiss.json") else { return };
    let mut lost = 0;
    play(&file[0], |desk, _| {
        let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
        let order: Vec<PlayerId> = next.paired.order.iter().map(|line| line.player.clone()).collect();
        for one in &order {
            for other in order.iter().filter(|other| *other != one) {
                let answer = formats::why_not(&next, &desk.rulebook, one, Some(other)).unwrap();
                let there = next.paired.pairs.iter().any(|pair| {
                    [&pair.upper, &pair.lower].contains(&one) && [&pair.upper, &pair.lower].contains(&other)
                });
                assert!(answer.possible || !there);
                if let Some((criterion, alternative)) = answer.loses_on {
                    assert!(alternative > criterion.value);
                    lost += 1;
                }
            }
            let bye = formats::why_not(&next, &desk.rulebook, one, None).unwrap();
            assert_eq!(bye.possible, next.paired.byes.iter().any(|bye| bye.player == *one));
        }
    });
    assert!(lost > 20, "{lost}");
}
