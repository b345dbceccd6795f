//! Questions of readers who have not written the program, and what the answers must say.

use crate::demonstrating::DEMONSTRATION;
use crate::ingesting::{SETUPS, header, row};
use crate::program::{Place, real_archive};

fn ingested() -> Place {
    let place = Place::new();
    let moves = format!("{SETUPS}2w Ee2n Ee3n\\n2b ed7s\\n3w");
    place.write("two.txt", [header(), row("1", &moves), row("2", &moves)].join("\n"));
    place.ask(&["ingest", "two.txt"]);
    place
}

#[test]
fn arithmetic_gives_the_number_or_an_error_with_a_cast() {
    let place = ingested();
    place.ask(&["learn", "features", "--rating-floor", "none", "-o", "pos.parquet"]);
    let table = ["--no-header", "--table", "pos=pos.parquet"];
    let of_features = |sql: &str| place.ask(&[&["query"], &table[..], &[sql]].concat());
    let cast = "SELECT min(own_rabbits::INT - opp_rabbits::INT - 1) FROM pos";
    assert_eq!(of_features("SELECT min(own_rabbits - opp_rabbits - 1) FROM pos"), of_features(cast));
    assert_eq!(of_features("SELECT DISTINCT own_rabbits - 9 FROM pos"), "-1\n");
    for sql in [
        "SELECT gold_id - silver_id - 10 FROM games",
        "SELECT game_id - lead(game_id) OVER (ORDER BY game_id) FROM games",
        "SELECT 2147483647::INT + 1::INT",
        "SELECT 9223372036854775807 * plies FROM games",
    ] {
        let run = place.run(&["query", sql]);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{sql}: {run:?}");
        assert!(run.talk.contains("outside its type") && run.talk.contains("AS BIGINT"), "{sql}: {run:?}");
    }
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
