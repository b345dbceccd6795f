//! The library's derivatives against differences of the error, for every part of every kind of network.

use annals_learning::experiment::{gradient, predict};
use annals_learning::{Layout, Network, Place, Settings, first_weights};

use crate::data::Made;

/// The mean squared error by the network's own answers, in double precision.
fn error(made: &Made, settings: Settings, parameters: &[f32]) -> f64 {
    let samples = made.samples();
    let said = predict(samples, settings, Place::Processor, parameters, &samples.rows()).unwrap();
    let squares =
        said.iter().zip(samples.labels).map(|(said, label)| (f64::from(*said) - f64::from(*label)).powi(2));
    squares.sum::<f64>() / said.len() as f64
}

#[test]
fn derivatives_are_differences_of_the_error() {
    let made = Made::games(15, 4, 1);
    for text in [
        "conv filters=2 kernel=3 hidden=6",
        "conv filters=3 kernel=4 hidden=5 image=files output=sigmoid",
        "conv filters=2 kernel=2x5 hidden=4 activation=sigmoid output=linear",
        "conv filters=2 kernel=4 hidden=6 activation=rectifier output=tanh",
    ] {
        let network: Network = text.parse().unwrap();
        let settings = Settings { network, ..Settings::default() };
        let mut parameters = first_weights(&network, 3);
        // The output well above 0, so that the rectifier lets everything through.
        *parameters.last_mut().unwrap() = 1.0;
        // And no sum at 0 where nothing stands under a filter: a rectifier has no derivative there.
        for part in [1, 3] {
            parameters[network.layout().part(part)].iter_mut().for_each(|bias| *bias = 0.07);
        }
        let samples = made.samples();
        let found = gradient(samples, settings, Place::Processor, &parameters, &samples.rows()).unwrap();
        for part in 0..Layout::NAMES.len() {
            let range = network.layout().part(part);
            // Along the part's own derivative, so that the difference is well above the grain of single precision.
            let length = found[range.clone()].iter().map(|d| f64::from(*d).powi(2)).sum::<f64>().sqrt();
            assert!(length > 1e-5, "{text}: nothing depends on the {}", Layout::NAMES[part]);
            let along = |distance: f64| {
                let mut moved = parameters.clone();
                for index in range.clone() {
                    moved[index] += (distance * f64::from(found[index]) / length) as f32;
                }
                error(&made, settings, &moved)
            };
            let step = 1e-3;
            let difference = (along(step) - along(-step)) / (2.0 * step);
            let wrong = (difference - length).abs() / length;
            assert!(wrong < 0.01, "{text}, {}: {difference} {length}", Layout::NAMES[part]);
        }
        // And one by one, for some of each part.
        for part in 0..Layout::NAMES.len() {
            for index in network.layout().part(part).step_by(17).take(5) {
                let at = |distance: f32| {
                    let mut moved = parameters.clone();
                    moved[index] += distance;
                    error(&made, settings, &moved)
                };
                let difference = (at(2e-3) - at(-2e-3)) / 4e-3;
                let wrong = (difference - f64::from(found[index])).abs();
                assert!(
                    wrong < 2e-4 + 0.02 * difference.abs(),
                    "{text} {index}: {difference} {}",
                    found[index]
                );
            }
        }
    }
}
