//! CSV of every command with a report: one table, whose rows all have the fields of its head, each with a name of its own.

use std::collections::BTreeSet;

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;
use crate::tournament::recorded;

fn home() -> Place {
    let place = Place::new();
    recorded(&place);
    let moves = format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w");
    let rows = [header(), row("5", &moves), row("6", &moves)];
    place.write("games.txt", rows.join("\n"));
    place.ask(&["ingest", "games.txt"]);
    place
}

/// The commands, and for those of one table the first columns.
const REPORTS: &[(&[&str], &str)] = &[
    (&["game", "show", "5"], "turn,"),
    (&["game", "show", "spring-2015.r1.1"], "turn,used,gold_reserve,"),
    (&["game", "show", "5", "--turn", "2w"], "name,value\n"),
    (&["game", "show", "5", "--all-boards"], "name,value\n"),
    (&["game", "explore"], "played,share,"),
    (&["game", "explore", "5", "--turn", "2w"], "played,share,"),
    (&["game", "list"], ""),
    (&["player", "show", "anna"], "by,name,games,won,"),
    (&["player", "record", "anna"], "opponent,name,"),
    (
        &["player", "rating", "anna", "--unrated", "--system", "whr"],
        "player,system,over,game,rating,error,low,high\n",
    ),
    (&["rating", "list", "--unrated"], "rank,player,"),
    (&["rating", "compare", "--unrated", "--systems", "elo", "whr"], "system,log_loss,log_loss_error,"),
    (&["rating", "verify"], "player,after_game,"),
    (&["tournament", "list"], ""),
    (&["tournament", "show", "spring-2015"], ""),
    (&["tournament", "standings", "spring-2015"], "rank,player,"),
    (&["tournament", "crosstable", "spring-2015"], ""),
    (&["tournament", "round", "list", "spring-2015"], ""),
    (&["tournament", "ruling", "list", "spring-2015"], ""),
    (&["tournament", "history", "spring-2015"], ""),
    (&["tournament", "entry", "show", "spring-2015", "anna"], ""),
    (&["tournament", "schedule", "notices", "spring-2015"], ""),
    (&["replay", "spring-2015"], ""),
    (&["replay", "game/spring-2015.r1.1"], ""),
    (&["replay", "people"], ""),
    (&["replay", "log"], ""),
    (&["diff", "spring-2015", "round:1", "now"], ""),
    (&["what-if", "spring-2015", "r2.1", "silver"], ""),
    (&["log", "show"], ""),
    (&["log", "head"], ""),
    (&["log", "verify"], ""),
    (&["doctor"], ""),
    (&["schema", "tables"], "table,column,type,"),
    (&["schema", "tables", "functions"], "call,gives,"),
    (&["schema", "events"], ""),
    (&["study", "list"], ""),
    (&["study", "run", "careers"], ""),
    (&["engine", "perft", "5", "--turn", "2w", "--depth", "1"], ""),
];

#[test]
fn csv_of_a_report_is_one_table() {
    let place = home();
    for (words, head) in REPORTS {
        let run = place.run(&[words, &["--format", "csv"][..]].concat());
        // A report of violations or mismatches has the status 1.
        assert!(run.status < 2, "{words:?}: {run:?}");
        assert!(run.out.starts_with(head), "{words:?}: {}", run.out);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(run.out.as_bytes());
        let rows: Result<Vec<csv::StringRecord>, csv::Error> = reader.records().collect();
        let rows = rows.unwrap_or_else(|error| panic!("{words:?}: {error}: {}", run.out));
        let names: BTreeSet<&str> = rows[0].iter().map(str::trim).collect();
        // A state has rows without heads.
        let has_head = rows[0].len() > 1 && words[0] != "replay";
        assert!(!has_head || names.len() == rows[0].len(), "{words:?}: {rows:?}");
    }
}

#[test]
fn a_setup_that_is_too_short_and_a_board_without_a_side_have_hints() {
    let place = home();
    let board = place.ask_json(&["game", "explore", "5", "--turn", "2w", "--json"])["board"].clone();
    for (position, hint) in
        [("Ra1 Rb1", "Gold's setup has sixteen placements"), (board.as_str().unwrap(), "`--side gold`")]
    {
        let run = place.run(&["game", "explore", position]);
        assert!(run.status == 2 && run.talk.contains(hint), "{run:?}");
    }
}

#[test]
fn figures_of_csv_are_in_full() {
    let place = home();
    let csv = place.ask(&["rating", "compare", "--unrated", "--systems", "elo", "--format", "csv"]);
    let json = place.ask_json(&["rating", "compare", "--unrated", "--systems", "elo", "--json"]);
    let loss: f64 = csv.lines().last().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert_eq!(Some(loss), json["systems"][0]["log_loss"]["mean"].as_f64(), "{csv}");
}
