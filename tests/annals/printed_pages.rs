//! Games as HTML documents: boards as pictures, links to them, and the rules for paper.

use std::collections::BTreeSet;

use crate::program::Place;

const AMAZONS: &str = "White: Ada\nBlack: Bela\n\n1. d1-d7(g7) a7-b8(b3)\n2. g1-g4(g1)\n";

fn place_with_a_game() -> Place {
    let place = Place::new();
    place.write("one.moves", AMAZONS);
    place
}

/// The values of an attribute.
fn values<'h>(html: &'h str, attribute: &str) -> BTreeSet<&'h str> {
    html.split(&format!(" {attribute}=\"")).skip(1).filter_map(|after| after.split('"').next()).collect()
}

#[test]
fn a_game_as_html_has_a_picture_of_each_board_and_links_to_each() {
    let place = place_with_a_game();
    let html = place.ask(&["game", "show", "@one.moves", "--all-boards", "--format", "html"]);
    assert_eq!((html.matches("<svg").count(), html.matches("</svg>").count()), (4, 4), "{html}");
    let labels = ["1w", "1b", "2w", "2b"].map(|label| format!("turn-{label}"));
    let targets: BTreeSet<&str> = labels.iter().map(String::as_str).collect();
    assert_eq!(values(&html, "id"), targets);
    let links: BTreeSet<&str> =
        values(&html, "href").into_iter().map(|link| link.trim_start_matches('#')).collect();
    assert_eq!(links, targets);
    assert!(html.contains("\n1w d1-d7(g7)\n") && html.contains("\n2b: Black to move\n"), "captions: {html}");
    // The same boards as text for readers without pictures.
    assert!(html.contains("aria-label=\"1w\n    +---------------------+\n"), "{html}");
    let end = place.ask(&["game", "show", "@one.moves", "--format", "html"]);
    let turn = place.ask(&["game", "show", "@one.moves", "--turn", "1b", "--format", "html"]);
    assert_eq!((end.matches("<svg").count(), turn.matches("<svg").count()), (1, 1));
    assert!(turn.contains("\n1b a7-b8(b3)\n"), "{turn}");
    let text = place.ask(&["game", "show", "@one.moves", "--all-boards", "--format", "text"]);
    let markdown = place.ask(&["game", "show", "@one.moves", "--all-boards", "--format", "markdown"]);
    for text in [text, markdown] {
        assert!(!text.contains("<svg") && text.matches("+---------------------+").count() == 8, "{text}");
    }
}

#[test]
fn a_replayed_game_is_written_in_each_format() {
    let place = place_with_a_game();
    place.ask(&["log", "import", "--actor", "omar", "one.moves"]);
    let log = place.ask_json(&["replay", "log", "--json"]);
    assert_eq!(log["view"], "log");
    place.ask(&["replay", "@one.moves", "--turn", "2w", "-o", "game.html"]);
    let html = std::fs::read_to_string(place.path("game.html")).unwrap();
    assert_eq!(html.matches("<svg").count(), 1, "{html}");
    assert!(html.contains("\nWhite to move\n"), "{html}");
    let csv = place.ask(&["replay", "@one.moves", "--format", "csv"]);
    assert!(csv.starts_with("name,value\nWhite,Ada\nBlack,Bela\n"), "{csv}");
    place.ask(&["replay", "log", "-o", "log.json"]);
    let file: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(place.path("log.json")).unwrap()).unwrap();
    assert_eq!(file, log);
    let again = place.run(&["replay", "log", "-o", "log.json"]);
    assert_eq!(again.status, 2, "{}", again.talk);
    assert!(again.talk.contains("--force"), "{}", again.talk);
    let unnamed = place.run(&["replay", "log", "-o", "log.pdf"]);
    assert_eq!((unnamed.status, unnamed.talk.contains("`--format csv`")), (2, true), "{}", unnamed.talk);
}

#[test]
fn html_has_rules_for_paper() {
    let place = place_with_a_game();
    let html = place.ask(&["game", "show", "@one.moves", "--format", "html"]);
    let (_, print) = html.split_once("@media print{").unwrap();
    for rule in [
        "color:#000!important",
        "thead{display:table-header-group}",
        "tr,figure,dl{break-inside:avoid}",
        "::after{content:' (' attr(href) ')'}",
    ] {
        assert!(print.contains(rule), "{rule}");
    }
    // A fixed size of paper would clip on the other one.
    assert!(!html.contains("size:A4") && !html.contains("size:letter"));
}

#[test]
fn lists_and_comparisons_are_written_in_each_format() {
    let place = place_with_a_game();
    place.ask(&["log", "import", "--actor", "omar", "one.moves"]);
    for words in [&["diff", "seq:1", "seq:2"][..], &["study", "list"], &["schema", "tables", "games"]] {
        let json = place.ask_json(&[words, &["--json"]].concat());
        assert!(json.is_array() || json.is_object(), "{words:?}");
        let html = place.ask(&[words, &["--format", "html"]].concat());
        assert!(html.starts_with("<!DOCTYPE html>") && html.contains("</html>"), "{words:?}: {html}");
        let file = format!("{}.csv", words[0]);
        place.ask(&[words, &["-o", &file]].concat());
        let csv = std::fs::read_to_string(place.path(&file)).unwrap();
        assert_eq!(csv, place.ask(&[words, &["--format", "csv"]].concat()), "{words:?}");
        assert!(csv.contains(','), "{words:?}: {csv}");
    }
}
