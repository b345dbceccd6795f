//! The activations: fast, and the same bits on every machine. The tangent is a polynomial that the compiler makes into vectors, since
//! the C library's takes longer than all the multiplication. Nothing is fused or reordered.

use crate::network::Activation;

/// Beyond this the tangent is 1 in single precision.
const FLAT: f32 = 10.0;

/// Adding it pushes a small number's fraction out of the mantissa.
const ROUND: f32 = 12_582_912.0;

/// `e^x` for `|x| <= 2 * FLAT`; not a number stays none.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // The natural logarithm of 2 in two parts, so that a multiple of it is exact to well below single precision.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let rest = x - whole * LN2_HIGH - whole * LN2_LOW;
    // The exponential's own series; what is left out is below 1e-8 for |rest| <= ln 2 / 2.
    let mut series = 1.0 / 5040.0;
    for term in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = series * rest + term;
    }
    // The low bits of the shifted number are the whole part: moved up they are the exponent of a power of two.
    series * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

/// The hyperbolic tangent, to within 3e-7.
#[inline(always)]
fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x.clamp(-FLAT, FLAT)) + 1.0)
}

/// The logistic function, to within 3e-7.
#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x.clamp(-2.0 * FLAT, 2.0 * FLAT)))
}

/// Replaces sums by what the activation makes of them.
pub(crate) fn apply(activation: Activation, values: &mut [f32]) {
    match activation {
        Activation::Tanh => values.iter_mut().for_each(|x| *x = tanh(*x)),
        Activation::Sigmoid => values.iter_mut().for_each(|x| *x = sigmoid(*x)),
        // Not `max`, which would take a zero for what is not a number.
        Activation::Rectifier => values.iter_mut().for_each(|x| *x = if *x < 0.0 { 0.0 } else { *x }),
        Activation::Linear => {}
    }
}

/// Multiplies numbers by the activation's derivative where it has the given values.
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
