//! What an experiment came to, in words and as JSON.

use std::fmt::Write as _;

use annals_learning::experiment::Outcome;
use annals_learning::{Figures, Score};
use serde::Serialize;

/// The whole, with what the data was.
#[derive(Debug, Serialize)]
pub struct Full<'a> {
    /// The data in words.
    pub description: &'a str,
    /// All figures.
    #[serde(flatten)]
    pub outcome: &'a Outcome,
}

/// Heights that are printed; JSON has all of them.
const HEIGHTS: [u16; 12] = [0, 1, 2, 3, 5, 10, 20, 40, 60, 80, 120, 159];

/// As tables for a terminal.
pub fn in_words(outcome: &Outcome) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_in_words(&mut text, outcome);
    text
}

fn write_in_words(text: &mut String, outcome: &Outcome) -> std::fmt::Result {
    let judged = &outcome.all.network.all;
    writeln!(
        text,
        "{} ({} parameters), split by {}: {} of {} folds judged, {} of {} positions of {} games",
        outcome.network,
        outcome.parameters,
        outcome.split,
        outcome.folds.len(),
        outcome.of_folds,
        judged.positions,
        outcome.positions,
        outcome.games
    )?;
    let widest = outcome.network.len().max("constant".len());
    writeln!(text, "\n{:<widest$}     MSE     MAE      R2  accuracy  log loss", "")?;
    line(text, widest, &outcome.network, judged)?;
    for beside in &outcome.all.baselines {
        line(text, widest, beside.name, &beside.score.all)?;
    }
    for fold in &outcome.folds {
        let name = format!("fold {}", fold.fold);
        line(text, widest, &name, &fold.judged.network.all)?;
    }
    writeln!(text, "\nplies from the end     MSE        wrong    positions")?;
    for at in outcome.all.network.by_height.iter().filter(|at| HEIGHTS.contains(&at.height)) {
        let (mse, wrong) = (at.mse, at.wrong);
        let (mse_error, wrong_error) = (at.mse_error, at.wrong_error);
        writeln!(
            text,
            "{:>18}  {mse:.3} ± {mse_error:.3}  {wrong:.3} ± {wrong_error:.3}  {}",
            at.height, at.positions
        )?;
    }
    writeln!(text, "\nwhat it said, and what share of it came true")?;
    calibration(text, &outcome.all.network)?;
    for fold in &outcome.folds {
        let (first, last) = (fold.errors.first(), fold.errors.last());
        if let (Some(first), Some(last)) = (first, last) {
            writeln!(
                text,
                "\nfold {}: error while learning {first:.4} in epoch 1, {last:.4} in epoch {}; epoch {} kept",
                fold.fold,
                fold.errors.len(),
                fold.best_epoch
            )?;
        }
    }
    Ok(())
}

fn line(text: &mut String, widest: usize, name: &str, figures: &Figures) -> std::fmt::Result {
    let r2 = figures.r2.map_or("-".to_owned(), |r2| format!("{r2:.4}"));
    writeln!(
        text,
        "{name:<widest$}  {:.4}  {:.4}  {r2:>6}    {:.4}    {:.4}",
        figures.mse, figures.mae, figures.accuracy, figures.log_loss
    )
}

fn calibration(text: &mut String, score: &Score) -> std::fmt::Result {
    for bin in score.calibration.iter().filter(|bin| bin.positions > 0) {
        writeln!(
            text,
            "  {:.1} to {:.1}  said {:.3}  came true {:.3}  positions {}",
            bin.from, bin.to, bin.predicted, bin.happened, bin.positions
        )?;
    }
    Ok(())
}
