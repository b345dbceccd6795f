//! The same questions of every format: a final of programs with its qualifier, a game that was halted and one that was
//! played to no end; a Swiss with lots, a bye and a forfeit; encounters with territory. What users see is held word for word.

use serde_json::Value;

use crate::program::Place;

/// A command of the director at a time.
fn director(place: &Place, at: &str, words: &[&str]) {
    place.ask(&[&["tournament"], words, &["--at", at, "--actor", "omar"]].concat());
}

fn new_log(place: &Place, at: &str) {
    place.ask(&["log", "init", "--simulated", "--at", at, "--actor", "omar"]);
}

/// Holds an answer against its snapshot; no line of it ends in a space, and no figure in it is of millions.
fn shown(place: &Place, name: &str, words: &[&str]) -> String {
    let text = place.ask(&[&["tournament"], words].concat());
    assert!(text.lines().all(|line| line.trim_end() == line), "a line ends in a space: {text}");
    let figures = text.split(|sign: char| !sign.is_ascii_digit());
    assert!(figures.max_by_key(|run| run.len()).is_none_or(|run| run.len() < 9), "a raw figure: {text}");
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, &text);
    });
    text
}

/// Five programs and their qualifier, the order published; nobody qualifies who did not enter.
fn qualified(place: &Place) {
    new_log(place, "2014-12-01");
    director(
        place,
        "2014-12-02T12:00",
        &[
            "announce", "wcc-2015", "--rulebook", "wcc-2015", "--published", "--director", "Omar", "--year",
            "2015", "--name", "Programs 2015", "--fund", "500", "--option", "T7=B",
        ],
    );
    for (player, name) in [
        ("sharp", "Sharp"),
        ("ziltoid", "Ziltoid"),
        ("briareus", "Briareus"),
        ("marwin", "Marwin"),
        ("clueless", "Clueless"),
    ] {
        director(
            place,
            "2014-12-04T12:00",
            &[
                "entry",
                "add",
                "wcc-2015",
                player,
                "--name",
                name,
                "--bot",
                "--developer",
                &format!("Maker of {name}"),
            ],
        );
        director(place, "2014-12-04T12:00", &["fund", "fee", "wcc-2015", player, "10"]);
    }
    director(place, "2015-01-01T12:00", &["qualifier", "benchmarks", "wcc-2015", "bench-a", "bench-b"]);
    for (day, player, benchmark, side, winner, rest) in [
        ("03", "sharp", "bench-a", "gold", "gold", None),
        ("04", "sharp", "bench-a", "silver", "silver", None),
        ("05", "sharp", "bench-a", "silver", "silver", None),
        ("06", "sharp", "bench-a", "gold", "gold", Some("--unrated")),
        ("07", "sharp", "bench-b", "gold", "silver", None),
        ("08", "ziltoid", "bench-a", "gold", "gold", None),
        ("09", "ziltoid", "bench-b", "silver", "silver", None),
        ("11", "briareus", "bench-a", "gold", "gold", None),
        ("12", "marwin", "bench-a", "gold", "gold", None),
        ("13", "clueless", "bench-a", "gold", "silver", None),
    ] {
        let time = |hour: u32| format!("2015-01-{day}T{hour}:00");
        let (began, ended) = (time(10), time(11));
        let words = [
            &["qualifier", "add-game", "wcc-2015", player, benchmark, "--side", side, "--winner", winner][..],
            &["--started-at", &began, "--ended-at", &ended, "--termination", "goal"],
            rest.as_slice(),
        ];
        director(place, &time(12), &words.concat());
    }
    let mut words = vec!["qualifier", "rank", "wcc-2015"];
    for rating in ["sharp=2300", "ziltoid=2200", "briareus=2100", "marwin=2000", "clueless=1500"] {
        words.extend(["--rating", rating]);
    }
    director(place, "2015-02-02T03:00", &words);
}

/// The first two rounds: a game halted and resumed, a forfeit, a result that is ruled otherwise before the round after it.
fn finals(place: &Place) {
    let at = |time: &str, words: &[&str]| director(place, time, words);
    at("2015-02-27T12:00", &["round", "pair", "wcc-2015"]);
    at("2015-03-01T10:00", &["game", "start", "wcc-2015", "r1.1"]);
    for (time, turn) in [
        ("2015-03-01T10:01", "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2"),
        ("2015-03-01T10:02", "1s ha7 db7 cc7 ed7 me7 cf7 dg7 hh7 ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8"),
        ("2015-03-01T10:03", "2g Ee2n"),
    ] {
        at(time, &["game", "move", "wcc-2015", "r1.1", turn, "--used", "30"]);
    }
    at(
        "2015-03-01T10:04",
        &[
            "ruling",
            "give",
            "wcc-2015",
            "halt",
            "r1.1",
            "--ply",
            "2",
            "--failure",
            "game_server",
            "--reason",
            "The server went down",
            "--evidence",
            "the server's log",
        ],
    );
    at("2015-03-01T12:00", &["game", "start", "wcc-2015", "r1.1"]);
    at("2015-03-01T13:00", &["game", "result", "wcc-2015", "r1.1", "gold", "--termination", "resignation"]);
    at("2015-03-01T13:30", &["game", "start", "wcc-2015", "r1.2"]);
    at("2015-03-01T14:00", &["game", "result", "wcc-2015", "r1.2", "silver", "--termination", "resignation"]);
    at("2015-03-02T12:00", &["round", "pair", "wcc-2015"]);
}

#[test]
fn a_final_of_programs_is_told_with_its_qualifier_and_what_was_set_aside() {
    let place = Place::new();
    qualified(&place);
    shown(&place, "final_explain_qualifier", &["explain", "wcc-2015", "qualifier"]);
    shown(&place, "final_explain_qualifier_score", &["explain", "wcc-2015", "qualifier", "Sharp"]);
    finals(&place);
    shown(&place, "final_show", &["show", "wcc-2015"]);
    let rounds = shown(&place, "final_rounds", &["round", "list", "wcc-2015"]);
    assert!(rounds.contains("r1.1 attempt 1 (wcc-2015.r1.1): halted by event"), "{rounds}");
    shown(&place, "final_standings", &["standings", "wcc-2015"]);
    shown(&place, "final_crosstable", &["crosstable", "wcc-2015"]);
    shown(&place, "final_rulings", &["ruling", "list", "wcc-2015"]);
    shown(&place, "final_player", &["entry", "show", "wcc-2015", "sharp"]);
    shown(&place, "final_explain_round", &["explain", "wcc-2015", "2"]);
    let why = shown(
        &place,
        "final_explain_why_not",
        &["explain", "wcc-2015", "2", "--why-not", "sharp", "clueless", "--why-no-bye", "marwin"],
    );
    assert!(why.contains("2015 WCC, Tournament format 4") && why.contains("2015 WCC"), "{why}");
    shown(&place, "final_explain_colour", &["explain", "wcc-2015", "colour", "r2.1"]);
    shown(&place, "final_history", &["history", "wcc-2015", "--as-of", "2015-02-28"]);
    let explained: Value = place.ask_json(&["tournament", "explain", "wcc-2015", "2", "--json"]);
    assert_eq!(explained["published"]["in_order"], true, "{explained}");
    let audit = place.run(&["tournament", "audit", "wcc-2015"]);
    assert_eq!(audit.status, 0, "{audit:?}");
}

#[test]
fn a_round_that_was_published_otherwise_is_told_with_the_criterion_it_departs_on() {
    let place = Place::new();
    place.write(
        "final.txt",
        "player Sharp 2300\nplayer Ziltoid 2200\nplayer Briareus 2100\nplayer Marwin 2000\nplayer Clueless 1500\n\
         round 1\ngame Sharp Clueless winner Sharp\ngame Marwin Ziltoid winner Ziltoid\nbye Briareus\n",
    );
    let read = ["tournament", "import", "state", "final.txt", "--as", "wcc-2014", "--rulebook", "wcc-2015"];
    place.ask(&[&read[..], &["--date", "2014-02-14", "--actor", "omar"]].concat());
    let text = shown(&place, "departs_explain_round", &["explain", "wcc-2014", "1"]);
    assert!(text.contains("violation on criterion"), "{text}");
    shown(&place, "departs_explain_bye", &["explain", "wcc-2014", "bye", "1"]);
}

#[test]
fn one_of_several_equal_rounds_is_told_with_another_that_is_as_good() {
    let place = Place::new();
    let players: Vec<String> =
        (1..=7).map(|seed| format!("player P{seed} {}\n", 2400 - 100 * seed)).collect();
    // The better seeded lose, which leaves several best rounds.
    let rounds = "round 1\ngame P2 P7 winner P7\ngame P3 P6 winner P6\ngame P4 P5 winner P5\nbye P1\n";
    place.write("final.txt", players.concat() + rounds);
    let read = ["tournament", "import", "state", "final.txt", "--as", "wcc-2014", "--rulebook", "wcc-2015"];
    place.ask(&[&read[..], &["--date", "2014-02-14", "--actor", "omar"]].concat());
    director(&place, "2014-02-15T12:00", &["round", "pair", "wcc-2014"]);
    let text = shown(&place, "equals_explain_round", &["explain", "wcc-2014", "2"]);
    assert!(text.contains("pairings are as good") && text.contains("Another that is as good"), "{text}");
    let explained = place.ask_json(&["tournament", "explain", "wcc-2014", "2", "--json"]);
    assert!(
        explained["expected"]["reasons"]["equals"]["exactly"].as_u64().is_some_and(|n| n > 1),
        "{explained}"
    );
}

/// Nine players, the Swiss of three rounds, its first round played: a bye, a game lost by absence.
fn swiss(place: &Place) {
    new_log(place, "2008-11-01");
    let at = |time: &str, words: &[&str]| director(place, time, words);
    at(
        "2008-12-01T12:00",
        &[
            "announce", "open-2009", "--rulebook", "wc-2009", "--published", "--director", "Omar", "--year",
            "2009", "--name", "Open 2009",
        ],
    );
    for (player, rating) in [
        ("anna", "2300"),
        ("bela", "2250"),
        ("cara", "2200"),
        ("dora", "2150"),
        ("emil", "2100"),
        ("fred", "2050"),
        ("gina", "2000"),
        ("hans", "1950"),
        ("ines", "1900"),
    ] {
        at("2008-12-20T10:00", &["entry", "add", "open-2009", player, "--rating", rating]);
    }
    at("2009-01-03T12:00", &["round", "declare", "open-2009"]);
    at("2009-01-03T13:00", &["round", "draw-lots", "open-2009", "--seed", "the closing numbers"]);
    at("2009-01-05T01:00", &["round", "pair", "open-2009", "--seed", "one"]);
    at("2009-01-05T02:00", &["schedule", "notify", "open-2009"]);
    at("2009-01-10T11:00", &["game", "start", "open-2009", "r1.1", "--no-game"]);
    for (pairing, outcome) in [("r1.1", "gold"), ("r1.2", "gold"), ("r1.3", "silver")] {
        at("2009-01-10T20:00", &["game", "result", "open-2009", pairing, outcome, "--termination", "goal"]);
    }
    at(
        "2009-01-10T20:30",
        &["game", "forfeit", "open-2009", "r1.4", "--absent", "hans", "--waited-until", "2009-01-10T19:45"],
    );
    at("2009-01-11T20:00", &["round", "draw-lots", "open-2009", "--seed", "two"]);
    at("2009-01-12T01:01", &["round", "pair", "open-2009", "--seed", "two"]);
}

#[test]
fn a_swiss_is_told_with_its_lots_its_bye_and_its_forfeit() {
    let place = Place::new();
    swiss(&place);
    let standings = shown(&place, "swiss_standings", &["standings", "open-2009"]);
    assert!(standings.contains("Forfeits"), "{standings}");
    let table = shown(&place, "swiss_crosstable", &["crosstable", "open-2009"]);
    assert!(table.contains("f by forfeit"), "{table}");
    shown(&place, "swiss_rounds", &["round", "list", "open-2009"]);
    shown(&place, "swiss_notices", &["schedule", "notices", "open-2009"]);
    shown(&place, "swiss_notices_of_one", &["schedule", "notices", "open-2009", "ines"]);
    shown(&place, "swiss_explain_round", &["explain", "open-2009", "2"]);
    shown(&place, "swiss_explain_bye", &["explain", "open-2009", "bye", "2", "--why-no-bye", "anna"]);
    shown(&place, "swiss_explain_why_not", &["explain", "open-2009", "2", "--why-not", "anna", "bela"]);
    shown(&place, "swiss_explain_rank", &["explain", "open-2009", "rank", "gina", "ines"]);
    shown(&place, "swiss_explain_colour", &["explain", "open-2009", "colour", "r2.1"]);
    shown(&place, "swiss_player", &["entry", "show", "open-2009", "hans"]);
    shown(&place, "swiss_notices_csv", &["schedule", "notices", "open-2009", "--format", "csv"]);
    shown(&place, "swiss_standings_csv", &["standings", "open-2009", "--format", "csv"]);
}

#[test]
fn encounters_are_told_with_their_territory() {
    let place = Place::new();
    new_log(&place, "2000-01-01");
    let at = |time: &str, words: &[&str]| director(&place, time, words);
    at(
        "2000-08-01T12:00",
        &[
            "announce",
            "oly-2000",
            "--rulebook",
            "olympiad-amazons-2000",
            "--director",
            "Omar",
            "--year",
            "2000",
            "--name",
            "Amazons 2000",
        ],
    );
    for player in ["arrow", "blade", "chisel", "drill"] {
        at("2000-08-02T12:00", &["entry", "add", "oly-2000", player, "--bot"]);
    }
    at("2000-08-02T12:00", &["round", "pair", "oly-2000"]);
    at("2000-08-03T11:00", &["game", "start", "oly-2000", "r1.1", "--no-game"]);
    for (pairing, outcome, territory) in
        [("r1.1", "gold", "12"), ("r1.2", "silver", "3"), ("r1.3", "gold", "9"), ("r1.4", "gold", "7")]
    {
        let how = ["--termination", "immobilization", "--territory", territory];
        at("2000-08-03T18:00", &[&["game", "result", "oly-2000", pairing, outcome][..], &how].concat());
    }
    shown(&place, "encounters_show", &["show", "oly-2000"]);
    shown(&place, "encounters_crosstable", &["crosstable", "oly-2000"]);
    shown(&place, "encounters_explain_round", &["explain", "oly-2000", "2"]);
    shown(&place, "encounters_explain_colour", &["explain", "oly-2000", "colour", "r1.2"]);
    shown(&place, "encounters_explain_rank", &["explain", "oly-2000", "rank", "chisel", "blade"]);
}
