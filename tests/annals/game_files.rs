//! Game files of the Amazons: written from the log, taken into it, and what is said about odd ones.

use serde_json::Value;

use crate::program::{Place, Run};

macro_rules! snapshot {
    ($name:expr, $text:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        })
    };
}

const LIST: &str = "\
White: Ada
Black: Bela
Event: Olympiad, 2000
Date: 2000-08-21T10:15:00Z
Board: 10x10
Time: game 30m
Result: 0-1 (resignation)

1. d1-d7(g7) 14s a7-b8(b3) 9s
2. g1-g3(g1) 20s
retracted: the operator mistyped it, says the director
2. g1-g4(g1) 20s d10-d8(e8) 11s
";

/// A file of gzip with one stored block.
fn gzip(text: &[u8]) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap();
    let mut sum = u32::MAX;
    for byte in text {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
    }
    let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    let lengths = [length.to_le_bytes(), (!length).to_le_bytes()].concat();
    [&head[..], &lengths, text, &(!sum).to_le_bytes(), &u32::from(length).to_le_bytes()].concat()
}

fn import(place: &Place, files: &[&str]) -> Run {
    place.run(&[&["log", "import", "--actor", "archivist"], files].concat())
}

/// The streams of the games of a place.
fn games(place: &Place) -> Vec<String> {
    let listed = place.ask(&["log", "show", "--streams", "--json"]);
    let streams = listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let names = streams.map(|stream| stream["stream"].as_str().unwrap().to_owned());
    names.filter(|name| name.starts_with("game/")).collect()
}

#[test]
fn a_game_goes_through_the_log_and_both_formats_and_stays_the_same() {
    let place = Place::new();
    place.write("final.txt", LIST);
    let told = import(&place, &["final.txt"]);
    assert_eq!(told.status, 0, "{told:?}");
    let [game] = games(&place).try_into().unwrap();
    assert_eq!(place.ask(&["game", "export", &game]), LIST);
    place.ask(&["game", "export", &game, "-o", "final.sgf"]);
    let sgf = std::fs::read_to_string(place.path("final.sgf")).unwrap();
    snapshot!("game_file_sgf", sgf.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    assert_eq!(place.ask(&["game", "export", &game, "--format", "sgf"]), sgf);

    let other = Place::new();
    other.write("final.sgf", &sgf);
    assert_eq!(import(&other, &["final.sgf"]).status, 0);
    let [again] = games(&other).try_into().unwrap();
    // SGF knows the date, and the list the hour.
    let list = other.ask(&["game", "export", &again]);
    assert_eq!(list, LIST.replace("T10:15:00Z", ""));
    let audited = other.run(&["replay", &again]);
    assert_eq!(audited.status, 0, "{audited:?}");
}

#[test]
fn a_file_written_before_the_end_shows_the_game_as_it_stood() {
    let place = Place::new();
    place.write("final.txt", LIST);
    import(&place, &["final.txt"]);
    let [game] = games(&place).try_into().unwrap();
    // The log begins with its own opening, then the start and the turns.
    let list = place.ask(&["game", "export", &game, "--as-of", "seq:5"]);
    assert!(list.ends_with("\n\n1. d1-d7(g7) 14s a7-b8(b3) 9s\n2. g1-g3(g1) 20s\n"), "{list}");
    let none = place.run(&["game", "export", &game, "--as-of", "seq:1"]);
    assert!(none.status == 2 && none.talk.contains("counts at that point"), "{none:?}");
}

#[test]
fn importing_the_same_files_again_adds_nothing_with_a_date_and_without() {
    let place = Place::new();
    place.write("dated.txt", LIST);
    place.write("undated.sgf", "(;GM[18]RE[B+T];B[djddgd];W[addgad])");
    place.write("day.sgf", "(;GM[18]RE[B+T]DT[2000-08-22];B[djddgd];W[addgad])");
    let files = ["dated.txt", "undated.sgf", "day.sgf"];
    let first = import(&place, &files);
    assert_eq!(first.status, 0, "{first:?}");
    assert_eq!(games(&place).len(), 3);
    let again = import(&place, &files);
    assert_eq!(again.status, 0, "{again:?}");
    assert_eq!(again.out.matches("nothing new").count(), 3, "{}", again.out);
    let twice = format!("{LIST}\n{LIST}");
    place.write("twice.txt", twice);
    let refused = import(&place, &["twice.txt"]);
    assert!(refused.status == 1 && refused.out.contains("[same_game]"), "{refused:?}");
    assert_eq!(games(&place).len(), 3);
}

#[test]
fn what_is_odd_about_a_file_is_told_with_its_line_and_move() {
    let place = Place::new();
    let odd = "(;FF[4]GM[18]SZ[10]AW[dj][gj][ag][jg]AB[da][ga][ad][jd]PL[W]PW[Ada]PB[Bela]DT[2000-08-21]\n\
               ;W[djddgd]C[bold]\n(;B[adbcbh]\n;W[gjgegg])\n(;B[adadad]))\n\
               (;GM[1]SZ[19]\n;B[dd])\n(;GM[18]SZ[8]AW[aa]AB[hh]DT[2000-08-21]\n;W[aabbcc]\n;B[jjhhgg])\n\
               (;GM[18]DT[2000-08-21];B[djddgd];W[ad";
    place.write("odd.sgf", odd);
    let told = import(&place, &["odd.sgf"]);
    assert_eq!(told.status, 1);
    let receipt = told.out.lines().count() - 1;
    let words: Vec<&str> = told.out.lines().take(receipt).collect();
    snapshot!("game_file_odd", words.join("\n"));
    let json = place.run(&["log", "import", "--actor", "archivist", "odd.sgf", "--json"]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    let noticed = &json["files"][0]["remarks"][0]["noticed"];
    assert_eq!((&noticed[0]["code"], &noticed[0]["line"]), (&"comments".into(), &2.into()));
    assert_eq!(json["files"][0]["refused"][1]["code"], "off_board");
}

#[test]
fn a_date_or_a_game_that_no_log_can_hold_keeps_nobody_from_the_others() {
    let place = Place::new();
    place.write("old.sgf", "(;GM[18]RE[B+T]DT[0001-01-01];B[djddgd];W[addgad])");
    let long = "a".repeat(5 << 20);
    place.write(
        "long.sgf",
        format!("(;GM[18]PW[{long}]RE[B+T];B[djddgd])\n(;GM[18]PW[Ada]RE[B+T];B[djddgd])"),
    );
    place.write("final.txt", LIST);
    place.write("ahead.sgf", "(;GM[18]RE[B+T]DT[2250-01-01];B[djddgd];W[addgae])");
    let ahead = import(&place, &["ahead.sgf"]);
    assert!(ahead.status == 0 && ahead.out.contains("in_the_future"), "{ahead:?}");
    let told = import(&place, &["old.sgf", "long.sgf", "final.txt"]);
    assert_eq!(told.status, 1, "{told:?}");
    assert!(told.out.contains("0001-01-01 is no date that a record can hold"), "{}", told.out);
    assert!(
        told.out.contains("refused: long.sgf: line 1:") && told.out.contains("[no_event]"),
        "{}",
        told.out
    );
    assert_eq!(games(&place).len(), 4);
}

#[test]
fn folders_patterns_and_packed_game_files_are_taken_and_a_comment_in_braces_is_no_json() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("games/deep")).unwrap();
    let game = |first: &str| format!("(;GM[18]RE[B+T]PW[{first}];B[djddgd];W[addgad])");
    place.write("games/one.sgf", game("one"));
    place.write("games/deep/two.sgf", game("two"));
    place.write("games/deep/list.moves", "{ of the final }\n1. d1-d7(g7) a7-b8(b3)\n1-0\n");
    place.write("packed.sgf.gz", gzip(game("three").as_bytes()));
    let told = import(&place, &["games", "packed.sgf.gz"]);
    assert_eq!(told.status, 0, "{told:?}");
    assert!(
        told.out.contains("deep/two.sgf: 1 game") && told.out.contains("packed.sgf.gz: 1 game"),
        "{}",
        told.out
    );
    assert_eq!(games(&place).len(), 4);
    let again = import(&place, &["games/*.sgf"]);
    assert!(again.status == 0 && again.out.contains("nothing new"), "{again:?}");
    place.write("brace.txt", "{ of the final } 1. d1-d7(g7) a7-b8(b4)\n0-1\n");
    assert_eq!(import(&place, &["brace.txt"]).status, 0);
    assert_eq!(games(&place).len(), 5);
}

#[test]
fn what_has_no_game_file_is_said_clearly() {
    let place = Place::new();
    let arimaa = r#"{"stream":"game/final","type":"game.started","effective_at":"2026-02-02T10:00:00Z","payload":{"game":"arimaa","gold":{"name":"anna"},"silver":{"name":"bela"},"rated":false}}"#;
    place.write("drafts.jsonl", arimaa);
    place.ask(&["log", "append", "--actor", "director", "drafts.jsonl"]);
    let told = place.run(&["game", "export", "final", "--format", "sgf"]);
    assert!(told.status == 2 && told.talk.contains("a game of Arimaa"), "{told:?}");
    let log = place.run(&["game", "export", "log/log"]);
    assert_eq!(log.status, 2, "{log:?}");
    place.write("there.sgf", "x");
    place.write("final.txt", LIST);
    import(&place, &["final.txt"]);
    let game = games(&place).into_iter().find(|name| name.contains("amazons")).unwrap();
    let over = place.run(&["game", "export", &game, "-o", "there.sgf"]);
    assert!(over.status == 2 && over.talk.contains("there.sgf exists"), "{over:?}");
    let not = import(&place, &["there.sgf"]);
    assert!(not.status == 1 && not.out.contains("[no_game]"), "{not:?}");
}
