//! The filters of a first layer as fields of colour. A row of panels is an output filter, a column one of its channels.

use annals_charts::{Colours, Panel, Panels};
use annals_learning::{Image, Network};

use super::Words;

/// The kinds of piece in the order of their planes.
const KINDS: [&str; 6] = ["rabbits", "cats", "dogs", "horses", "camels", "elephants"];

/// The first filters of a network, at most `most`.
pub fn filters(words: Words, network: &Network, filters: &[Vec<Vec<Vec<f32>>>], most: usize) -> Panels {
    let channels = filters.first().map_or(0, Vec::len);
    let panels = filters.iter().take(most).enumerate().flat_map(|(filter, channels)| {
        channels.iter().enumerate().map(move |(channel, weights)| panel(network, filter, channel, weights))
    });
    Panels {
        title: words.title,
        subtitle: words.subtitle,
        panels: panels.collect(),
        beside: channels.max(1),
        colours: Colours::AroundZero,
        measured: "weight".to_owned(),
        source: words.source,
    }
}

fn panel(network: &Network, filter: usize, channel: usize, weights: &[Vec<f32>]) -> Panel {
    let of = match network.image {
        Image::Files => format!("file {}", channel + 1),
        Image::Board => KINDS.get(channel).map_or_else(|| channel.to_string(), |kind| (*kind).to_owned()),
        Image::Sides => {
            let side = if channel < KINDS.len() { "own" } else { "other" };
            format!("{side} {}", KINDS[channel % KINDS.len()])
        }
    };
    let numbered = |count: usize| (1..=count).map(|n| n.to_string()).collect();
    Panel {
        name: format!("{}: {of}", filter + 1),
        rows: numbered(weights.len()),
        columns: numbered(weights.first().map_or(0, Vec::len)),
        values: weights
            .iter()
            .map(|row| row.iter().map(|weight| Some(f64::from(*weight))).collect())
            .collect(),
        words: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_panels_is_a_filter_and_a_column_a_channel() {
        let weights = vec![vec![vec![vec![0.5f32; 4]; 4]; 8]; 6];
        let words = Words { title: String::new(), subtitle: String::new(), source: String::new() };
        let panels = filters(words.clone(), &Network::PAPER_RUN, &weights, 12);
        assert_eq!((panels.panels.len(), panels.beside), (48, 8));
        assert_eq!(
            (panels.panels[0].name.as_str(), panels.panels[9].name.as_str()),
            ("1: file 1", "2: file 2")
        );
        let weights = vec![vec![vec![vec![0.5f32; 4]; 4]; 6]; 48];
        let panels = filters(words, &Network::CONV48, &weights, 12);
        assert_eq!((panels.panels.len(), panels.panels[5].name.as_str()), (72, "1: elephants"));
    }
}
