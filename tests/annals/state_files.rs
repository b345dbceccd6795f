//! State files in and out: rounds that no file marks, and what a file cannot hold.

use serde_json::Value;

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;

/// Two pairs that meet twice, in a file that marks no rounds.
const UNMARKED: &str = "player ada 1900\nplayer bob 1800\nplayer cal 1700\nplayer dan 1600\n\
    game ada bob winner ada\ngame cal dan winner cal\ngame bob ada winner ada\ngame dan cal winner cal\n";

/// Reads a file as a tournament of this name in the log, with the same name to be shown.
fn read(place: &Place, file: &str, tournament: &str) {
    let words = ["tournament", "import", "state", file, "--as", tournament, "--name", "A final"];
    place.ask(&[&words[..], &["--date", "2015-01-14", "--actor=omar"]].concat());
}

fn payloads(place: &Place, tournament: &str) -> Vec<(Value, Value)> {
    let lines = place.ask(&["log", "export", &format!("tournament/{tournament}")]);
    let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.map(|event| (event["type"].clone(), event["payload"].clone())).collect()
}

/// How many verdicts depart.
fn violations(place: &Place, tournament: &str) -> Value {
    let audit: Value =
        serde_json::from_str(&place.run(&["tournament", "audit", tournament, "--json"]).out).unwrap();
    audit["counts"]["violations"].clone()
}

#[test]
fn rounds_that_no_file_marks_are_inferred_again_from_what_is_written() {
    let place = Place::new();
    place.write("file.txt", UNMARKED);
    read(&place, "file.txt", "first");
    let out = place.run(&["tournament", "export", "first"]);
    assert!(out.out.contains("\nround 2 # inferred\n"), "{out:?}");
    assert!(!out.talk.contains("written"), "nothing is lost: {out:?}");
    place.write("again.txt", &out.out);
    read(&place, "again.txt", "second");
    assert_eq!(payloads(&place, "second"), payloads(&place, "first"));
    assert_eq!((violations(&place, "first"), violations(&place, "second")), (0.into(), 0.into()));

    // The same games with rounds that the director marked are held against the pairing of the rulebook.
    place.write("marked.txt", out.out.replace(" # inferred", ""));
    read(&place, "marked.txt", "marked");
    assert_ne!(violations(&place, "marked"), Value::from(0));
    let told = place.ask(&["tournament", "import", "state", "again.txt", "--as", "x", "--dry-run"]);
    assert!(told.contains("2 rounds, inferred from the order of the games"), "{told}");
}

/// What is left out of the state file of a tournament, as standard error lists it.
fn lost(place: &Place, tournament: &str) -> Vec<String> {
    let run = place.run(&["tournament", "export", tournament]);
    assert_eq!(run.status, 0, "{run:?}");
    let line = run.talk.lines().find_map(|line| line.strip_prefix("note: not written: "));
    line.unwrap_or_else(|| panic!("{run:?}")).split(", ").map(str::to_owned).collect()
}

#[test]
fn every_kind_that_a_state_file_cannot_hold_is_printed() {
    let place = Place::new();
    place.ask(&["tournament", "import", "history", "london-2000", "--actor=omar"]);
    let london = lost(&place, "london-2000");
    for kind in ["the published totals and their source", "the final order", "the site", "the year"] {
        assert!(london.iter().any(|lost| lost == kind), "{kind}: {london:?}");
    }
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/v1/championship-2015.jsonl");
    let place = Place::new();
    place.ask(&["log", "import", golden, "--actor=omar"]);
    let list = place.ask_json(&["tournament", "list", "--json"]);
    let tournament = list["tournaments"][0]["tournament"].as_str().unwrap();
    let found = lost(&place, tournament);
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("what_a_state_file_cannot_hold", found.join("\n"));
    });
}

/// The departures of an audit and what does not follow, as the audit prints them.
fn faults(place: &Place, tournament: &str) -> Vec<String> {
    let run = place.run(&["tournament", "audit", tournament]);
    let lines = run.out.lines().map(str::trim);
    let faults = lines.filter(|line| line.starts_with("violation:") || line.starts_with("without ground:"));
    faults.map(str::to_owned).collect()
}

#[test]
fn a_player_who_forfeited_and_left_has_the_playoff_that_the_text_gives() {
    let place = Place::new();
    let file = "player aaa 2400\nplayer bbb 2390\nplayer ccc 2380\nplayer ddd 2370\n\n\
        round 1\ngame aaa ddd winner aaa\ngame ccc bbb winner ccc # forfeit\nremove bbb\n\n\
        round 2\ngame ddd ccc winner ccc\nbye aaa\n\nround 3\ngame ccc aaa winner aaa\n\n\
        round 4\ngame aaa ccc winner aaa\n\nround 5\ngame bbb ddd winner ddd # forfeit\n";
    place.write("final.txt", file);
    let read = |file: &str, tournament: &str| {
        let words = ["tournament", "import", "state", file, "--as", tournament, "--name", "A final"];
        let of = ["--rulebook", "wc-2009", "--stage", "final", "--option", "T29=B", "--date", "2009-01-01"];
        place.ask(&[&words[..], &of, &["--actor=omar"]].concat())
    };
    read("final.txt", "first");
    assert_eq!(faults(&place, "first"), [""; 0]);
    let of = |kind: &str| -> Vec<Value> {
        let all = payloads(&place, "first").into_iter();
        all.filter(|(name, _)| name == &format!("tournament.{kind}")).map(|(_, payload)| payload).collect()
    };
    assert_eq!(of("round_paired")[4]["stage"], "third_playoff");
    assert_eq!(of("player_withdrawn")[0]["how"], "forfeit");
    let forfeits = of("result_recorded");
    assert_eq!(forfeits.iter().filter(|result| result["termination"] == "forfeit").count(), 2);
    let out = place.run(&["tournament", "export", "first"]);
    assert!(out.out.ends_with(&file[file.find("player").unwrap()..]), "{out:?}");
    let with = "read the file with: --stage final --option t29=with_swiss";
    assert!(out.talk.contains(with) && !out.talk.contains("won"), "{out:?}");
    place.write("again.txt", &out.out);
    read("again.txt", "second");
    assert_eq!(payloads(&place, "second"), payloads(&place, "first"));

    // Who forfeits and plays on is kept in, so that the game counts as one that was won.
    place.write("plays.txt", file.replace("remove bbb\n", "remove bbb\nadd bbb\n"));
    let told = read("plays.txt", "third");
    assert!(told.contains("r1.2 is read as a game that was won"), "{told}");
}

#[test]
fn a_rematch_is_found_in_a_record_that_holds_games_only() {
    let place = Place::new();
    let four = "player ada 1900\nplayer bob 1800\nplayer cal 1700\nplayer dan 1600\n\
        round 1\ngame ada bob winner ada\ngame cal dan winner cal\n\
        round 2\ngame bob dan winner bob\ngame ada cal winner ada\n";
    let two = "player ada 1900\nplayer bob 1800\nround 1\ngame ada bob winner ada\nround 2\ngame bob ada winner ada\n";
    let third = "round 3\ngame ada dan winner ada\ngame bob cal winner bob\n";
    let again = "round 3\ngame ada bob winner ada\ngame dan cal winner cal\n";
    for (name, file, rematch) in [
        ("met-again", format!("{four}{again}"), true),
        ("met-once", format!("{four}{third}"), false),
        // Two of four who are still in could have met the others.
        ("left-alone", format!("{four}round 3\ngame ada bob winner ada\n"), true),
        // Two who are alone cannot but meet again.
        ("two", two.to_owned(), false),
    ] {
        place.write("swiss.txt", file);
        let words = ["tournament", "import", "state", "swiss.txt", "--as", name, "--rulebook", "wc-2009"];
        place.ask(&[&words[..], &["--date", "2009-01-01", "--actor=omar"]].concat());
        let found = faults(&place, name);
        assert_eq!(found.iter().any(|fault| fault.contains("round 3, rematches")), rematch, "{found:?}");
        assert_eq!(found.len(), usize::from(rematch), "{found:?}");
    }
    let run = place.run(&["tournament", "audit", "met-again"]);
    assert!(run.out.contains("ada-bob as in round 1") && run.out.contains("swiss.pairing"), "{}", run.out);
}

#[test]
fn the_demonstrations_tournaments_are_the_same_after_an_export_and_an_import() {
    let of = |place: &Place, words: &[&str]| place.ask_json(&[words, &["--json"]].concat());
    let played = &DEMONSTRATION.0;
    let list = of(played, &["--home", "annals-demo", "tournament", "list"]);
    let tournaments: Vec<&str> = list["tournaments"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|line| line["tournament"].as_str())
        .collect();
    assert!(!tournaments.is_empty(), "{list}");
    for tournament in tournaments {
        let out = played.run(&["--home", "annals-demo", "tournament", "export", tournament]);
        assert!(out.talk.contains("who entered and did not reach the final is not written"), "{out:?}");
        let place = Place::new();
        place.write("cup.state", &out.out);
        place.ask(&["tournament", "import", "state", "cup.state", "--as", "copy", "--actor=omar"]);
        let ranked = |standings: Value| -> Vec<(Value, Value, Value)> {
            let rows = standings["rows"].as_array().unwrap().iter();
            rows.map(|row| (row["rank"].clone(), row["name"].clone(), row["seed"].clone())).collect()
        };
        let before = ranked(of(played, &["--home", "annals-demo", "tournament", "standings", tournament]));
        assert!(before.len() > 3 && before.iter().all(|(_, _, seed)| seed.is_u64()), "{before:?}");
        assert_eq!(ranked(of(&place, &["tournament", "standings", "copy"])), before, "{tournament}");
        assert_eq!(violations(&place, "copy"), 0, "{tournament}");
    }
}
