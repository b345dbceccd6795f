//! A log that was altered by force: nothing is published from it, every question refuses it, and `doctor` names the damage.

use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::process::Stdio;

use serde_json::Value;

use crate::program::{Place, Run};
use crate::tournament::recorded;

/// Swaps two players in the pairing of round 2, as somebody who can write the file could. The event keeps its length and its hash.
pub fn altered(place: &Place) {
    let path = place.path("home/log.db");
    let bytes = fs::read(&path).unwrap();
    let (was, is) = (br#""lower":"cara","upper":"anna""#, br#""lower":"anna","upper":"cara""#);
    // A page that was split holds the old bytes too, which no reader sees.
    let found: Vec<usize> = (0..bytes.len() - was.len()).filter(|at| bytes[*at..].starts_with(was)).collect();
    assert!(!found.is_empty(), "the pairing is in the file");
    let mut file = OpenOptions::new().write(true).open(&path).unwrap();
    for at in found {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(is).unwrap();
    }
}

/// Commands that read the log, each with the file that it would write.
const READERS: &[(&[&str], Option<&str>)] = &[
    (&["tournament", "standings", "spring-2015"], None),
    (&["tournament", "standings", "spring-2015", "--format", "csv"], None),
    (&["tournament", "standings", "spring-2015", "-o", "out.txt"], Some("out.txt")),
    (&["tournament", "champions"], None),
    (&["tournament", "crosstable", "spring-2015", "--json"], None),
    (&["tournament", "report", "spring-2015"], None),
    (&["tournament", "report", "spring-2015", "-o", "out.html"], Some("out.html")),
    (&["chart", "standings", "spring-2015", "-o", "out.svg"], Some("out.svg")),
    (&["replay", "spring-2015"], None),
    (&["log", "show", "spring-2015"], None),
];

/// Commands that hand on evidence or data, or append: they never take a damaged log.
const NEVER: &[(&[&str], Option<&str>)] = &[
    (&["log", "bundle", "spring-2015", "-o", "out.json"], Some("out.json")),
    (&["log", "export"], None),
    (&["log", "export", "-o", "out.jsonl"], Some("out.jsonl")),
    (&["log", "head"], None),
    (&["log", "append", "round1.jsonl", "--actor", "omar", "--at", "2015-04-01"], None),
    (&["tournament", "export", "spring-2015"], None),
    (&["query", "SELECT count(*) AS n FROM events"], None),
    (&["ingest", "--log"], Some("home/dataset/manifest.json")),
];

fn is_refused(place: &Place, run: &Run, words: &[&str], file: Option<&str>) {
    assert_eq!((run.status, run.out.as_str()), (1, ""), "{words:?}: {}", run.talk);
    assert!(run.talk.contains("damaged") && run.talk.contains("annals doctor"), "{words:?}: {}", run.talk);
    assert!(file.is_none_or(|file| !place.path(file).exists()), "{words:?} wrote its file");
}

#[test]
fn a_whole_log_is_published_with_the_head_that_it_was_verified_against() {
    let place = Place::new();
    recorded(&place);
    let head = place.ask(&["log", "head"]).trim().to_owned();
    let verdict = format!("verified against head {head}");
    for form in ["html", "markdown", "json"] {
        let page = place.ask(&["tournament", "report", "spring-2015", "--format", form]);
        assert!(page.contains(&verdict), "{form}: {page}");
    }
    for words in [&["tournament", "standings", "spring-2015"][..], &["tournament", "champions"]] {
        assert!(place.run(words).talk.contains(&verdict), "{words:?}");
        place.ask(&[words, &["-o", "page.txt", "--force"]].concat());
        assert!(fs::read_to_string(place.path("page.txt")).unwrap().contains(&verdict), "{words:?}");
    }
    for words in
        [&["log", "export"][..], &["log", "bundle", "spring-2015", "-o", "bundle.json"], &["ingest", "--log"]]
    {
        let run = place.run(words);
        assert!(run.status == 0 && run.talk.contains(&verdict), "{words:?}: {run:?}");
    }
    place.ask(&["chart", "standings", "spring-2015", "-o", "chart.svg"]);
    let svg = fs::read_to_string(place.path("chart.svg")).unwrap();
    let words: String =
        svg.split_inclusive('>').filter_map(|part| part.split_once('<').map(|(words, _)| words)).collect();
    assert!(words.replace('\n', " ").contains("verified against head 21"), "{words}");
}

#[test]
fn an_altered_log_is_refused_and_shown_only_with_its_mark() {
    let place = Place::new();
    recorded(&place);
    altered(&place);
    for (words, file) in READERS.iter().chain(NEVER) {
        is_refused(&place, &place.run(words), words, *file);
    }
    for (words, file) in NEVER {
        let words = [&["--allow-damage"], *words].concat();
        is_refused(&place, &place.run(&words), &words, *file);
    }
    for (words, file) in READERS {
        let run = place.run(&[&["--allow-damage"], *words].concat());
        assert_eq!(run.status, 1, "{words:?}: {run:?}");
        let page = file.map_or(run.out, |file| fs::read_to_string(place.path(file)).unwrap());
        if words.contains(&"--json") {
            let page: Value = serde_json::from_str(&page).unwrap();
            assert!(page["damaged"].as_str().is_some_and(|damage| damage.contains("event")), "{page}");
        } else {
            assert!(page.contains("DAMAGED LOG: "), "{words:?}: {page}");
        }
    }
    let audit = place.run(&["tournament", "audit", "spring-2015"]);
    assert!(audit.status == 1 && audit.out.contains("DAMAGED"), "{audit:?}");
}

#[test]
fn a_log_that_is_altered_while_a_command_reads_it_is_a_finding() {
    let place = Place::new();
    recorded(&place);
    // Its findings do not matter here: the games are later than the clock of the log.
    place.run(&["engine", "selfplay", "--games", "4", "--nodes", "20", "--log"]);
    let mut export = place.command(&["log", "export"]);
    let mut export = export.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(export.stdout.take().unwrap()).lines();
    // The first line comes with many others, so event 17 was read. The command waits, as the rest is longer than the pipe.
    assert!(lines.next().unwrap().unwrap().starts_with("{\"actor\":\"omar\""));
    altered(&place);
    let more: Vec<String> = lines.map(Result::unwrap).collect();
    let bytes: usize = more.iter().map(String::len).sum();
    assert!(bytes > 200 << 10, "{bytes} bytes");
    let run = export.wait_with_output().unwrap();
    let talk = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(1), "{talk}");
    let said = ["was damaged while it was read", "event 17", "annals doctor"];
    assert!(said.iter().all(|words| talk.contains(words)), "{talk}");
}

#[test]
fn doctor_and_verify_name_the_damage_and_the_command_to_run_next() {
    let next = "annals doctor --salvage intact.jsonl";
    let place = Place::new();
    recorded(&place);
    let well = place.ask(&["doctor", "--no-probe"]);
    assert!(well.contains("21 events verified") && well.contains("nothing needs to be done"), "{well}");
    altered(&place);
    for words in [&["doctor", "--no-probe"][..], &["log", "verify"]] {
        let run = place.run(words);
        assert_eq!(run.status, 1, "{words:?}: {run:?}");
        assert!(
            run.out.contains("event 17") && run.out.contains(&format!("next: {next}")),
            "{words:?}: {}",
            run.out
        );
        assert!(!run.out.contains("nothing needs to be done"), "{}", run.out);
    }
    let told = place.run(&["doctor", "--no-probe", "--json"]);
    let told: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(told["verification"]["first_bad"], 17, "{told}");

    // A file that was cut short.
    let file = fs::OpenOptions::new().write(true).open(place.path("home/log.db")).unwrap();
    let length = file.metadata().unwrap().len();
    for part in [length / 2, 4096, 100] {
        file.set_len(part).unwrap();
        let run = place.run(&["log", "verify"]);
        assert_eq!(run.status, 1, "{part}: {run:?}");
        assert!(run.out.contains(next) || run.talk.contains(next), "{part}: {run:?}");
        let doctor = place.run(&["doctor", "--no-probe"]);
        assert!(doctor.status == 1 && doctor.out.contains(next), "{part}: {doctor:?}");
    }
}
