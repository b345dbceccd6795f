//! How a network is trained. The defaults are those of the paper's program.

use std::fmt;
use std::str::FromStr;

use annals_events::{UnknownWord, closed_words};
use serde::{Deserialize, Serialize};

use crate::network::Network;

closed_words! {
    /// By which rule parameters move against their derivatives.
    pub enum Optimizer, "optimizer" {
        /// Straight downhill.
        Sgd = "sgd",
        /// With the momentum of the way so far.
        Momentum = "momentum",
        /// With momentum, looking one step ahead; the form of the library that the paper's program used.
        Nesterov = "nesterov",
        /// Each parameter by the size of its own derivatives of late.
        Rmsprop = "rmsprop",
    }
}

/// What is added to the error, so that weights (not biases) stay small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Regularizer {
    None,
    /// The sum of their sizes.
    L1,
    /// The sum of their squares.
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

/// How a network is trained.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub network: Network,
    /// By which rule it learns.
    pub optimizer: Optimizer,
    /// How far a step goes.
    pub learning_rate: f32,
    /// How much of the last step is kept (by `momentum` and `nesterov`), or of the mean square (by `rmsprop`).
    pub momentum: f32,
    /// What keeps weights small.
    #[serde(alias = "regulariser")]
    pub regularizer: Regularizer,
    /// How much that weighs.
    pub decay: f32,
    /// Which share of the numbers that go into each layer drop out, each time others; 0 for none.
    pub dropout: f32,
    /// Positions between two steps.
    pub batch: usize,
    /// How often every position is seen.
    pub epochs: u32,
    /// After so many epochs in a row without progress training stops.
    pub stable: u32,
    /// What chance begins with: first weights, the order of positions, what drops out.
    pub seed: u64,
}

/// An epoch counts as progress while its error is at most this much above the best.
pub const TOLERANCE: f64 = 0.001;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            network: Network::PAPER_RUN,
            optimizer: Optimizer::Nesterov,
            learning_rate: 0.01,
            momentum: 0.9,
            regularizer: Regularizer::L1,
            decay: 1e-4,
            dropout: 0.0,
            batch: 4096,
            epochs: 30,
            stable: 3,
            seed: 1,
        }
    }
}

/// A setting with which nothing can be learnt.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{what} is {value}; it must be {must}")]
pub struct SettingsError {
    what: &'static str,
    value: f64,
    must: &'static str,
}

impl Settings {
    /// Checks every number.
    ///
    /// # Errors
    /// When one is out of its range.
    pub fn checked(self) -> Result<Settings, SettingsError> {
        let wrong = |what, value, must| Err(SettingsError { what, value, must });
        if !(self.learning_rate > 0.0 && self.learning_rate.is_finite()) {
            return wrong("the learning rate", f64::from(self.learning_rate), "above 0");
        }
        if !(0.0..1.0).contains(&self.momentum) {
            return wrong("the momentum", f64::from(self.momentum), "at least 0 and below 1");
        }
        if !(self.decay >= 0.0 && self.decay.is_finite()) {
            return wrong("the weight of the regularizer", f64::from(self.decay), "at least 0");
        }
        if !(0.0..1.0).contains(&self.dropout) {
            return wrong("the dropout rate", f64::from(self.dropout), "at least 0 and below 1");
        }
        for (what, value) in [("the batch", self.batch), ("the number of epochs", self.epochs as usize)] {
            if value == 0 {
                return wrong(what, 0.0, "at least 1");
            }
        }
        if self.stable == 0 {
            return wrong("the number of epochs without progress", 0.0, "at least 1");
        }
        Ok(self)
    }
}
