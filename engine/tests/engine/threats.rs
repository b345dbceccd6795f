//! The fast threats of a turn against the slow ones: on real games, on positions of random games, on random
//! boards, in the middle of turns, and seen from the other wing and the other chair.

use annals_engine::threats::{Captures, capture_turns, captures, goal_steps, goal_steps_of, goal_turn};
use annals_events::Side;
use annals_rules::arimaa::bitboard::GOAL;
use annals_rules::arimaa::{
    Action, Arimaa, Board, Phase, Piece, Position, Square, State, Steps, Turn, TurnKind, piece,
};
use annals_rules::game::{Era, Rules, Strictness};
use annals_rules::seeded::Rng;
use proptest::prelude::*;
use rayon::prelude::*;

use crate::threats_slowly::Slow;
use crate::vectors;

/// The captures of the slow search in the form of the fast one.
fn expected(slow: &Slow, steps: &Steps) -> Captures {
    let mut captures = Captures::default();
    for square in Square::all() {
        let Some(fewest) = slow.captured[usize::from(square.index())] else { continue };
        let (side, piece) = steps.board().piece_at(square).expect("a piece stood there");
        assert_eq!(side, steps.mover().other());
        captures.squares |= square.bit();
        let known = captures.fewest[piece.index()].get_or_insert(fewest);
        *known = fewest.min(*known);
    }
    captures
}

/// Compares everything that can be said of a turn in progress.
fn agree(steps: &Steps) -> Slow {
    let slow = Slow::of(steps);
    let place = || {
        format!(
            "{:?} to move, {} made, {:?}:\n{}",
            steps.mover(),
            steps.made(),
            steps.pending(),
            steps.board()
        )
    };
    assert_eq!(goal_steps(steps), slow.goal, "goal, {}", place());
    assert_eq!(captures(steps), expected(&slow, steps), "captures, {}", place());
    slow
}

/// Compares a position, its mirror images, and the turns that are found in it.
pub fn agree_at(position: &Position) -> Slow {
    let slow = agree(&Steps::begin(position));
    let found = captures(&Steps::begin(position));
    let (mirrored, rotated) = (position.mirrored(), position.rotated());
    for (image, back) in [(mirrored, Square::mirrored as fn(Square) -> Square), (rotated, Square::rotated)] {
        let steps = Steps::begin(&image);
        assert_eq!(goal_steps(&steps), slow.goal, "{}", image.board());
        let seen = captures(&steps);
        assert_eq!(seen.fewest, found.fewest, "{}", image.board());
        for square in Square::all() {
            assert_eq!(seen.squares & back(square).bit() != 0, found.squares & square.bit() != 0);
        }
    }
    assert_eq!(goal_steps_of(position.board(), position.to_move()), slow.goal);
    check_goal_turn(position, slow.goal);
    check_capture_turns(position, &slow);
    slow
}

fn check_goal_turn(position: &Position, fewest: Option<u8>) {
    let turn = goal_turn(position);
    let Some(fewest) = fewest.filter(|fewest| *fewest > 0) else { return assert_eq!(turn, None) };
    let turn = turn.unwrap_or_else(|| panic!("a turn that reaches the goal:\n{}", position.board()));
    assert_eq!(turn.steps(), usize::from(fewest), "{turn}");
    let (after, _) =
        position.play(&turn, Strictness::Strict).unwrap_or_else(|error| panic!("{turn}: {error}"));
    let side = position.to_move();
    assert_ne!(after.board().bits(side, Piece::Rabbit) & GOAL[side.index()], 0, "{turn}");
}

/// The squares on which the enemy pieces stood that a turn captures.
fn captured_by(turn: &Turn, enemy: Side) -> u64 {
    let mut origin: [Square; 64] = std::array::from_fn(|square| Square::new(square as u8).unwrap());
    let mut taken = 0;
    for token in turn.tokens() {
        let from = usize::from(token.square().index());
        match token.action() {
            Action::Step(direction) => {
                origin[usize::from(token.square().step(direction).unwrap().index())] = origin[from];
            }
            Action::Capture if token.side() == enemy => taken |= origin[from].bit(),
            Action::Capture | Action::Place => {}
        }
    }
    taken
}

fn check_capture_turns(position: &Position, slow: &Slow) {
    let turns = capture_turns(position);
    let known = slow.captured.iter().flatten().count();
    assert_eq!(turns.len(), known, "{}", position.board());
    assert!(turns.is_sorted_by_key(|turn| turn.square.index()));
    for found in turns {
        let words = &found.turn;
        assert_eq!(slow.captured[usize::from(found.square.index())], Some(found.steps), "{words}");
        assert_eq!(words.steps(), usize::from(found.steps), "{words}");
        position.play(words, Strictness::Strict).unwrap_or_else(|error| panic!("{words}: {error}"));
        assert_ne!(captured_by(words, position.to_move().other()) & found.square.bit(), 0, "{words}");
        assert_eq!(position.board().piece_at(found.square), Some((position.to_move().other(), found.piece)));
    }
}

/// Makes up to three random steps from the beginning of a turn and compares after each; fewer steps are left,
/// so it is much faster than at the beginning.
fn agree_in_mid_turn(position: &Position, rng: &mut Rng) {
    let mut steps = Steps::begin(position);
    for _ in 0..4 {
        let mut next = Vec::new();
        steps.for_each_next(|step| {
            next.push(step);
            true
        });
        if next.is_empty() {
            return;
        }
        // Half of the time a step of the enemy's, if there is one: these leave a push to complete, or follow
        // as a pull.
        let enemy = steps.board().occupied(steps.mover().other());
        let displacing: Vec<_> = next.iter().filter(|step| step.from.bit() & enemy != 0).copied().collect();
        let step =
            if !displacing.is_empty() && rng.chance(500) { rng.pick(&displacing) } else { rng.pick(&next) };
        steps.take(*step);
        agree(&steps);
    }
}

/// What a set of positions held, so that a test can say that it saw enough.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Seen {
    positions: usize,
    goals: usize,
    pieces: usize,
}

fn compare(positions: &[Position], seed: u64) -> Seen {
    let each = positions.par_iter().enumerate().map(|(i, position)| {
        let slow = agree_at(position);
        let mut rng = Rng::of(&[seed, i as u64]);
        agree_in_mid_turn(position, &mut rng);
        agree_in_mid_turn(position, &mut rng);
        Seen {
            positions: 1,
            goals: usize::from(slow.goal.is_some()),
            pieces: slow.captured.iter().flatten().count(),
        }
    });
    each.reduce(Seen::default, |a, b| Seen {
        positions: a.positions + b.positions,
        goals: a.goals + b.goals,
        pieces: a.pieces + b.pieces,
    })
}

/// Every position of a file of the archive in which a turn of steps was made; turns that were taken back
/// count too.
fn real_positions(file: &str) -> Option<Vec<Position>> {
    let text = vectors::archive(file)?;
    let mut positions = Vec::new();
    for (_, moves) in vectors::column(&text, "movelist") {
        let mut states = vec![State::new(Era::Early)];
        for line in moves.split("\\n") {
            let words = line.split_once(' ').map_or("", |(_, words)| words);
            let Ok(turn) = Turn::parse(words.as_bytes()) else { break };
            match turn.kind() {
                TurnKind::Empty | TurnKind::Resign => continue,
                TurnKind::Takeback => {
                    states.pop();
                    continue;
                }
                TurnKind::Setup | TurnKind::Steps => {}
            }
            let Some(mut state) = states.last().copied() else { break };
            if state.phase() == Phase::Play {
                positions.push(*state.position());
            }
            if Arimaa::play(&mut state, words.as_bytes(), Strictness::Archive, |_| 0).is_err() {
                break;
            }
            states.push(state);
        }
    }
    Some(positions)
}

#[test]
fn the_threats_of_real_positions_are_those_of_every_sequence_of_steps() {
    for (file, every) in [("allgames202602.txt", 131), ("allgames2002.txt", 23)] {
        let Some(mut positions) = real_positions(file) else { continue };
        if !vectors::long() {
            // Some of all, and some of those with a goal.
            let near = |position: &Position| goal_steps(&Steps::begin(position)).is_some();
            let goals = positions.iter().copied().filter(near).step_by(8);
            positions = goals.chain(positions.iter().copied().step_by(every)).collect();
        }
        let seen = compare(&positions, 1);
        assert!(seen.positions > 40 && seen.goals > 5 && seen.pieces > seen.positions / 5, "{seen:?}");
    }
}

/// The pieces of a side in any order on its first two ranks.
fn random_home(side: Side, rng: &mut Rng) -> Vec<(Square, Side, Piece)> {
    let mut pieces: Vec<Piece> =
        Piece::ALL.into_iter().flat_map(|piece| (0..piece.most()).map(move |_| piece)).collect();
    rng.shuffle(&mut pieces);
    let first = if side == Side::Gold { 0 } else { 48 };
    (first..).zip(pieces).map(|(square, piece)| (Square::new(square).unwrap(), side, piece)).collect()
}

/// A position after some turns of random steps.
fn random_reachable(rng: &mut Rng) -> Position {
    let pieces = Side::BOTH.into_iter().flat_map(|side| random_home(side, rng)).collect::<Vec<_>>();
    let mut position = Position::new(Board::from_pieces(pieces).unwrap(), Side::Gold);
    for _ in 0..rng.between(4, 120) {
        let mut steps = Steps::begin(&position);
        for _ in 0..4 {
            let mut next = Vec::new();
            steps.for_each_next(|step| {
                next.push(step);
                true
            });
            if !next.is_empty() {
                steps.take(*rng.pick(&next));
            }
        }
        let Ok(after) = steps.finish(&position) else { break };
        position = after;
        let won = Side::BOTH.map(|side| position.board().bits(side, Piece::Rabbit) & GOAL[side.index()]);
        if won != [0, 0] {
            break;
        }
    }
    position
}

/// A board with so many random pieces at most; those that stand alone on a trap, or are one too many of their
/// kind, are left out. The rabbits stand far ahead more often than not.
fn random_board(rng: &mut Rng, most: u32) -> Position {
    let mut pieces: Vec<(Square, Side, Piece)> = Vec::new();
    for _ in 0..rng.between(2, most) {
        let side = *rng.pick(&Side::BOTH);
        let kind = *rng.pick(&Piece::ALL);
        let mut square = rng.below(64) as u8;
        if kind == Piece::Rabbit && rng.chance(600) {
            let ahead = 8 * (rng.between(3, 6) as u8) + rng.below(8) as u8;
            square = if side == Side::Gold { ahead } else { 63 - ahead };
        }
        pieces.push((Square::new(square).unwrap(), side, kind));
        if Board::from_pieces(pieces.iter().copied()).is_err() {
            pieces.pop();
        }
    }
    let board = Board::from_pieces(pieces).unwrap();
    Position::new(board, *rng.pick(&Side::BOTH))
}

#[test]
fn the_threats_of_positions_from_random_games_are_those_of_every_sequence_of_steps() {
    let mut rng = Rng::of(&[2]);
    let positions: Vec<_> = (0..vectors::cases(80, 10_000)).map(|_| random_reachable(&mut rng)).collect();
    let seen = compare(&positions, 3);
    assert!(seen.goals > 10 && seen.pieces > 20, "{seen:?}");
}

#[test]
fn the_threats_of_random_boards_are_those_of_every_sequence_of_steps() {
    let mut rng = Rng::of(&[4]);
    let sparse = (0..vectors::cases(500, 50_000)).map(|_| random_board(&mut rng, 9)).collect::<Vec<_>>();
    let seen = compare(&sparse, 5);
    assert!(seen.goals > 50 && seen.pieces > 30, "{seen:?}");
    let full = (0..vectors::cases(60, 10_000)).map(|_| random_board(&mut rng, 34)).collect::<Vec<_>>();
    let seen = compare(&full, 6);
    assert!(seen.goals > 10 && seen.pieces > 20, "{seen:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(vectors::cases(200, 10_000)))]

    #[test]
    fn the_threats_of_any_small_board_are_those_of_every_sequence_of_steps(
        pieces in prop::collection::vec((0u8..64, 0u8..12), 1..8),
        silver: bool,
        seed: u64,
    ) {
        let mut board = Vec::new();
        for (square, kind) in pieces {
            let code = if kind < 6 { kind + 1 } else { kind + 3 };
            let (side, piece) = piece::from_code(code).unwrap();
            board.push((Square::new(square).unwrap(), side, piece));
            if Board::from_pieces(board.iter().copied()).is_err() {
                board.pop();
            }
        }
        let board = Board::from_pieces(board).unwrap();
        let position = Position::new(board, if silver { Side::Silver } else { Side::Gold });
        agree_at(&position);
        agree_in_mid_turn(&position, &mut Rng::of(&[seed]));
    }
}
