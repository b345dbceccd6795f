//! In the Amazons who reaches which vacant squares of a position.

use annals_charts::Square;
use annals_events::Side;
use annals_rules::amazons;

/// Who reaches a vacant square, if the other side passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    White,
    Black,
    Both,
    Neither,
}

impl Reach {
    pub const fn words(self) -> &'static str {
        match self {
            Reach::White => "only White",
            Reach::Black => "only Black",
            Reach::Both => "both reach it",
            Reach::Neither => "neither reaches it",
        }
    }
}

pub struct Territory {
    /// The turn after which the position is.
    after: String,
    squares: Vec<(Square, Reach)>,
}

impl Territory {
    /// Of a stored board; none if it cannot be read.
    pub fn of(after: &str, board: &str) -> Option<Territory> {
        let board = amazons::Board::parse(board).ok()?;
        let [white, black] = Side::BOTH.map(|side| board.territory(side));
        let sets = [
            (Reach::White, white & !black),
            (Reach::Black, black & !white),
            (Reach::Both, white & black),
            (Reach::Neither, board.vacant() & !(white | black)),
        ];
        let squares = sets.into_iter().flat_map(|(reach, set)| {
            board.size().squares(set).map(move |at| ((at.file(), at.rank()), reach))
        });
        Some(Territory { after: after.to_owned(), squares: squares.collect() })
    }

    /// Who reaches a vacant square.
    pub fn reach(&self, at: Square) -> Option<Reach> {
        self.squares.iter().find(|(square, _)| *square == at).map(|(_, reach)| *reach)
    }

    pub fn squares(&self, reach: Reach) -> impl Iterator<Item = Square> {
        self.squares.iter().filter(move |(_, of)| *of == reach).map(|(at, _)| *at)
    }

    /// The numbers of squares, with the marks of the picture.
    pub fn words(&self) -> String {
        let count = |reach| self.squares(reach).count();
        format!(
            "Territory after {}: only White reaches {} vacant squares (◇), only Black {} (■), both {}, neither {} (–).",
            self.after,
            count(Reach::White),
            count(Reach::Black),
            count(Reach::Both),
            count(Reach::Neither)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vacant_square_is_reached_by_one_side_by_both_or_by_neither() {
        // White's corner behind blocks, a corner that no queen enters, and Black in the rest.
        let board = "B.x../..x../xxxxx/W.x.x/..xxx";
        let found = Territory::of("9w", board).unwrap();
        let squares = |reach| found.squares(reach).collect::<Vec<_>>();
        assert_eq!(squares(Reach::White), [(0, 0), (1, 0), (1, 1)]);
        assert_eq!(squares(Reach::Black), [(0, 3), (1, 3), (1, 4)]);
        assert_eq!(squares(Reach::Neither), [(3, 1), (3, 3), (4, 3), (3, 4), (4, 4)]);
        assert_eq!(squares(Reach::Both), []);
        assert_eq!((found.reach((0, 1)), found.reach((0, 0))), (None, Some(Reach::White)));
        assert_eq!(
            found.words(),
            "Territory after 9w: only White reaches 3 vacant squares (◇), only Black 3 (■), both 0, neither 5 (–)."
        );
        let open = Territory::of("1w", "B..../...../...../...../....W").unwrap();
        assert_eq!(open.squares(Reach::Both).count(), 23);
        assert!(Territory::of("1w", "nonsense").is_none());
    }
}
