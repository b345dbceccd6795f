//! Columns of `turns` for the Amazons. Arimaa columns are null.

use annals_events::Side;
use annals_rules::amazons::{Board, Position, Square, Symmetry};

use crate::stored_board::StoredBoard;
use crate::tables::TurnRows;

/// Appends a position, with the number of moves if `counts`.
pub fn position(out: &mut TurnRows, position: &Position, counts: bool) {
    let board = position.board();
    let (key, symmetry) = position.key();
    out.key.push(key);
    out.flipped.push(key != position.hash());
    out.symmetry.push(number_of(board, symmetry));
    out.board.push(&StoredBoard::Amazons(*board).to_bytes());
    for column in [
        &mut out.g_rabbits,
        &mut out.g_cats,
        &mut out.g_dogs,
        &mut out.g_horses,
        &mut out.g_camel,
        &mut out.g_elephant,
        &mut out.s_rabbits,
        &mut out.s_cats,
        &mut out.s_dogs,
        &mut out.s_horses,
        &mut out.s_camel,
        &mut out.s_elephant,
        &mut out.gold_frozen,
        &mut out.silver_frozen,
    ] {
        column.push(None);
    }
    let [white, black] = Side::BOTH.map(|side| board.queens(side).count_ones() as u8);
    out.g_queens.push(Some(white));
    out.s_queens.push(Some(black));
    let [white, black] = Side::BOTH.map(|side| board.territory(side).count_ones() as u8);
    out.gold_territory.push(Some(white));
    out.silver_territory.push(Some(black));
    let [white, black] = Side::BOTH.map(|side| mobile(board, side));
    out.gold_mobile.push(white);
    out.silver_mobile.push(black);
    out.first_steps.push(None);
    out.distinct_turns.push(match counts {
        true => u32::try_from(position.count_moves()).ok(),
        false => None,
    });
}

fn number_of(board: &Board, symmetry: Symmetry) -> Option<u8> {
    let at = Symmetry::of(board.size()).position(|known| known == symmetry)?;
    u8::try_from(at).ok()
}

/// Queens of a side next to a vacant square.
fn mobile(board: &Board, side: Side) -> u8 {
    let (size, vacant) = (board.size(), board.vacant());
    let queens = size.squares(board.queens(side));
    queens.filter(|queen| beside(*queen).any(|square| size.bit(square) & vacant != 0)).count() as u8
}

fn beside(square: Square) -> impl Iterator<Item = Square> {
    (-1i8..=1).flat_map(move |files| {
        (-1i8..=1).filter_map(move |ranks| {
            let (file, rank) =
                (square.file().checked_add_signed(files)?, square.rank().checked_add_signed(ranks)?);
            Square::at(file, rank)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queen_that_is_shut_in_is_not_mobile() {
        let position: Position = "w [Wx..B/xx.../...../...../W....]".parse().unwrap();
        assert_eq!((mobile(position.board(), Side::Gold), mobile(position.board(), Side::Silver)), (1, 1));
    }

    #[test]
    fn images_of_one_position_share_a_key_and_their_symmetries_lead_to_it() {
        let position: Position = "w [..x.B/...../..W../...../.....]".parse().unwrap();
        let mut keys = Vec::new();
        for symmetry in Symmetry::of(position.board().size()) {
            let image = symmetry.position(&position);
            let mut rows = TurnRows::default();
            super::position(&mut rows, &image, true);
            let (key, way) = image.key();
            let number = usize::from(number_of(image.board(), way).unwrap());
            let back = Symmetry::of(image.board().size()).nth(number).unwrap();
            assert_eq!(back.position(&image).hash(), key);
            keys.push(key);
        }
        keys.dedup();
        assert_eq!(keys.len(), 1);
    }
}
