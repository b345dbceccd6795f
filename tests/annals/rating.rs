//! Ratings out of the games of the dataset: a case that can be worked out by hand, the real February of 2026 against what the
//! gameroom recorded, and what cannot be rated.

use crate::ingesting::{SETUPS, header};
use crate::program::{Place, real_archive};

/// A rated or unrated game of an hour; times in hours after 2026-02-01 10:17:31 UTC.
struct Game {
    id: u32,
    gold: (u32, &'static str),
    silver: (u32, &'static str),
    winner: &'static str,
    begins: u64,
    rated: bool,
}

impl Game {
    fn row(&self) -> String {
        let start = 1_769_941_051 + 3_600 * self.begins;
        let Game { id, gold, silver, winner, .. } = self;
        format!(
            "{id}\t{}\t{}\t{}\t{}\t\t\tUS\tDE\t1500\t1600\t120\t120\th\th\tCasual game\tOver the Net\t2/2/100/10/8\t0\t\
             {start}\t{}\t{winner}\tr\t2\tIGS\t{}\t0\t{SETUPS}2w Ee2n\\n2b ed7s\\n3w\t",
            gold.0,
            silver.0,
            gold.1,
            silver.1,
            start + 3_600,
            u8::from(self.rated)
        )
    }
}

const ANNA: (u32, &str) = (1, "anna");
const BELA: (u32, &str) = (2, "bela");
const CARA: (u32, &str) = (3, "cara");
const DORA: (u32, &str) = (4, "dora");

/// Anna beats Bela, Cara beats Anna; Dora only plays unrated; the last row comes first in time.
pub fn played(place: &Place) {
    let games = [
        Game { id: 12, gold: CARA, silver: ANNA, winner: "w", begins: 20, rated: true },
        Game { id: 13, gold: DORA, silver: ANNA, winner: "b", begins: 30, rated: false },
        Game { id: 11, gold: ANNA, silver: BELA, winner: "w", begins: 0, rated: true },
    ];
    let rows: Vec<String> = [header()].into_iter().chain(games.iter().map(Game::row)).collect();
    place.write("games.txt", rows.join("\n"));
    place.ask(&["ingest", "games.txt"]);
}

#[test]
fn a_small_pool_is_rated_as_by_hand() {
    let place = Place::new();
    played(&place);
    // 1460 after the first win; 118·0.58550 is lost to a newcomer then, who gains 120·0.58550.
    let csv = place.ask(&["rating", "list", "--format", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines,
        [
            "rank,player,player_id,rating,uncertainty,low,high,games,wins,losses,draws,first_game,last_game",
            "1,cara,3,1470,118,,,1,1,0,0,2026-02-02T07:17:31Z,2026-02-02T07:17:31Z",
            "2,anna,1,1391,116,,,2,1,1,0,2026-02-01T11:17:31Z,2026-02-02T07:17:31Z",
            "3,bela,2,1340,118,,,1,0,1,0,2026-02-01T11:17:31Z,2026-02-01T11:17:31Z",
        ]
    );
    let text = place.ask(&["rating", "list"]);
    assert!(text.contains("unrated games left out\t1") && text.contains("1\tcara\t1470\t118"), "{text}");

    let all = place.ask_json(&["rating", "list", "--unrated", "--json"]);
    assert_eq!((&all["games"], all["players"].as_array().unwrap().len()), (&3.into(), 4));
    let early = place.ask_json(&["rating", "list", "--as-of", "2026-02-01", "--json"]);
    assert_eq!(
        (&early["players"][0]["player"], &early["players"][0]["rating"]),
        (&"anna".into(), &1460.into())
    );
    assert_eq!(early["left_out"]["unrated"], 0);
    // The record states 1500 with K 120 for Gold and 1600 for Silver, always.
    let stated = place.ask_json(&["rating", "list", "--from-record", "--json"]);
    assert_eq!((&stated["record"]["compared"], &stated["record"]["equal"]), (&2.into(), &0.into()));
    assert_eq!(stated["players"][2]["player"], "anna");
}

#[test]
fn a_pool_is_what_the_named_players_played_among_themselves() {
    let place = Place::new();
    played(&place);
    let run = place.run(&["rating", "list", "--players", "ANNA", "cara", "dora", "--json"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.talk.contains("no game counts of dora"), "{run:?}");
    let pool: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&pool["games"], &pool["players"][0]["rating"]), (&1.into(), &1460.into()));
}

#[test]
fn what_cannot_be_rated_is_refused_with_what_to_do() {
    let place = Place::new();
    let run = place.run(&["rating", "list"]);
    assert!(run.status == 2 && run.talk.contains("annals ingest"), "{run:?}");
    played(&place);
    for (words, said) in [
        (&["rating", "list", "--players", "bela", "cara"][..], "among bela, cara"),
        (&["rating", "list", "--players", "dora", "anna"], "--unrated"),
        (&["rating", "list", "--players", "anna"], "two or more"),
        (&["rating", "list", "--players", "anna", "Anna"], "two or more"),
        (&["rating", "list", "--players", "anna", "belaa"], "did you mean `bela`?"),
        (&["rating", "list", "--as-of", "2025"], "by 2025"),
        (&["rating", "list", "--as-of", "soon"], "soon"),
        (&["rating", "list", "--system", "gamerom"], "gameroom"),
    ] {
        let run = place.run(words);
        assert!(run.status == 2 && run.talk.contains(said) && run.out.is_empty(), "{words:?}: {run:?}");
    }
}

#[test]
fn the_real_february_of_2026_is_rated_as_the_gameroom_did() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    place.ask(&["ingest", folder.join("allgames202602.txt").to_str().unwrap()]);
    let ratings = place.ask_json(&["rating", "list", "--from-record", "--json"]);
    assert_eq!((&ratings["record"]["compared"], &ratings["record"]["equal"]), (&253.into(), &253.into()));
    let fixed =
        ratings["players"].as_array().unwrap().iter().find(|p| p["player"] == "bot_ArimaaScoreP1").unwrap();
    assert_eq!((&fixed["rating"], &fixed["uncertainty"]), (&1000.into(), &0.into()));
}

/// The records of the first games of 2002 are of unrated games, and have a rating without K.
#[test]
fn a_player_whose_first_game_was_unrated_begins_with_the_recorded_rating() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    place.ask(&["ingest", folder.join("allgames2002.txt").to_str().unwrap()]);
    let list = |more: &[&str]| {
        let rated = place.ask(&[&["rating", "list", "--from-record", "--format", "csv"], more].concat());
        rated.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(list(&[]), list(&["--where", "rated"]));
    let omar = |more: &[&str]| {
        let games =
            place.ask_json(&[&["player", "rating", "omar", "--from-record", "--json"], more].concat());
        (games["points"][0]["game_id"].clone(), games["points"][0]["rating"].clone())
    };
    // 1516 and K 112 against 1595, by the record of game 12.
    assert_eq!(omar(&[]), (12.into(), 1585.into()));
    // 1516 and the K of a newcomer against 1595, by the record of game 1.
    assert_eq!(omar(&["--unrated"]), (1.into(), 1589.into()));
}

/// docs/explanation/ratings.md explains the assumed length of a game without an end by it.
#[test]
fn the_longest_correspondence_game_of_2002_took_28_8_days() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    place.ask(&["ingest", folder.join("allgames2002.txt").to_str().unwrap()]);
    let sql = "SELECT game_id, round((to_unixtime(ended_at) - to_unixtime(started_at)) / 86400.0, 1) AS days FROM games \
               WHERE postal ORDER BY days DESC LIMIT 1";
    assert_eq!(place.ask(&["query", "--no-header", sql]), "61\t28.8\n");
}

#[test]
fn ratings_are_as_of_the_same_forms_of_a_time_as_a_tournament() {
    let place = Place::new();
    played(&place);
    let games =
        |as_of: &str| place.ask_json(&["rating", "list", "--as-of", as_of, "--json"])["games"].clone();
    for (as_of, counted) in [
        ("2026-02-01T11:18", 1),
        ("2026-02-01 11:18", 1),
        ("2026-02-01 06:18 EST", 1),
        ("2026-02-01", 1),
        ("2026-02-02 07:18", 2),
        ("winter 2026", 2),
    ] {
        assert_eq!(games(as_of), counted, "{as_of}");
    }
    let run = place.run(&["rating", "list", "--as-of", "round:2"]);
    assert!(
        run.status == 2 && run.talk.contains("`round:2`") && run.talk.contains("2004-05-06T12:00"),
        "{run:?}"
    );
}

#[test]
fn every_system_rates_the_same_pool_and_says_how_sure_it_is() {
    let place = Place::new();
    played(&place);
    for system in ["elo k=30", "glicko2 period=1d", "whr w2=14", "bradley-terry advantage=on"] {
        let ratings = place.ask_json(&["rating", "list", "--system", system, "--json"]);
        assert_eq!(
            (&ratings["games"], &ratings["players"][0]["player"]),
            (&2.into(), &"cara".into()),
            "{system}"
        );
        let first = &ratings["players"][0];
        assert_eq!(first["low"].is_null(), system.starts_with("elo"), "{first}");
        assert!(first["low"].is_null() || first["low"].as_f64() < first["rating"].as_f64(), "{first}");
    }
    let run = place.run(&["rating", "list", "--system", "bradley-terry prior=0"]);
    assert!(run.status == 2 && run.talk.contains("every game") && run.talk.contains("prior=1"), "{run:?}");
    let run = place.run(&["rating", "list", "--system", "elo k=many"]);
    assert!(run.status == 2 && run.talk.contains("0 to 1000"), "{run:?}");
    let run = place.run(&["rating", "list", "--from-record", "--system", "elo"]);
    assert!(run.status == 2 && run.talk.contains("gameroom"), "{run:?}");
}

#[test]
fn a_condition_chooses_the_games_and_a_player_has_a_history() {
    let place = Place::new();
    played(&place);
    let some = place.ask_json(&["rating", "list", "--where", "game_id = 11", "--json"]);
    assert_eq!((&some["games"], &some["players"][0]["player"]), (&1.into(), &"anna".into()));
    let history = place.ask_json(&["player", "rating", "ANNA", "--system", "elo k=20", "--json"]);
    let points = history["points"].as_array().unwrap();
    assert_eq!((points.len(), &points[0]["rating"], &points[0]["game_id"]), (2, &1510.into(), &11.into()));
    let run = place.run(&["player", "rating", "dora"]);
    assert!(run.status == 2 && run.talk.contains("no game counts of dora"), "{run:?}");
    let run = place.run(&["rating", "list", "--where", "nobody = 1"]);
    assert!(run.status == 2 && run.talk.contains("nobody"), "{run:?}");
}

#[test]
fn systems_are_compared_on_the_same_games() {
    let place = Place::new();
    played(&place);
    let compared =
        place.ask_json(&["rating", "compare", "--systems", "elo k=30", "whr", "--unrated", "--json"]);
    assert_eq!((&compared["judged"], compared["systems"].as_array().unwrap().len()), (&3.into(), 2));
    assert!(
        compared["baseline"]["system"] == "constant" && compared["systems"][0]["log_loss"]["mean"].is_f64()
    );
    let text = place.ask(&["rating", "compare", "--systems", "elo"]);
    assert!(text.contains("log_loss") && text.contains("elo k=30"), "{text}");
    let run = place.run(&["rating", "compare", "--systems", "elo", "--from", "2027"]);
    assert!(run.status == 2 && run.talk.contains("before the moment"), "{run:?}");
}

#[test]
fn records_that_depart_from_the_formula_are_listed_and_those_of_the_real_february_do_not() {
    let place = Place::new();
    played(&place);
    // Every record states 1500 for Gold and 1600 for Silver, whatever was played.
    let run = place.run(&["rating", "verify", "--json"]);
    assert_eq!(run.status, 1, "{run:?}");
    let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&found["transitions"], found["mismatches"].as_array().unwrap().len()), (&2.into(), 2));
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    place.ask(&["ingest", folder.join("allgames202602.txt").to_str().unwrap()]);
    let found = place.ask_json(&["rating", "verify", "--json"]);
    assert_eq!((&found["transitions"], &found["equal"]), (&253.into(), &253.into()));
    assert_eq!(found["higher_k"], serde_json::json!([23, 2]));
}
