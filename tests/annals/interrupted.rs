//! Commands of a director and imports that are interrupted: their process is killed at a call that writes or syncs a file of
//! the log, the call fails, or the disk is full from then on. A command is done whole or not at all, nothing else in the log
//! changes, and work goes on with the same command or the next. `strace` interrupts, so the program knows nothing of the
//! test. A seed determines where.
//!
//! ```sh
//! ANNALS_SEEDS=20 cargo test -p annals --test annals -- interrupted:: --nocapture
//! ```

use std::fs;

use annals_rules::seeded::Rng;
use serde_json::Value;

use crate::interrupting::traced;
use crate::program::{Place, Run};

/// Commands, each of which is allowed after those before it.
const COMMANDS: [&str; 20] = [
    "log init --simulated --at 2008-11-01 --actor omar",
    "log import games.txt --actor omar",
    "log import other.jsonl --actor omar",
    "log append more.jsonl --at 2008-11-02 --actor omar",
    "tournament import state final.txt --as wc-2006 --date 2006-01-14 --actor omar",
    "tournament announce open-2009 --rulebook wc-2009 --published --director Omar --year 2009 --at 2008-12-01 --actor omar",
    "tournament entry add open-2009 anna --name Anna --rating 2100 --at 2008-12-20T10:00 --actor omar",
    "tournament entry add open-2009 bela --rating 2000 --at 2008-12-20T10:01 --actor omar",
    "tournament entry add open-2009 cara --rating 1900 --at 2008-12-20T10:02 --actor omar",
    "tournament entry add open-2009 dora --rating 1800 --at 2008-12-20T10:03 --actor omar",
    "tournament round declare open-2009 --at 2009-01-04T12:00 --actor omar",
    "tournament round draw-lots open-2009 --seed numbers --at 2009-01-04T13:00 --actor omar",
    "tournament round pair open-2009 --seed one --at 2009-01-05T01:00 --actor omar",
    "tournament game start open-2009 r1.1 --no-game --at 2009-01-06T10:00 --actor omar",
    "tournament game result open-2009 r1.1 gold --at 2009-01-06T12:00 --actor omar",
    "tournament ruling dispute open-2009 anna --claim clock --rule result.game --at 2009-01-06T14:00 --actor omar",
    "tournament ruling give open-2009 set-result r1.1 silver --reason clock --at 2009-01-06T15:00 --actor omar",
    "tournament game result open-2009 r1.2 silver --at 2009-01-06T16:00 --actor omar",
    "player rename anna Annabel --at 2009-01-07 --actor omar",
    "log correct 698 name=Emilio --reason slip --at 2009-01-08 --actor omar",
];

const FINAL: &str = "player Fritz 2273\nplayer Nina 2142\nround 1\ngame Fritz Nina winner Fritz\n";

const MORE: &str = r#"{"id":"0123456789abcdef0123456789abcdef","stream":"people/emil","type":"people.player_known","effective_at":"2008-10-01T12:00","payload":{"kind":"human","name":"Emil","player":"emil"}}
"#;

/// The files that the commands read.
const FILES: [&str; 4] = ["games.txt", "final.txt", "more.jsonl", "other.jsonl"];

fn with_files() -> Place {
    let other = Place::new();
    other.ask(&["log", "init", "--simulated", "--at", "2008-10-01", "--actor", "omar"]);
    other.write("more.jsonl", MORE.replace("emil", "gina").replace("0123", "3210"));
    other.ask(&["log", "append", "more.jsonl", "--actor", "omar", "--at", "2008-10-02"]);
    let place = Place::new();
    place.grow("games.txt", 6, 1);
    place.write("final.txt", FINAL);
    place.write("more.jsonl", MORE);
    place.write("other.jsonl", other.ask(&["log", "export"]));
    place
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// What was recorded, event by event; none without a log. The first event has the identity of its log, and the record of an
/// import states what was there before.
fn recorded(place: &Place) -> Option<Vec<String>> {
    let of = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        let (kind, stream) = (&event["type"], &event["stream"]);
        match event["seq"] == 1 || kind == "log.imported" {
            true => format!("{kind} in {stream}"),
            false => format!("{kind} in {stream} at {}: {}", event["effective_at"], event["payload"]),
        }
    };
    let run = place.run(&["log", "export"]);
    (run.status == 0).then(|| run.out.lines().map(of).collect())
}

/// Calls that write or sync a file, or change its name. Of each kind, calls are counted apart.
const CALLS: [&str; 6] = ["write", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink,rename"];

const FILES_OF_THE_LOG: [&str; 5] =
    ["log.db", "log.db-wal", "log.unfinished", "log.unfinished-journal", "log.anchor"];

/// Runs a command that is interrupted at one of its calls on the files of the log, if it comes so far: it is killed, or the call
/// fails, or the call and all later ones of its kind. What it printed, and whether it was interrupted.
fn interrupted(place: &Place, line: &str, dice: &mut Rng) -> Option<(Run, bool)> {
    let (calls, most) = (*dice.pick(&CALLS), *dice.pick(&[2, 4, 12]));
    let call = 1 + dice.below(most);
    let how = match dice.below(3) {
        0 => format!("inject={calls}:signal=KILL:when={call}"),
        1 => format!("inject={calls}:error=EIO:when={call}"),
        _ => format!("inject={calls}:error=ENOSPC:when={call}+"),
    };
    let (run, calls) = traced(place, &FILES_OF_THE_LOG, &how, &words(line))?;
    let is_interrupted = calls.contains("(INJECTED)") || calls.contains("killed by SIGKILL");
    Some((run, is_interrupted))
}

/// What came of the interrupted commands.
#[derive(Debug, Default)]
struct Tally {
    interrupted: u64,
    whole: u64,
    nothing: u64,
    in_part: u64,
    /// What errors named as the next step.
    acknowledge: u64,
    again_if_missing: u64,
    import_again: u64,
}

/// All commands, some of them interrupted, and the log after each; none where the system has no `strace`.
fn live(seed: u64, files: &Place, after: &[Vec<String>], tally: &mut Tally) -> Option<()> {
    let place = Place::new();
    for name in FILES {
        fs::copy(files.path(name), place.path(name)).unwrap();
    }
    let mut dice = Rng::of(&[seed]);
    for (number, line) in COMMANDS.iter().enumerate() {
        let before = number.checked_sub(1).map_or(&[][..], |number| &after[number]);
        let done = &after[number][..];
        let mut now = before.to_vec();
        for _ in 0..*dice.pick(&[0, 1, 1, 2]) {
            let (run, is_interrupted) = interrupted(&place, line, &mut dice)?;
            let is_acknowledged = run.status == 0;
            now = recorded(&place).unwrap_or_default();
            let what = format!("seed {seed}, `{line}` was interrupted: {run:?}");
            assert!(number == 0 || place.run(&["log", "verify"]).status == 0, "{what}: the log is damaged");
            assert!(!is_acknowledged || now == done, "{what} and acknowledged, but is not recorded");
            // An import appends a file after the other.
            let is_part = line.contains(" import ") && done.starts_with(&now) && now.starts_with(before);
            assert!(now == before || now == done || is_part, "{what}: {:?}", &now[before.len()..]);
            if run.talk.contains("run the command again\n") {
                assert!(line.contains(" import "), "{what}, and may be recorded twice");
                tally.import_again += 1;
            }
            if run.talk.contains("run the command again only if") {
                tally.again_if_missing += 1;
            }
            if run.talk.contains("doctor --acknowledge") {
                place.ask(&["doctor", "--acknowledge"]);
                tally.acknowledge += 1;
            }
            assert!(is_acknowledged || is_interrupted, "{what}");
            if !is_acknowledged {
                tally.interrupted += 1;
                *match () {
                    () if now == done => &mut tally.whole,
                    () if now == before => &mut tally.nothing,
                    () => &mut tally.in_part,
                } += 1;
            }
            if now == done {
                break;
            }
        }
        if now != done {
            place.ask(&words(line));
            assert_eq!(recorded(&place).unwrap(), done, "seed {seed}, `{line}` again");
        }
    }
    assert_eq!(place.run(&["tournament", "audit", "open-2009"]).status, 0, "seed {seed}");
    Some(())
}

#[test]
fn an_interrupted_command_is_recorded_whole_or_not_at_all_and_the_work_goes_on() {
    let files = with_files();
    let mut after = Vec::new();
    for line in COMMANDS {
        files.ask(&words(line));
        after.push(recorded(&files).unwrap());
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let (seeds, mut tally) = (number("ANNALS_SEEDS").unwrap_or(2), Tally::default());
    for seed in 0..seeds {
        if live(seed, &files, &after, &mut tally).is_none() {
            assert_eq!(tally.interrupted, 0, "strace traced some commands, and not all");
            return;
        }
    }
    println!("{seeds} seeds: {tally:?}");
    assert!(tally.interrupted > 0, "no command was interrupted");
    let named = [tally.acknowledge, tally.again_if_missing, tally.import_again];
    assert!(seeds < 20 || !named.contains(&0), "not every next step was named: {tally:?}");
}

#[test]
fn the_hint_of_an_event_that_is_not_acknowledged_records_nothing_twice() {
    let files = with_files();
    for line in &COMMANDS[..15] {
        files.ask(&words(line));
    }
    let before = recorded(&files).unwrap().len();
    // The first sync is that of the line that is there, the second one that of the new line.
    let fails = "inject=fdatasync:error=EIO:when=2";
    let Some((run, _)) = traced(&files, &["log.anchor"], fails, &words(COMMANDS[15])) else { return };
    assert!(run.talk.contains("stored, but not acknowledged"), "{run:?}");
    assert!(run.talk.contains("annals doctor --acknowledge"), "{run:?}");
    files.ask(&["doctor", "--acknowledge"]);
    assert_eq!(recorded(&files).unwrap().len(), before + 1);
    let head = files.ask_json(&["log", "head", "--json"]);
    assert!(head["seq"] == before + 1 && head["later"] == 0, "{head}");
}
