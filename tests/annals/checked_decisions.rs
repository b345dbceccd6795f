//! What a director enters by mistake, and what the rules refuse of it: refunds, places, games of the qualifier, rules that are
//! cited, endings of another time.

use crate::championship_rules::{announced, announced_with};
use crate::director::Director;
use crate::program::{Place, Run};
use crate::slips_of_a_director::all_play_all;

const GAME: &str =
    "--side gold --winner gold --termination goal --started-at 2015-01-04T01:00 --ended-at 2015-01-04T02:00";

fn ranked<'p>(place: &'p Place, bots: &[&str]) -> Director<'p> {
    let director = announced(place, bots);
    director.does("2015-02-01T20:00", "qualifier rank");
    director
}

/// The number of the last event.
fn last(place: &Place) -> usize {
    place.ask(&["log", "export"]).lines().count()
}

fn audited(place: &Place, tournament: &str) -> String {
    let run = place.run(&["tournament", "audit", tournament]);
    assert_eq!(run.status, 0, "{run:?}");
    run.out
}

#[test]
fn a_refund_is_at_most_what_was_paid_and_is_left_to_the_director() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    director.does("2014-12-30T12:00", "entry add cem --bot --developer \"Team cem\"");
    let at = "2014-12-30T13:00";
    director.refuses(at, "fund refund cem 10", &["registration.fee", "no fee of `cem` is recorded"]);
    director.refuses(at, "fund refund ada 50", &["registration.fee", "at most the 1000 cents"]);
    let told = director.does(at, "fund refund ada 4");
    assert!(told.contains("undetermined [registration.fee"), "{told}");
    director.refuses(at, "fund refund ada 10", &["at most 600 cents", "400 cents went back"]);
    let audit = audited(&place, "cup");
    assert!(audit.contains("undetermined: the refund of ada [registration.fee"), "{audit}");
}

#[test]
fn a_ruling_makes_one_of_those_champion_who_fell_together() {
    let place = Place::new();
    let director = ranked(&place, &["ada", "bob", "cem"]);
    // Cem loses every game, and nobody comes to a game of ada and bob.
    for hour in 0..8 {
        let at = format!("2015-03-01T{:02}:00", 6 + hour);
        director.does(&at, "round pair");
        let (gold, silver) = director.games(hour + 1).pop().unwrap();
        let board = format!("r{}.1", hour + 1);
        if [&gold, &silver].contains(&&"cem".to_owned()) {
            let winner = if gold == "cem" { silver } else { gold };
            director.does(&at, &format!("game start {board} --no-game"));
            director.does(&at, &format!("game result {board} {winner} --termination goal"));
        } else {
            director.does(&at, &format!("game forfeit {board} --absent {gold} --absent {silver}"));
        }
    }
    let at = "2015-03-02T10:00";
    let says = ["place 1 is between `ada`, `bob`", "it is given to `cem`", "place.champion"];
    director.refuses(at, "ruling give place 1 cem --reason slip", &says);
    director.does(at, "ruling give place 1 ada --reason lot");
    let says = ["ruling 1 gives place 1 already", "--supersedes 1"];
    director.refuses(at, "ruling give place 1 bob --reason lot", &says);
    director.does(at, "ruling give place 1 bob --reason \"the lot was misread\" --supersedes 1");
    director.is_in_order();
}

#[test]
fn the_qualifier_is_played_against_others_and_each_game_is_entered_once() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    let at = "2015-01-04T10:00";
    director.refuses(at, "qualifier benchmarks basalt ada", &["qualifier.benchmarks", "`ada` has entered"]);
    let says = ["qualifier.benchmarks", "`basalt` has entered and is a benchmark"];
    director.refuses("2014-12-30T12:00", "entry add basalt --bot --developer \"Team basalt\"", &says);
    director.refuses(at, &format!("qualifier add-game ada ada {GAME}"), &["qualifier.benchmarks"]);
    director.does(at, &format!("qualifier add-game ada basalt {GAME}"));
    director.refuses(
        at,
        &format!("qualifier add-game ada basalt {GAME}"),
        &["qualifier.game", "each game once"],
    );
    let says = [
        "`bench9` is not a declared benchmark player",
        "declared are basalt, chalk",
        "annals tournament explain cup qualifier",
    ];
    director.refuses(at, &format!("qualifier add-game ada bench9 {GAME}"), &says);
    director.refuses(at, "entry withdraw nobody", &["annals tournament show cup", "lists the entries"]);
    director.is_in_order();
}

#[test]
fn games_of_the_qualifier_are_entered_player_by_player() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    let game = |player: &str, day: &str, side: &str| {
        let line =
            format!("qualifier add-game {player} basalt --side {side} --winner {side} --termination goal");
        let times = format!("--started-at 2015-01-{day}T01:00 --ended-at 2015-01-{day}T02:00");
        director.does(&format!("2015-01-{day}T02:00"), &format!("{line} {times}"));
    };
    game("ada", "06", "silver");
    game("bob", "04", "gold");
    game("ada", "05", "gold");
    director.is_in_order();
    let score = place.ask_json(&["tournament", "explain", "cup", "qualifier", "--json"]);
    let counted = score["scores"].as_array().unwrap().iter().map(|one| one["counted"].as_u64().unwrap());
    assert_eq!(counted.sum::<u64>(), 3, "{score}");
}

#[test]
fn a_rule_that_is_cited_is_one_of_the_rulebook() {
    let place = Place::new();
    let director = ranked(&place, &["ada", "bob"]);
    let at = "2015-03-01T06:00";
    let says = ["the rulebook wcc-2015 has no rule `foo.bar`", "docs/reference/rules.md"];
    director.refuses(at, "ruling dispute ada --claim late --rule foo.bar", &says);
    let says = ["a rule of wcc-2015", "`human.discussion` is none"];
    director.refuses(at, "entry disqualify ada --cause other --rule human.discussion", &says);
    director.does(at, "ruling dispute ada --claim late --rule penalty");
    director.is_in_order();
}

#[test]
fn a_result_has_an_ending_of_its_time() {
    let place = Place::new();
    let director = ranked(&place, &["ada", "bob"]);
    director.does("2015-03-01T06:00", "round pair");
    director.does("2015-03-01T07:00", "game start r1.1 --no-game");
    let says = ["result.game", "only a game that began before 2008-07-01 ends by no_rabbits"];
    director.refuses("2015-03-01T08:00", "game result r1.1 gold --termination no_rabbits", &says);
    director.does("2015-03-01T08:00", "game result r1.1 gold --termination illegal_move");
    director.is_in_order();
}

#[test]
fn a_report_has_the_format_of_the_files_ending() {
    let place = Place::new();
    announced(&place, &["ada"]);
    let report = |file: &str| place.run(&["tournament", "report", "cup", "-o", file]);
    for (file, begins) in [("r.md", "#"), ("r.html", "<!DOCTYPE html>"), ("r.json", "{")] {
        assert_eq!(report(file).status, 0, "{file}");
        let text = std::fs::read_to_string(place.path(file)).unwrap();
        assert!(text.trim_start().starts_with(begins), "{file}: {}", &text[..80]);
    }
    let run = report("r.pdf");
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("`r.pdf` names no format of a report"), "{run:?}");
    assert_eq!(place.run(&["tournament", "report", "cup", "--format", "html", "-o", "r.pdf"]).status, 0);
}

#[test]
fn the_examples_of_entry_program_can_be_run() {
    let place = Place::new();
    let director = ranked(&place, &["sharp", "bob"]);
    director.does("2015-02-05T10:00", "entry account sharp given --login sharp");
    let help = place.ask(&["tournament", "entry", "program", "--help"]).replace("\\\n", " ");
    let lines = help.lines().filter_map(|line| line.trim().strip_prefix("annals tournament "));
    let examples: Vec<String> = lines.map(|line| line.replace(" wcc-2015", "")).collect();
    assert!(examples.len() == 4 && examples[0].contains(" submitted "), "{help}");
    for example in &examples[..2] {
        director.does("2015-02-10T10:00", example);
    }
    let says = ["--program is missing", "annals tournament entry program --help"];
    director.refuses("2015-02-11T10:00", "entry program bob submitted --digest sha256:01", &says);
}

#[test]
fn a_comparison_of_readings_shows_ratings_and_verdicts_as_people_read_them() {
    let place = Place::new();
    let director = announced_with(&place, &["ada", "bob", "cem", "dan"], "");
    director.does("2015-02-01T20:00", "qualifier rank");
    for round in 1..=2 {
        let at = format!("2015-03-01T{:02}:00", 6 + round);
        director.does(&at, "round pair");
        director.does(&at, &format!("game start r{round}.1 --no-game"));
        for board in 1..=2 {
            director.does(&at, &format!("game result r{round}.{board} gold --termination goal"));
        }
    }
    director.does("2015-03-01T10:00", "round pair");
    let run = place.run(&["tournament", "audit", "cup", "--reading", "T9=B"]);
    assert!(run.out.contains("order [pairing.order") && run.out.contains(", rating 1"), "{run:?}");
    let longest = run.out.split(|sign: char| !sign.is_ascii_digit()).map(str::len).max();
    assert!(longest < Some(9), "a rating in millionths: {}", run.out);
    assert!(!run.out.contains("; compliant") && !run.out.contains("Some("), "{}", run.out);
}

#[test]
fn the_amazons_have_white_and_black_in_every_answer() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1");
    let lines = ["d1-d7(g7) in 1:00", "resign"];
    let enter = |lines: &[&str]| -> Run {
        let end = ["--at", "2000-08-21T10:00", "--tz", "EST", "--actor", "omar"];
        place.run(&[&["game", "enter", "rr r1.1"], lines, &end].concat())
    };
    let run = enter(&lines);
    assert_eq!(run.status, 0, "{run:?}");
    let before = last(&place);
    director.does("2000-08-21T11:00", "game result r1.1");
    let after = last(&place);
    let player = director.games(1)[0].0.clone();
    let [before, after] = [before, after].map(|seq| format!("seq:{seq}"));
    for words in [
        &["cite", "game", "rr r1.1"][..],
        &["what-if", "rr", "r1.1", "black"],
        &["diff", "rr", &before, &after],
        &["tournament", "entry", "show", "rr", &player],
    ] {
        let out = place.ask(words);
        assert!(out.contains("White") || out.contains("Black"), "{words:?}: {out}");
        assert!(!out.contains("gold") && !out.contains("silver"), "{words:?}: {out}");
    }
}

#[test]
fn a_round_of_encounters_begins_with_each_program_once() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-20T10:00", "entry program aska submitted --program Aska --digest sha256:01");
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    let started = director.events("round_started");
    assert_eq!(started[0]["programs"].as_array().unwrap().len(), 1, "{started:?}");
}

#[test]
fn the_usage_of_an_import_names_its_values_one_by_one() {
    let place = Place::new();
    let help = place.ask(&["tournament", "import", "archive", "--help"]);
    assert!(help.contains("[EVENT] [FILE]...") && !help.contains("<EVENT]"), "{help}");
    let run = place.run(&["tournament", "import", "archive"]);
    assert!(run.status == 2 && run.talk.contains("expected an event and archive files"), "{run:?}");
}

#[test]
fn a_correction_to_a_player_whom_the_log_does_not_know_is_noted() {
    let place = Place::new();
    let director = announced(&place, &["ada"]);
    director.does("2014-12-30T12:00", "entry add cem --bot --developer \"Team cem\"");
    let seq = last(&place).to_string();
    let correct = |field: &str| {
        place.run(&[
            "log", "correct", &seq, field, "--reason", "typo", "--actor", "omar", "--at", "2014-12-31",
        ])
    };
    let run = correct("player=zz");
    assert!(run.status == 0 && run.talk.contains("note: the log knows no player `zz`"), "{run:?}");
    let run = correct("player=cem");
    assert!(run.status == 0 && !run.talk.contains("knows no player"), "{run:?}");
    let run = place.run(&["tournament", "round", "pair", "nosuch"]);
    assert!(run.talk.contains("the log has no tournament `nosuch`"), "{run:?}");
}
