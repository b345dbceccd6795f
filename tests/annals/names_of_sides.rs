//! A home of the Amazons alone: White and Black in pages and reports, and what to do where Arimaa is the default.

use crate::program::Place;
use crate::server::Server;

const GAMES: &str = "\
White: Ada
Black: Bela
Date: 2000-08-21
Result: 1-0 (resignation)

1. d1-d7(g7) a7-b8(b3)

White: Bela
Black: Ada
Date: 2000-08-22
Result: 0-1 (resignation)

1. d1-d7(g7) a7-b8(b3)
";

fn amazons() -> Place {
    let place = Place::new();
    place.write("games.txt", GAMES);
    place.ask(&["ingest", "games.txt"]);
    place
}

#[test]
fn pages_and_reports_name_white_and_black() {
    let place = amazons();
    let server = Server::start(&place, "home", &[]);
    let games = server.page("/games");
    assert!(games.contains(">White</th>") && games.contains(">Black</th>"), "{games}");
    assert!(!games.contains("gold") && !games.contains("silver"), "{games}");
    let number = place.ask(&["query", "SELECT game_id FROM games WHERE gold = 'Ada'"]);
    let number = number.lines().last().unwrap();
    assert!(server.page(&format!("/game/{number}")).contains("end: White by resignation"));
    let explorer = server.page("/explore?game=amazons");
    assert!(explorer.contains("White won") && !explorer.contains("Gold won"), "{explorer}");
    assert!(explorer.contains("<option value=\"silver\">Black</option>"), "{explorer}");

    let career = place.ask(&["player", "show", "Ada", "--format", "text"]);
    assert!(career.contains("White") && !career.contains("gold") && !career.contains("silver"), "{career}");
    let won = |result: &str| {
        place.ask_json(&["game", "list", "--result", result, "--json"]).as_array().unwrap().len()
    };
    assert_eq!((won("white"), won("black"), won("gold")), (1, 1, 1));
}

#[test]
fn the_kind_of_the_games_is_named_where_arimaa_is_the_default() {
    let place = amazons();
    for words in [
        &["rating", "list", "--unrated"][..],
        &["rating", "compare", "--unrated"],
        &["player", "rating", "Ada", "--unrated"],
        &["rating", "verify"],
    ] {
        let run = place.run(words);
        assert!(run.status == 2 && run.talk.contains("`--game amazons`"), "{words:?}: {run:?}");
        let run = place.run(&[words, &["--game", "amazons"]].concat());
        assert!(!run.talk.contains("--game"), "{words:?}: {run:?}");
    }
    for (words, command) in [
        (&["game", "explore"][..], "annals game explore --game amazons"),
        (&["study", "run", "careers"], "annals study run careers --param game=amazons"),
    ] {
        let run = place.run(words);
        assert!(run.status == 0 && run.talk.contains(command), "{words:?}: {run:?}");
    }
    let careers = ["study", "run", "careers", "--param", "game=amazons", "--param", "most=1"];
    let run = place.run(&careers);
    assert!(run.out.lines().count() == 2 && !run.talk.contains("--param"), "{run:?}");
    // A study of the games that there are does not advise itself.
    let none = "-- title = \"None\"\n-- question = \"None?\"\n-- param = [\n--   { name = \"game\", kind = \"text\", \
        default = \"arimaa\", meaning = \"which game\" },\n-- ]\n\nSELECT gold FROM games WHERE game = $game AND plies < 0\n";
    place.write("none.sql", none);
    let run = place.run(&["study", "run", "none.sql", "--param", "game=amazons"]);
    assert!(run.talk.contains("the result has no rows") && !run.talk.contains("of the kind"), "{run:?}");
    let run = place.run(&["study", "run", "growth", "--param", "game=chess"]);
    assert!(run.status == 2 && run.talk.contains("arimaa or amazons is expected"), "{run:?}");

    let server = Server::start(&place, "home", &[]);
    assert!(server.page("/player/Ada").contains("<option value=\"amazons\" selected>"));
    let other = server.page("/player/Ada?system=elo&game=arimaa");
    assert!(other.contains("no game that is selected is one of Ada") && other.contains("Career"), "{other}");
    assert!(server.page("/study/growth").contains("<option value=\"arimaa\" selected>"));
    assert_eq!(server.get("/study/growth?game=chess").status, 400);
}

#[test]
fn a_home_with_a_dataset_and_no_log_is_not_damaged() {
    let place = amazons();
    let doctor = place.ask(&["doctor"]);
    assert!(doctor.contains("there is no log to check") && doctor.contains("`annals game list`"), "{doctor}");
    for words in [&["game", "show", "foo"][..], &["tournament", "standings", "cup"]] {
        let run = place.run(words);
        assert!(run.status == 2 && run.talk.contains("there is no log"), "{words:?}: {run:?}");
        assert!(run.talk.contains("`annals game list` lists the games of the dataset"), "{words:?}: {run:?}");
    }
    let run = place.run(&["player", "record", "Ada"]);
    assert!(run.status == 2 && run.talk.contains("there is no log"), "{run:?}");
    assert!(run.talk.contains("hint: `annals player show Ada` shows the games of the dataset"), "{run:?}");
    assert!(place.ask(&["player", "show", "Ada"]).contains("Ada"));
    // The pages of a log are not offered; the others are there.
    let server = Server::start(&place, "home", &[]);
    for page in ["/", "/games", "/tournaments"] {
        let page = server.get(page).body;
        let links = page.split("<nav aria-label=\"Parts\">").nth(1).unwrap().split("</nav>").next().unwrap();
        assert!(!links.contains("/tournaments") && !links.contains("/log"), "{links}");
        let links = links.split("href=\"").skip(1).map(|link| link.split('"').next().unwrap());
        let links: Vec<&str> = links.collect();
        assert!(links.len() >= 5, "{links:?}");
        for link in links {
            assert_eq!(server.get(link).status, 200, "{link}");
        }
    }
    let logged = Place::new();
    logged.ask(&["log", "init", "--actor", "omar"]);
    let server = Server::start(&logged, "home", &[]);
    let page = server.page("/");
    assert!(page.contains("This home has no dataset."));
    assert!(page.contains("href=\"/tournaments\"") && page.contains("href=\"/log\""), "{page}");
}

#[test]
fn doctor_of_an_empty_folder_names_what_makes_a_home() {
    let place = Place::new();
    let run = place.run(&["doctor"]);
    assert!(run.status == 2 && run.out.is_empty(), "{run:?}");
    for said in ["there is no log", "there is nothing to check", "`annals demo`", "`annals log init`"] {
        assert!(run.talk.contains(said), "{said}: {run:?}");
    }
    assert!(!run.talk.contains("damage"), "{run:?}");
    // A log that is gone is damage where its anchor is left.
    place.ask(&["log", "init", "--actor", "omar"]);
    for file in ["home/log.db", "home/log.db-wal", "home/log.db-shm"] {
        let _ = std::fs::remove_file(place.path(file));
    }
    let run = place.run(&["doctor", "--no-probe"]);
    assert!(run.status == 1 && run.out.contains("damage"), "{run:?}");
}

#[test]
fn a_file_of_a_report_has_a_title() {
    let place = amazons();
    for (words, title) in [
        (&["player", "show", "Ada"][..], "Ada: career"),
        (&["rating", "list", "--game", "amazons", "--unrated"], "Ratings"),
        (&["game", "explore", "--game", "amazons"], "Turns played from a position"),
        (&["schema", "tables", "games"], ""),
    ] {
        let html = place.ask(&[words, &["--format", "html"]].concat());
        assert!(html.contains(&format!("<h1>{title}")) && !html.contains("<h1></h1>"), "{words:?}: {html}");
        let markdown = place.ask(&[words, &["--format", "markdown"]].concat());
        assert!(markdown.starts_with(&format!("# {title}")) && !markdown.starts_with("# \n"), "{markdown}");
    }
    let run = place.run(&["player", "show", "Ada", "--format", "csv", "-o", "-"]);
    assert!(run.status == 2 && run.talk.contains("`-` is not the name of an output file"), "{run:?}");
}
