//! Files that would take much memory, never end, or mislead on a terminal.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;

/// The largest resident size in MiB of a run of the program that is given two minutes, and its exit status.
#[cfg(target_os = "linux")]
fn peak(place: &Place, words: &[&str]) -> (u64, i32) {
    let mut child = place.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (mut peak, begun) = (0, Instant::now());
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return (peak, status.code().unwrap_or(-1));
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{words:?} does not end; {peak} MiB");
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) >> 10);
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_of_many_games_nodes_and_long_names_take_bounded_memory() {
    let place = Place::new();
    place.write("games.sgf", "(;GM[18])".repeat((16 << 20) / 9));
    place.write("nodes.sgf", "(;GM[18]".to_owned() + &";".repeat(15 << 20) + ")");
    place.write("long.sgf", "(;GM[18])".repeat((24 << 20) / 9));
    let name = "x".repeat(15 << 20);
    let good = row("99", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w"));
    let named = |id: usize| row(&id.to_string(), "1w Ra1").replace("\tCasual game\t", &format!("\t{name}\t"));
    let rows: Vec<String> = (1..5).map(named).chain([good]).collect();
    assert!(rows[0].len() > name.len(), "the row has the column");
    place.write("names.txt", header() + "\n" + &rows.join("\n"));
    for (file, bound, status) in
        [("games.sgf", 400, 0), ("nodes.sgf", 500, 1), ("long.sgf", 200, 1), ("names.txt", 500, 0)]
    {
        let (peak, found) = peak(&place, &["ingest", file]);
        println!("{file}: {peak} MiB");
        assert!(found == status && peak < bound, "{file}: {peak} MiB, status {found}");
    }
    let again = Place::new();
    for file in ["games.sgf", "nodes.sgf", "long.sgf"] {
        std::fs::copy(place.path(file), again.path(file)).unwrap();
    }
    let told = again.ask(&["ingest", "games.sgf", "nodes.sgf", "long.sgf", "--json"]);
    assert!(told.contains("\"too_many\": 2") && told.contains("more than 16 MiB"), "{told}");
    let names =
        place.ask(&["query", "--no-header", "SELECT count(*) FROM rejects WHERE reason = 'field_too_long'"]);
    assert_eq!(names, "4\n");
}

#[test]
fn a_pipe_or_a_device_is_no_input_file() {
    let place = Place::new();
    let pipe = place.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    place.grow("grown.txt", 2, 1);
    place.ask(&["ingest", "grown.txt"]);
    for file in ["pipe", "/dev/zero"] {
        let at = format!("@{file}");
        for words in [
            &["query", "-f", file][..],
            &["log", "append", "--actor", "omar", file],
            &["log", "import", "--actor", "omar", file],
            &["ingest", file],
            &["game", "list", "--position", &at],
            &["log", "prove", "--since", &at],
        ] {
            let mut child = place.command(words).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            let begun = Instant::now();
            while child.try_wait().unwrap().is_none() {
                if begun.elapsed() > Duration::from_secs(20) {
                    child.kill().unwrap();
                    panic!("{words:?} waits for {file}");
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            let output = child.wait_with_output().unwrap();
            let talk = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{words:?}: {talk}");
            assert!(
                talk.contains("regular file") || talk.contains("a pipe or a device") || words[1] == "prove",
                "{words:?}: {talk}"
            );
        }
    }
}

#[test]
fn names_steer_neither_a_spreadsheet_nor_a_terminal() {
    let place = Place::new();
    let named = row("7", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w"));
    let formula = named.replace("\tCasual game\t", "\t=HYPERLINK(1)\t");
    assert_ne!(named, formula);
    place.write("a\u{202e}txt.b\u{1b}[2J.txt", header() + "\n" + &formula);
    let run = place.run(&["ingest", "a\u{202e}txt.b\u{1b}[2J.txt"]);
    assert!(run.status == 0 && run.out.contains("a\\u{202e}txt.b\\u{1b}[2J.txt: 1 row"), "{run:?}");
    assert!(!(run.out + &run.talk).contains(['\u{202e}', '\u{1b}']));
    for words in [
        &["ingest", "gone\u{202e}.txt"][..],
        &["query", "-f", "gone\u{1b}.sql"],
        &["log", "append", "--actor", "omar", "gone\u{202e}\u{1b}.jsonl"],
        &["study", "run", "./gone\u{202e}.sql"],
    ] {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.talk.contains("gone\\u{") && !run.talk.contains(['\u{202e}', '\u{1b}']), "{run:?}");
    }
    let csv =
        place.ask(&["query", "--format", "csv", "SELECT event, -1 AS n, '-2.5' AS t, '@x' AS u FROM games"]);
    assert_eq!(csv, "event,n,t,u\n'=HYPERLINK(1),-1,-2.5,'@x\n");
    let table = place.ask(&["query", "--format", "table", "SELECT 'a' || chr(8238) || 'b' AS name"]);
    assert!(table.contains("a\\u{202e}b"), "{table}");
}
