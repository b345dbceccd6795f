//! A feature table in memory, for training.

use std::collections::HashMap;
use std::fmt;

use crate::error::FeatureError;
use crate::paper;
use crate::sampling::Sampling;
use crate::split::{fold_key, game_name};

/// A position with its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    pub planes: [i8; paper::LEN],
    /// 1 if the side to move won, else 0.
    pub label: u8,
    /// Plies from the end: 0 is the position after the last one.
    pub height: u16,
    /// Index in [`Dataset::game_ids`].
    pub game: u64,
    /// See [`fold_key`].
    pub fold_key: u64,
}

/// Position `i` has the planes from `384 × i`.
#[derive(Clone, PartialEq, Eq)]
pub struct Dataset {
    /// The paper's, 384 numbers per position.
    pub planes: Vec<i8>,
    /// 1 if the side to move won, else 0.
    pub labels: Vec<u8>,
    /// Plies from the end.
    pub heights: Vec<u16>,
    /// Indices in `game_ids`.
    pub games: Vec<u32>,
    /// In order of occurrence.
    pub game_ids: Vec<String>,
    /// BLAKE3 of everything above.
    pub digest: [u8; 32],
    /// Sizes, sources, filter.
    pub description: String,
}

/// Without its numbers.
impl fmt::Debug for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dataset")
            .field("positions", &self.labels.len())
            .field("games", &self.game_ids.len())
            .field("digest", &hex::encode(self.digest))
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}

impl Dataset {
    /// The rows of at most so many positions; none for all positions.
    ///
    /// # Errors
    /// When there are more than can be counted.
    pub fn sample(
        &self,
        positions: Option<u32>,
        sampling: Sampling,
        seed: u64,
    ) -> Result<Vec<u32>, FeatureError> {
        let count = u32::try_from(self.len()).map_err(|_| FeatureError::TooMany)?;
        let all: Vec<u32> = (0..count).collect();
        Ok(match positions {
            Some(positions) => sampling.rows(&all, positions, seed),
            None => all,
        })
    }

    /// Positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    #[must_use]
    pub fn get(&self, index: usize) -> Option<Example> {
        let start = index.checked_mul(paper::LEN)?;
        let planes = self.planes.get(start..start + paper::LEN)?.try_into().ok()?;
        let game = *self.games.get(index)?;
        let name = self.game_ids.get(game as usize)?;
        Some(Example {
            planes,
            label: *self.labels.get(index)?,
            height: *self.heights.get(index)?,
            game: u64::from(game),
            fold_key: fold_key(name),
        })
    }
}

/// Columns of a dataset.
pub(crate) const NEEDED: [&str; 4] = ["game", "label", "height", "paper"];

/// A dataset under construction.
#[derive(Default)]
pub(crate) struct Gathered {
    planes: Vec<u8>,
    labels: Vec<u8>,
    heights: Vec<u16>,
    games: Vec<u32>,
    numbers: HashMap<u64, u32>,
    game_ids: Vec<String>,
}

impl Gathered {
    /// Adds rows as bytes of the columns [`NEEDED`].
    pub fn add(&mut self, [games, labels, heights, planes]: [&[u8]; 4]) {
        self.planes.extend_from_slice(planes);
        self.labels.extend_from_slice(labels);
        self.heights.extend(heights.as_chunks().0.iter().map(|height| u16::from_le_bytes(*height)));
        for number in games.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number)) {
            self.game(number);
        }
    }

    fn game(&mut self, number: u64) {
        let next = u32::try_from(self.game_ids.len()).unwrap_or(u32::MAX);
        let place = *self.numbers.entry(number).or_insert(next);
        if place == next {
            self.game_ids.push(game_name(number));
        }
        self.games.push(place);
    }

    pub fn finish(self, description: String) -> Dataset {
        let Gathered { planes, labels, heights, games, game_ids, .. } = self;
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"annals dataset 1\n").update(&(labels.len() as u64).to_le_bytes());
        hasher.update(&planes).update(&labels);
        for height in &heights {
            hasher.update(&height.to_le_bytes());
        }
        for game in &games {
            hasher.update(&game.to_le_bytes());
        }
        for name in &game_ids {
            hasher.update(name.as_bytes()).update(b"\n");
        }
        let digest = *hasher.finalize().as_bytes();
        let planes = planes.into_iter().map(u8::cast_signed).collect();
        Dataset { planes, labels, heights, games, game_ids, digest, description }
    }
}
