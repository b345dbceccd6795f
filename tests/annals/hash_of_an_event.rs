//! The hash of an event is computed again without the program, by the Python of the document alone.

use crate::director::Director;
use crate::drawing_lots::{block_of, python};
use crate::program::Place;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/evidence.md");

fn block(language: &str) -> String {
    block_of(PAGE, "## The hash of an event", language)
}

#[test]
fn the_python_of_the_document_prints_the_hashes_that_the_document_shows() {
    if let Some(printed) = python(&block("python")) {
        assert_eq!(printed, block("text"));
    }
}

#[test]
fn the_recipe_of_the_document_computes_every_hash_of_an_exported_log() {
    let place = Place::new();
    let director = Director::opened(&place, "open", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --director \"Omar ½, \u{7f} \\payload\"");
    director.does("2008-12-20", "entry add anna --rating 2000 --name \"Anna \u{e9}\t/\"");
    let export = place.ask(&["log", "export"]);
    let head = place.ask(&["log", "head"]);
    let log = head.split("log=").nth(1).unwrap().split(' ').next().unwrap();
    place.write("log.jsonl", &export);
    let hashes: Vec<String> = export
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["hash"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(hashes.len(), 4);
    let file = place.path("log.jsonl");
    let more = format!(
        "previous = genesis({log:?})\n\
         for line in open({file:?}, encoding='utf-8', newline='\\n'):\n    \
         previous = event_hash(previous, line)\n    print(previous.hex())\n"
    );
    let Some(printed) = python(&(block("python") + &more)) else { return };
    let own = block("text").lines().count();
    assert_eq!(printed.lines().skip(own).collect::<Vec<_>>(), hashes);
}
