//! A dataset is published to a folder, and everything that reads a dataset reads it there with the same answers.

use std::fs;
use std::path::PathBuf;
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

/// An object of a table at an address.
fn object_of(place: &Place, table: &str) -> PathBuf {
    let folder = place.path("public").join(table);
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            match entry.path().is_dir() {
                true => folders.push(entry.path()),
                false => return entry.path(),
            }
        }
    }
    panic!("no object of `{table}`")
}

#[test]
fn publishing_again_copies_what_is_missing_or_has_another_size() {
    let place = published();
    let count = ["query", "SELECT count(*), max(key) FROM turns"];
    let home = place.ask(&count);
    for damage in ["missing", "truncated"] {
        let object = object_of(&place, "turns");
        match damage {
            "missing" => fs::remove_file(&object).unwrap(),
            _ => fs::write(&object, &fs::read(&object).unwrap()[..1000]).unwrap(),
        }
        assert_eq!(elsewhere(&place, "public", &count).status, 2, "{damage}");
        let again = place.ask_json(&["publish", "public", "--json"]);
        assert_eq!((&again["is_new"], &again["number"]), (&false.into(), &1.into()), "{damage}: {again}");
        assert_eq!(again["files_copied"], 1, "{damage}: {again}");
        assert_eq!(elsewhere(&place, "public", &count).out, home, "{damage}");
    }
    let again = place.ask_json(&["publish", "public", "--json"]);
    assert_eq!(again["files_copied"], 0, "{again}");
}

#[test]
fn doctor_finds_every_altered_missing_and_truncated_file() {
    let place = published();
    let url = format!("file://{}", place.path("public").display());
    for dataset in ["public", url.as_str(), "home/dataset"] {
        let out = place.ask(&["doctor", "--dataset", dataset]);
        assert!(out.contains("every file has the content of its digest"), "{out}");
    }
    // A bit of a page: the size and the footer are right.
    let altered = object_of(&place, "turns");
    let mut bytes = fs::read(&altered).unwrap();
    bytes[2000] ^= 4;
    fs::write(&altered, bytes).unwrap();
    fs::remove_file(object_of(&place, "games")).unwrap();
    let truncated = object_of(&place, "players");
    fs::write(&truncated, b"PAR1").unwrap();
    let run = elsewhere(&place, "public", &["doctor", "--json"]);
    assert_eq!(run.status, 1, "{run:?}");
    let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let damaged: Vec<(&str, &str)> = found["damaged"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (file["file"].as_str().unwrap(), file["why"].as_str().unwrap()))
        .collect();
    assert_eq!(damaged.len(), 3, "{damaged:?}");
    for ((file, why), (table, expected)) in damaged.iter().zip([
        ("public/games/", "it does not exist"),
        ("public/players/", "it has 4 bytes instead of "),
        ("public/turns/", "its content does not match its digest"),
    ]) {
        assert!(file.starts_with(table) && why.starts_with(expected), "{file}: {why}");
    }
    // What it prints to do repairs the dataset.
    let text = elsewhere(&place, "public", &["doctor"]).out;
    assert!(text.contains("3 files damaged"), "{text}");
    assert!(text.contains("delete the damaged files, and run `annals --home HOME publish public`"), "{text}");
    fs::remove_file(altered).unwrap();
    fs::remove_file(truncated).unwrap();
    assert_eq!(place.ask_json(&["publish", "public", "--json"])["files_copied"], 3);
    place.ask(&["doctor", "--dataset", "public"]);

    let refused = place.run(&["doctor", "--dataset", "public", "--rebuild-tree"]);
    assert!(refused.status == 2 && refused.talk.contains("has no other work"), "{refused:?}");
    let none = place.run(&["doctor", "--dataset", "nowhere"]);
    assert!(none.status == 2 && none.talk.contains("there is no dataset in `nowhere`"), "{none:?}");
}

#[test]
fn a_damaged_manifest_is_replaced_by_the_command_of_its_hint() {
    let place = published();
    let count = ["query", "SELECT count(*) FROM games"];
    fs::write(place.path("public/manifest-1.json"), "<html>not found</html>").unwrap();
    let run = elsewhere(&place, "public", &count);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("the published manifest `public/manifest-1.json` is damaged"), "{run:?}");
    assert!(run.talk.contains("`annals --home HOME publish public` publishes it again"), "{run:?}");
    let out = place.ask(&["publish", "public"]);
    assert!(out.starts_with("Published") && out.contains("manifest-2.json"), "{out}");
    assert_eq!(elsewhere(&place, "public", &count).out, place.ask(&count));
}

#[test]
fn the_last_number_counts_whichever_manifests_were_deleted_before() {
    let place = published();
    let count = ["query", "SELECT count(*) FROM games"];
    for number in 2..=3 {
        let more = format!("more-{number}.txt");
        place.grow(&more, 300 + 10 * number, number);
        place.ask(&["ingest", &more]);
        assert!(place.ask(&["publish", "public"]).contains(&format!("manifest-{number}.json")));
    }
    let last = place.ask(&count);
    let url = format!("file://{}", place.path("public").display());
    for deleted in [2, 1] {
        fs::remove_file(place.path(&format!("public/manifest-{deleted}.json"))).unwrap();
        for address in ["public", url.as_str()] {
            assert_eq!(elsewhere(&place, address, &count).out, last, "without {deleted}");
        }
    }
    assert!(place.ask(&["publish", "public"]).starts_with("Published already"));
    place.grow("other.txt", 20, 20);
    place.ask(&["--home", "second", "ingest", "other.txt"]);
    let out = place.ask(&["--home", "second", "publish", "public"]);
    assert!(out.contains("manifest-4.json"), "{out}");
    assert_eq!(elsewhere(&place, "public", &count).out, place.ask(&["--home", "second", "query", count[1]]));
}

#[test]
fn no_error_prints_a_password_of_an_address() {
    let place = published();
    for address in [
        "https://user:secretpw@example.org/games",
        "http://user:secret/pw@example.org/games",
        "https://secretpw@example.org/games",
        "https://user:secretpw@example.org:badport/games",
        "https://example.org/games?signature=secretpw",
        "ftp://user:secretpw@example.org/games",
        "s3://user:secretpw@bucket/games",
        "://user:secretpw@bucket/games",
    ] {
        for words in [&["--dataset", address, "query", "SELECT 1 FROM games"][..], &["publish", address]] {
            let run = place.run(words);
            assert_eq!(run.status, 2, "{run:?}");
            assert!(run.talk.contains("is not an address of a dataset"), "{run:?}");
            assert!(!run.talk.contains("secret") && !run.out.contains("secret"), "{run:?}");
        }
    }
}
