//! Where the numbers of each layer are among a network's parameters.

use std::ops::Range;

use crate::network::Network;

/// A block of parameters. The order is that of the parameters, and of the numbers in a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A row for each cell of the window, in the order channel, row, column; a column for each filter.
    Filters,
    FilterBiases,
    /// A row for each value that goes into the hidden layer, the filters of one place together; a column for each unit.
    Hidden,
    /// One for each hidden unit.
    HiddenBiases,
    /// One for each hidden unit.
    Output,
    OutputBias,
    /// One for each of the convolution's sums; none without layer normalization, as in the three parts that follow.
    FilterGains,
    /// One for each of the convolution's sums.
    FilterShifts,
    /// One for each hidden unit.
    HiddenGains,
    /// One for each hidden unit.
    HiddenShifts,
}

impl Part {
    /// All parts in their order.
    pub const ALL: [Part; 10] = [
        Part::Filters,
        Part::FilterBiases,
        Part::Hidden,
        Part::HiddenBiases,
        Part::Output,
        Part::OutputBias,
        Part::FilterGains,
        Part::FilterShifts,
        Part::HiddenGains,
        Part::HiddenShifts,
    ];

    /// The weights: what the regularizers count, and what is random at first.
    pub const WEIGHTS: [Part; 3] = [Part::Filters, Part::Hidden, Part::Output];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Part::Filters => "filters",
            Part::FilterBiases => "filter_biases",
            Part::Hidden => "hidden",
            Part::HiddenBiases => "hidden_biases",
            Part::Output => "output",
            Part::OutputBias => "output_bias",
            Part::FilterGains => "filter_gains",
            Part::FilterShifts => "filter_shifts",
            Part::HiddenGains => "hidden_gains",
            Part::HiddenShifts => "hidden_shifts",
        }
    }

    /// Rows and columns, or the length alone where it is a vector. An unused part has length 0.
    #[must_use]
    pub fn shape(self, network: &Network) -> Vec<usize> {
        match self {
            Part::Filters => vec![network.window(), network.filters],
            Part::Hidden => vec![network.flat(), network.hidden],
            _ => vec![self.len(network)],
        }
    }

    const fn len(self, network: &Network) -> usize {
        match self {
            Part::Filters => network.window() * network.filters,
            Part::FilterBiases => network.filters,
            Part::Hidden => network.flat() * network.hidden,
            Part::HiddenBiases | Part::Output => network.hidden,
            Part::OutputBias => 1,
            _ if network.norm.is_none() => 0,
            Part::FilterGains | Part::FilterShifts => network.sums(),
            Part::HiddenGains | Part::HiddenShifts => network.hidden,
        }
    }
}

/// Where each part's numbers are among the parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    ends: [usize; Part::ALL.len()],
}

impl Layout {
    pub(crate) const fn of(network: &Network) -> Layout {
        let mut ends = [0; Part::ALL.len()];
        let (mut part, mut end) = (0, 0);
        while part < ends.len() {
            end += Part::ALL[part].len(network);
            ends[part] = end;
            part += 1;
        }
        Layout { ends }
    }

    /// The numbers of one part.
    #[must_use]
    pub const fn part(&self, part: Part) -> Range<usize> {
        let part = part as usize;
        let start = if part == 0 { 0 } else { self.ends[part - 1] };
        start..self.ends[part]
    }

    /// How many numbers there are.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.ends[Part::ALL.len() - 1]
    }

    /// The parameters cut into their parts, in the order of [`Part::ALL`].
    #[must_use]
    pub fn cut<'a>(&self, parameters: &'a [f32]) -> [&'a [f32]; Part::ALL.len()] {
        Part::ALL.map(|part| &parameters[self.part(part)])
    }

    /// The same for numbers that are to be changed.
    pub(crate) fn cut_mut<'a>(&self, numbers: &'a mut [f32]) -> [&'a mut [f32]; Part::ALL.len()] {
        let mut rest = numbers;
        Part::ALL.map(|part| rest.split_off_mut(..self.part(part).len()).unwrap_or_default())
    }
}
