//! The Swiss of 2009 with nine players and a final of four: what is known of those who do not reach the final, what is next
//! at each stage, and when a fee goes back.

use crate::director::Director;
use crate::program::Place;

const PLAYERS: [&str; 9] = ["anna", "bela", "cara", "dora", "emil", "fred", "gina", "hugo", "iris"];

/// The day of a round: its Sunday is 4 January 2009 for the first.
fn day(round: u32, after: u32) -> String {
    format!("2009-01-{:02}", 4 + 7 * (round - 1) + after)
}

/// The line of the page about the tournament that names the next step.
fn next(place: &Place) -> String {
    let page = place.ask(&["tournament", "show", "open"]);
    let next = page.lines().find_map(|line| line.strip_prefix("Next")).unwrap_or_else(|| panic!("{page}"));
    next.trim().to_owned()
}

fn announced(place: &Place) -> Director<'_> {
    let director = Director::opened(place, "open", "2008-11-01");
    let announce = "announce --rulebook wc-2009 --published --year 2009 --director omar --option finalists=4";
    director.does("2008-12-01", announce);
    director
}

fn paired(director: &Director<'_>, round: u32) {
    director.does(&format!("{}T20:00", day(round, 0)), &format!("round pair --seed \"coins {round}\""));
}

fn played(director: &Director<'_>, round: u32) {
    let on = day(round, 4);
    director.does(&format!("{on}T15:00"), &format!("game start r{round}.1 --no-game"));
    for (board, _) in (1..).zip(director.games(u64::from(round))) {
        let result = format!("game result r{round}.{board} gold --termination goal");
        director.does(&format!("{on}T17:00"), &result);
    }
}

/// Nine players with their fees, and three rounds of the Swiss with their results.
fn swiss(place: &Place) -> Director<'_> {
    let director = announced(place);
    for (rank, player) in (0..).zip(PLAYERS) {
        director.does("2008-12-20", &format!("entry add {player} --rating {}", 2200 - 50 * rank));
        director.does("2008-12-21", &format!("fund fee {player} 20"));
    }
    director.does("2009-01-04T18:00", "round declare");
    for round in 1..=3 {
        director
            .does(&format!("{}T19:00", day(round, 0)), &format!("round draw-lots --seed \"lots {round}\""));
        paired(&director, round);
        played(&director, round);
    }
    director
}

/// The rank, half points and status of each player in the standings.
fn standings(place: &Place) -> Vec<(String, u64, u64, String)> {
    let page = place.ask_json(&["tournament", "standings", "open", "--json"]);
    let row = |row: &serde_json::Value| {
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        let number = |key: &str| row[key].as_u64().unwrap();
        (text("player"), number("rank"), number("half_points"), text("status"))
    };
    page["rows"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn players_who_do_not_reach_the_final_keep_their_points_and_their_published_rank() {
    let place = Place::new();
    let director = swiss(&place);
    let before = standings(&place);
    director.does(&format!("{}T18:00", day(4, 0)), "qualifier rank");
    paired(&director, 4);
    let after = standings(&place);
    let finalists: Vec<&String> = after.iter().take(4).map(|(player, ..)| player).collect();
    assert_eq!(after.len(), PLAYERS.len(), "{after:?}");
    let mut out = 0;
    for (player, rank, half_points, _) in &before {
        let row = after.iter().find(|(other, ..)| other == player).unwrap();
        assert_eq!(row.2, *half_points, "{player}");
        if !finalists.contains(&player) {
            assert_eq!((row.1, row.3.as_str()), (*rank, "out"), "{player}");
            let record = place.ask_json(&["player", "record", player, "--json"]);
            assert_eq!(record["tournaments"][0]["half_points"], *half_points, "{player}");
            assert_eq!(record["tournaments"][0]["rank"], *rank, "{player}");
            out += u64::from(*half_points > 0);
        }
    }
    assert!(out > 1, "points of players who are out: {before:?}");
    // Their order is explained by what was published, not by points and wins.
    let [.., one, other] = &after[..] else { panic!("{after:?}") };
    let why = place.ask_json(&["tournament", "explain", "open", "rank", &one.0, &other.0, "--json"]);
    let names: Vec<&str> =
        why["measures"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["points", "opponents", "rating", "lot"], "{why}");
    let why = place.ask(&["tournament", "explain", "open", "rank", &other.0, &after[0].0]);
    assert!(why.contains("in the final is yes against no"), "{why}");
    let table = place.ask_json(&["tournament", "crosstable", "open", "--json"]);
    let rows = table["rows"].as_array().unwrap();
    let ranks: Vec<(String, u64)> = rows
        .iter()
        .map(|row| (row["player"].as_str().unwrap().to_owned(), row["rank"].as_u64().unwrap()))
        .collect();
    assert_eq!(ranks, after.iter().map(|row| (row.0.clone(), row.1)).collect::<Vec<_>>());
}

#[test]
fn after_the_swiss_the_order_is_next_and_no_benchmark_is_declared_without_a_qualifier() {
    let place = Place::new();
    let director = swiss(&place);
    let next = next(&place);
    assert!(next.ends_with("; annals tournament qualifier rank open"), "{next}");
    director.refuses(
        &format!("{}T18:00", day(4, 0)),
        "qualifier benchmarks anna",
        &["the benchmark stable: it belongs to a qualifier", "a stage of the rulebook: swiss, final"],
    );
    director.does(&format!("{}T18:00", day(4, 0)), "qualifier rank");
    let again =
        director.refuses(&format!("{}T18:30", day(4, 0)), "qualifier rank", &["is published already"]);
    let seq = place.ask_json(&["log", "head", "--json"])["seq"].as_u64().unwrap();
    assert!(again.contains(&format!("hint: annals log correct {seq} --strike --reason TEXT")), "{again}");
    place.ask(&["log", "correct", &seq.to_string(), "--strike", "--reason", "too early", "--actor", "omar"]);
}

#[test]
fn before_the_entries_no_place_is_given_and_an_entry_is_next() {
    let place = Place::new();
    let director = announced(&place);
    assert_eq!(
        next(&place).split(" (round.needed").next().unwrap(),
        "nobody is entered, so there is no game to pair"
    );
    assert!(next(&place).ends_with("; annals tournament entry add open PLAYER"));
    director.does("2008-12-20", "entry add anna --rating 2000");
    let words = next(&place);
    assert!(words.starts_with("only anna is entered") && words.ends_with("entry add open PLAYER"), "{words}");
    let page = place.ask_json(&["tournament", "standings", "open", "--json"]);
    assert!(page["rows"][0]["place"].is_null() && page["decided"] == false, "{page}");
    // With two players a round can be paired, and its command is named.
    director.does("2008-12-20", "entry add bela --rating 1900");
    assert!(
        next(&place).ends_with("can be paired; annals tournament round pair open --seed SEED"),
        "{}",
        next(&place)
    );
}

#[test]
fn the_fee_of_a_player_without_a_place_goes_back_when_the_final_is_paired() {
    let place = Place::new();
    let director = swiss(&place);
    let at = format!("{}T18:00", day(4, 0));
    director.does(&at, "qualifier rank");
    let last = standings(&place).pop().unwrap().0;
    let refused = director.refuses(&at, &format!("fund refund {last} 10"), &["before the final is paired"]);
    assert!(!refused.contains("still plays"), "{refused}");
    paired(&director, 4);
    let first = standings(&place)[0].0.clone();
    let after = format!("{}T21:00", day(4, 0));
    director.refuses(&after, &format!("fund refund {first} 10"), &["still plays"]);
    director.does(&after, &format!("fund refund {last} 10"));
    let told = director.does(&after, "fund refund");
    assert_eq!(told.matches("was paid back").count(), 4, "{told}");
    director.is_in_order();
}

#[test]
fn a_player_who_is_out_after_a_forfeit_is_shown_as_removed() {
    let place = Place::new();
    let director = announced(&place);
    for (rank, player) in (0..).zip(&PLAYERS[..3]) {
        director.does("2008-12-20", &format!("entry add {player} --rating {}", 2200 - 50 * rank));
    }
    director.does("2008-12-21", "entry withdraw cara");
    director.does("2009-01-04T18:00", "round declare");
    let said = director.does("2009-01-04T20:00", "round pair --seed coins");
    assert!(said.contains("r1.1"), "{said}");
    director.does("2009-01-08T20:00", "game forfeit r1.1 --absent bela");
    let status = |player: &str| {
        let page = place.ask_json(&["tournament", "entry", "show", "open", player, "--json"]);
        page["status"].as_str().unwrap().to_owned()
    };
    assert_eq!((status("bela"), status("cara")), ("removed".to_owned(), "withdrawn".to_owned()));
    // The board has its result: the hint is no second forfeit.
    let told = director.refuses("2009-01-08T20:30", "game forfeit r1.1 --absent bela", &["has the result"]);
    let seq = told.split("(event ").nth(1).unwrap().split(')').next().unwrap();
    assert!(told.contains(&format!("annals log correct {seq} outcome=OUTCOME")), "{told}");
    assert!(!told.contains("hint: `annals tournament game forfeit"), "{told}");
}

#[test]
fn a_withdrawal_of_a_player_in_no_further_round_says_what_it_costs() {
    let place = Place::new();
    let director = swiss(&place);
    director.does(&format!("{}T18:00", day(4, 0)), "qualifier rank");
    paired(&director, 4);
    let out = standings(&place).into_iter().find(|row| row.3 == "out").unwrap().0;
    let finalist = director.games(4)[0].0.clone();
    let said = |player: &str| {
        let words = ["tournament", "entry", "withdraw", "open", player, "--actor", "omar", "--dry-run"];
        place.run(&words).talk
    };
    let note = said(&out);
    assert!(note.contains("was in no further round") && note.contains("no refund"), "{note}");
    assert!(note.contains(&format!("annals tournament entry reinstate open {out}")), "{note}");
    assert!(!said(&finalist).contains("no further round"));
}
