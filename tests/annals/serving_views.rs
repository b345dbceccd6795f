//! Views that have little to show, or are reached from an unusual place: the ledger, a study without a chart, a game before its
//! setups, a turn that an earlier time does not have, the players of a final, players of the log alone.

use serde_json::json;

use crate::program::Place;
use crate::server::{Server, demonstration};
use crate::site::values;
use crate::tournament::recorded;

#[test]
fn the_ledger_has_the_payments_and_sums_of_the_command_line() {
    let (place, server) = &*demonstration();
    let ledger = server.json("/tournament/cup/ledger.json");
    let report = place.ask_json(&["--home", "annals-demo", "tournament", "report", "cup", "--json"]);
    assert_eq!(ledger["ledger"], report["ledger"]);
    let lines = ledger["ledger"].as_array().unwrap();
    assert!(!lines.is_empty());
    for (what, sum) in ledger["paid"].as_object().unwrap() {
        let amounts =
            lines.iter().filter(|line| line["what"] == **what).filter_map(|line| line["amount"].as_u64());
        assert_eq!(amounts.sum::<u64>(), sum.as_u64().unwrap(), "{what}");
    }
    let shown = place.ask_json(&["--home", "annals-demo", "tournament", "show", "cup", "--json"]);
    for field in ["fund", "awarded", "fund_left", "currency"] {
        assert_eq!(ledger[field], shown[field], "{field}");
    }
    // Before the first payment, and from the menu.
    let none = server.page("/tournament/cup/ledger?known_at=seq:30");
    assert!(none.contains("no payment is recorded") || none.contains("announced"), "{none}");
    let menu = values(&server.page("/tournament/cup"), "href");
    assert!(menu.contains("/tournament/cup/ledger"), "{menu:?}");
    let page = server.page("/tournament/cup/ledger");
    assert!(page.contains("penalties") && !page.contains("penaltys"), "{page}");
    let players = values(&page, "href");
    assert!(players.iter().any(|link| link.starts_with("/player/")), "{players:?}");
}

#[test]
fn a_study_without_anything_to_draw_has_its_rows() {
    let (place, server) = &*demonstration();
    let rows = place.ask_json(&["--home", "annals-demo", "study", "run", "careers", "--json"]);
    assert!(!rows.as_array().unwrap().is_empty());
    assert_eq!(server.json("/study/careers.json")["rows"], rows);
    let page = server.page("/study/careers");
    assert!(page.contains("No chart: there is nothing to draw") && page.contains("<td"), "{page}");
    let picture = server.get("/study/careers.svg");
    assert!(picture.status == 404 && picture.body.contains("nothing to draw"), "{picture:?}");
}

#[test]
fn a_game_at_an_earlier_time_has_no_broken_picture_and_no_turn_that_it_lacks() {
    let (_, server) = &*demonstration();
    let game = server.json("/game/cup.r12.1.json");
    let started = game["game"]["started_at"].as_str().unwrap();
    for path in ["/game/cup.r12.1".to_owned(), format!("/game/cup.r12.1?as_of={started}")] {
        let page = server.page(&path);
        let pictures = values(&page, "src").into_iter().filter(|link| link.starts_with("/game/"));
        let pictures: Vec<String> = pictures.collect();
        assert_eq!(pictures.is_empty(), path.contains("as_of"), "{path}: {pictures:?}");
        assert!(pictures.iter().all(|picture| server.get(picture).status == 200), "{path}");
    }
    let last = game["game"]["turns"].as_array().unwrap().last().unwrap()["label"].as_str().unwrap();
    let page = server.page(&format!("/game/cup.r12.1?turn={last}&step=1&flip=1"));
    let times =
        values(&page, "href").into_iter().filter(|link| link.contains("_at=") || link.contains("as_of="));
    let times: Vec<String> = times.filter(|link| link.starts_with("/game/cup.r12.1?")).collect();
    assert!(!times.is_empty());
    for link in times {
        assert!(!link.contains("turn=") && !link.contains("step=") && link.contains("flip=1"), "{link}");
        assert_eq!(server.get(&link).status, 200, "{link}");
    }
    assert!(!page.contains("name=\"turn\"") && page.contains("name=\"flip\""), "the form of the times");
}

#[test]
fn a_board_whose_game_is_not_in_the_log_has_no_link() {
    let place = Place::new();
    recorded(&place);
    let server = Server::start(&place, "home", &[]);
    let page = server.page("/tournament/spring-2015/rounds");
    let games: Vec<String> =
        values(&page, "href").into_iter().filter(|link| link.starts_with("/game/")).collect();
    assert!(page.contains("r2.1"), "{page}");
    assert!(games.iter().all(|link| server.get(link).status == 200), "{games:?}");
    // That of the demonstration has all games.
    let (_, server) = &*demonstration();
    assert!(server.page("/tournament/cup/rounds").contains("/game/cup%20r1.1"));
}

#[test]
fn each_player_who_is_offered_for_a_round_has_an_answer() {
    let (_, server) = &*demonstration();
    let rounds = server.json("/tournament/cup/rounds.json");
    let rounds = rounds["rounds"].as_array().unwrap();
    let is_final = |round: &&serde_json::Value| round["stage"] == "final";
    for round in [&rounds[2], rounds.iter().find(is_final).unwrap()] {
        let path = format!("/tournament/cup/why/{}", round["round"]);
        let page = server.page(&path);
        let select = page.split("<select name=\"one\"").nth(1).unwrap().split("</select>").next().unwrap();
        let players: Vec<String> =
            values(select, "value").into_iter().filter(|player| !player.is_empty()).collect();
        assert!(players.len() > 1, "{path}: {players:?}");
        for other in &players[1..] {
            let asked = format!("{path}?one={}&other={other}", players[0]);
            assert_eq!(server.get(&asked).status, 200, "{asked}");
        }
    }
}

#[test]
fn every_player_of_the_log_is_reached_from_the_list() {
    let (_, server) = &*demonstration();
    let list = server.json("/players.json");
    let links = values(&server.page("/players"), "href");
    let players = list["players"].as_array().unwrap();
    assert!(players.len() > 10);
    for player in players {
        let link = format!("/player/{}", player["player"].as_str().unwrap());
        assert!(links.contains(&link), "{link}: {links:?}");
        assert_eq!(server.json(&format!("{link}.json"))["record"]["name"], player["name"]);
    }
    let entrants = server.json("/tournament/cup/overview.json");
    for entrant in entrants["entrants"].as_array().unwrap() {
        let known = json!({ "player": entrant["player"], "name": entrant["name"] });
        assert!(players.contains(&known), "{known}");
    }
}
