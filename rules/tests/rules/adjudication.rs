//! The 37 cases of `adjudication-arimaa.json`: which turns are legal, what stands after them, who has won.

use annals_events::Side;
use annals_rules::arimaa::{Board, Position, Turn};
use annals_rules::game::{Era, Played, Strictness};
use serde_json::Value;

use crate::vectors;

#[test]
fn every_case_is_judged_as_stated() {
    let Some(text) = vectors::vector("adjudication-arimaa.json") else { return };
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(cases.len(), 37);
    let mut unstated = 0;
    for case in &cases {
        let name = &case["name"];
        let text = |key: &str| case[key].as_str().unwrap();
        let side: Side = text("side").parse().unwrap();
        let start = Position::new(Board::parse(text("board")).unwrap(), side);
        let turn = Turn::parse(text("move").as_bytes()).unwrap();
        match start.play(&turn, Strictness::Archive) {
            Ok((after, played)) => {
                assert_eq!(case["legal"], true, "{name}");
                assert_eq!(after.board().to_short(), text("after"), "{name}");
                let winner = after.outcome(Era::Modern, |_| 1).and_then(|outcome| outcome.winner);
                let said = match winner {
                    Some(Side::Gold) => "gold wins",
                    Some(Side::Silver) => "silver wins",
                    None => "none",
                };
                assert_eq!(said, text("pyrimaa_end_state"), "{name}");
                // Some cases leave a capture unsaid, as an archive may.
                let strict = start.play(&turn, Strictness::Strict);
                if played.captures_misstated {
                    assert_eq!(strict.unwrap_err().code(), "capture_unstated", "{name}");
                    unstated += 1;
                } else {
                    assert_eq!(strict, Ok((after, played)), "{name}");
                }
                let exact = start.with_captures(&turn).unwrap();
                let stated = Played { captures_misstated: false, ..played };
                assert_eq!(start.play(&exact, Strictness::Strict), Ok((after, stated)), "{name}");
            }
            Err(illegal) => {
                assert_eq!(case["legal"], false, "{name}: {illegal}");
                assert_eq!(illegal.code(), code_of(text("name")), "{name}: {illegal}");
                assert_eq!(start.play(&turn, Strictness::Strict), Err(illegal), "{name}");
            }
        }
    }
    assert_eq!(unstated, 3);
}

/// The rule that each illegal case breaks.
fn code_of(name: &str) -> &'static str {
    match name {
        "null_turn_back_and_forth" | "null_turn_circle" => "position_unchanged",
        "rabbit_back" | "silver_rabbit_back" => "rabbit_backwards",
        "frozen_cannot_step" | "refreeze_mid_turn" => "frozen",
        "frozen_cannot_push" => "pusher_frozen",
        "push_not_consecutive" | "push_completed_wrong_square" | "push_on_last_step" => "push_not_completed",
        "push_equal" | "pull_by_other_piece" | "push_and_pull_same_piece" => "not_displaced",
        _ => "no illegal case of this name is known",
    }
}
