//! All charts of one experiment.

use std::path::{Path, PathBuf};

use annals_learning::Network;
use annals_learning::experiment::Outcome;

use super::{Calibrated, Curve, Drawing, Learnt, Measure, Words, calibration, filters, heights, training};
use crate::Error;
use annals_report::{Provenance, grouped};

/// Filters beyond these are not drawn.
const FILTERS: usize = 12;

/// Height plot, calibration, training curves and filters of an experiment, each with the name of its files.
fn of_outcome(outcome: &Outcome, network: &Network, source: &str) -> Vec<(&'static str, Drawing)> {
    let score = &outcome.all.network;
    let said = |title: &str, subtitle: &str| Words {
        title: format!("{title}: {}, split by {}", outcome.network, outcome.split),
        subtitle: subtitle.to_owned(),
        source: source.to_owned(),
    };
    let positions = format!("{} positions of validation sets", grouped(score.all.positions));
    let band = format!("{positions}; bands: 95% confidence intervals");
    let mut curves = vec![
        Curve { name: "MSE".to_owned(), measure: Measure::Mse, at: &score.by_height },
        Curve { name: "wrong".to_owned(), measure: Measure::Wrong, at: &score.by_height },
    ];
    // The handcrafted evaluation is the baseline that a network has to beat.
    if let Some(baseline) = outcome.all.baselines.last() {
        let name = "handcrafted: MSE".to_owned();
        curves.push(Curve { name, measure: Measure::Mse, at: &baseline.score.by_height });
    }
    let mut calibrated = vec![Calibrated { name: "the network".to_owned(), bins: &score.calibration }];
    if let Some(baseline) = outcome.all.baselines.last() {
        calibrated.push(Calibrated { name: "handcrafted".to_owned(), bins: &baseline.score.calibration });
    }
    let trained: Vec<Learnt<'_>> = outcome
        .folds
        .iter()
        .map(|fold| Learnt {
            name: format!("fold {}", fold.fold),
            errors: &fold.errors,
            kept: fold.best_epoch,
            validation: fold.validation.network.all.mse,
        })
        .collect();
    let bars = format!(
        "{positions}, numbers at the foot; error bars: 95% confidence intervals (Wilson), as if positions were independent"
    );
    let mut drawings = vec![
        ("heights", Drawing::Chart(heights(said("Error by height", &band), &curves, &[]))),
        ("calibration", Drawing::Chart(calibration(said("Calibration", &bars), &calibrated))),
        (
            "training",
            Drawing::Chart(training(
                said("Training", "while learning, each batch before its step"),
                &trained,
            )),
        ),
    ];
    if let Some(fold) = outcome.folds.first() {
        let words = said("Filters of the first layer", filters_said(network));
        drawings.push(("filters", Drawing::Panels(filters(words, network, &fold.filters, FILTERS))));
    }
    drawings
}

/// Rejects a folder that holds files, unless they may be overwritten.
///
/// # Errors
/// As described.
pub fn check_folder(folder: &Path, force: bool) -> Result<(), Error> {
    let holds_files = || std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if !force && holds_files() { Err(Error::NotEmpty(folder.to_owned())) } else { Ok(()) }
}

/// Writes all charts of an experiment into a folder, and returns the files of the pictures.
///
/// # Errors
/// When the folder cannot be created, or a chart cannot be drawn or written.
pub fn write_outcome(
    outcome: &Outcome,
    network: &Network,
    folder: &Path,
    provenance: &Provenance,
    force: bool,
) -> Result<Vec<PathBuf>, Error> {
    std::fs::create_dir_all(folder).map_err(|error| Error::NoFolder(folder.to_owned(), error))?;
    let Provenance { command, program, .. } = provenance;
    let source = format!("Source: data {:.16}. {command}. {program}", outcome.data);
    let write = |(name, drawing): (&str, Drawing)| {
        drawing.write(folder, name, provenance, force)?;
        Ok(folder.join(format!("{name}.svg")))
    };
    of_outcome(outcome, network, &source).into_iter().map(write).collect()
}

/// The names of rows and columns of the filters.
pub fn filters_said(network: &Network) -> &'static str {
    match network.image {
        annals_learning::Image::Files => {
            "rows: output filters; columns: files from the mover's left; in a panel, down kinds of piece, across ranks"
        }
        annals_learning::Image::Board => {
            "rows: output filters; columns: kinds of piece; in a panel, down ranks from the far side, across files"
        }
        annals_learning::Image::Sides => {
            "rows: output filters; columns: kinds of piece of each side; in a panel, down ranks from the far side, across files"
        }
    }
}
