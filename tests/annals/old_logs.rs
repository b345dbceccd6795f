//! Logs of version 1 of the program, with the verdicts and places of that version in `tests/golden/v1`. A later version has to
//! give the same ones: its new rules and new default readings bind only what was announced under them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::Place;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1")
}

/// The tournaments that a log in JSON lines holds.
fn tournaments(log: &str) -> BTreeSet<String> {
    let stream = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        event["stream"].as_str().and_then(|stream| stream.strip_prefix("tournament/")).map(str::to_owned)
    };
    log.lines().filter_map(stream).collect()
}

/// The verdicts of an audit by rule, those that are not compliant by event too, and the places.
fn verdicts(name: &str, audit: &Value) -> String {
    let (mut compliant, mut others) = (BTreeMap::<&str, u32>::new(), String::new());
    for event in audit["events"].as_array().unwrap() {
        for verdict in event["verdicts"].as_array().unwrap() {
            let rule = verdict["rule"]["name"].as_str().unwrap_or("no rule");
            let holds = &verdict["holds"];
            let kind = holds.as_str().or_else(|| holds.as_object()?.keys().next().map(String::as_str));
            let kind = match kind.unwrap() {
                "compliant" => {
                    *compliant.entry(rule).or_default() += 1;
                    continue;
                }
                "one_of" => "equivalent",
                "undetermined" => "undetermined",
                "violation" => "violation",
                other => panic!("an unknown verdict {other}"),
            };
            others += &format!("{kind} {rule} event {}\n", event["seq"]);
        }
    }
    let places = audit["places"].as_array().unwrap().iter();
    let places = places.map(|row| format!("place {} {}\n", row["place"], row["player"].as_str().unwrap()));
    let compliant = compliant.iter().map(|(rule, count)| format!("compliant {rule} {count}\n"));
    format!("tournament {name}\n") + &compliant.collect::<String>() + &others + &places.collect::<String>()
}

/// Imports a log of version 1 and compares its audits with those of version 1.
fn compare(name: &str) {
    let file = golden().join(format!("{name}.jsonl"));
    let place = Place::new();
    place.ask(&["log", "import", file.to_str().unwrap()]);
    let found = tournaments(&std::fs::read_to_string(&file).unwrap()).into_iter().map(|tournament| {
        let run = place.run(&["tournament", "audit", &tournament, "--json"]);
        let audit = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
        verdicts(&tournament, &audit)
    });
    let expected = std::fs::read_to_string(golden().join(format!("{name}.verdicts.txt"))).unwrap();
    assert_eq!(found.collect::<String>(), expected, "{name}");
}

macro_rules! logs {
    ($($test:ident $name:literal)*) => {
        $(#[test]
        fn $test() {
            compare($name);
        })*

        /// Every log of the folder is compared.
        #[test]
        fn no_old_log_is_left_out() {
            let names = std::fs::read_dir(golden()).unwrap().map(|entry| entry.unwrap().path());
            let logs = names.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
            let logs: BTreeSet<String> =
                logs.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
            assert_eq!(logs, BTreeSet::from([$($name.to_owned()),*]));
        }
    };
}

logs! {
    the_championship_of_2009_keeps_its_verdicts "championship-2009"
    the_championship_of_2015_keeps_its_verdicts "championship-2015"
    the_games_of_an_event_keep_their_verdicts "event-games"
    a_round_with_an_equivalent_one_keeps_its_verdicts "final-equivalent"
    a_final_of_programs_keeps_its_verdicts "final-programs"
    a_round_in_violation_keeps_its_verdicts "final-violation"
    rulings_on_frozen_rounds_keep_their_verdicts "frozen-rulings"
    five_entrants_of_the_olympiad_keep_their_verdicts "olympiad-five"
    six_entrants_of_the_olympiad_keep_their_verdicts "olympiad-six"
    seven_entrants_of_the_olympiad_keep_their_verdicts "olympiad-seven"
    a_game_of_the_olympiad_that_was_replayed_keeps_its_verdicts "olympiad-replayed"
    the_postal_tournament_keeps_its_verdicts "postal-2006"
    a_state_file_that_was_read_keeps_its_verdicts "state-file"
    a_swiss_keeps_its_verdicts "swiss-2009"
}
