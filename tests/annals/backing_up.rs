//! `annals log backup`: names that differ in any part are different backups, and a killed backup blocks none.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::Place;
use crate::tournament::START;

/// A log with nine events.
fn log() -> Place {
    let place = Place::new();
    place.write("start.jsonl", START);
    place.ask(&["log", "append", "start.jsonl", "--actor", "omar"]);
    place
}

/// The files in the folder, without the home.
fn names(place: &Place) -> Vec<String> {
    let names = std::fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| name != "home" && name != "start.jsonl");
    names.sort();
    names
}

#[test]
fn two_backups_whose_names_differ_in_their_last_part_have_an_anchor_each() {
    let place = log();
    for name in ["annals-2026.11.21", "annals-2026.11.22", "annals.db"] {
        place.ask(&["log", "backup", name]);
        assert!(place.ask(&["log", "verify", name]).contains("WHOLE"), "{name}");
    }
    let expected = [
        "annals-2026.11.21",
        "annals-2026.11.21.anchor",
        "annals-2026.11.21.sha256",
        "annals-2026.11.22",
        "annals-2026.11.22.anchor",
        "annals-2026.11.22.sha256",
        "annals.anchor",
        "annals.db",
        "annals.db.sha256",
    ];
    assert_eq!(names(&place), expected);
    let run = place.run(&["log", "backup", "annals.db"]);
    assert!(run.status == 2 && run.talk.contains("annals.db exists"), "{run:?}");
    assert_eq!(names(&place), expected);
    // A backup that an earlier version made has its anchor under another name, which the error states.
    std::fs::rename(place.path("annals-2026.11.21.anchor"), place.path("annals-2026.11.anchor")).unwrap();
    let run = place.run(&["log", "verify", "annals-2026.11.21"]);
    let command = "run `mv annals-2026.11.anchor annals-2026.11.21.anchor`";
    assert!(run.status == 1 && run.out.contains(command), "{run:?}");
}

#[test]
fn a_backup_that_was_killed_is_made_by_the_same_command() {
    let place = log();
    for delay in 0..12 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_annals"))
            .args(["log", "backup", "copy.db"])
            .current_dir(place.path(""))
            .env("ANNALS_HOME", "home")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay * 4));
        child.kill().unwrap();
        child.wait().unwrap();
        // Either it was complete by then, or the same command makes it.
        let was_made = place.path("copy.db").exists();
        let run = place.run(&["log", "backup", "copy.db"]);
        assert_eq!(run.status, if was_made { 2 } else { 0 }, "killed after {} ms: {run:?}", delay * 4);
        assert!(place.ask(&["log", "verify", "copy.db"]).contains("WHOLE"));
        assert_eq!(names(&place), ["copy.anchor", "copy.db", "copy.db.sha256"]);
        for name in names(&place) {
            std::fs::remove_file(place.path(&name)).unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn a_backup_is_restored_by_the_commands_of_the_guide() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/how-to/verify-a-log.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once("## Restoring a backup").unwrap();
    let block = section.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let script: String = block.lines().map(|line| line.trim_start().to_owned() + "\n").collect();

    let place = log();
    std::fs::rename(place.path("home"), place.path("annals-home")).unwrap();
    std::fs::create_dir(place.path("backups")).unwrap();
    place.ask(&["--home", "annals-home", "log", "backup", "backups/annals.db"]);
    place.write("receipts.txt", place.ask(&["--home", "annals-home", "log", "head"]));
    let database = std::fs::read(place.path("annals-home/log.db")).unwrap();
    place.write("annals-home/log.db", &database[..database.len() / 2]);

    let program = std::path::Path::new(env!("CARGO_BIN_EXE_annals")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-e", "-c", &script])
        .current_dir(place.path(""))
        .env("PATH", path)
        .env_remove("ANNALS_HOME")
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && out.contains("WHOLE"), "{script}{output:?}");
    // The damaged file is kept, and the log accepts events again.
    assert_eq!(std::fs::metadata(place.path("damaged/log.db")).unwrap().len(), database.len() as u64 / 2);
    let more = r#"{"stream":"people/dora","type":"people.player_known","payload":{"kind":"human","name":"Dora","player":"dora"}}"#;
    place.write("more.jsonl", more);
    place.ask(&["--home", "annals-home", "log", "append", "more.jsonl", "--actor", "omar"]);
    assert!(place.ask(&["--home", "annals-home", "log", "verify"]).contains("WHOLE"));
}
