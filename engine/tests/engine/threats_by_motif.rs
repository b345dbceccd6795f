//! Threats by hand: one small position for each motif, Gold to move, with what is known of it by looking.
//! Each is also compared with every sequence of steps, and seen from the other wing and the other chair.

use annals_engine::threats::{Captures, capture_turns, captures, goal_steps, goal_turn};
use annals_events::Side;
use annals_rules::arimaa::{Board, Direction, Position, Steps, Turn};

use crate::threats::agree_at;

/// A position from words such as `Rd7 cd8`.
fn position(pieces: &str) -> Position {
    let turn = Turn::parse(pieces.as_bytes()).unwrap();
    let pieces = turn.tokens().iter().map(|token| (token.square(), token.side(), token.piece()));
    Position::new(Board::from_pieces(pieces).unwrap(), Side::Gold)
}

#[track_caller]
fn goal(pieces: &str, fewest: impl Into<Option<u8>>) {
    let position = position(pieces);
    agree_at(&position);
    let found = goal_steps(&Steps::begin(&position));
    assert_eq!(found, fewest.into(), "{:?}:\n{}", goal_turn(&position), position.board());
}

/// What can be captured, as `c5=2 d6=4`: the squares in order, with the fewest steps.
#[track_caller]
fn taken(pieces: &str, expected: &str) {
    let position = position(pieces);
    agree_at(&position);
    let turns = capture_turns(&position);
    let words: Vec<String> = turns.iter().map(|turn| format!("{}={}", turn.square, turn.steps)).collect();
    assert_eq!(words.join(" "), expected, "{turns:?}\n{}", position.board());
}

/// The beginning of a turn with some steps made.
fn after(pieces: &str, steps: &str) -> Steps {
    let mut now = Steps::begin(&position(pieces));
    for word in steps.split_whitespace() {
        let direction = Direction::from_letter(word.as_bytes()[3]).unwrap();
        let turn = Turn::parse(word.as_bytes()).unwrap();
        now.step(turn.tokens()[0], direction).unwrap();
    }
    now
}

#[test]
fn a_rabbit_runs_when_nothing_is_in_its_way_and_it_has_the_steps() {
    goal("Rd5", 3);
    goal("Rd4", 4);
    goal("Rd3", None);
    goal("Rd4 rd6", None);
    goal("Rd5 rd6", 4);
    goal("Rd5 rd6 rc5 re5", None);
    goal("Rd8", 0);
}

#[test]
fn a_rabbit_goes_round_a_piece_that_blocks_its_goal_square() {
    goal("Rd7 rd8", 2);
    goal("Rd7 rd8 rc8", 2);
    goal("Rd7 rd8 rc8 re8", 3);
    goal("Rd7 rd8 rc7 re7", None);
}

#[test]
fn a_friend_in_the_way_steps_aside() {
    goal("Ra7 Ca8 db7 Ha6", 2);
    // The cat was what kept the rabbit warm, so the dog has to come first.
    goal("Ra7 Ca8 eb7 Da5", 3);
}

#[test]
fn a_friend_in_the_way_dies_on_a_trap() {
    goal("Re7 Cf7 re8 rd7 rg7", 3);
}

#[test]
fn the_blocker_is_pulled_away() {
    goal("Ra7 ca8 Hb8 rb7", 3);
    goal("Ra7 ha8 Hb8 rb7", None);
}

#[test]
fn the_blocker_is_pushed_aside_and_the_pusher_leaves_its_place() {
    goal("Rb7 cb8 Ha8 ra7 rc7", 4);
    goal("Rb7 cb8 Ha8 ra7 rc7 rc8", None);
}

#[test]
fn a_frozen_rabbit_runs_once_a_friend_has_come() {
    goal("Rd7 cd6", None);
    goal("Rd7 cd6 Hf7", 2);
    goal("Rd7 cd6 Hg7", 3);
    goal("Rd6 cd5 Hf6 Rf5", 3);
}

#[test]
fn a_frozen_rabbit_runs_once_the_piece_that_freezes_it_is_gone() {
    goal("Ra7 cb7 Hc6 Rd6", 2);
    // The horse pulls the cat away, as there is no place from which it could help more quickly.
    goal("Ra7 cb7 Hc7 rb6 ra6 rb8", 3);
}

#[test]
fn a_rabbit_that_freezes_one_step_before_the_goal_needs_a_friend_behind_it() {
    goal("Rd6 ee7 cc7", None);
    goal("Rd6 ee7 cc7 Hd5", 3);
}

#[test]
fn a_rabbit_that_would_be_frozen_on_its_goal_square_is_there_all_the_same() {
    goal("Rd7 ec8 me8", 1);
}

#[test]
fn a_rabbit_crosses_a_trap_with_a_friend_beside_it_only() {
    goal("Rc5 rb5 rd5", None);
    goal("Rc5 rb5 rd5 Cd6", 3);
    goal("Rc5 rb5 rd5 Ce6", 4);
}

#[test]
fn a_friend_on_a_trap_is_lost_when_the_rabbit_that_supports_it_leaves() {
    goal("Rb6 Hc6 rb8 ra7 cd7", None);
    // The same with another friend beside the trap, which then keeps the rabbit warm in the end.
    goal("Rb6 Hc6 Cc5 rb8 ra7 cd7", 3);
}

#[test]
fn an_open_push_is_completed_before_the_goal_counts() {
    let steps = after("Rd7 Hg4 rg5", "rg5n");
    assert_eq!(goal_steps(&steps), Some(2));
    let steps = after("Rd8 Hg4 rg5", "rg5n");
    assert_eq!(goal_steps(&steps), Some(1));
    let steps = after("Rd7 Hg4 rg5", "Hg4s Hg3n rg5n");
    assert_eq!(goal_steps(&steps), None);
}

#[test]
fn a_pull_that_the_last_step_left_open_clears_the_way_with_one_step() {
    let steps = after("Ra7 ca8 Hb8 rb7", "Hb8e");
    assert_eq!(goal_steps(&steps), Some(2));
    let steps = after("Ra7 ca8 Hb8 rb7", "Hb8e Hc8e");
    assert_eq!(goal_steps(&steps), None);
}

#[test]
fn an_enemy_beside_a_trap_is_pushed_or_pulled_into_it() {
    taken("rc5 Hc4", "c5=2");
    taken("rc5 Hc6 Rb6", "c5=2");
    taken("hc5 Hc4", "");
    taken("rc5 Rc4", "");
}

#[test]
fn the_last_defender_of_a_piece_on_a_trap_is_displaced() {
    taken("rc6 cc7 Hd7", "c6=2");
    // The dog can also drag the rabbit of d6 into the other trap.
    taken("rc6 rb6 rd6 Ha6 De6", "c6=4 d6=4");
    taken("rc6 rb6 rc7 Ha6 Dc8", "c6=4");
    taken("rc6 rb6 rd6 rc7 Ha6 Dc8", "");
}

#[test]
fn a_capturer_comes_nearer_by_one_step_or_two() {
    taken("rc5 Hd4", "c5=3");
    taken("rc5 He4", "c5=4");
    taken("rc5 Hf4", "");
}

#[test]
fn a_frozen_capturer_is_freed_first() {
    taken("rc5 Hc4 md4", "");
    taken("rc5 Hc4 md4 Rb3", "c5=3");
}

#[test]
fn an_own_rabbit_makes_room_on_the_trap() {
    taken("Rc6 Rb6 rc5 Hc4", "c5=3");
}

#[test]
fn an_own_piece_is_lost_while_its_pull_captures() {
    taken("rc6 cc5 Hc4 rb4 rd4 rb5 rd5", "b4=4 d4=4 c6=2");
}

#[test]
fn false_protection_the_defender_goes_first_then_the_piece() {
    taken("rc5 cb6 Ha6 Dc4", "c5=4 b6=4");
}

#[test]
fn an_enemy_two_steps_from_a_trap_is_dragged_into_it() {
    taken("rc4 Hd4 Eb8", "c4=2");
    taken("re5 Eg5", "");
    taken("rd5 Ee5", "d5=4");
}

#[test]
fn two_captures_in_one_turn_are_told_one_by_one() {
    taken("rc5 Hc4 df5 Mf4", "c5=2 f5=2");
    let found = captures(&Steps::begin(&position("rc5 Hc4 df5 Mf4")));
    assert_eq!(found.fewest, [Some(2), None, Some(2), None, None, None]);
    // Once the first is gone the second counts from there.
    let found = captures(&after("rc5 Hc4 df5 Mf4", "rc5n Hc4n"));
    assert_eq!(found.fewest, [None, None, Some(2), None, None, None]);
}

#[test]
fn a_push_that_cannot_be_completed_any_more_captures_nothing() {
    let pieces = "rc5 Hc4 Rh1";
    assert_eq!(captures(&after(pieces, "Rh1n Rh2n")).fewest[0], Some(2));
    assert_eq!(captures(&after(pieces, "Rh1n Rh2n Rh3n")), Captures::default());
}

#[test]
fn what_the_first_step_of_an_open_push_captured_is_not_counted_again() {
    assert_eq!(captures(&after("rc5 Hc4", "rc5n")), Captures::default());
}

#[test]
fn a_pull_that_the_last_step_left_open_captures_with_one_step() {
    let steps = after("rc5 Hc6 Rb6 Rh1", "Rh1n Rh2n Hc6n");
    let found = captures(&steps);
    assert_eq!((found.fewest[0], found.squares.count_ones()), (Some(1), 1));
}
