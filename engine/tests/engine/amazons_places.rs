//! Positions of the Amazons for tests: scattered ones on boards of any size, and games by chance.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_engine::amazons::evaluation::Queens;
use annals_engine::amazons::{SearchOptions, Searcher};
use annals_engine::search::{Found, Limits};
use annals_events::Side;
use annals_rules::amazons::{Board, Move, Position, Size, Square};
use annals_rules::seeded::Rng;

/// A board of a size with so many queens of each side and so many blocks, anywhere.
pub fn scattered(rng: &mut Rng, files: usize, ranks: usize, queens: usize, blocks: usize) -> Position {
    let size = Size::new(files, ranks).unwrap();
    let mut squares: Vec<Square> = size.squares(size.all()).collect();
    rng.shuffle(&mut squares);
    let (white, rest) = squares.split_at(queens);
    let (black, rest) = rest.split_at(queens);
    let board = Board::new(size, [white, black], &rest[..blocks]).unwrap();
    Position::new(board, *rng.pick(&Side::BOTH))
}

/// The usual start after so many moves of chance, or fewer where the game ends before.
pub fn after(rng: &mut Rng, moves: usize) -> Position {
    let mut position = Position::start();
    for _ in 0..moves {
        let all = position.moves();
        if all.is_empty() {
            break;
        }
        position.make(*rng.pick(&all));
    }
    position
}

/// The same position with the colours exchanged.
pub fn exchanged(position: &Position) -> Position {
    let board = position.board();
    let set = |set: u128| board.size().squares(set).collect::<Vec<_>>();
    let (white, black) = (set(board.queens(Side::Gold)), set(board.queens(Side::Silver)));
    let board = Board::new(board.size(), [&black, &white], &set(board.blocks())).unwrap();
    Position::new(board, position.to_move().other())
}

pub fn searcher(options: SearchOptions) -> Searcher {
    Searcher::new(Arc::new(Queens), options)
}

pub fn search(searcher: &mut Searcher, position: &Position, limits: Limits) -> Option<Found<Move>> {
    searcher.search(position, 1, &limits, &AtomicBool::new(false), &mut |_| {})
}
