//! Another name of a player in every answer, with the hashes as they were; and small forms of input and output.

#[cfg(feature = "sql")]
use crate::demonstrating::DEMONSTRATION;
use crate::director::Director;
use crate::program::Place;
use crate::tournament::recorded;

const RENAME: [&str; 6] = ["player", "rename", "anna", "Player 17", "--actor", "omar"];

#[test]
fn a_new_name_is_in_every_answer_and_no_hash_changes() {
    let place = Place::new();
    recorded(&place);
    let early = place.ask(&["log", "head"]).trim().to_owned();
    let dry = place.ask(&[&RENAME[..], &["--dry-run"]].concat());
    assert!(dry.contains("Player 17"), "{dry}");
    assert_eq!(place.ask(&["log", "head"]).trim(), early, "a dry run appends nothing");
    place.ask(&[&RENAME[..], &["--at", "2015-04-01"]].concat());

    for words in [
        &["tournament", "show", "spring-2015"][..],
        &["tournament", "standings", "spring-2015"],
        &["tournament", "standings", "spring-2015", "--as-of", "round:1"],
        &["tournament", "crosstable", "spring-2015"],
        &["tournament", "round", "list", "spring-2015"],
        &["tournament", "report", "spring-2015"],
        &["tournament", "export", "spring-2015", "--format", "trf"],
        &["player", "record", "Player 17"],
    ] {
        let answer = place.ask(words);
        assert!(answer.contains("Player 17"), "{words:?}: {answer}");
        // A free text is as it was written.
        let names = answer.replace("I reached the goal, not Anna", "");
        assert!(!names.contains("Anna"), "{words:?}: {answer}");
    }
    // A name in a state file has no space.
    let state = place.ask(&["tournament", "export", "spring-2015"]);
    assert!(state.contains("player Player_17 ") && !state.contains("Anna"), "{state}");
    for words in [&["tournament", "history", "spring-2015"][..], &["diff", "spring-2015", "round:1", "now"]] {
        let answer = place.ask(words);
        assert!(answer.contains("Player 17"), "{words:?}: {answer}");
        let starts = ["Round ", "round ", "score of "];
        for line in answer.lines().filter(|line| starts.iter().any(|start| line.trim().starts_with(start))) {
            assert!(!line.contains("anna"), "{words:?}: {line}");
        }
    }
    #[cfg(feature = "sql")]
    {
        let rows = place.ask(&["query", "SELECT name FROM registrations WHERE player = 'anna'"]);
        assert_eq!(rows, "name\nPlayer 17\n");
    }
    // What was known before is still known as it was.
    let known = ["tournament", "standings", "spring-2015", "--known-at", "2015-03-30"];
    assert!(place.ask(&known).contains("Anna"));
    // The log has its first events unchanged: the receipt from before the new name holds.
    place.ask(&["log", "verify", "--receipt", &early]);
    let exported = place.ask(&["log", "export", "people/anna"]);
    assert!(exported.contains("\"Anna\"") && exported.contains("\"Player 17\""), "{exported}");

    let run = place.run(&["player", "rename", "ana", "X", "--actor", "omar"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("the log has no player `ana`") && run.talk.contains("anna"), "{run:?}");
}

#[test]
fn the_last_day_of_the_calendar_is_shown_as_its_end() {
    let place = Place::new();
    recorded(&place);
    for (moment, said) in [("--as-of", "as of"), ("--known-at", "as known at")] {
        let said = format!("{said} the end of the year 9999");
        let shown = place.ask(&["tournament", "show", "spring-2015", moment, "9999-12-31"]);
        assert!(shown.lines().next().unwrap().contains(&said), "{shown}");
        let report = place.ask(&["tournament", "report", "spring-2015", moment, "9999-12-31"]);
        assert!(report.contains(&said) && !report.contains("9999-12-30"), "{report}");
        let run = place.run(&["tournament", "show", "spring-2015", moment, "seq:9999"]);
        assert!(run.status == 2 && run.talk.contains("there is no event 9999"), "{run:?}");
    }
}

#[test]
fn the_usage_does_not_require_the_home_that_the_environment_names() {
    let place = Place::new();
    let run = place.run(&["tournament", "show"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("Usage: annals tournament show [OPTIONS] <TOURNAMENT>\n"), "{run:?}");
}

#[cfg(feature = "sql")]
#[test]
fn tables_of_a_document_keep_their_titles_in_a_pipe() {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "home");
    let shown = place.ask(&["player", "show", "annals-n8000"]);
    let titles: Vec<&str> = shown.lines().filter(|line| line.starts_with("# ")).collect();
    assert!(titles.len() > 1, "{shown}");
    for title in titles {
        let (_, after) = shown.split_once(&format!("{title}\n")).unwrap();
        assert!(after.lines().next().is_some_and(|head| head.contains('\t')), "{title}: {after}");
    }
    // One table alone has no title.
    let list = place.ask(&["game", "list", "--limit", "2"]);
    assert!(!list.contains("# "), "{list}");
}

/// The number of Anna's entry.
fn entry_of(place: &Place) -> String {
    let lines = place.ask(&["log", "export"]);
    let is_it = |line: &&str| line.contains("player_registered") && line.contains(r#""player":"anna""#);
    let line: serde_json::Value = serde_json::from_str(lines.lines().find(is_it).unwrap()).unwrap();
    line["seq"].to_string()
}

#[test]
fn a_name_has_a_visible_character_and_a_log_with_another_name_stays_readable() {
    let place = Place::new();
    let director = Director::opened(&place, "postal", "2006-01-01");
    let says = ["`name`: expected a name with a visible character"];
    let announce = "announce --rulebook postal-2006 --year 2006 --director omar";
    director.refuses("2006-01-02", &format!("{announce} --name \"\""), &says);
    director.does("2006-01-02", announce);
    for name in ["", "   ", "\u{200b}\u{3164}"] {
        let entry = format!("entry add anna --rating 1500 --name \"{name}\"");
        director.refuses("2006-01-03", &entry, &says);
    }
    let entry = "entry add bot --bot --rating 1500 --developer \" \"";
    director.refuses("2006-01-03", entry, &["`developers`: expected a name with a visible character"]);
    director.does("2006-01-03", "entry add anna --rating 1500 --name Anna");
    director.does("2006-01-03", "entry add bela --rating 1400");
    for words in [
        &["player", "rename", "anna", "\t"][..],
        &["log", "correct", &entry_of(&place), "name= ", "--reason", "slip"],
    ] {
        let run = place.run(&[words, &["--actor", "omar"]].concat());
        assert!(run.status == 2 && run.talk.contains(says[0]), "{words:?}: {run:?}");
    }

    // A log of another time has such a name: it is shown, and the rest of the entry is corrected.
    let lines = place.ask(&["log", "export"]);
    let lines = lines.lines().filter(|line| !line.contains("log.opened")).map(|line| {
        let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
        event.as_object_mut().unwrap().remove("hash");
        event.to_string().replace(r#""name":"Anna""#, r#""name":" ""#) + "\n"
    });
    let old = Place::new();
    old.write("old.jsonl", lines.collect::<String>());
    old.ask(&["log", "import", "old.jsonl", "--actor", "omar"]);
    assert!(old.ask(&["log", "export"]).contains(r#""name":" ""#));
    for words in [
        &["tournament", "standings", "postal"][..],
        &["tournament", "show", "postal"],
        &["tournament", "entry", "show", "postal", "anna"],
        &["tournament", "audit", "postal"],
        &["log", "verify"],
        &["log", "correct", &entry_of(&old), "rating=1450", "--reason", "slip", "--actor", "omar"],
        &["player", "rename", "anna", "Anna", "--actor", "omar"],
    ] {
        let run = old.run(words);
        assert_eq!(run.status, 0, "{words:?}: {run:?}");
    }
    assert!(old.ask(&["tournament", "standings", "postal"]).contains("Anna"));
}
