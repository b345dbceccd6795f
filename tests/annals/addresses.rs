//! A dataset is published to a folder, and everything that reads a dataset reads it there with the same answers.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::program::{Place, Run};

/// A home with 300 games, and a copy of its dataset at an address.
fn published() -> Place {
    let place = Place::new();
    place.grow("games.txt", 300, 7);
    place.ask(&["ingest", "games.txt"]);
    let out = place.ask(&["publish", "public"]);
    assert!(out.starts_with("Published") && out.contains("manifest-1.json"), "{out}");
    place
}

/// A command at the address, with a home in which nothing is.
fn elsewhere(place: &Place, address: &str, words: &[&str]) -> Run {
    let all: Vec<&str> = ["--home", "empty", "--dataset", address].iter().chain(words).copied().collect();
    place.run(&all)
}

/// The command lines whose answers are compared.
const QUESTIONS: &[&[&str]] = &[
    &["query", "SELECT count(*), sum(plies) FROM games"],
    &["query", "SELECT year, count(*), min(board), max(key) FROM turns GROUP BY year ORDER BY year"],
    &["game", "list", "--limit", "5"],
    &["game", "show", "1000001", "--turn", "last"],
    &["game", "export", "1000001", "--format", "archive"],
    &["rating", "list", "--limit", "5"],
    &["cite", "dataset"],
    &["study", "run", "growth"],
    &["study", "run", "careers"],
    &["study", "run", "calibration"],
];

#[test]
fn every_reader_has_the_same_answers_at_an_address() {
    let place = published();
    let url = format!("file://{}", place.path("public").display());
    let mut compared = 0;
    for words in QUESTIONS {
        let home = place.run(words);
        for address in ["public", url.as_str()] {
            let there = elsewhere(&place, address, words);
            assert_eq!(
                (home.status, &home.out),
                (there.status, &there.out),
                "{words:?} at {address}: {there:?}"
            );
        }
        compared += u32::from(home.status == 0);
    }
    assert_eq!(compared, QUESTIONS.len() as u32, "some questions were refused");
    assert!(!place.path("empty").exists(), "a reader made a home");

    for (name, dataset) in [("a.parquet", None), ("b.parquet", Some("public"))] {
        let words = ["learn", "features", "--rating-floor", "none", "-o", name];
        let run = dataset.map_or_else(|| place.run(&words), |address| elsewhere(&place, address, &words));
        assert_eq!(run.status, 0, "{run:?}");
    }
    let bytes = |name| fs::read(place.path(name)).unwrap();
    assert!(bytes("a.parquet") == bytes("b.parquet"), "the feature tables differ");
}

#[test]
fn the_events_of_the_log_are_published_if_asked() {
    let place = published();
    place.ask(&["log", "init", "--actor", "anna"]);
    place.ask(&["log", "import", "games.txt", "--actor", "anna"]);
    let out = place.ask(&["publish", "public", "--log"]);
    assert!(out.contains("manifest-2.json"), "{out}");
    let sql = "SELECT type, count(*) AS events, max(seq) AS last, min(payload) AS payload FROM events GROUP BY type ORDER BY type";
    let there = elsewhere(&place, "public", &["query", sql]);
    assert_eq!((there.status, there.out), (0, place.ask(&["query", sql])));
    let text = fs::read_to_string(place.path("public/manifest-2.json")).unwrap();
    let head = place.ask_json(&["log", "head", "--json"])["receipt"].as_str().unwrap().to_owned();
    assert!(text.contains(&head), "the head of the log is published with its events");
    assert!(place.ask(&["publish", "public", "--log"]).starts_with("Published already"));
}

#[test]
fn what_cannot_be_published_or_read_is_refused_with_a_command() {
    let place = published();
    for (words, expected) in [
        (
            &["--dataset", "nowhere", "query", "SELECT count(*) FROM games"][..],
            "there is no dataset in nowhere",
        ),
        (&["--dataset", "ftp://host/x", "query", "SELECT 1 FROM games"], "is not an address of a dataset"),
        (&["--dataset", "public", "ingest", "games.txt"], "`annals ingest` does not read `--dataset`"),
        (&["--dataset", "public", "publish", "other"], "`annals publish` does not read `--dataset`"),
        (&["--home", "nothing", "publish", "other"], "there is no dataset"),
        (&["publish", "public", "--log"], "there is no log"),
    ] {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{words:?}: {run:?}");
        assert!(run.talk.contains(expected) && run.talk.contains("hint: "), "{words:?}: {run:?}");
    }
    assert!(!place.path("other").exists());
    let run = place.run(&["--dataset", "s3://bucket/prefix", "query", "SELECT count(*) FROM games"]);
    assert_eq!(run.status, 2);
    if cfg!(not(feature = "remote")) {
        assert!(run.talk.contains("built without the feature `remote`"), "{run:?}");
    }
}

/// A publication that is killed at any instant leaves the old dataset or the new one.
#[test]
fn an_interrupted_publication_leaves_the_old_dataset() {
    let place = published();
    let count = "SELECT count(*) FROM games";
    let old = elsewhere(&place, "public", &["query", count]).out;
    place.grow("more.txt", 3_000, 8);
    place.ask(&["ingest", "more.txt"]);
    let new = place.ask(&["query", count]);
    let begun = Instant::now();
    place.ask(&["publish", "timed"]);
    let whole = begun.elapsed();
    let (mut interrupted, mut finished) = (0, 0);
    for part in 0..12 {
        let mut publishing = place.command(&["publish", "public"]);
        let mut child = publishing.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(f64::from(part) / 12.0) + Duration::from_millis(1));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = elsewhere(&place, "public", &["query", count]);
        assert_eq!(now.status, 0, "{now:?}");
        match now.out {
            out if out == old => interrupted += 1,
            out if out == new => finished += 1,
            out => panic!("neither the old dataset nor the new one: {out}"),
        }
    }
    assert!(interrupted > 0, "{finished} were finished");
    place.ask(&["publish", "public"]);
    assert_eq!(elsewhere(&place, "public", &["query", count]).out, new);
}
