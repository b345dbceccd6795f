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
fn a_fee_that_was_paid_back_is_not_shared_out_and_a_contribution_stays() {
    let place = Place::new();
    let director = Director::opened(&place, "postal", "2005-12-01");
    director.does("2006-01-01", "announce --rulebook postal-2006 --director Omar --year 2006 --currency USD");
    for player in ["anna", "bela", "cara", "dora"] {
        director.does("2006-01-10", &format!("entry add {player} --rating 2100"));
        director.does("2006-01-11", &format!("fund fee {player} 10"));
    }
    director.does("2006-01-12", "entry withdraw dora");
    director.does("2006-01-13", "fund refund dora 10");
    director.does("2006-01-13", "fund contribution Club 25");
    director.does("2006-01-20", "round pair");
    director.does("2006-01-21T10:00", "game start r1.1 --no-game");
    for board in 1..=director.games(1).len() {
        director.does("2006-02-21T10:00", &format!("game result r1.{board} gold"));
    }
    director.does("2006-02-22", "fund award");
    let prizes = director.events("prize_awarded");
    let paid: u64 = prizes.iter().map(|prize| prize["amount"].as_u64().unwrap()).sum();
    assert_eq!(paid, 3_000);
    let closed = director.does("2006-02-23", "close");
    assert!(closed.contains(" 25.00 of the prize fund was left"), "{closed}");
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

/// The hints of a refused line.
fn hints(talk: &str) -> Vec<&str> {
    talk.lines().filter_map(|line| line.trim().strip_prefix("hint: ")).collect()
}

#[test]
fn the_hint_of_a_refused_line_fits_what_is_recorded() {
    let place = Place::new();
    let director = all_play_all(&place);
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    director.does("2000-08-21T10:00", "game result r1.1 white --termination time");
    let results = ["`annals tournament round list rr` lists the results"];
    let talk = director.refuses("2000-08-21T10:10", "game move r1.1 d1-d7(g7)", &["r1.1 has its result"]);
    assert_eq!(hints(&talk), results);
    let talk =
        director.refuses("2000-08-21T10:10", "schedule set r1.1 2000-08-21T12:00", &["r1.1 has its result"]);
    assert_eq!(hints(&talk), ["annals tournament round list rr"]);
    let ruling = "annals tournament ruling give rr set-result r1.1 OUTCOME --reason TEXT";
    for line in ["game start r1.1", "game start r1.1 --no-game"] {
        let talk = director.refuses("2000-08-21T10:10", line, &["r1.1 has its result"]);
        assert!(hints(&talk)[1].contains(ruling), "{talk}");
    }
    // So is a game that was played before a player left.
    let (white, _) = director.games(1)[0].clone();
    director.does("2000-08-21T11:00", &format!("entry withdraw {white}"));
    let talk = director.refuses("2000-08-21T11:10", "game start r1.1", &["r1.1 has its result"]);
    assert!(!talk.contains("forfeit") && hints(&talk)[1].contains(ruling), "{talk}");
}

#[test]
fn the_ring_is_closed_only_when_its_games_have_results() {
    let place = Place::new();
    let director = Director::opened(&place, "ring", "2006-01-01");
    director.does("2006-01-01", "announce --rulebook postal-2006 --director omar --year 2006");
    for (rating, player) in [(2000, "anna"), (1900, "bela"), (1800, "cara")] {
        director.does("2006-01-10", &format!("entry add {player} --rating {rating}"));
    }
    director.does("2006-02-10", "round pair");
    let next = || place.ask(&["tournament", "show", "ring"]);
    let talk = director.refuses("2006-02-11", "round pair", &["r1.1 and 2 more have no result"]);
    assert!(hints(&talk)[0].starts_with("`annals tournament game start ring PAIRING`"), "{talk}");
    assert!(!next().contains("tournament close ring"), "{}", next());
    director.does("2006-02-12", "game start r1.1 --no-game");
    let talk = director.refuses("2006-02-12", "round pair", &["r1.1 and 2 more have no result"]);
    assert_eq!(hints(&talk), ["annals tournament game result ring r1.1 OUTCOME"]);
    for board in 1..=3 {
        director.does("2006-03-01", &format!("game result r1.{board} gold --termination goal"));
    }
    assert!(!next().contains("no result"), "{}", next());
    let talk = director.refuses("2006-03-02", "round pair", &["all games of the ring are played"]);
    assert_eq!(hints(&talk), ["annals tournament close ring"]);
}

#[test]
fn a_refund_that_is_not_due_and_a_late_entry_get_no_hint_that_is_refused_again() {
    let place = Place::new();
    let director = Director::opened(&place, "open", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --year 2009 --director omar");
    for (player, rating) in [("anna", 2100), ("bela", 2000)] {
        director.does("2008-12-20", &format!("entry add {player} --rating {rating}"));
    }
    let talk = director.refuses("2009-01-04T18:00", "fund refund anna 10", &["refund.due"]);
    assert_eq!(hints(&talk), ["annals tournament show open"]);
    director.does("2009-01-04T18:00", "round declare");
    director.does("2009-01-04T20:00", "round pair --seed x");
    let talk = director.refuses("2009-01-04T21:00", "entry add late --rating 1900", &["registration.window"]);
    let hint = "`annals tournament round revoke open r1 --reason TEXT` first, since no game of it has begun; then \
                `registration_closes` has to be moved (`schedule dates`), since it has passed";
    assert_eq!(hints(&talk).join(" "), hint, "{talk}");
    director.does("2009-01-04T21:00", "round revoke r1 --reason \"one more entry\"");
    let closes = "schedule dates registration_closes=2009-01-05T00:00 --reason \"one more entry\"";
    director.does("2009-01-04T21:05", closes);
    director.does("2009-01-04T21:10", "entry add late --rating 1900");

    let place = Place::new();
    let director = Director::opened(&place, "c", "2014-11-01");
    director.does("2014-11-02", "announce --rulebook wcc-2015 --published --year 2015");
    director.does("2014-12-05", "entry add sharp --bot --developer dev");
    let talk = director.refuses("2015-02-01T20:00", "qualifier rank", &["no benchmarks are declared"]);
    assert!(hints(&talk)[0].starts_with("`annals tournament qualifier benchmarks c PLAYER`"), "{talk}");
}

#[test]
fn the_examples_of_fees_refunds_and_results_run() {
    let examples = |place: &Place, words: &[&str]| -> Vec<String> {
        let help = place.ask(&[words, &["--help"]].concat()).replace("\\\n", " ");
        let lines = help.lines().filter_map(|line| line.trim().strip_prefix("annals tournament "));
        lines.map(str::to_owned).collect()
    };
    let place = Place::new();
    let director = Director::opened(&place, "wcc-2015", "2014-11-01");
    director.does("2014-11-02", "announce --rulebook wcc-2015 --published --year 2015");
    director.does("2014-12-05", "entry add sharp --bot --developer dev");
    let fees = examples(&place, &["tournament", "fund", "fee"]);
    assert_eq!(fees.len(), 1);
    director.does("2014-12-06", &fees[0].replace(" wcc-2015", ""));

    let place = Place::new();
    let director = Director::opened(&place, "wc-2009", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --year 2009 --director omar");
    director.does("2008-12-20", "entry add omar --rating 2100");
    let awards = examples(&place, &["tournament", "fund", "award"]);
    director.does("2009-03-01", &awards.last().unwrap().replace(" wc-2009", ""));
    assert_eq!(director.events("prize_awarded")[0]["thing"], "gift certificate");

    let place = Place::new();
    let director = all_play_all(&place);
    let results = examples(&place, &["tournament", "game", "result"]);
    let line = results.last().unwrap().replace(" olympiad-2000", "").replace("r2.1", "r1.1");
    director.does("2000-08-21T09:00", "game start r1.1 --no-game");
    director.does("2000-08-21T10:00", &line);
    assert_eq!(director.events("result_recorded")[0]["territory"], 14);
    // Without the ending the hint names it.
    let talk = director.refuses("2000-08-21T10:10", "game result r1.2 black --territory 14", &["territory"]);
    assert!(talk.contains("--termination immobilization --territory SQUARES"), "{talk}");

    let place = Place::new();
    place
        .write("finals.txt", "player Fritzlein 1\nplayer Omar 2\nround 1\ngame Fritzlein Omar winner Omar\n");
    for line in
        examples(&place, &["tournament", "import", "state"]).iter().filter(|line| line.contains("finals"))
    {
        let words: Vec<&str> = ["tournament"].into_iter().chain(line.split_whitespace()).collect();
        let run = place.run(&[&words[..], &["--actor", "omar", "--date", "2009"]].concat());
        assert_eq!(run.status, 0, "{line}: {run:?}");
    }
    let shown = place.ask(&["tournament", "show", "wc-2009"]);
    assert!(shown.contains("wc-2009") && !shown.contains("bot"), "{shown}");
}
