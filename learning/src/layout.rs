//! The layers' ranges among the parameters.

use std::ops::Range;

use crate::network::Network;

/// A block of parameters, in their order, which is also a model's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// One row per window cell by channel, row, column; one column per filter.
    Filters,
    FilterBiases,
    /// One row per hidden input, filters of one place together; one column per unit.
    Hidden,
    /// Per hidden unit.
    HiddenBiases,
    /// Per hidden unit.
    Output,
    OutputBias,
    /// Per convolution sum; empty without layer normalization, as the next three.
    FilterGains,
    /// Per convolution sum.
    FilterShifts,
    /// Per hidden unit.
    HiddenGains,
    /// Per hidden unit.
    HiddenShifts,
    /// Per cell of the image, straight to the output; empty without a skip.
    Skip,
}

impl Part {
    /// In order.
    pub const ALL: [Part; 11] = [
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
        Part::Skip,
    ];

    /// Regularized.
    pub const WEIGHTS: [Part; 4] = [Part::Filters, Part::Hidden, Part::Output, Part::Skip];

    /// In files.
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
            Part::Skip => "skip",
        }
    }

    /// Rows and columns, or a vector's length. An unused part has length 0.
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
            Part::Skip if network.skip.is_none() => 0,
            Part::Skip => network.image.cells(),
            _ if network.norm.is_none() => 0,
            Part::FilterGains | Part::FilterShifts => network.sums(),
            Part::HiddenGains | Part::HiddenShifts => network.hidden,
        }
    }
}

impl Network {
    /// Where each layer's numbers are among the parameters.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        Layout::of(self)
    }

    #[must_use]
    pub const fn parameters(&self) -> usize {
        self.layout().end()
    }
}

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

    #[must_use]
    pub const fn part(&self, part: Part) -> Range<usize> {
        let part = part as usize;
        let start = if part == 0 { 0 } else { self.ends[part - 1] };
        start..self.ends[part]
    }

    /// The number of parameters.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.ends[Part::ALL.len() - 1]
    }

    /// In the order of [`Part::ALL`].
    #[must_use]
    pub fn cut<'a>(&self, parameters: &'a [f32]) -> [&'a [f32]; Part::ALL.len()] {
        Part::ALL.map(|part| &parameters[self.part(part)])
    }

    pub(crate) fn cut_mut<'a>(&self, numbers: &'a mut [f32]) -> [&'a mut [f32]; Part::ALL.len()] {
        let mut rest = numbers;
        Part::ALL.map(|part| rest.split_off_mut(..self.part(part).len()).unwrap_or_default())
    }
}
