//! Charts from the command line: a game, ratings, their calibration and a tournament as pictures with their figures, and what
//! cannot be drawn.

use std::fs;

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;
use crate::rating::played;
use crate::tournament::recorded;

/// The words of an SVG; it has to be one whole.
fn words(place: &Place, name: &str) -> String {
    let svg = fs::read_to_string(place.path(name)).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    let words = svg.split("<text").skip(1).filter_map(|text| text.split_once('>')?.1.split_once("</text>"));
    words.map(|(words, _)| words.trim()).collect::<Vec<_>>().join("\n")
}

/// A PNG by its first bytes: its width and height.
fn size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// A game in which Gold's elephant drags a cat into a trap, at the dataset and in the log.
fn game(place: &Place) {
    let moves = "2w Ee2n Ee3n Ee4n Ee5n\\n2b ra7s ra6s ha8s rh7s\\n3w";
    let moves = format!("{SETUPS}{moves}");
    place.write("game.txt", header() + "\n" + &row("5", &moves));
    place.ask(&["ingest", "game.txt"]);
    place.ask(&["log", "import", "--actor", "archivist", "game.txt"]);
}

#[test]
fn a_game_is_drawn_from_the_dataset_and_from_the_log_with_the_same_figures() {
    let place = Place::new();
    game(&place);
    place.ask(&["chart", "evaluation", "5", "-o", "dataset.svg", "--data", "dataset.csv"]);
    place.ask(&["chart", "evaluation", "arimaa-5", "-o", "log.svg", "--data", "log.csv"]);
    let csv = fs::read_to_string(place.path("dataset.csv")).unwrap();
    assert_eq!(csv, fs::read_to_string(place.path("log.csv")).unwrap());
    assert!(csv.starts_with("kind,series,label,x,y,from,to,note\n"), "{csv}");
    assert!(csv.contains("point,material,1s,1.5,0,,,\npoint,material,2g,2,0,,,\n"), "{csv}");
    let words = [words(&place, "dataset.svg"), words(&place, "log.svg")];
    for (words, name, source) in [
        (&words[0], "Game 5: anna", "Source: dataset "),
        (&words[1], "game/arimaa-5: anna", "Source: log with "),
    ] {
        for said in
            [name, "bela (Silver)", "worth for Gold (rabbits)", "material", "Gold won by resignation", source]
        {
            assert!(words.contains(said), "{said}: {words}");
        }
    }
    place.ask(&["chart", "evaluation", "5", "--evaluator", "material", "-o", "game.png"]);
    assert_eq!(size(&fs::read(place.path("game.png")).unwrap()), (2000, 1200));
}

#[test]
fn the_end_of_a_game_is_marked_and_takes_no_value() {
    let place = Place::new();
    game(&place);
    place.ask(&["chart", "evaluation", "5", "-o", "game.svg", "--data", "game.csv"]);
    let csv = fs::read_to_string(place.path("game.csv")).unwrap();
    assert!(csv.contains("mark,Gold won,2g,2,,,,Gold won by resignation\n"), "{csv}");
    assert!(words(&place, "game.svg").contains("Gold won\n"));
}

#[test]
fn a_game_that_an_illegal_move_decided_names_who_made_it() {
    let place = Place::new();
    let lost = row("5", &format!("{SETUPS}2w Ee2n\\n2b")).replace("\tw\tr\t", "\tw\ti\t");
    place.write("game.txt", header() + "\n" + &lost);
    place.ask(&["ingest", "game.txt"]);
    place.ask(&["chart", "evaluation", "5", "-o", "game.svg", "--data", "game.csv"]);
    let by = "won by an illegal move of the other";
    assert!(words(&place, "game.svg").contains(&format!("Gold {by}")), "{}", words(&place, "game.svg"));
    assert!(place.ask(&["game", "show", "5"]).contains(by));
}

#[test]
fn the_clock_stands_below_where_the_record_has_one() {
    let place = Place::new();
    recorded(&place);
    let figures = |more: &[&str]| {
        let words = ["chart", "evaluation", "spring-2015.r1.1", "-o", "g.svg", "--data", "g.csv", "--force"];
        place.ask(&[&words[..], more].concat());
        let csv = fs::read_to_string(place.path("g.csv")).unwrap();
        let below = csv.lines().filter(|line| line.starts_with("below,"));
        below.map(str::to_owned).collect::<Vec<_>>().join("; ")
    };
    let used = "below,Gold's time,1g,1,40,,,; below,Gold's time,2g,2,30,,,; below,Silver's time,1s,1.5,20,,,";
    assert_eq!(figures(&[]), used);
    assert_eq!(figures(&["--clock", "used"]), used);
    let said = words(&place, "g.svg");
    for word in ["time used", "10 s", "Gold&apos;s time", "Silver&apos;s time", "worth for Gold (rabbits)"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let reserve =
        "below,Gold's time,1g,1,120,,,; below,Gold's time,2g,2,210,,,; below,Silver's time,1s,1.5,120,,,";
    assert_eq!(figures(&["--clock", "reserve"]), reserve);
    assert_eq!(figures(&["--clock", "off"]), "");
    place.ask(&["chart", "evaluation", "spring-2015.r1.1", "-o", "game.png"]);
    assert_eq!(size(&fs::read(place.path("game.png")).unwrap()), (2000, 1540));
}

#[test]
fn a_turn_that_hangs_a_piece_is_ringed_with_what_would_have_been_better() {
    let place = Place::new();
    // Gold's elephant steps into a trap with nobody beside it.
    let moves = "2w Ee2n Ee3n Ee4n Ee5n\\n2b ha7s ha6s hh7s hh6s\\n3w Ee6e Ef6x\\n3b ha5s\\n4w";
    let moves = format!("{SETUPS}{moves}");
    place.write("game.txt", header() + "\n" + &row("5", &moves));
    place.ask(&["ingest", "game.txt"]);
    let picture = ["-o", "g.svg", "--data", "g.csv", "--force"];
    place.ask(
        &[&["chart", "evaluation", "5", "--evaluator", "material", "--nodes", "10000"][..], &picture]
            .concat(),
    );
    let csv = fs::read_to_string(place.path("g.csv")).unwrap();
    let rings: Vec<&str> =
        csv.lines().filter(|line| line.starts_with("point,gave away 3 rabbits,")).collect();
    assert!(rings.len() == 1 && rings[0].contains(",3g,3,"), "{csv}");
    assert!(rings[0].contains("for Gold instead of"), "{csv}");
    assert!(words(&place, "g.svg").contains("rings: turns that gave away 3 rabbits or more"));
    place.ask(&[&["chart", "evaluation", "5", "--blunder", "off"][..], &picture].concat());
    assert!(!fs::read_to_string(place.path("g.csv")).unwrap().contains("gave away"));
}

#[test]
fn a_trained_network_is_a_line_beside_the_others() {
    let place = Place::new();
    place.ask(&["engine", "selfplay", "--games", "16", "--seed", "4", "--nodes", "40", "-o", "games.txt"]);
    let small = [
        "--network",
        "conv filters=2 kernel=4 hidden=8",
        "--batch-size",
        "64",
        "--epochs",
        "1",
        "--folds",
        "3",
        "--all-games",
    ];
    place.ask(&[&["learn", "train", "games.txt", "--output", "small.safetensors"][..], &small].concat());
    place.ask(&["ingest", "games.txt"]);
    let games = place.ask_json(&["game", "list", "--json"]);
    let id = first_number(&games).to_string();
    let by = ["--evaluator", "net:small.safetensors", "--evaluator", "material", "--nodes", "100"];
    place
        .ask(&[&["chart", "evaluation", &id, "-o", "g.svg", "--data", "g.csv", "--force"][..], &by].concat());
    let csv = fs::read_to_string(place.path("g.csv")).unwrap();
    assert!(
        csv.contains("point,net:small.safetensors,1s,1.5,") && csv.contains("point,material,1s,1.5,0,"),
        "{csv}"
    );
    assert!(words(&place, "g.svg").contains("--evaluator net:small.safetensors --evaluator material"));
}

/// The number of the first game that is told.
fn first_number(told: &serde_json::Value) -> u64 {
    let found = match told {
        serde_json::Value::Array(all) => all.iter().map(first_number).find(|id| *id > 0),
        serde_json::Value::Object(fields) => match fields.get("game_id") {
            Some(id) => id.as_u64(),
            None => fields.values().map(first_number).find(|id| *id > 0),
        },
        _ => None,
    };
    found.unwrap_or(0)
}

#[test]
fn ratings_are_drawn_and_their_figures_are_those_of_rate() {
    let place = Place::new();
    played(&place);
    place.ask(&["chart", "ratings", "-o", "all.svg", "--data", "all.csv"]);
    let said = words(&place, "all.svg");
    for word in [
        "anna",
        "bela",
        "cara",
        "rating after the game (points)",
        "end of the game (UTC)",
        "annals chart ratings",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let csv = fs::read_to_string(place.path("all.csv")).unwrap();
    let anna: Vec<&str> = csv.lines().filter(|line| line.starts_with("point,anna")).collect();
    assert_eq!(
        anna,
        [
            "point,anna,11,2026-02-01T11:17:31Z,1460,,,2026-02-01",
            "point,anna,12,2026-02-02T07:17:31Z,1391,,,2026-02-02"
        ]
    );
    place.ask(&["chart", "ratings", "--unrated", "--player", "DORA", "-o", "dora.svg"]);
    let said = words(&place, "dora.svg");
    assert!(said.contains("dora") && !said.contains("bela"), "{said}");
    let run = place.run(&["chart", "ratings", "--player", "dora", "-o", "none.svg"]);
    assert!(run.status == 2 && run.talk.contains("dora"), "{run:?}");
}

#[test]
fn the_bands_of_a_system_are_the_intervals_of_rate() {
    let place = Place::new();
    played(&place);
    for system in ["whr w2=20", "glicko2 period=1d"] {
        place.ask(&["chart", "ratings", "--system", system, "-o", "r.svg", "--data", "r.csv", "--force"]);
        let history = place.ask_json(&["player", "rating", "anna", "--system", system, "--json"]);
        let csv = fs::read_to_string(place.path("r.csv")).unwrap();
        let anna: Vec<Vec<&str>> = csv
            .lines()
            .filter(|line| line.starts_with("point,anna,"))
            .map(|line| line.split(',').collect())
            .collect();
        let points = history["points"].as_array().unwrap();
        assert!(!points.is_empty() && points.len() == anna.len(), "{csv}");
        for (point, fields) in points.iter().zip(&anna) {
            assert_eq!(point["game_id"].to_string(), fields[2]);
            for (name, field) in [("rating", fields[4]), ("low", fields[5]), ("high", fields[6])] {
                let drawn: f64 = field.parse().unwrap();
                assert!(
                    (point[name].as_f64().unwrap() - drawn).abs() < 0.006,
                    "{system} {name}: {drawn} {point}"
                );
            }
        }
        let said = words(&place, "r.svg");
        let word = system.split(' ').next().unwrap();
        let source = format!("annals chart ratings --system &apos;{word} ");
        assert!(said.contains("bands") && said.contains(&source), "{said}");
        // A whole-history rating of a day rests on the games after it too.
        let axis = if word == "whr" { "rating on the day, from all games" } else { "rating after the game" };
        assert!(said.contains(axis), "{said}");
    }
    place
        .ask(&["chart", "ratings", "--system", "bradley-terry", "-o", "r.svg", "--data", "r.csv", "--force"]);
    let csv = fs::read_to_string(place.path("r.csv")).unwrap();
    let places: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.split(',').nth(3)).collect();
    assert_eq!(places, ["1", "2", "3"], "{csv}");
    assert!(words(&place, "r.svg").contains("strokes"));
    place.ask(&["chart", "ratings", "--system", "elo", "-o", "r.svg", "--force"]);
    assert!(words(&place, "r.svg").contains("no intervals"));
    place
        .ask(&["chart", "ratings", "--players", "anna", "cara", "-o", "r.svg", "--data", "r.csv", "--force"]);
    let csv = fs::read_to_string(place.path("r.csv")).unwrap();
    assert!(csv.contains("point,cara,12,") && !csv.contains("bela"), "{csv}");
}

#[test]
fn the_calibration_is_that_of_rate_compare() {
    let place = Place::new();
    played(&place);
    let asked = ["--systems", "gameroom", "elo k=40", "--unrated", "--bins", "4"];
    place.ask(&[&["chart", "calibration"][..], &asked, &["-o", "c.svg", "--data", "c.csv"]].concat());
    let compared = place.ask_json(&[&["rating", "compare"][..], &asked, &["--json"]].concat());
    let csv = fs::read_to_string(place.path("c.csv")).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let number = |text: &str| text.parse::<f64>().unwrap();
    let (mut drawn, mut games) = (Vec::new(), Vec::new());
    for judged in compared["systems"].as_array().unwrap() {
        for bin in judged["bins"].as_array().unwrap() {
            drawn.push((bin["predicted"].as_f64().unwrap(), bin["observed"].as_f64().unwrap()));
            games.push(bin["games"].as_f64().unwrap());
        }
    }
    // The names of the systems hold a comma, so that the fields behind them lie one further.
    let points = rows.iter().filter(|row| row[0] == "point" && row[2].contains("ECE "));
    let points: Vec<&Vec<&str>> = points.collect();
    assert_eq!(points.iter().map(|row| (number(row[4]), number(row[5]))).collect::<Vec<_>>(), drawn);
    assert!(points.iter().all(|row| number(row[6]) < number(row[7])), "{csv}");
    let below = rows.iter().filter(|row| row[0] == "below").map(|row| number(row[4]));
    assert_eq!(below.collect::<Vec<_>>(), games);
    let said = words(&place, "c.svg");
    for word in [
        "predicted = observed",
        "predicted chance of Gold",
        "annals chart calibration --systems gameroom",
        "--bins 4",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
}

#[test]
fn the_crosstable_is_drawn_as_it_stood_at_any_time() {
    let place = Place::new();
    recorded(&place);
    let fields = |more: &[&str]| {
        let words = ["chart", "crosstable", "spring-2015", "-o", "x.svg", "--data", "x.csv", "--force"];
        place.ask(&[&words[..], more].concat());
        let csv = fs::read_to_string(place.path("x.csv")).unwrap();
        assert!(csv.starts_with("panel,row,column,value,words\n"), "{csv}");
        let mut fields: Vec<String> = Vec::new();
        for line in csv.lines().skip(1) {
            let field: Vec<&str> = line.split(',').collect();
            let (player, column) = (field[1].split(' ').nth(1).unwrap_or_default(), field[2]);
            if column == "Pts" || !field[3].is_empty() {
                fields.push(format!("{player} {column} {} {}", field[3], field[4]));
            }
        }
        fields.sort();
        fields.join("; ")
    };
    // Cara's win against Anna was entered for Anna, and set right by a ruling a fortnight later.
    let now = fields(&[]);
    assert!(now.contains("Anna 3 1 1g") && now.contains("Cara Pts  2") && now.contains("-1 0sr"), "{now}");
    let said = words(&place, "x.svg");
    for word in ["Spring Round Robin 2015: crosstable", "won less lost", "1gr", "Rank", "Byes", "r by ruling"]
    {
        assert!(said.contains(word), "{word}: {said}");
    }
    let believed = fields(&["--known-at", "2015-03-10"]);
    assert!(believed.contains("Anna Pts  2") && believed.contains(" 1 1s;"), "{believed}");
    assert!(!believed.contains("gr;") && !believed.contains("sr;"), "{believed}");
    let first = fields(&["--as-of", "round:1"]);
    assert!(first.contains(" 1 1g;") && first.contains(" -1 0s;") && !first.contains("1s;"), "{first}");
    let run =
        place.run(&["chart", "crosstable", "spring-2015", "--as-of", "2015-02-28T13:00", "-o", "none.svg"]);
    assert!(run.status == 2 && run.talk.contains("no game is decided"), "{run:?}");
    assert!(
        run.talk.contains("annals tournament round list spring-2015") && !place.path("none.svg").exists()
    );
}

#[test]
fn a_tournament_is_drawn_round_by_round_on_either_clock() {
    let place = Place::new();
    recorded(&place);
    let after = |more: &[&str]| {
        place.ask(
            &[&["chart", "standings", "spring-2015", "-o", "s.svg", "--data", "s.csv", "--force"], more]
                .concat(),
        );
        let csv = fs::read_to_string(place.path("s.csv")).unwrap();
        let row = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            format!("{} {} {}", fields[1], fields[3], fields[4])
        };
        let mut rows: Vec<String> = csv.lines().skip(1).map(row).filter(|row| !row.contains(" 0 ")).collect();
        rows.sort();
        rows.join("; ")
    };
    // Bela has the bye of round 2, which counts from that round on. Round 2 was entered as a win of Anna, with Silver, and set right by a ruling a fortnight later.
    assert_eq!(after(&[]), "Anna 1 1; Anna 2 1; Bela 1 0; Bela 2 1; Cara 1 1; Cara 2 2");
    let believed = after(&["--known-at", "2015-03-10"]);
    assert_eq!(believed, "Anna 1 1; Anna 2 2; Bela 1 0; Bela 2 1; Cara 1 1; Cara 2 1");
    let said = words(&place, "s.svg");
    for word in [
        "Spring Round Robin 2015: points round by round",
        "round",
        "points after the round",
        "known at 2015-03-10",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert_eq!(after(&["--as-of", "round:1"]), "Anna 1 1; Bela 1 0; Cara 1 1");
    assert_eq!(after(&["--count", "losses"]), "Anna 1 0; Anna 2 1; Bela 1 1; Bela 2 1; Cara 1 0; Cara 2 0");
}

#[test]
fn a_game_of_the_log_is_drawn_as_far_as_it_was_at_a_time() {
    let place = Place::new();
    recorded(&place);
    let game = "spring-2015.r1.1";
    place.ask(&[
        "chart",
        "evaluation",
        game,
        "--as-of",
        "2015-03-01T18:01:10",
        "-o",
        "g.svg",
        "--data",
        "g.csv",
    ]);
    let csv = fs::read_to_string(place.path("g.csv")).unwrap();
    assert!(csv.contains("1s,1.5") && !csv.contains("2g"), "{csv}");
    let run = place.run(&["chart", "evaluation", game, "--as-of", "2015-03-01T18:00:01", "-o", "none.svg"]);
    assert!(run.status == 2 && run.talk.contains("setups") && !place.path("none.svg").exists(), "{run:?}");
}

#[test]
fn what_cannot_be_drawn_is_refused_with_what_to_do_and_leaves_no_file() {
    let place = Place::new();
    game(&place);
    let before = fs::read_dir(place.path("")).unwrap().count();
    for (words, said) in [
        (&["evaluation", "5", "-o", "x.pdf"][..], ".svg or .png"),
        (&["evaluation", "5", "-o", "x"], ".svg or .png"),
        (&["evaluation", "5", "-o", "none/x.svg"], "none/x.svg"),
        (&["evaluation", "5"], "--output"),
        (&["evaluation", "6", "-o", "x.svg"], "no game `6`"),
        (&["evaluation", "arimaa-6", "-o", "x.svg"], "did you mean"),
        (&["evaluation", "5", "--evaluator", "materal", "-o", "x.svg"], "did you mean `material`?"),
        (&["evaluation", "5", "--as-of", "2026-02-01", "-o", "x.svg"], "game/arimaa-5"),
        (&["evaluation", "5", "--evaluator", "net:none.safetensors", "-o", "x.svg"], "none.safetensors"),
        (&["evaluation", "5", "--evaluator", "xyz", "-o", "x.svg"], "annals engine evaluate --list"),
        (&["evaluation", "5", "--clock", "used", "-o", "x.svg"], "does not say how long a turn took"),
        (&["evaluation", "5", "--blunder", "0", "-o", "x.svg"], "above 0"),
        (&["evaluation", "5", "--blunder", "many", "-o", "x.svg"], "`off`"),
        (&["evaluation", "5", "--nodes", "1", "-o", "x.svg"], "--nodes"),
        (&["standings", "spring-2015", "-o", "x.svg"], "no tournament"),
        (&["crosstable", "spring-2015", "-o", "x.svg"], "no tournament"),
        (&["calibration", "--systems", "gamerom", "-o", "x.svg"], "gameroom"),
        (&["calibration", "--as-of", "2001", "-o", "x.svg"], "by 2001"),
        (&["calibration", "--seen", "9", "-o", "x.svg"], "had 9 games before"),
        (&["ratings", "--system", "gamerom", "-o", "x.svg"], "gameroom"),
        (&["ratings", "--where", "year = 1900", "-o", "x.svg"], "no game to rate"),
        (&["ratings", "--player", "annna", "-o", "x.svg"], "did you mean `anna`?"),
        (&["ratings", "--as-of", "2001", "-o", "x.svg"], "by 2001"),
    ] {
        let run = place.run(&[&["chart"], words].concat());
        assert!(run.status == 2 && run.talk.contains(said), "{words:?}: {run:?}");
    }
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), before);
}
