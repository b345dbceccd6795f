//! Questions of readers who have not written the program, and what the answers must say.

use crate::demonstrating::DEMONSTRATION;
use crate::ingesting::{SETUPS, header, row};
use crate::program::{Place, Run, real_archive};

pub fn ingested() -> Place {
    let place = Place::new();
    let moves = format!("{SETUPS}2w Ee2n Ee3n\\n2b ed7s\\n3w");
    place.write("two.txt", [header(), row("1", &moves), row("2", &moves)].join("\n"));
    place.ask(&["ingest", "two.txt"]);
    place
}

#[test]
fn a_difference_of_unsigned_columns_of_a_file_may_be_below_zero() {
    let place = ingested();
    place.ask(&["learn", "features", "--rating-floor", "none", "-o", "pos.parquet"]);
    let table = ["--no-header", "--table", "pos=pos.parquet"];
    let of_features = |sql: &str| place.ask(&[&["query"], &table[..], &[sql]].concat());
    let cast = "SELECT min(own_rabbits::INT - opp_rabbits::INT - 1) FROM pos";
    assert_eq!(of_features("SELECT min(own_rabbits - opp_rabbits - 1) FROM pos"), of_features(cast));
    assert_eq!(of_features("SELECT DISTINCT own_rabbits - 9 AS n FROM pos ORDER BY n"), "-9\n-1\n");
    let signed = "SELECT CAST(game_id AS BIGINT) - 5 FROM games ORDER BY 1";
    assert_eq!(place.ask(&["query", "--no-header", signed]), "-4\n-3\n");
}

#[test]
fn a_game_whose_turns_have_no_times_has_no_clock_before_its_end() {
    let Some(folder) = real_archive() else { return };
    let place = Place::new();
    let file = folder.join("allgames2002.txt");
    place.ask(&["log", "import", "--actor", "archivist", "--games", "35", file.to_str().unwrap()]);
    let words = ["replay", "game/arimaa-35", "--as-of", "2002-12-08T05:00:00Z"];
    let shown = place.ask(&words);
    for said in ["Times ", "State ", "not known at this time", "the clocks at that time"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    assert!(!shown.contains("flag") && !shown.contains("in reserve"), "{shown}");
    let view = place.ask_json(&[&words[..], &["--json"]].concat());
    assert_eq!((&view["times_unknown"], view["clocks"].is_null()), (&true.into(), true), "{view}");
    let ended = place.ask(&["replay", "game/arimaa-35", "--as-of", "2002-12-09"]);
    assert!(ended.contains("gold wins by goal") && !ended.contains("not known at this time"), "{ended}");
}

#[test]
fn a_board_has_the_attempt_of_the_point_in_time() {
    let place = &DEMONSTRATION.0;
    let home = ["--home", "annals-demo"];
    let shown = |words: &[&str]| place.ask(&[&home, words].concat());
    let (before, after) = ("2015-03-02T04:58:18Z", "2015-03-03");
    for command in [&["game", "show"][..], &["replay"]] {
        let at = |moment: &str| shown(&[command, &["cup r2.1", "--known-at", moment]].concat());
        assert!(!at(before).contains("cup.r2.1.2"), "{}", at(before));
        assert!(at(before).contains("cup.r2.1"), "{}", at(before));
        assert!(at(after).contains("cup.r2.1.2"), "{}", at(after));
    }
}

/// What the demonstration answers.
fn of_demonstration(words: &[&str]) -> Run {
    DEMONSTRATION.0.run(&[&["--home", "annals-demo"], words].concat())
}

#[test]
fn games_that_only_the_log_has_are_named_with_the_command_that_adds_them() {
    let place = Place::new();
    place.write("one.txt", header() + "\n" + &row("1", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w")));
    place.ask(&["log", "import", "--actor", "archivist", "one.txt"]);
    for words in [
        &["query", "SELECT count(*) FROM games"][..],
        &["player", "show", "anna"],
        &["game", "list", "--player", "anna"],
        &["game", "show", "1"],
    ] {
        let run = place.run(words);
        assert!(run.talk.contains("the log has 1 game that is not in the dataset"), "{words:?}: {run:?}");
        assert!(run.talk.contains("hint: `annals ingest --log`"), "{words:?}: {run:?}");
    }
    let events = place.run(&["query", "SELECT count(*) FROM events"]);
    assert_eq!((events.status, events.talk.as_str()), (0, ""), "the log itself needs no dataset");
    place.ask(&["ingest", "--log"]);
    let run = place.run(&["query", "--no-header", "SELECT count(*) FROM games"]);
    assert_eq!((run.out.as_str(), run.talk.as_str()), ("1\n", ""));
}

#[test]
fn a_game_of_the_log_is_exported_as_the_same_game_of_the_dataset_is() {
    let place = Place::new();
    place.write("one.txt", header() + "\n" + &row("1", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w")));
    place.ask(&["log", "import", "--actor", "archivist", "one.txt"]);
    place.ask(&["ingest", "--log"]);
    for form in ["moves", "archive"] {
        let export = |game: &str| place.ask(&["game", "export", game, "--format", form]);
        assert_eq!(export("game/arimaa-1"), export("1"), "{form}");
        assert!(export("1").contains("Ee2n"), "{form}");
    }
    let sgf = place.run(&["game", "export", "game/arimaa-1", "--format", "sgf"]);
    assert!(sgf.status == 2 && sgf.talk.contains("game of Arimaa"), "{sgf:?}");
    let of_board = of_demonstration(&["game", "export", "cup r12.1"]);
    assert!(of_board.status == 0 && of_board.out.contains("Gold: "), "{of_board:?}");
}

#[test]
fn an_archive_row_of_a_resumed_game_is_flagged_at_export() {
    let archive = ["game", "export", "cup r2.1", "--format", "archive"];
    let moves = of_demonstration(&["game", "export", "cup r2.1"]);
    assert!(moves.out.contains("\nPosition: "), "{moves:?}");
    let all = ["game", "list", "--event", "Computer Champ", "--limit", "0", "--export", "archive"];
    for words in [&archive[..], &all] {
        let run = of_demonstration(words);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.talk.contains("warning: a row of the archive cannot hold the position"), "{run:?}");
        assert!(run.talk.contains("illegal-turn") && run.talk.contains("--format moves"), "{run:?}");
    }
}

#[test]
fn rulings_and_earlier_attempts_are_shown_with_a_game() {
    let first = of_demonstration(&["game", "show", "cup.r2.1"]);
    assert!(first.out.contains("ruling 2 of cup invalidated this game: a program had"), "{first:?}");
    let second = of_demonstration(&["game", "show", "cup r2.1"]);
    assert!(second.out.contains("game/cup.r2.1 after ply 28"), "{second:?}");
    assert!(!second.out.contains("invalidated"), "{second:?}");
    let career = of_demonstration(&["player", "show", "annals-n3000"]);
    assert!(
        career.talk.contains("note: game/cup.r2.1 counts here; ruling 2 of cup invalidated it"),
        "{career:?}"
    );
    let other = of_demonstration(&["player", "show", "annals-n8000"]);
    assert!(!other.talk.contains("cup.r2.1 "), "{other:?}");
}

#[test]
fn a_game_that_resumes_another_does_not_lose_again_what_was_lost_before() {
    let resumed = "SELECT game_id, plies FROM games WHERE stream = 'game/cup.r2.1.2' AND start IS NOT NULL";
    let row = of_demonstration(&["query", "--no-header", resumed]).out;
    let (game, plies) = row.trim().split_once('\t').unwrap();
    let camels = of_demonstration(&["study", "run", "camel_lost", "--limit", "0"]).out;
    let first = of_demonstration(&[
        "query",
        "--no-header",
        "SELECT game_id FROM games WHERE stream = 'game/cup.r2.1'",
    ]);
    assert!(camels.contains(first.out.trim()) && !camels.contains(game), "{camels}");
    // What is lost after the start counts, also in its first two turns.
    let lost = "SELECT count(*) FROM (SELECT t.game_id FROM turns AS t JOIN games AS g ON g.game_id = t.game_id \
                WHERE t.number < 20 AND NOT t.setup AND (g.start IS NULL AND t.g_camel = 0 OR g.start LIKE '%M%' AND t.g_camel = 0) \
                GROUP BY t.game_id)";
    let counted = of_demonstration(&["query", "--no-header", lost]).out;
    let of_gold = camels.lines().filter(|line| line.split('\t').nth(2) == Some("gold")).count();
    assert_eq!(counted.trim(), of_gold.to_string(), "{camels}");

    let from_start = format!("{plies} turns from its start position");
    for words in [&["game", "show", "cup r2.1"][..], &["game", "show", game], &["cite", "game", "cup r2.1"]] {
        let run = of_demonstration(words);
        assert!(run.out.contains(&from_start), "{words:?}: {run:?}");
    }
    let whole = of_demonstration(&["game", "show", "cup r12.1"]);
    assert!(whole.out.contains(" turns") && !whole.out.contains("start position"), "{whole:?}");
    let of_setups = "SELECT count(*) FROM games WHERE start IS NULL AND result IN ('gold', 'silver') \
                     AND (termination = 'resignation' OR ending_check = 'agrees')";
    let lengths = of_demonstration(&["study", "run", "lengths", "--json"]).out;
    let lengths: serde_json::Value = serde_json::from_str(&lengths).unwrap();
    let counted = of_demonstration(&["query", "--no-header", of_setups]).out;
    assert_eq!(lengths[0]["games"].to_string(), counted.trim(), "{lengths}");
}

#[test]
fn a_game_is_shown_in_the_zone_of_the_command() {
    let zone = ["--tz", "America/New_York"];
    for form in ["text", "tsv", "html"] {
        let run = of_demonstration(&[&["game", "show", "cup.r12.1", "--format", form][..], &zone].concat());
        assert!(run.out.contains("2015-03-06T20:00:00-05:00"), "{run:?}");
    }
    let json = of_demonstration(&[&["game", "show", "cup.r12.1", "--json"][..], &zone].concat());
    assert!(json.out.contains("2015-03-07T01:00:00Z"), "{json:?}");
    let place = ingested();
    let run = place.run(&["game", "show", "1", "--tz", "No/Where"]);
    assert!(run.status == 2 && run.talk.contains("`No/Where` is not a valid time zone"), "{run:?}");
}

#[test]
fn a_revoked_pairing_has_its_colours() {
    let list = of_demonstration(&["tournament", "round", "list", "cup"]).out;
    let revoked = [
        "board 2: annals-n6000-noisy against annals-n4000,",
        "board 3: annals-n4000-noisy against annals-n3000,",
    ];
    assert!(revoked.iter().all(|line| list.contains(line)), "{list}");
    let words = ["tournament", "round", "list", "cup", "--format", "csv"];
    let (now, before) = (
        of_demonstration(&words),
        of_demonstration(&[&words[..], &["--as-of", "2015-03-02T05:50"]].concat()),
    );
    let colours = |csv: &str, is_revoked: &str| -> Vec<Vec<String>> {
        let rows = csv.lines().filter(|row| row.starts_with("3,") && row.ends_with(is_revoked));
        rows.map(|row| row.split(',').skip(2).take(5).map(str::to_owned).collect()).collect()
    };
    let (gone, published) = (colours(&now.out, ",true"), colours(&before.out, ",false"));
    assert!(!gone.is_empty() && gone.iter().all(|row| published.contains(row)), "{gone:?} {published:?}");
}

#[test]
fn games_that_a_ruling_set_aside_are_in_sql_and_with_the_record() {
    let sql =
        "SELECT tournament, number, game FROM rulings WHERE effect = 'invalidate' AND superseded_by IS NULL";
    let rows = of_demonstration(&["query", "--no-header", sql]);
    assert!(rows.out.lines().any(|row| row == "cup\t2\tcup.r2.1"), "{rows:?}");
    let record = of_demonstration(&["player", "record", "annals-n3000"]);
    assert!(record.out.contains("Set aside by rulings"), "{record:?}");
    assert!(
        record.out.contains("game/cup.r2.1: invalidated by ruling 2 of cup: a program had"),
        "{record:?}"
    );
    let other = of_demonstration(&["player", "record", "annals-n8000", "--json"]);
    let other: serde_json::Value = serde_json::from_str(&other.out).unwrap();
    let games = other["set_aside"].as_array().unwrap();
    assert!(games.iter().all(|ruling| ruling["game"] != "game/cup.r2.1"), "{other}");
}

#[test]
fn a_turn_is_named_as_it_was_written() {
    let place = ingested();
    for turn in ["99w", "99g", "98b", "98s"] {
        for words in [&["chart", "board", "1", "-o", "a.svg"][..], &["game", "show", "1"]] {
            let run = place.run(&[words, &["--turn", turn]].concat());
            assert!(run.status == 2 && run.talk.contains(&format!("`{turn}`")), "{run:?}");
        }
    }
}

#[test]
fn a_long_difference_has_a_line_for_each_part() {
    let run = of_demonstration(&["diff", "cup", "round:1", "round:2"]);
    assert!(run.out.contains(":\n  before: ") && run.out.contains("\n  after:\n    "), "{run:?}");
}

#[test]
fn figures_that_leave_something_out_name_it() {
    let record = of_demonstration(&["player", "record", "annals-n3000"]);
    assert!(
        record.out.contains("In all") && record.out.contains("games of a qualifier not counted"),
        "{record:?}"
    );
    let json = of_demonstration(&["player", "record", "annals-n3000", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let games = "SELECT count(*) FROM events WHERE type = 'tournament.qualifying_game_played' AND \
                 payload_value(payload, 'player') = 'annals-n3000'";
    let counted = of_demonstration(&["query", "--no-header", games]).out;
    assert_eq!(json["qualifier_games"].to_string(), counted.trim());
    let score = of_demonstration(&["tournament", "explain", "cup", "qualifier", "annals-n3000"]);
    assert!(score.out.contains("at place 7, with annals-n1500 above who left since"), "{score:?}");
    let order = of_demonstration(&["tournament", "explain", "cup", "qualifier"]);
    let row = order.out.lines().find(|line| line.contains("annals-n3000")).unwrap();
    assert!(row.trim_start().starts_with('7'), "{order:?}");
    let left = of_demonstration(&["tournament", "explain", "cup", "qualifier", "annals-n1500"]);
    let hint = "tournament explain cup qualifier annals-n1500 --as-of 2015-";
    assert!(left.talk.contains(hint), "{left:?}");
}

#[test]
fn the_end_of_a_game_is_captioned_with_its_result_and_the_command_draws_it_again() {
    let place = ingested();
    let words = ["chart", "board", "1", "--turn", "last", "--flip", "--across", "2", "-o", "end.svg"];
    place.ask(&words);
    let svg = std::fs::read_to_string(place.path("end.svg")).unwrap();
    assert!(svg.contains("annals chart board 1 --turn last --across 2") && svg.contains("--flip"), "{svg}");
    place.ask(&["chart", "board", "1", "-o", "all.svg"]);
    let svg = std::fs::read_to_string(place.path("all.svg")).unwrap();
    assert!(svg.contains("The end: ") && !svg.contains("to move"), "{svg}");
    let three = place.path("three.svg");
    let words = ["chart", "standings", "cup", "--as-of", "round:3", "-o", three.to_str().unwrap()];
    let standings = of_demonstration(&words);
    assert_eq!(standings.status, 0, "{standings:?}");
    let svg = std::fs::read_to_string(three).unwrap();
    assert!(svg.contains("--as-of round:3"), "{svg}");
}

#[test]
fn the_total_of_two_players_does_not_depend_on_the_result_that_is_listed() {
    let place = ingested();
    let players = ["--player", "anna", "--vs", "bela"];
    let names = place.ask(&["query", "--no-header", "SELECT gold, silver FROM games LIMIT 1"]);
    let (gold, silver) = names.trim().split_once('\t').unwrap();
    let players = [players[0], gold, players[2], silver];
    let run = place.run(&[&["game", "list"][..], &players, &["--result", "draw"]].concat());
    assert!(run.talk.contains("2 games in all"), "{run:?}");
}

#[test]
fn files_in_other_forms_are_read_or_refused_with_the_reason() {
    let place = ingested();
    place.write("mine.csv", "game_id;note\n1;short\n");
    let note = ["query", "--no-header", "--table", "m=mine.csv", "SELECT note FROM m WHERE game_id = 1"];
    assert_eq!(place.ask(&note), "short\n");
    place.ask(&["game", "export", "1", "-o", "one.txt"]);
    let run = place.run(&["game", "show", "@one.txt"]);
    assert!(run.status == 2 && run.talk.contains("written, not read"), "{run:?}");
    assert!(run.talk.contains("--format archive"), "{run:?}");
}

#[test]
fn during_a_qualifier_the_standings_name_the_command_that_prints_its_order() {
    let place = &DEMONSTRATION.0;
    let at = ["--as-of", "2015-01-31"];
    let ask = |words: &[&str]| place.ask(&[&["--home", "annals-demo", "tournament"], words, &at].concat());
    let standings = ask(&["standings", "cup"]);
    let (_, command) = standings.split_once("`annals tournament ").unwrap();
    let command: Vec<&str> = command.split_once('`').unwrap().0.split(' ').collect();
    assert_eq!(command, ["explain", "cup", "qualifier"]);
    assert!(ask(&command).contains("annals-n6000"));
    let later = place.ask(&["--home", "annals-demo", "tournament", "standings", "cup"]);
    assert!(!later.contains("Qualifier"), "{later}");
}
