//! The counts of `perft-arimaa.json` and `arimaa-turn-counts.tsv`, to the last digit.

use annals_events::Side;
use annals_rules::AnyPosition;
use annals_rules::arimaa::{Board, Generator, Position};
use annals_rules::game::Era;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::step_counts::step_counts;
use crate::vectors;

fn positions() -> Vec<(Value, Position)> {
    let Some(text) = vectors::vector("perft-arimaa.json") else { return Vec::new() };
    let file: Value = serde_json::from_str(&text).unwrap();
    let rows = file["positions"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 32, "rows of the file");
    rows.into_iter()
        .map(|row| {
            let board = Board::parse(row["board"].as_str().unwrap()).unwrap();
            let side: Side = row["side"].as_str().unwrap().parse().unwrap();
            (row, Position::new(board, side))
        })
        .collect()
}

#[test]
fn every_perft_row_agrees_in_all_its_counts() {
    for (row, position) in positions() {
        let name = &row["name"];
        let counts = step_counts(&position);
        assert_eq!(counts.first_steps, row["first_steps"], "{name}");
        assert_eq!(counts.distinct(), row["distinct_turns"], "{name}");
        let by_steps: Vec<u64> =
            row["distinct_by_min_steps"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        assert_eq!(counts.distinct_by_min_steps[..], by_steps, "{name}");
        assert_eq!(counts.sequences_all, row["step_sequences_all"], "{name}");
        assert_eq!(counts.sequences_legal, row["step_sequences_legal"], "{name}");
        assert_eq!(counts.step_nodes, row["step_nodes"], "{name}");
        assert_eq!(position.step_sequences(4), row["step_nodes"], "{name}");
        let mut turns = 0;
        assert_eq!(
            AnyPosition::Arimaa(position).perft(1, |_, _| turns += 1),
            row["distinct_turns"],
            "{name}"
        );
        assert_eq!(turns, row["distinct_turns"], "{name}");
        assert_eq!(counts.merged_step_nodes, row["dedup_step_nodes"], "{name}");
        assert_eq!(position.has_turn(), counts.first_steps > 0, "{name}");
    }
}

#[test]
fn the_boards_that_every_perft_row_leads_to_have_the_stated_digest() {
    let mut generator = Generator::new();
    for (row, position) in positions() {
        let mut boards = Vec::new();
        generator.for_each(&position, |after, _| boards.push(after.board().to_short()));
        boards.sort_unstable();
        let mut digest = Sha256::new();
        for board in &boards {
            digest.update(board);
            digest.update("\n");
        }
        let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, row["sha256_sorted_boards"], "{}", row["name"]);
    }
}

#[test]
fn the_long_board_texts_of_the_perft_rows_say_the_same_as_the_short_ones() {
    for (row, position) in positions() {
        let lines: Vec<&str> =
            row["board_text"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        let text = lines.join("\n");
        assert_eq!(text.parse(), Ok(position), "{}", row["name"]);
        assert_eq!(position.board().to_string(), lines[1..].join("\n"), "{}", row["name"]);
    }
}

/// Two turns deep. Everyday runs take the rows of less than a million; a long run takes all.
#[test]
fn the_replies_to_every_turn_add_up() {
    let (mut outer, mut inner) = (Generator::new(), Generator::new());
    let rows = positions();
    let (mut known, mut compared) = (0, 0);
    for (row, position) in &rows {
        let Some(expected) = row.get("perft2") else { continue };
        known += 1;
        if !vectors::long() && expected["sum_distinct_replies"].as_u64() > Some(1_000_000) {
            continue;
        }
        let (mut sum, mut least, mut most, mut over) = (0, usize::MAX, 0, 0);
        compared += 1;
        outer.for_each(position, |after, _| {
            let won = after.outcome(Era::Modern, |_| 0);
            if won.is_some_and(|outcome| outcome.termination != annals_events::Termination::Immobilization) {
                over += 1;
                return;
            }
            let replies = inner.count(after);
            sum += replies;
            least = least.min(replies);
            most = most.max(replies);
        });
        let name = &row["name"];
        assert_eq!(sum, expected["sum_distinct_replies"], "{name}");
        assert_eq!(
            (least as u64, most as u64),
            (number(&expected["min"]), number(&expected["max"])),
            "{name}"
        );
        assert_eq!(over, expected["terminal_children_goal_or_elim"], "{name}");
    }
    if !rows.is_empty() {
        assert_eq!((known, compared), (8, if vectors::long() { 8 } else { 3 }), "rows with replies");
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

#[test]
fn the_published_turn_counts_agree() {
    let Some(text) = vectors::vector("arimaa-turn-counts.tsv") else { return };
    let mut generator = Generator::new();
    let mut compared = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let board = Board::parse(fields[1]).unwrap();
        for (side, expected) in Side::BOTH.into_iter().zip(&fields[2..]) {
            if !expected.is_empty() {
                let count = generator.count(&Position::new(board, side));
                assert_eq!(count.to_string(), *expected, "{} {side}", fields[0]);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 17);
}

#[test]
fn two_turns_are_the_turns_after_each_turn_and_none_after_a_goal() {
    // Gold's rabbit reaches the goal with some turns; after these Silver has none.
    let board = Board::parse(&format!("{}R{}r{}", ".".repeat(8), ".".repeat(30), ".".repeat(24))).unwrap();
    let position = Position::new(board, Side::Gold);
    let (mut goals, mut sequences) = (0, 0);
    Generator::new().for_each(&position, |after, _| match after.outcome(Era::Modern, |_| 1) {
        Some(_) => goals += 1,
        None => sequences += Generator::new().count(after) as u64,
    });
    assert!(goals > 0 && sequences > 0);
    assert_eq!(AnyPosition::Arimaa(position).perft(2, |_, _| {}), sequences);
}
