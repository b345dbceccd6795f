//! One error of each kind, as the user sees it at 80 columns: what and where, the reason, the state that is left, the next command.

use std::fmt::Write as _;

use regex::Regex;

use crate::damaged::altered;
use crate::old_datasets::old;
use crate::program::Place;
use crate::refusals::paired;
use crate::tournament::recorded;

/// The columns of the terminal.
const COLUMNS: usize = 80;

/// Lines as a terminal folds them.
fn folded(text: &str) -> String {
    let fold = |line: &str| {
        let characters: Vec<char> = line.chars().collect();
        let rows = characters.chunks(COLUMNS).map(|row| row.iter().collect::<String>());
        rows.collect::<Vec<_>>().join("\n") + "\n"
    };
    text.lines().map(fold).collect()
}

/// The errors of commands, which print nothing else.
fn errors(place: &Place, commands: &[&[&str]]) -> String {
    let hash = Regex::new("[0-9a-f]{64}").unwrap();
    let mut text = String::new();
    for words in commands {
        let run = place.run(words);
        assert!((run.status == 1 || run.status == 2) && run.out.is_empty(), "{words:?}: {run:?}");
        write!(
            text,
            "$ annals {}\n{}exit status {}\n\n",
            words.join(" "),
            folded(&hash.replace_all(&run.talk, "HASH")),
            run.status
        )
        .unwrap();
    }
    text
}

#[test]
fn each_kind_of_error_reads_well_at_80_columns() {
    let empty = Place::new();
    empty.write("empty.jsonl", "");
    let mut text = errors(
        &empty,
        &[
            &["log", "head"],
            &["log", "verify"],
            &["query", "SELECT 1"],
            &["learn", "train", "--output", "net"],
            &["log", "append", "empty.jsonl", "--actor", "omar"],
            &["log", "append", "missing.jsonl", "--actor", "omar"],
            &["query", "-f", "missing.sql"],
            &["log", "import", "missing.txt", "--actor", "omar"],
            &[
                "engine",
                "evaluate",
                "--evaluator",
                "anals",
                "g [rrrrrrrrhdcmecdh                                RRRRRRRRHDCMECDH]",
            ],
            &["synthesize", "-o", "large.txt"],
            &["synthesize", "-o", "large.txt", "--size", "1XB"],
            &["synthesize", "-o", "none/large.txt", "--games", "1"],
        ],
    );

    let place = Place::new();
    recorded(&place);
    place.grow("games.txt", 4, 1);
    place.ask(&["ingest", "games.txt"]);
    place.write("kept.csv", "kept");
    place.write("line.jsonl", "{\"stream\":\"people/omar\"}\n");
    place.write(
        "late.jsonl",
        r#"{"stream":"people/omar","type":"people.player_known","effective_at":"2035-01-01T00:00:00Z","payload":{"kind":"human","name":"Omar","player":"omar"}}"#,
    );
    place.write("cup.txt", "player anna 1500\nplayer bela 1400\nround 1\ngame anna bela winner\n");
    text += &errors(
        &place,
        &[
            &["replay", "spring-2105"],
            &["replay", "zzz"],
            &["replay", "people/../x"],
            &["log", "show", "--type", "rulling_given"],
            &["tournament", "show", "spring-2105"],
            &["tournament", "explain", "spring-2015", "round"],
            &["tournament", "entry", "withdraw", "spring-2015", "annna", "--actor", "omar"],
            &["tournament", "round", "pair", "spring-2015", "--actor", "omar"],
            &["tournament", "game", "result", "spring-2015", "r9.1", "gold", "--actor", "omar"],
            &["tournament", "announce", "other", "--rulebook", "wcc-2051", "--actor", "omar"],
            &["tournament", "announce", "spring-2015", "--rulebook", "wcc-2015", "--actor", "omar"],
            &[
                "tournament", "import", "state", "cup.txt", "--rulebook", "wc-2009", "--as", "cup",
                "--actor", "omar",
            ],
            &["log", "append", "line.jsonl", "--actor", "omar"],
            &["log", "import", "line.jsonl", "--actor", "omar"],
            &["log", "append", "late.jsonl", "--actor", "omar"],
            &["log", "append", "late.jsonl", "--actor", "omar", "--expect", "tournament/spring-2015=1"],
            &["log", "init", "--actor", "omar"],
            &["log", "prove", "99999"],
            &["log", "prove", "--since", "x"],
            &["replay", "spring-2015", "--as-of", "yesterday"],
            &["replay", "spring-2015", "--as-of", "round:9"],
            &["tournament", "entry", "add", "spring-2015", "zoe", "--at", "soon", "--actor", "omar"],
            &["replay", "spring-2015", "--tz", "Mars"],
            &["log", "export", "-o", "kept.csv"],
            &["query", "SELECT 1", "-o", "kept.csv"],
            &["study", "run", "growth", "--data", "rows.doc"],
            &["query", "SELECT plyaers FROM games"],
            &["query", "SELECT * FROM gmaes"],
            &["query", "DROP TABLE games"],
            &["schema", "tables", "gmaes"],
            &["study", "run", "growht"],
            &["study", "run", "growth", "--param", "x=1"],
            &["game", "show", "77"],
            &["player", "show", "nobody_at_all"],
            &["engine", "selfplay", "--games", "1", "--gold", "dpeth=2", "--silver", "depth=2"],
            &["game", "explore", "1", "--turn", "99w"],
        ],
    );

    let ruled = Place::new();
    paired(&ruled);
    text += &errors(
        &ruled,
        &[
            &["tournament", "game", "result", "open-2009", "r1.9", "gold", "--actor", "omar"],
            &["tournament", "round", "pair", "open-2009", "--actor", "omar"],
            &["tournament", "entry", "add", "open-2009", "zoe", "--actor", "omar"],
        ],
    );

    altered(&place);
    text += &errors(
        &place,
        &[
            &["log", "head"],
            &["replay", "spring-2015"],
            &["tournament", "round", "pair", "spring-2015", "--actor", "omar"],
            &["log", "backup", "copy.db"],
        ],
    );

    text += &errors(&old(), &[&["query", "SELECT 1"]]);
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("errors", text.trim_end());
    });
}
