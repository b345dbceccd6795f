//! Positions evaluated: as text, out of the log and out of an archive, with what threatens in them.

use crate::program::{Place, real_archive};

/// Gold's rabbit on d6 is two steps from its goal; each side has an elephant besides, and Gold a second rabbit.
const POSITION: &str = "g [r.......e..........R..................................E......R..]";

#[test]
fn a_position_is_told_with_its_worth_and_what_threatens_in_it() {
    let place = Place::new();
    let said = place.ask(&["engine", "evaluate", POSITION, "--evaluator", "material"]);
    assert!(said.contains("gold to move"), "{said}");
    assert!(said.contains("gold, within one turn: goal in 2 steps (Rd6n Rd7n)"), "{said}");
    assert!(said.contains("silver, within one turn: no goal"), "{said}");
    assert!(said.contains("material: +1.00 rabbits for the side to move"), "{said}");
    let json = place.ask_json(&["engine", "evaluate", POSITION, "--json", "--search", "nodes=2000"]);
    assert_eq!((&json["to_move"], &json["gold"]["goal_in"]), (&"gold".into(), &2.into()), "{json}");
    assert!(json["evaluations"].as_array().is_some_and(|all| !all.is_empty()), "{json}");
    let best = &json["best"];
    assert!(best["score"].as_str().is_some_and(|score| score.contains("wins in")), "{best}");
    let same = place.ask_json(&["engine", "evaluate", POSITION, "--side", "g", "--json"]);
    assert_eq!(same["to_move"], "gold");
    let other = place.run(&["engine", "evaluate", POSITION, "--side", "s"]);
    assert!(other.status == 2 && other.talk.contains("Gold is to move there, not Silver"), "{other:?}");
    let bare = place.ask_json(&["engine", "evaluate", &POSITION[2..], "--side", "g", "--json"]);
    assert_eq!(bare["position"], json["position"]);
    place.write("board.txt", place.ask(&["engine", "evaluate", POSITION]));
    let file = place.ask_json(&["engine", "evaluate", "@board.txt", "--json"]);
    assert_eq!(file["position"], json["position"]);
}

#[test]
fn what_can_be_captured_is_told_with_a_turn_that_does_it() {
    let place = Place::new();
    // The elephant of c5 pushes the rabbit of c4 onto the trap below it.
    let position = format!(
        "g [{}r{}E{}r{}R{}]",
        ".".repeat(8),
        ".".repeat(17),
        ".".repeat(7),
        ".".repeat(20),
        ".".repeat(8)
    );
    let said = place.ask(&["engine", "evaluate", &position]);
    assert!(
        said.contains("gold, within one turn: no goal; captures:\n  rabbit c4 in 2 steps (rc4s rc3x Ec5s)\n"),
        "{said}"
    );
    assert!(said.contains("silver, within one turn: no goal; no capture"), "{said}");
    assert!(said.contains("in rabbits, for gold: annals ") && said.contains(", material "), "{said}");
    let json = place.ask_json(&["engine", "evaluate", &position, "--json"]);
    let capture = serde_json::json!({
        "piece": "rabbit", "square": "c4", "steps": 2, "turn": "rc4s rc3x Ec5s",
    });
    assert_eq!(json["gold"]["captures"], serde_json::json!([capture]), "{json}");
    for limit in ["nodes=500", "depth=2", "time=0.05"] {
        let best = place.ask_json(&["engine", "evaluate", &position, "--search", limit, "--json"]);
        assert!(best["best"]["turn"].is_string(), "{limit}: {best}");
    }
}

#[test]
fn several_evaluators_stand_side_by_side_and_an_unknown_one_is_told() {
    let place = Place::new();
    let twice = place.ask_json(&[
        "engine", "evaluate", POSITION, "--evaluator", "material", "--evaluator", "material", "--json",
    ]);
    assert_eq!(twice["evaluations"].as_array().map(Vec::len), Some(1), "each once: {twice}");
    assert!(place.ask(&["engine", "evaluate", "--list"]).contains("material: "));
    let unknown = place.run(&["engine", "evaluate", POSITION, "--evaluator", "materail"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.talk.contains("did you mean `material`?"), "{unknown:?}");
}

#[test]
fn what_is_no_position_is_refused_with_the_reason() {
    let place = Place::new();
    let empty = ".".repeat(64);
    for (given, said) in [
        (format!("g [{}]", empty.replacen("...", "EE.", 1)), "no possible board: gold has 2 elephants"),
        (format!("g [{}E{}]", ".".repeat(18), ".".repeat(45)), "the piece on the trap c6 has no friend"),
        (format!("g [{}]", &empty[1..]), "no board"),
        (format!("[{empty}]"), "the side to move is missing"),
        ("Nonsense".to_owned(), "a position is"),
    ] {
        let run = place.run(&["engine", "evaluate", &given]);
        assert_eq!(run.status, 2, "{given}: {run:?}");
        assert!(run.talk.contains(said), "{given}: {}", run.talk);
    }
    place.write("blank.txt", "\n\n");
    place.write("long.txt", " ".repeat(70_000));
    for (given, said) in [
        ("@/nonexistent", "cannot read /nonexistent: No such file"),
        ("@board.txt", "cannot read board.txt: No such file"),
        ("@.", "cannot read .: Is a directory"),
        ("@/dev/null", "cannot read /dev/null: not a regular file"),
        ("@blank.txt", "blank.txt is empty"),
        ("@long.txt", "long.txt is empty"),
        ("", "the side to move is missing"),
    ] {
        let run = place.run(&["engine", "evaluate", given]);
        assert!(run.status == 2 && run.talk.contains(said), "{given}: {run:?}");
    }
    assert_eq!(place.run(&["engine", "evaluate"]).status, 2);
    for limit in ["nodes=0", "hash=16385"] {
        let run = place.run(&["engine", "evaluate", POSITION, "--search", limit]);
        assert!(run.status == 2 && run.talk.contains("is not a valid value of"), "{limit}: {run:?}");
    }
    assert_eq!(place.run(&["engine", "evaluate", POSITION, "--search", "deep"]).status, 2);
}

#[test]
fn a_decided_position_is_told_as_such_and_not_judged() {
    let place = Place::new();
    let won = format!("s [R{}r{}]", ".".repeat(40), ".".repeat(22));
    let json = place.ask_json(&["engine", "evaluate", &won, "--json", "--search", "100"]);
    assert_eq!(json["decided"], "gold has won, by goal", "{json}");
    assert_eq!((json["evaluations"].as_array().map(Vec::len), json.get("best")), (Some(0), None));
}

#[test]
fn games_of_the_log_and_of_an_archive_are_evaluated_as_they_stood() {
    let place = Place::new();
    let run = place.run(&[
        "engine", "selfplay", "--games", "1", "--seed", "4", "--nodes", "60", "--time-control",
        "15s/2m/100/0/6t", "--log",
    ]);
    assert_eq!(run.status, 0, "{run:?}");
    let end = place.ask_json(&["engine", "evaluate", "game/selfplay-4-1", "--json"]);
    let early = place.ask_json(&["engine", "evaluate", "game/selfplay-4-1", "--as-of", "seq:6", "--json"]);
    assert_ne!(end["position"], early["position"]);
    let nobody = place.run(&["engine", "evaluate", "game/selfplay-4-2"]);
    assert_eq!(nobody.status, 2, "{nobody:?}");

    let Some(folder) = real_archive() else { return };
    let file = format!("@{}", folder.join("allgames202602.txt").display());
    let game = format!("{file}:669192");
    let at = |turn: &str| place.run(&["engine", "evaluate", &game, "--turn", turn, "--json"]);
    let second = at("2w");
    assert_eq!(second.status, 0, "{second:?}");
    assert!(second.out.contains("\"to_move\": \"gold\"") || second.out.contains("\"to_move\":\"gold\""));
    assert!(at("1b").talk.contains("setups are not complete"));
    assert!(at("900w").talk.contains("no turn 900"));
    let missing = place.run(&["engine", "evaluate", &format!("{file}:5")]);
    assert!(missing.status == 2 && missing.talk.contains("has no game 5"), "{missing:?}");
    let several = place.run(&["engine", "evaluate", &file]);
    assert!(several.status == 2 && several.talk.contains("games"), "{several:?}");
}
