//! Positions, turns and games as boards.

use annals_charts::{Arrow, Board, Look, Piece, Square};
use annals_events::{GameKind, Side};
use annals_ingest::stored_board::StoredBoard;
use annals_rules::arimaa::{self, Action, Turn, TurnKind};
use annals_rules::{AnyPosition, amazons};

use crate::Error;
use crate::boards::read_board;
use crate::game_view::{GameView, Moment, TurnView};
use crate::views::outcome_words;

/// A position, with the side to move as its caption.
#[must_use]
pub fn of_position(position: &AnyPosition) -> Board {
    let (board, game) = match position {
        AnyPosition::Arimaa(position) => (arimaa_board(position.board()), GameKind::Arimaa),
        AnyPosition::Amazons(position) => (amazons_board(position.board()), GameKind::Amazons),
    };
    Board { caption: format!("{} to move", capital(position.to_move(), game)), ..board }
}

/// The position in which a turn is played, with its steps as arrows; for a setup the position after it.
///
/// # Errors
/// `Argument` if a stored board cannot be read, which only a damaged dataset causes.
pub fn of_moment(game: &GameView, moment: &Moment) -> Result<Board, Error> {
    let Some(played) = &moment.played else {
        let label = moment.label.text_in(game.game);
        let caption = match game.result == "unknown" && game.ending.is_none() {
            true => format!("{label}: {} to move", capital(moment.to_move, game.game)),
            false => format!("The end: {}", outcome_words(game)),
        };
        return Ok(Board { caption, ..read(&moment.board)? });
    };
    let turn = (game.game == GameKind::Arimaa).then(|| Turn::parse(played.steps.as_bytes()).ok()).flatten();
    let is_setup = turn.as_ref().is_some_and(|turn| turn.kind() == TurnKind::Setup);
    let mut board = read(if is_setup { &played.board } else { &moment.board })?;
    let label = played.label.text_in(game.game);
    board.caption = format!("{label} {}", if is_setup { "setup" } else { &played.steps });
    for token in turn.iter().flat_map(Turn::tokens) {
        let at = square(token.square());
        match token.action() {
            Action::Step(direction) => {
                let to = token.square().step(direction).map(square);
                board.arrows.extend(to.map(|to| Arrow { from: at, to, moves: true }));
            }
            Action::Capture => board.captured.push(at),
            Action::Place => {}
        }
    }
    if game.game == GameKind::Amazons
        && let Ok(played) = amazons::Move::parse(played.steps.as_bytes())
    {
        let [from, to, block] = [played.from, played.to, played.block].map(|at| (at.file(), at.rank()));
        board.arrows = vec![Arrow { from, to, moves: true }, Arrow { from: to, to: block, moves: false }];
    }
    Ok(board)
}

/// The position after some steps of the turn that is played in it, the last of them as an arrow; a piece captured by it
/// is marked. In the Amazons the first step is the move of the queen, the second its arrow.
///
/// # Errors
/// As [`of_moment`].
pub fn of_steps(game: &GameView, moment: &Moment, steps: usize) -> Result<Board, Error> {
    let whole = of_moment(game, moment)?;
    let (Some(played), 1..) = (&moment.played, steps) else {
        return Ok(Board { arrows: Vec::new(), captured: Vec::new(), ..whole });
    };
    let mut board = Board { caption: whole.caption.clone(), ..read(&moment.board)? };
    if game.game == GameKind::Amazons {
        let (Some(walk), shot) = (whole.arrows.first(), whole.arrows.get(1)) else { return Ok(whole) };
        go(&mut board, walk.from, walk.to);
        board.arrows = if steps == 1 { vec![*walk] } else { shot.copied().into_iter().collect() };
        if steps > 1 {
            board.blocked.extend(shot.map(|shot| shot.to));
        }
        return Ok(board);
    }
    let Ok(turn) = Turn::parse(played.steps.as_bytes()) else { return Ok(whole) };
    let mut done = 0;
    for token in turn.tokens() {
        let at = square(token.square());
        match token.action() {
            // A capture belongs to the step before it.
            Action::Capture => {
                board.pieces.retain(|piece| piece.at != at);
                if done == steps {
                    board.captured.push(at);
                }
            }
            _ if done == steps => break,
            Action::Step(direction) => {
                done += 1;
                if let Some(to) = token.square().step(direction).map(square) {
                    go(&mut board, at, to);
                    board.arrows = vec![Arrow { from: at, to, moves: true }];
                }
            }
            // A setup is one step.
            Action::Place => return Ok(whole),
        }
    }
    Ok(board)
}

/// The number of steps of a turn that [`of_steps`] shows.
#[must_use]
pub fn steps_of(game: &GameView, played: &TurnView) -> usize {
    match game.game {
        GameKind::Amazons => 2,
        GameKind::Arimaa => {
            let turn = Turn::parse(played.steps.as_bytes());
            turn.map_or(0, |turn| {
                turn.tokens().iter().filter(|token| matches!(token.action(), Action::Step(_))).count()
            })
        }
    }
}

/// Moves the piece of a square.
fn go(board: &mut Board, from: Square, to: Square) {
    for piece in board.pieces.iter_mut().filter(|piece| piece.at == from) {
        piece.at = to;
    }
}

/// Every turn of a game as [`of_moment`] shows it, and the position at the end.
///
/// # Errors
/// As [`of_moment`].
pub fn of_game(game: &GameView) -> Result<Vec<Board>, Error> {
    game.moments().map(|moment| of_moment(game, &moment)).collect()
}

fn read(text: &str) -> Result<Board, Error> {
    let refused = |why| Error::Argument { what: "stored board", found: text.to_owned(), why };
    Ok(match read_board(text).map_err(refused)? {
        StoredBoard::Arimaa(board) => arimaa_board(&board),
        StoredBoard::Amazons(board) => amazons_board(&board),
    })
}

fn square(at: arimaa::Square) -> Square {
    (at.file(), at.rank())
}

fn arimaa_board(board: &arimaa::Board) -> Board {
    let pieces = arimaa::Square::all().filter_map(|at| {
        let (side, piece) = board.piece_at(at)?;
        let look = [Look::Gold, Look::Silver][side.index()];
        Some(Piece { at: square(at), letter: piece.letter(side), look })
    });
    let marked = arimaa::Square::TRAPS.map(square).to_vec();
    Board { files: 8, ranks: 8, pieces: pieces.collect(), marked, ..Board::default() }
}

fn amazons_board(board: &amazons::Board) -> Board {
    let (files, ranks) = (board.size().files(), board.size().ranks());
    let mut found = Board { files, ranks, ..Board::default() };
    for at in (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank))) {
        match amazons::Square::at(at.0, at.1).and_then(|at| board.at(at)) {
            Some(amazons::Content::Queen(side)) => {
                let look = [Look::White, Look::Black][side.index()];
                found.pieces.push(Piece { at, letter: 'Q', look });
            }
            Some(amazons::Content::Block) => found.blocked.push(at),
            None => {}
        }
    }
    found
}

fn capital(side: Side, game: GameKind) -> &'static str {
    let names = if game == GameKind::Amazons { ["White", "Black"] } else { ["Gold", "Silver"] };
    names[side.index()]
}
