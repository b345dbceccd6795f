//! Positions, boards, setups and turns of both games: the text of what was read is read as the same value.
#![no_main]

use annals_events::Side;
use annals_fuzz::survives;
use annals_rules::{AnyPosition, amazons, arimaa};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(turn) = arimaa::Turn::parse(data) {
        assert_eq!(arimaa::Turn::parse(turn.to_string().as_bytes()), Ok(turn));
    }
    if let Ok(played) = amazons::Move::parse(data) {
        assert_eq!(amazons::Move::parse(played.to_string().as_bytes()), Ok(played));
        let _ = amazons::Position::start().play(played);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    survives::<arimaa::Position>(text);
    survives::<amazons::Position>(text);
    if let Ok(board) = arimaa::Board::parse(text) {
        assert_eq!(arimaa::Board::from_planes(board.planes()), Ok(board));
        assert_eq!(arimaa::Board::parse(&board.to_short()), Ok(board));
        assert_eq!(arimaa::Board::parse(&board.to_string()), Ok(board));
    }
    if let Ok(board) = amazons::Board::parse(text) {
        assert_eq!(amazons::Board::parse(&board.to_short()), Ok(board));
        assert_eq!(amazons::Board::parse(&board.to_string()), Ok(board));
    }
    for side in [None, Some(Side::Gold), Some(Side::Silver)] {
        let Ok(position) = AnyPosition::read(text, side, None) else { continue };
        let written = match position {
            AnyPosition::Arimaa(position) => position.to_string(),
            AnyPosition::Amazons(position) => position.to_string(),
        };
        assert_eq!(AnyPosition::read(&written, None, None), Ok(position), "{written}");
        let of_board =
            AnyPosition::read(&position.board_text(), Some(position.to_move()), Some(position.kind()));
        assert_eq!(of_board, Ok(position));
    }
});
