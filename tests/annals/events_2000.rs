//! The Amazons event of the Computer Olympiad of 2000 as its director runs it: five entrants who all meet, and seven in
//! a Swiss of five rounds; encounters of two games, territory that is recorded or ruled, a shared place. Pairings, byes and
//! tables were worked out by a program of another language.

use serde_json::{Value, json};

use crate::director::Director;
use crate::program::Place;

/// A game: White, Black, the winner, how it ended, the squares, and whether a ruling gives them.
type Game = (&'static str, &'static str, &'static str, &'static str, u32, bool);

/// A round of the Swiss: its bye, and its games, two of each encounter.
type Round = (&'static str, [Game; 6]);

const SWISS: [Round; 5] = [
    (
        "e07",
        [
            ("e01", "e06", "e01", "resignation", 26, true),
            ("e06", "e01", "e01", "immobilization", 5, false),
            ("e02", "e05", "e02", "time", 36, false),
            ("e05", "e02", "e02", "resignation", 33, true),
            ("e03", "e04", "e03", "immobilization", 7, false),
            ("e04", "e03", "e03", "resignation", 40, true),
        ],
    ),
    (
        "e06",
        [
            ("e03", "e07", "e03", "resignation", 12, true),
            ("e07", "e03", "e03", "resignation", 27, false),
            ("e02", "e01", "e01", "resignation", 15, false),
            ("e01", "e02", "e01", "immobilization", 22, false),
            ("e04", "e05", "e04", "immobilization", 4, false),
            ("e05", "e04", "e04", "resignation", 6, true),
        ],
    ),
    (
        "e05",
        [
            ("e03", "e01", "e01", "immobilization", 36, false),
            ("e01", "e03", "e01", "immobilization", 34, false),
            ("e02", "e07", "e02", "immobilization", 7, false),
            ("e07", "e02", "e02", "immobilization", 29, false),
            ("e04", "e06", "e04", "immobilization", 5, false),
            ("e06", "e04", "e04", "resignation", 37, false),
        ],
    ),
    (
        "e04",
        [
            ("e01", "e05", "e01", "immobilization", 37, false),
            ("e05", "e01", "e01", "immobilization", 6, false),
            ("e03", "e02", "e02", "immobilization", 19, false),
            ("e02", "e03", "e02", "immobilization", 11, false),
            ("e06", "e07", "e06", "immobilization", 25, false),
            ("e07", "e06", "e06", "immobilization", 12, false),
        ],
    ),
    (
        "e03",
        [
            ("e01", "e04", "e01", "immobilization", 4, false),
            ("e04", "e01", "e01", "immobilization", 3, false),
            ("e02", "e06", "e02", "immobilization", 11, false),
            ("e06", "e02", "e02", "immobilization", 40, false),
            ("e05", "e07", "e05", "immobilization", 34, false),
            ("e07", "e05", "e05", "resignation", 18, true),
        ],
    ),
];

/// Half points, opponents' half points, territory, in the final order.
type Table = [[i64; 3]; 7];

/// The points of a bye count for its owner only.
const OWNER_ONLY: Table =
    [[20, 40, 173], [16, 36, 150], [12, 44, 59], [12, 36, 15], [8, 44, 52], [8, 44, 37], [4, 32, 0]];

/// The points of a bye count for those who met its owner too.
const INCLUDED: Table =
    [[20, 56, 173], [16, 52, 150], [12, 52, 59], [12, 48, 15], [8, 52, 52], [8, 52, 37], [4, 44, 0]];

/// The game between two with these colours.
fn at(director: &Director<'_>, round: u64, white: &str, black: &str) -> String {
    let games = director.games(round);
    let found = games.iter().position(|(gold, silver)| gold == white && silver == black);
    format!("r{round}.{}", found.unwrap_or_else(|| panic!("{white}-{black} in {games:?}")) + 1)
}

fn announced(director: &Director<'_>, entrants: u32, options: &str) {
    let announce = "announce --rulebook olympiad-amazons-2000 --director Jonathan --year 2000";
    director.does("2000-07-01", &format!("{announce} {options}"));
    for number in 1..=entrants {
        let entry = format!("entry add e{number:02} --bot --number {number} --developer \"team {number}\"");
        director.does("2000-07-10", &entry);
    }
    director.refuses("2000-07-11", "entry add anna", &["eligibility.kind", "`anna` is a human"]);
}

/// Records a game, and what a ruling says of its territory.
fn play(director: &Director<'_>, when: &str, round: u64, game: &Game) {
    let (white, black, winner, end, squares, ruled) = *game;
    let pairing = at(director, round, white, black);
    let territory = match end {
        "immobilization" => format!("--territory {squares}"),
        _ => String::new(),
    };
    director.does(when, &format!("game result {pairing} {winner} --termination {end} {territory}"));
    if ruled {
        director.does(
            when,
            &format!("ruling give set-territory {pairing} {squares} --reason \"counted on the board\""),
        );
    }
}

#[test]
fn five_entrants_of_2000_all_meet_and_two_share_a_place() {
    let place = Place::new();
    let director = Director::opened(&place, "olympiad-2000", "2000-06-01");
    announced(&director, 5, "");
    director.does("2000-08-20T08:00", "round declare");
    // The first wins every game; the second and the third win one of their two; below, the better numbered wins.
    let winner = |white: &'static str, black: &'static str| match (white, black) {
        ("e02", "e03") => "e02",
        ("e03", "e02") => "e03",
        _ => white.min(black),
    };
    let names = ["e01", "e02", "e03", "e04", "e05"];
    let own = |name: &str| *names.iter().find(|known| **known == name).unwrap();
    let (mut encounters, mut round) = (std::collections::BTreeSet::new(), 0);
    while encounters.len() < 20 {
        round += 1;
        let when = format!("2000-08-{}", 20 + round);
        director.does(&format!("{when}T09:00"), "round pair");
        director.does(&format!("{when}T10:00"), &format!("game start r{round}.1 --no-game"));
        for (white, black) in director.games(round) {
            let (white, black) = (own(&white), own(&black));
            assert!(encounters.insert((white, black)), "{white}-{black} twice");
            let wins = winner(white, black);
            let resigned = (white, black) == ("e05", "e04");
            let end = if resigned { "resignation" } else { "immobilization" };
            let squares = match (wins, resigned) {
                (_, true) => 9,
                ("e01", _) => 12,
                ("e04", _) => 7,
                _ => 10,
            };
            if resigned {
                let pairing = at(&director, round, white, black);
                director.refuses(
                    &format!("{when}T12:00"),
                    &format!("game result {pairing} {wins} --termination resignation --territory 9"),
                    &["territory", "unless a ruling gives it"],
                );
            }
            play(&director, &format!("{when}T12:00"), round, &(white, black, wins, end, squares, resigned));
        }
    }
    let counted = at(&director, round, &director.games(round)[0].0, &director.games(round)[0].1);
    director.refuses(
        "2000-08-28",
        &format!("ruling give set-territory {counted} 50 --reason \"counted again\""),
        &["territory", "Olympiad 2000, Tournament Rules 4", "played out"],
    );
    director.refuses("2000-08-28", "round pair", &["encounter.format", "close olympiad-2000"]);
    director.does("2000-08-29", "close");
    assert_eq!(director.places(), ["1 e01", "2 e02", "2 e03", "4 e04", "5 e05"]);
    // Half points, opponents' half points (40 less their own, as everybody met everybody), territory.
    let closed = director.events("closed");
    let value = |row: &Value, at: usize| row["measures"][at]["values"][0].as_i64().unwrap();
    let rows = closed[0]["places"].as_array().unwrap();
    let table: Vec<[i64; 3]> = rows.iter().map(|row| [0, 1, 2].map(|at| value(row, at))).collect();
    assert_eq!(table, [[16, 24, 96], [10, 30, 50], [10, 30, 50], [4, 36, 16], [0, 40, 0]]);
    director.is_in_order();
}

#[test]
fn a_territory_that_was_not_noted_is_added_to_the_result() {
    let place = Place::new();
    let director = Director::opened(&place, "am", "2000-06-01");
    announced(&director, 2, "");
    director.does("2000-08-20T08:00", "round declare");
    director.does("2000-08-21T09:00", "round pair");
    director.does("2000-08-21T10:00", "game start r1.1 --no-game");
    director.does("2000-08-21T12:00", "game result r1.1 white --termination immobilization");
    let told = director.refuses(
        "2000-08-21T13:00",
        "ruling give set-territory r1.1 16 --reason \"the sheet came late\"",
        &["its territory is not recorded"],
    );
    let hint = told.lines().find_map(|line| line.trim().strip_prefix("hint: annals ")).unwrap();
    let hint = hint.replace("SQUARES", "16").replace("TEXT", "late");
    place.ask(&hint.split(' ').chain(["--actor", "omar"]).collect::<Vec<_>>());
    let standings = place.ask_json(&["tournament", "standings", "am", "--json"]);
    assert!(standings.to_string().contains("{\"name\":\"territory\",\"values\":[16]}"), "{standings}");
}

#[test]
fn seven_entrants_of_2000_play_five_rounds_of_swiss() {
    seven_play("", &OWNER_ONLY);
    seven_play("--option T47=included", &INCLUDED);
}

fn seven_play(options: &str, table: &Table) {
    let place = Place::new();
    let director = Director::opened(&place, "olympiad-2000", "2000-06-01");
    announced(&director, 7, options);
    let told = director.does("2000-08-20T08:00", "round declare");
    assert!(told.contains("5 rounds"), "{told}");
    for (round, (bye, games)) in (1..).zip(&SWISS) {
        let when = format!("2000-08-{}", 20 + round);
        director.does(&format!("{when}T09:00"), "round pair");
        let mut found = director.games(round);
        found.sort();
        let mut due: Vec<_> = games.iter().map(|game| (game.0.to_owned(), game.1.to_owned())).collect();
        due.sort();
        assert_eq!(found, due, "round {round}");
        assert_eq!(director.bye(round).as_deref(), Some(*bye), "round {round}");
        the_table_gives_the_criterion(&place, round);
        let next = || place.ask_json(&["tournament", "show", "olympiad-2000", "--json"])["next"].to_string();
        assert!(next().contains("game start olympiad-2000"), "{}", next());
        director.does(&format!("{when}T10:00"), &format!("game start r{round}.1 --no-game"));
        assert!(next().contains("is not over") && next().contains("game result"), "{}", next());
        for game in games {
            play(&director, &format!("{when}T12:00"), round, game);
        }
    }
    director.refuses("2000-08-28", "round pair", &["encounter.format", "close olympiad-2000"]);
    director.does("2000-08-29", "close");
    assert_eq!(director.places(), ["1 e01", "2 e02", "3 e03", "4 e04", "5 e05", "6 e06", "7 e07"]);
    let closed = director.events("closed");
    let value = |row: &Value, at: usize| row["measures"][at]["values"][0].as_i64().unwrap();
    let rows = closed[0]["places"].as_array().unwrap();
    let found: Vec<[i64; 3]> = rows.iter().map(|row| [0, 1, 2].map(|at| value(row, at))).collect();
    assert_eq!(found, *table);
    director.is_in_order();
}

/// The squares of the differences in rank between players of different scores, as the explanation has them, are the last
/// criterion of the round.
fn the_table_gives_the_criterion(place: &Place, round: u64) {
    let explained = place.ask_json(&["tournament", "explain", "olympiad-2000", &round.to_string(), "--json"]);
    let reasons = &explained["expected"]["reasons"];
    let measure = |player: &Value, name: &str| {
        let row = reasons["order"].as_array().unwrap().iter().find(|row| row["player"] == *player).unwrap();
        let mut measures = row["measures"].as_array().unwrap().iter();
        measures.find(|measure| measure["name"] == name).unwrap()["values"][0].as_i64()
    };
    let bye = &explained["expected"]["round"]["byes"][0]["player"];
    assert_eq!(measure(bye, "rank_among_the_paired"), None);
    let pairs = explained["expected"]["round"]["pairs"].as_array().unwrap().iter();
    let squares = pairs.filter_map(|pair| {
        let of = |name| [&pair["upper"], &pair["lower"]].map(|player| measure(player, name).unwrap());
        let ([one, other], [points, others]) = (of("rank_among_the_paired"), of("points"));
        (points != others).then_some((one - other) * (one - other))
    });
    // Each encounter has two games.
    assert_eq!(
        Some(squares.sum::<i64>() / 2),
        reasons["criteria"].as_array().unwrap().last().unwrap()["value"].as_i64()
    );
}

#[test]
fn an_auditor_asks_what_the_other_reading_of_an_opponents_bye_changes() {
    let place = Place::new();
    let director = Director::opened(&place, "olympiad-2000", "2000-06-01");
    announced(&director, 7, "");
    director.does("2000-08-20T08:00", "round declare");
    // The better numbered win. The first two win all their games; both whom the first has met have a bye, and little else.
    for round in 1..=2 {
        let when = format!("2000-08-{}", 20 + round);
        director.does(&format!("{when}T09:00"), "round pair");
        director.does(&format!("{when}T10:00"), &format!("game start r{round}.1 --no-game"));
        for (board, (white, black)) in (1..).zip(director.games(round)) {
            let winner = (&white).min(&black);
            let result =
                format!("game result r{round}.{board} {winner} --termination immobilization --territory 5");
            director.does(&format!("{when}T12:00"), &result);
        }
    }
    let audit =
        place.ask_json(&["tournament", "audit", "olympiad-2000", "--reading", "T47=included", "--json"]);
    assert_eq!(audit["readings"], json!([["T47", "owner_only", "included"]]));
    let mut ranks: Vec<&Value> = audit["standings"].as_array().unwrap().iter().collect();
    ranks.sort_by_key(|rank| rank["player"].as_str());
    let rank = |player, before, after| json!({ "player": player, "before": before, "after": after });
    assert_eq!(ranks, [&rank("e01", 2, 1), &rank("e02", 1, 2)]);
}

#[test]
fn another_method_of_pairing_violates_only_where_the_pairs_differ() {
    let place = Place::new();
    let director = Director::opened(&place, "olympiad-2000", "2000-06-01");
    announced(&director, 7, "");
    director.does("2000-08-20T08:00", "round declare");
    for round in 1..=3 {
        let when = format!("2000-08-{}", 20 + round);
        director.does(&format!("{when}T09:00"), "round pair");
        director.does(&format!("{when}T10:00"), &format!("game start r{round}.1 --no-game"));
        for (board, (white, black)) in (1..).zip(director.games(round)) {
            let winner = (&white).min(&black);
            let result =
                format!("game result r{round}.{board} {winner} --termination immobilization --territory 5");
            director.does(&format!("{when}T12:00"), &result);
        }
    }
    let run = place.run(&["tournament", "audit", "olympiad-2000", "--reading", "T18=B", "--json"]);
    let audit: Value = serde_json::from_str(&run.out).unwrap();
    let changed = audit["verdicts"].as_array().unwrap();
    let of = |what: &str| {
        let found = changed.iter().filter(|one| one["subject"].as_str().unwrap().ends_with(what));
        found.collect::<Vec<_>>()
    };
    // The values on another list of criteria are not compared.
    assert!(!of(", measures").is_empty(), "{audit:#}");
    for one in of(", measures").into_iter().chain(of(", equals")) {
        assert_eq!(one["after"], json!([]), "{one}");
    }
    let violations = changed.iter().filter(|one| one["after"].to_string().contains("violation"));
    let violations = violations.count() as u64;
    assert_eq!(audit["counts_after"]["violations"], violations);
}

#[test]
fn a_round_of_an_all_play_all_is_one_of_several_that_are_as_good() {
    let place = Place::new();
    let director = Director::opened(&place, "olympiad-2000", "2000-06-01");
    announced(&director, 3, "");
    director.does("2000-08-20T08:00", "round declare");
    director.does("2000-08-20T09:00", "round pair");
    let why = place.ask(&["tournament", "explain", "olympiad-2000", "1"]);
    assert!(why.contains("compliant (1 of at least 2 equivalent), the canonical one"), "{why}");
    let audit = place.ask_json(&["tournament", "audit", "olympiad-2000", "--json"]);
    assert_eq!(audit["counts"]["one_of"], 1, "{}", audit["counts"]);
}
