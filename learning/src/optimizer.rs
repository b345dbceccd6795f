//! Initial weights, and optimizer steps: plain arithmetic per parameter, independent of how gradients were computed.

use annals_rules::seeded::Rng;
use rayon::prelude::*;

use crate::layout::Part;
use crate::network::Network;
use crate::samples::PLANES;
use crate::settings::{Optimizer, Regularizer, Settings};

/// A purpose of random numbers.
const FIRST_WEIGHTS: u64 = 1;

/// Limits the division by the root of a tiny number.
const EPSILON: f32 = 1e-6;

/// Of the mean square that `adam` keeps, and its limit of a division, as its authors have them.
const ADAM_SQUARES: f32 = 0.999;
const ADAM_EPSILON: f32 = 1e-8;

/// Glorot and Bengio: uniform within bounds by the numbers of a layer's inputs and outputs; gains 1, biases, shifts and
/// the skip 0. Filters count one place, as the library of the paper's program did.
#[must_use]
pub fn first_weights(network: &Network, seed: u64) -> Vec<f32> {
    let layout = network.layout();
    let covered = network.kernel[0] * network.kernel[1];
    let fans = [
        (Part::Filters, network.window() + network.filters * covered),
        (Part::Hidden, network.flat() + network.hidden),
        (Part::Output, network.hidden + 1),
    ];
    let mut parameters = vec![0.0; network.parameters()];
    for part in [Part::FilterGains, Part::HiddenGains] {
        parameters[layout.part(part)].fill(1.0);
    }
    for (part, fans) in fans {
        let bound = (6.0 / fans as f64).sqrt();
        let mut rng = Rng::of(&[seed, FIRST_WEIGHTS, part as u64]);
        for weight in &mut parameters[layout.part(part)] {
            let share = (rng.any() >> 11) as f64 / (1u64 << 53) as f64;
            *weight = (bound * (2.0 * share - 1.0)) as f32;
        }
    }
    parameters
}

/// Makes the network a weighted sum of the pieces: `weights` has a constant, then one for each kind of piece.
pub(crate) fn begin_with(network: &Network, weights: &[f64], parameters: &mut [f32]) {
    let layout = network.layout();
    parameters[layout.part(Part::Output)].fill(0.0);
    parameters[layout.part(Part::OutputBias)].fill(weights[0] as f32);
    for (index, weight) in parameters[layout.part(Part::Skip)].iter_mut().enumerate() {
        let piece = weights[1 + index % PLANES / 64] as f32;
        // The other side's pieces have their own cells, with numbers above 0, if they have any.
        *weight = if index < PLANES { piece } else { -piece };
    }
}

/// Parameters per core; independent of the result.
const MOVED: usize = 1 << 14;

/// Adds the regularizer's gradient.
fn regularize(settings: &Settings, parameters: &[f32], gradient: &mut [f32]) {
    let layout = settings.network.layout();
    for part in Part::WEIGHTS {
        let part = layout.part(part);
        let weights = parameters[part.clone()].par_chunks(MOVED);
        weights.zip(gradient[part].par_chunks_mut(MOVED)).for_each(|(weights, derivatives)| {
            let each = derivatives.iter_mut().zip(weights);
            match settings.regularizer {
                Regularizer::None => {}
                Regularizer::L1 => each.for_each(|(derivative, weight)| {
                    // `signum` has no zero.
                    let sign = f32::from(i8::from(*weight > 0.0) - i8::from(*weight < 0.0));
                    *derivative += settings.decay * sign;
                }),
                Regularizer::L2 => {
                    each.for_each(|(derivative, weight)| *derivative += 2.0 * settings.decay * weight);
                }
            }
        });
    }
}

/// When a step is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// Epochs before.
    pub(crate) epoch: u32,
    /// Steps before, in all epochs.
    pub(crate) steps: u64,
}

/// One step. `memory` is the optimizer's state, zero at first: one or two numbers per parameter.
pub(crate) fn step(
    settings: &Settings,
    moment: Moment,
    parameters: &mut [f32],
    memory: &mut [f32],
    gradient: &mut [f32],
) {
    regularize(settings, parameters, gradient);
    let rate = (0..moment.epoch).fold(settings.learning_rate, |rate, _| rate * settings.rate_decay);
    let keep = settings.momentum;
    if settings.optimizer == Optimizer::Adam {
        return adam(rate, keep, moment.steps, parameters, memory, gradient);
    }
    let all =
        parameters.par_chunks_mut(MOVED).zip(memory.par_chunks_mut(MOVED)).zip(gradient.par_chunks(MOVED));
    all.for_each(|((parameters, memory), gradient)| {
        let each = parameters.iter_mut().zip(memory).zip(gradient);
        match settings.optimizer {
            Optimizer::Sgd => each.for_each(|((weight, _), derivative)| *weight -= rate * *derivative),
            Optimizer::Momentum => each.for_each(|((weight, speed), derivative)| {
                *speed = keep * *speed - rate * *derivative;
                *weight += *speed;
            }),
            Optimizer::Nesterov => each.for_each(|((weight, speed), derivative)| {
                *speed = keep * *speed - rate * *derivative;
                *weight += keep * *speed - rate * *derivative;
            }),
            Optimizer::Rmsprop => each.for_each(|((weight, square), derivative)| {
                *square = keep * *square + (1.0 - keep) * *derivative * *derivative;
                *weight -= rate * *derivative / (*square + EPSILON).sqrt();
            }),
            Optimizer::Adam => {}
        }
    });
}

/// The means are divided by what is missing from them after few steps.
fn adam(rate: f32, keep: f32, steps: u64, parameters: &mut [f32], memory: &mut [f32], gradient: &[f32]) {
    let full = |keep: f32| (1.0 - f64::from(keep).powf(steps as f64 + 1.0)) as f32;
    let (full_mean, full_square) = (full(keep), full(ADAM_SQUARES));
    let (means, squares) = memory.split_at_mut(parameters.len());
    let moments = means.par_chunks_mut(MOVED).zip(squares.par_chunks_mut(MOVED));
    let all = parameters.par_chunks_mut(MOVED).zip(moments).zip(gradient.par_chunks(MOVED));
    all.for_each(|((parameters, (means, squares)), gradient)| {
        let each = parameters.iter_mut().zip(means).zip(squares).zip(gradient);
        each.for_each(|(((weight, mean), square), derivative)| {
            *mean = keep * *mean + (1.0 - keep) * *derivative;
            *square = ADAM_SQUARES * *square + (1.0 - ADAM_SQUARES) * *derivative * *derivative;
            *weight -= rate * (*mean / full_mean) / ((*square / full_square).sqrt() + ADAM_EPSILON);
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(optimizer: Optimizer, regularizer: Regularizer) -> Settings {
        let network = "conv filters=1 kernel=8 hidden=1".parse().unwrap();
        let decay = 0.5;
        Settings { network, optimizer, regularizer, decay, learning_rate: 0.1, ..Settings::default() }
    }

    #[test]
    fn first_weights_fill_their_bounds_evenly_and_biases_are_zero() {
        let network = Network::CONV6;
        let weights = first_weights(&network, 7);
        let layout = network.layout();
        for part in [Part::FilterBiases, Part::HiddenBiases, Part::OutputBias] {
            assert!(weights[layout.part(part)].iter().all(|bias| *bias == 0.0));
        }
        // 150 numbers in, 384 out.
        let bound = (6.0f32 / 534.0).sqrt();
        let hidden = &weights[layout.part(Part::Hidden)];
        let mean = hidden.iter().sum::<f32>() / hidden.len() as f32;
        let largest = hidden.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
        assert!(mean.abs() < bound / 100.0, "{mean}");
        assert!(largest <= bound && largest > bound * 0.999, "{largest} {bound}");
        assert_eq!(weights, first_weights(&network, 7));
        assert_ne!(weights, first_weights(&network, 8));
    }

    /// The first parameter (a weight) after two steps from 1 with the derivative 2, without and with a regularizer.
    fn two_steps(optimizer: Optimizer, regularizer: Regularizer) -> f32 {
        let settings = settings(optimizer, regularizer);
        let mut parameters = vec![1.0; settings.network.parameters()];
        let mut memory = vec![0.0; parameters.len() * optimizer.memory()];
        for steps in 0..2 {
            let mut gradient = vec![2.0; parameters.len()];
            step(&settings, Moment { epoch: 0, steps }, &mut parameters, &mut memory, &mut gradient);
        }
        let layout = settings.network.layout();
        let bias = parameters[layout.part(Part::FilterBiases)][0];
        if regularizer == Regularizer::None {
            assert_eq!(bias, parameters[0]);
        } else {
            assert_ne!(bias, parameters[0], "biases are not regularized");
        }
        parameters[0]
    }

    #[test]
    fn a_regularizer_adds_the_differences_of_its_penalty() {
        for (regularizer, penalty) in [
            (Regularizer::L1, (|w: f64| w.abs()) as fn(f64) -> f64),
            (Regularizer::L2, |w: f64| w * w),
            (Regularizer::None, |_| 0.0),
        ] {
            let settings = settings(Optimizer::Sgd, regularizer);
            let layout = settings.network.layout();
            let mut parameters = first_weights(&settings.network, 2);
            parameters.iter_mut().for_each(|parameter| *parameter += 0.5);
            let mut gradient = vec![0.0; parameters.len()];
            regularize(&settings, &parameters, &mut gradient);
            for part in Part::ALL {
                for index in layout.part(part) {
                    let (at, is_weight) = (f64::from(parameters[index]), Part::WEIGHTS.contains(&part));
                    let difference = 0.5 * (penalty(at + 1e-4) - penalty(at - 1e-4)) / 2e-4;
                    let wanted = if is_weight { difference } else { 0.0 };
                    assert!((f64::from(gradient[index]) - wanted).abs() < 1e-5, "{regularizer} {index}");
                }
            }
        }
    }

    #[test]
    fn every_rule_makes_the_steps_that_its_formula_says() {
        let near = |found: f32, wanted: f32| assert!((found - wanted).abs() < 1e-5, "{found} {wanted}");
        near(two_steps(Optimizer::Sgd, Regularizer::None), 1.0 - 0.2 - 0.2);
        // v: -0.2, then -0.38.
        near(two_steps(Optimizer::Momentum, Regularizer::None), 1.0 - 0.2 - 0.38);
        // w: 1 - 0.18 - 0.2 = 0.62, then 0.62 - 0.342 - 0.2.
        near(two_steps(Optimizer::Nesterov, Regularizer::None), 0.078);
        // Mean squares 0.4 and 0.76.
        near(
            two_steps(Optimizer::Rmsprop, Regularizer::None),
            1.0 - 0.2 / 0.4f32.sqrt() - 0.2 / 0.76f32.sqrt(),
        );
        // A constant derivative has its own mean and root mean square: each step is the learning rate.
        near(two_steps(Optimizer::Adam, Regularizer::None), 1.0 - 0.1 - 0.1);
        near(two_steps(Optimizer::Sgd, Regularizer::L1), 1.0 - 0.25 - 0.25);
        // The derivative of 0.5 w^2 times 2: 3 at 1, then 2.7 at 0.7.
        near(two_steps(Optimizer::Sgd, Regularizer::L2), 0.7 - 0.27);
    }
}
