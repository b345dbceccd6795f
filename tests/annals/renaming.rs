//! Another name of a player in every answer, with the hashes as they were; and small forms of input and output.

#[cfg(feature = "sql")]
use crate::demonstrating::DEMONSTRATION;
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
