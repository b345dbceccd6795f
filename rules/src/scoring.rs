//! The score: who wins a game at its length. From 2008-07-01 the number of pieces decides; before, rabbits' rows and
//! piece points, which are unknown, so that without them the answer is [`Score::Undecidable`].

use std::fmt;
use std::str::FromStr;

use annals_events::Side;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    Won(Side),
    /// Equal; before 2008-07-01 only.
    Draw,
    Undecidable(Undecidable),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Undecidable {
    /// The rules before 2008-07-01 use piece points, which no source states.
    #[error(
        "before 2008-07-01 the score counts points of pieces, which no source states; supply them to have it decided"
    )]
    PiecePointsUnknown,
    /// The setups are incomplete.
    #[error("the setups are not complete, so there are no pieces to compare")]
    NotSetUp,
    /// Pieces do not decide the game: in the Amazons none ever leaves the board.
    #[error("in this game pieces do not decide, so it has no score before it is played out")]
    NotScored,
}

/// Who has, or most recently had, more pieces, as the modern rule counts.
///
/// ```
/// use annals_events::Side;
/// use annals_rules::scoring::Lead;
///
/// let lead = Lead::default().after([16, 15]).after([15, 15]);
/// assert_eq!(lead.winner(), Side::Gold);
/// assert_eq!(Lead::default().after([16, 16]).winner(), Side::Silver);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Lead(Option<Side>);

impl Lead {
    /// After another completed turn, with Gold's and Silver's pieces.
    #[must_use]
    pub fn after(self, pieces: [u32; 2]) -> Lead {
        match pieces[0].cmp(&pieces[1]) {
            std::cmp::Ordering::Greater => Lead(Some(Side::Gold)),
            std::cmp::Ordering::Less => Lead(Some(Side::Silver)),
            std::cmp::Ordering::Equal => self,
        }
    }

    /// None if they never differed.
    #[must_use]
    pub const fn side(self) -> Option<Side> {
        self.0
    }

    /// The leader; Silver if the numbers never differed.
    #[must_use]
    pub fn winner(self) -> Side {
        self.0.unwrap_or(Side::Silver)
    }
}

/// The decision since 2008-07-01 from Gold's and Silver's pieces after each completed turn, the end of the setups
/// first.
pub fn modern(pieces_after_turns: impl IntoIterator<Item = [u32; 2]>) -> Side {
    pieces_after_turns.into_iter().fold(Lead::default(), Lead::after).winner()
}

/// Points before 2008-07-01 of cat, dog, horse, camel, elephant. No source states them; the caller supplies them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PiecePoints(pub [u32; 5]);

impl PiecePoints {
    pub const MOST: u32 = 1_000_000;
}

/// Not piece points.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` gives no piece points; write those of a cat, a dog, a horse, a camel and an elephant as five whole numbers \
     up to {most}, such as `2/3/5/9/14`", most = PiecePoints::MOST
)]
pub struct NoPiecePoints(
    /// The first 80 characters.
    pub String,
);

impl FromStr for PiecePoints {
    type Err = NoPiecePoints;

    fn from_str(text: &str) -> Result<PiecePoints, NoPiecePoints> {
        let wrong = || NoPiecePoints(text.chars().take(80).collect());
        let number = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            part.parse::<u32>().ok().filter(|points| digits && *points <= PiecePoints::MOST)
        };
        let parts: Option<Vec<u32>> = text.split('/').map(number).collect();
        let points = parts.ok_or_else(wrong)?;
        Ok(PiecePoints(points.try_into().map_err(|_| wrong())?))
    }
}

impl fmt::Display for PiecePoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [cat, dog, horse, camel, elephant] = self.0;
        write!(f, "{cat}/{dog}/{horse}/{camel}/{elephant}")
    }
}

/// One side's values for the rule before 2008-07-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EarlySide {
    /// Per row, the side's home row first.
    pub rabbits: [u32; 8],
    /// Cats, dogs, horses, camels, elephants.
    pub officers: [u32; 5],
}

impl EarlySide {
    /// R + P·(C + 1): the cubes of the rabbits' rows, and piece points times one more than the rabbits.
    #[must_use]
    pub fn score(&self, points: &PiecePoints) -> u64 {
        let cubes = (1..).zip(self.rabbits).map(|(row, n): (u64, u32)| row.pow(3) * u64::from(n));
        let rows = cubes.sum::<u64>();
        let rabbits = self.rabbits.iter().map(|n| u64::from(*n)).sum::<u64>();
        let pieces = self
            .officers
            .iter()
            .zip(points.0)
            .fold(0u64, |sum, (n, each)| sum.saturating_add(u64::from(*n) * u64::from(each)));
        rows.saturating_add(pieces.saturating_mul(rabbits + 1))
    }
}

/// The decision before 2008-07-01; undecidable without piece points.
#[must_use]
pub fn early([gold, silver]: &[EarlySide; 2], points: Option<&PiecePoints>) -> Score {
    let Some(points) = points else {
        return Score::Undecidable(Undecidable::PiecePointsUnknown);
    };
    match gold.score(points).cmp(&silver.score(points)) {
        std::cmp::Ordering::Greater => Score::Won(Side::Gold),
        std::cmp::Ordering::Less => Score::Won(Side::Silver),
        std::cmp::Ordering::Equal => Score::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_most_recently_had_more_wins_and_silver_where_nobody_ever_had() {
        assert_eq!(modern([[16, 16]]), Side::Silver);
        assert_eq!(modern([]), Side::Silver);
        assert_eq!(modern([[16, 15], [15, 15]]), Side::Gold);
        assert_eq!(modern([[16, 15], [15, 15], [14, 15], [14, 14]]), Side::Silver);
        assert_eq!(modern([[15, 16], [15, 14]]), Side::Gold);
    }

    #[test]
    fn the_early_score_adds_cubes_of_rows_and_points_times_rabbits_plus_one() {
        let side = EarlySide { rabbits: [1, 0, 1, 0, 0, 0, 1, 0], officers: [2, 1, 0, 0, 1] };
        let points = PiecePoints([2, 3, 4, 5, 6]);
        assert_eq!(side.score(&points), (1 + 27 + 343) + (4 + 3 + 6) * 4);
    }

    #[test]
    fn piece_points_are_five_numbers_with_a_bound() {
        let points: PiecePoints = "2/3/5/9/14".parse().unwrap();
        assert_eq!((points, points.to_string().as_str()), (PiecePoints([2, 3, 5, 9, 14]), "2/3/5/9/14"));
        for wrong in
            ["", "1/2/3/4", "1/2/3/4/5/6", "1/2/3/4/-5", "1/2/3/4/1000001", "1/2/3/4/+5", "a/b/c/d/e"]
        {
            assert_eq!(wrong.parse::<PiecePoints>(), Err(NoPiecePoints(wrong.to_owned())));
        }
    }

    #[test]
    fn without_piece_points_an_early_score_is_undecidable_even_where_one_side_has_nothing() {
        let all = EarlySide { rabbits: [8, 0, 0, 0, 0, 0, 0, 0], officers: [2, 2, 2, 1, 1] };
        let none = EarlySide { rabbits: [0; 8], officers: [0; 5] };
        assert_eq!(early(&[all, none], None), Score::Undecidable(Undecidable::PiecePointsUnknown));
        let points = PiecePoints([1; 5]);
        assert_eq!(early(&[all, none], Some(&points)), Score::Won(Side::Gold));
        assert_eq!(early(&[none, all], Some(&points)), Score::Won(Side::Silver));
        assert_eq!(early(&[all, all], Some(&points)), Score::Draw);
    }
}
