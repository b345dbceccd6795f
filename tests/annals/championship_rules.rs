//! The rules of 2015 that edition 2 added, from the command line: dates, accounts, computers, stand-ins, money, publication,
//! limited programs; and the readings of the texts that they rest on.

use serde_json::{Value, json};

use crate::director::Director;
use crate::postal_games::imported;
use crate::program::Place;

/// A championship of programs that play no qualifying game, the best rated first.
pub fn announced<'p>(place: &'p Place, bots: &[&str]) -> Director<'p> {
    announced_with(place, bots, "")
}

/// The same, with options of the announcement.
pub fn announced_with<'p>(place: &'p Place, bots: &[&str], options: &str) -> Director<'p> {
    let director = Director::opened(place, "cup", "2014-11-30");
    let line = "announce --rulebook wcc-2015 --published --director Omar --year 2015 --fund 1000";
    director.does("2014-12-01T10:00", &format!("{line} {options}"));
    for (i, bot) in bots.iter().enumerate() {
        let line = format!("entry add {bot} --bot --developer \"Team {bot}\" --rating {}", 1900 - i);
        director.does("2014-12-10T10:00", &line);
        director.does("2014-12-10T11:00", &format!("fund fee {bot} 10"));
    }
    director.does("2014-12-30T10:00", "qualifier benchmarks basalt chalk");
    director
}

fn audit(place: &Place, words: &[&str]) -> (i32, Value) {
    let run = place.run(&[&["tournament", "audit", "cup", "--json"], words].concat());
    (run.status, serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}")))
}

/// The verdicts of an audit on a rule, as words.
fn on(audit: &Value, rule: &str) -> Vec<String> {
    let verdicts = audit["events"].as_array().unwrap().iter().flat_map(|e| e["verdicts"].as_array().unwrap());
    let of_the_rule = verdicts.filter(|verdict| verdict["rule"]["name"] == rule);
    of_the_rule.map(|verdict| verdict["holds"].to_string()).collect()
}

/// The verdicts that another reading changes, by rule.
fn changed(place: &Place, reading: &str) -> Vec<String> {
    let (_, compared) = audit(place, &["--reading", reading]);
    let rules = compared["verdicts"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap());
    rules.map(str::to_owned).collect()
}

fn set_up(director: &Director<'_>, bot: &str) {
    director.does("2015-02-05T10:00", &format!("entry account {bot} given --login {bot}"));
    director.does(
        "2015-02-10T10:00",
        &format!("entry program {bot} submitted --program {bot} --digest sha256:01"),
    );
}

fn tested(director: &Director<'_>, bot: &str) {
    director.does(
        "2015-02-25T10:00",
        &format!("entry program {bot} tested --digest sha256:01 --passed --access-closed"),
    );
    director.does("2015-02-25T11:00", &format!("entry account {bot} withdrawn"));
}

#[test]
fn a_championship_of_two_meets_the_rules_of_edition_2() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    director.refuses(
        "2015-02-02T00:00",
        "qualifier rank",
        &["qualifier.named", "annals tournament schedule dates cup"],
    );
    director.does("2015-02-01T20:00", "qualifier rank");
    let next = place.ask(&["tournament", "show", "cup"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(next.contains("before its first game 2 programs have to be uploaded and tested"), "{next}");
    computers(&director);
    accounts(&director);
    director.refuses(
        "2015-03-16T00:00",
        "game start r1.1 --no-game",
        &["play.ends", "before 2015-03-16 05:00:00"],
    );
    rounds(&director);
    let again = director.events("round_paired").pop().map(|mut last| {
        last["round"] = 6.into();
        serde_json::json!({ "stream": "tournament/cup", "type": "tournament.round_paired", "payload": last })
    });
    place.write("again.jsonl", again.unwrap().to_string());
    let run = place.run(&["log", "append", "again.jsonl", "--actor", "omar", "--at", "2015-03-17"]);
    assert!(run.status == 2 && run.talk.contains("round.needed"), "{run:?}");
    money(&place, &director);
    publication(&place, &director);
}

fn computers(director: &Director<'_>) {
    let told = director.does("2015-02-02T10:00", "entry hardware \"Core i7\" --player ada --speed 6");
    assert!(told.contains("qualifier.hardware") && told.contains("previous year"), "{told}");
    director.refuses(
        "2015-02-02T11:00",
        "entry hardware i5 --reference --year 2015",
        &["hardware.reference"],
    );
    director.does("2015-02-02T11:00", "entry hardware i5 --reference --year 2014 --system Linux");
    director.refuses(
        "2015-02-02T12:00",
        "entry hardware i7 --player ada --speed 6",
        &["qualifier.hardware", "5 times"],
    );
    director.does("2015-02-02T12:00", "entry hardware Xeon --system Linux --price 1000");
}

fn accounts(director: &Director<'_>) {
    director.refuses(
        "2015-02-09T01:00",
        "entry account ada given",
        &["account.given", "2015-02-09 05:00:00"],
    );
    set_up(director, "ada");
    set_up(director, "bob");
    director.refuses("2015-02-11T10:00", "entry account ada given", &["account.given", "one account"]);
    director.refuses(
        "2015-02-11T10:00",
        "entry account ada withdrawn",
        &["account.withdrawn", "no test was passed"],
    );
    tested(director, "ada");
    director.refuses(
        "2015-02-26T10:00",
        "entry account ada given",
        &["account.given", "a test was passed at"],
    );
    director.does("2015-03-01T09:00", "round pair");
    director.refuses(
        "2015-03-01T10:00",
        "game start r1.1 --no-game",
        &["account.withdrawn", "bob at the start"],
    );
    let told = director
        .does("2015-03-01T10:00", "entry account bob withdrawn --note \"its developer is on a journey\"");
    assert!(told.contains("account.withdrawn") && told.contains("on a journey"), "{told}");
    let machine = "entry machines 1 Xeon --system";
    director.does("2015-03-01T10:30", &format!("{machine} Linux --player ada=left"));
    director.refuses(
        "2015-03-01T10:30",
        "entry machines 1 Xeon --player bob=left",
        &["hardware.same", "both run on left"],
    );
    director.refuses("2015-03-01T10:30", &format!("{machine} BSD"), &["hardware.same", "Xeon under Linux"]);
    director.refuses("2015-03-01T10:30", "entry machines 2 Xeon", &["hardware.same", "round 2 is not"]);
    director.does("2015-03-01T10:30", &format!("{machine} Linux --player bob=right"));
}

/// Five games: ada wins four, one of them by forfeit; the last is under way when play is to end.
fn rounds(director: &Director<'_>) {
    for (round, winner, how) in [
        (1, "ada", "goal"),
        (2, "bob", "goal"),
        (3, "ada", "forfeit"),
        (4, "ada", "time"),
        (5, "ada", "goal"),
    ] {
        let day = 9 + round;
        if round > 1 {
            director.does(&format!("2015-03-{day}T10:00"), "round pair");
        }
        let start = if round == 5 { "2015-03-15T23:00".to_owned() } else { format!("2015-03-{day}T11:00") };
        director.does(&start, &format!("game start r{round}.1 --no-game"));
        let end = if round == 5 { "2015-03-16T02:00".to_owned() } else { format!("2015-03-{day}T15:00") };
        let told = director.does(&end, &format!("game result r{round}.1 {winner} --termination {how}"));
        assert_eq!(told.contains("ended after play was to end"), round == 5, "{told}");
    }
}

fn money(place: &Place, director: &Director<'_>) {
    director.does(
        "2015-03-17T10:00",
        "ruling penalty bob 20 --reason \"a game too many\" --rule qualifier.conduct",
    );
    director.does("2015-03-17T11:00", "ruling penalty bob 20 --paid");
    director.does("2015-03-17T12:00", "fund award");
    director.does("2015-03-17T13:00", "close");
    let prizes: Vec<(String, u64)> = director
        .events("prize_awarded")
        .iter()
        .map(|prize| (prize["player"].as_str().unwrap().to_owned(), prize["amount"].as_u64().unwrap()))
        .collect();
    assert_eq!(prizes, [("ada".to_owned(), 81_600), ("bob".to_owned(), 20_400)], "1,020 dollars by five");
    assert_eq!(director.events("closed")[0]["fund_left"], 0, "the penalty is not in the fund");
    assert_eq!(director.places(), ["1 ada", "2 bob"]);
    assert_eq!(changed(place, "T36=with_penalties"), ["prize.share", "prize.share", "prize.left"]);
    assert_eq!(changed(place, "T38=played"), ["prize.share", "prize.share"], "a forfeit is no game then");

    director.refuses(
        "2015-03-18T10:00",
        "fund return ada --reason \"it stops\"",
        &["prize.returned", "limited"],
    );
    director.does(
        "2015-03-18T11:00",
        "entry disqualify ada --cause limited_program --reason \"it stops after 100 games\"",
    );
    let run = place.run(&["tournament", "audit", "cup"]);
    assert!(run.status == 1 && run.out.contains("`ada` has not returned 81600 cents of prizes"), "{run:?}");
    director.only_tries("2015-03-18T12:00", "fund return ada --reason \"it stops\"");
    director.does("2015-03-18T12:00", "fund return ada --reason \"it stops\"");
    assert_eq!(director.events("prize_returned")[0]["amount"], 81_600);
    director.refuses(
        "2015-03-18T13:00",
        "fund return ada --reason again",
        &["prize.returned", "holds no prize"],
    );
}

fn publication(place: &Place, director: &Director<'_>) {
    let (_, audited) = audit(place, &[]);
    assert!(audited["overdue"].is_null(), "no date is known: {audited:#}");
    director
        .does("2015-03-20", "schedule dates challenge_ends=2015-04-30T00:00 --reason \"the match is fixed\"");
    director.refuses("2015-03-20", "schedule dates play_begins=2015-04-30T00:00 --reason no", &["closed"]);
    let no_digest = "entry program ada tested --digest sha256:nothex --passed --access-closed";
    director.refuses("2015-04-20", no_digest, &["a colon and hexadecimal digits"]);
    director.refuses("2015-04-20", "entry program ada published", &["program.published", "2015-04-30"]);
    let (status, audited) = audit(place, &[]);
    assert_eq!((status, audited["counts"]["overdue"].as_u64()), (0, Some(0)), "{audited:#}");
    director.does("2015-05-02", "entry program ada published --gameroom-name bot_ada");
    director.refuses("2015-05-02", "entry program ada published", &["program.published", "once"]);
    director.refuses(
        "2015-05-02",
        "schedule dates challenge_ends=2015-06-01 --reason no",
        &["is made public"],
    );
    let run = place.run(&["tournament", "audit", "cup"]);
    assert_eq!(run.status, 1, "{run:?}");
    let overdue = "Overdue:\n  the program of bob is not made public, due 2015-04-30";
    assert!(run.out.contains(overdue) && run.out.contains("1 duty overdue"), "{}", run.out);
    assert_eq!(
        place.run(&["tournament", "audit", "cup", "--as-of", "2015-04-29"]).status,
        0,
        "it was not due then"
    );
    director.does("2015-05-03", "entry program bob published");
    let (status, audited) = audit(place, &[]);
    assert_eq!((status, audited["counts"]["overdue"].as_u64()), (0, Some(0)), "{audited:#}");
}

#[test]
fn a_machine_that_is_specified_after_round_1_began_is_refused_and_found_by_the_audit() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    director.does("2015-02-01T20:00", "qualifier rank");
    director.does("2015-03-01T10:00", "round pair");
    let machine = "entry hardware Xeon --system Linux --price 1000";
    director.only_tries("2015-03-01T10:30", machine);
    director.does("2015-03-01T11:00", "game start r1.1 --no-game");
    let says = ["hardware.specified", "2015 WCC, Hardware and OS", "specified after round 1 began"];
    director.refuses("2015-03-01T12:00", machine, &says);
    let late = imported(&place, |event| {
        let starts = event["type"] == "tournament.round_started";
        let machine = starts.then(|| {
            json!({
                "stream": event["stream"], "type": "tournament.hardware_specified", "actor": event["actor"],
                "effective_at": event["effective_at"],
                "payload": {"hardware": "Xeon", "price_limit": 100_000, "system": "Linux"},
            })
        });
        [event.clone()].into_iter().chain(machine).collect()
    });
    let (status, audited) = audit(&late, &[]);
    let found = on(&audited, "hardware.specified");
    let late = |found: &&String| found.contains("specified after round 1 began");
    assert!(status == 1 && found.iter().filter(late).count() == 1, "{audited:#}");
}

#[test]
fn a_close_names_the_prize_that_a_limited_program_has_to_return() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    director.does("2015-02-01T20:00", "qualifier rank");
    for round in 1..=4 {
        let day = 9 + round;
        director.does(&format!("2015-03-{day}T10:00"), "round pair");
        director.does(&format!("2015-03-{day}T11:00"), &format!("game start r{round}.1 --no-game"));
        director
            .does(&format!("2015-03-{day}T15:00"), &format!("game result r{round}.1 ada --termination goal"));
    }
    director.does("2015-03-17T12:00", "fund award");
    let limited = "entry disqualify ada --cause limited_program --reason \"it stops after 100 games\"";
    director.does("2015-03-17T13:00", limited);
    let close = ["tournament", "close", "cup", "--at", "2015-03-17T14:00", "--tz", "EST", "--actor", "omar"];
    let told = place.run(&[&close[..], &["--dry-run"]].concat());
    for words in
        ["prize.returned", "a prize is to be returned by ada", "hint: annals tournament fund return cup"]
    {
        assert!(format!("{told:?}").contains(words), "{told:?}");
    }
    director.does("2015-03-17T14:00", "fund return ada --reason \"it stops\"");
    let told = director.does("2015-03-17T15:00", "close");
    assert!(!told.contains("prize.returned"), "{told}");
    director.is_in_order();
}

#[test]
fn computers_are_compared_again_when_their_round_is_paired_anew() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob", "cem", "dan", "eve", "fay"]);
    director.does("2015-02-01T20:00", "qualifier rank");
    let at = "2015-03-01T10:00";
    director.does(at, "round pair");
    for (machine, [one, other]) in
        [("Xeon", ["ada", "fay"]), ("i7", ["bob", "eve"]), ("Core", ["cem", "dan"])]
    {
        director
            .does(at, &format!("entry machines 1 {machine} --system Linux --player {one} --player {other}"));
    }
    director.does(at, "round revoke 1 --reason \"two are out\"");
    director.does(at, "entry withdraw eve");
    director.does(at, "entry withdraw fay");
    director.does(at, "round pair");
    let told = director.refuses(at, "game start r1.1 --no-game", &["hardware.same", "Core under Linux"]);
    assert!(told.contains("Xeon under Linux"), "{told}");
    director.does(at, "entry machines 1 Xeon --system Linux");
    let told = director.does(at, "game start r1.1 --no-game");
    assert!(told.contains("hardware.specified") && told.contains("no machine is specified"), "{told}");
}

#[test]
fn no_game_begins_after_the_end_of_play_and_no_date_comes_before_the_one_that_it_follows() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob", "cem", "dan"]);
    director.refuses(
        "2014-12-31",
        "schedule dates qualifiers_named=2015-02-10 --reason no",
        &["announcement.schedule", "qualifiers_named before accounts_given"],
    );
    director.does("2015-02-01T20:00", "qualifier rank");
    director.does("2015-03-15T10:00", "round pair");
    director.does("2015-03-15T11:00", "game start r1.1");
    director.refuses("2015-03-18T11:00", "game start r1.2", &["play.ends", "the begin of r1.2, attempt 1"]);
    director.refuses(
        "2015-03-18T11:00",
        "entry program ada published",
        &["program.published", "play is not closed"],
    );
}

#[test]
fn the_reference_machine_is_recorded_once_and_alone_limits_what_is_qualified_on() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    director.does("2015-01-05", "entry hardware Xeon --speed 9");
    director.does("2015-01-05", "entry hardware i5 --reference --year 2014");
    director.refuses(
        "2015-01-06",
        "entry hardware Cray --reference --year 2014",
        &["hardware.reference", "i5 was recorded"],
    );
    director.refuses(
        "2015-01-06",
        "entry hardware Cray --player ada --speed 8.5",
        &["qualifier.hardware", "5 times"],
    );
    director.does("2015-01-06", "entry hardware Cray --player ada --speed 4");
    assert_eq!(changed(&place, "T46=one_machine"), [""; 0]);
}

#[test]
fn either_colour_complies_where_it_is_arbitrary() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    director.does("2015-02-01T20:00", "qualifier rank");
    let pair =
        ["tournament", "round", "pair", "cup", "--at", "2015-03-01T10:00", "--tz", "EST", "--actor", "omar"];
    let dry = place.ask_json(&[&pair[..], &["--dry-run", "--json"]].concat()).to_string();
    assert!(dry.contains("\"upper_side\":\"gold\"") && dry.contains("the better seed has Gold"), "{dry}");
    place.write("other.jsonl", dry.replace("\"upper_side\":\"gold\"", "\"upper_side\":\"silver\""));
    place.ask(&["log", "append", "other.jsonl", "--actor", "omar", "--at", "2015-03-01T15:00Z"]);
    assert_eq!(director.games(1), [("bob".to_owned(), "ada".to_owned())]);
    let (status, audited) = audit(&place, &[]);
    assert_eq!(status, 0, "{audited:#}");
    assert_eq!(on(&audited, "colour"), [r#"{"one_of":{"exactly":2}}"#]);
    assert_eq!(changed(&place, "T37=as_stated"), ["colour"]);
    let run = place.run(&["tournament", "audit", "cup", "--reading", "T37=B"]);
    assert!(run.status == 1 && run.out.contains("expected Gold for ada"), "{run:?}");
}

#[test]
fn an_earlier_program_stands_in_once_the_days_of_the_invited_one_are_over() {
    let place = Place::new();
    let bots = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"];
    let director = announced(&place, &bots);
    director.does("2015-02-01T20:00", "qualifier rank");
    director.refuses("2015-02-05T10:00", "entry account a9 given", &["account.given", "it did neither"]);
    director
        .does("2015-02-22T20:00", "entry disqualify a8 --cause not_uploaded --reason \"no program came\"");
    director.does("2015-02-22T21:00", "qualifier invite");
    director.does("2015-02-22T22:00", "entry account a9 given");
    let stand_in = "entry program a9 substituted --stand-in chalk --program \"Chalk 2014\" --year 2014";
    director.refuses(
        "2015-02-24T10:00",
        stand_in,
        &["program.stand_in_time", "2015-03-01 02:00:00", "--note"],
    );
    director.only_tries("2015-02-24T10:00", &format!("{stand_in} --note \"its developer gave up\""));
    director.does("2015-02-28T21:00", stand_in);
    let (status, audited) = audit(&place, &[]);
    assert_eq!((status, on(&audited, "program.stand_in_time")), (0, vec!["\"compliant\"".to_owned()]));
}

#[test]
fn a_limited_program_keeps_its_developers_out_of_the_years_after_it() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    director.does("2015-02-01T20:00", "qualifier rank");
    // A record that has no ban.
    let line = r#"{"stream":"tournament/cup","type":"tournament.disqualified","payload":{"cause":"limited_program","player":"ada","reason":"it stops"}}"#;
    place.write("out.jsonl", line);
    place.ask(&["log", "append", "out.jsonl", "--actor", "omar", "--at", "2015-02-10"]);
    for (name, previous, year) in [("cup-2016", "cup", 2016), ("cup-2017", "cup-2016", 2017)] {
        let next = Director::of(&place, name);
        let begins = format!("{}-12-01", year - 1);
        next.does(
            &begins,
            &format!(
                "announce --rulebook wcc-2015 --director Omar --year {year} --previous {previous} \
                 --schedule registration_opens={}-12-02 --schedule registration_closes={year}-01-01",
                year - 1
            ),
        );
        let at = format!("{}-12-20", year - 1);
        for bot in ["ada", "eve"] {
            let line = format!("entry add {bot} --bot --developer \"team  ADA\"");
            next.refuses(&at, &line, &["registration.unlimited", "`ada` was limited (cup, event"]);
        }
        next.does(&at, "entry add bob --bot --developer \"Team bob\"");
    }
}

#[test]
fn a_program_whose_games_do_not_count_has_played_or_not_as_the_text_is_read() {
    for (option, first, other, changes) in
        [("none_that_counts", "ada", "none_at_all", true), ("none_at_all", "bob", "none_that_counts", true)]
    {
        let place = Place::new();
        let director = Director::opened(&place, "cup", "2014-11-30");
        director.does(
            "2014-12-01T10:00",
            &format!("announce --rulebook wcc-2015 --published --year 2015 --option T39={option}"),
        );
        for (bot, rating) in [("ada", 1900), ("bob", 1800)] {
            let line = format!("entry add {bot} --bot --developer \"Team {bot}\" --rating {rating}");
            director.does("2014-12-10T10:00", &line);
        }
        director.does("2014-12-30T10:00", "qualifier benchmarks basalt");
        director.does(
            "2015-01-05T12:00",
            "qualifier add-game bob basalt --side gold --winner silver --started-at 2015-01-05T10:00 \
             --ended-at 2015-01-05T11:00 --unrated",
        );
        director.does("2015-02-01T20:00", "qualifier rank");
        assert_eq!(director.events("qualified")[0]["order"][0]["player"], first, "{option}");
        let found = changed(&place, &format!("T39={other}"));
        assert_eq!(found.contains(&"qualifier.unplayed".to_owned()), changes, "{option}: {found:?}");
    }
}

#[test]
fn every_reading_of_the_championship_is_announced_and_compared_by_its_name() {
    let place = Place::new();
    let director = announced(&place, &["ada", "bob"]);
    director.does("2015-02-01T20:00", "qualifier rank");
    for (number, letter, name) in [
        ("T20", "B", "games_played"),
        ("T22", "B", "original_seeds"),
        ("T26", "B", "in"),
        ("T36", "B", "with_penalties"),
        ("T37", "B", "as_stated"),
        ("T38", "B", "played"),
        ("T39", "B", "none_at_all"),
        ("T40", "A", "rating_then_registration"),
        ("T41", "B", "ruling"),
        ("T41", "C", "all_level"),
        ("T46", "B", "one_machine"),
    ] {
        let (status, compared) = audit(&place, &["--reading", &format!("{number}={letter}")]);
        assert_eq!(status, 0, "{number}={letter}: {compared:#}");
        let first = &compared["readings"][0];
        assert!(first.is_null() == (letter == "A"), "{number}={letter}: {first}");
        let option = format!("announce --rulebook wcc-2015 --option {number}={letter} --json --dry-run");
        let words: Vec<&str> = option.split(' ').collect();
        let (verb, rest) = words.split_first().unwrap();
        let dry = place
            .ask(&[&["tournament", verb, "next"], rest, &["--at", "2015-06-01", "--actor", "omar"]].concat());
        let key = format!("\"{}\":", number.to_lowercase());
        assert!(dry.replace(' ', "").contains(&format!("{key}\"{name}\"")), "{number}={letter}: {dry}");
    }
}
