//! Games of the log in SQL: the same rows as from the archive file that they came from, side by side with games of
//! other files, and the log itself as a table.

use crate::ingesting::{SETUPS, header, row};
use crate::program::{Place, real_archive};

/// What must be equal, whichever way a game came into the dataset.
const SAME: [&str; 4] = [
    "SELECT game_id, gold, silver, gold_id, gold_rating, silver_kind, event, site, time_control, tc_move, started_at, \
     ended_at, year, result, termination, plies, rated, board_result, board_termination, ending_check, illegal_ply, \
     illegal_code FROM games ORDER BY game_id",
    "SELECT game_id, ply, number, side, steps, step_count, capture_count, used, gold_reserve, silver_reserve, game_time, \
     at, clock_ok, hash_before, hash_after, key, board, to_move, gold_frozen, silver_mobile FROM turns \
     ORDER BY game_id, ply",
    "SELECT game_id, kind, ply, number, side, steps, illegal_code, agrees FROM rejected_turns ORDER BY game_id, seq",
    "SELECT key, flipped, game_id, ply FROM lookup ORDER BY key, game_id, ply",
];

#[test]
fn the_real_games_are_the_same_rows_from_the_log_as_from_the_archive() {
    let Some(folder) = real_archive() else { return };
    let files = ["allgames2002.txt", "allgames202602.txt"].map(|name| folder.join(name));
    let (by_log, by_file) = (Place::new(), Place::new());
    for file in &files {
        by_log.ask(&["log", "import", "--actor", "archivist", file.to_str().unwrap()]);
        by_file.ask(&["ingest", file.to_str().unwrap()]);
    }
    let told = by_log.ask(&["ingest", "--log"]);
    assert!(told.contains("211 rows = 208 accepted + 3 flagged + 0 rejected; 12,723 turns"), "{told}");
    for sql in SAME {
        let (log, file) = (by_log.ask(&["query", sql]), by_file.ask(&["query", sql]));
        assert!(log == file, "{sql}: {} and {} lines", log.lines().count(), file.lines().count());
    }
    let again = by_log.ask(&["ingest", "--log"]);
    assert!(again.contains("stored already, unchanged"), "{again}");

    let events = by_log.ask(&["query", "SELECT count(*), count(DISTINCT stream), max(seq) FROM events"]);
    let last = events.lines().nth(1).unwrap().split('\t').next().unwrap().to_owned();
    assert!(events.contains(&format!("{last}\t212\t{last}")), "211 games and the log itself: {events}");
    let one = "SELECT count(*) FROM events WHERE stream = 'game/arimaa-32' AND type = 'game.turn_taken'";
    let played = "SELECT count(*) FROM (SELECT game_id FROM turns WHERE game_id = 32 UNION ALL \
                  SELECT game_id FROM rejected_turns WHERE game_id = 32 AND kind <> 'rejected')";
    let count = |sql: &str| by_log.ask(&["query", sql]).lines().nth(1).unwrap().to_owned();
    assert_eq!(count(one), count(played));
}

#[test]
fn a_log_that_grows_takes_the_place_of_what_was_stored_of_it() {
    let place = Place::new();
    let games = |ids: &[&str]| {
        let rows: Vec<String> =
            ids.iter().map(|id| row(id, &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w"))).collect();
        header() + "\n" + &rows.join("\n")
    };
    place.write("first.txt", games(&["1", "2"]));
    place.write("second.txt", games(&["3"]));
    place.write("others.txt", games(&["2", "9"]));
    place.ask(&["ingest", "others.txt"]);
    place.ask(&["log", "import", "--actor", "archivist", "first.txt"]);
    let told = place.ask(&["ingest", "--log"]);
    assert!(
        told.contains("2 rows = 1 accepted + 0 flagged + 1 rejected"),
        "game 2 is stored already: {told}"
    );
    let list = "SELECT game_id, stream FROM games ORDER BY game_id";
    assert_eq!(place.ask(&["query", list]), "game_id\tstream\n1\tgame/arimaa-1\n2\t\n9\t\n");

    place.ask(&["log", "import", "--actor", "archivist", "second.txt"]);
    let strike = r#"{"stream":"game/final","type":"game.started","effective_at":"2026-02-02T10:00:00Z","payload":{"game":"arimaa","gold":{"name":"anna"},"silver":{"name":"bela"},"rated":false}}"#;
    place.write("drafts.jsonl", strike);
    place.ask(&["log", "append", "--actor", "director", "drafts.jsonl"]);
    place.ask(&["ingest", "--log"]);
    let lines = place.ask(&["query", list]);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[1..5], ["1\tgame/arimaa-1", "2\t", "3\tgame/arimaa-3", "9\t"]);
    let number: u64 = lines[5].split('\t').next().unwrap().parse().unwrap();
    assert!(
        (1 << 52..1 << 53).contains(&number) && lines[5].ends_with("\tgame/final"),
        "a game without a number gets one"
    );
    let turns = "SELECT game_id, count(*) FROM turns WHERE game_id < 10 GROUP BY 1 ORDER BY 1";
    assert_eq!(place.ask(&["query", turns]), "game_id\tcount(*)\n1\t4\n2\t4\n3\t4\n9\t4\n");
}

#[test]
fn the_same_log_gives_the_same_bytes_whatever_its_file_holds() {
    let place = Place::new();
    place.write("one.txt", header() + "\n" + &row("1", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w")));
    place.ask(&["log", "import", "--actor", "archivist", "one.txt"]);
    let size = || std::fs::metadata(place.path("home/log.db")).unwrap().len();
    let manifest = || {
        place.ask(&["ingest", "--log"]);
        let manifest = std::fs::read(place.path("home/dataset/manifest.json")).unwrap();
        std::fs::remove_dir_all(place.path("home/dataset")).unwrap();
        manifest
    };
    let (first, before) = (manifest(), size());
    // While a process has the log open, what another appends stays in the write-ahead log.
    let open = annals_store::Log::open(&place.path("home/log.db")).unwrap();
    place.grow("two.txt", 3, 1);
    place.ask(&["log", "import", "--actor", "archivist", "two.txt"]);
    let (open_size, while_open) = (size(), manifest());
    drop(open);
    place.ask(&["log", "import", "--actor", "archivist", "two.txt"]);
    let (size, after) = (size(), manifest());
    assert!(open_size < size, "the file has the same size all the time: {before}, {open_size}, {size}");
    assert_ne!(first, after);
    assert!(while_open == after);
    let stated: serde_json::Value = serde_json::from_slice(&after).unwrap();
    let bytes = stated["inputs"][0]["bytes"].as_u64().unwrap();
    assert!(bytes > 0 && bytes < size, "{bytes} of {size}");
}

#[test]
fn while_games_are_appended_what_is_stored_is_the_log_up_to_one_head() {
    let place = Place::new();
    place.ask(&["log", "init", "--actor", "director"]);
    let count = |sql: &str| place.ask(&["query", "--no-header", sql]).trim().parse::<u64>().unwrap();
    std::thread::scope(|scope| {
        let appending = scope.spawn(|| {
            for game in 0..40 {
                let name = format!("draft-{game}.jsonl");
                let start = r#"{"type":"game.started","payload":{"game":"arimaa","gold":{"name":"anna"},"silver":{"name":"bela"},"rated":false}}"#;
                place.write(&name, start.replacen('{', &format!(r#"{{"stream":"game/open-{game}","#), 1));
                place.ask(&["log", "append", "--actor", "director", &name]);
            }
        });
        let mut heads = Vec::new();
        while !appending.is_finished() {
            if place.run(&["ingest", "--log"]).status != 0 {
                // Not one game is there yet.
                assert!(heads.is_empty());
                continue;
            }
            let manifest = std::fs::read(place.path("home/dataset/manifest.json")).unwrap();
            let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
            let head = manifest["inputs"][0]["digest"].as_str().unwrap().to_owned();
            let seq = count(&format!("SELECT seq FROM events WHERE hash = '{head}'"));
            let of_log = format!(
                "SELECT count(DISTINCT stream) FROM events WHERE type = 'game.started' AND seq <= {seq}"
            );
            assert_eq!(count("SELECT count(*) FROM games"), count(&of_log), "up to event {seq}");
            heads.push(seq);
        }
        appending.join().unwrap();
        assert!(heads.len() > 1, "{heads:?}");
    });
}

#[test]
fn events_can_be_questioned_without_a_dataset() {
    let place = Place::new();
    place.ask(&["log", "init", "--actor", "director", "--note", "a club's log"]);
    let asked = "SELECT seq, type, actor, payload_value(payload, 'note') AS note FROM events";
    assert_eq!(
        place.ask(&["query", asked]),
        "seq\ttype\tactor\tnote\n1\tlog.opened\tdirector\ta club's log\n"
    );
    let run = place.run(&["query", "SELECT payload_value(actor, 'x') FROM events"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("is no JSON"), "{run:?}");
}

#[test]
fn every_import_that_brings_something_is_recorded_and_no_other() {
    let place = Place::new();
    let rows: Vec<String> =
        ["1", "2", "3"].map(|id| row(id, &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w"))).to_vec();
    place.write("games.txt", header() + "\n" + &rows.join("\n"));
    let import = |games: &[&str]| {
        place.ask(&[&["log", "import", "--actor", "archivist", "games.txt"], games].concat());
    };
    import(&["--games", "1"]);
    import(&["--games", "2"]);
    import(&["--games", "1-2"]);
    import(&[]);
    import(&[]);
    let recorded = "SELECT payload_value(payload, 'streams') AS streams FROM events WHERE type = 'log.imported' \
                    ORDER BY seq";
    assert_eq!(place.ask(&["query", recorded]), "streams\n1\n1\n1\n");
}

#[test]
fn a_log_in_trouble_keeps_nobody_from_the_dataset() {
    let place = Place::new();
    place.write("games.txt", header() + "\n" + &row("1", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w")));
    place.ask(&["ingest", "games.txt"]);
    place.ask(&["log", "init", "--actor", "director"]);
    std::fs::remove_file(place.path("home/log.anchor")).unwrap();
    assert_eq!(place.ask(&["query", "SELECT count(*) AS games FROM games"]), "games\n1\n");
    let run = place.run(&["query", "SELECT count(*) FROM events"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("the anchor is missing"), "{run:?}");
}
