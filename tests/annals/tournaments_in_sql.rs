//! Tournaments in SQL: the tables that are made of the log, and the functions that answer for any time, beside the
//! commands that say the same.

use serde_json::{Value, json};

use crate::program::Place;
use crate::tournament::recorded;

fn rows(place: &Place, sql: &str) -> Vec<Value> {
    place.ask_json(&["query", "--json", sql]).as_array().expect("rows").clone()
}

#[test]
fn every_table_tells_of_a_recorded_tournament() {
    let place = Place::new();
    recorded(&place);
    let one = |sql: &str| rows(&place, sql);
    assert_eq!(
        one("SELECT tournament, rulebook, entrants, rounds, fund, currency FROM tournaments"),
        [
            json!({"tournament": "spring-2015", "rulebook": "house-rules", "entrants": 3, "rounds": 2, "fund": 10000,
            "currency": "USD"})
        ]
    );
    assert_eq!(
        one("SELECT player, kind, entry, rating, status FROM registrations ORDER BY entry")[1],
        json!({"player": "bela", "kind": "human", "entry": 2, "rating": 1900, "status": "entered"})
    );
    assert_eq!(
        one("SELECT round, stage, pairs, byes, \"over\" FROM rounds ORDER BY round"),
        [
            json!({"round": 1, "stage": "round_robin", "pairs": 1, "byes": 1, "over": true}),
            json!({"round": 2, "stage": "round_robin", "pairs": 1, "byes": 1, "over": true}),
        ]
    );
    assert_eq!(
        one("SELECT round, board, bye, upper, gold, silver FROM pairings WHERE round = 2 ORDER BY bye"),
        [
            json!({"round": 2, "board": 1, "bye": false, "upper": "anna", "gold": "cara", "silver": "anna"}),
            json!({"round": 2, "board": null, "bye": true, "upper": "bela", "gold": null, "silver": null}),
        ]
    );
    assert_eq!(
        one(
            "SELECT r.round, r.outcome, r.winner, r.ruled, e.type FROM results r LEFT JOIN events e ON e.seq = r.recorded \
             ORDER BY r.round"
        ),
        [
            json!({"round": 1, "outcome": "gold", "winner": "anna", "ruled": false,
                "type": "tournament.result_recorded"}),
            json!({"round": 2, "outcome": "gold", "winner": "cara", "ruled": true, "type": null}),
        ]
    );
    assert_eq!(
        one(
            "SELECT r.number, r.effect, r.round, r.board, r.dispute, e.actor FROM rulings r JOIN events e USING (seq)"
        ),
        [json!({"number": 1, "effect": "set_result", "round": 2, "board": 1, "dispute": 1, "actor": "omar"})]
    );
    assert!(one("SELECT * FROM ledger").is_empty());
}

#[test]
fn standings_at_any_time_are_those_of_the_command() {
    let place = Place::new();
    recorded(&place);
    for (as_of, sql) in [
        (None, "'spring-2015'"),
        (Some("2015-03-10T12:00:00Z"), "'spring-2015', TIMESTAMP '2015-03-10 12:00:00'"),
        (Some("round:1"), "'spring-2015', 'round:1'"),
    ] {
        let mut command = vec!["tournament", "standings", "spring-2015", "--json"];
        if let Some(as_of) = as_of {
            command.extend(["--as-of", as_of]);
        }
        let told = place.ask_json(&command);
        let of = |row: &Value| {
            ["rank", "player", "won", "lost", "byes", "half_points", "status"].map(|key| row[key].clone())
        };
        let told: Vec<_> = told["rows"].as_array().expect("rows").iter().map(of).collect();
        let found = rows(&place, &format!("SELECT * FROM standings({sql})"));
        assert_eq!(found.iter().map(of).collect::<Vec<_>>(), told, "{sql}");
        assert_eq!(found.len(), 3);
    }
    // What was believed before the ruling differs from what is known today of the same day.
    let won = |sql: &str| rows(&place, &format!("SELECT player FROM {sql} WHERE won = 2"));
    assert_ne!(
        won("standings('spring-2015', TIMESTAMP '2015-03-30 00:00:00', TIMESTAMP '2015-03-20 00:00:00')"),
        won("standings('spring-2015', TIMESTAMP '2015-03-30 00:00:00')")
    );
}

#[test]
fn the_crosstable_has_every_game_from_both_sides() {
    let place = Place::new();
    recorded(&place);
    let found = rows(
        &place,
        "SELECT player, opponent, round, side, half_points, ruled FROM crosstable('spring-2015') ORDER BY round, player",
    );
    assert_eq!(
        found,
        [
            json!({"player": "anna", "opponent": "bela", "round": 1, "side": "gold", "half_points": 2, "ruled": false}),
            json!({"player": "bela", "opponent": "anna", "round": 1, "side": "silver", "half_points": 0,
                "ruled": false}),
            json!({"player": "anna", "opponent": "cara", "round": 2, "side": "silver", "half_points": 0,
                "ruled": true}),
            json!({"player": "cara", "opponent": "anna", "round": 2, "side": "gold", "half_points": 2, "ruled": true}),
        ]
    );
}

#[test]
fn a_question_that_names_no_tournament_or_no_time_says_what_is_wrong() {
    let place = Place::new();
    recorded(&place);
    for (sql, word) in [
        ("standings('autumn-2015')", "autumn-2015"),
        ("standings(7)", "the name of a tournament"),
        ("standings('spring-2015', 'soon')", "soon"),
        ("standings('spring-2015', 7)", "a point in time"),
        ("crosstable()", "crosstable('wcc-2015', 'round:5')"),
    ] {
        let output = place.run(&["query", &format!("SELECT * FROM {sql}")]);
        assert_eq!(output.status, 2, "{sql}");
        assert!(output.talk.contains(word), "{sql}: {}", output.talk);
    }
}
