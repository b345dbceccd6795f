//! Output files: no command overwrites a file without `--force`, and nothing unfinished is left next to it.

use std::fs;

use crate::program::Place;
use crate::tournament::recorded;

/// Each command that writes one file, with the file's name; `--force` is accepted by all.
const COMMANDS: &[(&str, &[&str])] = &[
    ("grown.txt", &["synthesize", "--games", "2", "-o", "grown.txt"]),
    ("t.parquet", &["learn", "features", "games.txt", "--rating-floor", "none", "--output", "t.parquet"]),
    ("t.npz", &["learn", "features", "games.txt", "--rating-floor", "none", "--output", "t.npz"]),
    ("t.npz.json", &["learn", "features", "games.txt", "--rating-floor", "none", "--output", "t.npz"]),
    ("answer.csv", &["query", "SELECT count(*) AS n FROM games", "-o", "answer.csv"]),
    ("list.json", &["game", "list", "--limit", "2", "-o", "list.json"]),
    ("study.svg", &["study", "run", "endings", "-o", "study.svg"]),
    ("study.csv", &["study", "run", "endings", "--data", "study.csv"]),
    ("chart.svg", &["chart", "standings", "spring-2015", "-o", "chart.svg"]),
    ("chart.csv", &["chart", "standings", "spring-2015", "-o", "other.svg", "--data", "chart.csv"]),
    ("page.html", &["tournament", "report", "spring-2015", "-o", "page.html"]),
    ("state.txt", &["tournament", "export", "spring-2015", "-o", "state.txt"]),
    ("bundle.json", &["log", "bundle", "spring-2015", "-o", "bundle.json"]),
    ("events.jsonl", &["log", "export", "-o", "events.jsonl"]),
    ("intact.jsonl", &["doctor", "--salvage", "intact.jsonl"]),
    ("self.txt", &["engine", "selfplay", "--games", "1", "--nodes", "8", "-o", "self.txt"]),
    ("man/annals-synthesize.1", &["man", "-o", "man"]),
];

#[test]
fn no_command_overwrites_a_file_without_force() {
    let place = Place::new();
    recorded(&place);
    place.grow("games.txt", 4, 1);
    place.ask(&["ingest", "games.txt"]);
    fs::create_dir(place.path("man")).unwrap();
    for (file, words) in COMMANDS {
        place.write(file, "kept");
        let run = place.run(words);
        assert_eq!(run.status, 2, "{words:?}: {run:?}");
        assert!(
            run.talk.contains("exists\n  state: the file is unchanged\n  hint: add `--force`"),
            "{words:?}: {}",
            run.talk
        );
        assert_eq!(fs::read_to_string(place.path(file)).unwrap(), "kept", "{words:?}");

        let forced = place.run(&[words, &["--force"][..]].concat());
        assert_eq!(forced.status, 0, "{words:?}: {forced:?}");
        let written = fs::read(place.path(file)).unwrap();
        assert_ne!(written, b"kept", "{words:?}");
        fs::remove_file(place.path(file)).unwrap();
    }
    // A sealed copy is never overwritten; of a network nothing is trained before the file is refused.
    for words in
        [&["log", "backup", "kept.db"][..], &["learn", "train", "nothing.txt", "--output", "kept.db"]]
    {
        place.write("kept.db", "kept");
        let run = place.run(words);
        assert_eq!(run.status, 2, "{run:?}");
        assert_eq!(fs::read_to_string(place.path("kept.db")).unwrap(), "kept", "{words:?}");
    }
    for folder in ["", "man"] {
        for entry in fs::read_dir(place.path(folder)).unwrap() {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            assert!(!name.contains("unfinished"), "{name} was left");
        }
    }
}

#[test]
fn several_answers_go_into_one_file_and_a_failed_one_leaves_none() {
    let place = Place::new();
    place.grow("games.txt", 2, 1);
    place.ask(&["ingest", "games.txt"]);
    place.ask(&["query", "SELECT 1 AS a; SELECT 2 AS b", "-o", "both.csv"]);
    let both = fs::read_to_string(place.path("both.csv")).unwrap();
    assert_eq!(both.lines().collect::<Vec<_>>(), ["a", "1", "b", "2"]);
    let run = place.run(&["query", "SELECT 1 AS a; SELECT no_such FROM games", "-o", "half.csv"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(!place.path("half.csv").exists());
    let run = place.run(&["query", "SELECT 1", "-o", "none/answer.csv"]);
    assert!(run.status == 2 && run.talk.contains("none/answer.csv"), "{run:?}");
}
