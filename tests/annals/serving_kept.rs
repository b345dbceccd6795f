//! What the server keeps to be fast: the same answers, and none that is out of date. A game is read without reading the others.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::server::{Server, demonstration};

/// Repeats until a page is as expected: a session on a new dataset prepares itself in the background.
fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let limit = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < limit, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn no_page_is_out_of_date_after_an_append_or_an_ingest() {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "home");
    let server = Server::start(&place, "home", &[]);
    let pages = ["/log", "/tournament/cup", "/players", "/games", "/explore", "/player/annals-n3000"];
    // Each twice, and also as JSON and packed: what is kept is what was sent.
    wait("the log is verified", || server.get("/log").status == 200);
    for path in pages {
        let first = server.page(path);
        assert_eq!(server.page(path), first, "{path}");
        assert_eq!(server.json(&format!("{path}.json")), server.json(&format!("{path}.json")), "{path}");
        for _ in 0..2 {
            let packed = server.get_with(path, &["Accept-Encoding: gzip"]);
            assert!(packed.head.contains("content-encoding: gzip"), "{path}: {}", packed.head);
        }
        assert!(server.get(path).body.contains("<main id=\"main\""), "{path}: not packed for this reader");
    }
    let standings = server.page("/tournament/cup");

    let seq = server.json("/log.json")["head"]["seq"].as_u64().unwrap();
    place.ask(&["player", "rename", "annals-n750", "Another Name", "--actor", "omar"]);
    assert_eq!(server.json("/log.json")["head"]["seq"], seq + 1);
    let renamed = server.page("/tournament/cup");
    assert!(!standings.contains("Another Name") && renamed.contains("Another Name"), "{renamed}");
    assert!(server.page("/tournament/cup?as_of=2014-12-20").contains("Another Name"));

    let played = |server: &Server| server.json("/explore.json")["total"]["played"].as_u64().unwrap();
    let before = played(&server);
    assert_eq!(server.get("/player/grown_0001").status, 404);
    place.grow("more.txt", 30, 5);
    place.ask(&["ingest", "more.txt"]);
    assert_eq!(played(&server), before + 30);
    let list: Value = server.json("/players.json");
    let name = list["dataset"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|player| player["name"].as_str().filter(|name| name.contains("grown_")));
    let name = name.unwrap().to_owned();
    let shown = place.ask_json(&["player", "show", &name, "--json"]);
    assert_eq!(server.json(&format!("/player/{name}.json"))["career"]["total"], shown["total"]);
}

#[test]
fn every_career_from_memory_is_that_of_the_command_line() {
    let (place, server) = &*demonstration();
    for player in server.json("/players.json")["dataset"].as_array().unwrap() {
        let name = player["name"].as_str().unwrap();
        let shown = place.ask_json(&["--home", "annals-demo", "player", "show", name, "--json"]);
        let mut career = server.json(&format!("/player/{name}.json"))["career"].take();
        let career = career.as_object_mut().unwrap();
        assert!(!career.is_empty());
        for (field, value) in career {
            assert_eq!(shown[field.as_str()], *value, "{name}: {field}");
        }
    }
}

/// The files of a folder with their content, by name.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let found =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let mut found: Vec<_> = found.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    found.sort();
    found
}

#[test]
fn an_ingest_of_many_games_keeps_the_start_of_a_game_for_the_first_server() {
    let place = Place::new();
    let kept = place.path(".cache/annals/explorer");
    place.grow("few.txt", 40, 3);
    place.ask(&["ingest", "few.txt"]);
    assert!(!kept.exists());
    place.grow("games.txt", 1_050, 4);
    place.ask(&["--home", "many", "ingest", "games.txt"]);
    let whole = files(&kept);
    assert_eq!(whole.len(), 1);
    let server = Server::start(&place, "many", &[]);
    let explored: Value = serde_json::from_str(&server.get("/explore.json").body).unwrap();
    assert_eq!(explored["total"]["played"], 1_050);
    assert!(files(&kept) == whole, "the server read it, and wrote nothing");
}

#[test]
fn the_start_of_a_game_is_kept_for_the_next_server_until_the_dataset_changes() {
    let place = Place::new();
    place.grow("games.txt", 40, 3);
    place.ask(&["ingest", "games.txt"]);
    let explored = || {
        let server = Server::start(&place, "home", &[]);
        let pages = ["/explore", "/explore.json"].map(|path| server.get(path));
        pages.map(|page| (page.status, page.body))
    };
    let kept = place.path(".cache/annals/explorer");
    let computed = explored();
    assert_eq!(computed[0].0, 200);
    let whole = files(&kept);
    assert_eq!(whole.len(), 1);

    // Without the turns it can come from the kept file only, and not from a damaged one.
    let turns: Vec<_> = fs::read_dir(place.path("home/dataset/turns")).unwrap().flatten().collect();
    let turns: Vec<_> = turns.iter().flat_map(|folder| files(&folder.path())).collect();
    assert!(!turns.is_empty());
    turns.iter().for_each(|(file, content)| fs::write(file, vec![0; content.len()]).unwrap());
    assert_eq!(explored(), computed);
    let mut damaged = whole[0].1.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&whole[0].0, damaged).unwrap();
    assert_ne!(explored()[0].0, 200);
    turns.iter().for_each(|(file, content)| fs::write(file, content).unwrap());
    assert_eq!(explored(), computed);
    assert!(files(&kept) == whole, "the damaged file is written again");

    place.grow("more.txt", 30, 5);
    // Other numbers, or the same games would be duplicates.
    let more = fs::read_to_string(place.path("more.txt")).unwrap().replace("\n1000", "\n7000");
    place.write("more.txt", more);
    place.ask(&["ingest", "more.txt"]);
    let more = explored();
    let played = |pages: &[(u16, String); 2]| {
        serde_json::from_str::<Value>(&pages[1].1).unwrap()["total"]["played"].as_u64().unwrap()
    };
    assert_eq!(played(&more), played(&computed) + 30);
    // The answer for another dataset under this one's name.
    let both = files(&kept);
    let (newer, _) = both.iter().find(|(file, _)| *file != whole[0].0).unwrap();
    fs::write(newer, &whole[0].1).unwrap();
    assert_eq!(explored(), more);
    assert!(files(&kept) == both, "the foreign file is written again");

    fs::remove_dir_all(&kept).unwrap();
    fs::write(&kept, "a file where the folder would be").unwrap();
    assert_eq!(explored(), more);
}

/// The numbers in a line of `--explain`: `turns: 1 file, 1 of 3 row groups, 8123 of 91234 bytes, 83 rows`.
fn numbers(explained: &str, table: &str) -> Vec<u64> {
    let line = explained.lines().find(|line| line.starts_with(&format!("{table}: "))).unwrap();
    let words = line.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    words.map(|word| word.parse().unwrap()).collect()
}

#[test]
fn a_game_is_read_from_its_row_group_and_its_pages_alone() {
    let place = Place::new();
    place.grow("games.txt", 1_000, 3);
    place.ask(&["ingest", "games.txt"]);
    place.grow("others.txt", 40, 4);
    let other = std::fs::read_to_string(place.path("others.txt")).unwrap();
    // Other numbers, or the same games would be duplicates.
    place.write("others.txt", other.replace("\n1000", "\n7000"));
    place.ask(&["ingest", "others.txt"]);
    let manifest = std::fs::read(place.path("home/dataset/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    let turns = manifest["files"].as_array().unwrap().iter().filter(|file| file["table"] == "turns");
    let of_all_turns: u64 = turns.filter_map(|file| file["bytes"].as_u64()).sum();
    let all = "SELECT game_id, plies, year FROM games ORDER BY game_id % 131, game_id LIMIT 3";
    for game in place.ask_json(&["query", "--json", all]).as_array().unwrap() {
        let number = game["game_id"].to_string();
        let run = place.run(&["game", "show", &number, "--json", "--explain"]);
        assert_eq!(run.status, 0, "{run:?}");
        let shown: Value = serde_json::from_str(&run.out).unwrap();
        let plies = game["plies"].as_u64().unwrap();
        assert_eq!(shown["turns"].as_array().unwrap().len() as u64, plies, "{number}");
        // Of the year and source of the game there is one file, of which some pages are read.
        let [files, read, _, bytes, whole, rows] = numbers(&run.talk, "turns")[..6] else {
            panic!("{}", run.talk)
        };
        assert_eq!((files, read, rows), (1, 1, plies), "{}", run.talk);
        assert!(bytes < whole && bytes * 10 < of_all_turns, "{of_all_turns}: {}", run.talk);
        let [files, read, groups, ..] = numbers(&run.talk, "games")[..] else { panic!("{}", run.talk) };
        assert_eq!((files, read, groups), (2, 1, 2), "{}", run.talk);
    }
}
