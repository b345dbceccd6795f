//! Boards of either game as text, and the keys of their positions in the dataset. The text determines the game.

use annals_events::Side;
use annals_ingest::stored_board::StoredBoard;
use annals_rules::{AnyPosition, amazons, arimaa};

/// Reads the text of a board. A valid board text of Arimaa is Arimaa's; rows separated by slashes, or ranks between bars, are
/// the Amazons'.
///
/// # Errors
/// A message if it is neither: the reason for the Amazons if the text has the layout of their boards.
pub(crate) fn read_board(text: &str) -> Result<StoredBoard, String> {
    let why = match arimaa::Board::parse(text) {
        Ok(board) => return Ok(StoredBoard::Arimaa(board)),
        Err(why) => why.to_string(),
    };
    if !text.contains(['/', '|']) {
        return Err(why);
    }
    match amazons::Board::parse(text) {
        Ok(board) => Ok(StoredBoard::Amazons(board)),
        Err(other) if text.contains('/') => Err(other.to_string()),
        Err(_) => Err(why),
    }
}

/// The hashes under which a game that starts from the position has it before its first turn: of every image, or of this
/// one alone. None in Arimaa, where every game starts from the empty board.
pub(crate) fn hashes_at_the_start(position: &AnyPosition, images: bool) -> Vec<u64> {
    let AnyPosition::Amazons(position) = position else { return Vec::new() };
    if !images {
        return vec![position.hash()];
    }
    let of = amazons::Symmetry::of(position.board().size());
    let mut hashes: Vec<u64> = of.map(|symmetry| symmetry.position(position).hash()).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The key, and the SQL condition that distinguishes this image of the position from the others.
pub(crate) fn key_and_image(position: &AnyPosition) -> (u64, String) {
    match position {
        AnyPosition::Arimaa(position) => {
            let (key, flipped) = position.key();
            (key, format!("flipped = {flipped}"))
        }
        AnyPosition::Amazons(position) => {
            let (key, symmetry) = position.key();
            let number = symmetry_number(position.board().size(), symmetry);
            (key, format!("symmetry = {number}"))
        }
    }
}

/// The number of a symmetry in the dataset.
pub(crate) fn symmetry_number(size: amazons::Size, symmetry: amazons::Symmetry) -> usize {
    amazons::Symmetry::of(size).position(|known| known == symmetry).unwrap_or_default()
}

/// White or Black, the names in the Amazons.
pub(crate) const fn colour(side: Side) -> &'static str {
    match side {
        Side::Gold => "White",
        Side::Silver => "Black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARIMAA: &str = "rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR";

    #[test]
    fn a_text_tells_whose_board_it_is() {
        assert!(matches!(read_board(ARIMAA), Ok(StoredBoard::Arimaa(_))));
        assert!(matches!(read_board("[.B./.x./W..]"), Ok(StoredBoard::Amazons(_))));
        let drawn = amazons::Board::start().to_string();
        assert!(matches!(read_board(&drawn), Ok(StoredBoard::Amazons(_))));
        assert!(read_board("....").unwrap_err().contains("64"));
        assert!(read_board(".B./..").unwrap_err().contains("rank 1"));
    }
}
