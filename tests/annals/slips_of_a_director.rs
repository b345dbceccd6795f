//! A director who makes slips: results of players who left, draws that no game has, results that were typed wrongly, entries
//! that come too late. What is refused names the next command, and that command works.

use crate::director::Director;
use crate::program::{Place, Run};
use crate::pseudo_terminal::Terminal;

/// Four programs who all meet; round 1 is paired.
pub fn all_play_all(place: &Place) -> Director<'_> {
    let director = Director::opened(place, "rr", "2000-06-01");
    director.does("2000-07-01", "announce --rulebook olympiad-amazons-2000 --director omar --year 2000");
    for (number, player) in (1..).zip(["aska", "baobab", "cedar", "dahlia"]) {
        let entry = format!("entry add {player} --bot --number {number} --developer \"team {number}\"");
        director.does("2000-07-10", &entry);
    }
    director.does("2000-08-20T08:00", "round declare");
    director.does("2000-08-20T09:00", "round pair");
    director
}

/// Five people under the rules of 2009, with an announced close of the entries.
fn weekend(place: &Place) -> Director<'_> {
    let director = Director::opened(place, "open", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --year 2009 --director omar");
    for (player, rating) in [("anna", 2100), ("bela", 2000), ("cara", 1900)] {
        director.does("2008-12-20", &format!("entry add {player} --rating {rating}"));
    }
    director
}

/// A line that is refused; the log stays as it is.
fn refused(place: &Place, words: &str, at: &str) -> Run {
    let before = place.ask(&["log", "head"]);
    let mut words: Vec<&str> = words.split(' ').collect();
    words.extend(["--at", at, "--tz", "EST", "--actor", "omar"]);
    let run = place.run(&words);
    assert_eq!(run.status, 2, "{words:?} {run:?}");
    assert_eq!(place.ask(&["log", "head"]), before);
    run
}

/// The command of the last hint, as words.
fn hint(run: &Run) -> Vec<String> {
    let hint = run.talk.lines().rev().find_map(|line| line.trim().strip_prefix("hint: ")).unwrap();
    let command = hint.split('`').nth(1).unwrap_or(hint);
    command.split(' ').skip(1).map(str::to_owned).collect()
}

fn says(run: &Run, words: &[&str]) {
    for word in words {
        assert!(run.talk.contains(word), "without `{word}`: {}", run.talk);
    }
}

#[test]
fn a_game_that_begins_after_a_player_left_is_a_forfeit_of_that_player() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    for board in 1..=4 {
        let at = format!("2000-08-21T1{board}:00");
        director
            .does(&at, &format!("game result r1.{board} white --termination immobilization --territory 5"));
    }
    director.does("2000-08-21T16:00", "entry withdraw dahlia");
    director.does("2000-08-22T08:00", "round pair");
    let rounds = place.ask_json(&["tournament", "round", "list", "rr", "2", "--json"]);
    let boards = rounds["rounds"][0]["boards"].as_array().unwrap();
    let of_dahlia = boards.iter().find(|board| board["gold"] == "dahlia").unwrap();
    let pairing = of_dahlia["pairing"].as_str().unwrap();
    director.does("2000-08-22T09:00", &format!("game start {pairing} --no-game"));
    let run = refused(
        &place,
        &format!("tournament game result rr {pairing} white --termination time"),
        "2000-08-22T10:00",
    );
    says(&run, &["registration.standing", "`dahlia` withdrew", "loses by forfeit"]);
    assert_eq!(hint(&run), ["tournament", "game", "forfeit", "rr", pairing, "--absent", "dahlia"]);
    // Whoever left cannot win by forfeit either.
    let other = of_dahlia["silver"].as_str().unwrap();
    refused(&place, &format!("tournament game forfeit rr {pairing} --absent {other}"), "2000-08-22T10:00");
    director.does("2000-08-22T10:00", &format!("game forfeit {pairing} --absent dahlia"));
    assert_eq!(place.run(&["tournament", "audit", "rr"]).status, 0);

    // A log that has such a result is found by the audit.
    let lines = place.ask(&["log", "export"]);
    let forged = lines.lines().filter(|line| !line.contains("log.opened")).map(|line| {
        let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
        event.as_object_mut().unwrap().remove("hash");
        if event["type"] == "tournament.result_recorded" && event["payload"]["pairing"] == pairing {
            event["payload"]["outcome"] = "gold".into();
            event["payload"]["termination"] = "time".into();
        }
        event.to_string()
    });
    let forged: Vec<String> = forged.collect();
    let other = Place::new();
    other.write("old.jsonl", forged.join("\n"));
    other.ask(&["log", "import", "old.jsonl", "--actor", "omar"]);
    let audit = other.run(&["tournament", "audit", "rr"]);
    assert_eq!(audit.status, 1, "{audit:?}");
    assert!(
        audit.out.contains(&format!("violation: the result of {pairing} [registration.standing")),
        "{audit:?}"
    );
}

#[test]
fn a_game_of_a_round_that_had_begun_is_undetermined_where_the_log_does_not_have_it() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.2 --no-game");
    director.does("2000-08-21T10:00", "entry withdraw aska");
    let out = director
        .does("2000-08-21T11:00", "game result r1.1 white --termination immobilization --territory 5");
    assert!(out.contains("not known whether it began before"), "{out}");
    let audit = place.run(&["tournament", "audit", "rr"]);
    assert!(
        audit.status == 0 && audit.out.contains("undetermined: the result of r1.1 [registration.standing"),
        "{audit:?}"
    );
}

#[test]
fn no_game_of_the_amazons_ends_in_a_draw() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    let run = refused(
        &place,
        "tournament game result rr r1.1 draw --termination immobilization",
        "2000-08-21T10:00",
    );
    says(&run, &["result.game", "the first player unable to move loses"]);
    let out = director.does("2000-08-21T10:00", "game result r1.1 draw");
    assert!(out.contains("undetermined [result.game"), "{out}");
}

#[test]
fn people_in_an_event_of_programs_are_refused_with_the_way_in() {
    let place = Place::new();
    let director = all_play_all(&place);
    let run = refused(&place, "tournament entry add rr anna", "2000-07-11");
    says(&run, &["Only programs take part", "annals tournament entry add rr anna --bot", "tournaments.md"]);
    let run = refused(&place, "tournament entry add rr elm --bot", "2000-08-20T10:00");
    assert_eq!(hint(&run), ["tournament", "round", "revoke", "rr", "r1", "--reason", "TEXT"]);
    director.does("2000-08-20T10:00", "round revoke r1 --reason late");
    director.does("2000-08-20T10:01", "entry add elm --bot");
}

#[test]
fn a_late_entry_names_the_dates_that_would_have_to_move() {
    let place = Place::new();
    let director = weekend(&place);
    let run = refused(&place, "tournament entry add open dora", "2009-01-03");
    says(
        &run,
        &[
            "registration_closes",
            "annals tournament schedule dates open registration_closes=TIME --reason TEXT",
        ],
    );
    director.does("2009-01-03T12:00", "schedule dates registration_closes=2009-01-04T12:00 --reason late");
    director.does("2009-01-03T13:00", "entry add dora");
}

#[test]
fn a_mistyped_result_is_corrected_by_a_command_and_every_page_shows_it() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    director.does("2000-08-21T10:00", "game result r1.1 white --termination immobilization --territory 5");
    let history = place.ask_json(&["tournament", "history", "rr", "--json"]);
    let event = history["events"].as_array().unwrap().last().unwrap()["seq"].to_string();

    let again =
        refused(&place, "tournament game result rr r1.1 black --termination time", "2000-08-21T10:01");
    let correction = format!("annals log correct {event} outcome=OUTCOME --reason TEXT");
    says(&again, &[&correction, "annals tournament ruling give rr set-result r1.1 OUTCOME --reason TEXT"]);

    // What is no outcome is refused in the words of the command; the side and the player that won are outcomes.
    let words = format!("log correct {event} outcome=withe --reason slip");
    let run = refused(&place, &words, "2000-08-21T10:02");
    says(&run, &[&format!("error: event {event}: "), "withe", "gold, silver", "or the winner's name"]);
    assert!(!run.talk.contains("schema 1") && !run.talk.contains("event 1 "), "{}", run.talk);
    let same = format!("log correct {event} outcome=white --reason slip");
    says(&refused(&place, &same, "2000-08-21T10:02"), &["has these values already"]);
    let rounds = place.ask_json(&["tournament", "round", "list", "rr", "1", "--json"]);
    let black = rounds["rounds"][0]["boards"][0]["silver"].as_str().unwrap().to_owned();
    for winner in ["outcome=black", &format!("outcome={black}")] {
        let words = ["log", "correct", &event, winner, "--reason", "slip", "--dry-run", "--actor", "omar"];
        let dry = place.ask(&[&words[..], &["--at", "2000-08-21T15:04Z"]].concat());
        assert!(dry.contains("Black won by immobilization"), "{dry}");
    }

    let words =
        ["log", "correct", &event, "outcome=silver", "territory=12", "--reason", "typed for the wrong side"];
    let when = ["--at", "2000-08-21T15:05Z", "--actor", "omar"];
    let before = place.ask(&["log", "head"]);
    let dry = place.ask(&[&words[..], &when[..], &["--dry-run"][..]].concat());
    assert!(dry.contains("Black won by immobilization, with 12 squares of territory"), "{dry}");
    assert_eq!(place.ask(&["log", "head"]), before);
    place.ask(&[&words[..], &when[..]].concat());

    let crosstable = place.ask_json(&["tournament", "round", "list", "rr", "--json"]);
    assert_eq!(crosstable["rounds"][0]["boards"][0]["outcome"], "silver");
    for page in [
        &["tournament", "history", "rr"][..],
        &["tournament", "round", "list", "rr"],
        &["tournament", "report", "rr", "--format", "markdown"],
    ] {
        let out = place.ask(page);
        for words in [
            "was corrected to",
            "It was “The result of r1.1 was recorded: White won",
            "yped for the wrong side",
        ] {
            assert!(out.contains(words), "{page:?} without `{words}`: {out}");
        }
    }
    let known = place.ask(&["tournament", "history", "rr", "--known-at", &format!("seq:{event}")]);
    assert!(!known.contains("was corrected to"), "{known}");
    assert_eq!(place.run(&["tournament", "audit", "rr"]).status, 0);

    let strike = ["log", "correct", &event, "--strike", "--reason", "never played", "--actor", "omar"];
    place.ask(&[&strike[..], &["--at", "2000-08-21T15:06Z"]].concat());
    assert!(place.ask(&["tournament", "history", "rr"]).contains("was struck"));
}

#[test]
fn a_correction_that_cannot_be_made_states_why() {
    let place = Place::new();
    all_play_all(&place);
    let correct = |words: &[&str]| {
        let run =
            place.run(&[&["log", "correct"], words, &["--reason", "a slip", "--actor", "omar"]].concat());
        assert_eq!(run.status, 2, "{run:?}");
        run.talk
    };
    assert!(correct(&["999", "outcome=gold"]).contains("has no event 999"));
    assert!(correct(&["2", "year=2000"]).contains("has these values already"));
    assert!(correct(&["2", "colour=blue"]).contains("unknown field"));
    assert!(correct(&["2"]).contains("FIELD=VALUE"));
    assert!(correct(&["2", "year"]).contains("expected FIELD=VALUE"));
}

#[test]
fn a_ruling_on_a_result_accepts_the_words_of_a_result() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    director.does("2000-08-21T10:00", "game result r1.1 white --termination time");
    for (winner, says) in [("black", "Black won"), ("aska", "won"), ("white", "White won")] {
        let ruling = format!("ruling give set-result r1.1 {winner} --termination time --reason clock");
        let out = director.does("2000-08-21T11:00", &ruling);
        assert!(out.contains(says), "{out}");
    }
}

#[test]
fn a_swiss_that_is_not_played_is_announced_as_such() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2008-11-01", "--actor", "omar"]);
    let words = ["tournament", "announce", "open", "--rulebook", "wc-2009", "--option", "finalists=2"];
    let run = place.run(&[&words[..], &["--at", "2008-12-01", "--actor", "omar"]].concat());
    says(&run, &["up to 8 entrants play no round of the Swiss"]);
    let director = Director::of(&place, "open");
    for player in ["anna", "bela", "cara"] {
        director.does("2008-12-20", &format!("entry add {player}"));
    }
    let out = director.does("2009-01-03", "round declare");
    assert!(
        out.contains("the table of rounds gives none for 3 players. All of them are in the next stage."),
        "{out}"
    );
    let show = place.ask(&["tournament", "show", "open"]);
    assert!(!show.contains("Go on"), "{show}");
}

/// A final of three that is played to its end.
pub fn finished(place: &Place) -> Director<'_> {
    let director = weekend(place);
    director.does("2009-01-03T12:00", "round declare");
    director.does("2009-01-03T13:00", "round draw-lots --seed lots");
    let mut day = 5;
    for round in 1.. {
        let next = format!("2009-01-{day:02}T01:00");
        let paired = place.run(&[
            "tournament", "round", "pair", "open", "--seed", "s", "--at", &next, "--tz", "UTC", "--actor",
            "omar",
        ]);
        if paired.status != 0 {
            break;
        }
        let list = place.ask_json(&["tournament", "round", "list", "open", &round.to_string(), "--json"]);
        director.does(&format!("2009-01-{:02}T20:00", day + 2), &format!("game start r{round}.1 --no-game"));
        let board = &list["rounds"][0]["boards"][0];
        let winner = ["anna", "bela", "cara"]
            .into_iter()
            .find(|name| board["upper"]["player"] == *name || board["lower"]["player"] == *name);
        let result = format!("game result r{round}.1 {} --termination resignation", winner.unwrap());
        director.does(&format!("2009-01-{:02}T21:00", day + 2), &result);
        day += 7;
        if day > 26 {
            break;
        }
    }
    director
}

#[test]
fn the_state_of_a_player_is_the_same_on_every_page() {
    let place = Place::new();
    finished(&place);
    let standings = place.ask(&["tournament", "standings", "open"]);
    let out = standings.lines().find(|line| line.contains("out")).unwrap_or_else(|| panic!("{standings}"));
    let name = ["anna", "bela", "cara"].into_iter().find(|name| out.contains(name)).unwrap();
    let page = place.ask(&["tournament", "entry", "show", "open", name]);
    let status = page.lines().find(|line| line.starts_with("Status")).unwrap();
    assert_eq!(status.split_whitespace().nth(1), Some("out"), "{page}");
}

#[test]
fn the_rulebook_without_prize_money_states_it_and_placeholders_are_filled_in() {
    let place = Place::new();
    let director = finished(&place);
    let show = place.ask(&["tournament", "show", "open"]);
    assert!(!show.contains("TOURNAMENT"), "{show}");
    let run = refused(&place, "tournament fund award open", "2009-02-20");
    says(&run, &["wc-2009 awards no money", "annals tournament fund award open PLAYER --thing TEXT"]);
    director.does("2009-02-21", "close");
    let run = refused(&place, "tournament close open", "2009-02-22");
    says(&run, &["is closed already, since 2009-02-2", "annals tournament show open"]);
    let run = refused(&place, "tournament round pair open --seed s", "2009-02-22");
    says(&run, &["the tournament is closed", "annals tournament show open"]);
    assert!(!run.talk.contains("round.order"), "{run:?}");
}

#[test]
fn a_difference_of_two_rounds_has_a_line_for_each_board_and_points() {
    let place = Place::new();
    finished(&place);
    let diff = place.ask(&["diff", "open", "round:1", "round:2"]);
    assert!(diff.lines().any(|line| line == "round 2 is paired"), "{diff}");
    assert!(
        diff.lines()
            .any(|line| line.starts_with("round 2 board 1: ") && line.ends_with(" won by resignation")),
        "{diff}"
    );
    assert!(diff.contains(": points: ") && !diff.contains("half points"), "{diff}");
    assert!(diff.lines().all(|line| line.len() <= 100), "{diff}");
}

#[test]
fn a_report_for_fide_states_once_that_encounters_do_not_add_up() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    for board in 1..=4 {
        director.does("2000-08-21T11:00", &format!("game result r1.{board} white --termination time"));
    }
    let run = place.run(&["tournament", "export", "rr", "--format", "trf"]);
    assert_eq!(run.talk.matches("do not add up to the points").count(), 1, "{run:?}");
    assert!(!run.talk.contains("one of several games of"), "{run:?}");
}

#[test]
fn a_report_for_fide_keeps_the_letters_of_names_and_their_columns() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    let name = "Béla Åström\u{202e}";
    place.ask(&["player", "rename", "baobab", name, "--at", "2000-08-21T10:00", "--actor", "omar"]);
    let run = place.run(&["tournament", "export", "rr", "--format", "trf"]);
    let columns = |line: &str, from: usize, to: usize| {
        line.chars().skip(from - 1).take(to + 1 - from).collect::<String>().trim().to_owned()
    };
    let lines: Vec<&str> = run.out.lines().filter(|line| line.starts_with("001")).collect();
    let bela = lines.iter().find(|line| columns(line, 15, 47) == "Béla Åström?").unwrap_or(&"");
    assert_eq!(columns(bela, 81, 84), "0.0", "{run:?}");
    assert_eq!(run.talk.matches("UTF-8").count(), 1, "{run:?}");
    assert!(
        run.talk.contains("baobab: the name is shortened or written without control characters"),
        "{run:?}"
    );
}

#[test]
fn the_values_of_options_are_in_the_help() {
    let place = Place::new();
    for (words, value) in [
        (&["tournament", "game", "result", "--help"][..], "immobilization"),
        (&["tournament", "ruling", "give", "--help"], "move_lost_to_player"),
        (&["tournament", "entry", "withdraw", "--help"], "[possible values: own, forfeit, removed]"),
        (&["tournament", "entry", "disqualify", "--help"], "limited_program"),
    ] {
        let help = place.ask(words);
        assert!(help.contains("possible values") && help.contains(value), "{help}");
    }
}

#[test]
fn the_moves_in_the_help_of_game_enter_are_legal() {
    let place = Place::new();
    let help = place.ask(&["game", "enter", "--help"]);
    let example = help.lines().find(|line| line.contains("d1-d7(g7) in 40")).unwrap();
    let lines: Vec<&str> = example.split('"').skip(1).step_by(2).collect();
    let new = ["game", "enter", "evening", "--new", "amazons", "--actor", "omar"];
    place.ask(&[&new[..], &lines[..]].concat());
    let labelled = help.lines().find(|line| line.contains("a move with its label")).unwrap();
    let labelled = labelled.split("  ").find(|part| !part.is_empty()).unwrap();
    place.ask(&["game", "enter", "other", "--new", "amazons", "d1-d7(g7)", labelled, "--actor", "omar"]);
}

#[test]
fn a_terminal_shows_the_turn_that_is_to_be_entered() {
    let place = Place::new();
    let line = "annals game enter evening --new amazons --actor omar; echo status $?";
    let Some(mut terminal) = Terminal::of(&place, line, &[("TERM", "xterm")]) else { return };
    terminal.wait("1w> ", 1);
    terminal.send("help\n");
    terminal.wait("d1-d7(g7) in 1:35", 1);
    terminal.wait("1w> ", 2);
    terminal.send("d1-d7(g7)\n");
    terminal.wait("1b> ", 1);
    terminal.send("quit\n");
    terminal.wait("status 0", 1);
    let _ = terminal.child.wait();
}
