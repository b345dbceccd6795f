//! Generations of networks: what a run keeps and prints, that it resumes to the same files after kills, and what is refused.

use std::collections::BTreeMap;
use std::path::Path;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::killing::{ended, length};
use crate::program::Place;

/// Two generations in seconds. The test is such that it accepts a new network in spite of few games.
const TINY: [&str; 20] = [
    "--games",
    "24",
    "--nodes",
    "80",
    "--match-games",
    "12",
    "--match-nodes",
    "10",
    "--sprt=-900,-300",
    "--network",
    "conv filters=2 kernel=4 hidden=8 skip=linear output=sigmoid",
    "--epochs",
    "3",
    "--window",
    "2",
    "--start",
    "material",
    "--seed",
    "9",
    "--json",
];

fn words<'w>(folder: &'w str, rest: &[&'w str]) -> Vec<&'w str> {
    [&["learn", "generations", folder][..], &TINY, rest].concat()
}

/// All files of a folder, by their path in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(next) = left.pop() {
        for entry in std::fs::read_dir(next).unwrap().map(Result::unwrap) {
            let path = entry.path();
            match path.is_dir() {
                true => left.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().display().to_string();
                    found.insert(name, std::fs::read(path).unwrap());
                }
            }
        }
    }
    found
}

/// Compares two folders by the names and the bytes of their files.
fn assert_same(one: &Path, other: &Path) {
    let [one, other] = [one, other].map(files);
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(*bytes == other[name], "{name} differs");
    }
}

#[test]
fn a_run_resumes_after_kills_to_the_same_files_with_any_number_of_threads() {
    let place = Place::new();
    let [one, two] = ["1", "2"].map(|number| ["--generations", number]);
    let printed = place.ask_json(&words("whole", &[&two[..], &["--threads", "1"]].concat()));

    // Ended in every kind of step. The header of an archive has less than 400 bytes.
    let ended = |signal, number: &[&str], file: &str, bytes| {
        let file = place.path("resumed").join(file);
        ended(&place, &words("resumed", number), signal, || length(&file) > bytes)
    };
    let (_, output) = ended(Signal::SIGINT, &one, "steps/selfplay-1.checkpoint", 400);
    let notes = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{notes}");
    assert!(notes.contains("note: stopped; this resumes it: annals learn generations resumed --"), "{notes}");
    let killed = |number: &[&str], moments: &[(&str, u64)]| {
        moments.iter().filter(|(file, bytes)| ended(Signal::SIGKILL, number, file, *bytes).0).count()
    };
    let first = [
        ("steps/settings.json", 0),
        ("steps/selfplay-1.checkpoint", 20_000),
        ("selfplay-1.txt", 0),
        ("steps/network-1.checkpoint", 0),
        ("steps/match-1.checkpoint", 400),
        ("steps/match-1.checkpoint", 10_000),
    ];
    let kills = killed(&one, &first);
    assert!(kills >= 4, "{kills} kills");
    let generations = |printed: &Value| printed["generations"].as_array().unwrap().clone();
    let early = place.ask_json(&words("resumed", &one));
    assert_eq!(generations(&early)[..], generations(&printed)[..1]);

    // The number of generations is raised.
    let second = [
        ("steps/selfplay-2.checkpoint", 400),
        ("steps/selfplay-2.checkpoint", 200_000),
        ("steps/network-2.checkpoint", 0),
        ("network-2.safetensors", 0),
        ("steps/match-2.checkpoint", 400),
    ];
    let kills = killed(&two, &second);
    assert!(kills >= 3, "{kills} kills");
    assert_eq!(place.ask_json(&words("resumed", &two)), printed);
    assert_same(&place.path("whole"), &place.path("resumed"));

    check_results(&place, &printed);
    check_refusals(&place);
}

/// The table, the chart, the networks.
fn check_results(place: &Place, printed: &Value) {
    let all = printed["generations"].as_array().unwrap();
    assert_eq!((all.len(), &printed["options"]["start"]), (2, &"material".into()));
    let mut best = 0;
    let mut total = 0.0;
    for (number, one) in (1..).zip(all) {
        assert_eq!(
            (&one["generation"], &one["against"]),
            (&Value::from(number), &Value::from(best)),
            "{one}"
        );
        let accepted = one["verdict"] == "upper";
        assert_eq!(one["accepted"], accepted, "{one}");
        assert!((2..=12).contains(&one["match_games"].as_u64().unwrap()), "{one}");
        let difference = &one["difference"];
        let step = ["elo", "low", "high"].into_iter().find_map(|key| difference[key].as_f64()).unwrap();
        let sum = one["total"]["elo"].as_f64().unwrap();
        assert!((sum - total - step).abs() < 1e-9, "{one}");
        if accepted {
            (best, total) = (number, sum);
        }
        let kept = place.run(&[
            "learn",
            "evaluate",
            &format!("whole/network-{number}.safetensors"),
            "whole/selfplay-1.txt",
        ]);
        assert_eq!(kept.status, 0, "{kept:?}");
    }
    assert!(best > 0, "one network is accepted, so that the second generation differs: {printed}");
    // Each generation is trained on the games of both.
    let positions = |at: usize| all[at]["positions"].as_u64().unwrap();
    assert!(positions(0) > 500 && positions(1) > positions(0), "{printed}");
    let games = std::fs::read_to_string(place.path("whole/selfplay-2.txt")).unwrap();
    assert!(games.contains("generation-1") && games.lines().count() == 25, "the last network plays");

    let again = |form: &[&str]| {
        let quiet = TINY.iter().filter(|word| **word != "--json").copied();
        let words: Vec<&str> =
            ["learn", "generations", "whole", "--generations", "2"].into_iter().chain(quiet).collect();
        place.ask(&[&words[..], form].concat())
    };
    let csv = again(&["--format", "csv"]);
    let head = "generation,games,positions,network_mse,pieces_mse,against,match_games,score,elo,elo_low,elo_high,accepted,";
    assert!(csv.starts_with(head) && csv.lines().count() == 3, "{csv}");
    let text = again(&[]);
    assert!(text.contains(&format!("The best is generation {best} of 2.")), "{text}");

    let chart = |ending: &str| std::fs::read(place.path(&format!("whole/pictures/elo.{ending}"))).unwrap();
    assert!(chart("png").starts_with(b"\x89PNG"));
    let svg = String::from_utf8(chart("svg")).unwrap();
    for entry in [
        "annals.command\">annals learn generations DIR --generations 2 --start material",
        "annals.source\">match-1.txt sha256 ",
        "95% confidence intervals",
    ] {
        assert!(svg.contains(entry), "{entry}: {svg}");
    }
    let figures = String::from_utf8(chart("csv")).unwrap();
    assert_eq!(figures.lines().filter(|line| line.contains("the new network")).count(), 2, "{figures}");
}

/// Other settings, a changed file, another folder, options that are not valid.
fn check_refusals(place: &Place) {
    let refused = |words: &[&str]| {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{run:?}");
        run.talk
    };
    let before = files(&place.path("whole"));
    let mut other = words("whole", &["--generations", "2"]);
    other[4] = "25";
    let other = refused(&other);
    assert!(
        other.contains("steps/settings.json is of another run: `games` was 24, and is 25 now"),
        "{other}"
    );
    assert!(other.contains("give the same settings as before to continue"), "{other}");
    assert!(before == files(&place.path("whole")), "a refusal changes nothing");

    let network = place.path("whole/network-1.safetensors");
    let kept = std::fs::read(&network).unwrap();
    std::fs::write(&network, &kept[..kept.len() - 1]).unwrap();
    let changed = refused(&words("whole", &["--generations", "2"]));
    assert!(changed.contains("network-1.safetensors is not what this command wrote"), "{changed}");
    std::fs::write(&network, kept).unwrap();

    let lock = std::fs::File::open(place.path("whole/steps/lock")).unwrap();
    lock.lock().unwrap();
    let in_use = refused(&words("whole", &["--generations", "2"]));
    assert!(in_use.contains("another process works in whole"), "{in_use}");

    std::fs::create_dir(place.path("full")).unwrap();
    place.write("full/letter.txt", "dear");
    let full = refused(&words("full", &[]));
    assert!(full.contains("full is not empty") && full.contains("name a new directory"), "{full}");
    let test = refused(&["learn", "generations", "new", "--sprt", "5,5"]);
    assert!(test.contains("the test needs elo0 below elo1"), "{test}");
    let network = refused(&["learn", "generations", "new", "--network", "resnet"]);
    assert!(network.contains("there is no network `resnet`"), "{network}");
    assert!(!place.path("new").exists());
}
