//! What the log says beside the games, in ratings: rulings by which a game is unrated from a date on or from the start, and names
//! that turn out to be one person's. As-of decides what is known.

use serde_json::Value;

use crate::program::Place;

/// The setups of both sides.
const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

/// A line of a file of drafts.
fn line(stream: &str, event: &str, at: &str, payload: &Value) -> String {
    serde_json::json!({ "stream": stream, "type": event, "effective_at": at, "payload": payload }).to_string()
}

/// A rated game of an hour on a day of February 2015 that Gold wins.
fn game(stream: &str, gold: &str, silver: &str, day: u32) -> String {
    let at = |minute: u32| format!("2015-02-{day:02}T10:{minute:02}");
    let turn = |number: u32, side: &str, steps: &str| {
        let payload = serde_json::json!({ "number": number, "side": side, "steps": steps });
        line(stream, "game.turn_taken", &at(number * 2 + u32::from(side == "silver")), &payload)
    };
    let players = serde_json::json!({
        "game": "arimaa", "gold": { "name": gold }, "silver": { "name": silver }, "rated": true
    });
    [
        line(stream, "game.started", &at(0), &players),
        turn(1, "gold", GOLD),
        turn(1, "silver", SILVER),
        turn(2, "gold", "Ee2n"),
        line(
            stream,
            "game.ended",
            &at(59),
            &serde_json::json!({ "termination": "resignation", "winner": "gold" }),
        ),
    ]
    .join("\n")
}

/// Begins a log with games, and stores them.
fn stored(place: &Place, lines: &[String]) {
    place.ask(&["log", "init", "--simulated", "--at", "2015-01-01", "--actor", "omar"]);
    append(place, lines);
    place.ask(&["ingest", "--log"]);
}

fn append(place: &Place, lines: &[String]) {
    place.write("drafts.jsonl", lines.join("\n"));
    place.ask(&["log", "append", "drafts.jsonl", "--actor", "omar", "--at", "2015-04-01"]);
}

/// How many games count as of a day of February 2015, and how many are left out as unrated.
fn counted(place: &Place, day: u32) -> (u64, u64) {
    let ratings = place.ask_json(&["rating", "list", "--as-of", &format!("2015-02-{day:02}"), "--json"]);
    (ratings["games"].as_u64().unwrap(), ratings["left_out"]["unrated"].as_u64().unwrap())
}

/// Who has how many games as of a day of February 2015, by name.
fn players(place: &Place, day: u32) -> Vec<(String, u64)> {
    let ratings = place.ask_json(&["rating", "list", "--as-of", &format!("2015-02-{day:02}"), "--json"]);
    let rows = ratings["players"].as_array().unwrap().iter();
    let mut players: Vec<(String, u64)> = rows
        .map(|row| (row["player"].as_str().unwrap().to_owned(), row["games"].as_u64().unwrap()))
        .collect();
    players.sort();
    players
}

/// The games in the history of a player.
fn history(place: &Place, words: &[&str]) -> usize {
    let history = place.ask_json(&[&["player", "rating"], words, &["--json"]].concat());
    history["points"].as_array().unwrap().len()
}

#[test]
fn a_game_that_a_ruling_made_unrated_leaves_the_ratings_from_its_date_on() {
    let place = Place::new();
    stored(
        &place,
        &[
            game("game/a1", "Anna", "Bela", 1),
            game("game/a2", "Cara", "Anna", 2),
            game("game/a3", "Bela", "Cara", 3),
        ],
    );
    assert_eq!((counted(&place, 2), counted(&place, 28)), ((2, 0), (3, 0)));
    let ruling = |stream: &str, at: &str, rated: bool| {
        let payload = serde_json::json!({ "rated": rated, "reason": "as the director ruled" });
        line(stream, "game.rated_changed", at, &payload)
    };
    // Nothing is stored anew after a ruling: ratings ask the log itself.
    append(
        &place,
        &[
            ruling("game/a1", "2015-02-10T12:00", false),
            ruling("game/a1", "2015-02-20T12:00", true),
            line("game/a2", "game.annulled", "2015-02-25T12:00", &serde_json::json!({ "reason": "a test" })),
        ],
    );
    for (day, left) in [(5, (3, 0)), (9, (3, 0)), (10, (2, 1)), (19, (2, 1)), (20, (3, 0)), (25, (2, 1))] {
        assert_eq!(counted(&place, day), left, "as of February {day}");
    }
    assert_eq!(players(&place, 10), [("Anna".into(), 1), ("Bela".into(), 1), ("Cara".into(), 2)]);
    // Within the day of a ruling the moment counts.
    let at = |time: &str| place.ask_json(&["rating", "list", "--as-of", time, "--json"])["games"].clone();
    assert_eq!((at("2015-02-10T11:59:59Z"), at("2015-02-10T12:00:00Z")), (3.into(), 2.into()));
    // A history tells what is known now, or what was told at the time.
    assert_eq!(history(&place, &["cara"]), 1);
    assert_eq!(history(&place, &["cara", "--rulings", "from-date"]), 2);
    assert_eq!(history(&place, &["cara", "--as-of", "2015-02-24"]), 2);
}

#[test]
fn a_game_whose_beginning_was_corrected_to_unrated_never_counted() {
    let place = Place::new();
    stored(&place, &[game("game/a1", "Anna", "Bela", 1), game("game/a2", "Anna", "Bela", 2)]);
    assert_eq!(counted(&place, 2), (2, 0));
    let started = place.ask(&["log", "show", "game/a1", "--json", "--type", "game.started"]);
    let started: Value = serde_json::from_str(&started).unwrap();
    let mut payload = started["payload"].clone();
    payload["rated"] = false.into();
    let correction = serde_json::json!({
        "change": { "replace": { "payload": payload, "schema": 1 } },
        "corrects": started["seq"],
        "reason": "it was agreed beforehand that the game is a friendly one",
    });
    append(&place, &[line("game/a1", "log.correction", "2015-03-01T12:00", &correction)]);
    // Long before the correction too, and whether the game has been stored anew or not.
    assert_eq!((counted(&place, 2), counted(&place, 28)), ((1, 1), (1, 1)));
    place.ask(&["ingest", "--log"]);
    assert_eq!((counted(&place, 2), counted(&place, 28)), ((1, 1), (1, 1)));
    assert_eq!(history(&place, &["anna", "--rulings", "from-date"]), 1);
}

#[test]
fn names_that_are_one_person_are_rated_as_one_from_when_that_was_declared() {
    let place = Place::new();
    let known = |player: &str, name: &str| {
        let payload = serde_json::json!({ "kind": "human", "name": name, "player": player });
        line(&format!("people/{player}"), "people.player_known", "2015-01-10T12:00", &payload)
    };
    let of = |stream: &str, event: &str, at: &str, payload: Value| line(stream, event, at, &payload);
    stored(
        &place,
        &[
            known("anna", "Anna"),
            known("bela", "Bela"),
            known("cara", "Cara"),
            known("carla", "Carla"),
            game("game/a1", "Anna", "Bela", 1),
            game("game/a2", "annie_7", "Bela", 2),
            game("game/a3", "Cara", "Bela", 3),
            game("game/a4", "Carla", "Bela", 4),
            game("game/a5", "Anna", "annie_7", 5),
        ],
    );
    let apart = [("Anna", 2), ("Bela", 4), ("Cara", 1), ("Carla", 1), ("annie_7", 2)];
    let own = |players: &[(&str, u64)]| -> Vec<(String, u64)> {
        players.iter().map(|(name, games)| ((*name).to_owned(), *games)).collect()
    };
    assert_eq!(players(&place, 28), own(&apart));
    let alias = serde_json::json!({ "name": "annie_7" });
    append(
        &place,
        &[
            of(
                "people/anna",
                "people.alias_declared",
                "2015-02-10T12:00",
                serde_json::json!({ "player": "anna", "alias": alias, "reason": "she said so" }),
            ),
            of(
                "people/cara",
                "people.identities_merged",
                "2015-02-12T12:00",
                serde_json::json!({ "kept": "cara", "merged": "carla" }),
            ),
            of(
                "people/cara",
                "people.identities_parted",
                "2015-02-14T12:00",
                serde_json::json!({ "kept": "cara", "parted": "carla" }),
            ),
            of(
                "people/anna",
                "people.alias_withdrawn",
                "2015-02-16T12:00",
                serde_json::json!({ "player": "anna", "alias": alias }),
            ),
        ],
    );
    // What somebody played against themselves is no game of theirs.
    let one_anna = [("Anna", 2), ("Bela", 4), ("Cara", 1), ("Carla", 1)];
    let one_cara = [("Anna", 2), ("Bela", 4), ("Cara", 2)];
    for (day, expected) in
        [(9, &apart[..]), (10, &one_anna[..]), (12, &one_cara[..]), (14, &one_anna[..]), (16, &apart[..])]
    {
        assert_eq!(players(&place, day), own(expected), "as of February {day}");
    }
    let both = place.ask_json(&["rating", "list", "--as-of", "2015-02-13", "--json"]);
    assert_eq!(both["left_out"]["against_oneself"], 1);
    assert_eq!(history(&place, &["annie_7", "--as-of", "2015-02-13"]), 2);
    assert_eq!(history(&place, &["carla", "--as-of", "2015-02-13"]), 2);
}

#[test]
fn a_name_in_an_archive_is_somebodys_by_alias_alone() {
    let place = Place::new();
    // Accounts of the gameroom: anna 1, bela 2, cara 3 and dora 4.
    crate::rating::played(&place);
    let known = |player: &str, name: &str| {
        let payload = serde_json::json!({ "kind": "human", "name": name, "player": player });
        line(&format!("people/{player}"), "people.player_known", "2026-02-10T12:00", &payload)
    };
    let alias = |player: &str, alias: Value| {
        let payload = serde_json::json!({ "player": player, "alias": alias });
        line(&format!("people/{player}"), "people.alias_declared", "2026-02-11T12:00", &payload)
    };
    place.ask(&["log", "init", "--simulated", "--at", "2026-02-01", "--actor", "omar"]);
    // A club's anna is not the gameroom's, whatever her name; but the accounts 2 and 3 are one person.
    let lines = [
        known("anna", "anna"),
        known("kate", "Kate"),
        alias("anna", serde_json::json!({ "name": "anna_at_the_club", "place": "club" })),
        alias("kate", serde_json::json!({ "account": 2, "place": "gameroom" })),
        alias("kate", serde_json::json!({ "account": 3, "place": "gameroom" })),
    ];
    place.write("people.jsonl", lines.join("\n"));
    place.ask(&["log", "append", "people.jsonl", "--actor", "omar", "--at", "2026-03-01"]);
    let names = |as_of: &str| -> Vec<String> {
        let ratings = place.ask_json(&["rating", "list", "--as-of", as_of, "--json"]);
        let rows = ratings["players"].as_array().unwrap().iter();
        let mut names: Vec<String> = rows.map(|row| row["player"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("2026-02-10"), ["anna", "bela", "cara"]);
    assert_eq!(names("2026-02-11"), ["Kate", "anna"]);
}
