//! An ingest on several machines, here several processes: the dataset is that of one ingest of all files, whatever the
//! number of shards, and whatever happens to them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::program::{Place, Run, real_archive};

/// Files of several years, with games, texts and damage that they share.
fn archive() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.path("archive/more")).unwrap();
    for (name, games, seed, first) in [
        ("a", "300", "1", "1000000"),
        ("b", "200", "2", "2000000"),
        ("c", "150", "3", "3000000"),
        ("e", "120", "5", "5000000"),
    ] {
        let output = format!("archive/{name}.txt");
        place.ask(&["synthesize", "--games", games, "--seed", seed, "--first-id", first, "-o", &output]);
    }
    // Other records of games of `a`, some rows of `b` again, and rows that are damaged.
    place
        .ask(&["synthesize", "--games", "40", "--seed", "9", "--first-id", "1000280", "-o", "archive/d.txt"]);
    let rows = fs::read_to_string(place.path("archive/b.txt")).unwrap();
    let mut again: Vec<&str> = rows.lines().take(30).collect();
    again.extend(["not a row", "7\tneither\tis\tthis"]);
    place.write("archive/more/again.txt", again.join("\n") + "\n");
    // The same text under another name, and files that cannot be read.
    fs::copy(place.path("archive/c.txt"), place.path("archive/more/same.txt")).unwrap();
    place.write("archive/broken.zip", b"PK\x03\x04 no archive");
    place.write("archive/more/zbroken.zip", b"PK\x03\x04 no archive");
    if let Some(real) = real_archive() {
        fs::copy(real.join("allgames2002.txt"), place.path("archive/2002.txt")).unwrap();
    }
    place
}

/// The last manifest at a folder, and the files that it lists.
fn published(folder: &Path) -> (Value, BTreeMap<String, Vec<u8>>) {
    let number = (1..).take_while(|n| folder.join(format!("manifest-{n}.json")).exists()).last().unwrap();
    let text = fs::read_to_string(folder.join(format!("manifest-{number}.json"))).unwrap();
    let mut manifest: Value = serde_json::from_str(&text).unwrap();
    let objects = manifest["objects"].as_object().unwrap();
    let digests = objects.iter().map(|(path, object)| {
        let bytes = fs::read(folder.join(object["object"].as_str().unwrap())).unwrap();
        (path.clone(), bytes)
    });
    let digests = digests.collect();
    // What is random.
    for key in ["commit", "checksum"] {
        manifest.as_object_mut().unwrap().remove(key);
    }
    (manifest, digests)
}

fn plan(place: &Place, files: &str, address: &str) -> Value {
    place.ask_json(&["ingest", files, "--plan", &format!("{address}.json"), "--address", address, "--json"])
}

fn shard(place: &Place, address: &str, shard: &str) -> Value {
    place.ask_json(&["ingest", "--plan", &format!("{address}.json"), "--shard", shard, "--json"])
}

fn finish(place: &Place, address: &str) -> Value {
    place.ask_json(&["ingest", "--finish", &format!("{address}.json"), "--json"])
}

#[test]
fn one_two_and_four_shards_give_the_dataset_of_one_ingest_byte_for_byte() {
    let place = archive();
    place.ask(&["ingest", "archive"]);
    place.ask(&["publish", "whole"]);
    let whole = published(&place.path("whole"));
    for of in [1, 2, 4] {
        let address = format!("shards-of-{of}");
        assert_eq!(plan(&place, "archive", &address)["base"], 0);
        // In any order, each of another machine.
        for number in (1..=of).rev() {
            let done = shard(&place, &address, &format!("{number}/{of}"));
            assert_eq!(done["is_new"], true);
        }
        let finished = finish(&place, &address);
        assert_eq!((&finished["is_new"], &finished["shards"]), (&Value::from(true), &Value::from(of)));
        let again = finished["read_again"].as_array().unwrap();
        match of {
            1 => assert!(again.is_empty(), "{again:?}"),
            _ => assert!(again.iter().any(|name| name == "d.txt"), "{again:?}"),
        }
        assert!(published(&place.path(&address)) == whole, "the dataset of {of} shards differs");
        // What was done once is not done again.
        assert_eq!(shard(&place, &address, "1/1")["is_new"], of != 1);
        let second = finish(&place, &address);
        assert_eq!((&second["is_new"], &second["number"]), (&Value::from(false), &Value::from(1)));
    }
    let games = ["query", "SELECT count(*), sum(game_id) FROM games"];
    let at = |address| [&["--dataset", address], &games[..]].concat();
    assert_eq!(place.ask(&at("shards-of-4")), place.ask(&at("whole")));
}

#[test]
fn games_are_added_to_a_dataset_that_was_published_before() {
    let place = archive();
    place.ask(&["ingest", "archive/a.txt", "archive/broken.zip"]);
    place.ask(&["publish", "whole"]);
    place.copy_tree(&place.path("whole"), "added");
    place.ask(&["ingest", "archive"]);
    place.ask(&["publish", "whole"]);
    assert_eq!(plan(&place, "archive", "added")["base"], 1);
    for number in ["1/3", "2/3", "3/3"] {
        shard(&place, "added", number);
    }
    assert_eq!(finish(&place, "added")["number"], 2);
    let (mut whole, digests) = published(&place.path("whole"));
    let (mut added, of_added) = published(&place.path("added"));
    assert_eq!(digests, of_added);
    // Sources that were known before have the name that they had then.
    for manifest in [&mut whole, &mut added] {
        assert_eq!(manifest["number"], 2);
    }
    assert!(whole == added, "the manifests differ");
}

fn begin(place: &Place, words: &[&str]) -> Child {
    place.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        talk: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn a_shard_that_is_killed_at_any_time_runs_again() {
    let place = archive();
    place.ask(&["ingest", "archive"]);
    place.ask(&["publish", "whole"]);
    plan(&place, "archive", "there");
    let words = ["ingest", "--plan", "there.json", "--shard", "2/2", "--threads", "1", "--json"];
    for after in (0..).map(|n| Duration::from_millis(40 * n)) {
        let mut child = begin(&place, &words);
        std::thread::sleep(after);
        // Nothing of a shard counts before its report.
        let is_complete = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        let run = end(child);
        if is_complete {
            assert_eq!(run.status, 0, "{run:?}");
            break;
        }
    }
    let refused = place.run(&["ingest", "--finish", "there.json"]);
    assert_eq!(refused.status, 2);
    assert!(refused.talk.contains("hint: annals") || refused.talk.contains("--shard 1/2"), "{refused:?}");
    // The same shard twice at once: one works, or finds the report.
    let twice = [begin(&place, &words), begin(&place, &words)];
    twice.into_iter().for_each(|child| assert_eq!(end(child).status, 0));
    shard(&place, "there", "1/2");
    finish(&place, "there");
    assert!(published(&place.path("there")) == published(&place.path("whole")));
    let shards = fs::read_dir(place.path("annals-home/shards")).map_or(0, |folder| folder.count());
    assert_eq!(shards, 0, "the folders of shards are left");
}

/// `ANNALS_RACES` sets their number.
#[test]
fn of_two_finishers_one_publishes_and_the_other_finds_its_dataset() {
    let races = std::env::var("ANNALS_RACES").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let place = Place::new();
    for (name, first) in [("a.txt", "1"), ("b.txt", "101")] {
        place.ask(&["synthesize", "--games", "20", "--seed", first, "--first-id", first, "-o", name]);
    }
    place.ask(&["ingest", "a.txt", "b.txt", "--plan", "there.json", "--address", "there"]);
    shard(&place, "there", "1/2");
    shard(&place, "there", "2/2");
    let digest = finish(&place, "there")["digest"].clone();
    for race in 0..races {
        fs::remove_file(place.path("there/manifest-1.json")).unwrap();
        let words = ["ingest", "--finish", "there.json", "--json"];
        let runs = [begin(&place, &words), begin(&place, &words)].map(end);
        let answers = runs.map(|run| {
            assert_eq!(run.status, 0, "{run:?}");
            serde_json::from_str::<Value>(&run.out).unwrap()
        });
        let new = answers.iter().filter(|answer| answer["is_new"] == true).count();
        assert_eq!(new, 1, "race {race}: {answers:?}");
        assert!(answers.iter().all(|answer| answer["digest"] == digest && answer["number"] == 1));
        assert!(!place.path("there/manifest-2.json").exists());
    }
}

#[test]
fn what_does_not_fit_the_plan_is_refused_with_the_next_command() {
    let place = Place::new();
    place.ask(&["synthesize", "--games", "10", "--first-id", "1", "-o", "a.txt"]);
    place.ask(&["synthesize", "--games", "10", "--first-id", "101", "-o", "b.txt"]);
    let run = |words: &[&str]| {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{words:?}: {run:?}");
        assert!(run.talk.contains("hint: "), "{words:?}: {run:?}");
        run.talk
    };
    assert!(run(&["ingest", "a.txt", "--plan", "p.json"]).contains("needs an address"));
    assert!(
        run(&["ingest", "a.txt", "--plan", "p.json", "--address", "https://host/x"]).contains("https://")
    );
    place.ask(&["ingest", "a.txt", "b.txt", "--plan", "p.json", "--address", "there"]);
    assert!(run(&["ingest", "a.txt", "--plan", "p.json", "--address", "there"]).contains("exists"));
    assert!(run(&["ingest", "--finish", "p.json"]).contains("annals ingest --plan p.json --shard 1/N"));
    let beyond = place.run(&["ingest", "--plan", "p.json", "--shard", "3/2"]);
    assert!(beyond.status == 2 && beyond.talk.contains("expected K/N"), "{beyond:?}");
    assert!(run(&["ingest", "--plan", "none.json", "--shard", "1/2"]).contains("none.json"));
    place.write("q.json", fs::read_to_string(place.path("p.json")).unwrap().replace("a.txt", "c.txt"));
    assert!(run(&["ingest", "--plan", "q.json", "--shard", "1/2"]).contains("checksum"));

    shard_of(&place, "1/2");
    assert!(run(&["ingest", "--finish", "p.json"]).contains("annals ingest --plan p.json --shard 2/2"));
    let b = fs::read_to_string(place.path("b.txt")).unwrap();
    place.write("b.txt", b.replace("2", "3"));
    assert!(run(&["ingest", "--plan", "p.json", "--shard", "2/2"]).contains("has changed since the plan"));
    place.write("b.txt", &b);
    shard_of(&place, "2/2");

    // A report that was damaged, and a dataset that was published meanwhile.
    let folder = fs::read_dir(place.path("there/shards")).unwrap().next().unwrap().unwrap().path();
    let report = folder.join("1-of-2.json");
    let text = fs::read_to_string(&report).unwrap();
    fs::write(&report, &text[..text.len() / 2]).unwrap();
    assert!(run(&["ingest", "--finish", "p.json"]).contains("is damaged"));
    fs::write(&report, &text).unwrap();
    place.ask(&["ingest", "a.txt"]);
    place.ask(&["publish", "there"]);
    assert!(run(&["ingest", "--finish", "p.json"]).contains("has changed since the plan was made"));
}

fn shard_of(place: &Place, number: &str) {
    place.ask(&["ingest", "--plan", "p.json", "--shard", number]);
}
