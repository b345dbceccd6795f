//! The shape of a network: one convolution over the board, optional pooling, one hidden layer, one output. Networks
//! have names; any other is written out, as in `conv filters=48 kernel=4x4 hidden=384`.

use std::fmt;
use std::str::FromStr;

use annals_events::closed_words;
use serde::{Deserialize, Serialize};

use crate::PLANES;
use crate::layout::Layout;

closed_words! {
    /// How the six planes of eight ranks by eight files become the image that the convolution slides over.
    pub enum Image, "image" {
        /// Six channels, one for each kind of piece, of eight ranks by eight files: the board.
        Board = "board",
        /// Eight channels, one for each file, of six kinds of piece by eight ranks. No board, but what the paper's program
        /// convolved: its library took the last axis for the channels.
        Files = "files",
    }
}

impl Image {
    /// Channels, rows and columns.
    #[must_use]
    pub const fn size(self) -> [usize; 3] {
        match self {
            Image::Board => [6, 8, 8],
            Image::Files => [8, 6, 8],
        }
    }

    /// Where a cell of the image stands among a position's planes.
    #[must_use]
    pub const fn plane_index(self, channel: usize, row: usize, column: usize) -> usize {
        match self {
            Image::Board => channel * 64 + row * 8 + column,
            Image::Files => row * 64 + column * 8 + channel,
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
}

/// More filters or hidden units than this are refused: a slip of the finger, or more than any memory holds.
const MOST_UNITS: usize = 4096;

/// More parameters than this are refused.
const MOST_PARAMETERS: usize = 1 << 26;

pub const NAMED: [(&str, &str); 4] = [
    (
        "paper-run",
        "what the paper's program trained: six filters over eight files of six kinds by eight ranks",
    ),
    ("conv6", "six filters of 4x4 over the board: the paper's program with its axes put right"),
    ("conv48", "48 filters of 4x4 over the board: the size that the paper claims"),
    ("paper-text", "384 filters of 3x3 over the board: what the paper's text describes first"),
];

/// Why a text is not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkTextError {
    /// No such name, and no `conv` either.
    #[error(
        "there is no network `{0}`; there are paper-run, conv6, conv48 and paper-text, or write one out: \
         `conv filters=48 kernel=4x4 hidden=384`"
    )]
    Unknown(String),
    /// A part that is not `key=value`, or an unknown key.
    #[error(
        "`{0}` is not a valid part of a network; the parts are filters=48, kernel=4x4 (or kernel=4), hidden=384, image=board|files, \
         activation=tanh|rectifier|sigmoid|linear, output=rectifier|sigmoid|linear|tanh, pool=max:2x2 or average:2x2, and norm=layer"
    )]
    Part(String),
    #[error("`{0}` is in the network twice; keep one")]
    Twice(String),
    #[error("`{part}`: {what} must be between 1 and {most}")]
    Range { part: String, what: &'static str, most: usize },
    #[error("a kernel of {0}x{1} does not fit into an image of {2} rows by {3} columns; take a smaller one")]
    Kernel(usize, usize, usize, usize),
    /// A pooling window that does not fit into the convolution's output.
    #[error(
        "a pooling window of {0}x{1} does not fit into the {2}x{3} values of a filter; take a smaller one"
    )]
    Window(usize, usize, usize, usize),
    /// Too many parameters.
    #[error(
        "a network of {0} parameters is larger than the {MOST_PARAMETERS} that are allowed; take fewer filters or units"
    )]
    TooLarge(usize),
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
        }
    }

    /// The name of this shape, where it has one.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        [Network::PAPER_RUN, Network::CONV6, Network::CONV48, Network::PAPER_TEXT]
            .iter()
            .zip(NAMED)
            .find_map(|(network, (name, _))| (network == self).then_some(name))
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

    /// Where each layer's numbers are among the parameters.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        Layout::of(self)
    }

    #[must_use]
    pub const fn parameters(&self) -> usize {
        self.layout().end()
    }

    /// For each place and each cell of the window there, where the cell stands among a position's planes.
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
                            debug_assert!(index < PLANES);
                            cells.push(index as u16);
                        }
                    }
                }
            }
        }
        cells
    }

    /// Checks what the parts alone do not show; whatever comes from a file passes here.
    ///
    /// # Errors
    /// When the kernel does not fit, or the network is too large.
    pub fn checked(self) -> Result<Network, NetworkTextError> {
        let [_, rows, columns] = self.image.size();
        let [high, wide] = self.kernel;
        for (part, number) in [("filters", self.filters), ("hidden", self.hidden)] {
            if number == 0 || number > MOST_UNITS {
                let part = format!("{part}={number}");
                return Err(NetworkTextError::Range { part, what: "the number", most: MOST_UNITS });
            }
        }
        if high == 0 || wide == 0 || high > rows || wide > columns {
            return Err(NetworkTextError::Kernel(high, wide, rows, columns));
        }
        let [rows, columns] = self.places();
        if let Some(Pool { window: [high, wide], .. }) = self.pool
            && (high == 0 || wide == 0 || high > rows || wide > columns)
        {
            return Err(NetworkTextError::Window(high, wide, rows, columns));
        }
        match self.parameters() {
            count if count > MOST_PARAMETERS => Err(NetworkTextError::TooLarge(count)),
            _ => Ok(self),
        }
    }
}

impl fmt::Display for Network {
    /// The name where there is one, else the whole shape; what is printed is read again as the same network.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.name() {
            return f.write_str(name);
        }
        let [high, wide] = self.kernel;
        write!(f, "conv filters={} kernel={high}x{wide} hidden={}", self.filters, self.hidden)?;
        if self.image != Image::Board {
            write!(f, " image={}", self.image.word())?;
        }
        if self.activation != Activation::Tanh {
            write!(f, " activation={}", self.activation.word())?;
        }
        if self.output != Activation::Rectifier {
            write!(f, " output={}", self.output.word())?;
        }
        if let Some(Pool { kind, window: [high, wide] }) = self.pool {
            write!(f, " pool={}:{high}x{wide}", kind.word())?;
        }
        if let Some(Norm::Layer) = self.norm {
            f.write_str(" norm=layer")?;
        }
        Ok(())
    }
}

impl FromStr for Network {
    type Err = NetworkTextError;

    fn from_str(text: &str) -> Result<Network, NetworkTextError> {
        let mut words = text.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        let mut network = match first {
            "paper-run" => Network::PAPER_RUN,
            "conv6" => Network::CONV6,
            "paper-text" => Network::PAPER_TEXT,
            "conv48" | "conv" => Network::CONV48,
            _ => return Err(NetworkTextError::Unknown(text.to_owned())),
        };
        let mut seen = Vec::new();
        for word in words {
            let unknown = || NetworkTextError::Part(word.to_owned());
            let (key, value) = word.split_once('=').ok_or_else(unknown)?;
            if seen.contains(&key) {
                return Err(NetworkTextError::Twice(key.to_owned()));
            }
            seen.push(key);
            let number = |what: &'static str, most: usize, text: &str| match text.parse() {
                Ok(number) if (1..=most).contains(&number) => Ok(number),
                _ => Err(NetworkTextError::Range { part: word.to_owned(), what, most }),
            };
            let sides = |what, text: &str| {
                let (high, wide) = text.split_once('x').unwrap_or((text, text));
                Ok([number(what, 8, high)?, number(what, 8, wide)?])
            };
            match key {
                "filters" => network.filters = number("the number of filters", MOST_UNITS, value)?,
                "hidden" => network.hidden = number("the number of hidden units", MOST_UNITS, value)?,
                "kernel" => network.kernel = sides("a kernel's side", value)?,
                "pool" => {
                    let (kind, window) = value.split_once(':').ok_or_else(unknown)?;
                    let kind = kind.parse().map_err(|_| unknown())?;
                    network.pool = Some(Pool { kind, window: sides("a pooling window's side", window)? });
                }
                "norm" if value == "layer" => network.norm = Some(Norm::Layer),
                "image" => network.image = value.parse().map_err(|_| unknown())?,
                "activation" => network.activation = value.parse().map_err(|_| unknown())?,
                "output" => network.output = value.parse().map_err(|_| unknown())?,
                _ => return Err(unknown()),
            }
        }
        network.checked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_networks_have_the_counts_of_parameters_that_the_paper_implies() {
        let count = |name: &str| name.parse::<Network>().unwrap().parameters();
        assert_eq!(count("paper-run"), 36_103);
        assert_eq!(count("conv6"), 58_951);
        assert_eq!(count("conv48"), 466_225);
        // 54 * 384 + 384, then 36 * 384 * 384 + 384, then 384 + 1.
        assert_eq!(count("paper-text"), 5_330_305);
    }

    #[test]
    fn a_network_that_is_written_out_is_read_again() {
        for text in [
            "paper-run",
            "conv6",
            "conv48",
            "paper-text",
            "conv filters=5 kernel=1x8 hidden=17",
            "conv filters=6 kernel=6x1 hidden=384 image=files activation=rectifier output=sigmoid",
        ] {
            let network: Network = text.parse().unwrap();
            assert_eq!(network.to_string(), text);
        }
        assert_eq!("conv kernel=4 hidden=384 filters=48".parse(), Ok(Network::CONV48));
        assert_eq!("conv6 filters=48".parse(), Ok(Network::CONV48));
    }

    #[test]
    fn a_text_that_is_not_a_network_is_rejected_with_the_reason() {
        let error = |text: &str| text.parse::<Network>().unwrap_err().to_string();
        assert!(error("resnet").starts_with("there is no network `resnet`"));
        assert!(error("").starts_with("there is no network ``"));
        assert!(error("conv filters").starts_with("`filters` is not a valid part of a network"));
        assert!(error("conv filters=0").contains("must be between 1 and 4096"));
        assert!(error("conv filters=1 filters=2").contains("is in the network twice"));
        assert!(error("conv kernel=9").contains("between 1 and 8"));
        assert_eq!(
            error("conv kernel=7x3 image=files"),
            "a kernel of 7x3 does not fit into an image of 6 rows by 8 columns; take a smaller one"
        );
        assert!(error("conv filters=4096 hidden=4096 kernel=1").contains("parameters is larger"));
    }

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
