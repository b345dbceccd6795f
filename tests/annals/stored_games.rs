//! Games that came into the home from anywhere are learnt from without an archive file: from the log, from self-play, from
//! game files; and positions of the Amazons become features.

use std::fs;

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;

const NETWORK: [&str; 9] = [
    "--network",
    "conv filters=2 kernel=4 hidden=8",
    "--split",
    "position",
    "--batch-size",
    "64",
    "--epochs",
    "2",
    "--all-games",
];

fn train<'w>(words: &[&'w str]) -> Vec<&'w str> {
    [&["learn", "train"][..], words, &NETWORK].concat()
}

const PLAY: &str = "2w Ee2n Ee3n\\n2b ed7s\\n3w Md2n\\n3b me7s\\n4w Ee4n";

#[test]
fn games_of_the_log_give_the_features_that_their_archive_file_gives() {
    let place = Place::new();
    let rows: Vec<String> = ["31", "32", "33"].iter().map(|id| row(id, &format!("{SETUPS}{PLAY}"))).collect();
    place.write("games.txt", header() + "\n" + &rows.join("\n") + "\n");
    place.ask(&["log", "import", "--actor", "archivist", "games.txt"]);
    place.ask(&["ingest", "--log"]);
    let choice = ["--rating-floor", "none", "--json"];
    let features = |words: &[&str]| place.ask_json(&[&["learn", "features"][..], words, &choice].concat());
    let told = features(&["--output", "log.safetensors"]);
    let of_file = features(&["games.txt", "--output", "file.safetensors"]);
    assert_eq!((&told["games"], &told["positions"]), (&3.into(), &of_file["positions"]));
    assert!(told["sources"][0]["name"].as_str().unwrap().starts_with("log"), "{told}");
    // All numbers are the same; the descriptions name another source.
    let numbers = |name: &str| {
        let bytes = fs::read(place.path(name)).unwrap();
        let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        bytes[8 + header..].to_vec()
    };
    assert!(numbers("log.safetensors") == numbers("file.safetensors"));
    // The folder of the dataset can be named as well, and its Parquet files without it.
    let named = features(&["home/dataset", "--output", "named.safetensors"]);
    assert_eq!(named, told);
    assert!(
        fs::read(place.path("named.safetensors")).unwrap()
            == fs::read(place.path("log.safetensors")).unwrap()
    );
}

#[test]
fn a_network_learns_from_self_play_in_the_log_and_from_stored_games_as_from_their_archive() {
    let place = Place::new();
    let games = ["engine", "selfplay", "--games", "10", "--seed", "4", "--nodes", "40"];
    let run = place.run(&[&games[..], &["-o", "games.txt"]].concat());
    assert_eq!(run.status, 0, "{run:?}");
    place.ask(&["ingest", "games.txt"]);
    place.ask(&train(&["games.txt", "--output", "file.safetensors"]));
    place.ask(&train(&["--output", "stored.safetensors"]));
    let bytes = |name: &str| fs::read(place.path(name)).unwrap();
    assert!(bytes("file.safetensors") == bytes("stored.safetensors"));

    let logged = Place::new();
    let run = logged.run(&[&games[..], &["--log"]].concat());
    assert_eq!(run.status, 0, "{run:?}");
    logged.ask(&["ingest", "--log"]);
    let [of_log, of_file] = [&logged, &place].map(|place| place.ask_json(&train(&["--json"])));
    // The same positions, under other numbers of games.
    assert_eq!(
        (&of_log["positions"], &of_log["games"]),
        (&of_file["positions"], &of_file["games"]),
        "{of_log}"
    );
    assert_eq!(of_log["games"], 10);
    let grid = [
        "learn", "grid", "--positions", "200", "--epochs", "1", "--dropouts", "0", "--kernels", "3x3",
        "--all-games", "--split", "position", "--json",
    ];
    assert!(!logged.ask_json(&grid).is_null());
}

#[test]
fn positions_of_the_amazons_become_features() {
    let place = Place::new();
    let games = ["engine", "selfplay", "--game", "amazons", "--games", "3", "--nodes", "30", "--log"];
    let run = place.run(&games);
    assert_eq!(run.status, 0, "{run:?}");
    place.ask(&["ingest", "--log"]);
    let told =
        place.ask_json(&["learn", "features", "--game", "amazons", "--output", "amazons.npz", "--json"]);
    let plies = place.ask_json(&["query", "--format", "json", "SELECT sum(plies) AS plies FROM games"]);
    assert_eq!((&told["games"], &told["positions"]), (&3.into(), &plies[0]["plies"]), "{told}");
    let columns = told["columns"].as_array().unwrap();
    assert!(columns.iter().any(|column| column["name"] == "own_queen_territory"), "{told}");
    for (words, says, hint) in [
        (
            &["--game", "amazons", "--features", "paper"][..],
            "`paper` is one of Arimaa, and the table is of the Amazons",
            "annals learn features --list",
        ),
        (
            &["--features", "amazons"],
            "`amazons` is one of the Amazons, and the table is of Arimaa",
            "annals learn features --list",
        ),
        (&[], "3 left out for `other_game`", "hint: "),
        (&["--duplicates"], "does not hold rows of games that came before", "hint: name the archive files"),
    ] {
        let run = place.run(&[&["learn", "features", "--output", "t.npz"], words].concat());
        assert_eq!(run.status, 2, "{words:?}: {run:?}");
        assert!(run.talk.contains(says) && run.talk.contains(hint), "{words:?}: {}", run.talk);
    }
}

#[test]
fn without_a_dataset_or_with_two_kinds_of_sources_the_next_command_is_named() {
    let place = Place::new();
    place.grow("grown.txt", 2, 4);
    for words in [&["learn", "features", "--output", "t.npz"][..], &["learn", "train"]] {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.talk.contains("there is no dataset in `home/dataset`"), "{}", run.talk);
        assert!(run.talk.contains("hint: run `annals ingest FILE...`"), "{}", run.talk);
    }
    place.ask(&["ingest", "grown.txt"]);
    let run = place.run(&["learn", "features", "grown.txt", "home/dataset", "--output", "t.npz"]);
    assert!(run.status == 2 && run.talk.contains("hint: store the archive file"), "{run:?}");
    let games = fs::read_dir(place.path("home/dataset/games")).unwrap().next().unwrap().unwrap().path();
    fs::copy(games, place.path("games.parquet")).unwrap();
    let run = place.run(&["learn", "features", "games.parquet", "--output", "t.npz"]);
    assert!(
        run.status == 2 && run.talk.contains("`annals schema tables turns` prints its columns"),
        "{run:?}"
    );
    place.write("turns.parquet", "PAR1 and nothing else");
    let run = place.run(&["learn", "train", "games.parquet", "turns.parquet"]);
    assert!(run.status == 2 && run.talk.contains("turns.parquet` is not a valid Parquet file"), "{run:?}");
    assert!(run.talk.contains("hint: store the games again"), "{run:?}");
}
