//! Tournaments come in from the directors' state files and from the archive, and go out again as state files.

use serde_json::{Value, json};

use crate::program::{Place, real_archive};

const FINAL: &str = "\
# WC final
player Fritzlein 2273
player 99of9 2142
player Omar 1860
round 1
game Fritzlein Omar winner Fritzlein
bye 99of9
round 2
game 99of9 Fritzlein winner Fritzlein
bye Omar
round 3
pair Omar 99of9 double win
remove 99of9
";

const READ: [&str; 9] =
    ["tournament", "import", "state", "final.txt", "--as", "wc-2006", "--date", "2006-01-14", "--actor=omar"];

/// A final that was played by its rulebook: a pairing that was revoked, a ruling, a player who leaves and comes back, a
/// continuation for second place.
const PLAYED: &str = "\
player Sharp 2300
player Ziltoid 2200
player Briareus 2100
player Marwin 2000
player Clueless 1900
round 1
game Ziltoid Clueless winner Ziltoid
game Briareus Marwin winner Marwin
bye Sharp
round 2
game Marwin Sharp vacated
game Marwin Sharp winner Marwin
game Clueless Briareus winner Briareus
bye Ziltoid
round 3
game Briareus Ziltoid double win
game Sharp Clueless winner Sharp
bye Marwin
round 4
game Clueless Marwin winner Clueless
game Ziltoid Sharp winner Ziltoid
remove Sharp
bye Briareus
round 5
game Marwin Ziltoid winner Marwin
game Clueless Briareus winner Briareus
add Sharp
round 6
game Ziltoid Marwin winner Marwin
game Sharp Briareus winner Sharp
round 7
game Marwin Sharp winner Marwin
game Briareus Ziltoid winner Ziltoid
round 8
game Marwin Briareus winner Briareus
game Sharp Ziltoid winner Sharp
round 9
game Ziltoid Marwin winner Ziltoid
game Briareus Sharp winner Sharp
round 10
game Sharp Ziltoid winner Sharp
bye Marwin
round 11
game Sharp Marwin winner Sharp
round 12
game Marwin Ziltoid winner Ziltoid
";

const READ_PLAYED: [&str; 9] = [
    "tournament", "import", "state", "played.txt", "--as", "wcc-2014", "--date", "2014-02-14", "--actor=omar",
];

/// A row of the archive: hours after noon of the first of February 2026, one hour long.
fn row(
    id: u32,
    gold: (&str, u32),
    silver: (&str, u32),
    event: &str,
    hours: i64,
    result: &str,
    rated: &str,
) -> String {
    let start = 1_769_947_200 + 3_600 * hours;
    let kind = |name: &str| if name.starts_with("bot_") { "b" } else { "h" };
    let setups = "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
                  1b ha7 db7 cc7 ed7 me7 cf7 dg7 hh7 ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8\\n2w Ee2n\\n2b ed7s\\n3w";
    format!(
        "{id}\t{}\t{}\t{}\t{}\t\t\tUS\tDE\t1500\t1600\t30\t120\t{}\t{}\t{event}\tOver the Net\t2/2/100/10/8\t0\t{start}\t{}\t\
         {result}\tr\t3\tIGS\t{rated}\t0\t{setups}\t\n",
        gold.1,
        silver.1,
        gold.0,
        silver.0,
        kind(gold.0),
        kind(silver.0),
        start + 3_600
    )
}

fn archive(rows: &[String]) -> String {
    "id\twplayerid\tbplayerid\twusername\tbusername\twtitle\tbtitle\twcountry\tbcountry\twrating\tbrating\twratingk\tbratingk\t\
     wtype\tbtype\tevent\tsite\ttimecontrol\tpostal\tstartts\tendts\tresult\ttermination\tplycount\tmode\trated\tcorrupt\t\
     movelist\tevents\n"
        .to_owned()
        + &rows.concat()
}

#[test]
fn a_directors_file_becomes_a_tournament_once() {
    let place = Place::new();
    place.write("final.txt", FINAL);
    let dry = place.ask(&[&READ[..], &["--dry-run"]].concat());
    assert!(
        dry.contains("3 players, 3 games, 2 byes, 3 rounds") && dry.contains("would be appended"),
        "{dry}"
    );
    assert!(!place.path("home/log.db").exists(), "a dry run makes no log");

    let first = place.ask_json(&[&READ[..], &["--json"]].concat());
    assert_eq!((&first["rounds"], &first["rounds_inferred"]), (&json!(3), &json!(false)));
    assert_eq!(first["taken"]["events"], first["events"]);
    let again = place.ask(&READ);
    assert!(again.contains("nothing new"), "{again}");

    let view = place.ask_json(&["replay", "wc-2006", "--json"]);
    let text = view.to_string();
    assert!(text.contains("Fritzlein") && text.contains("double_win"), "{text}");
    let narrative = place.ask(&["log", "show", "wc-2006"]);
    assert!(narrative.contains("As in the director's file"), "{narrative}");
    let lines = place.ask(&["log", "show", "wc-2006", "--json"]);
    for line in lines.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        assert_eq!(event["payload"]["_time"], json!("unknown"), "{event}");
    }
}

#[test]
fn without_a_date_the_same_file_is_still_the_same() {
    let place = Place::new();
    place.write("final.txt", FINAL);
    let words = ["tournament", "import", "state", "final.txt", "--as", "x", "--actor=omar"];
    place.ask(&words);
    assert!(place.ask(&words).contains("nothing new"));
    place.write("final.txt", FINAL.replace("winner Fritzlein\nbye 99of9", "winner Omar\nbye 99of9"));
    let changed = place.run(&words);
    assert_eq!(changed.status, 2, "{changed:?}");
    assert!(changed.talk.contains("is in the log already"), "{changed:?}");
}

#[test]
fn a_file_with_a_line_that_means_nothing_is_refused_as_a_whole() {
    let place = Place::new();
    for (bad, said) in [
        (
            "gaem Omar 99of9 draw",
            "`gaem` begins no line of a state file; a line begins with player, remove, add, round",
        ),
        ("game Omar 99of9 winner Fritzlein", "the winner is one of the two"),
        ("game Omar Omar draw", "plays a game against themselves"),
        ("player Omar 3", "entered a second time; line 4"),
        ("round 2", "does not follow round 3; the next one is round 4"),
        ("game Omar 99of9 lost", "known results are winner NAME, draw"),
        ("bye Omra", "no line before enters a player `Omra`"),
    ] {
        place.write("final.txt", format!("{FINAL}{bad}\n"));
        let run = place.run(&READ);
        assert_eq!(run.status, 2, "{bad}: {run:?}");
        assert!(run.talk.contains("final.txt:14: ") && run.talk.contains(said), "{bad}: {}", run.talk);
        assert!(run.talk.contains("nothing was imported"), "{}", run.talk);
    }
    place.write("final.txt", b"player A 1\nplayer \xff 2\n");
    let run = place.run(&READ);
    assert!(run.status == 2 && run.talk.contains(":2: expected UTF-8"), "{run:?}");
    assert!(!place.path("home/log.db").exists(), "nothing was imported, so there is no log");
    let run = place.run(&[&READ[..3], &["none.txt"], &READ[4..]].concat());
    assert!(run.status == 2 && run.talk.contains("cannot read none.txt"), "{run:?}");
    place.write("final.txt", FINAL);
    let run = place.run(&[&READ[..], &["--rulebook", "wcc-2051"]].concat());
    assert!(run.status == 2 && run.talk.contains("expected one of wcc-2015"), "{run:?}");
    let run = place.run(&[&READ[..], &["--stage", "ring"]].concat());
    assert!(run.status == 2 && run.talk.contains("no stage `ring`"), "{run:?}");
    let run = place.run(&[&READ[..], &["--player", "fritzlein=karl"]].concat());
    assert!(run.status == 2 && run.talk.contains("did you mean `Fritzlein`?"), "{run:?}");
}

#[test]
fn a_tournament_is_written_as_the_file_that_it_was_read_from() {
    let place = Place::new();
    place.write("final.txt", FINAL);
    place.ask(&[&READ[..], &["--player", "Fritzlein=karl", "--name", "WC final"]].concat());
    place.ask(&["tournament", "export", "wc-2006", "-o", "again.txt"]);
    let said = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.replace("pair ", "game ")).filter(|line| !line.is_empty());
        lines.filter(|line| !line.starts_with('#')).collect()
    };
    let again = std::fs::read_to_string(place.path("again.txt")).unwrap();
    assert_eq!(said(&again), said(FINAL));
    assert!(again.starts_with("# WC final\n"), "{again}");
    let run = place.run(&["tournament", "export", "wc-2006", "-o", "again.txt"]);
    assert_eq!(run.status, 2, "a file that is there is not written over: {run:?}");
    let printed = place.ask_json(&["tournament", "export", "wc-2006", "--json"]);
    assert_eq!(printed["text"].as_str(), Some(again.as_str()));
    let other = [
        "tournament", "import", "state", "again.txt", "--as", "copy", "--date", "2006-01-14", "--actor=omar",
    ];
    place.ask(&other);
    assert_eq!(said(&place.ask(&["tournament", "export", "copy"])), said(FINAL));
    let run = place.run(&["tournament", "export", "wc-2060"]);
    assert!(run.status == 2 && run.talk.contains("did you mean `wc-2006`?"), "{run:?}");
}

/// What a state file says, without comments and empty lines.
fn said(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// The payloads of a tournament's events.
fn payloads(place: &Place, stream: &str) -> Vec<(Value, Value)> {
    let lines = place.ask(&["log", "export", stream]);
    let all = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.map(|event| (event["type"].clone(), event["payload"].clone())).collect()
}

#[test]
fn a_final_that_was_played_by_its_rulebook_audits_clean_and_is_written_as_it_was_read() {
    let place = Place::new();
    place.write("played.txt", PLAYED);
    let read = place.ask_json(&[&READ_PLAYED[..], &["--json"]].concat());
    assert_eq!(
        (&read["rounds"], &read["remarks"], &read["taken"]["findings"]),
        (&json!(12), &json!([]), &json!([]))
    );
    let audit = place.run(&["tournament", "audit", "wcc-2014", "--json"]);
    assert_eq!(audit.status, 0, "{audit:?}");
    let audit: Value = serde_json::from_str(&audit.out).unwrap();
    assert_eq!(audit["counts"]["violations"], 0);

    let events = payloads(&place, "tournament/wcc-2014");
    assert_eq!(events[0].1["options"]["record"], "games");
    let of = |kind: &str| -> Vec<&Value> {
        let kind = format!("tournament.{kind}");
        events.iter().filter(|(of, _)| *of == kind.as_str()).map(|(_, payload)| payload).collect()
    };
    assert_eq!(of("round_paired").last().unwrap()["stage"], "continuation");
    let boards: Vec<&Value> = of("pairing_revoked").iter().map(|revoked| &revoked["board"]).collect();
    assert_eq!(boards, [&json!(1), &Value::Null]);
    assert_eq!(of("ruling_given").len(), 1, "only a ruling says that both won");

    let run = place.run(&["tournament", "export", "wcc-2014"]);
    assert_eq!(said(&run.out), said(PLAYED));
    assert!(!run.talk.contains("written"), "nothing is lost: {}", run.talk);
    place.write("again.txt", &run.out);
    let mut again = READ_PLAYED;
    (again[3], again[5]) = ("again.txt", "copy");
    place.ask(&[&again[..], &["--name", "wcc-2014"]].concat());
    assert_eq!(payloads(&place, "tournament/copy"), events);
    let half = place.ask(&["tournament", "export", "wcc-2014", "--as-of", "round:2"]);
    assert!(said(PLAYED).starts_with(&said(&half)) && half.contains("vacated"), "{half}");

    // A result that is otherwise than the rulebook's pairing asks for is still found.
    place.write(
        "played.txt",
        PLAYED
            .replace("game Briareus Marwin winner Marwin\nbye Sharp", "game Briareus Sharp draw\nbye Marwin"),
    );
    (again[3], again[5]) = ("played.txt", "other");
    place.ask(&again);
    let other = place.run(&["tournament", "audit", "other"]);
    assert!(
        other.status == 1 && other.out.contains("pairing.best") && other.out.contains("result.draw"),
        "{other:?}"
    );
    assert!(
        !other.out.contains("announcement.terms, 2015 WCC, Time Controls and Registration]\n    rule"),
        "{other:?}"
    );
}

#[test]
fn a_file_is_read_with_options_of_the_announcement_and_says_which_it_cannot_keep() {
    let place = Place::new();
    let players: String = (1..=12).map(|seed| format!("player P{seed:02} {}\n", 2400 - 100 * seed)).collect();
    place.write("played.txt", players + "round 1\ngame P01 P12 winner P01\n");
    let dry = place.ask(&[&READ_PLAYED[..], &["--dry-run"]].concat());
    assert!(dry.contains("12 play and 8 can go on; record it with --option finalists=12"), "{dry}");
    let chosen = ["--option", "finalists=12", "--option", "T7=B"];
    place.ask(&[&READ_PLAYED[..], &chosen].concat());
    let events = payloads(&place, "tournament/wcc-2014");
    let options = &events[0].1["options"];
    assert_eq!((&options["finalists"], &options["t7"]), (&json!("12"), &json!("last_eliminated")));
    let audit = place.run(&["tournament", "audit", "wcc-2014"]);
    assert!(!audit.out.contains("field.places"), "{audit:?}");
    let out = place.run(&["tournament", "export", "wcc-2014"]);
    assert!(
        out.talk.contains("read the file with: --option finalists=12 --option t7=last_eliminated"),
        "{out:?}"
    );
    for (option, why) in [
        ("finalists=1", "a number from 2 to 100"),
        ("finalists=many", "a number from 2 to 100"),
        ("T99=B", "is no reading"),
        ("T7", "expected NAME=VALUE, found `T7`"),
    ] {
        let run = place.run(&[&READ_PLAYED[..], &["--option", option]].concat());
        assert!(run.status == 2 && run.talk.contains(why), "{option}: {run:?}");
    }
}

#[test]
fn a_director_announces_another_number_of_finalists_and_no_ruling_changes_it() {
    let place = Place::new();
    let director = crate::director::Director::opened(&place, "wcc-2016", "2015-11-01");
    let announce = "announce --rulebook wcc-2015 --director Omar --year 2016 --option";
    director.refuses(
        "2015-12-01",
        &format!("{announce} record=games"),
        &["announcement.terms", "whole tournament"],
    );
    director.does("2015-12-01", &format!("{announce} finalists=10"));
    let announced = &director.events("announced")[0];
    assert_eq!(
        (&announced["options"]["finalists"], &announced["stages"][0]["places"]),
        (&json!("10"), &json!(10))
    );
    director.refuses(
        "2015-12-02",
        "ruling give read finalists=8 --reason \"as in 2015\"",
        &["ruling.reading"],
    );
    director.is_in_order();
}

#[test]
fn the_games_of_an_event_become_a_tournament_with_inferred_rounds() {
    let (anna, bela, cara, dora) = (("Anna", 1), ("bela", 2), ("cara", 3), ("bot_dora", 4));
    let place = Place::new();
    let rows = [
        row(1, anna, bela, "Spring Cup", 0, "w", "1"),
        row(2, cara, dora, "Spring Cup", 1, "b", "1"),
        row(3, dora, anna, "spring cup", 100, "b", "1"),
        row(4, bela, cara, "Spring Cup", 101, "d", "1"),
        row(5, bela, cara, "Casual game", 102, "w", "1"),
    ];
    place.write("games.txt", archive(&rows));
    let list = place.ask(&["tournament", "import", "archive", "--list", "games.txt"]);
    assert!(
        list.contains("4  2026-02-01 to 2026-02-05  Spring Cup") && list.contains("1  2026-02-05"),
        "{list}"
    );

    let bring = [
        "tournament", "import", "archive", "SPRING CUP", "games.txt", "--as", "spring", "--rulebook",
        "wc-2009",
    ];
    let dry = place.ask_json(&[&bring[..], &["--dry-run", "--json"]].concat());
    assert_eq!(
        (&dry["players"], &dry["games"], &dry["byes_inferred"]),
        (&json!(4), &json!(4), &json!(false))
    );
    assert_eq!(dry["rounds"][1]["games"][0]["game"], 3);
    assert!(!place.path("home/log.db").exists(), "a dry run makes no log");

    let actor = "--actor=omar";
    let told = place.ask(&[&bring[..], &["--with-games", actor]].concat());
    assert!(told.contains("2 rounds inferred from the dates (4 games firm"), "{told}");
    assert!(told.contains("byes are not inferred"), "{told}");
    let again = place.ask(&[&bring[..], &["--with-games", actor]].concat());
    assert!(again.contains("tournament/spring: nothing new"), "{again}");
    let streams = place.ask(&["log", "show", "--streams"]);
    assert!(streams.contains("game/arimaa-4") && !streams.contains("game/arimaa-5"), "{streams}");
    let narrative = place.ask(&["log", "show", "spring"]);
    assert!(narrative.contains("Game 3 of the gameroom") && narrative.contains("arimaa-3"), "{narrative}");
    let without = place.run(&[&bring[..], &[actor]].concat());
    assert_eq!(without.status, 2, "the record differs without its games: {without:?}");

    let slip = place.run(&["tournament", "import", "archive", "Spring Cap", "games.txt", "--as", "x", actor]);
    assert_eq!(slip.status, 2);
    assert!(slip.talk.contains("did you mean `Spring Cup`?"), "{}", slip.talk);
    assert!(slip.talk.contains("`Spring Cup` (4 games), `Casual game` (1 game)"), "{}", slip.talk);
    let nameless = place.run(&["tournament", "import", "archive", "Spring Cup", "games.txt"]);
    assert_eq!(nameless.status, 2, "{nameless:?}");
    let fileless = place.run(&["tournament", "import", "archive", "Spring Cup", "--as", "x"]);
    assert!(fileless.status == 2 && fileless.talk.contains("no archive file"), "{fileless:?}");
}

#[test]
fn rows_that_cannot_be_read_are_told_and_the_others_are_taken() {
    let place = Place::new();
    let good = row(1, ("Anna", 1), ("bela", 2), "Cup", 0, "w", "1");
    let oneself = row(2, ("Anna", 1), ("Anna", 1), "Cup", 5, "w", "1");
    place.write("games.txt", archive(&[good, oneself, "no\trow\n".to_owned()]));
    let run =
        place.run(&["tournament", "import", "archive", "cup", "games.txt", "--as", "cup", "--actor=omar"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.out.contains("line 3: game 2 is of `Anna` against themselves [oneself]"), "{}", run.out);
    assert!(run.out.contains("1 game,") && run.out.contains("appended"), "{}", run.out);
}

/// A tournament with a qualifier in February 2026, two programs and one benchmark.
const QUALIFIER: &str = r#"
{"stream":"tournament/wcc-2026","type":"tournament.announced","effective_at":"2026-01-20T12:00:00Z","payload":{"directors":["Omar"],"edition":1,"fund":0,"game":"arimaa","name":"WCC 2026","options":{},"rulebook":"wcc-2015","schedule":[{"at":1769958000000000,"milestone":"qualifying_opens"},{"at":1770033600000000,"milestone":"qualifying_closes"}],"stages":[{"stage":"qualifier"},{"stage":"final"}]}}
{"stream":"tournament/wcc-2026","type":"tournament.benchmarks_declared","effective_at":"2026-01-21T12:00:00Z","payload":{"stable":[{"account":1,"name":"bot_bench","player":"bench"}]}}
{"stream":"tournament/wcc-2026","type":"tournament.player_registered","effective_at":"2026-01-22T12:00:00Z","payload":{"account":4,"kind":"bot","name":"bot_dora","player":"dora"}}
{"stream":"tournament/wcc-2026","type":"tournament.player_registered","effective_at":"2026-01-22T12:00:00Z","payload":{"kind":"bot","name":"bot_ella","player":"ella"}}
"#;

#[test]
fn qualifying_games_are_recorded_once_each_whatever_happens_between() {
    let (bench, dora, ella, anna) = (("bot_bench", 1), ("bot_dora", 4), ("Bot_Ella", 5), ("Anna", 6));
    let place = Place::new();
    place.write("start.jsonl", QUALIFIER);
    place.ask(&["log", "init", "--simulated", "--at", "2026-01-23", "--actor", "omar"]);
    // It does not say how its texts are read, so the door would refuse it; as history it comes in.
    place.ask(&["log", "import", "start.jsonl", "--actor", "omar"]);
    let first = [
        row(1, dora, bench, "Casual game", 0, "w", "1"),
        row(2, dora, bench, "Casual game", 3, "w", "1"),
        row(3, bench, ella, "Casual game", 5, "b", "0"),
        row(4, dora, anna, "Casual game", 6, "w", "1"),
    ];
    place.write("one.txt", archive(&first));
    let words = ["tournament", "qualifier", "import-games", "wcc-2026", "one.txt", "--actor=omar"];
    let dry = place.ask_json(&[&words[..], &["--dry-run", "--json"]].concat());
    assert_eq!((&dry["found"], &dry["new"], &dry["outside_the_period"]), (&json!(2), &json!(2), &json!(1)));
    assert_eq!(dry["by_player"]["dora"]["over_the_edge"], 1, "it began at the opening itself: {dry}");
    assert_eq!(dry["by_player"]["ella"]["unrated"], 1);
    let told = place.ask(&words);
    assert!(told.contains("2 new, 0 known"), "{told}");
    assert!(
        told.contains("dora: 1 game (1 rated, 0 not): 1 won, 0 lost, 0 undecided; 1 over an edge"),
        "{told}"
    );

    place.write(
        "late.jsonl",
        r#"{"stream":"tournament/wcc-2026","type":"tournament.player_registered","effective_at":"2026-02-20T12:00","payload":{"kind":"bot","name":"bot_fred","player":"fred"}}"#,
    );
    place.ask(&["log", "append", "late.jsonl", "--actor", "omar", "--at", "2026-02-21"]);
    place.write("two.txt", archive(&[row(7, ella, bench, "Casual game", 7, "d", "1")]));
    let both = ["tournament", "qualifier", "import-games", "wcc-2026", "one.txt", "two.txt", "--actor=omar"];
    assert!(place.ask(&both).contains("1 new, 2 known"));
    let settled = place.ask_json(&[&both[..], &["--json"]].concat());
    assert_eq!((&settled["new"], &settled["known"]), (&json!(0), &json!(3)));
    let shown = place.ask(&["log", "show", "wcc-2026", "--type", "qualifying_game_played", "--json"]);
    let numbers: Vec<Value> = shown
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["payload"]["number"].clone())
        .collect();
    assert_eq!(numbers, [2, 3, 7]);

    place.write("one.txt", archive(&[row(2, dora, bench, "Casual game", 3, "b", "1")]));
    let differs = place.run(&words);
    assert_eq!(differs.status, 1, "{differs:?}");
    assert!(differs.out.contains("recorded otherwise than the rows state: 2"), "{}", differs.out);

    place.write("final.txt", FINAL);
    place.ask(&[
        "tournament", "import", "state", "final.txt", "--as", "other", "--date", "2006-01-14", "--actor=omar",
    ]);
    let no_period =
        place.run(&["tournament", "qualifier", "import-games", "other", "one.txt", "--actor=omar"]);
    assert!(no_period.status == 2 && no_period.talk.contains("`qualifying_opens`"), "{no_period:?}");
}

#[test]
fn a_grown_and_the_real_archive_come_in_as_they_are() {
    let place = Place::new();
    place.grow("grown.txt", 300, 7);
    let list = place.ask_json(&["tournament", "import", "archive", "--list", "grown.txt", "--json"]);
    assert_eq!(list[0]["event"], "Casual game");
    let grown =
        list.as_array().unwrap().iter().find(|row| row["event"] != "Casual game").expect("a grown event");
    let event = grown["event"].as_str().unwrap();
    let words =
        ["tournament", "import", "archive", event, "grown.txt", "--as", "open", "--rulebook", "wc-2009"];
    let brought = place.ask_json(&[&words[..], &["--actor=omar", "--json"]].concat());
    assert_eq!((&brought["games"], &brought["taken"]["findings"]), (&grown["games"], &json!([])));
    assert_eq!(brought["taken"]["lifted"], 0, "the record is in the order of time");

    let Some(folder) = real_archive() else { return };
    let file = folder.join("allgames202602.txt");
    let file = file.to_str().unwrap();
    let words =
        ["tournament", "import", "archive", "casual game", file, "--as", "feb", "--rulebook", "wc-2009"];
    let brought = place.ask_json(&[&words[..], &["--with-games", "--actor=omar", "--json"]].concat());
    assert_eq!((&brought["games"], &brought["unread"]), (&json!(147), &json!(0)));
    assert_eq!(brought["with_games"][0]["rejected"], 0);
    let again = place.ask_json(&[&words[..], &["--with-games", "--actor=omar", "--json"]].concat());
    assert_eq!(again["taken"]["events"], 0);
}
