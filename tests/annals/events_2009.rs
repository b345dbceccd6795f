//! The Open Classic and World Championship of 2009 as its director runs it: ten players, three rounds of Swiss, the final
//! of eight, a playoff in which a player chooses the colour. Pairings, byes, colours, orders and places were worked out
//! by a program of another language from the same lots and coins, which anybody can draw again from the seeds.

use crate::director::Director;
use crate::fide_report::games_are_on_two_lines;
use crate::program::Place;

const PLAYERS: [(&str, u32); 10] = [
    ("anna", 2240),
    ("bela", 2170),
    ("cara", 2110),
    ("dora", 2050),
    ("emil", 1980),
    ("fred", 1930),
    ("gina", 1870),
    ("hugo", 1800),
    ("iris", 1760),
    ("jane", 1690),
];

/// A round as it has to come: its bye, and its games, Gold first, with the winner's side.
type Round = (&'static str, &'static [(&'static str, &'static str, &'static str)]);

const ROUNDS: [Round; 9] = [
    (
        "",
        &[
            ("fred", "anna", "silver"),
            ("bela", "gina", "gold"),
            ("cara", "hugo", "forfeit"),
            ("iris", "dora", "silver"),
            ("emil", "jane", "gold"),
        ],
    ),
    (
        "jane",
        &[
            ("anna", "cara", "silver"),
            ("dora", "bela", "gold"),
            ("fred", "emil", "silver"),
            ("gina", "iris", "forfeit"),
        ],
    ),
    (
        "iris",
        &[
            ("cara", "dora", "silver"),
            ("emil", "bela", "silver"),
            ("gina", "anna", "silver"),
            ("jane", "fred", "silver"),
        ],
    ),
    (
        "",
        &[
            ("dora", "gina", "gold"),
            ("bela", "iris", "gold"),
            ("cara", "fred", "gold"),
            ("anna", "emil", "gold"),
        ],
    ),
    (
        "",
        &[
            ("dora", "anna", "gold"),
            ("bela", "cara", "silver"),
            ("iris", "emil", "silver"),
            ("gina", "fred", "silver"),
        ],
    ),
    ("", &[("fred", "dora", "gold"), ("anna", "bela", "silver"), ("emil", "cara", "silver")]),
    ("", &[("dora", "cara", "gold"), ("bela", "fred", "gold")]),
    ("dora", &[("cara", "bela", "silver")]),
    ("", &[("bela", "dora", "gold")]),
];

/// The order before rounds 2 and 3, and that of the whole Swiss.
const ORDERS: [[&str; 10]; 3] = [
    ["anna", "bela", "cara", "dora", "emil", "fred", "gina", "hugo", "iris", "jane"],
    ["cara", "dora", "emil", "bela", "anna", "jane", "gina", "fred", "iris", "hugo"],
    ["dora", "bela", "cara", "anna", "emil", "fred", "gina", "iris", "jane", "hugo"],
];

/// The readings under which pairings, orders and places were worked out.
const AS_WORKED_OUT: &str =
    " --option T29=C --option T34=resigning --option T35=B --option T42=B --option T43=B";

/// The day that lies so many days after Sunday, 4 January 2009.
pub fn day(days: usize) -> String {
    let days = jiff::Span::new().days(i64::try_from(days).unwrap());
    jiff::civil::date(2009, 1, 4).checked_add(days).unwrap().to_string()
}

/// Ten players enter and pay; the rules keep others out.
fn entries(director: &Director<'_>, readings: &str) {
    let announce = format!("announce --rulebook wc-2009 --published --director Omar --year 2009{readings}");
    director.does("2008-12-01", &announce);
    for (player, rating) in PLAYERS {
        director.does("2008-12-20T10:00", &format!("entry add {player} --rating {rating}"));
        director.does("2008-12-20T12:00", &format!("fund fee {player} 20"));
    }
    director.refuses("2008-12-21", "fund fee anna 20", &["registration.fee", "`anna` has paid it"]);
    director.refuses("2008-12-21", "entry add anna", &["registration.once", "2009 WC, Registration"]);
    director.refuses("2008-12-21", "entry add sharp --bot", &["eligibility.kind", "`sharp` is a bot"]);
    director.refuses("2008-12-21", "round pair --seed x", &["swiss.declared"]);
    director.refuses(
        "2009-01-02T18:00",
        "entry add late",
        &["registration.window", "2009-01-02 23:00:00 UTC"],
    );
    let told = director.does("2009-01-04T18:00", "round declare");
    assert!(told.contains("3 rounds"), "{told}");
}

/// The round is drawn, paired, and its games are fixed, all in time.
fn paired(director: &Director<'_>, round: usize) {
    let sunday = day(7 * (round - 1));
    if round <= 3 {
        director.does(&format!("{sunday}T19:00"), &format!("round draw-lots --seed \"lots {round}\""));
    }
    director.does(&format!("{sunday}T20:00"), &format!("round pair --seed \"coins {round}\""));
    director.does(&format!("{sunday}T20:01"), "schedule notify");
    let (bye, games) = ROUNDS[round - 1];
    let mut found = director.games(round as u64);
    let mut due: Vec<_> =
        games.iter().map(|(gold, silver, _)| (gold.to_string(), silver.to_string())).collect();
    found.sort();
    due.sort();
    assert_eq!(found, due, "round {round}");
    assert_eq!(director.bye(round as u64).unwrap_or_default(), bye, "round {round}");
}

/// The board of a game, as it was published.
fn board(director: &Director<'_>, round: usize, gold: &str) -> String {
    let games = director.games(round as u64);
    let at = games.iter().position(|(found, _)| found == gold).unwrap();
    format!("r{round}.{}", at + 1)
}

/// Times that follow from what nobody asked for: the beginning of Tuesday.
fn fixed(director: &Director<'_>, round: usize) {
    let monday = day(7 * (round - 1) + 1);
    for (gold, _, _) in ROUNDS[round - 1].1 {
        director.does(&format!("{monday}T20:01"), &format!("schedule set {}", board(director, round, gold)));
    }
    director.does(&format!("{monday}T20:02"), "schedule notify");
}

/// Round 1: times that players ask for, a time that is moved, a player who does not come and is out.
fn first_round(director: &Director<'_>) {
    paired(director, 1);
    let (one, two, three) =
        (board(director, 1, "fred"), board(director, 1, "bela"), board(director, 1, "cara"));
    director.does(
        "2009-01-04T22:00",
        "schedule availability fred --round 1 2009-01-07T18:00..2009-01-07T22:00 2009-01-10T10:00..2009-01-10T20:00",
    );
    director
        .does("2009-01-05T10:00", "schedule availability anna --round 1 2009-01-10T12:00..2009-01-10T15:00");
    director.refuses(
        "2009-01-05T12:00",
        "schedule availability bela --round 1 2009-01-12T12:00..2009-01-12T15:00",
        &["availability.window", "2009 WC, Time of games", "between Tuesday and Sunday"],
    );
    // Bela still can say when; both of the first board have.
    director.refuses(
        "2009-01-05T12:00",
        &format!("schedule set {two}"),
        &["schedule.slot", "`bela` can still answer, until 2009-01-06 01:01:00 UTC"],
    );
    director.refuses(
        "2009-01-05T12:00",
        &format!("schedule set {one}"),
        &["schedule.fixed", "2009 WC, Time of games", "2009-01-06 01:00:00 UTC"],
    );
    let told = director.does("2009-01-05T20:00", &format!("schedule set {one}"));
    assert!(told.contains("2009-01-10") && told.contains("12:00"), "{told}");
    director.refuses(
        "2009-01-05T20:01",
        "schedule availability bela --round 1 2009-01-08T12:00..2009-01-08T15:00",
        &["availability.window", "within 24 hours"],
    );
    director.refuses(
        "2009-01-05T20:02",
        &format!("schedule set {two} 2009-01-12T10:00"),
        &["schedule.window"],
    );
    for gold in ["bela", "iris", "emil"] {
        director.does("2009-01-05T20:05", &format!("schedule set {}", board(director, 1, gold)));
    }
    director.does(
        "2009-01-05T20:05",
        &format!("schedule set {three} 2009-01-08T20:00 --reason \"both asked for it\""),
    );
    director.does("2009-01-05T20:10", "schedule notify");
    director.refuses("2009-01-05T20:11", "schedule notify", &["all players have been told"]);

    director.does("2009-01-06T00:00", &format!("game start {two}"));
    let setup = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    director.does("2009-01-06T00:01", &format!("game move {two} \"{setup}\" --used 50"));
    director.does("2009-01-06T03:00", &format!("game result {two} gold --termination time"));
    for (gold, winner) in [("iris", "dora"), ("emil", "emil")] {
        director.does(
            "2009-01-06T03:00",
            &format!("game result {} {winner} --termination goal", board(director, 1, gold)),
        );
    }
    let early = format!("game forfeit {three} --absent hugo --waited-until 2009-01-08T20:14");
    director.refuses("2009-01-08T20:20", &early, &["forfeit.claim", "15 minutes", "14 minutes were waited"]);
    director.refuses(
        "2009-01-08T20:14",
        &format!("game forfeit {three} --absent hugo"),
        &["forfeit.claim", "2009-01-09 01:15:00 UTC"],
    );
    director.refuses(
        "2009-01-08T20:15",
        &format!("game forfeit {three} --absent anna"),
        &["`anna` has no part in it"],
    );
    director.does("2009-01-08T20:15", &format!("game forfeit {three} --absent hugo"));
    assert_eq!(director.events("player_withdrawn").len(), 1);
    director.refuses(
        "2009-01-08T20:30",
        &format!("ruling give rematch {three} --failure game_server --reason \"the line was down\""),
        &["forfeit.no_rematch", "whatever the reason"],
    );
    director.does(
        "2009-01-08T21:00",
        &format!("ruling appeal hugo --pairing {three} --claim \"my train was late\""),
    );
    director.does("2009-01-09T10:00", "ruling decide-appeal 1 --reject --reason \"being late is no ground\"");
    director.refuses(
        "2009-01-09T11:00",
        "entry reinstate hugo --appeal 1",
        &["forfeit.removed", "no accepted appeal"],
    );
    director.refuses(
        "2009-01-09T12:00",
        "round draw-lots --seed \"lots 2\"",
        &["swiss.lots", "round 1 is not over"],
    );
    director.does("2009-01-10T15:00", &format!("game result {one} silver --termination elimination"));
}

/// The evening by which the games of anna and fred in round 2 are over.
const SATURDAY: &str = "2009-01-17T21:00";

/// Round 2: a forfeit, and an appeal that is accepted.
fn second_round(director: &Director<'_>) {
    paired(director, 2);
    fixed(director, 2);
    let forfeited = board(director, 2, "gina");
    // Anna's times of the first week are used again, so her game is on Saturday.
    let early = format!("game start {} --no-game", board(director, 2, "anna"));
    director.refuses("2009-01-13T00:00", &early, &["schedule.begin", "2009-01-17 17:00:00 UTC"]);
    director.does("2009-01-13T00:00", &format!("game start {} --no-game", board(director, 2, "dora")));
    director.does("2009-01-13T00:15", &format!("game forfeit {forfeited} --absent iris"));
    director.does(
        "2009-01-13T03:00",
        &format!("game result {} gold --termination goal", board(director, 2, "dora")),
    );
    director.refuses("2009-01-13T04:00", "entry reinstate iris", &["forfeit.removed", "no appeal is named"]);
    director.does(
        "2009-01-13T05:00",
        &format!("ruling appeal iris --pairing {forfeited} --claim \"the clinic\""),
    );
    let told = director
        .does("2009-01-14T10:00", "ruling decide-appeal 2 --accept --reason \"a note of the clinic\"");
    assert!(told.contains("iris"), "{told}");
    assert_eq!(director.events("player_reinstated").len(), 1);
    for gold in ["anna", "fred"] {
        director
            .does(SATURDAY, &format!("game result {} silver --termination goal", board(director, 2, gold)));
    }
}

/// Round 3: the server fails, and a game is played again.
fn third_round(director: &Director<'_>) {
    paired(director, 3);
    fixed(director, 3);
    let failed = board(director, 3, "emil");
    let rematch =
        |cause: &str| format!("ruling give rematch {failed} --failure {cause} --reason \"it stood still\"");
    director.refuses("2009-01-19T23:00", &rematch("game_server"), &["ruling.rematch", "has begun"]);
    director.does("2009-01-20T00:00", &format!("game start {failed}"));
    director.refuses(
        "2009-01-20T01:00",
        &rematch("other"),
        &["ruling.rematch", "2009 WC, Location of games", "a fault of the game server"],
    );
    director.does("2009-01-20T01:00", &rematch("game_server"));
    director.does("2009-01-20T02:00", &format!("game start {failed}"));
    // Gina meets anna and jane fred, on Saturday.
    for (gold, over) in [
        ("cara", "2009-01-20T06:00"),
        ("emil", "2009-01-20T06:00"),
        ("gina", "2009-01-24T21:00"),
        ("jane", "2009-01-24T21:00"),
    ] {
        director.does(over, &format!("game result {} silver --termination time", board(director, 3, gold)));
    }
    assert_eq!(director.events("game_attached").len(), 3, "one in round 1, two attempts here");
}

/// The final: six rounds, with a resignation that costs a refund.
fn final_rounds(director: &Director<'_>) {
    director.refuses(
        "2009-01-25T10:00",
        "round draw-lots --seed \"lots 4\"",
        &["swiss.lots", "all declared rounds are paired"],
    );
    director.does("2009-01-25T10:00", "qualifier rank");
    let qualified = director.events("qualified");
    let rows = qualified[0]["order"].as_array().unwrap();
    let order: Vec<&str> = rows.iter().map(|row| row["player"].as_str().unwrap()).collect();
    assert_eq!(order, ORDERS[2]);
    for round in 4..=9 {
        let (_, games) = ROUNDS[round - 1];
        paired(director, round);
        fixed(director, round);
        let (tuesday, saturday) = (day(7 * (round - 1) + 2), day(7 * (round - 1) + 6));
        // Anna and fred said when they would like to play; the others play as soon as they can.
        let named = |player: &str| ["anna", "fred"].contains(&player);
        let first = games.iter().position(|(gold, silver, _)| !named(gold) && !named(silver)).unwrap();
        let at = board(director, round, games[first].0);
        director.does(&format!("{tuesday}T00:00"), &format!("game start {at} --no-game"));
        let later = |gold: &str, silver: &str| named(gold) || named(silver);
        let (soon, late): (Vec<_>, Vec<_>) = games.iter().partition(|(gold, silver, _)| !later(gold, silver));
        for (games, over) in [(soon, format!("{tuesday}T03:00")), (late, format!("{saturday}T21:00"))] {
            for (gold, silver, winner) in games {
                let at = board(director, round, gold);
                let end = if (gold, silver) == ("emil", "cara") { "resignation" } else { "goal" };
                director.does(&over, &format!("game result {at} {winner} --termination {end}"));
            }
        }
    }
}

/// The playoff for second place: both have had both colours as often, so the lower ranked of the two chooses.
fn playoff(director: &Director<'_>) {
    director.refuses("2009-03-05", "close", &["places are still open", "round pair wc-2009"]);
    director.does("2009-03-08T20:00", "round pair");
    let show = director.place.ask(&["tournament", "show", "wc-2009"]);
    assert!(show.contains("annals tournament round choose-colour wc-2009 r10.1 cara SIDE"), "{show}");
    let mut pair = director.games(10);
    assert_eq!(pair.len(), 1);
    let (one, other) = pair.pop().unwrap();
    assert!(["cara", "dora"].contains(&one.as_str()) && ["cara", "dora"].contains(&other.as_str()));
    director.does("2009-03-08T20:01", "schedule notify");
    director.does("2009-03-09T20:01", "schedule set r10.1");
    director.refuses("2009-03-10T00:00", "game start r10.1", &["colour"]);
    director.refuses(
        "2009-03-10T00:00",
        "game start r10.1 --no-game",
        &["nobody has Gold in r10.1", "round choose-colour wc-2009 r10.1 cara"],
    );
    director.refuses(
        "2009-03-09T21:00",
        "round choose-colour r10.1 dora gold",
        &["playoff.colour", "2009 WC, Tournament format, ties"],
    );
    director.does("2009-03-09T21:00", "round choose-colour r10.1 cara gold");
    director.refuses("2009-03-09T22:00", "round choose-colour r10.1 cara silver", &["playoff.colour"]);
    director.does("2009-03-10T00:00", "game start r10.1");
    let setup = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    director.does("2009-03-10T00:01", &format!("game move r10.1 \"{setup}\" --used 50"));
    director.does("2009-03-10T04:00", "game result r10.1 cara --termination time");
}

/// The money that goes back, and the places.
fn the_end(director: &Director<'_>) {
    for (player, why) in [("hugo", "forfeited r1"), ("iris", "forfeited r2"), ("emil", "resigned r6")] {
        director.refuses("2009-03-11", &format!("fund refund {player} 10"), &["refund.due", why]);
    }
    director.refuses("2009-03-11", "fund refund anna 20", &["refund.due", "1000 cents go back"]);
    director.does("2009-03-12", "fund refund");
    let mut back: Vec<String> = director
        .events("refund_recorded")
        .iter()
        .map(|refund| format!("{} {}", refund["player"].as_str().unwrap(), refund["amount"]))
        .collect();
    back.sort();
    let due = ["anna", "bela", "cara", "dora", "fred", "gina", "jane"].map(|player| format!("{player} 1000"));
    assert_eq!(back, due);
    director.refuses("2009-03-12", "fund refund", &["refund.due", "no refund is due"]);
    let gift = "--thing \"gift certificate of 50 dollars from Z-Man Games\"";
    director.does("2009-03-12", &format!("fund award bela {gift}"));
    director.refuses(
        "2009-03-12",
        &format!("fund award bela {gift}"),
        &["prize.gift", "2009 WC, Notes 1", "once"],
    );
    director.refuses("2009-03-12", &format!("fund award zara {gift}"), &["zara"]);
    director.does("2009-03-13", "close");
    let places = director.places();
    assert_eq!(places[..4], ["1 bela", "2 cara", "3 dora", "4 fred"]);
    assert_eq!(director.events("closed")[0]["places"][0]["titles"][0], "Arimaa World Champion");
    // Dora is above cara by the rounds, and cara won the playoff.
    let explained = director.place.ask(&["tournament", "explain", "wc-2009", "rank", "dora", "cara"]);
    assert!(explained.contains("After the playoff r10.1 cara has place 2 and dora place 3."), "{explained}");
    // Ten fees of 20 dollars less seven refunds of 10.
    assert_eq!(director.events("closed")[0]["fund_left"], 13_000);
    director.refuses("2009-03-14", "close", &["closed already"]);
    // The certificate is not transferable: the same words for another player are for the director to answer for.
    let told = director.does("2009-03-14", &format!("fund award cara {gift}"));
    assert!(told.contains("not transferable"), "{told}");
    let gifts = director.events("prize_awarded");
    assert_eq!(gifts[0]["thing"], "gift certificate of 50 dollars from Z-Man Games");
    assert_eq!(gifts[0]["ground"]["rule"], "prize.gift");
    director.is_in_order();
}

#[test]
fn the_championship_of_2009_is_run_from_the_entries_to_the_close() {
    let place = Place::new();
    let director = Director::opened(&place, "wc-2009", "2008-11-01");
    entries(&director, AS_WORKED_OUT);
    first_round(&director);
    second_round(&director);
    third_round(&director);
    let order = |round: usize| -> Vec<String> {
        let paired = director.events("round_paired");
        let rows = paired[round - 1]["order"].as_array().unwrap().clone();
        rows.iter().map(|row| row["player"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!([order(2), order(3)], [ORDERS[0], ORDERS[1]].map(|row| row.map(str::to_owned).to_vec()));
    final_rounds(&director);
    the_order_of_the_final_has_the_losses(&place);
    playoff(&director);
    the_report_has_all_players(&place);
    the_end(&director);
    the_report_has_all_players(&place);
    other_readings(&place);
}

fn the_order_of_the_final_has_the_losses(place: &Place) {
    let round = place.ask_json(&["tournament", "explain", "wc-2009", "7", "--json"]);
    let rows = round["expected"]["reasons"]["order"].as_array().unwrap();
    let losses = |row: &serde_json::Value| {
        let measures = row["measures"].as_array().unwrap();
        measures.iter().find(|measure| measure["name"] == "losses").unwrap()["values"][0].as_i64().unwrap()
    };
    let mut found: Vec<_> = rows.iter().map(|row| (row["player"].as_str().unwrap(), losses(row))).collect();
    found.sort_unstable();
    assert_eq!(found, [("bela", 1), ("cara", 0), ("dora", 1), ("fred", 1)]);
    let shown = place.ask(&["tournament", "explain", "wc-2009", "7"]);
    assert!(shown.contains("Losses"), "{shown}");
}

/// Also those who played the Swiss and not the final.
fn the_report_has_all_players(place: &Place) {
    let report = place.ask(&["tournament", "export", "wc-2009", "--format", "trf"]);
    let lines: Vec<&str> = report.lines().filter(|line| line.starts_with("001 ")).collect();
    for (player, _) in PLAYERS {
        assert!(lines.iter().any(|line| line.contains(player)), "no line of {player}: {report}");
    }
    assert!(report.contains("\n062 10\n"), "{report}");
    games_are_on_two_lines(&report, 10);
}

/// What the audit says of another reading.
fn read_as(place: &Place, name: &str, reading: &str) -> serde_json::Value {
    let run = place.run(&["tournament", "audit", name, "--reading", reading, "--json"]);
    assert_eq!(run.status, 1, "{reading}: {run:?}");
    serde_json::from_str(&run.out).unwrap()
}

/// The rules of which a verdict changes by another reading, with the subjects.
fn changed(compared: &serde_json::Value) -> Vec<(&str, &str)> {
    let changed = compared["verdicts"].as_array().unwrap().iter();
    changed.map(|one| (one["rule"].as_str().unwrap(), one["subject"].as_str().unwrap())).collect()
}

/// The playoff by the other reading: dora entered with the lower rating, so she would have chosen.
fn other_readings(place: &Place) {
    let compared = read_as(place, "wc-2009", "T35=A");
    assert_eq!(compared["readings"][0][1], "seed_of_final");
    let found = changed(&compared);
    assert!(found.iter().any(|(rule, _)| *rule == "playoff.colour"), "{compared}");
    // By games won in the Swiss too no playoff is due: the one that was played gives no place, and takes none away.
    let compared = read_as(place, "wc-2009", "T29=with_swiss");
    assert!(compared.get("undecided").is_none(), "{compared}");
    let places = compared["places"].as_array().unwrap();
    assert_eq!(places[0], serde_json::json!({"place": 2, "before": ["cara"], "after": ["dora"]}));
    let compared = read_as(place, "wc-2009", "T42=points_then_rating");
    let found = changed(&compared);
    assert!(found.iter().any(|(rule, _)| *rule == "field.seeds"), "{compared}");
}

#[test]
fn the_seeds_of_the_final_go_by_points_and_then_by_the_gameroom_rating() {
    let place = Place::new();
    let director = Director::opened(&place, "wc-2009", "2008-11-01");
    entries(&director, "");
    first_round(&director);
    second_round(&director);
    third_round(&director);
    director.does("2009-01-25T10:00", "qualifier rank");
    let qualified = &director.events("qualified")[0];
    let order = qualified["order"].as_array().unwrap().iter();
    let seeds: Vec<(&str, Option<u64>)> =
        order.map(|row| (row["player"].as_str().unwrap(), row["seed"].as_u64())).collect();
    assert_eq!(seeds.iter().map(|(player, _)| *player).collect::<Vec<_>>(), ORDERS[2]);
    let seeds: Vec<Option<u64>> = seeds.into_iter().map(|(_, seed)| seed).collect();
    // Dora has three points; of those with two anna has the highest rating, though bela's opponents won more.
    assert_eq!(seeds[..8], [1, 3, 4, 2, 5, 6, 7, 8].map(Some));
    director.does("2009-01-25T20:00", "round pair --seed \"coins 4\"");
    let paired = director.events("round_paired");
    let ranked = paired[3]["order"].as_array().unwrap().iter();
    let ranked: Vec<&str> = ranked.map(|row| row["player"].as_str().unwrap()).collect();
    assert_eq!(ranked[..4], ["dora", "anna", "bela", "cara"]);
    director.is_in_order();
    let found = read_as(&place, "wc-2009", "T42=B");
    let found = changed(&found);
    assert!(found.contains(&("field.seeds", "the order of the swiss")), "{found:?}");
}

/// A round of four players who need no Swiss: each game with its winner and how it ended.
fn small_round(director: &Director<'_>, round: usize, games: &[(&str, &str, &str)]) {
    director.does(&format!("{}T20:00", day(7 * round - 7)), &format!("round pair --seed \"small {round}\""));
    director.does(&format!("{}T20:01", day(7 * round - 7)), "schedule notify");
    let found = director.games(round as u64);
    let boards: Vec<usize> = games
        .iter()
        .map(|(winner, loser, _)| {
            let has = |(one, other): &crate::director::Game| {
                [one, other].contains(&&winner.to_string()) && [one, other].contains(&&loser.to_string())
            };
            found.iter().position(has).unwrap_or_else(|| panic!("{winner} and {loser} in {found:?}")) + 1
        })
        .collect();
    assert_eq!(found.len(), games.len());
    for board in &boards {
        director.does(&format!("{}T20:01", day(7 * round - 6)), &format!("schedule set r{round}.{board}"));
    }
    director.does(&format!("{}T20:02", day(7 * round - 6)), "schedule notify");
    let (tuesday, first) = (day(7 * round - 5), boards[0]);
    for ((winner, loser, end), board) in games.iter().zip(boards) {
        if *end == "forfeit" {
            director.does(
                &format!("{tuesday}T00:15"),
                &format!("game forfeit r{round}.{board} --absent {loser}"),
            );
            continue;
        }
        if board == first {
            director.does(&format!("{tuesday}T00:00"), &format!("game start r{round}.{board} --no-game"));
        }
        let result = format!("game result r{round}.{board} {winner} --termination {end}");
        director.does(&format!("{tuesday}T03:00"), &result);
    }
}

#[test]
fn a_resigned_game_costs_no_refund_and_a_forfeit_costs_no_place() {
    let place = Place::new();
    let director = Director::opened(&place, "small-2009", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --director Omar --year 2009");
    for (player, rating) in [("anna", 2200), ("bela", 2100), ("cara", 2000), ("dora", 1900)] {
        director.does("2008-12-20T10:00", &format!("entry add {player} --rating {rating}"));
        director.does("2008-12-20T12:00", &format!("fund fee {player} 20"));
    }
    director.does("2009-01-04T18:00", "round declare");
    small_round(&director, 1, &[("anna", "dora", "goal"), ("cara", "bela", "goal")]);
    // The text does not say when a gift certificate is awarded.
    let told = director.does("2009-01-07", "fund award anna --thing \"gift certificate\"");
    assert!(!told.contains("prize.gift"), "{told}");
    small_round(&director, 2, &[("cara", "anna", "goal"), ("bela", "dora", "resignation")]);
    small_round(&director, 3, &[("anna", "bela", "forfeit")]);
    small_round(&director, 4, &[("cara", "anna", "goal")]);
    director.refuses("2009-02-01", "fund refund bela 10", &["refund.due", "forfeited r3.1"]);
    director.does("2009-02-01", "fund refund");
    let refunds = director.events("refund_recorded");
    let mut back: Vec<&str> = refunds.iter().map(|refund| refund["player"].as_str().unwrap()).collect();
    back.sort_unstable();
    assert_eq!(back, ["anna", "cara", "dora"], "dora resigned a game, and left nothing");
    director.does("2009-02-02", "close");
    assert_eq!(director.places(), ["1 cara", "2 anna", "3 bela", "4 dora"]);
    director.is_in_order();
    let compared = read_as(&place, "small-2009", "T34=B");
    assert_eq!(changed(&compared), [("refund.due", "the refund of dora")]);
    let compared = read_as(&place, "small-2009", "T43=no_place");
    assert_eq!(compared["places"][0], serde_json::json!({"place": 3, "before": ["bela"], "after": ["dora"]}));
}

#[test]
fn games_won_in_the_swiss_give_second_place_where_t29_is_read_so() {
    let place = Place::new();
    let director = Director::opened(&place, "wc-2009", "2008-11-01");
    entries(&director, &AS_WORKED_OUT.replace("T29=C", "T29=with_swiss"));
    first_round(&director);
    second_round(&director);
    third_round(&director);
    final_rounds(&director);
    // Cara and dora won three games each in the final; dora won three in the Swiss, and cara two.
    director.refuses("2009-03-08T20:00", "round pair", &["place"]);
    director.does("2009-03-13", "close");
    assert_eq!(director.places()[..3], ["1 bela", "2 dora", "3 cara"]);
    director.is_in_order();
    let compared = read_as(&place, "wc-2009", "T29=A");
    assert_eq!(compared["readings"][0], serde_json::json!(["T29", "with_swiss", "final_only"]));
    assert!(changed(&compared).iter().any(|(rule, _)| *rule == "place.second"), "{compared}");
}
