//! Sums, differences and products of integers in SQL, at the ends of their types.

use crate::asked_by_others::ingested;

#[test]
fn a_difference_of_identifiers_may_be_below_zero() {
    let place = ingested();
    let of = |sql: &str| place.ask(&["query", "--no-header", sql]);
    let pairs = "games AS a JOIN games AS b ON a.game_id < b.game_id";
    assert_eq!(of(&format!("SELECT a.game_id - b.game_id FROM {pairs}")), "-1\n");
    assert_eq!(of(&format!("SELECT count(*) FROM {pairs} WHERE a.game_id - b.game_id < 0")), "1\n");
    assert_eq!(of("SELECT game_id + game_id - 1 FROM games ORDER BY 1"), "1\n3\n");
    // An expression is one column wherever it is written, under the name that it had.
    let grouped = "SELECT plies - 1 AS n, count(*) FROM games GROUP BY plies - 1 HAVING count(*) * 2 = 4";
    assert_eq!(place.ask(&["query", grouped]).lines().count(), 2);
    let named = "SELECT * FROM (SELECT plies - plies FROM games) AS inner_query LIMIT 1";
    let answer = place.ask(&["query", named]);
    assert!(answer.ends_with("\n0\n") && !answer.contains("checked"), "{answer}");
}

#[test]
fn a_number_beyond_its_type_is_an_error_with_a_larger_type() {
    let place = ingested();
    for sql in [
        "SELECT 9223372036854775807 + 1",
        "SELECT CAST(2147483647 AS INT) + CAST(1 AS INT)",
        "SELECT CAST(plies AS BIGINT) * 9223372036854775807 FROM games",
        "SELECT 0 - 9223372036854775807 - plies FROM games",
        "SELECT count(*) FROM games WHERE game_id IN (SELECT plies + 9223372036854775807 FROM games)",
    ] {
        let run = place.run(&["query", sql]);
        // At most the header of the columns.
        assert!(run.status == 2 && run.out.lines().count() <= 1, "{sql}: {run:?}");
        assert!(run.talk.contains("verflow"), "{sql}: {run:?}");
        assert!(run.talk.contains("hint: ") && run.talk.contains("DECIMAL(38, 0)"), "{sql}: {run:?}");
    }
    let larger = "SELECT CAST(9223372036854775807 AS DECIMAL(38, 0)) + 1";
    assert_eq!(place.ask(&["query", "--no-header", larger]), "9223372036854775808\n");
    assert_eq!(
        place.ask(&["query", "--no-header", "SELECT 9223372036854775806 + 1"]),
        "9223372036854775807\n"
    );
}
