//! Dates that a source states as a month, a season or a year: kept as stated, and in order by their earliest time.

use std::cmp::Ordering;

use serde_json::Value;

use crate::directing::{director, entered};
use crate::program::Place;

const START: &str = r#"
{"stream":"people/anna","type":"people.player_known","effective_at":"2005","payload":{"kind":"human","name":"Anna","player":"anna"}}
{"stream":"people/bela","type":"people.player_known","effective_at":"winter 2006","payload":{"kind":"human","name":"Bela","player":"bela"}}
{"stream":"people/cara","type":"people.player_known","effective_at":"2006-01","payload":{"kind":"human","name":"Cara","player":"cara"}}
{"stream":"people/dora","type":"people.player_known","effective_at":"2006-01-15","payload":{"kind":"human","name":"Dora","player":"dora"}}
"#;

fn known(place: &Place) {
    place.ask(&["log", "init", "--simulated", "--at", "2004-01-01", "--actor", "omar"]);
    place.write("start.jsonl", START);
    place.ask(&["log", "append", "start.jsonl", "--actor", "omar", "--at", "2006-12-01"]);
}

/// The envelopes of the log or of a stream.
fn events(place: &Place, stream: &str) -> Vec<Value> {
    let lines = place.ask(&["log", "show", stream, "--json"]);
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_period_is_kept_as_stated_and_is_in_order_by_its_beginning() {
    let place = Place::new();
    known(&place);
    let shown = place.ask(&["log", "show"]);
    for line in ["#2     2005  people/anna", "#3     winter 2006  people/bela", "#4     2006-01  people/cara"]
    {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert!(shown.contains("why: The source states winter 2006;"), "{shown}");
    let mut times = Vec::new();
    for (player, stated) in [("anna", "2005"), ("bela", "winter 2006"), ("cara", "2006-01")] {
        let event = &events(&place, &format!("people/{player}"))[0];
        assert_eq!(event["payload"]["_time"]["stated"], stated);
        times.push(event["effective_at"].as_i64().unwrap());
    }
    // 1 January 2005, 1 December 2005 and 1 January 2006, UTC.
    assert_eq!(times, [1_104_537_600_000_000, 1_133_395_200_000_000, 1_136_073_600_000_000]);
    assert!(times.is_sorted_by(|a, b| a.cmp(b) == Ordering::Less));
    let people = |as_of: &str| {
        let view = place.ask(&["replay", "people", "--as-of", as_of]);
        ["Anna", "Bela", "Cara", "Dora"].iter().filter(|name| view.contains(**name)).count()
    };
    assert_eq!(
        ["2005-11", "fall 2005", "2005-12", "2005-12-31", "2006-01-14", "2006-01"].map(people),
        [1, 1, 2, 2, 3, 4]
    );
    place.ask(&["log", "verify"]);
}

#[test]
fn an_export_with_stated_periods_is_the_same_log_again() {
    let place = Place::new();
    known(&place);
    let lines = place.ask(&["log", "export"]);
    place.write("export.jsonl", &lines);
    let run = place.run(&["--home", "other", "log", "import", "export.jsonl", "--actor", "omar"]);
    assert_eq!(run.status, 0, "{run:?}");
    let again = place.ask(&["--home", "other", "log", "export"]);
    let payloads = |text: &str| {
        let of = |line: &str| serde_json::from_str::<Value>(line).unwrap();
        let events = text.lines().map(of).filter(|event| event["stream"] != "log/annals");
        events.map(|event| (event["effective_at"].clone(), event["payload"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(payloads(&lines), payloads(&again));
}

#[test]
fn a_director_states_a_month_and_what_follows_in_it_is_not_before_its_cause() {
    let place = Place::new();
    known(&place);
    director(&place, &["announce", "cup", "--rulebook", "wc-2009", "--director", "Omar"], "2006-02-10T12:00");
    // February begins before the announcement: the entry is as early as it can be, and the text is as stated.
    director(&place, &["entry", "add", "cup", "anna", "--rating", "2100"], "2006-02");
    director(&place, &["entry", "add", "cup", "bela", "--rating", "2000"], "spring 2006");
    let entries: Vec<Value> = events(&place, "tournament/cup")
        .into_iter()
        .filter(|event| event["type"] == "tournament.player_registered")
        .collect();
    let of = |event: &Value| (event["payload"]["_time"]["stated"].clone(), event["effective_at"].clone());
    assert_eq!(of(&entries[0]), ("2006-02".into(), 1_139_572_800_000_000_i64.into()), "10 February, 12:00");
    assert_eq!(of(&entries[1]), ("spring 2006".into(), 1_141_171_200_000_000_i64.into()), "1 March");
    assert!(place.ask(&["log", "show", "cup"]).contains(" spring 2006  tournament/cup"));
    for words in [&["history", "cup"][..], &["entry", "show", "cup", "bela"]] {
        let shown = place.ask(&[&["tournament"], words].concat());
        assert!(shown.contains("spring 2006  event "), "{shown}");
    }
    let cited = place.ask(&["cite", "event", &entries[1]["seq"].to_string()]);
    assert!(cited.contains("Happened in spring 2006, as stated"), "{cited}");

    // January ended before the announcement.
    let words = ["tournament", "entry", "add", "cup", "cara", "--at", "2006-01", "--actor", "omar"];
    let run = place.run(&words);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(place.run(&["tournament", "audit", "cup"]).status < 2);
    place.ask(&["player", "rename", "dora", "Dora D", "--at", "summer 2006", "--actor", "omar"]);
    assert_eq!(events(&place, "people/dora")[1]["payload"]["_time"]["stated"], "summer 2006");
}

#[test]
fn a_result_is_entered_with_the_month_alone() {
    let place = Place::new();
    entered(&place);
    director(&place, &["round", "pair", "open-2009", "--seed", "one"], "2009-01-05T01:00");
    director(&place, &["game", "start", "open-2009", "r1.1"], "2009-01-11T01:00");
    let result = ["game", "result", "open-2009", "r1.1", "gold", "--termination", "resignation"];
    let words = [&["tournament"][..], &result, &["--at", "2008", "--actor", "omar"]].concat();
    let run = place.run(&words);
    assert!(run.status == 2 && run.talk.contains("nothing was appended"), "2008 ended before: {run:?}");
    let dry = [&["tournament"][..], &result, &["--at", "2009-01", "--actor", "omar", "--dry-run", "--json"]]
        .concat();
    assert!(place.ask(&dry).contains("\"stated\": \"2009-01\""));
    director(&place, &result, "2009-01");
    for stream in ["game/open-2009.r1.1", "tournament/open-2009"] {
        let last = events(&place, stream).pop().unwrap();
        assert_eq!(last["payload"]["_time"]["stated"], "2009-01");
        assert_eq!(last["effective_at"], 1_231_635_600_000_000_i64, "as early as the start of the game");
    }
    let audit = place.run(&["tournament", "audit", "open-2009", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&audit.out).unwrap()["counts"]["violations"], 0);
    // A reader of the dataset gets no exact end that no source states.
    place.ask(&["ingest", "--log"]);
    assert_eq!(place.ask(&["query", "SELECT ended_at FROM games", "--no-header"]).trim(), "");
    place.ask(&["log", "verify"]);
}

#[test]
fn the_start_of_an_imported_tournament_can_be_a_season() {
    let place = Place::new();
    place.write("file.txt", "player ada 1900\nplayer bob 1800\ngame ada bob winner ada\n");
    let import = [
        "tournament", "import", "state", "file.txt", "--as", "final", "--date", "winter 2006", "--actor",
        "omar",
    ];
    place.ask(&import);
    let first = &events(&place, "tournament/final")[0];
    assert_eq!(first["payload"]["_time"]["stated"], "winter 2006");
    let count = events(&place, "tournament/final").len();
    place.ask(&import);
    assert_eq!(events(&place, "tournament/final").len(), count, "a repeated import adds nothing");
}

#[test]
fn what_is_not_a_period_is_refused() {
    let place = Place::new();
    known(&place);
    for text in ["Winter 2006", "2006-13", "monsoon 2006"] {
        let run = place.run(&["player", "rename", "anna", "A", "--at", text, "--actor", "omar"]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.talk.contains("a season (winter 2015)"), "{run:?}");
    }
    let run = place.run(&["game", "enter", "one", "--new", "amazons", "--at", "2006-01", "--actor", "omar"]);
    assert!(run.status == 2 && run.talk.contains("the moves of a game need a time"), "{run:?}");
    // A note that a later program could write is refused, as this one is by an earlier program.
    let line = START.lines().nth(1).unwrap().replace(r#"{"kind""#, r#"{"_time":{"about":"2006"},"kind""#);
    place.write("later.jsonl", line.replace("\"2005\"", "\"2005-01-01\""));
    let run = place.run(&["log", "append", "later.jsonl", "--actor", "omar"]);
    assert!(run.status == 2 && run.talk.contains("unknown variant `about`"), "{run:?}");
}

/// A tournament of a file that began in an autumn.
fn began_in_fall(place: &Place) {
    place.write("final.txt", "player Anna 2000\nplayer Bela 1900\nround 1\ngame Anna Bela winner Anna\n");
    let words = ["tournament", "import", "state", "final.txt", "--as", "cup", "--actor=omar"];
    place.ask(&[&words[..], &["--date", "fall 2006"]].concat());
}

#[test]
fn an_event_without_a_time_is_not_said_to_have_happened_by_the_one_that_is_shown() {
    let place = Place::new();
    began_in_fall(&place);
    let history = place.ask(&["tournament", "history", "cup"]);
    assert!(history.contains("the one shown is the nearest known one, and gives the order"), "{history}");
    assert!(!history.contains("surely"), "{history}");
    // Event 2 is the announcement, which has the stated period; the entries have none.
    let cited = |seq: &str| place.ask(&["cite", "event", seq]);
    assert!(cited("2").contains("Happened in fall 2006, as stated"), "{}", cited("2"));
    for seq in ["3", "6"] {
        let text = cited(seq);
        assert!(text.contains("The source does not state when it happened"), "{text}");
        assert!(!text.contains("2006-09-01"), "{text}");
    }
}

#[test]
fn files_and_lists_have_no_day_that_no_source_states() {
    let place = Place::new();
    began_in_fall(&place);
    let trf = place.run(&["tournament", "export", "cup", "--format", "trf"]);
    assert!(
        !trf.out.contains("042 ") && trf.talk.contains("the first or the last day is not stated"),
        "{trf:?}"
    );
    let state = place.ask(&["tournament", "export", "cup"]);
    assert!(state.contains("# recorded as tournament/cup, begun in fall 2006\n"), "{state}");
    // Only a ruling leaves a game without a decision.
    place.write("undecided.txt", "player Anna 2000\nplayer Bela 1900\nround 1\ngame Anna Bela no decision\n");
    let words = ["tournament", "import", "state", "undecided.txt", "--as", "other", "--rulebook", "wc-2009"];
    place.ask(&[&words[..], &["--stage", "swiss", "--date", "fall 2006", "--actor=omar"]].concat());
    let rulings = place.ask(&["tournament", "ruling", "list", "other"]);
    assert!(rulings.contains("not stated") && !rulings.contains("2006-09-01"), "{rulings}");
}

#[test]
fn a_date_of_an_import_that_is_none_is_refused_with_those_that_are() {
    let place = Place::new();
    place.write("final.txt", "player Anna 2000\n");
    for date in ["circa 2006", "round:5", "seq:12", "2006-13"] {
        let words =
            ["tournament", "import", "state", "final.txt", "--as", "cup", "--date", date, "--dry-run"];
        let run = place.run(&words);
        let expected = "a season (winter 2015) or a year (2015), each its beginning";
        assert!(run.status == 2 && run.talk.contains(expected), "{date}: {run:?}");
        assert!(!run.talk.contains("its end") && !run.talk.contains("round:5,"), "{date}: {run:?}");
    }
    let help = place.ask(&["tournament", "import", "state", "--help"]);
    assert!(help.contains("season or year"), "{help}");
}
