//! A position of either game as text. Three forms are read: a side before a board (`g [64 letters]`, `b [rows]`); a board
//! alone, if the side is given separately; and the drawing that Annals prints, with the label or the text that names the
//! side, and with any text around them.

use annals_events::{GameEvent, GameKind, Side, Started};

use crate::turn_label::TurnLabel;
use crate::{amazons, arimaa};

/// A position of either game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyPosition {
    Arimaa(arimaa::Position),
    Amazons(amazons::Position),
}

/// Why a text is not a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnyPositionError {
    #[error(transparent)]
    Arimaa(#[from] arimaa::PositionTextError),
    #[error(transparent)]
    Amazons(#[from] amazons::PositionTextError),
    #[error("{} is to move there, not {}", found.name_in(*game), asked.name_in(*game))]
    OtherSide { game: GameKind, found: Side, asked: Side },
}

impl AnyPosition {
    /// Reads a position, of one game where its kind is given. `side` is to move.
    ///
    /// # Errors
    /// When the text is not a board, or the side is missing or another one. If it could be of either game, the error is
    /// that of Arimaa, unless slashes divide its rows.
    pub fn read(
        text: &str,
        side: Option<Side>,
        kind: Option<GameKind>,
    ) -> Result<AnyPosition, AnyPositionError> {
        let printed = printed(text);
        let text = printed.as_deref().unwrap_or(text);
        let of_arimaa = match kind {
            Some(GameKind::Amazons) => None,
            _ => Some(arimaa(text, side)),
        };
        match of_arimaa {
            None => amazons(text, side),
            Some(Ok(position)) => Ok(position),
            Some(Err(error)) if kind.is_some() || !text.contains(['/', '|', '[']) => Err(error),
            Some(Err(error)) => match amazons(text, side) {
                Err(AnyPositionError::Amazons(_)) if !text.contains('/') => Err(error),
                read => read,
            },
        }
    }

    #[must_use]
    pub const fn kind(&self) -> GameKind {
        match self {
            AnyPosition::Arimaa(_) => GameKind::Arimaa,
            AnyPosition::Amazons(_) => GameKind::Amazons,
        }
    }

    #[must_use]
    pub const fn to_move(&self) -> Side {
        match self {
            AnyPosition::Arimaa(position) => position.to_move(),
            AnyPosition::Amazons(position) => position.to_move(),
        }
    }

    /// The start of a game from here.
    #[must_use]
    pub fn started(&self) -> GameEvent<'static> {
        let text = match self {
            AnyPosition::Arimaa(position) => position.to_string(),
            AnyPosition::Amazons(position) => position.to_string(),
        };
        GameEvent::Started(Box::new(Started::plain(self.kind(), Some(text.into()))))
    }

    /// The board as a text: 64 letters, in the Amazons rows with slashes.
    #[must_use]
    pub fn board_text(&self) -> String {
        match self {
            AnyPosition::Arimaa(position) => position.board().to_short(),
            AnyPosition::Amazons(position) => position.board().to_short(),
        }
    }
}

fn arimaa(text: &str, side: Option<Side>) -> Result<AnyPosition, AnyPositionError> {
    let position = match (text.parse::<arimaa::Position>(), side) {
        (Err(arimaa::PositionTextError::NoSide), Some(side)) => arimaa::Board::parse(text)
            .map(|board| arimaa::Position::new(board, side))
            .map_err(arimaa::PositionTextError::from),
        (read, _) => read,
    };
    of_side(AnyPosition::Arimaa(position?), side)
}

fn amazons(text: &str, side: Option<Side>) -> Result<AnyPosition, AnyPositionError> {
    let position = match (text.parse::<amazons::Position>(), side) {
        (Err(amazons::PositionTextError::NoSide), Some(side)) => amazons::Board::parse(text)
            .map(|board| amazons::Position::new(board, side))
            .map_err(amazons::PositionTextError::from),
        (read, _) => read,
    };
    of_side(AnyPosition::Amazons(position?), side)
}

fn of_side(position: AnyPosition, side: Option<Side>) -> Result<AnyPosition, AnyPositionError> {
    let (game, found) = (position.kind(), position.to_move());
    match side {
        Some(asked) if asked != found => Err(AnyPositionError::OtherSide { game, found, asked }),
        _ => Ok(position),
    }
}

/// The drawing of a board with its borders, under its side to move, out of the text that Annals prints around it.
fn printed(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let is_border = |line: &&str| line.trim_start().starts_with("+-");
    let top = lines.iter().position(is_border)?;
    let bottom = top + 1 + lines[top + 1..].iter().position(is_border)?;
    let board = lines[top..=bottom].join("\n");
    let above = top.checked_sub(1).map(|above| lines[above].trim());
    // A label with steps behind it is in the middle of a turn: the reader of the position refuses it.
    let label =
        above.filter(|line| line.split(' ').next().is_some_and(|word| word.parse::<TurnLabel>().is_ok()));
    let side = || lines.iter().find_map(|line| side_to_move(line)).map(|side| side.letter().to_string());
    let header = label.map(str::to_owned).or_else(side);
    Some(header.map_or(board.clone(), |header| format!("{header}\n{board}")))
}

/// `gold to move`, or `To move  Gold` in a list of facts.
fn side_to_move(line: &str) -> Option<Side> {
    let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ([side, "to", "move"] | ["to", "move", side]) = words.as_slice() else { return None };
    match *side {
        "gold" | "white" => Some(Side::Gold),
        "silver" | "black" => Some(Side::Silver),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARIMAA: &str = "rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR";

    fn read(text: &str, side: Option<Side>) -> Result<AnyPosition, AnyPositionError> {
        AnyPosition::read(text, side, None)
    }

    #[test]
    fn a_position_of_either_game_is_read_with_its_side_or_with_the_side_apart() {
        let amazons = read("b [.B./.x./W..]", None).unwrap();
        assert_eq!(read(".B./.x./W..", Some(Side::Silver)), Ok(amazons));
        let arimaa = read(ARIMAA, Some(Side::Gold)).unwrap();
        assert_eq!(read(&format!("g [{ARIMAA}]"), None), Ok(arimaa));
        assert_eq!((arimaa.kind(), arimaa.board_text()), (GameKind::Arimaa, ARIMAA.to_owned()));
        let clash = read("b [.B./.x./W..]", Some(Side::Gold)).unwrap_err();
        assert_eq!(clash.to_string(), "Black is to move there, not White");
        let clash = read(&format!("g [{ARIMAA}]"), Some(Side::Silver)).unwrap_err();
        assert_eq!(clash.to_string(), "Gold is to move there, not Silver");
        for text in [".B./.x./W..", ARIMAA] {
            assert!(read(text, None).unwrap_err().to_string().contains("side to move"), "{text}");
        }
        assert!(read("g [rr]", None).unwrap_err().to_string().contains("64"));
        assert!(AnyPosition::read("b [.B./.x./W..]", None, Some(GameKind::Arimaa)).is_err());
        // A board of one rank has no slash.
        let rank = read("w [W.xB]", None).unwrap();
        assert_eq!((rank.kind(), rank.board_text()), (GameKind::Amazons, "W.xB".to_owned()));
    }

    #[test]
    fn the_drawing_that_is_printed_is_read_with_any_text_around_it() {
        for (position, label) in [(format!("s [{ARIMAA}]"), "12s"), ("b [.B./.x./W..]".to_owned(), "3b")] {
            let position = read(&position, None).unwrap();
            let (board, side) = match position {
                AnyPosition::Arimaa(position) => (position.board().to_string(), "silver"),
                AnyPosition::Amazons(position) => (position.board().to_string(), "Black"),
            };
            for text in [
                format!("{label}\n{board}\n"),
                format!("game\t1 (rated)\ngold\tanna\n\n{label}\n{board}\n\nbefore\t2g Ee2n\n"),
                format!("{side} to move\n{board}\n\ntimes  3\n"),
                format!("{board}\n{side} to move\n"),
                format!("game/cup.r1.1\n\n{board}\n\nPlies    5\nTo move  {side}\n"),
            ] {
                assert_eq!(read(&text, None), Ok(position), "{text}");
            }
            assert_eq!(read(&board, Some(Side::Silver)), Ok(position));
            assert!(read(&board, None).is_err());
        }
        let board = arimaa::Board::EMPTY;
        let within = read(&format!("12w Ea1n\n{board}"), None);
        assert_eq!(within, Err(arimaa::PositionTextError::MidTurn.into()));
    }
}
