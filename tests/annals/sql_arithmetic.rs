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

#[test]
fn a_sum_beyond_its_type_is_an_error_wherever_it_is_written() {
    let place = ingested();
    let most = i64::MAX;
    let two = format!("(SELECT {most} AS n, 1 AS g UNION ALL SELECT {most}, 1)");
    for sql in [
        format!("SELECT sum(n) FROM {two}"),
        format!("SELECT g, sum(n) FROM {two} GROUP BY g"),
        format!("SELECT sum(n) OVER (ORDER BY g) FROM {two}"),
        format!("SELECT sum(n) OVER (ORDER BY g ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM {two}"),
        format!("SELECT sum(DISTINCT n) FROM (SELECT {most} AS n UNION ALL SELECT {most} - 1)"),
        format!("SELECT sum(n) FROM (SELECT -{most} AS n UNION ALL SELECT -{most})"),
        "SELECT sum(n) FROM (SELECT 18446744073709551615 AS n UNION ALL SELECT 18446744073709551615)"
            .to_owned(),
    ] {
        let run = place.run(&["query", &sql]);
        // The rows before it may be printed.
        assert!(run.status == 2 && run.out.lines().count() <= 2, "{sql}: {run:?}");
        assert!(run.talk.contains("verflow") && run.talk.contains("DECIMAL(38, 0)"), "{sql}: {run:?}");
    }
    let of = |sql: &str| place.ask(&["query", "--no-header", sql]);
    assert_eq!(
        of(&format!("SELECT sum(CAST(n AS DECIMAL(38, 0))) FROM {two}")),
        format!("{}\n", 2 * i128::from(most))
    );
}

#[test]
fn only_the_result_of_a_sum_must_be_in_range() {
    let place = ingested();
    let of = |sql: &str| place.ask(&["query", "--no-header", sql]);
    let most = i64::MAX;
    let there_and_back = format!("(SELECT {most} AS n UNION ALL SELECT {most} UNION ALL SELECT -{most})");
    assert_eq!(of(&format!("SELECT sum(n) FROM {there_and_back}")), format!("{most}\n"));
    assert_eq!(of("SELECT coalesce(sum(game_id), 7) FROM games WHERE false"), "7\n");
    assert_eq!(of("SELECT sum(game_id), sum(1), sum(1.25) FROM games"), "3\t2\t2.5\n");
    assert_eq!(of("SELECT sum(x) FROM (SELECT CAST(1 AS TINYINT) AS x UNION ALL SELECT NULL)"), "1\n");
    let sliding =
        "SELECT sum(game_id) OVER (ORDER BY game_id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM games";
    assert_eq!(of(&format!("{sliding} ORDER BY 1")), "1\n3\n");
    // The name of the column is that of the query.
    assert_eq!(place.ask(&["query", "SELECT sum(game_id) FROM games"]).lines().count(), 2);
}
