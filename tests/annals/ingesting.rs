//! A historian points the program at archive files, good and bad.

use crate::program::{Place, real_archive};

pub fn header() -> String {
    [
        "id", "wplayerid", "bplayerid", "wusername", "busername", "wtitle", "btitle", "wcountry", "bcountry",
        "wrating", "brating", "wratingk", "bratingk", "wtype", "btype", "event", "site", "timecontrol",
        "postal", "startts", "endts", "result", "termination", "plycount", "mode", "rated", "corrupt",
        "movelist", "events",
    ]
    .join("\t")
}

pub fn row(id: &str, movelist: &str) -> String {
    format!(
        "{id}\t1\t2\tanna\tbela\t\t\tUS\tDE\t1500\t1600\t120\t120\th\th\tCasual game\tOver the Net\t2/2/100/10/8\t0\t\
         1769941051\t1769942363\tw\tr\t2\tIGS\t1\t0\t{movelist}\t"
    )
}

pub const SETUPS: &str = "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
                      1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\\n";

#[test]
fn the_two_real_files_give_211_games_and_every_row_is_accounted_for() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    let summary = place.ask_json(&["ingest", "--json", folder.to_str().unwrap()]);
    let counts = &summary["counts"];
    let number = |key: &str| counts[key].as_u64().unwrap();
    assert_eq!(number("rows"), 211);
    assert_eq!(number("accepted") + number("flagged") + number("rejected"), 211);
    assert_eq!(number("rejected"), 0);
    assert_eq!(summary["flags"]["illegal-turn"], 2, "games 32 and 55 hold a push by a frozen piece");
    assert_eq!(summary["flags"]["corrupt"], 3);
    assert_eq!(summary["flags"]["clock-disagrees"], serde_json::Value::Null);

    let again = place.ask(&["ingest", folder.to_str().unwrap()]);
    assert!(again.contains("allgames2002.txt: stored already, unchanged"), "{again}");
    assert!(again.contains("the dataset holds 211 games of 2 sources"), "{again}");
}

#[test]
fn a_grown_archive_has_nothing_to_flag_even_when_asked_strictly() {
    let place = Place::new();
    place.grow("grown.txt", 30, 3);
    let summary = place.ask_json(&["ingest", "--strict", "--json", "grown.txt"]);
    assert_eq!(summary["counts"]["accepted"], 30);
    assert_eq!(summary["counts"]["rows"], 30);
}

#[test]
fn bad_rows_are_flagged_or_rejected_and_the_rest_is_stored() {
    let place = Place::new();
    let rows = [
        header(),
        row("1", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w")),
        row("2", &format!("{SETUPS}2w Ra1s\\n2b")),
        row("x", &format!("{SETUPS}2w")),
        "3\ttoo\tfew\tcolumns".to_owned(),
        row("1", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w")),
        row("1", &format!("{SETUPS}2w Md2n\\n2b")),
        row("4", &format!("{SETUPS}2w Ee2n\\n2b")).replace("\tr\t2\t", "\tq\t1769942363999999999999\t"),
    ];
    let mut bytes = rows.join("\n").into_bytes();
    bytes.extend(b"\n5\t1\t2\t\xff\xfe\n");
    place.write("bad.txt", bytes);
    place.write("empty.txt", "");
    place.write("picture.txt", [0u8, 159, 146, 150, 0, 1, 2, 3]);

    let run = place.run(&["ingest", "bad.txt", "empty.txt", "picture.txt", "--json"]);
    assert_eq!(run.status, 0, "{run:?}");
    let summary: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let counts = &summary["counts"];
    assert_eq!((&counts["rows"], &counts["rejected"]), (&8.into(), &5.into()), "{summary}");
    assert_eq!(counts["accepted"].as_u64().unwrap() + counts["flagged"].as_u64().unwrap(), 3);
    assert_eq!(summary["flags"]["illegal-turn"], 1);
    assert_eq!(summary["flags"]["unknown-termination"], 1);
    assert_eq!(summary["flags"]["bad-number"], 1);
    for (reason, count) in
        [("unreadable_id", 1), ("column_count", 2), ("duplicate", 1), ("duplicate_differs", 1)]
    {
        assert_eq!(summary["reasons"][reason], count, "{reason}: {summary}");
    }
    assert_eq!(summary["rejected_sources"].as_array().unwrap().len(), 2);

    let strict = place.run(&["ingest", "bad.txt", "--strict"]);
    assert_eq!(strict.status, 0, "nothing new was read: {strict:?}");
    let fresh = Place::new();
    fresh.write("bad.txt", std::fs::read(place.path("bad.txt")).unwrap());
    assert_eq!(fresh.run(&["ingest", "bad.txt", "--strict"]).status, 1);
}

#[test]
fn what_holds_no_game_makes_no_dataset_and_changes_none() {
    let place = Place::new();
    place.write("picture.txt", [0u8, 159, 146, 150, 0, 1, 2, 3]);
    place.write("header.txt", header());
    place.write("bad.txt", header() + "\n" + &row("x", &format!("{SETUPS}2w")));
    place.write("empty.sgf", "(;GM[1])");
    let nothing = ["ingest", "picture.txt", "header.txt", "bad.txt", "empty.sgf"];
    let run = place.run(&nothing);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.talk.contains("no game was found") && run.talk.contains("no dataset was made"), "{run:?}");
    assert!(!place.path("home/dataset/manifest.json").exists());
    let left = place.run(&["ingest", "--log"]);
    assert_ne!(left.status, 0, "there is no log: {left:?}");
    place.ask(&["log", "init", "--actor", "omar"]);
    let run = place.run(&["ingest", "--log"]);
    assert!(run.status == 1 && run.talk.contains("the log holds no game; no dataset was made"), "{run:?}");

    place.grow("grown.txt", 2, 1);
    place.ask(&["ingest", "grown.txt"]);
    let manifest = || std::fs::read(place.path("home/dataset/manifest.json")).unwrap();
    let before = manifest();
    let run = place.run(&nothing);
    assert!(run.status == 1 && run.talk.contains("the dataset is as it was before"), "{run:?}");
    assert!(manifest() == before);
    // Games that are stored already are games.
    place.write("again.txt", std::fs::read_to_string(place.path("grown.txt")).unwrap() + "\n");
    place.ask(&["ingest", "grown.txt"]);
    place.ask(&["ingest", "again.txt", "picture.txt"]);
}

#[test]
fn what_is_not_there_cannot_be_ingested_and_the_error_says_so() {
    let place = Place::new();
    let run = place.run(&["ingest", "nowhere.txt"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("nowhere.txt"), "{run:?}");
    assert!(run.out.is_empty());
    assert!(!place.path("home/dataset/manifest.json").exists());
}

#[test]
fn the_same_archive_gives_the_same_bytes_on_one_thread_and_on_three() {
    let (one, three) = (Place::new(), Place::new());
    for (place, threads) in [(&one, "1"), (&three, "3")] {
        place.grow("grown.txt", 60, 11);
        place.ask(&["ingest", "grown.txt", "--threads", threads]);
    }
    let manifest = |place: &Place| std::fs::read_to_string(place.path("home/dataset/manifest.json")).unwrap();
    assert_eq!(manifest(&one), manifest(&three), "the manifest holds the digest of every file");
}

#[test]
fn a_folder_that_holds_the_home_is_read_without_what_the_program_wrote_there() {
    let place = Place::new();
    place.write("games.txt", [header(), row("1", &format!("{SETUPS}2w Ee2n\\n2b"))].join("\n"));
    place.write("notes.md", "no archive");
    let first = place.ask(&["ingest", "."]);
    assert!(first.contains("games.txt: 1 row = 1 accepted + 0 flagged + 0 rejected"), "{first}");
    let again = place.ask(&["ingest", "."]);
    assert_eq!(again, "games.txt: stored already, unchanged\nthe dataset holds 1 game of 1 source\n");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_since_it_can_be_read_only_once() {
    let run = Place::new().run(&["ingest", "/dev/null"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("write it into a file first"), "{run:?}");
}

#[cfg(feature = "sql")]
#[test]
fn a_second_record_of_a_game_that_says_something_else_is_told_with_the_game() {
    let place = Place::new();
    let one = row("1", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w"));
    let other = one.replace("Casual game", "Another event");
    place.write("games.txt", [header(), one, other].join("\n"));
    place.ask(&["ingest", "games.txt"]);
    let told = place.ask(&["game", "show", "1"]);
    assert!(told.contains("another record\tgames.txt line 3\n"), "{told}");
}

#[cfg(feature = "sql")]
#[test]
fn numbers_and_times_that_cannot_be_are_flagged_and_left_out() {
    let place = Place::new();
    let good = format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w");
    let rows = [
        header(),
        row("1", &good).replace("\t1500\t", "\t2000000000\t"),
        row("2", &good).replace("\t120\t120\t", "\t120\t-7\t"),
        row("3", &good) + "1769941051 [Sun Feb  1 10:17:31 2026] w player joining",
        row("4", &good) + "1769541051 [Tue Jan 27 19:10:51 2026] w player joining",
    ];
    place.write("odd.txt", rows.join("\n"));
    let summary = place.ask_json(&["ingest", "--json", "odd.txt"]);
    assert_eq!(summary["flags"]["bad-number"], 2, "{summary}");
    assert_eq!(summary["flags"]["log-disagrees"], 1, "{summary}");
    assert_eq!(summary["counts"]["accepted"], 1, "{summary}");
    assert_eq!(
        place.ask(&["query", "SELECT gold_rating, silver_k FROM games WHERE game_id < 3 ORDER BY game_id"]),
        "gold_rating\tsilver_k\n\t120\n1500\t\n"
    );
}

#[test]
fn made_up_games_cannot_be_numbered_beyond_all_numbers() {
    let place = Place::new();
    let run = place.run(&["synthesize", "--games", "2", "-o", "x.txt", "--first-id", "18446744073709551615"]);
    assert_eq!(run.status, 2, "{run:?}");
}
