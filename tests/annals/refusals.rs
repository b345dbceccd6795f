//! Bad input, one by one: each has its outcome by the rulebook, or a refusal that names the rule, its paragraph and what
//! is missing; and the log stays as it was.

use crate::director::Director;
use crate::program::Place;

/// Entries under the rules of 2009, and the number of rounds declared.
fn open(director: &Director<'_>, players: u32, rating: impl Fn(u32) -> u32) {
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --director Omar --year 2009");
    for number in 1..=players {
        let entry = format!("entry add p{number:02} --rating {}", rating(number));
        director.does("2008-12-20T10:00", &entry);
    }
    if players > 0 {
        director.does("2009-01-04T12:00", "round declare");
    }
}

/// A championship of ten, its first round paired.
pub fn paired(place: &Place) -> Director<'_> {
    let director = Director::opened(place, "open-2009", "2008-11-01");
    open(&director, 10, |number| 2_100 - 10 * number);
    director.does("2009-01-04T19:00", "round draw-lots --seed lots");
    director.does("2009-01-04T20:00", "round pair --seed coins");
    director
}

/// An event as a line for the log, dated as the log's clock is set.
fn appended(place: &Place, tournament: &str, at: &str, kind: &str, payload: serde_json::Value) -> String {
    let line = serde_json::json!({
        "stream": format!("tournament/{tournament}"), "type": format!("tournament.{kind}"),
        "effective_at": at, "payload": payload,
    });
    place.write("line.jsonl", line.to_string());
    let before = place.ask(&["log", "head"]);
    let run = place.run(&["log", "append", "line.jsonl", "--actor", "omar", "--at", at]);
    assert_eq!(run.status, 2, "{run:?}");
    assert_eq!(place.ask(&["log", "head"]), before);
    run.talk
}

#[test]
fn a_result_needs_a_pairing_and_a_game_and_comes_once() {
    let place = Place::new();
    let director = paired(&place);
    director.refuses(
        "2009-01-06T10:00",
        "game result r1.9 gold",
        &[
            "r1.9 was never paired, or was revoked",
            "result.paired",
            "2009 WC, Preliminary 6",
            "round list open-2009",
        ],
    );
    director.refuses("2009-01-06T10:00", "game result r7.1 p01", &["r7.1 was never paired"]);
    director.refuses("2009-01-06T10:00", "game start r2.1", &["r2.1 was never paired"]);
    director.refuses(
        "2009-01-06T10:00",
        "game result r1.1 gold --termination goal",
        &["result.paired", "round 1 has not begun", "annals tournament game start open-2009"],
    );
    director.does("2009-01-06T10:00", "game start r1.1 --no-game");
    director.refuses(
        "2009-01-06T12:00",
        "game result r1.1",
        &["no game of r1.1 is attached", "say the outcome"],
    );
    director.refuses("2009-01-06T12:00", "game result r1.1 draw --termination score", &["result.draw"]);
    director.refuses(
        "2009-01-06T12:00",
        "game result r1.1 double_loss",
        &["result.game", "by forfeit, or by a ruling"],
    );
    director.refuses("2009-01-06T12:00", "game result r1.1 p10", &["does not play in r1.1"]);
    director.does("2009-01-06T12:00", "game result r1.1 gold --termination goal");
    director.refuses(
        "2009-01-06T13:00",
        "game result r1.1 silver --termination goal",
        &["result.once", "2009 WC, Preliminary 6", "set-result r1.1 OUTCOME", "annals log correct "],
    );
    let told = appended(
        &place,
        "open-2009",
        "2009-01-06T20:00Z",
        "result_recorded",
        serde_json::json!({"pairing": "r1.8", "outcome": "gold"}),
    );
    assert!(told.contains("[result.paired]") && told.contains("r1.8"), "{told}");
}

#[test]
fn a_round_with_somebody_who_is_out_is_refused() {
    let place = Place::new();
    let director = paired(&place);
    director.does("2009-01-06T10:00", "game start r1.1 --no-game");
    for board in 1..=5 {
        director.does("2009-01-06T12:00", &format!("game result r1.{board} gold --termination goal"));
    }
    director.does("2009-01-07T12:00", "entry withdraw p03 --reason \"no time\"");
    director.does("2009-01-11T19:00", "round draw-lots --seed lots");
    // The round as the rules have it, with the one who is out put back in.
    let dry = place.ask(&[
        "tournament", "round", "pair", "open-2009", "--seed", "coins", "--at", "2009-01-11T20:00", "--tz",
        "EST", "--actor", "omar", "--dry-run", "--json",
    ]);
    let mut round = serde_json::from_str::<serde_json::Value>(&dry).unwrap()["events"][0].take();
    let dry = round.to_string();
    assert!(!dry.contains("\"lower\":\"p03\"") && !dry.contains("\"upper\":\"p03\""), "{dry}");
    round["payload"]["pairs"][0]["lower"] = "p03".into();
    let told = appended(&place, "open-2009", "2009-01-12T01:00Z", "round_paired", round["payload"].clone());
    assert!(told.contains("[swiss.") || told.contains("[round."), "{told}");
    assert!(told.contains("p03") && told.contains("2009 WC"), "{told}");
}

#[test]
fn a_late_entry_and_a_second_one_are_refused() {
    let place = Place::new();
    let director = Director::opened(&place, "open-2009", "2008-11-01");
    open(&director, 3, |_| 1_500);
    director.refuses(
        "2009-01-04T13:00",
        "entry add late --rating 2000",
        &[
            "registration.window",
            "2009 WC, Registration",
            "2009-01-02 23:00:00 UTC",
            "schedule dates open-2009",
        ],
    );
    director.only_tries("2009-01-04T13:00", "entry ratings p01=2222");
    director.does("2009-01-04T13:00", "entry withdraw p02");
    director.refuses(
        "2009-01-04T14:00",
        "entry withdraw p02",
        &["registration.standing", "entry show open-2009"],
    );
    director.refuses("2009-01-04T14:00", "entry withdraw p77", &["no player called `p77`"]);
    director.does("2009-01-04T14:00", "entry reinstate p02");
    director.refuses("2009-01-04T15:00", "qualifier lapse p02", &["registration.standing", "never invited"]);
    director.refuses("2009-01-04T15:00", "qualifier invite", &["wc-2009 invites no player"]);
    director.refuses("2009-01-04T15:00", "entry reinstate p02", &["registration.standing", "`p02` is in"]);
}

/// A championship of programs: so many entered, qualified by rating alone.
fn programs(place: &Place, entered: u32) -> Director<'_> {
    let director = Director::opened(place, "wcc-2015", "2014-11-01");
    director.does("2014-11-20", "announce --rulebook wcc-2015 --published --director Omar --year 2015");
    for number in 1..=entered {
        let rating = 2_300 - 10 * number;
        let who = format!("entry add b{number} --bot --developer \"team {number}\" --rating {rating}");
        director.does("2014-12-10", &who);
    }
    director
}

#[test]
fn two_programs_of_one_team_do_not_both_enter() {
    let place = Place::new();
    let director = programs(&place, 2);
    director.refuses(
        "2014-12-11",
        "entry add twin --bot --developer Somebody --developer \"TEAM  1\"",
        &["registration.one_per_developer", "2015 WCC", "has entered `b1`", "entry withdraw wcc-2015"],
    );
    director.refuses("2014-12-11", "entry add anna", &["eligibility.kind", "`anna` is a human"]);
    director.refuses("2014-11-30", "entry add early --bot --developer Early", &["registration.window"]);
}

#[test]
fn nothing_of_a_frozen_round_is_ruled_and_no_game_goes_on_from_a_ply_that_was_not_played() {
    let place = Place::new();
    let director = programs(&place, 4);
    director.does("2015-02-01T23:00", "qualifier benchmarks bench1 bench2 bench3 bench4 bench5 bench6");
    director.does("2015-02-01T23:00", "qualifier rank");
    director.does("2015-03-02T08:00", "round pair --seed coins");
    director.does("2015-03-02T09:00", "game start r1.1");
    let setup = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    director.does("2015-03-02T09:01", &format!("game move r1.1 \"{setup}\" --used 30"));
    let setup = "1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";
    director.does("2015-03-02T09:02", &format!("game move r1.1 \"{setup}\" --used 30"));
    let halt = |ply: u32| {
        format!(
            "ruling give halt r1.1 --ply {ply} --failure move_lost_to_player --reason \"the server's log\""
        )
    };
    director.refuses(
        "2015-03-02T09:05",
        &halt(3),
        &["ply 3 is beyond the 2 plies that were played", "ruling.resume", "2015 WCC", "annals replay"],
    );
    director.does("2015-03-02T09:05", &halt(2));
    director.does("2015-03-02T09:10", "game start r1.1");
    director.does("2015-03-02T12:00", "game result r1.1 gold --termination resignation");
    director.does("2015-03-02T12:00", "game result r1.2 gold --termination time");
    director.does("2015-03-03T08:00", "round pair --seed coins");
    director.does("2015-03-03T09:00", "game start r2.1 --no-game");
    for ruling in [
        "ruling give set-result r1.2 silver --termination time --reason \"the clock was wrong\"",
        "ruling give invalidate r1.2 --ply 0 --failure restarted_mid_move --reason \"the clock was wrong\"",
        "ruling give vacate r1.1 --reason \"the clock was wrong\"",
    ] {
        director.refuses(
            "2015-03-03T10:00",
            ruling,
            &["ruling.frozen", "2015 WCC, Technical Problems 1", "has begun", "ruling give wcc-2015 nothing"],
        );
    }
    director.is_in_order();
}

#[test]
fn fields_of_none_to_eight_have_their_outcome_under_the_rules_of_2009() {
    // With one player there is nothing to play: a champion without a game.
    for players in 0..=8_u32 {
        let place = Place::new();
        let director = Director::opened(&place, "small", "2008-11-01");
        open(&director, players, |number| 2_100 - 10 * number);
        if players == 0 {
            director.refuses(
                "2009-01-04T12:00",
                "round declare",
                &["there is no player", "2009 WC, Preliminary 1"],
            );
            director.refuses(
                "2009-01-04T13:00",
                "qualifier rank",
                &["swiss.declared", "round declare small"],
            );
            director.refuses("2009-01-04T13:00", "round draw-lots --seed x", &["no player is in"]);
            director.refuses(
                "2009-01-04T13:00",
                "round pair --seed x",
                &["nobody is entered", "entry add small PLAYER"],
            );
            continue;
        }
        assert_eq!(director.events("rounds_declared")[0]["rounds"], 0);
        let told = director.does("2009-01-04T13:00", "round draw-lots --seed x");
        assert!(told.contains("the final comes at once: no order rests on lots"), "{told}");
        if players == 1 {
            director.refuses(
                "2009-01-04T20:00",
                "round pair --seed x",
                &["p01 is the champion", "close small"],
            );
            director.does("2009-01-05", "close --note alone");
            assert_eq!(director.places(), ["1 p01"]);
            director.is_in_order();
            continue;
        }
        director.does("2009-01-04T20:00", "round pair --seed x");
        assert_eq!(director.games(1).len() as u32, players / 2, "{players} players");
        // The bye of an odd field goes to the best of the preliminary.
        assert_eq!(director.bye(1).as_deref(), (players % 2 == 1).then_some("p01"));
        director.is_in_order();
    }
}

#[test]
fn a_tournament_that_nobody_enters_pairs_nothing_and_is_closed_without_places() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2014-01-01", "--actor", "omar"]);
    let (no_money, no_share) = ("awards no money", "no player has won a share of the fund");
    for (name, rulebook, pair, award) in [
        ("championship", "wcc-2015", "field.seeds", no_share),
        ("open", "wc-2009", "round.needed", no_money),
        ("postal", "postal-2006", "ring.pairing", no_share),
        ("olympiad", "olympiad-amazons-2000", "encounter.format", no_money),
    ] {
        let director = Director::of(&place, name);
        director.does("2014-11-01", &format!("announce --rulebook {rulebook}"));
        director.refuses("2014-11-01", "round pair --seed x", &[pair]);
        director.refuses("2014-11-01", "fund award", &[award]);
        director.does("2014-11-01", "close");
        assert!(director.places().is_empty(), "{rulebook}");
        director.refuses("2014-11-01", "close", &["closed already"]);
        director.is_in_order();
    }
}

#[test]
fn a_single_player_is_first_without_a_game() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2014-01-01", "--actor", "omar"]);
    for (name, rulebook) in
        [("open", "wc-2009"), ("postal", "postal-2006"), ("olympiad", "olympiad-amazons-2000")]
    {
        let director = Director::of(&place, name);
        director.does("2014-11-01", &format!("announce --rulebook {rulebook}"));
        let kind = if name == "olympiad" { "--bot --number 1" } else { "" };
        director.does("2014-11-01", &format!("entry add solo-{name} --rating 1500 {kind}"));
        director.does("2014-11-02", "close --note alone");
        assert_eq!(director.places(), [format!("1 solo-{name}")]);
        director.is_in_order();
    }
}

#[test]
fn one_player_is_left_when_the_others_leave() {
    let place = Place::new();
    let director = Director::opened(&place, "small", "2008-11-01");
    open(&director, 3, |number| 2_100 - 10 * number);
    director.does("2009-01-04T20:00", "round pair --seed x");
    director.does("2009-01-06T10:00", "game start r1.1 --no-game");
    // In the middle of a round one withdraws: the game that is paired stays to be decided.
    director.does("2009-01-06T11:00", "entry withdraw p02");
    director.refuses(
        "2009-01-06T11:00",
        "round pair --seed x",
        &["r1.1", "round.order", "game result small"],
    );
    director.does("2009-01-06T12:00", "game forfeit r1.1 --absent p02");
    director.does("2009-01-07T12:00", "entry withdraw p03");
    director.refuses("2009-01-08", "round pair --seed x", &["p01 is the champion"]);
    director.refuses("2009-01-08", "fund refund p01 10", &["no fee of `p01` is recorded"]);
    director.does("2009-01-08", "close");
    assert_eq!(director.places()[0], "1 p01");
    director.is_in_order();
}

#[test]
fn when_the_last_two_both_forfeit_nobody_is_champion_until_it_is_ruled() {
    let place = Place::new();
    let director = Director::opened(&place, "small", "2008-11-01");
    open(&director, 2, |number| 2_100 - 10 * number);
    director.does("2009-01-04T20:00", "round pair --seed x");
    director.does("2009-01-05T20:00", "schedule notify");
    director.does("2009-01-06T23:00", "game forfeit r1.1 --absent p01 --absent p02");
    assert_eq!(director.events("player_withdrawn").len(), 2, "both are out");
    director.refuses("2009-01-08", "close", &["ruling give small place"]);
    director.does("2009-01-08", "ruling give place 1 p01 --reason \"the better rated\"");
    director.does("2009-01-09", "close");
    assert_eq!(director.places()[0], "1 p01");
    director.is_in_order();
}

#[test]
fn players_of_the_same_rating_are_put_in_order_all_the_same() {
    // By lot in the Swiss of 2009,
    let place = Place::new();
    let director = Director::opened(&place, "open-2009", "2008-11-01");
    open(&director, 9, |_| 1_500);
    director.refuses("2009-01-04T20:00", "round pair --seed coins", &["round draw-lots open-2009", "swiss."]);
    director.does("2009-01-04T19:00", "round draw-lots --seed lots");
    director.does("2009-01-04T20:00", "round pair --seed coins");
    let lots = director.events("lots_drawn")[0]["lots"].as_array().unwrap().clone();
    let mut lots: Vec<(u64, String)> = lots
        .iter()
        .map(|lot| (lot["number"].as_u64().unwrap(), lot["player"].as_str().unwrap().to_owned()))
        .collect();
    lots.sort();
    assert_eq!(director.bye(1).as_ref(), lots.last().map(|(_, player)| player), "the last lot has the bye");
    let met = |pair: &(String, String)| {
        let at = |name: &String| lots.iter().position(|(_, player)| player == name).unwrap();
        at(&pair.0).abs_diff(at(&pair.1)) == 4
    };
    assert!(director.games(1).iter().all(met), "the upper half by lot meets the lower half");
    director.is_in_order();

    // by name on the ring of 2006.
    let place = Place::new();
    let director = Director::opened(&place, "postal", "2005-12-01");
    director.does("2006-01-01", "announce --rulebook postal-2006");
    for name in ["dora", "anna", "cara", "bela"] {
        director.does("2006-01-02", &format!("entry add {name} --rating 1500"));
    }
    director.does("2006-01-03", "round pair");
    // The ring is anna, cara, dora, bela; the opposite ones have Gold in the lower place.
    let mut games = director.games(1);
    games.sort();
    let due = [
        ("anna", "cara"),
        ("anna", "dora"),
        ("bela", "anna"),
        ("cara", "bela"),
        ("cara", "dora"),
        ("dora", "bela"),
    ];
    assert_eq!(games, due.map(|(gold, silver)| (gold.to_owned(), silver.to_owned())));
    director.is_in_order();
}

#[test]
fn a_state_file_with_an_unknown_word_is_refused_with_its_line() {
    let place = Place::new();
    place.write(
        "final.txt",
        "player Omar 1860\nplayer Fritzlein 2273\nround 1\ngame Omar Fritzlein adjourned\n",
    );
    let run =
        place.run(&["tournament", "import", "state", "final.txt", "--as", "wc-2006", "--actor", "omar"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("final.txt:4: ") && run.talk.contains("adjourned"), "{run:?}");
    assert!(run.talk.contains("known results are"), "{run:?}");
    assert!(!place.path("home/log.db").exists(), "nothing came into a log");
}

#[test]
fn a_dry_run_of_any_command_appends_nothing() {
    let place = Place::new();
    let director = paired(&place);
    place.write("turns.txt", "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n");
    let other = Director::of(&place, "other");
    other.only_tries("2009-01-05", "announce --rulebook wc-2009");
    for line in [
        "entry withdraw p02",
        "fund fee p01 20",
        "fund contribution Omar 50",
        "ruling penalty p01 10 --reason \"it was late\"",
        "ruling ban p01 --reason \"it was late\"",
        "round revoke r1 --reason \"the wrong lots\"",
        "schedule availability p01 2009-01-07T10:00..2009-01-07T12:00",
        "schedule notify",
        "schedule dates play_ends=2009-03-15 --reason \"a longer season\"",
        "ruling dispute p01 --against p02 --claim \"it was late\"",
        "ruling appeal p01 --pairing r1.1 --claim \"it was late\"",
        "ruling give nothing --reason \"a warning\"",
        "ruling give read T10=B --reason \"as it says\"",
    ] {
        director.only_tries("2009-01-05T10:00", line);
    }
    director.refuses("2009-01-05T10:00", "entry ratings p01=2222", &["swiss.order", "a round is paired"]);
    director.does("2009-01-05T20:05", "schedule notify");
    director.only_tries("2009-01-06T20:05", "schedule set r1.1");
    director.only_tries("2009-01-06T20:05", "game start r1.1 --no-game");
    director.does("2009-01-06T20:05", "game start r1.1");
    for line in [
        "game move r1.1 --from turns.txt",
        "game result r1.1 gold --termination resignation",
        "ruling give rematch r1.1 --failure game_server --reason \"it stood still\"",
        "ruling give remove p03 --reason \"as agreed\"",
    ] {
        director.only_tries("2009-01-06T21:00", line);
    }
    director.does("2009-01-06T22:00", "ruling appeal p01 --pairing r1.1 --claim \"it was late\"");
    director.only_tries("2009-01-06T23:00", "ruling decide-appeal 1 --reject --reason \"no\"");
    for board in 1..=5 {
        director.does("2009-01-07T12:00", &format!("game result r1.{board} gold --termination time"));
    }
    director.only_tries("2009-01-11T19:00", "round draw-lots --seed lots");
    director.does("2009-01-11T19:00", "entry withdraw p04");
    director.only_tries("2009-01-11T19:30", "entry reinstate p04");
}
