//! What holds for every position of the Amazons on every size of board: the slow second reading agrees, turned boards
//! have turned moves, a move taken back leaves no trace, and what is decided stays decided.

use std::collections::BTreeSet;

use annals_events::Side;
use annals_rules::amazons::{Board, Closer, Distances, Move, Owner, Position, Size, Square, Stage, Symmetry};
use annals_rules::seeded::Rng;
use proptest::prelude::*;

use crate::amazons_grid::{At, Grid, name};
use crate::vectors::cases;

/// Any size: mostly those on which one would play, and now and then one of all that exist.
pub fn sizes() -> impl Strategy<Value = Size> {
    let any = (1usize..=26, any::<prop::sample::Index>())
        .prop_map(|(files, ranks)| Size::new(files, 1 + ranks.index(128 / files)).unwrap());
    let usual = (3usize..=11).prop_map(|edge| Size::new(edge, edge).unwrap());
    prop_oneof![2 => Just(Size::STANDARD), 3 => usual, 3 => any]
}

/// Any position with up to four queens a side, and with few blocks or many.
pub fn positions() -> impl Strategy<Value = Position> {
    (sizes(), any::<u64>(), 0u32..=950, any::<bool>()).prop_map(|(size, seed, blocked, white)| {
        let mut rng = Rng::of(&[seed]);
        let mut squares: Vec<Square> = size.squares(size.all()).collect();
        rng.shuffle(&mut squares);
        let mut queens = [Vec::new(), Vec::new()];
        for side in &mut queens {
            let count = rng.between(0, 4) as usize;
            side.extend(squares.drain(..count.min(squares.len())));
        }
        squares.retain(|_| rng.chance(blocked));
        let board = Board::new(size, [&queens[0], &queens[1]], &squares).unwrap();
        Position::new(board, if white { Side::Gold } else { Side::Silver })
    })
}

fn grid(position: &Position) -> Grid {
    Grid::new(&position.board().to_short())
}

fn letter(side: Side) -> u8 {
    if side == Side::Gold { b'W' } else { b'B' }
}

fn at(square: Square) -> At {
    (i32::from(square.file()), i32::from(square.rank()))
}

fn squares(position: &Position, set: u128) -> BTreeSet<At> {
    position.board().size().squares(set).map(at).collect()
}

fn slowly(grid: &Grid, [white, black]: [std::collections::BTreeMap<At, u32>; 2]) -> [BTreeSet<At>; 4] {
    let mut sets: [BTreeSet<At>; 4] = Default::default();
    for file in 0..grid.files {
        for rank in 0..grid.ranks {
            if grid.stands.contains_key(&(file, rank)) {
                continue;
            }
            let which = match (white.get(&(file, rank)), black.get(&(file, rank))) {
                (None, None) => 3,
                (Some(_), None) => 0,
                (None, Some(_)) => 1,
                (Some(w), Some(b)) if w == b => 2,
                (Some(w), Some(b)) => usize::from(b < w),
            };
            sets[which].insert((file, rank));
        }
    }
    sets
}

/// Compares the squares at each distance with those of the second reading; the last set has all that are farther.
fn assert_layers(position: &Position) {
    let (board, slow) = (position.board(), grid(position));
    for side in Side::BOTH {
        for (found, queen) in [(board.queen_distances(side), true), (board.king_distances(side), false)] {
            let known = slow.distances(letter(side), queen);
            for (layer, distance) in found.layers().iter().zip(1..) {
                let is_in = |moves: u32| moves.min(Distances::FAR as u32) == distance;
                let known: BTreeSet<At> =
                    known.iter().filter(|(_, moves)| is_in(**moves)).map(|(at, _)| *at).collect();
                assert_eq!(squares(position, *layer), known, "{position} {side:?} {queen} {distance}");
            }
            let reached: BTreeSet<At> = known.into_keys().collect();
            let vacant = squares(position, board.vacant());
            assert_eq!(
                squares(position, found.unreached()),
                &vacant - &reached,
                "{position} {side:?} {queen}"
            );
        }
    }
}

#[test]
fn squares_at_the_end_of_a_long_way_are_in_the_last_set() {
    let way = "w [W........./xxxxxxxxx./........../.xxxxxxxxx/........../xxxxxxxxx./........../.xxxxxxxxx/........../xxxxxxxxxB]";
    let position: Position = way.parse().unwrap();
    assert_layers(&position);
    let board = position.board();
    let [queen, king] = [board.queen_distances(Side::Gold), board.king_distances(Side::Gold)];
    assert!(
        queen.layers()[Distances::FAR - 1].count_ones() > 1
            && king.layers()[Distances::FAR - 1].count_ones() > 30
    );
    assert_eq!((queen.unreached(), king.unreached()), (0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(300, 20_000)))]

    #[test]
    fn the_second_reading_of_the_rules_finds_the_same_moves(position in positions()) {
        let slow = grid(&position);
        for side in Side::BOTH {
            let list = position.board().moves(side);
            let found: BTreeSet<[At; 3]> =
                list.iter().map(|m| [at(m.from), at(m.to), at(m.block)]).collect();
            prop_assert_eq!(&found, &slow.moves(letter(side)));
            prop_assert_eq!(list.len(), found.len(), "a move is there twice");
            prop_assert_eq!(position.board().count_moves(side), list.len() as u64);
            prop_assert_eq!(position.board().can_move(side), !list.is_empty());
        }
        let replies: u64 = position
            .moves()
            .into_iter()
            .take(50)
            .map(|played| position.play(played).unwrap().count_moves())
            .sum();
        let mover = letter(position.to_move());
        let slowly: usize = position
            .moves()
            .into_iter()
            .take(50)
            .map(|m| slow.after([at(m.from), at(m.to), at(m.block)]).moves(b'W' + b'B' - mover).len())
            .sum();
        prop_assert_eq!(replies, slowly as u64);
    }

    #[test]
    fn every_generated_move_is_read_in_both_notations_and_leaves_no_trace_when_taken_back(
        position in positions(),
    ) {
        for played in position.moves() {
            prop_assert_eq!(Move::parse(played.to_string().as_bytes()), Ok(played));
            prop_assert_eq!(Move::parse(played.with_slash().as_bytes()), Ok(played));
            let after = position.play(played).unwrap();
            prop_assert_eq!(after.hash(), after.board().hash(after.to_move()));
            prop_assert_eq!(after.to_move(), position.to_move().other());
            prop_assert_eq!(after.board().blocks().count_ones(), position.board().blocks().count_ones() + 1);
            let mut here = position;
            here.make(played);
            prop_assert_eq!(format!("{here:?}"), format!("{after:?}"));
            here.unmake(played);
            prop_assert_eq!(format!("{here:?}"), format!("{position:?}"));
        }
    }

    #[test]
    fn turned_boards_have_turned_moves_distances_and_regions(position in positions()) {
        let (board, size) = (position.board(), position.board().size());
        let symmetries: Vec<Symmetry> = Symmetry::of(size).collect();
        prop_assert_eq!(symmetries.len(), if size.is_square() { 8 } else { 4 });
        let plain: BTreeSet<Move> = position.moves().into_iter().collect();
        for &symmetry in &symmetries {
            let turned = symmetry.position(&position);
            let image = turned.board();
            prop_assert_eq!(symmetry.inverse().position(&turned), position);
            let moves: BTreeSet<Move> = turned.moves().into_iter().collect();
            let expected: BTreeSet<Move> = plain.iter().map(|m| symmetry.turn(size, *m)).collect();
            prop_assert_eq!(&moves, &expected);
            prop_assert_eq!(turned.key().0, position.key().0);
            prop_assert_eq!(turned.stage(), position.stage());
            for (found, known) in [
                (image.closer_by_queen(), board.closer_by_queen()),
                (image.closer_by_king(), board.closer_by_king()),
            ] {
                let set = |set| symmetry.set(size, set);
                let known = Closer {
                    sides: known.sides.map(set),
                    tie: set(known.tie),
                    neither: set(known.neither),
                };
                prop_assert_eq!(found, known);
            }
            for side in Side::BOTH {
                prop_assert_eq!(image.territory(side), symmetry.set(size, board.territory(side)));
            }
            for &played in plain.iter().take(20) {
                let later = position.play(played).unwrap();
                let image = turned.play(symmetry.turn(size, played)).unwrap();
                prop_assert_eq!(image, symmetry.position(&later));
            }
        }
        let (key, symmetry) = position.key();
        prop_assert_eq!(symmetry.position(&position).hash(), key);
    }

    #[test]
    fn distances_territory_and_regions_are_those_of_the_second_reading(position in positions()) {
        let (board, slow) = (position.board(), grid(&position));
        for (found, queen) in [(board.closer_by_queen(), true), (board.closer_by_king(), false)] {
            let known = slowly(&slow, [slow.distances(b'W', queen), slow.distances(b'B', queen)]);
            let found = [found.sides[0], found.sides[1], found.tie, found.neither];
            prop_assert_eq!(found.map(|set| squares(&position, set)), known);
        }
        for side in Side::BOTH {
            let known: BTreeSet<At> = slow.distances(letter(side), true).into_keys().collect();
            prop_assert_eq!(squares(&position, board.territory(side)), known);
        }
        assert_layers(&position);
        let mut known = slow.regions();
        let mut shared = false;
        for region in board.regions() {
            let [white, black] = region.queens;
            let whole = squares(&position, region.vacant | white | black);
            let place = known.iter().position(|known| *known == whole);
            prop_assert!(place.is_some(), "{:?} is no region", whole);
            known.remove(place.unwrap());
            let owner = match (whole.iter().any(|at| slow.stands.get(at) == Some(&b'W')),
                whole.iter().any(|at| slow.stands.get(at) == Some(&b'B'))) {
                (true, true) => Owner::Shared,
                (true, false) => Owner::Side(Side::Gold),
                (false, true) => Owner::Side(Side::Silver),
                (false, false) => Owner::Nobody,
            };
            prop_assert_eq!(region.owner(), owner);
            if let Owner::Side(side) = owner {
                prop_assert_eq!(region.vacant & !board.territory(side), 0, "its owner reaches all of it");
            }
            shared |= owner == Owner::Shared;
        }
        prop_assert!(known.is_empty());
        prop_assert_eq!(board.is_decided(), !shared);
    }

    /// Any three squares are judged as the list of legal moves judges them.
    #[test]
    fn a_move_is_legal_exactly_when_it_is_generated(
        position in positions(),
        words in prop::collection::vec((0u8..27, 0u8..12, 0u8..12, 0u8..12, any::<prop::sample::Index>()), 1..40),
    ) {
        let legal: BTreeSet<Move> = position.moves().into_iter().collect();
        let size = position.board().size();
        let own: Vec<Square> = size.squares(position.board().queens(position.to_move())).collect();
        for (file, a, b, c, queen) in words {
            let square = |file: u8, rank: u8| Square::at(file % 26, rank).unwrap();
            let from = if own.is_empty() { square(file, a) } else { own[queen.index(own.len())] };
            let to = square(from.file().wrapping_add(a % 3).saturating_sub(1), from.rank() + b % 3);
            for played in [
                Move { from, to, block: square(c, b) },
                Move { from, to: square(a, b), block: from },
                Move { from: square(file, a), to, block: from },
            ] {
                prop_assert_eq!(position.play(played).is_ok(), legal.contains(&played), "{}", played);
            }
        }
    }

    /// Nothing that happens later brings the sides together again.
    #[test]
    fn what_is_decided_stays_decided(position in positions(), seed in any::<u64>()) {
        let mut rng = Rng::of(&[seed]);
        let mut here = position;
        let mut decided = false;
        loop {
            let board = here.board();
            let [white, black] = Side::BOTH.map(|side| board.territory(side));
            prop_assert!(!decided || board.is_decided());
            decided = board.is_decided();
            prop_assert!(!decided || white & black == 0);
            let moves = here.moves();
            match here.stage() {
                Stage::Finished { winner } => {
                    prop_assert!(moves.is_empty() && winner == here.to_move().other());
                    break;
                }
                stage => prop_assert_eq!(stage == Stage::Decided, decided),
            }
            here = here.play(*rng.pick(&moves)).unwrap();
        }
    }
}

#[test]
fn names_of_squares_are_those_of_the_second_reading() {
    for square in Size::STANDARD.squares(Size::STANDARD.all()) {
        assert_eq!(square.to_string(), name(at(square)));
    }
}
