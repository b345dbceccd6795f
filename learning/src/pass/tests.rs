//! The derivatives against PyTorch's in double precision, and against differences of the error.

use std::collections::HashMap;

use annals_rules::seeded::Rng;

use super::*;
use crate::layout::Part;
use crate::network::Activation;
use crate::optimizer::first_weights;

/// One case of `tests/vectors/gradients.json`; `tests/vectors/make.py` says what it holds.
#[derive(serde::Deserialize)]
struct Case {
    network: String,
    plus: Vec<Vec<u16>>,
    minus: Vec<Vec<u16>>,
    labels: Vec<f32>,
    flat_mask: Option<Vec<f32>>,
    hidden_mask: Option<Vec<f32>>,
    parameters: HashMap<String, Vec<f32>>,
    predictions: Vec<f64>,
    squares: f64,
    gradient: HashMap<String, Vec<f64>>,
}

impl Case {
    fn shard(&self) -> Shard {
        let mut cells = Vec::new();
        let ends = self.plus.iter().zip(&self.minus).map(|(plus, minus)| {
            cells.extend(plus.iter().map(|cell| (*cell, 1.0)).chain(minus.iter().map(|cell| (*cell, -1.0))));
            cells.len()
        });
        let ends = ends.collect();
        let (flat_mask, hidden_mask) = (self.flat_mask.clone(), self.hidden_mask.clone());
        Shard { cells, ends, labels: self.labels.clone(), flat_mask, hidden_mask }
    }
}

#[test]
fn predictions_and_derivatives_are_those_of_pytorch_in_double_precision() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../../tests/vectors/gradients.json")).unwrap();
    assert_eq!(cases.len(), 16);
    for case in cases {
        let network: Network = case.network.parse().unwrap();
        let numbers = |part: Part| case.parameters.get(part.name()).cloned().unwrap_or_default();
        let parameters = Part::ALL.map(numbers).concat();
        assert_eq!(parameters.len(), network.parameters(), "{network}");
        let (layers, shard) = (Layers::new(network, Loss::Squares), case.shard());
        let near = |what: &str, found: f64, wanted: f64, scale: f64| {
            assert!((found - wanted).abs() <= 2e-6 * scale.max(1.0), "{network} {what}: {found} {wanted}");
        };
        for (found, wanted) in layers.forward(&parameters, &shard).iter().zip(&case.predictions) {
            near("prediction", f64::from(*found), *wanted, 1.0);
        }
        let pass = layers.backward(&parameters, &shard);
        near("squares", pass.squares, case.squares, case.squares);
        for part in Part::ALL {
            let found = &pass.gradient[network.layout().part(part)];
            let wanted = case.gradient.get(part.name()).map_or(&[][..], Vec::as_slice);
            assert_eq!(found.len(), wanted.len(), "{network} {}", part.name());
            let scale = wanted.iter().fold(0.0f64, |most, slope| most.max(slope.abs()));
            for (found, wanted) in found.iter().zip(wanted) {
                near(part.name(), f64::from(*found), *wanted, scale);
            }
        }
    }
}

/// Random positions of an image, and what drops out.
fn shard(network: &Network, dropout: bool) -> Shard {
    const POSITIONS: usize = 40;
    let mut rng = Rng::of(&[3]);
    let mut mask = |length: usize| {
        let factor = |rng: &mut Rng| if rng.chance(200) { 0.0 } else { 1.25 };
        dropout.then(|| (0..POSITIONS * length).map(|_| factor(&mut rng)).collect::<Vec<f32>>())
    };
    let (flat_mask, hidden_mask) = (mask(network.flat()), mask(network.hidden));
    let mut cells = Vec::new();
    let ends = (0..POSITIONS).map(|_| {
        for _ in 0..20 {
            let index = rng.below(network.image.cells() as u32) as u16;
            cells.push((index, if rng.chance(500) { 1.0 } else { -1.0 }));
        }
        cells.len()
    });
    let ends = ends.collect();
    let labels = (0..POSITIONS).map(|_| if rng.chance(500) { 1.0 } else { 0.0 }).collect();
    Shard { cells, ends, labels, flat_mask, hidden_mask }
}

/// Along the derivative of each part the error rises as the derivative says, and along single parameters too.
fn check_differences(network: Network, dropout: bool, loss: Loss) {
    let (layers, shard) = (Layers::new(network, loss), shard(&network, dropout));
    let mut parameters = first_weights(&network, 3);
    let layout = network.layout();
    // The output well above 0, so that a rectifier lets it through; and no sum at 0 where nothing is under a filter, since a
    // rectifier has no derivative there.
    parameters[layout.part(Part::OutputBias)].fill(1.0);
    for (place, part) in [Part::FilterBiases, Part::HiddenBiases].into_iter().enumerate() {
        let biases = parameters[layout.part(part)].iter_mut().enumerate();
        biases.for_each(|(index, bias)| *bias = 0.07 + 0.01 * (index + place) as f32);
    }
    let error = |parameters: &[f32]| {
        let predictions = layers.forward(parameters, &shard);
        let errors =
            predictions.iter().zip(&shard.labels).map(|(p, label)| (f64::from(*p) - f64::from(*label)).abs());
        match loss {
            Loss::Squares => errors.map(|error| error * error).sum::<f64>(),
            Loss::Log => errors.map(|error| -(1.0 - error).ln()).sum::<f64>(),
        }
    };
    let gradient = layers.backward(&parameters, &shard).gradient;
    let difference = |moves: &dyn Fn(usize) -> f64, range: std::ops::Range<usize>, step: f64| {
        let at = |step: f64| {
            let mut moved = parameters.clone();
            range.clone().for_each(|index| moved[index] += (step * moves(index)) as f32);
            error(&moved)
        };
        (at(step) - at(-step)) / (2.0 * step)
    };
    // A step may take a rectifier or a maximum over its corner, where the difference is between two derivatives.
    let has_corners = network.activation == Activation::Rectifier || network.pool.is_some();
    let (share, step, near) = if has_corners { (0.05, 2e-4, 0.03) } else { (0.002, 1e-3, 0.01) };
    for part in Part::ALL {
        let range = layout.part(part);
        if range.is_empty() {
            continue;
        }
        let length = range.clone().map(|index| f64::from(gradient[index]).powi(2)).sum::<f64>().sqrt();
        assert!(length > 1e-4, "{network}: nothing depends on {}", part.name());
        let found = difference(&|index| f64::from(gradient[index]) / length, range.clone(), step);
        // The second summand is the grain of single precision in the error.
        assert!(
            (found - length).abs() < near * length + 1e-6 / step,
            "{network} {}: {found} {length}",
            part.name()
        );
        for index in range.step_by(17).take(5) {
            let found = difference(&|_| 1.0, index..index + 1, 2e-3);
            let wanted = f64::from(gradient[index]);
            assert!(
                (found - wanted).abs() < 8e-3 + share * length,
                "{network} {}: {found} {wanted}",
                part.name()
            );
        }
    }
}

#[test]
fn derivatives_are_differences_of_the_error_for_every_kernel_of_the_paper() {
    for kernel in ["2x2", "3x3", "4x4", "5x5", "6x6", "1x4", "1x8", "3x1", "6x1"] {
        let network: Network = format!("conv filters=2 kernel={kernel} hidden=6").parse().unwrap();
        check_differences(network, false, Loss::Squares);
    }
    for image in ["files", "sides"] {
        let network = format!("conv filters=3 kernel=4 hidden=5 image={image}");
        check_differences(network.parse().unwrap(), false, Loss::Squares);
    }
}

#[test]
fn derivatives_are_differences_of_the_error_for_every_layer_and_option() {
    for activation in ["tanh", "rectifier", "sigmoid", "linear"] {
        for output in ["tanh", "rectifier", "sigmoid", "linear"] {
            for rest in ["", " norm=layer", " pool=average:2x2", " pool=max:2x3 norm=layer", " skip=linear"] {
                let text = "conv filters=2 kernel=3 hidden=6";
                let network = format!("{text} activation={activation} output={output}{rest}");
                let dropout = rest.is_empty() == (output == "linear");
                check_differences(network.parse().unwrap(), dropout, Loss::Squares);
            }
        }
    }
}

#[test]
fn derivatives_of_the_log_loss_are_its_differences() {
    for rest in ["", " image=sides skip=linear", " norm=layer skip=linear"] {
        let network = format!("conv filters=2 kernel=3 hidden=6 output=sigmoid{rest}");
        check_differences(network.parse().unwrap(), rest.is_empty(), Loss::Log);
    }
}
