//! What the championship of 2015 ties to a cause: a prize that goes back, a machine that was compared too late, a penalty, a game that
//! stays unrated. From the command line, under edition 2.

use serde_json::json;

use crate::championship_rules::announced;
use crate::director::{Director, place_of_name};
use crate::postal_games::{GOLD, SILVER};
use crate::program::Place;

/// Plays rounds until none is due, or `most` of them; the first named of a pair wins. The evening of the last day.
fn play(director: &Director<'_>, place: &Place, first: u32, most: u32, best: &[&str]) -> String {
    let day = |round: u32| format!("2015-03-{:02}", round + 1);
    for round in first..first + most {
        let at = format!("{}T10:00", day(round));
        let pair = ["tournament", "round", "pair", "cup", "--at", &at, "--tz", "EST", "--actor", "omar"];
        if place.run(&pair).status != 0 {
            return format!("{}T20:00", day(round));
        }
        let games = director.games(round.into());
        for (board, (gold, silver)) in (1..).zip(games) {
            let winner =
                best.iter().find(|player| [&gold, &silver].contains(&&(**player).to_owned())).unwrap();
            director
                .does(&format!("{}T11:00", day(round)), &format!("game start r{round}.{board} --no-game"));
            let result = format!("game result r{round}.{board} {winner} --termination goal");
            director.does(&format!("{}T15:00", day(round)), &result);
        }
    }
    format!("{}T20:00", day(first + most - 1))
}

fn qualified<'p>(place: &'p Place, bots: &[&str]) -> Director<'p> {
    let director = announced(place, bots);
    director.does("2015-02-01T20:00", "qualifier rank");
    director
}

fn awarded(director: &Director<'_>) -> Vec<String> {
    director
        .events("prize_awarded")
        .iter()
        .map(|prize| prize["player"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_limited_program_is_recorded_of_a_player_who_is_out_and_gets_no_prize() {
    let best = ["cem", "ada", "bob"];
    for cause in [
        "entry disqualify cem --cause limited_program --reason \"it stops\"",
        "ruling ban cem --reason \"it stops\" --rule program.unlimited",
    ] {
        let place = Place::new();
        let director = qualified(&place, &["ada", "bob", "cem"]);
        let out = play(&director, &place, 1, 3, &best);
        director.does(&out, "entry withdraw cem");
        director.refuses(
            &out,
            "entry disqualify cem --cause program_changed --reason no",
            &["registration.standing"],
        );
        director.does(&out, cause);
        director.does(&out, "entry disqualify cem --cause faster_hardware --reason \"a cluster\"");
        director.refuses(
            &out,
            "entry disqualify cem --cause faster_hardware --reason again",
            &["disqualification.cause", "recorded once"],
        );
        let over = play(&director, &place, 4, 4, &best);
        let played = place.run(&["tournament", "round", "list", "cup"]).out;
        assert!(over.as_str() > "2015-03-06", "{played}");
        director.does(&over, "fund award");
        assert_eq!(awarded(&director), ["ada"], "{cause}");
        director.does(&over, "close");
        director.is_in_order();
    }
}

#[test]
fn a_cause_that_is_found_after_the_award_makes_the_prize_due_to_go_back() {
    for (cause, rule) in [
        (
            "entry disqualify ada --cause faster_hardware --reason \"a cluster\"",
            "prize.forfeited, 2015 WCC, Qualifying 3",
        ),
        ("ruling ban ada --reason stops --rule program.unlimited", "prize.returned, 2015 WCC, Publication"),
    ] {
        let place = Place::new();
        let director = qualified(&place, &["ada", "bob"]);
        let over = play(&director, &place, 1, 9, &["ada", "bob"]);
        director.does(&over, "fund award");
        director.refuses(
            &over,
            "fund return ada --reason no",
            &["prize.returned", "no such thing is recorded"],
        );
        director.does(&over, cause);
        let close =
            ["tournament", "close", "cup", "--at", &over, "--tz", "EST", "--actor", "omar", "--dry-run"];
        let told = place.run(&close);
        assert!(told.talk.contains("a prize is to be returned by ada"), "{told:?}");
        director.does(&over, "close");
        let run = place.run(&["tournament", "audit", "cup"]);
        let overdue = "`ada` has not returned 102000 cents of prizes";
        assert!(run.status == 1 && run.out.contains(overdue) && run.out.contains(rule), "{run:?}");
        let told = director.does(&over, "fund return ada --reason \"so it was ruled\"");
        assert!(!told.contains("undetermined"), "{told}");
        let ground = &director.events("prize_returned")[0]["ground"]["rule"];
        assert_eq!(ground, rule.split(',').next().unwrap());
        director.is_in_order();
    }
}

#[test]
fn a_machine_is_compared_with_that_of_last_year_whenever_that_is_recorded() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    director.does("2015-01-05T10:00", "entry hardware Cluster --player ada --speed 40");
    director.does("2015-01-05T11:00", "entry hardware Core --player bob --speed 4");
    let faster = "entry disqualify ada --cause faster_hardware --reason \"a cluster\" --dry-run";
    let told = desk_dry(&place, "2015-01-05T12:00", faster);
    assert!(told.contains("previous year's challenge match is not recorded"), "{told}");
    let told = director.does("2015-01-06T10:00", "entry hardware i5 --reference --year 2014");
    let words = ["the hardware of ada", "40 times as fast, and at most 5 times", "qualifier.hardware"];
    assert!(
        words.iter().all(|words| told.contains(words)) && !told.contains("the hardware of bob"),
        "{told}"
    );
    let told = desk_dry(&place, "2015-01-06T12:00", faster);
    assert!(told.contains("the disqualification of ada: compliant [disqualification.cause"), "{told}");
    // The limit of this year's machine is another fact (T46).
    director.does("2015-01-07T10:00", "entry hardware Xeon --speed 3");
    let told = desk_dry(&place, "2015-01-07T12:00", &faster.replace("ada", "bob"));
    assert!(told.contains("the declared hardware does not show it"), "{told}");
}

/// What a dry run of a line prints.
fn desk_dry(place: &Place, at: &str, line: &str) -> String {
    let mut words: Vec<&str> = vec!["tournament"];
    for (i, part) in line.split('"').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words.insert(place_of_name(&words), "cup");
    words.extend(["--at", at, "--tz", "EST", "--actor", "omar"]);
    let run = place.run(&words);
    assert_eq!(run.status, 0, "{run:?}");
    run.out + &run.talk
}

#[test]
fn the_computers_of_a_round_are_those_that_were_specified_after_them() {
    let place = Place::new();
    let director = qualified(&place, &["ada", "bob", "cem", "dan"]);
    let at = "2015-03-01T10:00";
    director.does(at, "round pair");
    director.does(at, "entry machines 1 i3 --system BSD --player ada");
    director.does(at, "entry hardware Xeon --system Linux --price 1000");
    let says = ["hardware.same", "specification", "i3 under BSD for ada", "Xeon under Linux"];
    director.refuses(at, "game start r1.1 --no-game", &says);
    let late = crate::postal_games::imported(&place, |event| {
        let starts = event["type"] == "tournament.hardware_specified";
        let start = starts.then(|| {
            json!({
                "stream": event["stream"], "type": "tournament.round_started", "actor": event["actor"],
                "effective_at": event["effective_at"], "payload": {"round": 1, "pairing": "r1.1"},
            })
        });
        [event.clone()].into_iter().chain(start).collect()
    });
    let run = late.run(&["tournament", "audit", "cup"]);
    assert!(run.status == 1 && run.out.contains("i3 under BSD for ada"), "{run:?}");
    director.does(at, "entry machines 1 Xeon --system Linux --player ada");
    let told = director.does(at, "game start r1.1 --no-game");
    assert!(!told.contains("hardware.same"), "{told}");
}

#[test]
fn a_penalty_for_a_late_upload_is_due_of_those_who_were_late() {
    let place = Place::new();
    let bots = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"];
    let director = qualified(&place, &bots);
    director.does("2015-02-05T10:00", "entry account a1 given");
    director.does("2015-02-10T10:00", "entry program a1 submitted --program x --digest sha256:01");
    director.does("2015-02-20T10:00", "entry program a1 tested --digest sha256:01 --passed --access-closed");
    let penalty = |player: &str| format!("ruling penalty {player} 20 --reason late --rule program.deadline");
    director.refuses("2015-02-21T10:00", &penalty("a2"), &["penalty", "a deadline that is over"]);
    let at = "2015-02-23T10:00";
    director.refuses(at, &penalty("a1"), &["penalty", "no program in time", "uploaded at 2015-02-10"]);
    director.refuses(at, &penalty("a9"), &["penalty", "a program that qualified or was invited"]);
    let told = director.does(at, &penalty("a2"));
    assert!(!told.contains("undetermined"), "{told}");
    // The report has it before it is paid.
    let report = place.ask(&["tournament", "report", "cup"]);
    let imposed = report.split("Penalties imposed").nth(1).unwrap_or_else(|| panic!("{report}"));
    assert!(imposed.lines().any(|line| line.contains("a2") && line.contains("20.00")), "{report}");
    director.is_in_order();
}

#[test]
fn a_game_that_a_ruling_halted_stays_unrated_and_only_its_next_attempt_goes_on() {
    let place = Place::new();
    let director = qualified(&place, &["ada", "bob"]);
    director.does("2015-03-01T10:00", "round pair");
    director.does("2015-03-01T11:00", "game start r1.1");
    let enter = |at: &str, lines: &[&str]| {
        let end = ["--at", at, "--tz", "EST", "--actor", "omar"];
        place.run(&[&["game", "enter", "cup.r1.1"], lines, &end].concat())
    };
    let (gold, silver) = (format!("{GOLD} in 1:00"), format!("{SILVER} in 1:00"));
    assert_eq!(enter("2015-03-01T11:05", &[&gold, &silver, "Ee2n in 1:00"]).status, 0);
    director
        .does("2015-03-01T11:10", "ruling give halt r1.1 --ply 2 --failure restarted_mid_move --reason x");
    for line in ["resign", "time", "resume"] {
        let run = enter("2015-03-01T11:12", &[line]);
        assert!(run.status == 2 && run.talk.contains("ruling 1 took it out of force"), "{line}: {run:?}");
    }
    let says = ["ruling.unrated", "2015 WCC, Technical Problems 2", "ruling 1 took it out of force"];
    director.refuses("2015-03-01T11:13", "ruling give rated r1.1 --reason \"count it\"", &says);
    director.only_tries("2015-03-01T11:13", "ruling give rated r1.1 --supersedes 1 --reason \"it ran on\"");
    director.does("2015-03-01T11:15", "game start r1.1");
    // The resumed game may be rated, as the text is read.
    director.only_tries("2015-03-01T11:16", "ruling give rated r1.1 --reason \"it counts\"");
    director.is_in_order();
    let rated = crate::postal_games::imported(&place, |event| {
        let halts = event["type"] == "tournament.ruling_given";
        let again = halts.then(|| {
            json!({
                "stream": event["stream"], "type": event["type"], "actor": event["actor"],
                "effective_at": event["effective_at"],
                "payload": {
                    "number": 2, "reason": "count it",
                    "effect": {"set_rated": {"pairing": "r1.1", "game": "cup.r1.1", "rated": true}},
                },
            })
        });
        [event.clone()].into_iter().chain(again).collect()
    });
    let run = rated.run(&["tournament", "audit", "cup"]);
    assert!(run.status == 1 && run.out.contains("stays unrated"), "{run:?}");
}

#[test]
fn what_is_named_has_a_name() {
    let place = Place::new();
    let director = qualified(&place, &["ada", "bob"]);
    let at = "2015-02-02T10:00";
    director.refuses(at, "fund award ada --thing \"\"", &["prize.share", "an empty text"]);
    director.refuses(
        at,
        "entry hardware \"\" --reference --year 2014",
        &["hardware.reference", "an empty text"],
    );
    director.refuses(
        at,
        "entry hardware \" \" --system Linux --price 900",
        &["hardware.specified", "an empty text"],
    );
    director.refuses(at, "entry account ada given --login \"\"", &["account.given", "an empty text"]);
}
