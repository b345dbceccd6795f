//! Networks as text. Some have names; any other is written out, as in `conv filters=48 kernel=4x4 hidden=384`.

use std::fmt;
use std::str::FromStr;

use crate::network::{Activation, Image, Network, Norm, Pool, Skip};

/// More filters or hidden units than this are refused: a slip of the finger, or more than any memory holds.
const MOST_UNITS: usize = 4096;

/// More parameters than this are refused.
const MOST_PARAMETERS: usize = 1 << 26;

pub const NAMED: [(&str, &str); 5] = [
    (
        "paper-run",
        "what the paper's program trained: six filters over eight files of six kinds by eight ranks",
    ),
    ("conv6", "six filters of 4x4 over the board: the paper's program with its axes put right"),
    ("conv48", "48 filters of 4x4 over the board: the size that the paper claims"),
    ("paper-text", "384 filters of 3x3 over the board: what the paper's text describes first"),
    ("annals1", "16 filters of 3x3 over the pieces of both sides, and a weight for each piece and square"),
];

/// Why a text is not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkTextError {
    /// No such name, and no `conv` either.
    #[error(
        "there is no network `{0}`; there are paper-run, conv6, conv48, paper-text and annals1, or write one out: \
         `conv filters=48 kernel=4x4 hidden=384`"
    )]
    Unknown(String),
    /// A part that is not `key=value`, or an unknown key.
    #[error(
        "`{0}` is not a valid part of a network; the parts are filters=48, kernel=4x4 (or kernel=4), hidden=384, \
         image=board|files|sides, activation=tanh|rectifier|sigmoid|linear, output=rectifier|sigmoid|linear|tanh, \
         pool=max:2x2 or average:2x2, norm=layer, and skip=linear"
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
    /// The name of this shape, where it has one.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        [Network::PAPER_RUN, Network::CONV6, Network::CONV48, Network::PAPER_TEXT, Network::ANNALS1]
            .iter()
            .zip(NAMED)
            .find_map(|(network, (name, _))| (network == self).then_some(name))
    }

    /// Checks the consistency of the parts; every network read from a file is checked here.
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
        if let Some(Skip::Linear) = self.skip {
            f.write_str(" skip=linear")?;
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
            "annals1" => Network::ANNALS1,
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
                "skip" if value == "linear" => network.skip = Some(Skip::Linear),
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
    fn the_network_of_annals_has_its_count_of_parameters() {
        // 108 * 16 + 16, then 576 * 32 + 32, then 32 + 1, and a weight for each of 768 cells.
        assert_eq!("annals1".parse::<Network>().unwrap().parameters(), 21_009);
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
            "annals1",
            "conv filters=6 kernel=8x8 hidden=384 image=sides pool=max:1x1 norm=layer skip=linear",
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
}
