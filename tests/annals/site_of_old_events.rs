//! `annals site` for events that were recorded long after they happened: by the end of their rounds nothing was recorded.

use serde_json::Value;

use crate::program::Place;
use crate::server::Server;

/// A tournament of 2006 with stated periods, recorded now.
pub const OLD: &str = r#"
{"stream":"people/ann","type":"people.player_known","payload":{"player":"ann","name":"Ann","kind":"human"},"effective_at":"2005"}
{"stream":"people/ghost","type":"people.player_known","payload":{"player":"ghost","name":"The Ghost","kind":"human"},"effective_at":"winter 2006"}
{"stream":"tournament/old","type":"tournament.announced","payload":{"name":"Old Evening","game":"amazons","rulebook":"club","edition":1,"year":2006,"directors":["Omar"],"options":{},"schedule":[],"stages":[],"fund":0},"effective_at":"2006"}
{"stream":"tournament/old","type":"tournament.player_registered","payload":{"player":"ann","name":"Ann","kind":"human"},"effective_at":"2006-05"}
{"stream":"tournament/old","type":"tournament.player_registered","payload":{"player":"ghost","name":"The Ghost","kind":"human"},"effective_at":"2006-05"}
{"stream":"tournament/old","type":"tournament.round_paired","payload":{"round":1,"stage":"round_robin","pairs":[{"board":1,"upper":"ann","lower":"ghost","upper_side":"gold"}],"byes":[]},"effective_at":"summer 2006"}
{"stream":"tournament/old","type":"tournament.round_started","payload":{"round":1,"pairing":"r1.1"},"effective_at":"summer 2006"}
{"stream":"tournament/old","type":"tournament.result_recorded","payload":{"pairing":"r1.1","outcome":"silver","termination":"immobilization"},"effective_at":"summer 2006"}
{"stream":"people/ann","type":"people.alias_declared","payload":{"player":"ann","alias":{"name":"Annie","account":1}},"effective_at":"2006-05"}
"#;

/// Records the old tournament.
pub fn recorded(place: &Place) {
    place.ask(&["log", "init", "--actor", "omar"]);
    place.write("old.jsonl", OLD);
    place.ask(&["log", "append", "old.jsonl", "--actor", "omar"]);
}

#[test]
fn a_site_has_old_tournaments_at_the_points_by_which_something_was_recorded() {
    let place = Place::new();
    recorded(&place);
    place.write("cup.state", "player ada 1900\nplayer bob 1800\ngame ada bob winner ada\n");
    place.ask(&[
        "tournament", "import", "state", "cup.state", "--as", "cup", "--date", "2010-03-01", "--actor",
        "omar",
    ]);
    for (moments, folder) in [("rounds", "rounds"), ("all", "all")] {
        place.ask(&["site", "--moments", moments, "-o", folder]);
        let is_there = |file: &str| place.path(folder).join("tournament").join(file).exists();
        for tournament in ["old", "cup"] {
            assert!(
                is_there(&format!("{tournament}/standings.as_of-round-1.html")),
                "{tournament}, {moments}"
            );
            let early = format!("{tournament}/standings.known_at-round-1.html");
            assert!(!is_there(&early), "nothing was recorded by then: {tournament}, {moments}");
        }
    }
    let page =
        std::fs::read_to_string(place.path("all/tournament/old/standings.as_of-round-1.html")).unwrap();
    assert!(page.contains("The Ghost") && page.contains("as of summer 2006, end of round 1"), "{page}");
}

#[test]
fn a_stated_period_is_shown_as_stated_in_every_view() {
    let place = Place::new();
    recorded(&place);
    for words in [&["round", "list", "old"][..], &["report", "old"]] {
        let shown = place.ask(&[&["tournament"], words].concat());
        assert!(shown.contains("started summer 2006"), "{words:?}: {shown}");
        assert!(!shown.contains("started 2006-06-01"), "{words:?}: {shown}");
    }
    let rounds = place.ask_json(&["tournament", "round", "list", "old", "--json"]);
    assert_eq!(rounds["rounds"][0]["started_stated"], "summer 2006");
    let standings = place.ask(&["tournament", "standings", "old", "--as-of", "round:1"]);
    assert!(standings.contains("as of summer 2006, end of round 1"), "{standings}");
    let server = Server::start(&place, "home", &[]);
    let page = server.page("/player/ghost");
    assert!(page.contains("winter 2006") && !page.contains("2005-12-01 00:00:00Z"), "{page}");
    assert_eq!(server.json("/player/ghost.json")["identity"][0]["at"], 1_133_395_200_000_000_i64);
}

#[test]
fn without_a_rulebook_players_level_on_points_have_one_rank_everywhere() {
    let place = Place::new();
    recorded(&place);
    // The Ghost has won a game, and Ann has a bye: a point each.
    let bye = r#"{"stream":"tournament/old","type":"tournament.round_paired","payload":{"round":2,"stage":"round_robin","pairs":[],"byes":[{"player":"ann","half_points":2}]},"effective_at":"fall 2006"}"#;
    place.write("bye.jsonl", bye);
    place.ask(&["log", "append", "bye.jsonl", "--actor", "omar"]);
    let ranks = |answer: &str, rows: &str| {
        let answer = place.ask_json(&["tournament", answer, "old", "--json"]);
        let row = |row: &Value| (row["player"].clone(), row["rank"].clone(), row["half_points"].clone());
        answer[rows].as_array().unwrap().iter().map(row).collect::<Vec<_>>()
    };
    assert_eq!(ranks("standings", "rows"), ranks("crosstable", "rows"));
    assert!(ranks("standings", "rows").iter().all(|(_, rank, points)| *rank == 1 && *points == 2));
}

#[test]
fn a_declared_alias_finds_its_player() {
    let place = Place::new();
    recorded(&place);
    let by_alias = place.ask_json(&["player", "record", "annie", "--json"]);
    assert_eq!(by_alias, place.ask_json(&["player", "record", "ann", "--json"]));
    let run = place.run(&["player", "record", "Annie", "--as-of", "2006-04"]);
    assert!(
        run.status == 2 && run.talk.contains("no player called `Annie`"),
        "before it was declared: {run:?}"
    );
    let server = Server::start(&place, "home", &[]);
    let found = server.get("/search?q=Annie");
    assert!(found.status == 303 && found.head.contains("location: /player/ann\r\n"), "{found:?}");
    assert_eq!(server.json("/player/Annie.json")["record"]["player"], "ann", "its page");

    // A name that two players have as an alias is found, and is ambiguous.
    let second = r#"{"stream":"people/ghost","type":"people.alias_declared","payload":{"player":"ghost","alias":{"name":"Annie","account":2}}}"#;
    place.write("second.jsonl", second);
    place.ask(&["log", "append", "second.jsonl", "--actor", "omar"]);
    let run = place.run(&["player", "record", "Annie"]);
    assert!(run.status == 2 && run.talk.contains("ann") && run.talk.contains("ghost"), "{run:?}");
}
