//! Several systems compared with one baseline: the standard error of a difference is for one comparison, and among many
//! some difference is large by chance.

use crate::compare::Judged;

/// The chance of an error in any of the comparisons.
const LEVEL: f64 = 0.05;

/// The number of comparisons, and which differences count with all of them; none for a single comparison.
pub(crate) fn note(baseline: &str, systems: &[Judged]) -> Option<String> {
    let compared: Vec<&Judged> = systems.iter().filter(|judged| judged.system != baseline).collect();
    if compared.len() < 2 {
        return None;
    }
    let bound = quantile(LEVEL / (2.0 * compared.len() as f64));
    let differs = |judged: &&&Judged| {
        let difference = judged.against_baseline;
        difference.error.is_some_and(|error| difference.mean.abs() > bound * error)
    };
    let differing: Vec<&str> = compared.iter().filter(differs).map(|judged| judged.system.as_str()).collect();
    let found = match differing.as_slice() {
        [] => "no system differs from the baseline".to_owned(),
        names => format!("these differ from the baseline: {}", names.join("; ")),
    };
    Some(format!(
        "{} systems are compared with the baseline, so a difference of 1.96 standard errors is no longer rare; at 5% for all of \
         them together (Bonferroni) it has to exceed {bound:.2}: {found}",
        compared.len()
    ))
}

/// The point of the standard normal distribution that is exceeded with a probability of at most one half. Abramowitz
/// and Stegun, *Handbook of Mathematical Functions*, 26.2.23; the error is below 0.0005.
fn quantile(exceeded: f64) -> f64 {
    let t = (-2.0 * exceeded.ln()).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_the_normal_distribution_are_those_of_tables() {
        for (exceeded, point) in [(0.025, 1.960), (0.0125, 2.241), (0.005, 2.576), (0.0005, 3.291)] {
            assert!((quantile(exceeded) - point).abs() < 0.001, "{exceeded}");
        }
    }
}
