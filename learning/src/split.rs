//! Splits into training and validation sets. By game no game is in both; by position, as in the paper, most validation
//! positions have neighbours in the training set, and figures are biased upward.

use std::fmt;

use annals_events::closed_words;
use annals_features::fold_of;
use annals_rules::seeded::Rng;
use serde::Serialize;

use crate::samples::{Samples, games};

/// A purpose of random numbers.
const SPLIT: u64 = 4;

closed_words! {
    pub enum Split, "split" {
        /// By a hash of their names: the same in every dataset.
        Game = "game",
        /// At random.
        Position = "position",
    }
}

pub const MOST_FOLDS: u32 = 1_000;

/// The default number of folds.
pub const FOLDS: u32 = 5;

/// A fold that a training leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Validation {
    pub split: Split,
    /// From 0.
    pub fold: u32,
    pub folds: u32,
    /// Of a split by position.
    pub seed: u64,
}

impl Validation {
    /// The training set, as a model names it.
    pub(crate) fn training(&self) -> String {
        format!("by {}, without fold {} of {}", self.split, self.fold, self.folds)
    }
}

impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fold {} of {} by {}", self.fold, self.folds, self.split)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    #[error("{0} folds leave no validation set; take at least 2")]
    TooFew(u32),
    #[error("{0} folds are too many; take at most {most}", most = MOST_FOLDS)]
    TooMany(u32),
    #[error("expected a fold from 0 to {}, found {fold}", folds.saturating_sub(1))]
    NoFold { fold: u32, folds: u32 },
    /// An empty fold.
    #[error(
        "fold {fold} of {folds} is empty: {positions} positions of {games} {of} are too few to split by {split}; take fewer folds, \
         or more games",
        of = if *games == 1 { "game" } else { "games" }
    )]
    Empty {
        /// From 0.
        fold: u32,
        folds: u32,
        positions: usize,
        games: usize,
        split: Split,
    },
}

#[derive(Debug, Clone)]
pub struct Folds {
    /// In order.
    pub folds: Vec<Vec<u32>>,
}

impl Folds {
    /// By game the seed has no effect.
    ///
    /// # Errors
    /// If a fold is empty.
    pub fn new(
        samples: &Samples<'_>,
        rows: &[u32],
        split: Split,
        folds: u32,
        seed: u64,
    ) -> Result<Folds, SplitError> {
        if folds < 2 {
            return Err(SplitError::TooFew(folds));
        }
        if folds > MOST_FOLDS {
            return Err(SplitError::TooMany(folds));
        }
        let mut parts = vec![Vec::new(); folds as usize];
        match split {
            Split::Game => {
                // One hash per game.
                let of_game: Vec<u32> = samples.game_ids.iter().map(|id| fold_of(id, folds)).collect();
                for row in rows {
                    let game = samples.games[*row as usize] as usize;
                    parts[of_game[game] as usize].push(*row);
                }
            }
            Split::Position => {
                let mut order = rows.to_vec();
                Rng::of(&[seed, SPLIT]).shuffle(&mut order);
                let mut rest = order.as_slice();
                for (done, part) in parts.iter_mut().enumerate() {
                    let (these, others) = rest.split_at(rest.len() / (folds as usize - done));
                    part.extend_from_slice(these);
                    part.sort_unstable();
                    rest = others;
                }
            }
        }
        if let Some(fold) = parts.iter().position(Vec::is_empty) {
            let games = games(samples, rows);
            return Err(SplitError::Empty { fold: fold as u32, folds, positions: rows.len(), games, split });
        }
        Ok(Folds { folds: parts })
    }

    /// The training set of a fold: all others, in order.
    #[must_use]
    pub fn without(&self, fold: usize) -> Vec<u32> {
        let others = self.folds.iter().enumerate().filter(|(other, _)| *other != fold);
        let mut rows: Vec<u32> = others.flat_map(|(_, rows)| rows.iter().copied()).collect();
        rows.sort_unstable();
        rows
    }
}
