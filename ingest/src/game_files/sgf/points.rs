use annals_rules::amazons::{Move, Size, Square};

use super::super::error::{Problem, shown};

/// Rows and columns with a letter: a to z, A to Z.
pub(super) const LETTERS: u8 = 52;

fn letter(index: u8) -> char {
    char::from(if index < 26 { b'a' + index } else { b'A' + (index - 26) % 26 })
}

fn index(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

/// Column, then row from the top. The board has at most [`LETTERS`] ranks.
pub(super) fn point(square: Square, size: Size) -> String {
    let row = size.ranks().saturating_sub(1).saturating_sub(square.rank());
    [letter(square.file()), letter(row)].into_iter().collect()
}

pub(super) fn three_points(played: Move, size: Size) -> String {
    [played.from, played.to, played.block].map(|square| point(square, size)).concat()
}

/// Reads a point or a square's name.
pub(super) fn read_point(text: &str, size: Size) -> Result<Square, Problem> {
    let text = text.trim();
    let square = match *text.as_bytes() {
        [column, row] if row.is_ascii_alphabetic() => {
            let (Some(column), Some(row)) = (index(column), index(row)) else {
                return Err(Problem::Point { found: shown(text) });
            };
            let rank = size.ranks().checked_sub(row + 1);
            rank.and_then(|rank| Square::at(column, rank))
        }
        _ => match Square::from_name(text.as_bytes()) {
            Some(square) => Some(square),
            None => return Err(Problem::Point { found: shown(text) }),
        },
    };
    square
        .filter(|square| size.has(*square))
        .ok_or_else(|| Problem::PointOffBoard { found: shown(text), size })
}

/// Reads a point or a rectangle of points, `dj` or `aa:cc`.
pub(super) fn read_points(text: &str, size: Size) -> Result<Vec<Square>, Problem> {
    let Some((one, other)) = text.split_once(':') else { return Ok(vec![read_point(text, size)?]) };
    let (one, other) = (read_point(one, size)?, read_point(other, size)?);
    let between = |a: u8, b: u8| a.min(b)..=a.max(b);
    let ranks = between(one.rank(), other.rank());
    Ok(ranks
        .flat_map(|rank| between(one.file(), other.file()).filter_map(move |file| Square::at(file, rank)))
        .collect())
}

/// Whether a text has the form of a move on any board.
pub(super) fn is_like_a_move(text: &str) -> bool {
    let text = text.trim();
    let letters = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    letters || Move::parse(text.as_bytes()).is_ok()
}

/// Three points, or a notation with squares.
pub(super) fn read_move(text: &str, size: Size) -> Result<Move, Problem> {
    let text = text.trim();
    if text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        let point = |at: usize| read_point(text.get(at..at + 2).unwrap_or_default(), size);
        return Ok(Move { from: point(0)?, to: point(2)?, block: point(4)? });
    }
    let played = Move::parse(text.as_bytes()).map_err(|_| Problem::SgfMove { found: shown(text) })?;
    match [played.from, played.to, played.block].into_iter().find(|square| !size.has(*square)) {
        Some(square) => Err(Problem::OffBoard { square, size }),
        None => Ok(played),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_of_every_board_survives_as_a_point() {
        for size in [(10, 10), (1, 52), (26, 4), (8, 16), (5, 7)].map(|(f, r)| Size::new(f, r).unwrap()) {
            for square in size.squares(size.all()) {
                assert_eq!(read_point(&point(square, size), size), Ok(square));
                assert_eq!(read_point(&square.to_string(), size), Ok(square));
            }
        }
        let named = |text| read_point(text, Size::STANDARD).unwrap().to_string();
        assert_eq!([named("dj"), named("gj"), named("ag"), named("jg")], ["d1", "g1", "a4", "j4"]);
        let corner = read_points("aa:bb", Size::STANDARD).unwrap();
        assert_eq!(corner.iter().map(Square::to_string).collect::<Vec<_>>(), ["a9", "b9", "a10", "b10"]);
        for bad in ["", "a", "abc", "k10", "ka", "ak", "a11", "1a", "ZZ", "a\u{e9}"] {
            assert!(read_point(bad, Size::STANDARD).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_move_is_three_points_or_a_notation_of_ours() {
        let usual = Size::STANDARD;
        let played = read_move("djddgd", usual).unwrap();
        assert_eq!(played.to_string(), "d1-d7(g7)");
        assert_eq!(three_points(played, usual), "djddgd");
        assert_eq!((read_move("d1-d7(g7)", usual), read_move("d1-d7/g7", usual)), (Ok(played), Ok(played)));
        assert!(matches!(read_move("djddgk", usual), Err(Problem::PointOffBoard { .. })));
        assert!(matches!(read_move("d1-d11(a1)", usual), Err(Problem::OffBoard { .. })));
        assert!(matches!(read_move("dd", usual), Err(Problem::SgfMove { .. })));
        assert!(matches!(read_move("djddg\u{e9}", usual), Err(Problem::SgfMove { .. })));
    }
}
