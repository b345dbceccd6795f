//! Single steps within turns: what a step does to board, hashes and what it leaves open, and that all of it can be
//! taken back; that the lists of next steps say the same as the legality of each; that what is captured stays captured.

use annals_events::Side;
use annals_rules::arimaa::{
    Action, Board, MOST_STEPS, NextStep, NextSteps, Pending, Piece, Position, Square, StepKind, Steps,
};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::properties::positions;
use crate::vectors::cases;

fn next_steps(steps: &Steps) -> NextSteps {
    let mut list = NextSteps::new();
    steps.next_steps(&mut list);
    list
}

/// Whether the turn may end here.
fn may_end(steps: &Steps, start: &Position) -> bool {
    steps.finish(start).is_ok()
}

/// The board before a step, from the board after it.
fn undone(after: &Board, step: &NextStep, captured: Option<(Square, Side, Piece)>) -> Board {
    let moved = (step.from, step.side(), step.piece());
    let others = Square::all()
        .filter(|&square| square != step.to)
        .filter_map(|square| after.piece_at(square).map(|(side, piece)| (square, side, piece)));
    // What was captured stood on its trap, or was the piece itself as it arrived there.
    let captured = captured.filter(|&(square, ..)| square != step.to);
    Board::from_pieces(others.chain([moved]).chain(captured)).expect("the board before was whole")
}

/// What a step leaves open, by the words of the rules.
fn left_open(step: &NextStep) -> Pending {
    match step.kind() {
        StepKind::Own => Pending::Pull { from: step.from, puller: step.piece() },
        StepKind::PushBegun => Pending::Push { from: step.from, victim: step.piece() },
        StepKind::Pulled | StepKind::PushCompleted => Pending::Nothing,
    }
}

/// The kind that a step must have after what was left open before it; a pull goes before a push.
fn kind_after(pending: Pending, step: &NextStep, mover: Side) -> StepKind {
    match (pending, step.side() == mover) {
        (Pending::Push { .. }, _) => StepKind::PushCompleted,
        (_, true) => StepKind::Own,
        (Pending::Pull { from, puller }, false) if from == step.to && step.piece() < puller => {
            StepKind::Pulled
        }
        (_, false) => StepKind::PushBegun,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1_000, 100_000)))]

    /// At every node of a random way through a turn, each next step is made on a copy and taken back by hand.
    #[test]
    fn each_step_keeps_the_hashes_up_and_can_be_taken_back(
        start in positions(32),
        choices in prop::collection::vec(any::<Index>(), 4),
    ) {
        let mut steps = Steps::begin(&start);
        prop_assert_eq!((steps.made(), steps.pending(), steps.last()), (0, Pending::Nothing, None));
        for choice in choices {
            let list = next_steps(&steps);
            let before = steps;
            for step in &list {
                let mut after = steps;
                let captured = after.take(*step);
                let board = after.board();
                prop_assert_eq!(Board::from_planes(board.planes()), Ok(*board));
                let mover = steps.mover();
                prop_assert_eq!(after.hash(), board.hash(mover));
                prop_assert_eq!(after.mirror_hash(&start), board.mirrored().hash(mover));
                prop_assert_eq!(after.key(&start), board.key(mover));
                prop_assert_eq!((after.mover(), after.made(), after.last()), (mover, steps.made() + 1, Some(*step)));
                prop_assert_eq!((after.pending(), step.leaves()), (left_open(step), left_open(step)));
                prop_assert_eq!(step.kind(), kind_after(steps.pending(), step, mover));
                let is_own = matches!(step.kind(), StepKind::Own | StepKind::PushCompleted);
                prop_assert_eq!(is_own, step.side() == mover);
                prop_assert_eq!(after.is_push_open(), step.kind() == StepKind::PushBegun);
                prop_assert_eq!(steps.board().piece_at(step.from), Some((step.side(), step.piece())));
                prop_assert_eq!(steps.board().piece_at(step.to), None);

                let lost = captured.map(|token| (token.square(), token.side(), token.piece()));
                prop_assert!(lost.is_none_or(|(square, ..)| square.is_trap()));
                let back = undone(board, step, lost);
                prop_assert_eq!(back, *steps.board());
                prop_assert_eq!(back.hash(mover), steps.hash());

                // The way by the words of the notation ends at the same place.
                let mut worded = steps;
                prop_assert_eq!(worded.step(step.token(), step.direction()), Ok(captured));
                prop_assert_eq!((worded.board(), worded.hash()), (board, after.hash()));
                prop_assert_eq!((worded.last(), worded.pending()), (after.last(), after.pending()));
            }
            // Copies were made; what they were made of is as it was.
            prop_assert_eq!((steps.board(), steps.hash()), (before.board(), before.hash()));
            prop_assert_eq!((steps.last(), steps.made()), (before.last(), before.made()));
            if list.is_empty() {
                break;
            }
            steps.take(list[choice.index(list.len())]);
        }
    }

    /// The list holds each step once, says what is handed over one by one, and that stops when it is told to.
    #[test]
    fn the_list_and_the_steps_one_by_one_are_the_same(
        start in positions(32),
        choices in prop::collection::vec(any::<Index>(), 4),
    ) {
        let mut steps = Steps::begin(&start);
        let mut list = NextSteps::new();
        for choice in choices {
            steps.next_steps(&mut list);
            let mut one_by_one = Vec::new();
            steps.for_each_next(|step| {
                one_by_one.push(step);
                true
            });
            prop_assert_eq!(list.as_slice(), &one_by_one[..]);
            let mut words: Vec<String> = list.iter().map(|step| step.token().to_string()).collect();
            words.sort_unstable();
            words.dedup();
            prop_assert_eq!(words.len(), list.len());
            for from in Square::all() {
                for to in Square::all() {
                    let listed = list.iter().copied().find(|step| (step.from, step.to) == (from, to));
                    prop_assert_eq!(steps.next_step(from, to), listed);
                }
            }
            for (i, step) in list.iter().enumerate() {
                prop_assert_eq!(step.token().action(), Action::Step(step.direction()));
                prop_assert_eq!(step.from.step(step.direction()), Some(step.to));
                let mut seen = 0;
                steps.for_each_next(|_| {
                    seen += 1;
                    seen <= i
                });
                prop_assert_eq!(seen, i + 1);
            }
            if list.is_empty() {
                break;
            }
            steps.take(list[choice.index(list.len())]);
        }
        if steps.made() == MOST_STEPS {
            prop_assert!(next_steps(&steps).is_empty());
        }
    }

    /// The other chair and the other wing have the same steps of the same kinds, at every point of a turn.
    #[test]
    fn turned_and_mirrored_turns_go_on_by_turned_and_mirrored_steps(
        start in positions(32),
        choices in prop::collection::vec(any::<Index>(), 4),
    ) {
        let sorted = |steps: &Steps, of: fn(Square) -> Square| {
            let mut found: Vec<_> = next_steps(steps)
                .iter()
                .map(|step| (of(step.from).index(), of(step.to).index(), step.kind() as u8, step.piece()))
                .collect();
            found.sort_unstable();
            found
        };
        let mut steps = Steps::begin(&start);
        let mut turned = Steps::begin(&start.rotated());
        let mut mirrored = Steps::begin(&start.mirrored());
        for choice in choices {
            let plain = sorted(&steps, |square| square);
            prop_assert_eq!(&sorted(&turned, Square::rotated), &plain);
            prop_assert_eq!(&sorted(&mirrored, Square::mirrored), &plain);
            let list = next_steps(&steps);
            if list.is_empty() {
                break;
            }
            let step = list[choice.index(list.len())];
            let same = |steps: &Steps, of: fn(Square) -> Square| {
                next_steps(steps).iter().copied().find(|s| (s.from, s.to) == (of(step.from), of(step.to)))
            };
            let captured = steps.take(step).map(|token| token.square());
            let by_turned = same(&turned, Square::rotated).map(|step| turned.take(step));
            let by_mirrored = same(&mirrored, Square::mirrored).map(|step| mirrored.take(step));
            let where_lost = |found: Option<Option<annals_rules::arimaa::Token>>, of: fn(Square) -> Square| {
                found.map(|captured| captured.map(|token| of(token.square())))
            };
            prop_assert_eq!(where_lost(by_turned, Square::rotated), Some(captured));
            prop_assert_eq!(where_lost(by_mirrored, Square::mirrored), Some(captured));
            prop_assert_eq!(turned.board().rotated(), *steps.board());
            prop_assert_eq!(mirrored.board().mirrored(), *steps.board());
            prop_assert_eq!(mirrored.hash(), steps.mirror_hash(&start));
        }
    }

    /// Through many turns of both sides no piece is ever more than it was, and each loss is a capture that was told.
    #[test]
    fn what_is_captured_never_comes_back(
        start in positions(32),
        choices in prop::collection::vec(any::<Index>(), 60),
    ) {
        let counts = |board: &Board| Side::BOTH.map(|side| board.counts(side));
        let mut position = start;
        let mut expected = counts(start.board());
        let mut steps = Steps::begin(&position);
        for choice in choices {
            let list = next_steps(&steps);
            let end = may_end(&steps, &position);
            let ways = list.len() + usize::from(end);
            if ways == 0 {
                break;
            }
            match list.get(choice.index(ways)) {
                Some(step) => {
                    if let Some(lost) = steps.take(*step) {
                        expected[lost.side().index()][lost.piece().index()] -= 1;
                    }
                }
                None => {
                    position = steps.finish(&position).unwrap();
                    let anew = Position::new(*position.board(), position.to_move());
                    prop_assert_eq!((position.hash(), position.mirror_hash()), (anew.hash(), anew.mirror_hash()));
                    steps = Steps::begin(&position);
                }
            }
            prop_assert_eq!(counts(steps.board()), expected);
        }
    }
}

#[test]
fn a_pull_goes_before_the_push_that_would_be_the_same_step() {
    let start: Position =
        "g [................................r.......E.......R..............R]".parse().unwrap();
    let mut steps = Steps::begin(&start);
    let find = |steps: &Steps, word: &str| {
        next_steps(steps).iter().copied().find(|step| step.token().to_string() == word)
    };
    let east = find(&steps, "Ea3e").unwrap();
    assert_eq!((east.kind(), east.code(), east.side()), (StepKind::Own, 6, Side::Gold));
    steps.take(east);
    assert_eq!(find(&steps, "ra4s").map(|step| step.kind()), Some(StepKind::Pulled));

    let mut steps = Steps::begin(&start);
    let push = find(&steps, "ra4n").unwrap();
    assert_eq!((push.kind(), push.piece(), push.side()), (StepKind::PushBegun, Piece::Rabbit, Side::Silver));
    steps.take(push);
    assert!(steps.is_push_open() && !may_end(&steps, &start));
    let list = next_steps(&steps);
    assert_eq!(list.len(), 1);
    assert_eq!((list[0].kind(), list[0].token().to_string()), (StepKind::PushCompleted, "Ea3n".to_owned()));
    assert_eq!(format!("{list:?}"), "[Ea3n]");
}

#[test]
fn the_longest_lists_fit() {
    // Where no two pieces stand side by side, each can go nearly anywhere.
    let mut pieces = Vec::new();
    let dark = |square: &Square| (square.file() + square.rank()).is_multiple_of(2) && !square.is_trap();
    let mut squares = Square::all().filter(dark);
    for side in Side::BOTH {
        for piece in Piece::ALL {
            for _ in 0..piece.most() {
                pieces.extend(squares.next().map(|square| (square, side, piece)));
            }
        }
    }
    let board = Board::from_pieces(pieces).unwrap();
    for side in Side::BOTH {
        let steps = Steps::begin(&Position::new(board, side));
        let mut handed_over = 0;
        steps.for_each_next(|_| {
            handed_over += 1;
            true
        });
        assert_eq!(next_steps(&steps).len(), handed_over);
        assert!((30..=NextSteps::CAPACITY).contains(&handed_over), "{handed_over}");
    }
}
