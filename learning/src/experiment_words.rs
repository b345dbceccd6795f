//! What an experiment came to, in words.

use annals_report::{Cell, Document, Table};

use crate::experiment::Outcome;

/// Heights that are printed; JSON has all of them.
const HEIGHTS: [u16; 12] = [0, 1, 2, 3, 5, 10, 20, 40, 60, 80, 120, 159];

impl Outcome {
    /// As tables to read.
    #[must_use]
    pub fn document(&self) -> Document {
        document(self)
    }
}

fn document(outcome: &Outcome) -> Document {
    let score = &outcome.all.network;
    let about = format!(
        "{} ({} parameters), split by {}: {} of {} folds judged, {} of {} positions of {} games",
        outcome.network,
        outcome.parameters,
        outcome.split,
        outcome.folds.len(),
        outcome.of_folds,
        score.all.positions,
        outcome.positions,
        outcome.games
    );
    let baselines = outcome.all.baselines.iter().map(|beside| (beside.name.to_owned(), &beside.score.all));
    let folds = outcome.folds.iter().map(|fold| (format!("fold {}", fold.fold), &fold.judged.network.all));
    let all = std::iter::once((outcome.network.to_string(), &score.all)).chain(baselines).chain(folds);
    let figures = Table::of("", all)
        .column("", |(name, _)| Cell::text(name))
        .column("MSE", |(_, figures)| digits(figures.mse, 4))
        .column("MAE", |(_, figures)| digits(figures.mae, 4))
        .column("R2", |(_, figures)| figures.r2.map_or(Cell::Figure("-".to_owned()), |r2| digits(r2, 4)))
        .column("accuracy", |(_, figures)| digits(figures.accuracy, 4))
        .column("log loss", |(_, figures)| digits(figures.log_loss, 4));
    let heights = Table::of("", score.by_height.iter().filter(|at| HEIGHTS.contains(&at.height)))
        .column("plies from the end", |at| Cell::count(at.height))
        .column("MSE", |at| Cell::Text(format!("{:.3} ± {:.3}", at.mse, at.mse_error)))
        .column("wrong", |at| Cell::Text(format!("{:.3} ± {:.3}", at.wrong, at.wrong_error)))
        .column("positions", |at| Cell::count(at.positions));
    let title = "what it said, and what share of it came true";
    let bins = Table::of(title, score.calibration.iter().filter(|bin| bin.positions > 0))
        .column("chance", |bin| Cell::Text(format!("{:.1} to {:.1}", bin.from, bin.to)))
        .column("said", |bin| digits(bin.predicted, 3))
        .column("came true", |bin| digits(bin.happened, 3))
        .column("positions", |bin| Cell::count(bin.positions));
    let folds = outcome.folds.iter().filter_map(|fold| {
        let (first, last) = (fold.errors.first()?, fold.errors.last()?);
        let epochs = fold.errors.len();
        Some(format!(
            "fold {}: error while learning {first:.4} in epoch 1, {last:.4} in epoch {epochs}; epoch {} kept",
            fold.fold, fold.best_epoch
        ))
    });
    Document::default()
        .prose(about)
        .table(figures.table())
        .table(heights.table())
        .table(bins.table())
        .lines("", folds.collect())
}

fn digits(number: impl Into<f64>, digits: usize) -> Cell {
    Cell::Figure(format!("{:.digits$}", number.into()))
}
