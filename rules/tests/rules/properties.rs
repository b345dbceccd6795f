//! What holds for every position: the slow second reading of the rules agrees, turned and mirrored boards have turned
//! and mirrored turns, hashes carried along are hashes computed anew, no board is ever invalid.

use std::collections::BTreeSet;

use annals_events::Side;
use annals_rules::arimaa::{
    Action, Board, Direction, Generator, Piece, Position, Square, Steps, Token, Turn, first_steps,
};
use annals_rules::game::Strictness;
use proptest::prelude::*;

use crate::mailbox::Mailbox;
use crate::vectors::cases;

/// Any valid board with up to the given number of pieces.
pub fn boards(most: usize) -> impl Strategy<Value = Board> {
    prop::collection::vec((0u8..64, 0usize..12), 0..=most).prop_map(|wanted| {
        let mut pieces: Vec<(Square, Side, Piece)> = Vec::new();
        for (square, kind) in wanted {
            let (square, side) = (Square::new(square).unwrap(), Side::BOTH[kind / 6]);
            // Eight kinds of draw fall on six kinds of piece: rabbits stand in for what there is enough of.
            let count = |piece| pieces.iter().filter(|&&(_, s, p)| s == side && p == piece).count() as u32;
            let piece = Piece::ALL[kind % 6];
            let piece = if count(piece) < piece.most() { piece } else { Piece::Rabbit };
            if count(piece) < piece.most() && pieces.iter().all(|&(taken, _, _)| taken != square) {
                pieces.push((square, side, piece));
            }
        }
        let whole = pieces.clone();
        let supported = |&(square, side, _): &(Square, Side, Piece)| {
            let friend = |next| whole.iter().any(|&(s, other, _)| s == next && other == side);
            !square.is_trap() || Direction::ALL.into_iter().filter_map(|d| square.step(d)).any(friend)
        };
        Board::from_pieces(pieces.into_iter().filter(supported)).expect("the board is valid")
    })
}

/// Any position with up to the given number of pieces.
pub fn positions(most: usize) -> impl Strategy<Value = Position> {
    (boards(most), any::<bool>())
        .prop_map(|(board, gold)| Position::new(board, if gold { Side::Gold } else { Side::Silver }))
}

fn mailbox(position: &Position) -> Mailbox {
    Mailbox::new(&position.board().to_short(), position.to_move() == Side::Gold)
}

/// What the second reading says of a turn's steps: the turn with its captures, and the board after it.
fn slowly(start: &Mailbox, turn: &Turn) -> Option<(String, String)> {
    let words: Vec<String> = turn
        .tokens()
        .iter()
        .filter(|token| matches!(token.action(), Action::Step(_)))
        .map(Token::to_string)
        .collect();
    start.play(words.iter().map(String::as_str)).map(|(turn, end)| (turn, end.short()))
}

fn turns(position: &Position) -> Vec<(Position, Turn)> {
    let mut turns = Vec::new();
    Generator::new().for_each(position, |after, turn| turns.push((*after, *turn)));
    turns
}

fn ends(position: &Position, change: impl Fn(&Board) -> Board) -> BTreeSet<Board> {
    turns(position).iter().map(|(after, _)| change(after.board())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(32, 3_000)))]

    #[test]
    fn the_second_reading_of_the_rules_finds_the_same_boards(position in positions(32)) {
        let slow = mailbox(&position);
        let found: BTreeSet<String> =
            turns(&position).iter().map(|(after, _)| after.board().to_short()).collect();
        prop_assert_eq!(&found, &slow.ends());
        prop_assert_eq!(first_steps(&position), slow.next().len());
        prop_assert_eq!(Generator::new().count(&position), found.len());
        prop_assert_eq!(position.has_turn(), !found.is_empty());
    }

    #[test]
    fn every_generated_turn_is_legal_to_the_letter_and_leads_where_it_says(position in positions(32)) {
        let slow = mailbox(&position);
        let turns = turns(&position);
        let mut boards = BTreeSet::new();
        for (i, (after, turn)) in turns.iter().enumerate() {
            let (played, what) = position.play(turn, Strictness::Strict).unwrap();
            prop_assert_eq!(&played, after);
            prop_assert_eq!(usize::from(what.steps), turn.steps());
            prop_assert_eq!(usize::from(what.captures), turn.captures());
            prop_assert_eq!(Turn::parse(turn.to_string().as_bytes()), Ok(*turn));
            prop_assert!(boards.insert(*after.board()), "{} stands there twice", after);
            let anew = Position::new(*after.board(), after.to_move());
            prop_assert_eq!((after.hash(), after.mirror_hash()), (anew.hash(), anew.mirror_hash()));
            prop_assert_eq!(Board::from_planes(after.board().planes()), Ok(*after.board()));
            // The second reading is slow: a few turns of each position are enough for it.
            if i % 997 == 0 {
                let expected = (turn.to_string(), after.board().to_short());
                prop_assert_eq!(slowly(&slow, turn), Some(expected));
            }
        }
    }

    #[test]
    fn the_other_chair_and_the_other_wing_have_the_same_turns(position in positions(32)) {
        let plain = ends(&position, |board| *board);
        prop_assert_eq!(&ends(&position.mirrored(), Board::mirrored), &plain);
        prop_assert_eq!(&ends(&position.rotated(), Board::rotated), &plain);
    }
}

/// A word that may well be a step: mostly of a piece that stands there.
fn word(board: &Board, (square, way, letter): (u8, usize, u8)) -> Option<Token> {
    let square = Square::new(square)?;
    let (side, piece) = match board.piece_at(square) {
        Some(found) if letter != 0 => found,
        _ => Piece::from_letter(b"RCDHMErcdhme"[letter as usize % 12])?,
    };
    Some(Token::new(side, piece, square, Action::Step(Direction::ALL[way])))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(5_000, 500_000)))]

    /// Words drawn at random are judged alike by both readings, whether they are legal or not.
    #[test]
    fn any_sequence_of_steps_is_judged_as_by_the_second_reading(
        position in positions(32),
        words in prop::collection::vec((0u8..64, 0usize..4, 0u8..40), 1..=5),
        choices in prop::collection::vec(0usize..64, 4),
    ) {
        // Some legal steps first, so that the random ones after them are judged in the middle of turns too.
        let mut turn = Turn::EMPTY;
        let mut steps = Steps::begin(&position);
        for choice in &choices[..choices[0] % 4] {
            let mut next = Vec::new();
            steps.for_each_next(|step| { next.push(step); true });
            let Some(step) = (!next.is_empty()).then(|| next[choice % next.len()]) else { break };
            turn.push(step.token());
            if let Some(capture) = steps.take(step) {
                turn.push(capture);
            }
        }
        let slow = mailbox(&position);
        let agree = |turn: &Turn| {
            let after = position.play(turn, Strictness::Archive).ok();
            let exact = position.with_captures(turn).ok();
            let found = exact.zip(after).map(|(turn, (after, _))| (turn.to_string(), after.board().to_short()));
            found == slowly(&slow, turn)
        };
        prop_assert!(agree(&turn), "{} {}", position, turn);
        for draw in words {
            if let Some(word) = word(steps.board(), draw) {
                turn.push(word);
                prop_assert!(agree(&turn), "{} {}", position, turn);
            }
        }
    }

    /// At every point of a random turn each piece is moved in each direction: both readings allow the same steps, with
    /// the same captures, and the list of next steps is just these.
    #[test]
    fn every_step_that_could_follow_is_judged_as_by_the_second_reading(
        position in positions(32),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 5),
    ) {
        let mut steps = Steps::begin(&position);
        let mut slow = mailbox(&position);
        for choice in choices {
            let allowed = slow.next();
            let expected: BTreeSet<(String, String)> =
                allowed.iter().map(|(words, after)| (words.clone(), after.short())).collect();
            let mut found = BTreeSet::new();
            let mut tokens = BTreeSet::new();
            for square in Square::all() {
                let Some((side, piece)) = steps.board().piece_at(square) else { continue };
                for direction in Direction::ALL {
                    let token = Token::new(side, piece, square, Action::Step(direction));
                    let mut after = steps;
                    if let Ok(capture) = after.step(token, direction) {
                        let capture = capture.map_or(String::new(), |capture| format!(" {capture}"));
                        found.insert((format!("{token}{capture}"), after.board().to_short()));
                        tokens.insert(token.to_string());
                    }
                }
            }
            prop_assert_eq!(&found, &expected);
            let mut listed = BTreeSet::new();
            steps.for_each_next(|next| listed.insert(next.token().to_string()));
            prop_assert_eq!(listed, tokens);
            if allowed.is_empty() {
                break;
            }
            let (words, after) = &allowed[choice.index(allowed.len())];
            let turn = Turn::parse(words.as_bytes()).unwrap();
            let Action::Step(direction) = turn.tokens()[0].action() else { panic!("{words} is a step") };
            steps.step(turn.tokens()[0], direction).unwrap();
            slow = after.clone();
        }
    }

    #[test]
    fn frozen_and_mobile_pieces_are_those_that_the_steps_show(position in positions(32)) {
        let board = position.board();
        for side in Side::BOTH {
            let mut mobile = 0;
            Steps::begin(&Position::new(*board, side)).for_each_next(|step| {
                let token = step.token();
                if token.side() == side {
                    mobile |= step.from.bit();
                } else {
                    for square in Direction::ALL.into_iter().filter_map(|d| step.from.step(d)) {
                        let pusher = board.piece_at(square);
                        let frozen = board.frozen(side) & square.bit() != 0;
                        if pusher.is_some_and(|(s, p)| s == side && p > token.piece()) && !frozen {
                            mobile |= square.bit();
                        }
                    }
                }
                true
            });
            prop_assert_eq!(board.mobile(side), mobile);
            prop_assert_eq!(board.frozen(side) & mobile, 0);
            prop_assert_eq!(board.frozen(side) & !board.occupied(side), 0);
        }
    }

    #[test]
    fn turned_and_mirrored_boards_turn_back_and_share_their_key(position in positions(32)) {
        let board = *position.board();
        prop_assert_eq!(board.mirrored().mirrored(), board);
        prop_assert_eq!(board.rotated().rotated(), board);
        prop_assert_eq!(board.mirrored().rotated(), board.rotated().mirrored());
        prop_assert!(Board::from_planes(board.rotated().planes()).is_ok());
        let (key, flipped) = position.key();
        let (mirror_key, mirror_flipped) = position.mirrored().key();
        prop_assert_eq!(key, mirror_key);
        prop_assert!(flipped != mirror_flipped || board == board.mirrored());
        prop_assert_eq!(position.mirrored(), Position::new(board.mirrored(), position.to_move()));
        prop_assert_eq!(position.mirrored().hash(), board.mirrored().hash(position.to_move()));
        let (normal, _, _) = position.normalized();
        prop_assert_eq!(normal.to_move(), Side::Gold);
        for same in [position.mirrored(), position.rotated(), position.rotated().mirrored()] {
            prop_assert_eq!(same.normalized().0, normal);
        }
        let frozen = board.frozen(Side::Gold).count_ones();
        prop_assert_eq!(board.rotated().frozen(Side::Silver).count_ones(), frozen);
    }
}
