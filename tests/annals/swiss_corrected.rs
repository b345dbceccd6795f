//! A result of the last Swiss round of 2009 that was entered wrongly, and found after the order and the first round of the final were
//! published: the printed commands lead to a record that complies.

use crate::director::Director;
use crate::events_2009::day;
use crate::program::Place;

/// A round whose games are all won by Gold, but for `open` ones.
fn round(director: &Director<'_>, number: usize, open: usize) {
    let (sunday, tuesday) = (day(7 * number - 7), day(7 * number - 5));
    director.does(&format!("{sunday}T19:00"), &format!("round draw-lots --seed \"lots {number}\""));
    director.does(&format!("{sunday}T20:00"), &format!("round pair --seed \"swiss {number}\""));
    director.does(&format!("{tuesday}T00:00"), &format!("game start r{number}.1 --no-game"));
    for (board, (gold, _)) in (1..).zip(director.games(number as u64)).skip(open) {
        let result = format!("game result r{number}.{board} {gold} --termination goal");
        director.does(&format!("{tuesday}T03:00"), &result);
    }
}

/// The commands that hints name, in their order.
fn hints(talk: &str) -> Vec<String> {
    let hints = talk.lines().filter_map(|line| line.trim().strip_prefix("hint: "));
    hints.map(|hint| hint.trim_start_matches('`').split('`').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_result_that_was_mistyped_in_the_last_round_is_repaired_by_the_printed_commands() {
    let place = Place::new();
    let director = Director::opened(&place, "open", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --year 2009 --director omar");
    for number in 1..=9 {
        director.does("2008-12-20", &format!("entry add p{number} --rating {}", 2_000 - 50 * number));
    }
    director.does("2009-01-03T12:00", "round declare");
    round(&director, 1, 0);
    round(&director, 2, 0);
    round(&director, 3, 1);
    // The last game decides, and so does the page of the tournament.
    let next = place.ask(&["tournament", "show", "open"]);
    assert!(next.contains("r3.1 has no result") && !next.contains("qualifier rank"), "{next}");
    let (gold, _) = director.games(3).remove(0);
    director.does(&format!("{}T03:00", day(16)), &format!("game result r3.1 {gold} --termination goal"));
    director.does(&format!("{}T10:00", day(17)), "qualifier rank");
    director.does(&format!("{}T20:00", day(21)), "round pair --seed final");

    let history = place.ask_json(&["tournament", "history", "open", "--json"]);
    let mut events = history["events"].as_array().unwrap().iter();
    let told = |event: &&serde_json::Value, text: &str| event["what"].as_str().unwrap().starts_with(text);
    let result =
        events.find(|event| told(event, "The result of r3.1 was recorded")).unwrap()["seq"].to_string();
    let at = format!("{}T21:00", day(21));
    let fixed = ["--at", &at, "--tz", "EST", "--actor", "omar"];
    let words = ["log", "correct", &result, "outcome=silver", "--reason", "misread"];
    let corrected = place.run(&[&words[..], &fixed].concat());
    assert_eq!(corrected.status, 0, "{corrected:?}");
    let hints = hints(&corrected.talk);
    let starts =
        ["tournament round revoke", "log correct", "tournament qualifier rank", "tournament round pair"];
    assert_eq!(hints.len(), starts.len(), "{corrected:?}");
    // The pairing takes a seed for its coins.
    for (hint, start) in hints.iter().zip(starts).take(3) {
        assert!(hint.starts_with(&format!("annals {start}")), "{hint}");
        let words: Vec<&str> = hint.split(' ').skip(1).collect();
        let words: Vec<&str> = words
            .into_iter()
            .map(|word| if matches!(word, "TEXT" | "REASON") { "misread" } else { word })
            .collect();
        let words = [words.as_slice(), &fixed].concat();
        let run = place.run(&words);
        assert_eq!(run.status, 0, "{words:?}: {run:?}");
    }
    director.does(&format!("{}T22:00", day(21)), "round pair --seed final");
    director.is_in_order();
    let round = place.ask(&["tournament", "explain", "open", "4"]);
    assert!(round.contains("compliant"), "{round}");
}
