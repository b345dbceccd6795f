//! The counts of `perft-amazons.json`, to the last digit: moves, sequences of moves, distances and territory.

use annals_events::Side;
use annals_rules::amazons::{Board, Closer, Position, Stage};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::vectors;

fn positions() -> Vec<(Value, Position)> {
    let Some(text) = vectors::vector("perft-amazons.json") else { return Vec::new() };
    let file: Value = serde_json::from_str(&text).unwrap();
    let rows = file["positions"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 16, "rows of the file");
    rows.into_iter()
        .map(|row| {
            let board = Board::parse(row["board"].as_str().unwrap()).unwrap();
            let side = if row["to_move"] == "W" { Side::Gold } else { Side::Silver };
            (row, Position::new(board, side))
        })
        .collect()
}

#[test]
fn every_row_has_the_stated_size_and_the_first_is_the_usual_start() {
    let rows = positions();
    for (row, position) in &rows {
        let size = position.board().size();
        assert_eq!(u64::from(size.files()), row["cols"], "{}", row["name"]);
        assert_eq!(u64::from(size.ranks()), row["rows"], "{}", row["name"]);
        assert_eq!(position.board().to_short(), row["board"], "{}", row["name"]);
    }
    assert!(rows.first().is_none_or(|(_, position)| *position == Position::start()));
}

#[test]
fn every_row_has_the_stated_moves_of_both_sides() {
    for (row, position) in positions() {
        let name = &row["name"];
        for (side, key) in [(Side::Gold, "moves_white"), (Side::Silver, "moves_black")] {
            assert_eq!(position.board().count_moves(side), row[key], "{name}");
            assert_eq!(position.board().moves(side).len(), row[key], "{name}");
        }
        let mut moves: Vec<String> = position.moves().iter().map(|played| played.with_slash()).collect();
        moves.sort_unstable();
        if let Some(known) = row.get("moves") {
            assert_eq!(&serde_json::to_value(&moves).unwrap(), known, "{name}");
        }
        let mut digest = Sha256::new();
        for played in &moves {
            digest.update(played);
            digest.update("\n");
        }
        let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, row["sha256_sorted_moves"], "{name}");
    }
}

/// Up to two moves deep; a long run also takes the 8,350,439,170 sequences of three moves from the usual start.
#[test]
fn every_row_has_the_stated_number_of_sequences() {
    let mut compared = 0;
    let rows = positions();
    for (row, position) in &rows {
        for (depth, known) in (1..).zip(row["perft"].as_array().unwrap()) {
            if depth < 3 || vectors::long() {
                assert_eq!(position.perft(depth), *known, "{} to depth {depth}", row["name"]);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, if rows.is_empty() { 0 } else { 32 + usize::from(vectors::long()) });
}

fn agrees(found: &Closer, row: &Value, key: &str) {
    let [white, black] = found.counts();
    let all = [white, black, found.tie.count_ones(), found.neither.count_ones()];
    let known = ["white", "black", "tie", "neither"].map(|who| row[key][who].as_u64().unwrap());
    assert_eq!(all.map(u64::from), known, "{} of {}", key, row["name"]);
}

#[test]
fn every_row_has_the_stated_distances_and_reach() {
    for (row, position) in positions() {
        let board = position.board();
        agrees(&board.closer_by_queen(), &row, "closer_queen_dist");
        agrees(&board.closer_by_king(), &row, "closer_king_dist");
        for (side, who) in [(Side::Gold, "white"), (Side::Silver, "black")] {
            let reach = board.territory(side).count_ones();
            assert_eq!(reach, row["reachable_empty"][who], "{}", row["name"]);
        }
    }
}

#[test]
fn finished_rows_have_the_stated_winner_and_territory_and_no_other_is_finished() {
    for (row, position) in positions() {
        let name = &row["name"];
        assert_eq!(position.winner().is_some(), row["game_over"], "{name}");
        let Some((winner, squares)) = position.score() else { continue };
        assert_eq!(winner == Side::Gold, row["winner"] == "W", "{name}");
        assert_eq!(squares, row["territory_score"], "{name}");
        assert_eq!(position.stage(), Stage::Finished { winner }, "{name}");
    }
}
