//! Pages of the record: pictures of the home and of ratings, the identity of a player, the games behind a number, verdicts by rule,
//! and names that are hostile.

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::server::{Server, demonstration};

#[test]
fn the_home_and_a_player_have_pictures_with_the_figures_of_the_program() {
    let (place, server) = &*demonstration();
    let months = server.get("/index.svg");
    assert!(
        months.head.contains("image/svg+xml") && months.body.contains("Games by month"),
        "{}",
        months.body
    );
    let home = server.json("/index.json");
    assert!(home["dataset"]["most_games"].as_array().is_some_and(|players| !players.is_empty()), "{home}");
    let picture = server.get("/player/annals-n3000.svg?system=whr");
    assert!(picture.status == 200 && picture.body.contains("Ratings over time"), "{}", picture.body);
    assert!(picture.body.contains("95 of 100 cases"), "the intervals: {}", picture.body);
    let options = server.page("/player/annals-n3000?system=whr+w2%3D14");
    assert!(options.contains("<option value=\"whr w2=14\" selected>"), "{options}");
    let asked = place.ask_json(&[
        "--home", "annals-demo", "player", "rating", "annals-n3000", "--system", "whr", "--json",
    ]);
    assert_eq!(server.json("/player/annals-n3000.json?system=whr")["rating"], asked);
    let refused = server.get("/player/annals-n3000.svg?system=nothing");
    assert!(refused.status == 400 && refused.body.contains("nothing"), "{}", refused.body);
}

#[test]
fn the_identity_of_a_player_names_the_events_that_record_it() {
    let (_, server) = &*demonstration();
    let player = server.json("/player/annals-n3000.json");
    let events = player["identity"].as_array().unwrap();
    assert!(!events.is_empty(), "{player}");
    for event in events {
        let seq = &event["seq"];
        let shown = server.json(&format!("/log/{seq}.json"));
        assert!(shown["event"]["stream"].as_str().unwrap().starts_with("people"), "{shown}");
    }
    let page = server.page("/player/annals-n3000");
    let first = &events[0]["seq"];
    assert!(page.contains(&format!("href=\"/log/{first}\"")), "{page}");
}

#[test]
fn the_career_of_a_page_names_the_games_that_rulings_set_aside() {
    let (place, server) = &*demonstration();
    let player = |name| place.run(&["--home", "annals-demo", "player", "show", name]);
    for name in ["annals-n3000", "annals-n6000"] {
        let note =
            player(name).talk.lines().find_map(|line| line.strip_prefix("note: game/").map(str::to_owned));
        let note = format!("game/{}", note.unwrap_or_else(|| panic!("no note about {name}")));
        let page = server.page(&format!("/player/{name}"));
        let career = page.split("Career in the dataset").nth(1).unwrap();
        assert!(note.contains("counts here; ruling") && career.contains(&note), "{note}: {career}");
    }
    assert!(!player("annals-n8000").talk.contains("counts here"));
    assert!(!server.page("/player/annals-n8000").contains("counts here"));
}

#[test]
fn the_games_behind_a_number_of_the_explorer_are_as_many_as_it() {
    let (_, server) = &*demonstration();
    let page = server.page("/explore");
    let explored = server.json("/explore.json");
    let choice = &explored["choices"][0];
    assert!(choice["first_year"].as_i64().is_some_and(|year| year > 2000), "{choice}");
    let mut links = page.split("href=\"/sql?q=").skip(1).map(|rest| rest.split('"').next().unwrap());
    let first = links.find(|link| link.contains("ply%20%3D%201")).unwrap();
    let games = server.json(&format!("/sql.json?q={first}"));
    assert_eq!(games["rows"].as_array().unwrap().len() as u64, choice["played"].as_u64().unwrap(), "{first}");
    assert!(page.contains("data-game=\"arimaa\"") && page.contains("src=\"/assets/explore.js\""), "{page}");
    let amazons = server.page("/explore?game=amazons");
    assert!(
        amazons.contains("data-board=\"...B..B...\u{2f}") && amazons.contains("data-game=\"amazons\""),
        "{amazons}"
    );
}

#[test]
fn verdicts_are_counted_by_rule_and_filtered() {
    let (_, server) = &*demonstration();
    let page = server.page("/tournament/cup/audit");
    assert!(page.contains("Verdicts by rule") && page.contains("The audit as text"), "{page}");
    assert!(page.contains("/tournament/cup/why/qualifier"), "{page}");
    let audit = server.json("/tournament/cup/audit.json");
    let verdicts: Vec<_> = audit["events"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|event| event["verdicts"].as_array().unwrap())
        .collect();
    let compliant = verdicts.iter().filter(|verdict| verdict["holds"] == "compliant").count();
    assert!(compliant > 0 && compliant <= verdicts.len(), "{}", verdicts.len());
    let rule = server.page("/tournament/cup/audit?verdict=compliant");
    assert!(
        rule.contains("<option value=\"compliant\" selected>") && rule.contains("<td>compliant</td>"),
        "{rule}"
    );
    let none = server.page("/tournament/cup/audit?rule=nothing");
    assert!(none.contains("no verdict is selected"), "{none}");
}

#[test]
fn hostile_names_are_text_on_every_page_and_no_page_is_heavy() {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "home");
    let long = "x".repeat(10_000);
    for (player, name) in [
        ("annals-n750", "<script>alert(1)</script>"),
        ("annals-n3000", "\u{202e}txt.exe\u{5d0}\u{5d1}"),
        ("annals-n8000", long.as_str()),
    ] {
        place.ask(&["player", "rename", player, name, "--actor", "omar"]);
    }
    let server = Server::start(&place, "home", &[]);
    for path in crate::serving::PAGES {
        let response = server.get(path);
        assert_eq!(response.status, 200, "{path}: {}", response.body);
        assert!(!response.body.contains("<script>alert"), "{path}");
        assert!(!response.body.contains('\u{202e}'), "{path} has a mark that turns text around");
        let packed = server.get_with(path, &["Accept-Encoding: gzip"]);
        assert!(packed.body.len() / 2 < crate::serving::HEAVIEST, "{path} has {} bytes", packed.body.len());
    }
    let player = server.page("/player/annals-n750");
    assert!(player.contains("&lt;script&gt;alert(1)"), "{player}");
    let turned = server.page("/player/annals-n3000");
    assert!(turned.contains("<bdi>") && turned.contains("\\u{202e}txt.exe"), "{turned}");
}
