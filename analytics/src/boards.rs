//! Boards and positions of either game, as people write them: whose text it is shows in the text itself.

use annals_events::Side;
use annals_ingest::stored_board::StoredBoard;
use annals_rules::{amazons, arimaa};

use crate::Error;
use crate::search::read_position;

/// Reads the text of a board. A text that Arimaa can read is Arimaa's; rows parted by slashes, or ranks between bars, are
/// the Amazons'.
///
/// # Errors
/// In words, when it is neither: the Amazons' reason where the text is laid out as theirs.
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

/// A position of either game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyPosition {
    Arimaa(arimaa::Position),
    Amazons(amazons::Position),
}

impl AnyPosition {
    /// Reads a position: a board text with the side to move before it, or a board text alone where the side is given apart.
    ///
    /// # Errors
    /// Where the text is no board of either game, or nobody says who is to move.
    pub fn read(text: &str, to_move: Option<Side>) -> Result<AnyPosition, Error> {
        let read = match read_position(text, to_move) {
            Ok(position) => return Ok(AnyPosition::Arimaa(position)),
            Err(error) => error,
        };
        if !text.contains(['/', '|']) {
            return Err(read);
        }
        let refused = |why: String| Error::Argument {
            what: "position",
            found: text.replace('\n', "/").chars().take(80).collect(),
            why,
        };
        match (text.parse::<amazons::Position>(), to_move) {
            (Ok(found), Some(side)) if found.to_move() != side => Err(refused(format!(
                "it says that {} is to move, not {}",
                colour(found.to_move()),
                colour(side)
            ))),
            (Ok(found), _) => Ok(AnyPosition::Amazons(found)),
            (Err(amazons::PositionTextError::NoSide), Some(side)) => match amazons::Board::parse(text) {
                Ok(board) => Ok(AnyPosition::Amazons(amazons::Position::new(board, side))),
                Err(why) if text.contains('/') => Err(refused(why.to_string())),
                Err(_) => Err(read),
            },
            (Err(why), _) if text.contains('/') => Err(refused(why.to_string())),
            _ => Err(read),
        }
    }

    /// The hashes under which a game that starts from the position has it before its first turn: of every image, or of this
    /// one alone. None in Arimaa, where every game starts from the empty board.
    pub(crate) fn hashes_at_the_start(&self, images: bool) -> Vec<u64> {
        let AnyPosition::Amazons(position) = self else { return Vec::new() };
        if !images {
            return vec![position.hash()];
        }
        let of = amazons::Symmetry::of(position.board().size());
        let mut hashes: Vec<u64> = of.map(|symmetry| symmetry.position(position).hash()).collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }

    /// The key, and how the dataset tells this image of the position from the others: an SQL condition.
    pub(crate) fn key_and_image(&self) -> (u64, String) {
        match self {
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
}

/// The number under which the dataset keeps a symmetry.
pub(crate) fn symmetry_number(size: amazons::Size, symmetry: amazons::Symmetry) -> usize {
    amazons::Symmetry::of(size).position(|known| known == symmetry).unwrap_or_default()
}

/// White or Black, as people say of the Amazons.
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

    #[test]
    fn a_position_of_either_game_is_read_with_its_side_or_with_the_side_apart() {
        let amazons = AnyPosition::read("b [.B./.x./W..]", None).unwrap();
        assert_eq!(AnyPosition::read(".B./.x./W..", Some(Side::Silver)).unwrap(), amazons);
        assert!(matches!(AnyPosition::read(ARIMAA, Some(Side::Gold)), Ok(AnyPosition::Arimaa(_))));
        let clash = AnyPosition::read("b [.B./.x./W..]", Some(Side::Gold)).unwrap_err();
        assert!(clash.to_string().ends_with("it says that Black is to move, not White"), "{clash}");
        assert!(AnyPosition::read(".B./.x./W..", None).unwrap_err().to_string().contains("side to move"));
    }
}
