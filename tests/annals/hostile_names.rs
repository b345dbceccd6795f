//! Names that are markup, a path, the ending of a file, the identity of somebody else, or 10,000 letters: each link of a player leads
//! to that player, and no name widens a page.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::browsing_pages::OUTSIDE;
use crate::program::Place;
use crate::server::Server;
use crate::site::values;

/// Identities with their names. Those without a letter are valid identities too.
fn players() -> Vec<(&'static str, String)> {
    let named = |identity, name: &str| (identity, name.to_owned());
    vec![
        named("p1", "<script>alert(1)</script>"),
        ("p2", "L".repeat(10_000)),
        named("p3", "\u{202e}<svg onload=alert(1)>txet\u{202c}"),
        named("q1", "p1"),
        named("q2", "Twin"),
        named("q3", "Twin"),
        named("q4", ".."),
        named("q5", ".json"),
        named("q6", "x.svg"),
        named("..", "Dots"),
        named("a.csv", "a/b?c=d&e#f"),
        named("bye", "~.."),
        named("last", "é & co"),
    ]
}

/// A tournament of these players: one round with its games, the last player has a bye.
fn recorded() -> Place {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2015-02-01", "--actor", "omar"]);
    let players = players();
    let event = |stream: &str, kind: &str, at: &str, payload: Value| json!({ "stream": stream, "type": kind, "effective_at": at, "payload": payload });
    let cup = "tournament/names";
    let mut events = vec![event(
        cup,
        "tournament.announced",
        "2015-02-10T12:00",
        json!({
            "directors": ["Omar"], "edition": 1, "fund": 10_000, "currency": "USD", "game": "arimaa", "name": "Names",
            "options": {}, "rulebook": "house-rules", "schedule": [], "stages": [{ "stage": "round_robin", "rounds": 3 }],
        }),
    )];
    for (player, name) in &players {
        let payload = json!({ "kind": "human", "name": name, "player": player });
        events.push(event(cup, "tournament.player_registered", "2015-02-12T09:00", payload));
    }
    let pairs: Vec<&[(&str, String)]> = players.chunks_exact(2).collect();
    let pair = |(board, pair): (usize, &&[(&str, String)])| json!({ "board": board + 1, "upper": pair[0].0, "lower": pair[1].0, "upper_side": "gold" });
    let byes = [json!({ "player": players.last().unwrap().0, "half_points": 2 })];
    let paired = json!({
        "round": 1, "stage": "round_robin", "byes": byes, "pairs": pairs.iter().enumerate().map(pair).collect::<Vec<_>>(),
    });
    events.push(event(cup, "tournament.round_paired", "2015-02-28T12:00", paired));
    for (board, pair) in (1..).zip(&pairs) {
        let (pairing, game) = (format!("r1.{board}"), format!("names.r1.{board}"));
        let started = json!({ "game": game, "pairing": pairing, "round": 1 });
        events.push(event(cup, "tournament.round_started", "2015-03-01T18:00", started));
        let started = json!({
            "game": "arimaa", "pairing": game, "rated": false, "gold": { "name": pair[0].1 }, "silver": { "name": pair[1].1 },
        });
        events.push(event(&format!("game/{game}"), "game.started", "2015-03-01T18:00", started));
        let ended = json!({ "termination": "resignation", "winner": "gold" });
        events.push(event(&format!("game/{game}"), "game.ended", "2015-03-01T19:00", ended));
        let result =
            json!({ "game": game, "outcome": "gold", "pairing": pairing, "termination": "resignation" });
        events.push(event(cup, "tournament.result_recorded", "2015-03-01T19:05", result));
    }
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    place.write("events.jsonl", lines.join("\n"));
    place.ask(&["log", "append", "events.jsonl", "--actor", "omar", "--at", "2015-03-02"]);
    place
}

/// The same page as JSON.
fn as_json(link: &str) -> String {
    match link.split_once('?') {
        Some((path, query)) => format!("{path}.json?{query}"),
        None => format!("{link}.json"),
    }
}

/// The identities of the players to whom the links of a page lead.
fn led_to(server: &Server, page: &str) -> BTreeSet<String> {
    let links = values(page, "href").into_iter().filter(|link| link.starts_with("/player"));
    let links = links
        .filter(|link| !link.starts_with("/players") && !link.split('?').next().unwrap().ends_with(".json"));
    links
        .map(|link| {
            assert_eq!(server.get(&link).status, 200, "{link}");
            let record = &server.json(&as_json(&link))["record"]["player"];
            record.as_str().unwrap_or_else(|| panic!("{link}: {record}")).to_owned()
        })
        .collect()
}

#[test]
fn every_link_of_a_player_leads_to_that_player() {
    let place = recorded();
    let server = Server::start(&place, "home", &[]);
    let all: BTreeSet<String> = players().iter().map(|(identity, _)| (*identity).to_owned()).collect();
    for path in [
        "/tournament/names",
        "/tournament/names/crosstable",
        "/tournament/names/rounds",
        "/tournament/names/overview",
        "/players",
    ] {
        assert_eq!(led_to(&server, &server.page(path)), all, "{path}");
    }
    let in_games = all.iter().filter(|identity| *identity != "last").cloned().collect();
    assert_eq!(led_to(&server, &server.page("/tournament/names/games")), in_games);
    for (board, pair) in (1..).zip(players().chunks_exact(2)) {
        let page = server.page(&format!("/game/names.r1.{board}"));
        let players = pair.iter().map(|(identity, _)| (*identity).to_owned()).collect();
        assert_eq!(led_to(&server, &page), players, "board {board}");
    }
    // The opponent of a player, and each of two players with the name that is searched.
    assert_eq!(led_to(&server, &server.page("/player/q5")), BTreeSet::from(["q4".to_owned()]));
    let twins = BTreeSet::from(["q2".to_owned(), "q3".to_owned()]);
    assert_eq!(led_to(&server, &server.page("/search?q=Twin")), twins);

    // A name is not an identity: the dataset knows games by names only.
    place.ask(&["ingest", "--log"]);
    assert_eq!(server.json("/player/p1.json")["record"]["player"], "p1");
    let named = server.json("/player.json?name=p1");
    assert_eq!((&named["record"]["player"], &named["career"]["name"]), (&json!("q1"), &json!("p1")));
    assert_eq!(server.json("/player/q1.json")["career"]["name"], "p1");
    assert_eq!(server.json("/player.json?name=..")["record"]["player"], "q4");
    // The career of the name, and a link to each of its players.
    let twin = values(&server.page("/player?name=Twin"), "href");
    assert!(twin.contains("/player/q2") && twin.contains("/player/q3"), "{twin:?}");
    for link in values(&server.page("/players"), "href").iter().filter(|link| link.starts_with('/')) {
        assert_eq!(server.get(link).status, 200, "{link}");
    }
    let none = server.get("/player?name=nobody");
    assert!(none.status == 404 && none.body.contains("nobody"), "{none:?}");
    assert_eq!(server.get("/player").status, 404);
}

#[test]
fn a_browser_follows_these_links_and_no_name_widens_a_page() {
    let Some(browser) = Browser::start() else { return };
    let place = recorded();
    place.ask(&["ingest", "--log"]);
    let server = Server::start(&place, "home", &[]);
    let open = |path: &str| browser.open(&format!("http://{}{path}", server.address));
    for (name, identity) in [("..", "q4"), ("Dots", ".."), (".json", "q5"), ("x.svg", "q6"), ("p1", "q1")] {
        open("/tournament/names");
        browser.click_words(name);
        browser.wait("location.pathname.startsWith('/player/')");
        let heading = browser.text("document.querySelector('h2').textContent");
        assert_eq!(heading, format!("{name} ({identity}): record, as known now"));
    }
    browser.size(320, 640);
    for path in [
        "/players",
        "/player/p1",
        "/player/p2",
        "/player/p3",
        "/player?name=Twin",
        "/search?q=LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL",
        "/tournament/names",
        "/tournament/names/crosstable",
        "/tournament/names/rounds",
        "/tournament/names/history",
        "/tournament/names/overview",
        "/tournament/names/games",
        "/tournament/names/ledger",
        "/tournament/names/changes?since_as_of=2015-02-11",
        "/game/names.r1.1",
        "/games",
        "/log",
        "/log/3",
    ] {
        open(path);
        assert_eq!(browser.script(OUTSIDE, &[]), json!([false, []]), "{path}");
    }
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
fn a_site_has_a_page_for_each_of_these_players() {
    let place = recorded();
    place.ask(&["site", "--moments", "none", "-o", "public"]);
    let read = |path: &str| std::fs::read_to_string(place.path(&format!("public/{path}"))).unwrap();
    for page in ["tournament/names/standings.html", "tournament/names/games.html", "game/names.r1.3.html"] {
        let links: BTreeSet<String> =
            values(&read(page), "href").into_iter().filter(|link| link.contains("/player/")).collect();
        let of = |link: &String| {
            let file = link.trim_start_matches("../").replace(".html", ".json");
            let page: Value = serde_json::from_str(&read(&file)).unwrap();
            page["record"]["player"].as_str().unwrap().to_owned()
        };
        let found: BTreeSet<String> = links.iter().map(of).collect();
        let players: BTreeSet<String> = match page {
            "game/names.r1.3.html" => ["q2", "q3"].map(str::to_owned).into(),
            _ => players().iter().map(|(identity, _)| (*identity).to_owned()).collect(),
        };
        assert!(found.is_superset(&players) || page.contains("games"), "{page}: {found:?}");
        assert_eq!(found.len(), links.len(), "{page}: {links:?}");
    }
}
