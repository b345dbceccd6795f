//! Activations, vectorizable and bit-identical on every machine. The tangent is a polynomial; the C library's is slower
//! than all multiplication. Nothing is fused or reordered.

use crate::network::Activation;

/// Beyond, the tangent is 1 in single precision.
const FLAT: f32 = 10.0;

/// Adding it shifts a small number's fraction out of the mantissa.
const ROUND: f32 = 12_582_912.0;

/// `e^x` for `|x| <= 2 * FLAT`; NaN remains NaN.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // ln 2 in two parts, so that multiples are exact well below single precision.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let rest = x - whole * LN2_HIGH - whole * LN2_LOW;
    // The exponential series; the rest is below 1e-8 for |rest| <= ln 2 / 2.
    let mut series = 1.0 / 5040.0;
    for term in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = series * rest + term;
    }
    // The low bits of the shifted number are the integer part, moved to the exponent of a power of two.
    series * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

/// To within 3e-7.
#[inline(always)]
fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x.clamp(-FLAT, FLAT)) + 1.0)
}

/// To within 3e-7.
#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x.clamp(-2.0 * FLAT, 2.0 * FLAT)))
}

/// Applies the activation in place.
pub(crate) fn apply(activation: Activation, values: &mut [f32]) {
    match activation {
        Activation::Tanh => values.iter_mut().for_each(|x| *x = tanh(*x)),
        Activation::Sigmoid => values.iter_mut().for_each(|x| *x = sigmoid(*x)),
        // `max` would turn NaN into zero.
        Activation::Rectifier => values.iter_mut().for_each(|x| *x = if *x < 0.0 { 0.0 } else { *x }),
        Activation::Linear => {}
    }
}

/// Multiplies by the activation's derivative at the given values.
pub(crate) fn multiply_slopes(activation: Activation, values: &[f32], numbers: &mut [f32]) {
    let each = numbers.iter_mut().zip(values);
    match activation {
        Activation::Tanh => each.for_each(|(number, y)| *number *= 1.0 - y * y),
        Activation::Sigmoid => each.for_each(|(number, y)| *number *= y * (1.0 - y)),
        Activation::Rectifier => each.for_each(|(number, y)| *number = if *y > 0.0 { *number } else { 0.0 }),
        Activation::Linear => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curves_are_those_of_the_mathematics_to_within_single_precision() {
        for step in -40_000..=40_000 {
            let x = step as f32 / 1000.0;
            let exact = f64::from(x).tanh();
            assert!((f64::from(tanh(x)) - exact).abs() < 3e-7, "tanh {x}: {} {exact}", tanh(x));
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - exact).abs() < 3e-7, "sigmoid {x}: {} {exact}", sigmoid(x));
        }
    }

    #[test]
    fn what_is_not_a_number_stays_none_so_that_divergence_is_seen() {
        for activation in [Activation::Tanh, Activation::Sigmoid, Activation::Rectifier, Activation::Linear] {
            let mut values = [f32::NAN; 19];
            apply(activation, &mut values);
            assert!(values.iter().all(|value| value.is_nan()), "{activation:?}");
        }
    }

    #[test]
    fn slopes_are_differences_of_the_curve() {
        for activation in [Activation::Tanh, Activation::Sigmoid, Activation::Rectifier, Activation::Linear] {
            for x in [-2.3f32, -0.4, 0.3, 1.7] {
                let mut near = [x - 1e-2, x, x + 1e-2];
                apply(activation, &mut near);
                let mut slopes = [1.0; 3];
                multiply_slopes(activation, &near, &mut slopes);
                let slope = slopes[1];
                let difference = (near[2] - near[0]) / 2e-2;
                assert!((slope - difference).abs() < 1e-3, "{activation:?} {x}: {slope} {difference}");
            }
        }
    }

    #[test]
    fn a_value_does_not_depend_on_its_neighbours_or_its_place() {
        let mut many: Vec<f32> = (0..101).map(|i| (i as f32 - 50.0) / 9.0).collect();
        let singles: Vec<f32> = many
            .iter()
            .map(|x| {
                let mut one = [*x];
                apply(Activation::Tanh, &mut one);
                one[0]
            })
            .collect();
        apply(Activation::Tanh, &mut many);
        assert_eq!(many, singles);
    }
}
