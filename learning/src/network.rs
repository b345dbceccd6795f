//! The shape of a network: one convolution over the board, optional pooling, one hidden layer, one output.

use annals_events::closed_words;
use serde::{Deserialize, Serialize};

use crate::PLANES;
use crate::layers::convolution::Cell;

closed_words! {
    /// How the six planes of eight ranks by eight files become the image that the convolution slides over.
    pub enum Image, "image" {
        /// Six channels, one for each kind of piece, of eight ranks by eight files: the board.
        Board = "board",
        /// Eight channels, one for each file, of six kinds of piece by eight ranks. No board, but what the paper's program
        /// convolved: its library used the last axis as the channels.
        Files = "files",
        /// Twelve channels of eight ranks by eight files: the board with the pieces of the side to move, and that with the
        /// pieces of the other side. So a square can count differently for each side.
        Sides = "sides",
    }
}

impl Image {
    /// Channels, rows and columns.
    #[must_use]
    pub const fn size(self) -> [usize; 3] {
        match self {
            Image::Board => [6, 8, 8],
            Image::Files => [8, 6, 8],
            Image::Sides => [12, 8, 8],
        }
    }

    /// How many cells the image has.
    #[must_use]
    pub const fn cells(self) -> usize {
        let [channels, rows, columns] = self.size();
        channels * rows * columns
    }

    /// The index of a cell of the image among a position's planes, or among those of both sides.
    #[must_use]
    pub const fn plane_index(self, channel: usize, row: usize, column: usize) -> usize {
        match self {
            Image::Board | Image::Sides => channel * 64 + row * 8 + column,
            Image::Files => row * 64 + column * 8 + channel,
        }
    }

    /// The cell of the image for a cell of the planes, which is above 0 for the side to move.
    pub(crate) fn cell(self, (index, number): Cell) -> Cell {
        match self {
            Image::Sides if number < 0.0 => (index + PLANES as u16, -number),
            _ => (index, number),
        }
    }
}

closed_words! {
    /// What a unit makes of its sum.
    pub enum Activation, "activation" {
        /// The hyperbolic tangent.
        Tanh = "tanh",
        /// The sum, or nothing where it is negative.
        Rectifier = "rectifier",
        /// The logistic function.
        Sigmoid = "sigmoid",
        /// The sum as it is.
        Linear = "linear",
    }
}

closed_words! {
    /// How the values of a pooling window become one.
    pub enum PoolKind, "kind of pooling" {
        /// The largest of them.
        Max = "max",
        /// Their mean.
        Average = "average",
    }
}

/// Pooling of the convolution's values, filter by filter. Windows do not overlap; rows and columns that fill no window are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pool {
    /// How the values of a window become one.
    pub kind: PoolKind,
    /// Rows and columns of a window.
    pub window: [usize; 2],
}

/// Normalization of the sums of a layer, before its activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Norm {
    /// Layer normalization (Ba, Kiros and Hinton): the sums of a layer at one position get mean 0 and variance 1, then a gain and
    /// a shift for each.
    Layer,
}

/// A second way from the image to the output, past the layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// A weight for each cell, so that pieces are counted without any layer.
    Linear,
}

/// The shape of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Network {
    /// What the convolution slides over.
    pub image: Image,
    pub filters: usize,
    /// Rows and columns of a filter.
    pub kernel: [usize; 2],
    /// Units of the hidden layer.
    pub hidden: usize,
    /// What the filters and the hidden units make of their sums.
    pub activation: Activation,
    /// What the output makes of its sum.
    pub output: Activation,
    /// How the convolution's values are pooled, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<Pool>,
    /// How the sums of the convolution and of the hidden layer are normalized, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub norm: Option<Norm>,
    /// What is added to the output's sum straight from the image, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip: Option<Skip>,
}

impl Network {
    /// What the paper's program trained.
    pub const PAPER_RUN: Network = Network { image: Image::Files, ..Network::conv(6, 4) };
    /// The same with its axes put right.
    pub const CONV6: Network = Network::conv(6, 4);
    /// With the number of filters that the paper claims.
    pub const CONV48: Network = Network::conv(48, 4);
    /// What the paper's text describes first.
    pub const PAPER_TEXT: Network = Network::conv(384, 3);

    /// Better than counting pieces, and small enough for a search.
    pub const ANNALS1: Network = Network {
        image: Image::Sides,
        hidden: 32,
        activation: Activation::Rectifier,
        output: Activation::Sigmoid,
        skip: Some(Skip::Linear),
        ..Network::conv(16, 3)
    };

    /// Square filters over the board, with the rest as the paper has it.
    const fn conv(filters: usize, kernel: usize) -> Network {
        Network {
            image: Image::Board,
            filters,
            kernel: [kernel, kernel],
            hidden: 384,
            activation: Activation::Tanh,
            output: Activation::Rectifier,
            pool: None,
            norm: None,
            skip: None,
        }
    }

    /// At how many rows and columns of the image a filter is laid.
    #[must_use]
    pub const fn places(&self) -> [usize; 2] {
        let [_, rows, columns] = self.image.size();
        [rows + 1 - self.kernel[0], columns + 1 - self.kernel[1]]
    }

    /// How many places a filter is laid at.
    #[must_use]
    pub const fn spots(&self) -> usize {
        let [rows, columns] = self.places();
        rows * columns
    }

    /// How many cells of the image a filter covers.
    #[must_use]
    pub const fn window(&self) -> usize {
        self.image.size()[0] * self.kernel[0] * self.kernel[1]
    }

    /// How many sums the convolution computes at one position.
    #[must_use]
    pub const fn sums(&self) -> usize {
        self.spots() * self.filters
    }

    /// Rows and columns of a filter's values as they go into the hidden layer: the places, or the windows of the pooling.
    #[must_use]
    pub const fn pooled(&self) -> [usize; 2] {
        let [rows, columns] = self.places();
        match self.pool {
            Some(Pool { window: [high, wide], .. }) => [rows / high, columns / wide],
            None => [rows, columns],
        }
    }

    /// How many numbers go into the hidden layer.
    #[must_use]
    pub const fn flat(&self) -> usize {
        let [rows, columns] = self.pooled();
        rows * columns * self.filters
    }

    /// For each place and each cell of the window there, the index of the cell; see [`Image::plane_index`].
    #[must_use]
    pub fn windows(&self) -> Vec<u16> {
        let [channels, ..] = self.image.size();
        let [rows, columns] = self.places();
        let mut cells = Vec::with_capacity(self.spots() * self.window());
        for row in 0..rows {
            for column in 0..columns {
                for channel in 0..channels {
                    for down in 0..self.kernel[0] {
                        for right in 0..self.kernel[1] {
                            let index = self.image.plane_index(channel, row + down, column + right);
                            debug_assert!(index < self.image.cells());
                            cells.push(index as u16);
                        }
                    }
                }
            }
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_image_has_files_as_channels_and_kinds_as_rows() {
        // The elephant's plane is the sixth; its cell on the third row (rank) and the second file.
        assert_eq!(Image::Files.plane_index(1, 5, 2), 5 * 64 + 2 * 8 + 1);
        assert_eq!(Image::Board.plane_index(5, 2, 1), 5 * 64 + 2 * 8 + 1);
        let windows = Network::PAPER_RUN.windows();
        assert_eq!(windows.len(), 3 * 5 * 8 * 16);
        assert_eq!(windows[0], 0);
        // The last place's last cell: file h, the elephant, the last row.
        assert_eq!(windows.last(), Some(&383));
    }
}
