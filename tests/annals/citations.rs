//! Citations and permanent identifiers, and the provenance in every exported file.

use std::fs;

use serde_json::Value;

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;
use crate::tournament::recorded;

/// The identifier at the end of a citation.
fn identifier(text: &str) -> String {
    let text = text.trim_end().trim_end_matches('.');
    text.rsplit(' ').next().unwrap().to_owned()
}

fn cited(place: &Place, words: &[&str]) -> String {
    identifier(&place.ask(&[&["cite"], words].concat()))
}

fn stored(place: &Place) {
    let moves = format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w");
    place.write("game.txt", header() + "\n" + &row("5", &moves).replace("\tanna\t", "\ta{n}n_a & \\co\t"));
    place.ask(&["ingest", "game.txt"]);
}

#[test]
fn a_citation_that_is_pasted_whole_is_found_with_the_punctuation_behind_it() {
    let place = Place::new();
    recorded(&place);
    stored(&place);
    for words in [
        &["tournament", "spring-2015"][..],
        &["tournament", "spring-2015", "--as-of", "round:1"],
        &["game", "spring-2015 r1.1"],
        &["game", "5"],
        &["dataset"],
    ] {
        let text = place.ask(&[&["cite"], words].concat());
        let pasted = text.trim_end().rsplit(' ').next().unwrap();
        assert!(pasted.ends_with('.'), "{text}");
        for behind in ["", ")", ";"] {
            let found = place.ask_json(&["cite", "resolve", &format!("{pasted}{behind}"), "--json"]);
            assert_eq!(found["identifier"], pasted.trim_end_matches('.'), "{words:?}");
        }
    }
    let other = cited(&place, &["game", "spring-2015 r1.1"]).replace("r1.1", "r9.9");
    let run = place.run(&["cite", "resolve", &other]);
    assert!(run.status == 1 && run.talk.contains("the log has no stream `game/spring-2015.r9.9`"), "{run:?}");
    assert!(!run.talk.contains("or has changed"), "{run:?}");
    let run = place.run(&["cite", "resolve", &format!("annals:dataset:{}x.", "a".repeat(64))]);
    assert!(run.status == 2 && run.talk.contains("aax` is not a valid identifier"), "{run:?}");
}

#[test]
fn what_is_cited_in_the_log_is_found_again_and_later_events_change_nothing() {
    let place = Place::new();
    recorded(&place);
    let all: Vec<String> = [
        &["tournament", "spring-2015"][..],
        &["tournament", "spring-2015", "--as-of", "round:1"],
        &["tournament", "spring-2015", "--known-at", "2015-03-09T10:00", "--as-of", "2015-03-08"],
        &["game", "spring-2015 r1.1"],
        &["event", "12"],
    ]
    .iter()
    .map(|words| cited(&place, words))
    .collect();
    assert!(all[1].ends_with(":spring-2015@round:1"), "{all:?}");
    assert!(all[2].ends_with(":spring-2015@2015-03-08T23:59:59.999999Z"), "{all:?}");
    place.ask(&["player", "rename", "anna", "Player 17", "--actor", "omar", "--at", "2015-04-01"]);
    for identifier in &all {
        let found = place.ask_json(&["cite", "resolve", identifier, "--json"]);
        assert_eq!(found["identifier"], identifier.as_str());
        // The command shows what was cited: the name of that time.
        let command = shlex::split(found["command"].as_str().unwrap()).unwrap();
        let words: Vec<&str> = command.iter().skip(1).map(String::as_str).collect();
        assert!(!place.ask(&words).contains("Player 17"), "{words:?}");
    }
    let text = place.ask(&["cite", "tournament", "spring-2015", "--as-of", "round:1"]);
    assert!(
        text.starts_with("Spring Round Robin 2015. tournament/spring-2015. ")
            && text.contains("end of round 1"),
        "{text}"
    );
}

#[test]
fn an_identifier_of_another_or_a_changed_object_is_a_finding() {
    let place = Place::new();
    recorded(&place);
    let event = cited(&place, &["event", "12"]);
    let parts: Vec<&str> = event.split(':').collect();
    let (log, hash) = (parts[2], parts[4]);
    for (wrong, reason) in [
        (event.replace(log, &"0".repeat(32)), "names log 00000000"),
        (event.replace(hash, &"a".repeat(64)), "event 12 has the hash"),
        (event.replace(":12:", ":9999:"), "the log has"),
        (event.replace(":event:", ":game:") + ":nobody", "no stream `game/nobody`"),
        (event.replace(":event:", ":tournament:") + ":spring-2015@round:7", "no round 7"),
    ] {
        let run = place.run(&["cite", "resolve", &wrong]);
        assert_eq!(run.status, 1, "{wrong}: {run:?}");
        assert!(run.talk.contains(reason), "{reason}: {run:?}");
    }
    for bad in ["annals:event:1", &event.to_uppercase(), "doi:10.1/1"] {
        let run = place.run(&["cite", "resolve", bad]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.talk.contains("is not a valid identifier"), "{run:?}");
    }
    let other = Place::new();
    recorded(&other);
    assert_eq!(other.run(&["cite", "resolve", &event]).status, 1, "another log has another identity");
    assert_eq!(place.run(&["cite", "event", "9999"]).status, 2);
}

#[test]
fn a_dataset_and_its_games_are_cited_by_the_digest() {
    let place = Place::new();
    stored(&place);
    let (dataset, game) = (cited(&place, &["dataset"]), cited(&place, &["game", "5"]));
    let manifest: Value =
        serde_json::from_slice(&fs::read(place.path("home/dataset/manifest.json")).unwrap()).unwrap();
    assert_eq!(dataset, format!("annals:dataset:{}", manifest["checksum"].as_str().unwrap()));
    assert_eq!(game, format!("{dataset}:5"));
    assert!(place.ask(&["cite", "resolve", &game]).contains("annals game show 5"));
    assert_eq!(
        place.run(&["cite", "resolve", &format!("{dataset}:6")]).status,
        1,
        "the dataset has no game 6"
    );

    place.write("more.txt", header() + "\n" + &row("6", &format!("{SETUPS}2w Ee2n\\n2b")));
    place.ask(&["ingest", "more.txt"]);
    for identifier in [&dataset, &game] {
        let run = place.run(&["cite", "resolve", identifier]);
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.talk.contains("the dataset has"), "{run:?}");
    }
    let run = place.run(&["cite", "game", "@more.txt:6"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("has no permanent identifier"), "{run:?}");
}

#[test]
fn hostile_names_are_escaped_in_every_format() {
    let place = Place::new();
    stored(&place);
    let bibtex = place.ask(&["cite", "game", "5", "--format", "bibtex"]);
    assert!(bibtex.starts_with("@misc{annals-game-5,\n"), "{bibtex}");
    let title =
        "title = {{a\\textbraceleft{}n\\textbraceright{}n\\_a \\& \\textbackslash{}co against bela}},";
    assert!(bibtex.contains(title), "{bibtex}");
    assert!(bibtex.contains("year = {2026},\n  month = feb,"), "{bibtex}");
    let (open, close) = (bibtex.matches('{').count(), bibtex.matches('}').count());
    assert_eq!(open, close, "{bibtex}");

    let csl = place.ask_json(&["cite", "game", "5", "--format", "csl-json"]);
    assert_eq!(csl[0]["title"], "a{n}n_a & \\co against bela");
    assert_eq!(csl[0]["issued"]["date-parts"], serde_json::json!([[2026, 2, 1]]));
    // The variables and types of the schema of CSL 1.0.2 that are used here.
    let known = [
        "id", "type", "title", "container-title", "issued", "event-place", "archive", "archive_location",
        "note",
    ];
    for (words, kind) in [(&["game", "5"][..], "entry"), (&["dataset"], "dataset")] {
        let csl = place.ask_json(&[&["cite"], words, &["--format", "csl-json"]].concat());
        assert_eq!(csl[0]["type"], kind);
        let keys: Vec<&String> = csl[0].as_object().unwrap().keys().collect();
        assert!(keys.iter().all(|key| known.contains(&key.as_str())), "{keys:?}");
    }
}

#[cfg(feature = "charts")]
#[test]
fn a_chart_names_what_it_was_drawn_from_and_is_cited_by_its_file() {
    let place = Place::new();
    recorded(&place);
    let draw = |file: &str| {
        place.ask(&["chart", "standings", "spring-2015", "--as-of", "round:1", "-o", file, "--force"]);
        fs::read(place.path(file)).unwrap()
    };
    for (one, two) in [("a.svg", "b.svg"), ("a.png", "b.png")] {
        assert_eq!(draw(one), draw(two), "the same command gives the same bytes");
        let text = place.ask(&["cite", "chart", one]);
        let tournament = cited(&place, &["tournament", "spring-2015", "--as-of", "round:1"]);
        assert!(text.contains(&format!("Drawn from {tournament}")), "{text}");
        assert!(text.contains("Command: annals chart standings spring-2015 --as-of round:1."), "{text}");
        let identifier = identifier(&text);
        assert!(place.ask(&["cite", "resolve", &identifier, one]).contains("what it was drawn from"));
        let mut bytes = draw(two);
        bytes.push(b'\n');
        place.write(two, bytes);
        assert_eq!(place.run(&["cite", "resolve", &identifier, two]).status, 1, "the file was changed");
    }
    let svg = fs::read_to_string(place.path("a.svg")).unwrap();
    assert!(svg.contains("<entry key=\"annals.program\">annals "), "{svg}");
    place.write("other.svg", "<svg width=\"1\"></svg>\n");
    let run = place.run(&["cite", "chart", "other.svg"]);
    assert!(run.status == 2 && run.talk.contains("has no metadata of Annals"), "{run:?}");
    assert_eq!(place.run(&["cite", "resolve", &format!("annals:chart:{}", "a".repeat(64))]).status, 2);
}

#[test]
fn exported_files_have_their_provenance() {
    let place = Place::new();
    stored(&place);
    let dataset = cited(&place, &["dataset"]);
    let sql = "SELECT game_id FROM games";
    place.ask(&["query", sql, "-o", "games.parquet"]);
    // The footer of a Parquet file has its keys and values as text.
    let bytes = fs::read(place.path("games.parquet")).unwrap();
    let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    for text in ["annals.source", &dataset, "annals.command", "annals query 'SELECT game_id FROM games'"] {
        assert!(has(&bytes, text), "{text}");
    }
    place.ask(&["query", sql, "-o", "again.parquet"]);
    assert_eq!(bytes, fs::read(place.path("again.parquet")).unwrap());

    for (words, file) in [
        (&["query", sql, "-o", "games.csv"][..], "games.csv"),
        (&["game", "list", "-o", "list.json"], "list.json"),
        (&["game", "show", "5", "-o", "game.tsv"], "game.tsv"),
    ] {
        place.ask(words);
        assert!(!place.path(&format!("{file}.provenance.json")).exists(), "only where it is requested");
        place.ask(&[words, &["--sidecar", "--force"]].concat());
        let sidecar = fs::read(place.path(&format!("{file}.provenance.json"))).unwrap();
        let sidecar: Value = serde_json::from_slice(&sidecar).unwrap();
        assert_eq!(sidecar["file"], file);
        assert_eq!(sidecar["sources"], serde_json::json!([dataset]));
        assert_eq!(sidecar["sha256"].as_str().unwrap().len(), 64);
        let command = sidecar["command"].as_str().unwrap();
        assert!(command.starts_with("annals ") && !command.contains("-o"), "{command}");
    }
    let run = place.run(&["query", sql, "--sidecar"]);
    assert!(run.status == 2 && run.talk.contains("`--sidecar` needs a file"), "{run:?}");
    let run = place.run(&["query", sql, "-o", "games.csv", "--sidecar"]);
    assert_eq!(run.status, 2, "a file is never overwritten without --force: {run:?}");
}

#[test]
fn an_export_from_the_log_names_its_head() {
    let place = Place::new();
    recorded(&place);
    let head = place.ask(&["log", "head"]);
    let hash = head.split_once("hash=").unwrap().1.split(' ').next().unwrap();
    place.ask(&["tournament", "standings", "spring-2015", "-o", "s.csv", "--sidecar"]);
    place.ask(&["query", "SELECT count(*) FROM events", "-o", "e.csv", "--sidecar"]);
    for file in ["s.csv", "e.csv"] {
        let sidecar = fs::read_to_string(place.path(&format!("{file}.provenance.json"))).unwrap();
        assert!(sidecar.contains("annals:log:") && sidecar.contains(hash), "{sidecar}");
    }
}
