//! A director keeps a record in the log; an auditor checks that nobody touched it.

use std::process::Command;

use serde_json::Value;

use crate::program::{ACTOR_VARIABLES, Place, system_user};
use crate::tournament::{ROUND_1, RULING, START, recorded};

/// Runs one of the checkers under `tools/`; none, said aloud, where there is no Python.
fn check(place: &Place, tool: &str, words: &[&str]) -> Option<(i32, String)> {
    let script = format!("{}/tools/{tool}", env!("CARGO_MANIFEST_DIR"));
    match Command::new("python3").arg("-B").arg(script).args(words).current_dir(place.path("")).output() {
        Ok(run) => {
            let said =
                String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
            Some((run.status.code().unwrap_or(-1), said))
        }
        Err(error) => {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "python3 cannot be run: {error}");
            eprintln!("skipped: python3 cannot be run ({error})");
            None
        }
    }
}

fn receipt(place: &Place) -> String {
    place.ask(&["log", "head"]).trim().to_owned()
}

#[test]
fn a_log_is_created_by_one_command_and_an_append_prints_its_receipt() {
    let place = Place::new();
    place.write("start.jsonl", START);
    let nobody = place.run(&["log", "head"]);
    assert_eq!(nobody.status, 2);
    assert!(nobody.talk.contains("annals log init"), "{nobody:?}");

    let append = ["log", "append", "start.jsonl", "--actor", "omar", "--home", "home"];
    let refused = place.run(&append);
    assert!(refused.status == 2 && refused.talk.contains("annals --home home log init"), "{refused:?}");
    let created = place.run(&["log", "init", "--actor", "omar"]);
    assert!(created.status == 0 && created.talk.contains("created home/log.db"), "{created:?}");
    let run = place.run(&append);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.talk.contains("events 2 to 9"), "{run:?}");
    assert_eq!(run.out.trim(), receipt(&place), "the answer is the receipt");
    let head = place.ask_json(&["log", "head", "--json"]);
    assert_eq!((&head["seq"], &head["clock"]), (&9.into(), &"real".into()));
    assert_eq!(head["receipt"], receipt(&place));
    let again = place.run(&["log", "init", "--actor", "omar"]);
    assert_eq!(again.status, 2);
    assert!(again.talk.contains("there is a log already"), "{again:?}");
}

#[test]
fn an_import_without_a_user_name_in_the_environment_records_the_user_of_the_system() {
    let place = Place::new();
    place.grow("games.txt", 2, 1);
    let mut import = Command::new(env!("CARGO_BIN_EXE_annals"));
    import.args(["log", "import", "games.txt"]).env("ANNALS_HOME", "home").current_dir(place.path(""));
    for name in ACTOR_VARIABLES {
        import.env_remove(name);
    }
    let output = import.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let events = place.ask(&["log", "export"]);
    let actor = format!(r#""actor":"{}""#, system_user());
    assert!(
        events.lines().count() > 10 && events.lines().skip(1).all(|line| line.contains(&actor)),
        "{events}"
    );
}

#[test]
fn the_log_reads_like_a_story() {
    let place = Place::new();
    recorded(&place);
    let narrative = place.ask(&["log", "show", "spring-2015"]);
    for told in [
        "recorded 2015-03-09 09:00:00Z by omar",
        "Spring Round Robin 2015 was announced by Omar",
        "Anna registered as anna (human, rated 2100).",
        "Round 1 of the round robin was paired: board 1, anna as Gold against bela; bye: cara (worth 1 point).",
        "cara filed dispute 1 about r2.1.",
        "Ruling 1 on dispute 1: the result of r2.1 is set: Gold won by goal.",
        "why: The server log shows a rabbit of Gold on the eighth rank.",
    ] {
        assert!(narrative.contains(told), "`{told}` is not in\n{narrative}");
    }
    let eastern = place.ask(&["log", "show", "--type", "ruling_given", "--tz", "EST"]);
    assert!(eastern.contains("2015-03-22 05:00:00 -05:00"), "{eastern}");
    assert!(!eastern.contains("registered"), "{eastern}");

    let lines = place.ask(&["log", "show", "game/spring-2015.r1.1", "--json", "--type", "game.turn_taken"]);
    let turns: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(turns.len(), 3);
    assert_eq!((&turns[2]["payload"]["steps"], &turns[2]["version"]), (&"Ee2n Ee3n".into(), &4.into()));
    let seqs = |words: &[&str]| {
        let words = [&["log", "show", "--json"], words].concat();
        let lines = place.ask(&words);
        lines
            .lines()
            .map(|l| serde_json::from_str::<Value>(l).unwrap()["seq"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(seqs(&["--limit", "3"]), [19, 20, 21]);
    assert_eq!(seqs(&["--from", "seq:8", "--to", "seq:9"]), [8, 9]);
    assert_eq!(seqs(&["--type", "result_recorded", "--limit", "1"]), [19]);
    assert_eq!(seqs(&["--from", "2015-03-08", "--to", "2015-03-08"]), [18, 19, 20]);
    assert_eq!(seqs(&["--actor", "somebody"]), [0u64; 0]);

    let streams = place.ask(&["log", "show", "--streams"]);
    assert!(streams.lines().any(|line| line.trim() == "12  tournament/spring-2015"), "{streams}");
}

#[test]
fn a_slip_in_a_name_is_answered_with_the_name_that_was_meant() {
    let place = Place::new();
    recorded(&place);
    for (words, meant) in [
        (["log", "show", "tournament/sprng-2015"].as_slice(), "`tournament/spring-2015`"),
        (&["replay", "spring-2051"], "`tournament/spring-2015`"),
        (&["log", "show", "--type", "tournament.rulling_given"], "`tournament.ruling_given`"),
        (&["log", "show", "--type", "turn_takn"], "`turn_taken`"),
    ] {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.talk.contains("did you mean") && run.talk.contains(meant), "{words:?}: {}", run.talk);
    }
}

#[test]
fn what_the_rules_forbid_is_refused_and_nothing_of_the_file_is_appended() {
    let place = Place::new();
    recorded(&place);
    let before = receipt(&place);
    let game = "game/spring-2015.r1.2";
    let illegal = format!(
        "{}\n{}\n{}\n{}\n",
        format_args!(
            r#"{{"stream":"{game}","type":"game.started","payload":{{"game":"arimaa","gold":{{"name":"Anna"}},"rated":true,"silver":{{"name":"Bela"}}}}}}"#
        ),
        format_args!(
            r#"{{"stream":"{game}","type":"game.turn_taken","payload":{{"number":1,"side":"gold","steps":"Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2"}}}}"#
        ),
        format_args!(
            r#"{{"stream":"{game}","type":"game.turn_taken","payload":{{"number":1,"side":"silver","steps":"ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7"}}}}"#
        ),
        format_args!(
            r#"{{"stream":"{game}","type":"game.turn_taken","payload":{{"number":2,"side":"gold","steps":"Ra1s"}}}}"#
        ),
    );
    place.write("illegal.jsonl", &illegal);
    let early =
        RULING.replace("2015-03-22T10:00", "2015-03-01T10:00").replace("\"number\":1", "\"number\":2");
    place.write("early.jsonl", early);
    place.write("unknown.jsonl", r#"{"stream":"people/x","type":"people.player_nown","payload":{}}"#);
    place.write("other.jsonl", r#"{"stream":"people/x","type":"game.ended","payload":{}}"#);
    place.write("broken.jsonl", "{\"stream\":");
    place.write("empty.jsonl", "\n");
    for (file, says) in [
        ("illegal.jsonl", "turn 2 of gold is illegal"),
        ("early.jsonl", "expected that time or a later one"),
        ("unknown.jsonl", "is not an event type of this program"),
        ("other.jsonl", "game.ended"),
        ("broken.jsonl", "broken.jsonl:1: "),
        ("empty.jsonl", "holds no event"),
        ("nowhere.jsonl", "nowhere.jsonl"),
    ] {
        let run = place.run(&["log", "append", file, "--actor", "omar", "--at", "2015-04-01"]);
        assert_eq!(run.status, 2, "{file}: {run:?}");
        assert!(run.talk.contains(says), "{file}: {}", run.talk);
        assert!(run.out.is_empty(), "{file}");
    }
    assert_eq!(receipt(&place), before, "nothing was appended");
}

#[test]
fn an_append_that_rests_on_an_older_version_is_refused() {
    let place = Place::new();
    place.write("start.jsonl", START);
    place.write("round1.jsonl", ROUND_1);
    let append =
        |file: &str, expect: &str| place.run(&["log", "append", file, "--actor", "omar", "--expect", expect]);
    assert_eq!(append("start.jsonl", "tournament/spring-2015=new").status, 0);
    let stale = append("round1.jsonl", "tournament/spring-2015=4");
    assert_eq!(stale.status, 2);
    assert!(stale.talk.contains("its last version is 5"), "{stale:?}");
    assert_eq!(append("round1.jsonl", "tournament/spring-2015=new").status, 2);
    assert_eq!(append("round1.jsonl", "tournament/spring-2015=5").status, 0);
    assert_eq!(append("round1.jsonl", "spring").status, 2);
}

#[test]
fn of_several_directors_who_pair_the_same_round_at_once_one_is_taken() {
    let place = Place::new();
    place.write("start.jsonl", START);
    place.ask(&["log", "append", "start.jsonl", "--actor", "omar"]);
    let result = r#"{"stream":"tournament/spring-2015","type":"tournament.notice_given","payload":{"about":"pairing","to":["anna"]}}"#;
    place.write("notice.jsonl", result);
    let append = || {
        place.run(&[
            "log",
            "append",
            "notice.jsonl",
            "--actor",
            "omar",
            "--expect",
            "tournament/spring-2015=5",
        ])
    };
    let runs: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|_| scope.spawn(append)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(runs.iter().filter(|run| run.status == 0).count(), 1, "{runs:?}");
    let refused = runs.iter().filter(|run| run.status != 0);
    assert!(refused.into_iter().all(|run| run.talk.contains("another process appended")), "{runs:?}");
    assert_eq!(place.ask_json(&["log", "head", "--json"])["seq"], 10);
}

#[test]
fn the_same_transaction_again_changes_nothing_and_an_id_never_stands_for_something_else() {
    let place = Place::new();
    let with_id = |name: &str| {
        format!(
            r#"{{"stream":"people/anna","type":"people.player_known","id":"000102030405060708090a0b0c0d0e0f","effective_at":"2015-02-01T12:00:00Z","payload":{{"kind":"human","name":"{name}","player":"anna"}}}}"#
        )
    };
    place.write("anna.jsonl", with_id("Anna"));
    place.write("another.jsonl", with_id("Hannah"));
    let append = |file: &str| place.run(&["log", "append", file, "--actor", "omar", "--json"]);
    let first: Value = serde_json::from_str(&append("anna.jsonl").out).unwrap();
    let second = append("anna.jsonl");
    let again: Value = serde_json::from_str(&second.out).unwrap();
    assert_eq!((&first["first_seq"], &first["repeated"]), (&2.into(), &false.into()));
    assert_eq!((&again["first_seq"], &again["repeated"]), (&2.into(), &true.into()));
    assert!(second.talk.contains("in the log already"), "{second:?}");
    let reused = append("another.jsonl");
    assert_eq!(reused.status, 2);
    assert!(reused.talk.contains("is used already, by event 2"), "{reused:?}");
}

#[test]
fn a_whole_log_verifies_and_a_touched_one_names_the_first_bad_event() {
    let place = Place::new();
    recorded(&place);
    let whole = place.ask(&["log", "verify", "--receipt", &receipt(&place)]);
    assert!(whole.contains("21 events, all intact") && whole.contains("WHOLE"), "{whole}");
    assert!(whole.contains("simulated clock"), "{whole}");
    assert!(whole.contains("1 game of 5 events replayed, all by the rules"), "{whole}");

    let database = place.path("home/log.db");
    let mut bytes = std::fs::read(&database).unwrap();
    let was = b"\"outcome\":\"silver\"";
    let at = bytes.windows(was.len()).position(|found| found == was).unwrap();
    bytes[at + 11..at + 17].copy_from_slice(b"golden");
    std::fs::write(&database, bytes).unwrap();
    let touched = place.run(&["log", "verify"]);
    assert_eq!(touched.status, 1, "{touched:?}");
    assert!(touched.out.contains("DAMAGED: event 19 is the first"), "{}", touched.out);
    assert!(touched.out.contains("intact: 20 of 21 events: 1 to 18, 20 to 21"), "{}", touched.out);
    let json = place.run(&["log", "verify", "--json"]);
    let report: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((json.status, &report["first_bad"], &report["whole"]), (1, &19.into(), &false.into()));

    let saved = place.run(&["doctor", "--salvage", "saved.jsonl"]);
    assert_eq!(saved.status, 1, "{saved:?}");
    assert!(saved.out.contains("missing: event 19"), "{}", saved.out);
}

#[test]
fn a_log_cut_short_is_reported_and_goes_on_only_when_somebody_accepts_the_loss() {
    let place = Place::new();
    place.write("start.jsonl", START);
    place.write("round1.jsonl", ROUND_1);
    place.ask(&["log", "append", "start.jsonl", "--actor", "omar"]);
    let old = std::fs::read(place.path("home/log.db")).unwrap();
    place.ask(&["log", "append", "round1.jsonl", "--actor", "omar"]);
    for left in ["log.db-wal", "log.db-shm"] {
        let _ = std::fs::remove_file(place.path("home").join(left));
    }
    std::fs::write(place.path("home/log.db"), old).unwrap();

    let verify = place.run(&["log", "verify"]);
    assert_eq!(verify.status, 1);
    assert!(verify.out.contains("8 acknowledged events are missing"), "{}", verify.out);
    let refused = place.run(&["log", "append", "round1.jsonl", "--actor", "omar"]);
    assert_eq!(refused.status, 1);
    assert!(refused.talk.contains("annals doctor"), "{}", refused.talk);
    let sick = place.run(&["doctor", "--no-probe"]);
    assert_eq!(sick.status, 1);
    assert!(sick.out.contains("--accept-loss"), "{}", sick.out);

    let accepted = place.ask(&["doctor", "--accept-loss", "An old copy was put back", "--actor", "omar"]);
    assert!(
        accepted.contains("event 10 records the loss: 17 events had been acknowledged, 9 are left"),
        "{accepted}"
    );
    place.ask(&["log", "append", "round1.jsonl", "--actor", "omar"]);
    let after = place.ask(&["log", "verify"]);
    assert!(after.contains("WHOLE") && after.contains("accepts a loss"), "{after}");
    assert_eq!(place.run(&["doctor", "--no-probe"]).status, 0);
}

#[test]
fn an_event_and_an_extension_are_proven_to_somebody_who_has_only_a_receipt() {
    let place = Place::new();
    place.write("start.jsonl", START);
    place.write("round1.jsonl", ROUND_1);
    place.ask(&["log", "append", "start.jsonl", "--actor", "omar"]);
    let early = receipt(&place);
    place.write("receipts.txt", format!("{early}\n"));
    place.ask(&["log", "append", "round1.jsonl", "--actor", "omar"]);
    let late = receipt(&place);
    place.write("event.json", place.ask(&["log", "prove", "5"]));
    place.write("extension.json", place.ask(&["log", "prove", "--since", "@receipts.txt"]));
    let Some((status, said)) = check(&place, "check_proof.py", &["event.json", &late]) else { return };
    assert_eq!(status, 0, "{said}");
    let (status, said) = check(&place, "check_proof.py", &["extension.json", &early, &late]).unwrap();
    assert_eq!(status, 0, "{said}");
    let (status, said) = check(&place, "check_proof.py", &["extension.json", &late]).unwrap();
    assert!(status == 1 && said.contains("next: give the receipts of both heads"), "{said}");
    place.write("receipts.txt", format!("{early}\n{late}\n"));
    let (status, said) = check(&place, "check_proof.py", &["event.json", "@receipts.txt"]).unwrap();
    assert_eq!(status, 0, "{said}");
    let (status, said) = check(&place, "check_proof.py", &["event.json", "nothing"]).unwrap();
    assert!(status == 2, "{said}");
    let (status, said) = check(&place, "check_proof.py", &["event.json", &early]).unwrap();
    assert!(said.contains("of the same log") && said.contains("next: annals log verify --receipt"), "{said}");
    assert_eq!(status, 1, "it is not under the earlier head");
    assert_eq!(place.run(&["log", "prove", "99"]).status, 2);
    let nonsense = place.run(&["log", "prove", "--since", "annals-head/1"]);
    assert_eq!(nonsense.status, 2);
    assert!(nonsense.talk.contains("is not a valid receipt"), "{nonsense:?}");
}

#[test]
fn a_bundle_of_a_tournament_is_checked_offline_and_a_touched_one_is_found_out() {
    let place = Place::new();
    recorded(&place);
    let run = place.run(&["log", "bundle", "spring-2015", "--games", "-o", "spring.json"]);
    assert_eq!((run.status, run.out.trim()), (0, receipt(&place).as_str()), "{run:?}");
    assert!(run.talk.contains("17 events of 2 streams"), "the game of its pairing is in it: {run:?}");
    assert_eq!(
        place.run(&["log", "bundle", "spring-2015", "-o", "spring.json"]).status,
        2,
        "nothing is written over"
    );
    let receipt = receipt(&place);
    let proven = Place::new().ask(&["log", "check-bundle", place.path("spring.json").to_str().unwrap()]);
    assert!(
        proven.contains("the head in the file, which no receipt confirms: 17 events of 2 streams"),
        "{proven}"
    );
    place.write("receipts.txt", format!("{receipt}\n"));
    let proven = place.ask(&["log", "check-bundle", "spring.json", "--receipt", "@receipts.txt"]);
    assert!(proven.contains("proven under the receipt: 17 events of 2 streams\n"), "{proven}");
    assert!(proven.contains("tournament/spring-2015: versions 1 to 12"), "{proven}");
    let other = receipt.replace("seq=21", "seq=22");
    let run = place.run(&["log", "check-bundle", "spring.json", "--receipt", &other]);
    assert!(run.status == 1 && run.out.contains("NO   the receipt is that"), "{run:?}");
    place.write("other.json", "{}");
    let run = place.run(&["log", "check-bundle", "other.json"]);
    assert!(run.status == 2 && run.talk.contains("other.json is not a bundle of evidence"), "{run:?}");
    let python = check(&place, "check_bundle.py", &["spring.json", &receipt]);
    if let Some((status, said)) = &python {
        assert_eq!(*status, 0, "{said}");
        assert!(said.contains("proven: 17 events of "), "{said}");
    }

    let bundle = std::fs::read_to_string(place.path("spring.json")).unwrap();
    let last = bundle.rfind(r#"{"seq":21"#).unwrap();
    let end = bundle.rfind(r#"],"nodes""#).unwrap();
    let without_last = format!("{}{}", bundle[..last].trim_end_matches(','), &bundle[end..]);
    let forgeries = [
        ("changed", bundle.replacen("Anna", "Hanna", 1)),
        ("another time", bundle.replacen("\"effective_at\":", "\"effective_at\":1", 1)),
        ("cut short", without_last),
        (
            "said to be shorter",
            bundle.replace(
                r#""stream":"tournament/spring-2015","events":12"#,
                r#""stream":"tournament/spring-2015","events":11"#,
            ),
        ),
    ];
    for (name, forged) in forgeries {
        assert_ne!(forged, bundle, "{name}");
        place.write("forged.json", forged);
        let run = place.run(&["log", "check-bundle", "forged.json", "--receipt", &receipt]);
        assert_eq!(run.status, 1, "{name}: {run:?}");
        if python.is_some() {
            let (status, said) = check(&place, "check_bundle.py", &["forged.json", &receipt]).unwrap();
            assert_eq!(status, 1, "{name}: {said}");
        }
    }
}

#[test]
fn a_backup_is_sealed_and_held_against_the_log() {
    let place = Place::new();
    recorded(&place);
    let sealed = place.ask_json(&["log", "backup", "sealed.db", "--json"]);
    assert_eq!((&sealed["head"]["seq"], &sealed["receipt"]), (&21.into(), &receipt(&place).into()));
    assert!(place.ask(&["log", "verify", "sealed.db"]).contains("WHOLE"));
    assert!(place.ask(&["log", "verify", "--backup", "sealed.db"]).contains("compared with the backup"));
    assert_eq!(place.run(&["log", "backup", "sealed.db"]).status, 2, "nothing is written over");

    let other = Place::new();
    other.write("start.jsonl", START);
    other.ask(&["log", "append", "start.jsonl", "--actor", "omar"]);
    let foreign = other.run(&["log", "verify", "--backup", place.path("sealed.db").to_str().unwrap()]);
    assert_eq!(foreign.status, 1, "{foreign:?}");
}

#[test]
fn what_one_log_exports_another_takes_once() {
    let (place, other) = (Place::new(), Place::new());
    recorded(&place);
    place.ask(&["log", "export", "-o", "all.jsonl"]);
    let lines = std::fs::read_to_string(place.path("all.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 21);
    assert_eq!(place.ask(&["log", "export"]), lines);
    let two = place.ask(&["log", "export", "people/anna", "game/spring-2015.r1.1"]);
    assert_eq!(two.lines().count(), 6);
    assert!(two.lines().all(|line| lines.contains(line)), "a line is the same however it is chosen");

    other.write("all.jsonl", &lines);
    let import = || other.ask_json(&["log", "import", "all.jsonl", "--actor", "omar", "--json"]);
    let first = import();
    assert_eq!(
        (&first["files"][0]["events"], &first["files"][0]["left_out"]),
        (&20.into(), &1.into()),
        "{first}"
    );
    let before = receipt(&other);
    let again = import();
    assert_eq!(
        (&again["files"][0]["events"], &again["files"][0]["known"]),
        (&0.into(), &20.into()),
        "{again}"
    );
    assert_eq!(receipt(&other), before, "importing again adds nothing");
    assert!(other.ask(&["log", "verify"]).contains("WHOLE"));
    let shown = |place: &Place| place.ask(&["replay", "spring-2015"]);
    assert_eq!(shown(&place), shown(&other), "the tournament is the same in both");
}

#[test]
fn a_log_that_is_none_and_a_read_only_one_are_told_apart() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("home")).unwrap();
    place.write("home/log.db", "this is a text and no database at all, whatever it is called");
    let run = place.run(&["log", "verify"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("not an SQLite database"), "{run:?}");

    let place = Place::new();
    recorded(&place);
    place.ask(&["log", "backup", "sealed.db"]);
    let home = place.path("sealed-home");
    std::fs::create_dir_all(&home).unwrap();
    for (from, to) in [("sealed.db", "log.db"), ("sealed.anchor", "log.anchor")] {
        std::fs::copy(place.path(from), home.join(to)).unwrap();
    }
    place.write("more.jsonl", RULING.replace("\"number\":1", "\"number\":2"));
    let run = place.run(&["--home", "sealed-home", "log", "append", "more.jsonl", "--actor", "omar"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("read-only"), "{run:?}");
    assert!(place.ask(&["--home", "sealed-home", "replay", "spring-2015"]).contains("by ruling"));
}

#[test]
fn a_comparison_without_its_points_names_them_and_has_help() {
    let place = Place::new();
    let run = place.run(&["diff", "cup"]);
    assert_eq!(run.status, 2);
    assert!(
        run.talk.contains("two points in time are missing") && run.talk.contains("annals diff cup A B"),
        "{run:?}"
    );
    assert_eq!(place.ask(&["diff", "cup", "--help"]), place.ask(&["diff", "--help"]));
}

#[test]
fn every_command_about_the_log_has_help_with_an_example() {
    let place = Place::new();
    let commands = [
        "log", "log init", "log append", "log import", "log show", "log export", "log head", "log verify",
        "log prove", "log backup", "log bundle", "replay", "diff", "what-if", "doctor",
    ];
    for command in commands {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = place.ask(&words);
        let examples = help.contains("Examples:\n  annals") || help.contains("Start with:\n  annals");
        assert!(examples, "{command} has no example:\n{help}");
        let explained = help.split("Usage:").next().is_some_and(|above| above.trim().lines().count() > 2);
        assert!(explained, "{command} is not explained:\n{help}");
    }
}

#[test]
fn the_same_append_may_be_sent_again_even_where_it_expected_something_of_a_stream() {
    let place = Place::new();
    let line = r#"{"stream":"people/omar","id":"00000000000000000000000000000001","effective_at":"2015-01-02T03:04:05Z","type":"people.player_known","payload":{"kind":"human","name":"Omar","player":"omar"}}"#;
    place.write("one.jsonl", line);
    let words =
        ["log", "append", "--actor", "director", "--expect", "people/omar=new", "one.jsonl", "--json"];
    let first = place.ask_json(&words);
    let again = place.ask_json(&words);
    assert_eq!((&first["repeated"], &again["repeated"]), (&false.into(), &true.into()), "{again}");
    assert_eq!(first["first_seq"], again["first_seq"]);
}

#[test]
fn a_line_that_says_one_thing_twice_and_a_receipt_file_without_a_receipt_are_refused() {
    let place = Place::new();
    place.write("twice.jsonl", r#"{"stream":"people/omar","type":"people.player_known","type":"people.alias_declared","payload":{}}"#);
    let run = place.run(&["log", "append", "--actor", "director", "twice.jsonl"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains(":1: ") && run.talk.contains("comes twice"), "{run:?}");
    place.write("empty.txt", "\n");
    let run = place.run(&["log", "verify", "--receipt", "@empty.txt"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("expected a receipt, found none"), "{run:?}");
}

#[test]
fn words_in_the_record_cannot_forge_a_story() {
    let place = Place::new();
    let line = r#"{"stream":"people/omar","effective_at":"2015-01-02T03:04:05Z","type":"people.player_known","payload":{"kind":"human","name":"Omar\nrecorded 2020-01-01 by god\n  #9 fake\u001b[31m","player":"omar"}}"#;
    place.write("one.jsonl", line);
    place.ask(&["log", "append", "--actor", "director", "one.jsonl"]);
    let told = place.ask(&["log", "show"]);
    assert!(
        !told.contains('\u{1b}') && !told.lines().any(|line| line.starts_with("recorded 2020")),
        "{told}"
    );
}

#[test]
fn a_round_is_no_end_of_a_span_of_events() {
    let place = Place::new();
    crate::tournament::recorded(&place);
    let run = place.run(&["log", "show", "--from", "round:3"]);
    assert!(run.status == 2 && run.talk.contains("`round:3` is not a valid end of a span"), "{run:?}");
    assert!(run.talk.contains("seq:1234"), "{run:?}");
    assert!(place.ask(&["log", "show", "--from", "seq:2", "--to", "seq:2"]).contains("#2 "));
}
