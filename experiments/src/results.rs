//! The results of a reproduction: `figures.json` holds them, and the report is made from nothing else.

use std::collections::BTreeMap;

use annals_features::Sampling;
use annals_learning::evaluation::Baseline;
use annals_learning::grid::Cell;
use annals_learning::{Figures, Score, Settings, Split};
use serde::{Deserialize, Serialize};

use crate::measures::{Clustered, Parity, Zigzag};
use crate::options::Options;
use crate::published;

/// All results.
#[derive(Debug, Serialize)]
pub struct Reproduction {
    /// The program that made it.
    pub made_by: String,
    /// The command with all options.
    pub command: String,
    /// The options.
    pub chosen: Options,
    /// The paper's figures.
    pub printed: Published,
    /// The subjects.
    pub subjects: Vec<Subject>,
    /// The steps that failed, with reasons.
    pub not_done: Vec<String>,
}

/// The paper's figures.
#[derive(Debug, Serialize)]
pub struct Published {
    /// Mean squared error and accuracy.
    pub headline: (f64, f64),
    /// Games and positions.
    pub games: u64,
    /// See `games`.
    pub positions: u64,
    /// Steps of its training.
    pub steps: u64,
    /// The table.
    pub figure_4: &'static [published::Row],
}

impl Published {
    /// All of them.
    pub const ALL: Published = Published {
        headline: published::HEADLINE,
        games: published::GAMES,
        positions: published::POSITIONS,
        steps: published::STEPS,
        figure_4: &published::FIGURE_4,
    };
}

/// The real games, or games of self-play.
#[derive(Debug, Serialize)]
pub struct Subject {
    /// `real` or `selfplay`.
    pub key: &'static str,
    /// Its name.
    pub name: String,
    /// Its source.
    pub data: Data,
    /// With all games, and without those that were resigned.
    pub variants: Vec<Variant>,
}

/// The source of positions.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Data {
    /// The kinds of players, as text.
    pub about: String,
    /// The selection of games, as text.
    pub filter: String,
    /// Rows of games read.
    pub rows: u64,
    /// Selected games.
    pub games: u64,
    /// How many of them were resigned.
    pub resigned: u64,
    /// Positions of them.
    pub positions: u64,
    /// Rows that were left out, by the first reason that applied.
    pub left_out: BTreeMap<String, u64>,
    /// The files.
    pub sources: Vec<Source>,
    /// The digest of the dataset.
    pub digest: String,
}

/// A file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// BLAKE3 of its text.
    pub digest: String,
    /// Bytes of text.
    pub bytes: u64,
}

/// Some of the games of a subject.
#[derive(Debug, Serialize)]
pub struct Variant {
    /// `all` or `without-resigned`.
    pub key: &'static str,
    /// Games.
    pub games: usize,
    /// Positions.
    pub positions: usize,
    /// The networks, each under both splits.
    pub experiments: Vec<Experiment>,
    /// The grid search under both splits; empty if none was requested.
    pub grid: Vec<GridResult>,
}

/// A network under one split.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Experiment {
    /// The network.
    pub network: String,
    /// How many parameters it has.
    pub parameters: usize,
    /// The training settings.
    pub settings: Settings,
    pub split: Split,
    /// The number of folds.
    pub of_folds: u32,
    /// Steps of one training.
    pub steps: u64,
    /// The validation folds.
    pub folds: Vec<Fold>,
    /// On the validation sets.
    pub score: Score,
    /// The same, with errors clustered by game.
    pub clustered: Clustered,
    /// The baselines, with the same training and validation sets.
    pub baselines: Vec<Baseline>,
    /// The error at even heights minus that at odd ones.
    pub zigzag: Vec<Zigzag>,
    /// The share of positions whose side to move won, by the parity of the height.
    pub parity: Parity,
    /// Over all positions, the training set included, as in the paper's Figure 5.
    pub whole: Score,
    /// The zigzag over all positions.
    pub whole_zigzag: Vec<Zigzag>,
    /// By the ending of the games.
    pub endings: Vec<Ending>,
    /// The first layer of the first network: for each filter its channels, rows and columns.
    pub filters: Vec<Vec<Vec<Vec<f32>>>>,
}

/// One fold.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Fold {
    /// The validation fold, from 0.
    pub fold: usize,
    pub training_positions: usize,
    /// The mean squared error of training, epoch by epoch.
    pub errors: Vec<f64>,
    /// The epoch that was kept, from 1.
    pub best_epoch: u32,
    /// On the validation set.
    pub figures: Figures,
}

/// Games that ended in one way, evaluated alone.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ending {
    /// `board` or `resigned`.
    pub how: String,
    /// Over all heights.
    pub all: Figures,
    /// Over the last ten plies.
    pub near_the_end: Option<Figures>,
}

/// A grid search under one split.
#[derive(Debug, Serialize)]
pub struct GridResult {
    pub split: Split,
    /// How its positions were taken.
    pub sampling: Sampling,
    /// How many positions it has.
    pub positions: usize,
    /// Of how many games.
    pub games: usize,
    /// The combinations, the best first.
    pub cells: Vec<Cell>,
}

impl Variant {
    /// A network's experiment under a split.
    pub fn experiment(&self, network: &str, split: Split) -> Option<&Experiment> {
        self.experiments.iter().find(|one| one.network == network && one.split == split)
    }

    /// The networks, in order.
    pub fn networks(&self) -> Vec<&str> {
        let by_game = self.experiments.iter().filter(|one| one.split == Split::Game);
        by_game.map(|one| one.network.as_str()).collect()
    }

    /// The grid search under a split.
    pub fn grid(&self, split: Split) -> Option<&GridResult> {
        self.grid.iter().find(|grid| grid.split == split)
    }
}

impl Experiment {
    /// The handcrafted evaluation.
    pub fn handcrafted(&self) -> Option<&Baseline> {
        self.baselines.last()
    }

    /// The figures of games with one ending.
    pub fn ending(&self, how: &str) -> Option<&Ending> {
        self.endings.iter().find(|ending| ending.how == how)
    }
}
