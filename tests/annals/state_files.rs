//! State files in and out: rounds that no file marks, and what a file cannot hold.

use serde_json::{Value, json};

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
    let with = "read the file with: --rulebook wc-2009 --option t29=with_swiss";
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
        place.ask(&[&words[..], &["--stage", "swiss", "--date", "2009-01-01", "--actor=omar"]].concat());
        let found = faults(&place, name);
        assert_eq!(found.iter().any(|fault| fault.contains("round 3, rematches")), rematch, "{found:?}");
        // Up to eight players play no Swiss.
        assert!(found.iter().any(|fault| fault.contains("the rounds of the swiss")), "{found:?}");
        assert_eq!(found.len(), 1 + usize::from(rematch), "{found:?}");
    }
    let run = place.run(&["tournament", "audit", "met-again"]);
    assert!(run.out.contains("ada-bob as in round 1") && run.out.contains("swiss.pairing"), "{}", run.out);
}

/// The rows of the standings: rank, player, games won and lost.
fn table(place: &Place, tournament: &str) -> Vec<String> {
    let standings = place.ask_json(&["tournament", "standings", tournament, "--json"]);
    let rows = standings["rows"].as_array().unwrap().iter();
    let player = |row: &Value| row["player"].as_str().unwrap().to_owned();
    rows.map(|row| format!("{} {} {} {}", row["rank"], player(row), row["won"], row["lost"])).collect()
}

/// Players `p1`, `p2` and so on, the strongest first, and a round in which the lower rated one wins each game.
fn one_round(players: usize) -> String {
    let names: Vec<String> = (1..=players).map(|number| format!("p{number}")).collect();
    let lines = (1..).zip(&names).map(|(number, name)| format!("player {name} {}\n", 2200 - 100 * number));
    let games = (0..players / 2).map(|at| (&names[at], &names[players - 1 - at]));
    let games = games.map(|(one, other)| format!("game {one} {other} winner {other}\n"));
    let bye = names.get(players / 2).filter(|_| players % 2 == 1).map(|name| format!("bye {name}\n"));
    lines.chain(["round 1\n".to_owned()]).chain(games).chain(bye).collect()
}

#[test]
fn at_most_eight_players_play_the_final_and_no_swiss() {
    let place = Place::new();
    let read = |name: &str, players: usize, stage: &[&str]| {
        place.write("few.txt", one_round(players));
        let words = ["tournament", "import", "state", "few.txt", "--as", name, "--rulebook", "wc-2009"];
        place.ask(&[&words[..], &["--date", "2009-01", "--actor=omar"], stage].concat())
    };
    let told = read("four", 4, &[]);
    assert!(told.contains("at most 8 players play no swiss stage"), "{told}");
    assert!(told.contains("`--stage swiss` records them"), "{told}");
    assert_eq!(table(&place, "four"), ["1 p3 1 0", "2 p4 1 0", "3 p1 0 1", "4 p2 0 1"]);
    assert_eq!(faults(&place, "four"), [""; 0]);
    let told = read("same", 4, &["--stage", "final"]);
    assert!(!told.contains("play no swiss"), "{told}");
    let without_name = |name: &str| payloads(&place, name).split_off(1);
    assert_eq!(without_name("same"), without_name("four"));
    assert!(!read("nine", 9, &[]).contains("play no swiss"));
    let paired = payloads(&place, "nine").into_iter().find(|(kind, _)| kind == "tournament.round_paired");
    assert_eq!(paired.unwrap().1["stage"], "swiss");
    assert_eq!(faults(&place, "nine"), [""; 0]);

    // A Swiss that was played nevertheless ranks the players, and breaks the rule.
    for players in [4, 8] {
        let name = format!("swiss-{players}");
        read(&name, players, &["--stage", "swiss"]);
        let found = table(&place, &name);
        let (won, lost) = found.split_at(players / 2);
        assert!(won.iter().all(|row| row.ends_with(" 1 0")), "{found:?}");
        assert!(lost.iter().all(|row| row.ends_with(" 0 1")), "{found:?}");
        let found = faults(&place, &name);
        assert!(found.len() == 1 && found[0].contains("the rounds of the swiss [swiss.rounds"), "{found:?}");
        let out = place.run(&["tournament", "export", &name]);
        assert!(out.talk.contains("read the file with: --rulebook wc-2009 --stage swiss"), "{out:?}");
    }
    let why = place.ask(&["tournament", "explain", "swiss-4", "rank", "p1", "p4"]);
    assert!(why.contains("p4 is above p1: points is 1 against 0"), "{why}");
}

#[test]
fn losses_before_the_final_are_told_from_those_that_decide() {
    let place = Place::new();
    place.write("swiss.txt", one_round(9));
    let words = ["tournament", "import", "state", "swiss.txt", "--as", "open", "--rulebook", "wc-2009"];
    place.ask(&[&words[..], &["--date", "2009-01-01", "--actor=omar"]].concat());
    let of_swiss = place.ask(&["tournament", "standings", "open"]);
    assert!(!of_swiss.contains("Tie-breaks") && !of_swiss.contains("By losses"), "{of_swiss}");
    // The order of the Swiss and the first round of the final, as a log records them.
    let rank =
        |rank: u32| json!({ "player": format!("p{rank}"), "rank": rank, "seed": rank, "measures": [] });
    let order: Vec<Value> = (1..=8).map(rank).collect();
    let pair = |board: u32| {
        let (upper, lower) = (format!("p{board}"), format!("p{}", 9 - board));
        json!({ "board": board, "upper": upper, "lower": lower, "upper_side": "gold" })
    };
    let pairs: Vec<Value> = (1..=4).map(pair).collect();
    let lines = [
        ("qualified", json!({ "from": "swiss", "to": "final", "order": order, "grounds": [] })),
        ("round_paired", json!({ "round": 2, "stage": "final", "pairs": pairs, "byes": [] })),
    ];
    let lines = lines.map(|(kind, payload)| {
        let (stream, kind) = ("tournament/open", format!("tournament.{kind}"));
        json!({ "stream": stream, "type": kind, "effective_at": "2009-02-01T00:00:00Z", "payload": payload })
            .to_string()
    });
    let of_swiss = place.ask(&["log", "export", "tournament/open"]);
    let place = Place::new();
    place.write("both.jsonl", of_swiss + &lines.join("\n"));
    place.ask(&["log", "import", "both.jsonl", "--actor=omar"]);
    let shown = place.ask(&["tournament", "standings", "open"]);
    assert!(shown.contains("losses: only what the rulebook counts for the order"), "{shown}");
    let head: Vec<&str> = shown.lines().find(|line| line.starts_with("Rank")).unwrap().split("  ").collect();
    assert!(head.iter().any(|head| head.trim() == "By losses"), "{shown}");
    let why = place.ask(&["tournament", "explain", "open", "rank", "p1", "p2"]);
    assert!(why.contains("losses: only what the rulebook counts for the order"), "{why}");
}

#[test]
fn the_number_of_a_player_is_a_rating() {
    let place = Place::new();
    let help = place.ask(&["tournament", "import", "state", "--help"]);
    assert!(help.contains("`player NAME RATING`") && help.contains("first seed"), "{help}");
    let read = |file: &str| {
        place.write("f.txt", file);
        place.run(&["tournament", "import", "state", "f.txt", "--as", "f", "--dry-run"])
    };
    for (file, expected) in [
        ("player Anna\n", "it is written `player NAME RATING`"),
        ("game Anna Bela\n", "write `player Anna RATING` above"),
        ("player Anna first\n", "`first` is not the rating of a player"),
    ] {
        let run = read(file);
        assert!(run.status == 2 && run.talk.contains(expected), "{file}: {run:?}");
    }
    let places = "the numbers 1 to 2 are read as ratings, of which the greatest is the first seed";
    assert!(read("player Anna 1\nplayer Bela 2\n").out.contains(places));
    assert!(!read("player Anna 2100\nplayer Bela 2000\n").out.contains("read as ratings"));
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
