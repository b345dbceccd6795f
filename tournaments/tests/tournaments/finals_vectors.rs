//! Whole finals played through events: what the desk pairs must be, round by round, what an independent program paired,
//! with its byes, colours, rules and places.

use annals_events::tournament::{Outcome, Pair, RoundPaired, Stage, Withdrawal};
use annals_events::{BoardId, PlayerId, Side, TournamentEvent};
use annals_tournaments::formats::ranking;
use annals_tournaments::refusal::Remedy;
use serde_json::Value;

use super::finals_desk::{Desk, id, seed};
use super::vectors::vectors;

fn outcome(value: &Value) -> Outcome {
    match value.as_str().expect("a result") {
        "g" => Outcome::Gold,
        "s" => Outcome::Silver,
        "d" => Outcome::Draw,
        "x" => Outcome::DoubleLoss,
        other => panic!("unknown result {other}"),
    }
}

fn small(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("a number")).expect("a small number")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}

fn by_seed(value: &Value) -> PlayerId {
    seed(
        value
            .as_u64()
            .map_or_else(|| value.as_str().expect("a seed").parse().expect("a seed"), |_| small(value)),
    )
}

fn by_name(value: &Value) -> PlayerId {
    id(&value.as_str().expect("a name").to_lowercase())
}

/// Pairs the next round, holds it against a recorded one, and plays it with the recorded results.
fn follow(
    desk: &mut Desk,
    recorded: &Value,
    player: &impl Fn(&Value) -> PlayerId,
    place: &str,
) -> RoundPaired {
    let paired = desk.next().unwrap_or_else(|refusal| panic!("{place}: {refusal}"));
    let ranked: Vec<&PlayerId> = paired.order.iter().map(|ranked| &ranked.player).collect();
    if let Some(rank) = recorded["rank"].as_array() {
        assert_eq!(
            ranked,
            rank.iter().map(player).collect::<Vec<_>>().iter().collect::<Vec<_>>(),
            "{place}: order"
        );
        for ranked in &paired.order {
            let elo = list(&recorded["rank"]).find(|seed| player(seed) == ranked.player).expect("ranked");
            let elo = recorded["elo"][elo.to_string()].as_f64().expect("a rating");
            let found = ranked.measures.iter().find(|measure| measure.name == "rating");
            if let Some(found) = found {
                assert!(
                    (found.values[0] as f64 / 1e6 - elo).abs() < 2e-6,
                    "{place}: rating of {}",
                    ranked.player
                );
            }
        }
    }
    let bye = paired.byes.first().map(|bye| bye.player.clone());
    assert_eq!(bye, Some(&recorded["bye"]).filter(|bye| !bye.is_null()).map(player), "{place}: bye");
    let games: Vec<&Value> = list(&recorded["games"]).collect();
    assert_eq!(paired.pairs.len(), games.len(), "{place}: pairs");
    desk.push(TournamentEvent::RoundPaired(paired.clone()));
    for (pair, game) in paired.pairs.iter().zip(&games) {
        assert_pair(desk, &paired, pair, game, player, place);
    }
    desk.start(paired.round);
    for (pair, game) in paired.pairs.iter().zip(&games) {
        desk.result(paired.round, pair.board, outcome(&game[2]));
    }
    paired
}

fn assert_pair(
    desk: &mut Desk,
    paired: &RoundPaired,
    pair: &Pair,
    game: &Value,
    player: &impl Fn(&Value) -> PlayerId,
    place: &str,
) {
    let (gold, silver) = (player(&game[0]), player(&game[1]));
    let mut found = [pair.upper.clone(), pair.lower.clone()];
    let mut expected = [gold.clone(), silver];
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{place}: board {}", pair.board);
    let pairing = BoardId { round: paired.round, board: pair.board };
    match pair.player(Side::Gold) {
        Some(found) => assert_eq!(*found, gold, "{place}: colours of {pairing}"),
        // The recorded coin gave the better seed Gold.
        None => desk.draw(pairing, &gold),
    }
    let finding = pair.colour.as_ref().and_then(|ground| ground.finding.clone()).expect("a finding");
    let number = format!(" {}:", small(&game[3]));
    assert!(finding.contains(&number), "{place}: {finding}, not{number}");
}

fn place(desk: &Desk, place: u32) -> Option<PlayerId> {
    desk.at(place).first().cloned()
}

fn play_2015(tournament: &Value, name: &str) -> usize {
    let players = small(&tournament["n"]);
    let mut desk = Desk::of_seeds("wcc-2015", players).with(small(&tournament["lives"]), players.max(8));
    let rounds = list(&tournament["rounds"]).count();
    for (number, round) in (1..).zip(list(&tournament["rounds"])) {
        let paired = follow(&mut desk, round, &by_seed, &format!("{name}, round {number}"));
        let main = number <= small(&tournament["main_rounds"]);
        assert_eq!(
            paired.stage,
            if main { Stage::Final } else { Stage::Continuation },
            "{name}, round {number}"
        );
    }
    let over = desk.next().expect_err("it is over");
    assert_eq!(over.rule.map(|rule| rule.id.name()), Some("round.needed"), "{name}");
    let places = desk.places();
    if tournament["champion"].is_null() {
        assert!(places.ruling_needed.is_some() && !places.decided && places.placings.is_empty(), "{name}");
        return rounds;
    }
    assert!(places.decided && places.ruling_needed.is_none(), "{name}");
    assert_eq!(place(&desk, 1), Some(by_seed(&tournament["champion"])), "{name}");
    assert_eq!(place(&desk, 2), Some(by_seed(&tournament["second"])), "{name}");
    assert_eq!(desk.at(3), list(&tournament["third"]).map(by_seed).collect::<Vec<_>>(), "{name}");
    let contenders = places.placings.iter().filter(|placing| placing.contender).count();
    assert_eq!((contenders, places.placings.len()), (2, players as usize), "{name}");
    assert_eq!(places.placings[0].titles, ["Arimaa World Computer Champion"], "{name}");
    let standings = ranking(&desk.tournament, &desk.rulebook).expect("a ranking");
    assert_eq!(
        (standings[0].player.clone(), standings[0].rank),
        (by_seed(&tournament["champion"]), 1),
        "{name}"
    );
    rounds
}

fn play_2009(tournament: &Value, name: &str) -> usize {
    let players = small(&tournament["n"]);
    let mut desk = Desk::of_seeds("wc-2009", players).with(small(&tournament["lives"]), players.max(8));
    let rounds = list(&tournament["rounds"]).count();
    for (number, round) in (1..).zip(list(&tournament["rounds"])) {
        follow(&mut desk, round, &by_seed, &format!("{name}, round {number}"));
    }
    let champion = Some(&tournament["champion"]).filter(|champion| !champion.is_null()).map(by_seed);
    assert_eq!(place(&desk, 1), champion, "{name}");
    rounds
}

fn play(tournament: &Value, name: &str) -> usize {
    match tournament["rules"].as_str() {
        Some("FQE2015") => play_2015(tournament, name),
        _ => play_2009(tournament, name),
    }
}

#[test]
fn the_desk_pairs_the_worked_finals_round_by_round() {
    let Some(file) = vectors("fqe_tournaments.json") else { return };
    let rounds: usize = file
        .as_object()
        .expect("tournaments by name")
        .iter()
        .map(|(name, tournament)| play(tournament, name))
        .sum();
    assert!(rounds > 70, "only {rounds} rounds");
}

#[test]
fn the_desk_pairs_a_hundred_and_sixty_finals_and_their_continuations() {
    let Some(file) = vectors("fqe_corpus.json") else { return };
    let rounds: usize = (0..)
        .zip(list(&file))
        .map(|(at, tournament): (u32, _)| play(tournament, &format!("final {at}")))
        .sum();
    assert_eq!(rounds, 1505);
}

/// The rounds of the Swiss, as they were recorded.
fn record_swiss(desk: &mut Desk, event: &Value) {
    for (number, round) in (1..).zip(list(&event["swiss"])) {
        let pairs = (1..).zip(list(&round["games"])).map(|(board, game)| Pair {
            board,
            upper: by_name(&game[0]),
            lower: by_name(&game[1]),
            upper_side: Some(Side::Gold),
            colour: None,
            encounter: None,
        });
        let bye = Some(&round["bye"]).filter(|bye| !bye.is_null()).map(by_name);
        let byes = bye.map(|player| annals_events::tournament::Bye {
            player,
            half_points: Some(2),
            grounds: Vec::new(),
        });
        desk.push(TournamentEvent::RoundPaired(RoundPaired {
            round: number,
            stage: Stage::Swiss,
            pairs: pairs.collect(),
            byes: byes.into_iter().collect(),
            order: Vec::new(),
            measures: Vec::new(),
            equals: None,
            inferred: false,
        }));
        for (board, game) in (1..).zip(list(&round["games"])) {
            desk.result(number, board, outcome(&game[2]));
        }
        for player in list(&round["withdrawn"]) {
            desk.withdraw(&by_name(player), Withdrawal::Forfeit);
        }
    }
}

#[test]
fn the_desk_plays_the_finals_and_playoffs_of_2009_after_the_recorded_swiss() {
    let Some(file) = vectors("wc2009_events.json") else { return };
    let (mut rounds, mut playoffs, mut rulings) = (0, 0, 0);
    for event in list(&file) {
        for (key, reading) in [("carry", "whole_tournament"), ("stage_local", "none")] {
            let name = format!("event {}, {key}", event["id"]);
            let mut desk = Desk::new("wc-2009");
            // The vectors were made under these readings.
            for (number, value) in [("T14", reading), ("T29", "C"), ("T35", "B"), ("T42", "B"), ("T43", "B")]
            {
                desk.rulebook.read(number, value).expect("a reading");
            }
            for (player, rating) in event["players"].as_object().expect("players") {
                desk.enter(
                    &id(&player.to_lowercase()),
                    Some(i32::try_from(small(rating)).expect("a rating")),
                );
            }
            record_swiss(&mut desk, event);
            let early = desk.next().expect_err("nobody has qualified");
            assert_eq!(early.next, Some(Remedy::Qualify), "{name}");
            // The whole order is published; those who are out in it are passed over.
            desk.qualify(&list(&event["swiss_table"]).map(|line| by_name(&line[0])).collect::<Vec<_>>());
            let recorded = &event["final"][key];
            for (number, round) in (1..).zip(list(&recorded["rounds"])) {
                let number: u32 = number;
                let paired = follow(&mut desk, round, &by_name, &format!("{name}, final round {number}"));
                assert_eq!(paired.round, number + small(&event["swiss_rounds"]), "{name}");
                assert_eq!(paired.stage, Stage::Final, "{name}");
                for player in list(&round["withdrawn"]) {
                    desk.withdraw(&by_name(player), Withdrawal::Forfeit);
                }
                rounds += 1;
            }
            for game in list(&recorded["playoffs"]) {
                play_off(&mut desk, game, &name);
                playoffs += 1;
            }
            let over = desk.next().expect_err("it is over");
            assert_eq!(over.rule.map(|rule| rule.id.name()), Some("round.needed"), "{name}");
            let places = desk.places();
            let one = |value: &Value| Some(value).filter(|value| !value.is_null()).map(by_name);
            for (number, word) in [(1, "champion"), (2, "second"), (3, "third")] {
                assert_eq!(
                    place(&desk, number).filter(|_| !recorded[word].is_null()),
                    one(&recorded[word]),
                    "{name}: {word}"
                );
            }
            let ruling = !recorded["ruling"].is_null();
            assert_eq!((places.ruling_needed.is_some(), places.decided), (ruling, !ruling), "{name}");
            rulings += u32::from(ruling);
            if !ruling {
                let order: Vec<Vec<PlayerId>> =
                    list(&recorded["order"]).map(|group| list(group).map(by_name).collect()).collect();
                let mut number = 1;
                for mut group in order {
                    group.sort();
                    assert_eq!(desk.at(number), group, "{name}: place {number}");
                    number += u32::try_from(group.len()).expect("few");
                }
            }
        }
    }
    assert!(
        rounds > 200 && playoffs > 10 && rulings > 0,
        "{rounds} rounds, {playoffs} playoffs, {rulings} rulings"
    );
}

fn play_off(desk: &mut Desk, game: &Value, name: &str) {
    let paired = desk.next().unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    let stage = if game[0] == "second" { Stage::SecondPlayoff } else { Stage::ThirdPlayoff };
    assert_eq!((paired.stage, paired.pairs.len()), (stage, 1), "{name}: playoff");
    let (gold, silver) = (by_name(&game[1]), by_name(&game[2]));
    let pair = &paired.pairs[0];
    assert!(
        [&pair.upper, &pair.lower].contains(&&gold) && [&pair.upper, &pair.lower].contains(&&silver),
        "{name}"
    );
    desk.push(TournamentEvent::RoundPaired(paired.clone()));
    let pairing = BoardId { round: paired.round, board: 1 };
    match pair.player(Side::Gold) {
        Some(found) => assert_eq!((found, &game[4]), (&gold, &Value::from("fewer")), "{name}"),
        None => desk.choose(pairing, &gold),
    }
    desk.start(paired.round);
    desk.result(paired.round, 1, outcome(&game[3]));
}
