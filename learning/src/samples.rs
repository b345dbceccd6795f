//! Positions for training and validation, borrowed from a dataset.

/// Numbers per position: six kinds of piece on 64 squares.
pub const PLANES: usize = 384;

/// Row `i` has the planes `planes[i * 384..][..384]`.
#[derive(Debug, Clone, Copy)]
pub struct Samples<'a> {
    /// +1 for the side to move, -1 for the other, from its view.
    pub planes: &'a [i8],
    /// 1 if the side to move won, else 0.
    pub labels: &'a [u8],
    /// Plies from the end of the game.
    pub heights: &'a [u16],
    /// Indices in `game_ids`.
    pub games: &'a [u32],
    pub game_ids: &'a [String],
    pub digest: [u8; 32],
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SamplesError {
    #[error("there are no positions; take other files, or a wider filter (a lower rating, more endings)")]
    Empty,
    /// Inconsistent columns.
    #[error(
        "the dataset is damaged: {rows} labels, but {found} {what}; write it again with `annals learn features`"
    )]
    Columns { rows: usize, what: &'static str, found: usize },
    #[error("the dataset is damaged: row {row} has {what}; write it again with `annals learn features`")]
    Value { row: usize, what: &'static str },
    #[error("{0} positions are too many for one training; select fewer games")]
    TooMany(usize),
}

impl<'a> From<&'a annals_features::Dataset> for Samples<'a> {
    fn from(dataset: &'a annals_features::Dataset) -> Samples<'a> {
        Samples {
            planes: &dataset.planes,
            labels: &dataset.labels,
            heights: &dataset.heights,
            games: &dataset.games,
            game_ids: &dataset.game_ids,
            digest: dataset.digest,
        }
    }
}

impl Samples<'_> {
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    #[must_use]
    pub fn planes_of(&self, row: u32) -> &[i8] {
        &self.planes[row as usize * PLANES..][..PLANES]
    }

    /// 1 won, 0 lost, for each row.
    pub(crate) fn results(&self) -> Vec<f32> {
        self.labels.iter().map(|label| f32::from(*label)).collect()
    }

    /// 1 won, 0 lost.
    #[must_use]
    pub fn label_of(&self, row: u32) -> u8 {
        self.labels[row as usize]
    }

    #[must_use]
    pub fn game_of(&self, row: u32) -> &str {
        &self.game_ids[self.games[row as usize] as usize]
    }

    #[must_use]
    pub fn rows(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }

    /// Checks that the columns are consistent, which the crate relies on.
    ///
    /// # Errors
    /// If they are not, or there are no positions.
    pub fn checked(self) -> Result<Self, SamplesError> {
        let rows = self.labels.len();
        if rows == 0 {
            return Err(SamplesError::Empty);
        }
        if u32::try_from(rows).is_err() {
            return Err(SamplesError::TooMany(rows));
        }
        let columns = [
            ("planes", self.planes.len(), rows * PLANES),
            ("heights", self.heights.len(), rows),
            ("games", self.games.len(), rows),
        ];
        if let Some((what, found, _)) = columns.into_iter().find(|(_, found, wanted)| found != wanted) {
            return Err(SamplesError::Columns { rows, what, found });
        }
        let wrong = |row, what| Err(SamplesError::Value { row, what });
        if let Some(row) = self.labels.iter().position(|label| *label > 1) {
            return wrong(row, "a label that is neither 0 nor 1");
        }
        if let Some(row) = self.games.iter().position(|game| *game as usize >= self.game_ids.len()) {
            return wrong(row, "a game that is not listed");
        }
        if let Some(cell) = self.planes.iter().position(|cell| !(-1..=1).contains(cell)) {
            return wrong(cell / PLANES, "a plane with a number beyond -1, 0 and 1");
        }
        Ok(self)
    }
}

/// The number of games that the rows are of.
#[must_use]
pub fn games(samples: &Samples<'_>, rows: &[u32]) -> usize {
    let mut seen = vec![false; samples.game_ids.len()];
    rows.iter().for_each(|row| seen[samples.games[*row as usize] as usize] = true);
    seen.into_iter().filter(|seen| *seen).count()
}
