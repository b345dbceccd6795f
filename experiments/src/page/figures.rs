//! Figures as text.

use annals_learning::Figures;

use crate::charts::{Measure, NINETY_FIVE};
use crate::measures::{Reproduced, Zigzag};
use crate::results::Experiment;

/// The data leakage of the split by position.
pub fn leak(game: &Experiment, position: &Experiment) -> String {
    let (by_game, by_position) = (&game.score.all, &position.score.all);
    format!(
        "The data leakage is {} of MSE and {} points of accuracy.",
        signed(by_position.mse - by_game.mse, 3),
        signed(100.0 * (by_position.accuracy - by_game.accuracy), 1)
    )
}

/// The significance of the zigzag: over all positions, as the paper drew it, and with the split by game.
pub fn zigzags(game: &Experiment, position: &Experiment) -> String {
    format!(
        "Over all positions, as the paper drew them: {} With the split by game: {}",
        seen(&position.whole_zigzag),
        seen(&game.zigzag)
    )
}

/// The significance of a zigzag over all heights.
fn seen(zigzags: &[Zigzag]) -> String {
    let of = |error| zigzags.iter().find(|z| z.of == error && (z.from, z.to) == (0, 159));
    let Some(mse) = of(Measure::Mse) else { return "there are too few heights to see a zigzag.".to_owned() };
    let verdict = match mse.verdict() {
        Reproduced::There => "the zigzag of the error with the parity of the height is there",
        Reproduced::Perhaps => "a zigzag of the error with the parity of the height is perhaps there",
        Reproduced::NotSeen => "no zigzag of the error with the parity of the height differs from chance",
    };
    format!(
        "{verdict}, at even heights the MSE differs by {} ± {:.4} from that at odd ones.",
        signed(mse.even_minus_odd, 4),
        NINETY_FIVE * mse.error
    )
}

pub fn pair(figures: &Figures) -> String {
    format!("MSE {:.3}, accuracy {}", figures.mse, percent(figures.accuracy))
}

/// A difference, with its sign.
pub fn signed(value: f64, decimals: usize) -> String {
    format!("{value:+.decimals$}").replace('-', "\u{2212}")
}

/// A share of the variance; that of a constant is 0, also with a rounding error in the last bit.
pub fn r2(share: Option<f64>, decimals: usize) -> String {
    let Some(share) = share else { return "–".to_owned() };
    let words = format!("{share:.decimals$}").replace('-', "\u{2212}");
    if words.chars().any(|sign| sign.is_ascii_digit() && sign != '0') {
        words
    } else {
        words.replace('\u{2212}', "")
    }
}

pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
