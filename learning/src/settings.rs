//! Training settings. Defaults are those of the paper's program.

use std::fmt;
use std::str::FromStr;

use annals_events::{UnknownWord, closed_words};
use serde::{Deserialize, Serialize};

use crate::network::{Activation, Network};

closed_words! {
    pub enum Optimizer, "optimizer" {
        /// Plain gradient descent.
        Sgd = "sgd",
        Momentum = "momentum",
        /// In the form of the library used by the paper's program.
        Nesterov = "nesterov",
        /// By the recent size of each parameter's gradient.
        Rmsprop = "rmsprop",
        /// Kingma and Ba: momentum, divided by the recent size of each parameter's gradient.
        Adam = "adam",
    }
}

closed_words! {
    #[derive(Default)]
    pub enum Loss, "loss" {
        /// The squared error.
        #[default]
        Squares = "squares",
        /// The negative logarithm of the chance given to the result; for a sigmoid output.
        Log = "log",
    }
}

/// Added to the error to keep weights (not biases) small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Regularizer {
    None,
    /// The sum of absolute values.
    L1,
    /// The sum of squares.
    L2,
}

impl Regularizer {
    pub const ALL: &'static [Regularizer] = &[Regularizer::None, Regularizer::L1, Regularizer::L2];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Regularizer::None => "none",
            Regularizer::L1 => "L1",
            Regularizer::L2 => "L2",
        }
    }
}

impl fmt::Display for Regularizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Regularizer {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Regularizer, UnknownWord> {
        match text {
            "none" => Ok(Regularizer::None),
            "L1" => Ok(Regularizer::L1),
            "L2" => Ok(Regularizer::L2),
            _ => Err(UnknownWord { what: "regularizer", found: text.to_owned(), known: "none, L1, L2" }),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub network: Network,
    pub optimizer: Optimizer,
    pub learning_rate: f32,
    /// Of the learning rate that each epoch leaves to the next.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    pub rate_decay: f32,
    /// Part of the last step kept (`momentum`, `nesterov`, `adam`), or of the mean square (`rmsprop`).
    pub momentum: f32,
    #[serde(alias = "regulariser")]
    pub regularizer: Regularizer,
    /// Its weight.
    pub decay: f32,
    /// Rate at the input of each layer; 0 for none.
    pub dropout: f32,
    /// Positions per step.
    pub batch: usize,
    pub epochs: u32,
    /// Training stops after this many epochs in a row without progress.
    pub stable: u32,
    /// Of initial weights, order, dropout and mirror images.
    pub seed: u64,
    /// What training minimizes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub loss: Loss,
    /// Half of the positions, at random in each epoch, are mirrored left to right.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mirror: bool,
    /// One game in this many is not trained on; the best epoch and the end of training are found on it. 0 for none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub held_out: u32,
    /// Share of the network's own prediction, [`Settings::ahead`] plies later, in what it learns; the rest is the result.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bootstrap: f32,
    #[serde(default = "two", skip_serializing_if = "is_two")]
    pub ahead: u16,
    /// Share of the chance by a search in the label of a position; the rest is the result.
    #[serde(default, skip_serializing_if = "is_default")]
    pub search_share: f32,
    /// Positions of each of these searches.
    #[serde(default = "three_hundred", skip_serializing_if = "is_three_hundred")]
    pub search_nodes: u32,
}

// Defaults are left out of files, so that those of earlier versions keep their bytes.
const fn whole() -> f32 {
    1.0
}

fn is_whole(share: &f32) -> bool {
    *share == 1.0
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

const fn two() -> u16 {
    2
}

fn is_two(plies: &u16) -> bool {
    *plies == 2
}

const fn three_hundred() -> u32 {
    300
}

fn is_three_hundred(nodes: &u32) -> bool {
    *nodes == 300
}

/// An epoch counts as progress within this of the best error.
pub const TOLERANCE: f64 = 0.001;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            network: Network::PAPER_RUN,
            optimizer: Optimizer::Nesterov,
            learning_rate: 0.01,
            rate_decay: 1.0,
            momentum: 0.9,
            regularizer: Regularizer::L1,
            decay: 1e-4,
            dropout: 0.0,
            batch: 4096,
            epochs: 30,
            stable: 3,
            seed: 1,
            loss: Loss::Squares,
            mirror: false,
            held_out: 0,
            bootstrap: 0.0,
            ahead: 2,
            search_share: 0.0,
            search_nodes: 300,
        }
    }
}

impl Optimizer {
    /// Numbers that it keeps for each parameter.
    pub(crate) const fn memory(self) -> usize {
        match self {
            Optimizer::Adam => 2,
            _ => 1,
        }
    }
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{what} is {value}; it must be {must}")]
pub struct SettingsError {
    what: &'static str,
    value: String,
    must: &'static str,
}

fn wrong(what: &'static str, value: impl ToString, must: &'static str) -> Result<Settings, SettingsError> {
    Err(SettingsError { what, value: value.to_string(), must })
}

impl Settings {
    /// The defaults for a network: the paper's, except for networks that the paper has not.
    #[must_use]
    pub fn of(network: Network) -> Settings {
        let paper = Settings { network, ..Settings::default() };
        if network != Network::ANNALS1 {
            return paper;
        }
        Settings {
            optimizer: Optimizer::Adam,
            learning_rate: 0.001,
            rate_decay: 0.85,
            regularizer: Regularizer::None,
            batch: 1024,
            loss: Loss::Log,
            mirror: true,
            held_out: 10,
            bootstrap: 0.9,
            ahead: 2,
            epochs: 18,
            ..paper
        }
    }

    /// # Errors
    /// If a number is out of range.
    pub fn checked(self) -> Result<Settings, SettingsError> {
        if !(self.learning_rate > 0.0 && self.learning_rate.is_finite()) {
            return wrong("the learning rate", self.learning_rate, "above 0");
        }
        if !(self.rate_decay > 0.0 && self.rate_decay <= 1.0) {
            return wrong("the decay of the learning rate", self.rate_decay, "above 0 and at most 1");
        }
        if !(0.0..1.0).contains(&self.momentum) {
            return wrong("the momentum", self.momentum, "at least 0 and below 1");
        }
        if !(self.decay >= 0.0 && self.decay.is_finite()) {
            return wrong("the weight of the regularizer", self.decay, "at least 0");
        }
        if !(0.0..1.0).contains(&self.dropout) {
            return wrong("the dropout rate", self.dropout, "at least 0 and below 1");
        }
        for (what, value) in [("the batch", self.batch), ("the number of epochs", self.epochs as usize)] {
            if value == 0 {
                return wrong(what, 0, "at least 1");
            }
        }
        if self.stable == 0 {
            return wrong("the number of epochs without progress", 0, "at least 1");
        }
        if self.held_out == 1 {
            return wrong("the number of games of which one is held out", 1, "at least 2, or 0 for none");
        }
        if !(0.0..1.0).contains(&self.bootstrap) {
            return wrong("the share of own predictions", self.bootstrap, "at least 0 and below 1");
        }
        if self.bootstrap > 0.0 && self.held_out == 0 {
            return wrong(
                "the share of own predictions",
                self.bootstrap,
                "0, unless some games are held out",
            );
        }
        if !(0.0..=1.0).contains(&self.search_share) {
            return wrong("the share of searches", self.search_share, "at least 0 and at most 1");
        }
        if self.search_nodes == 0 {
            return wrong("the number of positions of a search", 0, "at least 1");
        }
        if self.loss == Loss::Log && self.network.output != Activation::Sigmoid {
            let (what, value) = ("the loss", self.loss.to_string());
            let must = "squares, unless the network has output=sigmoid";
            return Err(SettingsError { what, value, must });
        }
        Ok(self)
    }
}
