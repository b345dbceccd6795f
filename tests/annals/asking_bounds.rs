//! Questions beyond what can be answered: long statements, much memory, and what a query that is killed leaves.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::program::{Place, Run};

/// A home with a small dataset; each test spills into folders of its own process.
fn ingested() -> &'static Place {
    static PLACE: LazyLock<Place> = LazyLock::new(|| {
        let place = Place::kept();
        fresh(&place);
        place
    });
    &PLACE
}

fn fresh(place: &Place) {
    place.grow("grown.txt", 20, 1);
    place.ask(&["ingest", "grown.txt"]);
}

fn of_file(name: &str, sql: &str) -> Run {
    ingested().write(name, sql);
    ingested().run(&["query", "-f", name])
}

#[test]
fn a_long_statement_has_an_answer_or_an_error_and_never_ends_the_program() {
    let chain = |link: &str, part: &str, number: usize| vec![part; number].join(link);
    let unions = |number| chain(" UNION ALL ", "SELECT 1", number);
    let run = of_file("unions.sql", &unions(500));
    assert_eq!((run.status, run.out.lines().count()), (0, 501), "{}", run.talk);
    // Not equations, which the engine would turn into one list.
    let ors =
        |number| format!("SELECT count(*) AS n FROM games WHERE {}", chain(" OR ", "game_id < 0", number));
    let run = of_file("ors.sql", &ors(2_000));
    assert_eq!((run.status, run.out.as_str()), (0, "n\n0\n"), "{}", run.talk);
    let wanted = [
        (unions(100_000), "and at most 2000 are planned"),
        (ors(100_000), "and at most 5000 are planned"),
        (format!("SELECT 1{}", "::int".repeat(100_000)), "and at most 5000 are planned"),
        (format!("SELECT 1 FROM {}", chain(", ", "games", 100_000)), "and at most 2000 are planned"),
    ];
    for (number, (sql, wanted)) in wanted.iter().enumerate() {
        let run = of_file(&format!("refused-{number}.sql"), sql);
        assert!(run.status == 2 && run.talk.contains(wanted), "{run:?}");
        assert!(run.talk.contains("hint: "), "{run:?}");
    }
    for open in ["(", "NOT ", "- ", "CASE WHEN ", "abs(", "EXISTS (SELECT ", "EXPLAIN ", "INTERVAL "] {
        let run = of_file("deep.sql", &format!("SELECT {}", open.repeat(100_000)));
        assert!(run.status == 2 && run.talk.starts_with("error: "), "{open}: {}", run.status);
    }
}

/// The largest amount of memory that a query held, in MiB, with its result.
#[cfg(target_os = "linux")]
fn peak(memory: &str, sql: &str) -> (u64, Run) {
    let mut child = ingested()
        .command(&["query", "--memory", memory, sql])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) >> 10);
        assert!(begun.elapsed() < Duration::from_secs(200), "{sql} does not end; so far {peak} MiB");
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().unwrap();
    let words = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let status = output.status.code().unwrap_or(-1);
    (peak, Run { status, out: words(output.stdout), talk: words(output.stderr) })
}

#[cfg(target_os = "linux")]
#[test]
fn a_query_holds_no_more_memory_than_is_stated() {
    let (base, run) = peak("64MB", "SELECT 1");
    assert_eq!(run.status, 0, "{run:?}");
    // The limit, what buffers may hold beyond it, and what a query may hold while it ends.
    let bound = base + 62 + 256 + 256 + 150;
    for (sql, wanted) in [
        ("SELECT length(repeat('x', 2000000000))", "256 MiB are allowed"),
        ("SELECT max(length(repeat(a.steps, 400000 + b.ply))) FROM turns a, turns b", "256 MiB are allowed"),
        ("SELECT cardinality(range(0, 2000000000))", "256 MiB are allowed"),
        (
            "SELECT cardinality(array_agg(repeat(a.steps || b.steps, 500))) FROM turns a, turns b",
            "the query was stopped: it held ",
        ),
        (
            "SELECT length(string_agg(a.steps, ',')) FROM turns a, turns b, turns c",
            "Additional allocation failed",
        ),
        ("SELECT max(length(lpad('x', 2000000000 - ply))) FROM turns", "256 MiB are allowed"),
    ] {
        let (peak, run) = peak("64MB", sql);
        assert!(run.status == 2 && run.talk.contains(wanted), "{sql}: {run:?}");
        assert!(peak <= bound, "{sql}: {peak} MiB of {bound}");
        println!("{sql}: {peak} MiB at the most, {base} without a question");
    }
    let run = ingested().run(&["query", "--memory", "1GB", "SELECT length(repeat('x', 100000000)) AS n"]);
    assert_eq!((run.status, run.out.as_str()), (0, "n\n100000000\n"), "{run:?}");
}

/// A query that spills until it is ended, and its folder.
fn spilling(place: &Place) -> (Child, PathBuf) {
    let sql = "SELECT a.steps, b.steps FROM turns a, turns b, turns c ORDER BY c.ply, b.steps || a.steps";
    let mut child = place
        .command(&["query", "--memory", "32MB", sql])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let folder = place.path("home/tmp").join(format!("spill-{}-0", child.id()));
    let begun = Instant::now();
    loop {
        let inner = fs::read_dir(&folder).into_iter().flatten().map(Result::unwrap).map(|entry| entry.path());
        if inner.filter(|path| path.is_dir()).any(|path| fs::read_dir(path).is_ok_and(|d| d.count() > 0)) {
            return (child, folder);
        }
        assert!(child.try_wait().unwrap().is_none(), "{:?}", child.wait_with_output());
        assert!(begun.elapsed() < Duration::from_secs(120), "it does not spill");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn spilled_rows_go_with_a_signal_and_those_of_a_killed_query_with_the_next() {
    let place = Place::new();
    fresh(&place);
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let (mut child, folder) = spilling(&place);
        kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(!folder.exists(), "{signal}");
    }
    let (mut child, left) = spilling(&place);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(left.exists());
    // One that is at work keeps its folder.
    let (mut child, kept) = spilling(&place);
    assert!(!left.exists());
    place.ask(&["query", "SELECT 1"]);
    assert!(kept.exists());
    child.kill().unwrap();
    child.wait().unwrap();
    place.ask(&["query", "SELECT 1"]);
    let names = fs::read_dir(place.path("home/tmp")).unwrap();
    let names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["lock"]);
}
