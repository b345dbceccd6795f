//! Lots and coins are drawn again without the program, by the Python of the document alone.

use std::process::Command;

use crate::director::Director;
use crate::program::Place;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/tournaments.md");

fn block(language: &str) -> String {
    block_of(PAGE, "## Lots and coins", language)
}

/// The first block of a page in a language, after a heading.
pub fn block_of(page: &str, heading: &str, language: &str) -> String {
    let page = std::fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once(heading).unwrap();
    let (_, block) = section.split_once(&format!("```{language}\n")).unwrap();
    block.split("```").next().unwrap().to_owned()
}

/// What Python prints for a text; none, with a note, without Python.
pub fn python(text: &str) -> Option<String> {
    let output = match Command::new("python3").args(["-c", text]).output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("skipped: python3 cannot be run ({error})");
            return None;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_recipe_of_the_document_draws_the_lots_and_coins_of_the_program() {
    let place = Place::new();
    let director = Director::opened(&place, "open", "2008-11-01");
    director.does("2008-12-01", "announce --rulebook wc-2009 --published --director omar --year 2009");
    let players = ["anna", "bela", "cara", "dora", "emil"];
    for player in players {
        director.does("2008-12-20", &format!("entry add {player} --rating 2000"));
    }
    director.does("2009-01-04T18:00", "round declare");
    let seed = "the closing numbers, ½";
    director.does("2009-01-04T19:00", &format!("round draw-lots --seed \"{seed}\""));
    director.does("2009-01-04T20:00", "round pair --seed \"coins 1\"");

    let (drawn, coins) = (&director.events("lots_drawn")[0], director.events("colour_drawn"));
    assert!(!coins.is_empty(), "no coin was needed");
    let mut text = block("python");
    let mut expected = Vec::new();
    for lot in drawn["lots"].as_array().unwrap() {
        text += &format!("print(lots(\"{seed}\", 1, {players:?})[{}])\n", lot["player"]);
        expected.push(lot["number"].to_string());
    }
    assert_eq!(expected.len(), players.len());
    for (coin, (gold, silver)) in coins.iter().zip(director.games(1)) {
        text += &format!("print(gold(\"coins 1\", 1, {silver:?}, {gold:?}))\n");
        expected.push(coin["gold"].as_str().unwrap().to_owned());
    }
    let Some(printed) = python(&text) else { return };
    let own = block("text").lines().count();
    assert_eq!(printed.lines().skip(own).collect::<Vec<_>>(), expected);
}

#[test]
fn the_python_of_the_document_prints_what_the_document_shows() {
    if let Some(printed) = python(&block("python")) {
        assert_eq!(printed, block("text"));
    }
}
