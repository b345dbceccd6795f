//! A whole championship by the rules of 2015, directed from the command line by a script: sixteen registrations, a qualifier of
//! several hundred games, a disqualification with an invitation, a final with an invalidated, a twice resumed and a
//! forfeited game, a continuation of three for second place, prizes and the close. What the program makes of it is
//! compared with figures that were worked out apart from it, each with the paragraph from which it follows (`expected.txt`).

mod archive;
mod expected;
mod script;

use serde_json::Value;

use self::expected::{Row, fields, lines};
use crate::program::Place;

#[test]
fn a_whole_championship_comes_out_as_the_rules_make_it_under_both_clocks() {
    let place = Place::new();
    directed(&place);
    qualified(&place);
    rounds(&place);
    standings(&place);
    clocks(&place);
    money(&place);
    places(&place);
    audited(&place);
}

fn directed(place: &Place) {
    place.ask(&["log", "init", "--simulated", "--at", "2014-12-01", "--actor", "omar"]);
    let script = script::read(include_str!("script.txt"));
    let entered = script.iter().filter(|line| line.refused.is_none() && line.words[..2] == ["entry", "add"]);
    let entrants: Vec<String> = entered.map(|line| line.words[3].clone()).collect();
    assert_eq!(entrants.len(), 16);
    place.write("archive.txt", archive::rows(include_str!("qualifier.txt"), &entrants));
    place.write("attempt.txt", include_str!("attempt.txt"));
    script::play(place, &script);
}

/// The payloads of the events of a type in the tournament's stream, as they were recorded.
fn recorded(place: &Place, name: &str) -> Vec<Value> {
    let lines = place.ask(&["log", "export", "tournament/cup"]);
    let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.filter(|event| event["type"] == name).map(|event| event["payload"].clone()).collect()
}

/// The first value of a measure.
fn measure(line: &Value, name: &str) -> Option<i64> {
    let measures = line["measures"].as_array()?;
    measures.iter().find(|measure| measure["name"] == name)?["values"][0].as_i64()
}

fn qualified(place: &Place) {
    let found = recorded(place, "tournament.qualified");
    let [found] = found.as_slice() else { panic!("{found:#?}") };
    let order = found["order"].as_array().unwrap();
    let expected = lines("qualifier");
    assert_eq!((order.len(), expected.len()), (16, 16));
    let mut counted = 0;
    for (line, found) in expected.into_iter().zip(order) {
        let [rank, player, played, points, losses, completed, _, seed, _] = fields(line);
        let number = |text: &str| text.parse::<i64>().ok();
        assert_eq!(
            (found["rank"].as_i64(), found["player"].as_str()),
            (number(rank), Some(player)),
            "{line}"
        );
        for (name, value) in [("played", played), ("points", points), ("losses_before", losses)] {
            assert_eq!(measure(found, name), number(value), "{name}: {line}, found {found}");
        }
        let completed = completed.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_microsecond);
        assert_eq!(measure(found, "completed_at"), completed, "{line}, found {found}");
        assert_eq!(found["seed"].as_i64(), number(seed), "{line}");
        counted += number(played).unwrap();
    }
    let [line] = lines("ignored").try_into().unwrap();
    let [_, colour, _, unrated, _, window, _, surplus, _, all] = fields(line);
    let games = recorded(place, "tournament.qualifying_game_played").len() as i64;
    let ignored = [colour, unrated, window, surplus].map(|text| text.parse::<i64>().unwrap());
    assert_eq!((games, games - counted), (all.parse().unwrap(), ignored.iter().sum()), "{line}");
}

/// The boards of a round as `gold silver`, with the rule that gave the colours.
fn boards(round: &Value) -> Vec<String> {
    let boards = round["boards"].as_array().unwrap().iter();
    let said = boards.map(|board| {
        let word = |name: &str| board[name].as_str().unwrap_or("-").to_owned();
        let paragraph = board["colour_rule"]["paragraph"].as_str().unwrap_or("-");
        let rule = paragraph.rsplit(' ').next().unwrap_or("-");
        format!("{} {} rule {rule}", word("gold"), word("silver"))
    });
    said.collect()
}

fn rounds(place: &Place) {
    let answer = place.ask_json(&["tournament", "round", "list", "cup", "--json"]);
    let rounds = answer["rounds"].as_array().unwrap();
    let expected = lines("round");
    assert_eq!(rounds.len(), expected.len());
    for (line, round) in expected.into_iter().zip(rounds) {
        let [number, stage] = fields(line);
        assert_eq!((round["round"].to_string().as_str(), round["stage"].as_str()), (number, Some(stage)));
        let bye = round["byes"][0]["player"]["player"].as_str().unwrap_or("-");
        let [[_, due]] =
            lines("bye").into_iter().map(fields::<2>).filter(|[of, _]| *of == number).collect::<Vec<_>>()[..]
        else {
            panic!("one line on the bye of round {number}")
        };
        assert_eq!(bye, due, "round {number}");
        let found: Vec<String> = round["boards"]
            .as_array()
            .unwrap()
            .iter()
            .zip(boards(round))
            .map(|(board, colours)| {
                let winner = board["outcome"].as_str().and_then(|side| board[side].as_str()).unwrap_or("-");
                format!("{} {winner} {colours}", board["pairing"].as_str().unwrap_or("-"))
            })
            .collect();
        let due: Vec<String> = lines("board")
            .into_iter()
            .map(fields::<6>)
            .filter(|[board, ..]| board.split_once('.').is_some_and(|(of, _)| of == number))
            .map(|[board, gold, silver, winner, _, rule]| {
                format!("r{board} {winner} {gold} {silver} rule {rule}")
            })
            .collect();
        assert_eq!(found, due, "round {number}");
    }
    revoked(place, &rounds[2]);
}

/// Round 3 was paired on a result that was taken away: that is what was believed in the evening of round 2.
fn revoked(place: &Place, third: &Value) {
    let due: Vec<String> = lines("revoked").into_iter().map(|line| fields::<4>(line).join(" ")).collect();
    let at = |clock: &str| {
        let answer =
            place.ask_json(&["tournament", "round", "list", "cup", "--json", clock, "2015-03-02T21:00"]);
        answer["rounds"].as_array().unwrap().clone()
    };
    let believed = at("--known-at");
    assert_eq!((believed.len(), boards(&believed[2])), (3, due.clone()));
    let pair = |pair: &Value| {
        [&pair["upper"], &pair["lower"]].map(|person| person["player"].as_str().unwrap().to_owned())
    };
    let mut pairs: Vec<[String; 2]> = third["revoked"].as_array().unwrap().iter().map(pair).collect();
    let mut paired: Vec<[String; 2]> = believed[2]["boards"].as_array().unwrap().iter().map(pair).collect();
    pairs.sort();
    paired.sort();
    assert_eq!(pairs, paired, "what was revoked is what had been paired");
    let today = at("--as-of");
    assert!(today.get(2).is_none_or(|round| boards(round).is_empty()), "{today:#?}");
    let outcomes = [&believed, &today].map(|rounds| rounds[1]["boards"][0]["outcome"].clone());
    assert_eq!(outcomes, [Value::from("gold"), Value::Null]);
}

fn standings(place: &Place) {
    for (point, rows) in expected::standings() {
        let asked: Vec<[&str; 2]> = match point.split_once(' ') {
            None => vec![["--as-of", point], ["--known-at", point]],
            Some(("known", at)) => vec![["--known-at", at]],
            Some((_, at)) => vec![["--as-of", at]],
        };
        for at in asked {
            let words = ["tournament", "standings", "cup", "--json", at[0], at[1]];
            let found = place.ask_json(&words);
            same(&rows, found["rows"].as_array().unwrap(), &format!("{} {}", at[0], at[1]));
        }
    }
}

fn same(expected: &[Row], found: &[Value], at: &str) {
    assert_eq!(expected.len(), found.len(), "{at}: {found:#?}");
    for (row, found) in expected.iter().zip(found) {
        let number = |name: &str| found[name].as_u64().unwrap();
        assert_eq!(found["player"], row.player, "{at}: {row:?}, found {found:#}");
        let figures = ["rank", "seed", "won", "lost", "byes"].map(number);
        let due = [row.rank, row.seed, row.won, row.lost, row.byes];
        assert_eq!(figures, due, "{at}: {row:?}");
        assert_eq!(found["active"], row.active, "{at}: {row:?}");
        let measures = found["measures"].as_array().unwrap();
        let rating = measures.iter().find(|measure| measure["name"] == "rating");
        let rating = rating.map(|measure| measure["values"][0].as_f64().unwrap() / 1e6);
        let near = match (row.rating, rating) {
            (Some(expected), Some(found)) => (expected - found).abs() < 0.0006,
            (expected, found) => expected.is_none() && found.is_none(),
        };
        assert!(near, "{at}: {row:?}, found {rating:?}");
    }
}

/// Every attempt but the last is unrated by its ruling, every further one from the start; each goes on with the clocks, the
/// rest of the length, and the turn that are due.
fn clocks(place: &Place) {
    for line in lines("clocks") {
        let [game, gold, silver, _, left, turn] = fields(line);
        let log = place.ask(&["log", "export", &format!("game/{game}")]);
        let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (started, set, first) = (&events[0]["payload"], &events[1]["payload"], &events[2]["payload"]);
        assert_eq!(started["time_control"], format!("2m/6m/100/0/{left}/6m"), "{line}");
        let reserves = [&set["gold_reserve"], &set["silver_reserve"]].map(Value::to_string);
        assert_eq!(reserves, [gold, silver], "{line}");
        let side = first["side"].as_str().and_then(|side| side.chars().next()).unwrap();
        assert_eq!(format!("{}{side}", first["number"]), turn, "{line}");
    }
    for game in ["cup.r2.1", "cup.r2.1.2", "cup.r4.1", "cup.r4.1.2", "cup.r4.1.3"] {
        assert_eq!(place.ask_json(&["replay", &format!("game/{game}"), "--json"])["rated"], false, "{game}");
    }
}

fn money(place: &Place) {
    let mut found: Vec<String> = recorded(place, "tournament.prize_awarded")
        .iter()
        .map(|prize| {
            format!("{} {} {}", prize["player"].as_str().unwrap(), prize["games_won"], prize["amount"])
        })
        .collect();
    let mut due: Vec<String> = lines("prize").into_iter().map(|line| fields::<3>(line).join(" ")).collect();
    found.sort();
    due.sort();
    assert_eq!(found, due);
    let [line] = lines("fund").try_into().unwrap();
    let [fund, _, games, _, share, _, left] = fields(line).map(|text| text.parse::<u64>().unwrap_or(0));
    assert_eq!(share, fund / games);
    let closed = recorded(place, "tournament.closed");
    assert_eq!(closed[0]["fund_left"].as_u64(), Some(left), "{line}");
}

fn places(place: &Place) {
    let closed = recorded(place, "tournament.closed");
    let places = closed[0]["places"].as_array().unwrap();
    let found: Vec<String> = places
        .iter()
        .map(|place| {
            let title = place["titles"]
                .as_array()
                .is_some_and(|titles| titles[0] == "Arimaa World Computer Champion");
            let words = [(title, " title"), (place["contender"] == true, " contender")];
            let more: String = words.iter().filter(|(is_so, _)| *is_so).map(|(_, word)| *word).collect();
            format!("{} {}{more}", place["place"], place["player"].as_str().unwrap())
        })
        .collect();
    assert_eq!(found, lines("place"));
}

/// The record complies with its rulebook; only the clocks that the director gave without a record of them are for the director to
/// answer for.
fn audited(place: &Place) {
    let audit = place.ask_json(&["tournament", "audit", "cup", "--json"]);
    let counts = ["violations", "undetermined"].map(|what| audit["counts"][what].as_u64().unwrap());
    assert_eq!(counts, [0, 1], "{:#}", audit["counts"]);
    place.ask(&["log", "verify"]);
    place.ask(&["tournament", "report", "cup", "-o", "report.html"]);
    let report = std::fs::read_to_string(place.path("report.html")).unwrap();
    for said in ["Arimaa World Computer Champion", "Round 12 (continuation)", "Revoked in round 3", "302.48"]
    {
        assert!(report.contains(said), "the report does not say `{said}`");
    }
}
