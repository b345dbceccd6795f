//! What training takes for the result of a position: its label, which can be mixed with the chance by a search of the
//! position, and with the network's own prediction some plies later.
//!
//! All positions of a game have one label, so that labels vary much more than predictions. A later position of the same
//! game shows what the next turns changed (temporal differences; Sutton, 1988).

use std::collections::HashMap;

use crate::baseline::{HANDCRAFTED, Logistic, Measures};
use crate::batch::Batches;
use crate::samples::Samples;
use crate::settings::Settings;

/// One number per sample: results, except for the rows of a training with [`Settings::search_share`]. The logistic function
/// that fits the results of the rows best makes chances of scores.
pub(crate) fn labels(samples: &Samples<'_>, rows: &[u32], settings: &Settings) -> Vec<f32> {
    let mut labels = samples.results();
    if settings.search_share > 0.0 {
        let scores = Measures::of_searches(samples, rows, settings.search_nodes);
        let chances = Logistic::fit(HANDCRAFTED, &scores, samples, rows).predict(&scores, rows);
        for (row, chance) in rows.iter().zip(chances) {
            let label = &mut labels[*row as usize];
            *label += settings.search_share * (chance - *label);
        }
    }
    labels
}

/// One number per sample: `labels`, except for the rows of a training with [`Settings::bootstrap`].
pub(crate) fn targets(
    samples: &Samples<'_>,
    labels: &[f32],
    rows: &[u32],
    settings: &Settings,
    batches: &Batches<'_>,
    parameters: &[f32],
) -> Vec<f32> {
    let mut targets = labels.to_vec();
    if settings.bootstrap == 0.0 {
        return targets;
    }
    let place = |row: u32| (samples.games[row as usize], samples.heights[row as usize]);
    let predictions: HashMap<(u32, u16), f32> =
        rows.iter().map(|row| place(*row)).zip(batches.predict(parameters, rows)).collect();
    for row in rows {
        let (game, height) = place(*row);
        let later = height.checked_sub(settings.ahead).and_then(|height| predictions.get(&(game, height)));
        if let Some(later) = later {
            // The other side is to move after an odd number of plies.
            let chance = if settings.ahead.is_multiple_of(2) { *later } else { 1.0 - later };
            let target = &mut targets[*row as usize];
            *target += settings.bootstrap * (chance - *target);
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use annals_features::paper;

    use super::*;
    use crate::PLANES;
    use crate::optimizer::first_weights;

    #[test]
    fn a_target_is_the_label_mixed_with_the_prediction_of_a_later_position_of_the_same_game() {
        let ids = ["a".to_owned(), "b".to_owned()];
        let mut planes = [0i8; 5 * PLANES];
        (0..5).for_each(|row| planes[row * PLANES + 9 * row + 3] = 1);
        let samples = Samples {
            planes: &planes,
            labels: &[1, 0, 1, 0, 1],
            heights: &[0, 1, 2, 1, 3],
            games: &[0, 0, 0, 1, 0],
            game_ids: &ids,
            digest: [0; 32],
        };
        let rows = [0, 1, 2, 3];
        let network = "conv filters=2 kernel=8 hidden=3 image=sides output=sigmoid".parse().unwrap();
        let parameters = first_weights(&network, 4);
        let of = |bootstrap, ahead| {
            let settings = Settings { network, bootstrap, ahead, ..Settings::default() };
            let labels = labels(&samples, &rows, &settings);
            targets(&samples, &labels, &rows, &settings, &Batches::new(samples, settings), &parameters)
        };
        let settings = Settings { network, ..Settings::default() };
        let predicted = Batches::new(samples, settings).predict(&parameters, &rows);
        assert_eq!(of(0.0, 1), [1.0, 0.0, 1.0, 0.0, 1.0]);
        // One ply on the other side is to move; a row outside the training set is neither changed nor used.
        let near = |found: f32, wanted: f32| assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        let one = of(0.25, 1);
        near(one[1], 0.25 * (1.0 - predicted[0]));
        near(one[2], 0.75 + 0.25 * (1.0 - predicted[1]));
        assert_eq!((one[0], one[3], one[4]), (1.0, 0.0, 1.0));
        let two = of(0.25, 2);
        near(two[2], 0.75 + 0.25 * predicted[0]);
        assert_eq!((two[0], two[1], two[3], two[4]), (1.0, 0.0, 0.0, 1.0));
    }

    #[test]
    fn a_label_is_the_result_mixed_with_the_chance_by_a_search() {
        // Two steps from the goal, and two rabbits far from it.
        let won =
            ["........", "......R.", "........", "r.......", "........", "........", "........", "........"];
        let even =
            ["r.......", "........", "........", "........", "........", "........", "........", ".......R"];
        let planes: Vec<i8> = [won, won, won, even, even, won]
            .into_iter()
            .flat_map(|board| paper::planes(&format!("g [{}]", board.concat()).parse().unwrap()))
            .collect();
        let ids = ["a".to_owned()];
        let samples = Samples {
            planes: &planes,
            labels: &[1, 1, 0, 1, 0, 0],
            heights: &[0, 1, 2, 3, 4, 5],
            games: &[0; 6],
            game_ids: &ids,
            digest: [0; 32],
        };
        let rows = [0, 1, 2, 3, 4];
        let of = |search_share| {
            labels(&samples, &rows, &Settings { search_share, search_nodes: 50, ..Settings::default() })
        };
        assert_eq!(of(0.0), [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        // Of the rows, two of three that the search finds won were won, and one of two others.
        let near = |found: Vec<f32>, wanted: [f32; 6]| {
            let far = found.iter().zip(wanted).any(|(found, wanted)| (found - wanted).abs() > 0.01);
            assert!(!far, "{found:?} {wanted:?}");
        };
        near(of(1.0), [0.667, 0.667, 0.667, 0.5, 0.5, 0.0]);
        near(of(0.5), [0.833, 0.833, 0.333, 0.75, 0.25, 0.0]);
    }
}
