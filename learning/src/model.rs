//! A trained network: its parameters, and what it was made of.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::file::{self, FileError, Kind};
use crate::layout::Part;
use crate::network::{Network, NetworkTextError};
use crate::settings::Settings;

const KIND: Kind = Kind { name: "model", version: 1 };

/// The description of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    pub network: String,
    pub settings: Settings,
    /// The digest of the dataset of its training set, in hexadecimal digits.
    pub data: String,
    /// What that was, in words.
    pub description: String,
    /// How training and validation sets were split, in words.
    pub split: String,
    /// Positions of the training set.
    pub positions: u64,
    /// Its mean squared error on them, epoch by epoch.
    pub errors: Vec<f64>,
    /// The epoch whose parameters these are, from 1.
    pub best_epoch: u32,
    /// What a rabbit of the handcrafted evaluation adds to the logarithm of the odds on the same positions: it converts odds to
    /// rabbits for the search.
    pub odds_of_a_rabbit: f64,
    /// The weights of each baseline, fitted to the training set.
    #[serde(default)]
    pub baselines: Vec<Vec<f64>>,
    /// The version of the program that made it.
    pub program: String,
}

/// A trained network.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Its shape.
    pub network: Network,
    /// Its parameters, in the order of [`Network::layout`].
    pub parameters: Vec<f32>,
    /// What it was made of.
    pub about: About,
}

/// Why a model is of no use.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error(transparent)]
    File(#[from] FileError),
    /// It says that it is a network that there is not.
    #[error(
        "the model {path} has a network that this program cannot read: {error}; a newer version may have written it"
    )]
    Network { path: String, error: NetworkTextError },
    /// Its numbers are of another network than it says.
    #[error(
        "the model {path} says that it is {network}, but its `{part}` has {found} numbers where that has {wanted}: it is the model \
         of another network; train it again"
    )]
    Shape { path: String, network: String, part: &'static str, found: usize, wanted: usize },
    /// It is another network than was asked for.
    #[error(
        "the model {path} is the network {found}; the command names {wanted}; name another file, or leave --network out"
    )]
    Other { path: String, found: String, wanted: String },
    #[error("the model {path} holds weights that are no numbers; train it again")]
    NotFinite { path: String },
}

impl Model {
    /// Writes it to a file.
    ///
    /// # Errors
    /// When the system does not let us.
    pub fn write(&self, path: &Path) -> Result<(), ModelError> {
        let (net, layout) = (&self.network, self.network.layout());
        let blocks: Vec<_> = Part::ALL
            .iter()
            .map(|part| (part.name(), part.shape(net), &self.parameters[layout.part(*part)]))
            .filter(|(_, _, numbers)| !numbers.is_empty())
            .collect();
        Ok(file::write(path, KIND, &self.about, &blocks)?)
    }

    /// Reads it from a file.
    ///
    /// # Errors
    /// When the file is no model, or a damaged one, or one that contradicts itself.
    pub fn read(path: &Path) -> Result<Model, ModelError> {
        let (about, mut blocks): (About, _) = file::read(path, KIND)?;
        let path = path.display().to_string();
        let network: Network = match about.network.parse() {
            Ok(network) => network,
            Err(error) => return Err(ModelError::Network { path, error }),
        };
        let layout = network.layout();
        let mut parameters = Vec::with_capacity(network.parameters());
        for part in Part::ALL {
            let (block, wanted) = (blocks.remove(part.name()).unwrap_or_default(), layout.part(part).len());
            if block.len() != wanted {
                let (network, found) = (network.to_string(), block.len());
                return Err(ModelError::Shape { path, network, part: part.name(), found, wanted });
            }
            parameters.extend(block);
        }
        if parameters.iter().any(|parameter| !parameter.is_finite()) || !about.odds_of_a_rabbit.is_finite() {
            return Err(ModelError::NotFinite { path });
        }
        Ok(Model { network, parameters, about })
    }

    /// Reads it from a file that should hold a certain network.
    ///
    /// # Errors
    /// As [`Model::read`], and when it is another network.
    pub fn read_as(path: &Path, wanted: Network) -> Result<Model, ModelError> {
        let model = Model::read(path)?;
        if model.network == wanted {
            return Ok(model);
        }
        let path = path.display().to_string();
        Err(ModelError::Other { path, found: model.network.to_string(), wanted: wanted.to_string() })
    }

    /// The filters of the first layer as numbers: for each its channels, rows and columns. Channels are kinds of piece from the
    /// rabbit to the elephant, or files where the image is made of those; see [`crate::Image`].
    #[must_use]
    pub fn filters(&self) -> Vec<Vec<Vec<Vec<f32>>>> {
        let net = &self.network;
        let ([channels, ..], [high, wide]) = (net.image.size(), net.kernel);
        let weights = &self.parameters[net.layout().part(Part::Filters)];
        let weight = |filter, channel, row, column| {
            weights[((channel * high + row) * wide + column) * net.filters + filter]
        };
        let row = |f, c, r| (0..wide).map(|column| weight(f, c, r, column)).collect();
        let channel = |f, c| (0..high).map(|r| row(f, c, r)).collect();
        (0..net.filters).map(|f| (0..channels).map(|c| channel(f, c)).collect()).collect()
    }
}
