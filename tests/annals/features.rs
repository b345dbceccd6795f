//! An analyst takes positions out of archives to learn from.

use std::fs;

use crate::ingesting::{SETUPS, header, row};
use crate::program::{Place, real_archive};

#[test]
fn the_real_files_become_a_table_and_what_it_is_is_told() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    let folder = folder.to_str().unwrap();
    let told = place
        .ask_json(&["learn", "features", folder, "--output", "t.parquet", "--features", "paper", "--json"]);
    assert_eq!((told["games"].as_u64(), told["positions"].as_u64()), (Some(45), Some(4_594)));
    assert_eq!(told["rows"], 211);
    let left_out: u64 = told["left_out"].as_object().unwrap().values().filter_map(|n| n.as_u64()).sum();
    assert_eq!(left_out + 45, 211);
    assert_eq!(told["sources"][0]["name"], "allgames2002.txt");
    let all = place.ask(&["learn", "features", folder, "--output", "t.npz", "--rating-floor", "none"]);
    assert!(all.contains("t.npz: 10,660 positions of 159 games"), "{all}");
    assert!(place.path("t.npz.json").exists());
    let fewer = place
        .ask(&["learn", "features", folder, "--output", "u.npz", "--no-resignations", "--max-height", "10"]);
    assert!(!fewer.contains("resignation"), "{fewer}");
}

#[test]
fn generated_games_need_no_rating_and_the_same_command_gives_the_same_bytes() {
    let place = Place::new();
    place.grow("grown.txt", 12, 4);
    let make = |out: &str, threads: &str| {
        place.ask(&["learn", "features", "grown.txt", "--output", out, "--threads", threads]);
        fs::read(place.path(out)).unwrap()
    };
    assert!(make("a.safetensors", "1") == make("b.safetensors", "3"));
    let run = place.run(&["learn", "features", "grown.txt", "--output", "c.parquet", "--no-generated"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("left out for `generated`"), "{}", run.talk);
    assert!(!place.path("c.parquet").exists());
}

#[test]
fn every_mistake_has_an_error_of_its_own() {
    let place = Place::new();
    let games = [header(), row("1", &format!("{SETUPS}2w Ee2n\\n2b ed7s")), row("2", SETUPS)].join("\n");
    place.write("a.txt", games + "\n");
    for (words, says) in [
        (&["--output", "t.parquet"][..], "2 left out for `rating`"),
        (&["--output", "t.csv"], "does not end in .parquet, .npz or .safetensors"),
        (&["--output", "none/t.parquet", "--rating-floor", "none"], "cannot write none/t.parquet"),
        (&["--output", "t.parquet", "--features", "paper,materiel"], "did you mean `material`?"),
        (&["--output", "t.parquet", "--endings", "g,resignatio"], "did you mean `resignation`?"),
        (&["--output", "t.parquet", "--max-height", "0"], "write a number, or `none`"),
        (&[], "--output <FILE>"),
    ] {
        let run = place.run(&[&["learn", "features", "a.txt"], words].concat());
        assert_eq!(run.status, 2, "{words:?}: {run:?}");
        assert!(run.talk.contains(says), "{words:?}: {}", run.talk);
    }
    let run = place.run(&["learn", "features", "missing.txt", "--output", "t.npz"]);
    assert!(run.status == 2 && run.talk.contains("there is no file or folder `missing.txt`"), "{run:?}");
    place.ask(&[
        "learn", "features", "a.txt", "--output", "t.txt", "--format", "npz", "--rating-floor", "none",
    ]);
}

#[test]
fn every_column_is_listed_with_what_it_holds() {
    let place = Place::new();
    let list = place.ask(&["learn", "features", "--list"]);
    for name in ["label", "paper", "modern", "own_first_steps", "own_turns", "trap_far_right"] {
        assert!(list.lines().any(|line| line.split_whitespace().nth(1) == Some(name)), "{name}: {list}");
    }
    let json = place.ask_json(&["learn", "features", "--list", "--json"]);
    assert_eq!(json.as_array().map(Vec::len), Some(list.lines().count()));
}
