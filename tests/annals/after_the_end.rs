//! What a record shows after the end of a game: turns that follow the deciding one, and the clock of a resignation.

use crate::ingesting::{SETUPS, header, row};
use crate::program::{Place, real_archive};

/// A row in which Gold resigns in its second turn, with the server's clock after it.
fn resigned(clock: &str) -> String {
    let turns: Vec<&str> = SETUPS.split("\\n").collect();
    let received = |turn: &str| {
        let (label, steps) = turn.split_once(' ').unwrap();
        let from = &label[1..];
        format!("1769941100 [Sun Feb  1 10:18:20 2026] move {label} received from {from} [{steps}]")
    };
    let at = "1769941100 [Sun Feb  1 10:18:20 2026]";
    let log = [
        received(turns[0]),
        format!("{at} after 1w, move used:20 wresv:120 bresv:120 game:20"),
        received(turns[1]),
        format!("{at} after 1b, move used:20 wresv:120 bresv:120 game:40"),
        format!("{at} result=br side=w"),
        format!("{at} after 2w, move {clock}"),
        format!("{at} game finished with result b r"),
    ];
    let row = row("7", &format!("{SETUPS}2w")).replace("\tw\tr\t2\t", "\tb\tr\t2\t");
    format!("{}\n{row}{}\n", header(), log.join("\\n"))
}

#[test]
fn a_false_clock_after_a_resignation_is_flagged_as_one_after_a_turn_is() {
    // Two minutes for the turn, ten seconds of the reserve.
    for (clock, flags) in [
        ("used:130 wresv:110 bresv:120 game:170", None),
        ("used:130 wresv:111 bresv:120 game:170", Some(1)),
        ("used:130 wresv:110 bresv:121 game:170", Some(1)),
        ("used:130 wresv:110 bresv:120 game:171", Some(1)),
    ] {
        let place = Place::new();
        place.write("a.txt", resigned(clock));
        let summary = place.ask_json(&["ingest", "a.txt", "--json"]);
        assert_eq!(summary["counts"]["rows"], 1, "{summary}");
        assert_eq!(summary["flags"]["clock-disagrees"].as_u64(), flags, "{clock}: {summary}");
        assert_eq!(summary["flags"]["log-disagrees"].as_u64(), None, "{clock}: {summary}");
        let imported = place.ask_json(&["log", "import", "a.txt", "--json", "--actor", "omar"]);
        assert_eq!(imported["files"][0]["flags"]["clock-disagrees"].as_u64(), flags, "{clock}: {imported}");
    }
}

#[test]
fn the_real_game_that_went_on_after_a_goal_is_flagged_and_found() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    let file = folder.join("allgames2002.txt");
    let file = file.to_str().unwrap();
    let summary = place.ask_json(&["ingest", file, "--json"]);
    assert_eq!(summary["flags"]["play-after-end"], 1, "{summary}");
    assert!(place.ask(&["game", "list", "--flag", "play-after-end"]).contains("46"));
    let imported = place.ask_json(&["log", "import", file, "--games", "46", "--json", "--actor", "omar"]);
    assert_eq!(imported["files"][0]["flags"]["play-after-end"], 1, "{imported}");
    assert_eq!(imported["files"][0]["findings"]["played_on"], 1, "{imported}");
    let verified = place.ask(&["log", "verify"]);
    assert!(verified.contains("played_on"), "{verified}");
    let shown = place.ask(&["replay", "game/arimaa-46"]);
    assert!(
        shown.contains("had decided the game with turn 21s") && shown.contains("play went on"),
        "{shown}"
    );
}

#[test]
fn many_turns_after_an_elimination_are_one_finding_at_the_first_of_them() {
    let place = Place::new();
    let event = |event_type: &str, payload: &str| {
        format!(
            r#"{{"stream":"game/odd","type":"game.{event_type}","effective_at":"2020-01-01T12:00:00Z","payload":{payload}}}"#
        )
    };
    let started = r#"{"game":"arimaa","gold":{"name":"anna"},"position":"g [....e.....................E.......r.....................R.......]","rated":false,"silver":{"name":"bela"}}"#;
    let turn = |number: u32, side: &str, steps: &str| {
        event("turn_taken", &format!(r#"{{"number":{number},"side":"{side}","steps":"{steps}"}}"#))
    };
    // Gold pushes Silver's last rabbit into a trap.
    let mut lines = vec![event("started", started), turn(30, "gold", "rc4s rc3x Ec5s")];
    let steps = [("ee8s", "Ec4n"), ("ee7s", "Ec5w"), ("ee6s", "Eb5n"), ("ee5s", "Eb6n"), ("ee4s", "Ra1n")];
    for (number, (silver, gold)) in (30..).zip(steps) {
        lines.push(turn(number, "silver", silver));
        lines.push(turn(number + 1, "gold", gold));
    }
    place.write("odd.jsonl", lines.join("\n"));
    place.ask(&["log", "import", "odd.jsonl", "--actor", "omar"]);
    let verified = place.ask_json(&["log", "verify", "--json"]);
    let findings = verified["games"]["findings"].as_array().unwrap();
    let found: Vec<&str> = findings.iter().map(|finding| finding["code"].as_str().unwrap()).collect();
    assert_eq!(found, ["played_on"], "{verified}");
    let shown = place.ask(&["replay", "game/odd"]);
    assert!(shown.contains("had decided the game with turn 30g"), "{shown}");
}
