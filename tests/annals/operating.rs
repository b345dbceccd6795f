//! Games entered move by move at the director: what the operator sees after each line, moves taken back by those who may and by
//! those who may not, time, and what cannot be entered.

use crate::director::Director;
use crate::program::Place;

/// An event of 2000 with two programs, whose first game has begun.
fn encounter(place: &Place) -> Director<'_> {
    let director = Director::opened(place, "oly", "2000-06-01");
    director.does(
        "2000-07-01",
        "announce --rulebook olympiad-amazons-2000 --director Jonathan --time-control \"game 20\"",
    );
    director.does("2000-07-10", "entry add anna --bot --number 1 --developer \"team 1\"");
    director.does("2000-07-10", "entry add bela --bot --number 2 --developer \"team 2\"");
    director.does("2000-08-21T09:00", "round pair");
    director.does("2000-08-21T10:00", "game start r1.1");
    director
}

fn operate(place: &Place, lines: &[&str]) -> crate::program::Run {
    let mut words = vec!["game", "enter", "oly.r1.1"];
    words.extend(lines);
    words.extend(["--at", "2000-08-21T10:30", "--tz", "EST", "--actor", "omar"]);
    place.run(&words)
}

#[test]
fn an_operator_sees_the_position_after_each_line() {
    let place = Place::new();
    encounter(&place);
    let run = operate(
        &place,
        &[
            "d1-d7(g7) in 1:35",
            "1b g10-g8(b8) in 40",
            "retract by Jonathan because g9 was meant",
            "g10-g9(b9)",
        ],
    );
    assert_eq!(run.status, 0, "{run:?}");
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("operate", &run.out);
    });
    let narrative = place.ask(&["log", "export", "game/oly.r1.1"]);
    let taken_back: Vec<&str> = narrative.lines().filter(|line| line.contains("turn_retracted")).collect();
    assert_eq!(taken_back.len(), 1);
    assert!(taken_back[0].contains("\"actor\":\"Jonathan\"") && taken_back[0].contains("g9 was meant"));
    assert!(narrative.contains("g10-g8(b8)"), "the history keeps it:\n{narrative}");
}

#[test]
fn a_line_that_is_refused_changes_nothing_and_says_where_and_why() {
    let place = Place::new();
    encounter(&place);
    for (lines, says) in [
        (&["retract by Jonathan because of rain"][..], &["line 1", "nothing_to_retract"][..]),
        (&["d1-d10(d9)"], &["line 1", "queen_obstructed", "turn 1 of White"]),
        (&["2w d1-d7(g7)"], &["line 1", "1w"]),
        (&["d1-d7(g7) in time"], &["line 1", "`time` is not a valid time"]),
        (&["retract"], &["line 1", "retract by WHO because WHY"]),
    ] {
        let before = place.ask(&["log", "head"]);
        let run = operate(&place, lines);
        assert_eq!(run.status, 2, "{run:?}");
        for word in says {
            assert!(run.talk.contains(word), "{lines:?} without `{word}`: {}", run.talk);
        }
        assert_eq!(place.ask(&["log", "head"]), before);
    }
    // What stands before the line is entered, what comes after is left alone.
    let run = operate(&place, &["d1-d7(g7)", "retract by anna because of me", "g10-g8(b8)"]);
    assert_eq!(run.status, 2, "{run:?}");
    for word in ["line 2", "game.retraction", "Operational Rules 1", "anna", "Jonathan"] {
        assert!(run.talk.contains(word), "without `{word}`: {}", run.talk);
    }
    let game = place.ask_json(&["replay", "game/oly.r1.1", "--json"]);
    assert_eq!(game["plies"], 1);
    assert_eq!(game["turns"][0]["label"], "1w");
}

#[test]
fn a_dry_run_shows_what_would_be_and_appends_nothing() {
    let place = Place::new();
    encounter(&place);
    let before = place.ask(&["log", "head"]);
    let run = operate(&place, &["d1-d7(g7)", "g10-g8(b8)", "resign", "--dry-run"]);
    assert_eq!(run.status, 0, "{run:?}");
    let types: Vec<String> = run
        .out
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(types, ["game.turn_taken", "game.turn_taken", "game.ended"]);
    assert!(run.talk.contains("Black wins by resignation") && run.talk.contains("nothing was appended"));
    assert_eq!(place.ask(&["log", "head"]), before);
}

#[test]
fn who_has_used_up_the_time_has_lost_and_the_event_is_audited_clean() {
    let place = Place::new();
    let director = encounter(&place);
    let run = operate(&place, &["d1-d7(g7) in 19:59", "g10-g8(b8) in 5", "d7-d6(d7) in 2"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("line 3") && run.talk.contains("out_of_time"), "{}", run.talk);
    let run = operate(&place, &["time"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.out.contains("Black wins by time") && run.talk.contains("annals tournament game result"),
        "{run:?}"
    );
    director.does("2000-08-21T11:00", "game result r1.1");
    assert_eq!(place.run(&["tournament", "audit", "oly"]).status, 0);
}

#[test]
fn a_game_of_no_tournament_is_begun_and_entered_in_either_game() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2000-06-01", "--actor", "omar"]);
    let begun = |name: &str, words: &[&str]| {
        let mut all = vec!["game", "enter", name, "--actor", "omar"];
        all.extend(words);
        place.ask(&all)
    };
    let small = "w [..B../...../B...W/...../..W..]";
    let out = begun("small", &["--new", "amazons", "--position", small, "--first", "8QP", "e3-e4(e5)"]);
    assert!(out.contains("  5 | . . B . x |") && out.contains("To move"), "{out}");
    let out = begun(
        "evening",
        &[
            "--new",
            "arimaa",
            "--time-control",
            "game 30m",
            "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2",
        ],
    );
    assert!(out.contains("1g Ra1") && out.contains("silver"), "{out}");
}

#[test]
fn a_dry_run_of_a_new_game_prints_events_that_the_log_accepts() {
    let new = ["game", "enter", "evening", "--new", "amazons", "--first", "Ada", "--second", "Bela"];
    let words = [&new[..], &["--at", "2000-06-02", "--tz", "UTC", "--actor", "omar"]].concat();
    let dry = [&words[..], &["--dry-run", "d1-d7(g7) in 40", "a7-b8(b3) in 55"]].concat();
    for has_log in [false, true] {
        let place = Place::new();
        if has_log {
            place.ask(&["log", "init", "--simulated", "--at", "2000-06-03", "--actor", "omar"]);
        }
        let run = place.run(&dry);
        assert_eq!((run.status, run.out.lines().count()), (0, 3), "{run:?}");
        assert!(run.talk.contains("Plies        2") && run.talk.contains("nothing was appended"), "{run:?}");
        assert_eq!(place.run(&["log", "head"]).status == 0, has_log, "a dry run makes no log");
        let illegal = place.run(&[&words[..], &["--dry-run", "d1-d7(g7)", "a7-a7(a7)"]].concat());
        assert!(illegal.status == 2 && illegal.out.lines().count() == 2, "{illegal:?}");
        if has_log {
            place.write("new.jsonl", &run.out);
            place.ask(&["log", "append", "new.jsonl", "--actor", "omar"]);
            let shown = place.ask(&["game", "show", "evening"]);
            assert!(shown.contains("a7-b8(b3)"), "{shown}");
        }
    }
}

#[test]
fn a_mistyped_last_move_that_ended_the_game_is_taken_back_as_the_hint_says() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2000-06-01", "--actor", "omar"]);
    let enter = |more: &[&str]| {
        let words = ["game", "enter", "tiny", "--at", "2000-06-02", "--tz", "UTC", "--actor", "omar"];
        place.run(&[&words[..], more].concat())
    };
    let played = enter(&["--new", "amazons", "--position", "w [Bx./x../..W]", "c1-b2(c1)"]);
    assert!(played.status == 0 && played.talk.contains("White wins"), "{played:?}");
    let refused = enter(&["retract because b1 was meant"]);
    assert_ne!(refused.status, 0, "{refused:?}");
    let (_, command) = refused.talk.split_once("hint: `annals ").expect("a command");
    let command = command.split('`').next().unwrap().replace("TEXT", "mistyped");
    let mut command: Vec<&str> = command.split(' ').collect();
    command.extend(["--actor", "omar"]);
    place.ask(&command);
    let back = enter(&["retract because b1 was meant"]);
    assert_eq!(back.status, 0, "{back:?}");
    assert!(place.ask(&["log", "append", "--help"]).contains("log.correction"));
}

#[test]
fn the_note_after_a_game_names_the_command_that_records_its_result() {
    let place = Place::new();
    encounter(&place);
    let run = operate(&place, &["d1-d7(g7)", "resign"]);
    let note =
        run.talk.lines().find(|line| line.contains("the game is over")).unwrap_or_else(|| panic!("{run:?}"));
    let command = note.split("`annals ").nth(1).unwrap().split('`').next().unwrap();
    assert_eq!(command, "tournament game result oly r1.1");
    let words: Vec<&str> = command.split(' ').chain(["--actor", "omar"]).collect();
    assert_eq!(place.run(&words).status, 0, "{note}");
}

#[test]
fn a_game_that_is_decided_before_it_begins_is_not_begun() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2000-06-01", "--actor", "omar"]);
    let shut_in = place.run(&[
        "game", "enter", "shut", "--new", "amazons", "--position", "w [Wx/xB]", "--at", "2000-06-02", "--tz",
        "UTC", "--actor", "omar",
    ]);
    assert!(shut_in.status == 2 && shut_in.talk.contains("White cannot move"), "{shut_in:?}");
    assert!(!place.ask(&["log", "show", "--streams"]).contains("game/shut"));
}
