//! Experiments and evaluations as documents.

use annals_report::{Cell, Document, Table, counted};

use crate::baseline::BASELINES;
use crate::evaluation::{Evaluation, ModelReport};
use crate::experiment::Outcome;
use crate::grid;
use crate::score::Figures;

/// Printed heights; JSON has all of them.
const HEIGHTS: [u16; 12] = [0, 1, 2, 3, 5, 10, 20, 40, 60, 80, 120, 159];

impl Outcome {
    /// Figures of network, baselines and folds, by height and prediction, and the course of training.
    #[must_use]
    pub fn document(&self) -> Document {
        let about = format!(
            "{} ({} parameters), split by {}: {} of {} folds evaluated, {} of {} positions of {} games",
            self.network,
            self.parameters,
            self.split,
            self.folds.len(),
            self.of_folds,
            self.all.network.all.positions,
            self.positions,
            self.games
        );
        let folds = self.folds.iter();
        let figures = folds.map(|fold| (format!("fold {}", fold.fold), fold.validation.network.all));
        let training = self.folds.iter().filter_map(|fold| {
            let (first, last) = (fold.errors.first()?, fold.errors.last()?);
            let epochs = fold.errors.len();
            Some(format!(
                "fold {}: training error {first:.4} in epoch 1, {last:.4} in epoch {epochs}; epoch {} kept",
                fold.fold, fold.best_epoch
            ))
        });
        let tables = tables(Document::default().prose(about), &self.all, &self.network, figures);
        tables.lines("", training.collect())
    }
}

impl ModelReport {
    /// The figures of network and baselines, by height and by prediction.
    #[must_use]
    pub fn document(&self) -> Document {
        let about = format!(
            "{} ({} parameters), trained on {} {}, evaluated on {}{} of {}",
            self.network,
            self.parameters,
            counted(self.training_positions, "position"),
            self.split,
            self.validation.map_or_else(String::new, |fold| format!("{fold}: ")),
            counted(self.positions as u64, "position"),
            counted(self.games as u64, "game")
        );
        let document = tables(Document::default().prose(about), &self.all, &self.network, std::iter::empty());
        let differences = Table::of("MSE of the network minus that of a baseline", &self.differences)
            .column("", |difference| Cell::text(&difference.baseline))
            .column("difference", |difference| digits(difference.mse, 4))
            .column("95% low", |difference| digits(difference.low, 4))
            .column("95% high", |difference| digits(difference.high, 4))
            .column("games", |difference| Cell::count(difference.games as u64));
        document.table(differences.table())
    }
}

/// The combinations of a grid search, the best first.
#[must_use]
pub fn grid_document(cells: &[grid::Cell]) -> Document {
    let figure = |cell: &grid::Cell, of: fn(&Figures) -> Option<f64>| {
        let number = |figures| of(figures).map_or(Cell::Figure("-".to_owned()), |number| digits(number, 4));
        cell.figures.as_ref().map_or(Cell::Empty, number)
    };
    let failed = |cell: &grid::Cell| match &cell.figures {
        Some(_) => None,
        None => Some(format!("failed: {}", cell.failed.as_deref().unwrap_or("for an unknown reason"))),
    };
    let table = Table::of("", cells)
        .column("MSE", |cell| figure(cell, |figures| Some(figures.mse)))
        .column("MAE", |cell| figure(cell, |figures| Some(figures.mae)))
        .column("R2", |cell| figure(cell, |figures| figures.r2))
        .column("accuracy", |cell| figure(cell, |figures| Some(figures.accuracy)))
        .column("dropout", |cell| Cell::text(cell.dropout))
        .column("regularizer", |cell| Cell::text(cell.regularizer))
        .column("optimizer", |cell| Cell::text(cell.optimizer))
        .column("kernel", |cell| Cell::Text(format!("{}x{}", cell.kernel[0], cell.kernel[1])));
    // Most searches do not vary these.
    let varies = |differs: fn(&grid::Cell, &grid::Cell) -> bool| {
        cells.windows(2).any(|pair| pair.first().zip(pair.last()).is_some_and(|(a, b)| differs(a, b)))
    };
    let table = match varies(|a, b| a.learning_rate != b.learning_rate) {
        true => table.column("rate", |cell| Cell::text(cell.learning_rate)),
        false => table,
    };
    let table = match varies(|a, b| a.layers != b.layers) {
        true => table.column("layers", |cell| Cell::text(cell.layers)),
        false => table,
    };
    Document::default().table(table.column("remarks", |cell| Cell::some(failed(cell))).table())
}

fn tables(
    document: Document,
    of: &Evaluation,
    network: &str,
    more: impl Iterator<Item = (String, Figures)>,
) -> Document {
    let score = &of.network;
    let baselines = of.baselines.iter().map(|baseline| (baseline.name.clone(), baseline.score.all));
    let all = std::iter::once((network.to_owned(), score.all)).chain(baselines).chain(more);
    let figures = Table::of("", all)
        .column("", |(name, _)| Cell::text(name))
        .column("MSE", |(_, figures)| digits(figures.mse, 4))
        .column("MAE", |(_, figures)| digits(figures.mae, 4))
        .column("R2", |(_, figures)| figures.r2.map_or(Cell::Figure("-".to_owned()), |r2| digits(r2, 4)))
        .column("accuracy", |(_, figures)| digits(figures.accuracy, 4))
        .column("log loss", |(_, figures)| digits(figures.log_loss, 4));
    let heights = Table::of(
        "± is the standard error",
        score.by_height.iter().filter(|at| HEIGHTS.contains(&at.height)),
    )
    .column("plies from the end", |at| Cell::count(at.height))
    .column("MSE", |at| Cell::Text(format!("{:.3} ± {:.3}", at.mse, at.mse_error)))
    .column("wrong", |at| Cell::Text(format!("{:.3} ± {:.3}", at.wrong, at.wrong_error)))
    .column("positions", |at| Cell::count(at.positions));
    let title = format!("calibration error (ECE) {:.4}", score.calibration_error);
    let bins = Table::of(title, score.calibration.iter().filter(|bin| bin.positions > 0))
        .column("chance", |bin| Cell::Text(format!("{:.1} to {:.1}", bin.from, bin.to)))
        .column("predicted", |bin| digits(bin.predicted, 3))
        .column("observed", |bin| digits(bin.observed, 3))
        .column("positions", |bin| Cell::count(bin.positions));
    let document = document.table(figures.table());
    let document = match worse_than_constant(of) {
        Some(words) => document.prose(words),
        None => document,
    };
    document.table(heights.table()).table(bins.table())
}

/// What the figures of a network mean that predicts no better than a constant; none for another.
fn worse_than_constant(of: &Evaluation) -> Option<String> {
    let constant = of.baselines.iter().find(|baseline| baseline.name == BASELINES[0].0)?;
    let (own, other) = (of.network.all.mse, constant.score.all.mse);
    (own >= other).then(|| {
        format!(
            "The network predicts no better than the constant, which gives every position the same chance: MSE {own:.4}, and \
             {other:.4} for the constant. On these positions it has learned nothing of use. More games, more epochs or a \
             smaller learning rate may help."
        )
    })
}

fn digits(number: impl Into<f64>, digits: usize) -> Cell {
    Cell::Figure(format!("{:.digits$}", number.into()))
}
