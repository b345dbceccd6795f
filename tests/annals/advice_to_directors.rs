//! What a director reads before a step that cannot be taken back, and what a ruling leaves as it was.

use crate::director::Director;
use crate::program::{Place, Run};
use crate::slips_of_a_director::all_play_all;
use crate::week_2009::audited;

/// A command on `rr`, with all that it prints.
fn run(place: &Place, words: &[&str], at: &str) -> Run {
    let run = place.run(&[words, &["--at", at, "--tz", "EST", "--actor", "omar"]].concat());
    assert_eq!(run.status, 0, "{words:?}: {run:?}");
    run
}

#[test]
fn a_ruling_that_confirms_a_win_keeps_its_territory() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    let result = "game result r1.1 white --termination immobilization --territory";
    director.does("2000-08-21T10:00", &format!("{result} 20"));
    let out = director
        .does("2000-08-21T10:30", "game result r1.2 white --termination immobilization --territory 1");
    assert!(out.contains("with 1 square of territory."), "{out}");
    let territories = || {
        let table = place.ask_json(&["tournament", "standings", "rr", "--json"]);
        let rows = table["rows"].as_array().unwrap().iter();
        let measures = rows.flat_map(|row| row["measures"].as_array().unwrap().clone());
        let of = measures.filter(|measure| measure["name"] == "territory");
        of.map(|measure| measure["values"][0].as_i64().unwrap()).sum::<i64>()
    };
    assert_eq!(territories(), 21);
    director.does("2000-08-21T11:00", "ruling give set-result r1.1 white --reason \"protest dismissed\"");
    assert_eq!(territories(), 21);
    assert_eq!(place.run(&["tournament", "audit", "rr"]).status, 0);
}

#[test]
fn a_swiss_begins_with_the_rounds_of_those_who_begin() {
    let place = Place::new();
    let director = Director::opened(&place, "week-2009", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --year 2009 --director Omar");
    for number in 10..21 {
        director.does("2008-12-20", &format!("entry add p{number} --rating {}", 2000 - 10 * number));
    }
    director.does("2009-01-02T12:00", "round declare");
    director.does("2009-01-02T13:00", "entry add late --rating 1500");
    director.does("2009-01-04T19:00", "round draw-lots --seed a");
    let says = ["3 rounds for 11 players", "4 rounds for 12 players", "annals tournament round declare"];
    director.refuses("2009-01-04T20:00", "round pair --seed x", &says);
    director.does("2009-01-04T20:00", "round declare");
    director.does("2009-01-04T20:00", "round pair --seed x");
    assert_eq!(place.run(&["tournament", "audit", "week-2009"]).status, 0);

    // A log that has the wrong number nevertheless.
    let audit = audited(&place, |events| {
        for event in events.iter_mut().filter(|event| event["type"] == "tournament.rounds_declared") {
            event["payload"]["rounds"] = 3.into();
            event["payload"]["players"] = 11.into();
        }
    });
    assert_eq!(audit.status, 1, "{audit:?}");
    let paired = audit.out.split("tournament.round_paired").nth(1).unwrap();
    assert!(paired.contains("violation: the rounds of the swiss [swiss.rounds"), "{audit:?}");
}

#[test]
fn a_tournament_without_a_game_closes_only_for_a_stated_reason() {
    let place = Place::new();
    let director = Director::opened(&place, "rr", "2000-06-01");
    director.does("2000-07-01", "announce --rulebook olympiad-amazons-2000 --director omar --year 2000");
    director.does("2000-07-10", "entry add aska --bot --number 1 --developer team");
    director.refuses("2000-08-20", "close", &["no game has a result", "annals tournament close rr --note"]);
    let help = place.ask(&["tournament", "close", "--help"]);
    assert!(help.contains("If no game has a result, a close that gives a place needs --note"), "{help}");
    director.does("2000-08-20", "close --note \"one entry came\"");
}

#[test]
fn who_leaves_a_paired_round_and_who_shares_a_name_is_told_to_the_director() {
    let place = Place::new();
    let director = all_play_all(&place);
    let told = run(&place, &["tournament", "entry", "withdraw", "rr", "dahlia"], "2000-08-20T10:00");
    let games = director.games(1);
    for (board, (white, black)) in (1..).zip(&games) {
        let due = [white, black].iter().any(|player| *player == "dahlia");
        let hint = format!("annals tournament game forfeit rr r1.{board} --absent dahlia");
        assert_eq!(told.talk.contains(&hint), due, "{told:?}");
    }
    let other = Place::new();
    let director = Director::opened(&other, "rr", "2000-06-01");
    director.does("2000-07-01", "announce --rulebook olympiad-amazons-2000 --director omar --year 2000");
    director.does("2000-07-10", "entry add bob --name \"Bob Smith\" --bot");
    let entry = ["tournament", "entry", "add", "rr", "bobb", "--name", "Bob Smith", "--bot"];
    let told = run(&other, &entry, "2000-07-10");
    assert!(told.talk.contains("`bob` has the name Bob Smith too"), "{told:?}");
}

#[test]
fn prizes_are_awarded_before_the_close_and_things_are_shown_as_things() {
    let place = Place::new();
    let director = Director::opened(&place, "postal", "2005-12-01");
    let announced = "announce --rulebook postal-2006 --director Omar --year 2006 --currency USD";
    director.does("2006-01-01", announced);
    for player in ["anna", "bela", "cara"] {
        director.does("2006-01-10", &format!("entry add {player} --rating 2100"));
        director.does("2006-01-11", &format!("fund fee {player} 10"));
    }
    director.does("2006-01-20", "round pair");
    for board in 1..=director.games(1).len() {
        if board == 1 {
            director.does("2006-01-21T10:00", "game start r1.1 --no-game");
        }
        director.does("2006-02-21T10:00", &format!("game result r1.{board} gold"));
    }
    director.refuses("2006-02-22", "round pair", &["annals tournament fund award postal"]);
    assert!(place.ask(&["tournament", "show", "postal"]).contains("annals tournament fund award postal"));
    let dry = run(&place, &["tournament", "fund", "award", "postal", "--dry-run"], "2006-02-22");
    let mut lines: Vec<&str> = dry.talk.lines().collect();
    let all = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), all, "no line twice: {dry:?}");
    director.does("2006-02-22", "fund award");
    director.refuses("2006-02-22", "round pair", &["annals tournament close postal"]);
    director.does("2006-02-22", "fund award anna --thing \"gold medal\"");
    let closed = director.does("2006-02-23", "close");
    assert!(closed.contains(" 0.00 of the prize fund was left"), "{closed}");
    let report = place.ask(&["tournament", "report", "postal"]);
    let (places, ledger) = report.split_once("Ledger").unwrap();
    assert!(places.contains("gold medal") && ledger.contains("prize: gold medal"), "{report}");
    assert!(!ledger.contains(" 0.00"), "{ledger}");
}

#[test]
fn a_new_championship_names_benchmarks_before_an_order() {
    let place = Place::new();
    let director = Director::opened(&place, "w", "2014-11-01");
    director.does(
        "2014-11-20",
        "announce --rulebook wcc-2015 --published --director Omar --year 2015 --fund 1000",
    );
    let shown = place.ask(&["tournament", "show", "w"]);
    assert!(shown.contains("annals tournament qualifier benchmarks w"), "{shown}");
    assert!(!shown.contains("qualifier rank"), "{shown}");
}

/// The first hint of a refusal, without the words around the command.
fn hint(told: &str) -> String {
    let hint = told.lines().find_map(|line| line.trim().strip_prefix("hint: "));
    let hint = hint.unwrap_or_else(|| panic!("no hint: {told}"));
    hint.split('`').nth(1).unwrap_or(hint).to_owned()
}

#[test]
fn a_game_that_is_not_over_is_ended_by_the_hint() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1");
    let ends = "annals tournament game result rr r1.1 OUTCOME --termination resignation";
    let at = "2000-08-21T10:00";
    let told = director.refuses(at, "game result r1.1", &["not over after 0 plies"]);
    assert_eq!(hint(&told), ends);
    let told = director.refuses(at, "game result r1.1 white", &["result.game", "not over after 0 plies"]);
    assert_eq!(hint(&told), ends);
    let told = director.refuses(at, "game start r1.1", &["is being played"]);
    assert_eq!(hint(&told), ends);
    assert!(!told.contains("SEQ") && !told.contains("PAIRING"), "{told}");
    let words = ends.replace("OUTCOME", "white").replace("annals tournament ", "").replace(" rr ", " ");
    director.does("2000-08-21T11:00", &words);
    let told = director.refuses("2000-08-21T12:00", "game start r1.1", &["r1.1 has its result"]);
    assert!(
        told.contains("annals log correct ") && !told.contains("SEQ") && !told.contains("PAIRING"),
        "{told}"
    );
}

#[test]
fn each_refusal_names_a_command_that_fits() {
    let place = Place::new();
    let director = all_play_all(&place);
    let at = "2000-08-20T10:00";
    director.refuses(at, "round declare", &["3 rounds for 4 players are declared already", "show rr"]);
    let told = director.refuses(at, "game forfeit r1.1 --absent baobab", &["has no part in it"]);
    assert_eq!(hint(&told), "annals tournament round list rr");
    let told = director.refuses(at, "ruling give rematch r1.1 --reason x", &["--failure is missing"]);
    assert_eq!(hint(&told), "annals tournament ruling give --help");
    let told = director.refuses(at, "round revoke r2 --reason x", &["round.order"]);
    assert!(told.contains("lists the rounds and their unfinished games"), "{told}");
    let told =
        director.refuses(at, "entry add late --bot --number 9 --developer x --rating 999999", &["999999"]);
    assert!(told.contains("hint: "), "{told}");
    let told = director.refuses(at, "ruling dispute aska --claim x --rule zzzzzz", &["has no rule `zzzzzz`"]);
    assert!(told.contains("docs/reference/rules.md"), "{told}");
}
