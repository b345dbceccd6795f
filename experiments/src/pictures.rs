//! The pictures of a reproduction, with captions.

use annals_learning::grid::Layers;
use annals_learning::{Network, Settings, Split};

use crate::charts::{
    AtOne, Bar, Bars, Calibrated, Curve, Drawing, Learnt, Measure, Words, bars, calibration, filters,
    filters_said, heights, training,
};
use crate::published;
use crate::results::{Experiment, Reproduction, Subject, Variant};
use annals_report::grouped;

/// A picture with its caption.
pub struct Picture {
    /// The name of its files.
    pub name: String,
    /// The kind of picture, by which the report selects it.
    pub kind: &'static str,
    /// The picture.
    pub drawing: Drawing,
    /// The caption.
    pub caption: String,
}

/// Filters beyond these are not drawn.
const FILTERS: usize = 12;

/// All pictures of some games.
pub fn of_variant(whole: &Reproduction, subject: &Subject, variant: &Variant) -> Vec<Picture> {
    let draw = Draw { whole, subject, variant };
    let mut pictures = Vec::new();
    pictures.extend(draw.headline(Measure::Mse));
    pictures.extend(draw.headline(Measure::Wrong));
    pictures.extend(draw.figure_4());
    if let Some(network) = variant.networks().first() {
        pictures.extend(draw.figure_5(network));
        pictures.extend(draw.calibration(network));
        pictures.extend(draw.training(network));
    }
    for network in variant.networks() {
        pictures.extend(draw.figure_6(network));
    }
    pictures
}

/// The error by height of a network trained with resigned games, compared with one trained without.
pub fn of_resigned(whole: &Reproduction, subject: &Subject) -> Option<Picture> {
    let [all, without] = subject.variants.as_slice() else { return None };
    let network = all.networks().first().copied()?;
    let [with, without] = [all.experiment(network, Split::Game)?, without.experiment(network, Split::Game)?];
    let curve = |name: &str, one: &'_ Experiment| (name.to_owned(), one.score.by_height.clone());
    let curves = [curve("with resigned", with), curve("without", without)];
    let curves: Vec<Curve<'_>> =
        curves.iter().map(|(name, at)| Curve { name: name.clone(), measure: Measure::Mse, at }).collect();
    let words = Words {
        title: format!("Do resigned games do harm? {} on {}", with.network, subject.name.to_lowercase()),
        subtitle: "MSE on the validation sets, with resigned games and without them".to_owned(),
        source: source(whole, subject, all),
    };
    Some(Picture {
        name: format!("{}-resigned", subject.key),
        kind: "resigned",
        drawing: Drawing::Chart(heights(words, &curves, &[])),
        caption: "The paper thought that resigned games raise the error near the end. Where the lines lie apart at small \
                  heights by more than their bands, they do."
            .to_owned(),
    })
}

fn source(whole: &Reproduction, subject: &Subject, variant: &Variant) -> String {
    let (games, positions) = (grouped(variant.games as u64), grouped(variant.positions as u64));
    let without = if variant.key == "all" { "" } else { ", without resigned games" };
    format!(
        "Source: data {:.16}, {positions} positions of {games} games ({}{without}). {}. {}",
        subject.data.digest,
        subject.name.to_lowercase(),
        whole.command,
        whole.made_by
    )
}

struct Draw<'a> {
    whole: &'a Reproduction,
    subject: &'a Subject,
    variant: &'a Variant,
}

impl Draw<'_> {
    fn name(&self, kind: &str) -> String {
        match self.variant.key {
            "all" => format!("{}-{kind}", self.subject.key),
            key => format!("{}-{key}-{kind}", self.subject.key),
        }
    }

    fn words(&self, title: impl Into<String>, subtitle: impl Into<String>) -> Words {
        let source = source(self.whole, self.subject, self.variant);
        let title = match self.variant.key {
            "all" => format!("{}: {}", title.into(), self.subject.name.to_lowercase()),
            _ => format!("{}: {} without resigned ones", title.into(), self.subject.name.to_lowercase()),
        };
        Words { title, subtitle: subtitle.into(), source }
    }

    /// Networks and baselines next to each other, under both splits.
    fn headline(&self, measure: Measure) -> Option<Picture> {
        let networks = self.variant.networks();
        let first = self.variant.experiment(networks.first()?, Split::Game)?;
        let baselines: Vec<&str> = first.baselines.iter().map(|one| one.name.as_str()).collect();
        let groups: Vec<String> = baselines.iter().chain(&networks).map(|name| (*name).to_owned()).collect();
        let of = |split: Split| -> Vec<Option<Bar>> {
            let beside = self.variant.experiment(networks[0], split);
            let baseline = |n: usize| {
                let all = beside?.baselines.get(n)?.score.all;
                let value = if measure == Measure::Mse { all.mse } else { all.accuracy };
                Some(Bar { value, error: None })
            };
            let network = |name: &&str| {
                let one = self.variant.experiment(name, split)?;
                let (value, error) = match measure {
                    Measure::Mse => (one.score.all.mse, one.clustered.mse_error),
                    Measure::Wrong => (one.score.all.accuracy, one.clustered.accuracy_error),
                };
                Some(Bar { value, error: Some(error) })
            };
            (0..baselines.len()).map(baseline).chain(networks.iter().map(network)).collect()
        };
        let (mse, accuracy) = published::HEADLINE;
        let value = if measure == Measure::Mse { mse } else { accuracy };
        let paper = groups.iter().map(|group| (group == "paper-run").then_some(Bar { value, error: None }));
        let mut all = vec![
            Bars { name: "split by position".to_owned(), bars: of(Split::Position) },
            Bars { name: "split by game".to_owned(), bars: of(Split::Game) },
        ];
        if groups.iter().any(|group| group == "paper-run") {
            all.push(Bars { name: "the paper".to_owned(), bars: paper.collect() });
        }
        let (kind, title, measured) = match measure {
            Measure::Mse => ("headline-mse", "Error of networks and baselines", "mean squared error"),
            Measure::Wrong => {
                ("headline-accuracy", "Accuracy of networks and baselines", "accuracy (share right)")
            }
        };
        let subtitle = "on the validation sets; error bars: 95% confidence intervals, by game";
        let chart = bars(self.words(title, subtitle), measured, &groups, &all);
        Some(Picture {
            name: self.name(kind),
            kind,
            drawing: Drawing::Chart(chart),
            caption: "Figures on the validation sets. With the split by position the training set has neighbours of their \
                      positions; with the split by game it has not. Data leakage adds next to nothing to the baselines."
                .to_owned(),
        })
    }

    /// The rows of the paper's table, measured.
    fn figure_4(&self) -> Option<Picture> {
        let named = |row: &published::Row| {
            let dropout = if row.dropout == 0.0 { "none".to_owned() } else { row.dropout.to_string() };
            format!("{dropout}, {}", row.regularizer)
        };
        let groups: Vec<String> = published::FIGURE_4.iter().map(named).collect();
        let measured = |split| -> Option<Vec<Option<Bar>>> {
            let grid = self.variant.grid(split)?;
            let of = |row: &published::Row| {
                let mse = cell(grid, row)?.figures?.mse;
                Some(Bar { value: mse, error: None })
            };
            Some(published::FIGURE_4.iter().map(of).collect())
        };
        let (position, game) = (measured(Split::Position)?, measured(Split::Game)?);
        position.iter().any(Option::is_some).then_some(())?;
        let paper = published::FIGURE_4.iter().map(|row| Some(Bar { value: row.mse, error: None }));
        let all = [
            Bars { name: "split by position".to_owned(), bars: position },
            Bars { name: "split by game".to_owned(), bars: game },
            Bars { name: "the paper".to_owned(), bars: paper.collect() },
        ];
        let grid = self.variant.grid(Split::Position)?;
        let subtitle = format!(
            "dropout rate, regularizer; {} positions in a row of {} games, two folds, batches of 1,000, {} epochs",
            grouped(grid.positions as u64),
            grid.games,
            self.whole.chosen.grid_epochs
        );
        let chart =
            bars(self.words("The table of the grid search", subtitle), "mean squared error", &groups, &all);
        Some(Picture {
            name: self.name("figure-4"),
            kind: "figure-4",
            drawing: Drawing::Chart(chart),
            caption: "The eight rows that the paper printed, by the same settings under both splits."
                .to_owned(),
        })
    }

    /// Error against height: by position, by game, and as the paper drew it.
    fn figure_5(&self, network: &str) -> Vec<Picture> {
        let mut pictures = Vec::new();
        let (mse, wrong): (&[AtOne], &[AtOne]) = (&published::FIGURE_5_MSE, &published::FIGURE_5_WRONG);
        let others = [("the paper: MSE".to_owned(), mse), ("the paper: wrong".to_owned(), wrong)];
        let read =
            "Dots: what can be read off the paper's Figure 5, from the lower to the upper end of its zigzag.";
        let mut draw = |kind: &'static str, how: &str, score: &annals_learning::Score, what: &str| {
            let curves = [
                Curve { name: "MSE".to_owned(), measure: Measure::Mse, at: &score.by_height },
                Curve { name: "wrong".to_owned(), measure: Measure::Wrong, at: &score.by_height },
            ];
            let words = self.words(format!("Error by height, {network} {how}"), what);
            let mut chart = heights(words, &curves, &others);
            // The three are drawn in one chart for comparison.
            let most = chart.y.range.map_or(0.6, |(_, most)| most.max(0.6));
            chart.y.range = Some((0.0, most));
            pictures.push(Picture {
                name: self.name(kind),
                kind,
                drawing: Drawing::Chart(chart),
                caption: read.to_owned(),
            });
        };
        if let Some(one) = self.variant.experiment(network, Split::Game) {
            draw(
                "figure-5-by-game",
                "split by game",
                &one.score,
                "validation sets, split by game; bands: 95% confidence intervals",
            );
        }
        if let Some(one) = self.variant.experiment(network, Split::Position) {
            let what = "validation sets, split by position; bands: 95% confidence intervals";
            draw("figure-5-by-position", "split by position", &one.score, what);
            let what = "all positions, four fifths of them in the training set, as the paper drew it; bands: 95% confidence intervals";
            draw("figure-5-whole", "over all positions", &one.whole, what);
        }
        pictures
    }

    /// The filters of the first layer.
    fn figure_6(&self, network: &str) -> Option<Picture> {
        let one = self.variant.experiment(network, Split::Position)?;
        let shape: Network = one.settings.network;
        let words = self.words(format!("Filters of {network}"), filters_said(&shape));
        let all = one.filters.len();
        let drawn = if all > FILTERS {
            format!(" Of {all} filters the first {FILTERS} are drawn.")
        } else {
            String::new()
        };
        let said = match shape.image {
            annals_learning::Image::Files => {
                "The paper's Figure 6 shows the same table, but its caption takes the six rows for the six kinds of piece. Its \
                 program laid the filters over kinds by ranks and took the files for channels: a row is one of six filters, a \
                 column one of eight files."
            }
            annals_learning::Image::Board => {
                "A row is a filter, a column a kind of piece; here the filters lie over the board, as the paper's text has it."
            }
            annals_learning::Image::Sides => {
                "A row is a filter, a column a kind of piece: first those of the side to move, then those of the other side."
            }
        };
        Some(Picture {
            name: self.name(&format!("figure-6-{}", file_name(network))),
            kind: "figure-6",
            drawing: Drawing::Panels(filters(words, &shape, &one.filters, FILTERS)),
            caption: format!("{said}{drawn}"),
        })
    }

    fn calibration(&self, network: &str) -> Option<Picture> {
        let splits = [("split by game", Split::Game), ("split by position", Split::Position)];
        let found: Vec<(&str, &Experiment)> = splits
            .into_iter()
            .filter_map(|(name, split)| Some((name, self.variant.experiment(network, split)?)))
            .collect();
        let bins = |(name, one): &(&str, &'_ Experiment)| ((*name).to_owned(), one.score.calibration.clone());
        let bins: Vec<_> = found.iter().map(bins).collect();
        let all: Vec<Calibrated<'_>> =
            bins.iter().map(|(name, bins)| Calibrated { name: name.clone(), bins }).collect();
        let words = self.words(
            format!("Calibration, {network}"),
            "error bars: 95% confidence intervals (Wilson), as if positions were independent; at the foot the number of positions; split by game",
        );
        Some(Picture {
            name: self.name("calibration"),
            kind: "calibration",
            drawing: Drawing::Chart(calibration(words, &all)),
            caption: "Predicted and observed chances. The positions of a game are not independent, so the true intervals are \
                      wider."
                .to_owned(),
        })
    }

    fn training(&self, network: &str) -> Option<Picture> {
        let splits = [("by game", Split::Game), ("by position", Split::Position)];
        let mut all = Vec::new();
        for (name, split) in splits {
            let Some(fold) = self.variant.experiment(network, split).and_then(|one| one.folds.first()) else {
                continue;
            };
            all.push(Learnt {
                name: name.to_owned(),
                errors: &fold.errors,
                kept: fold.best_epoch,
                validation: fold.figures.mse,
            });
        }
        let words = self
            .words(format!("Training, {network}"), "first fold; training error, each batch before its step");
        Some(Picture {
            name: self.name("training"),
            kind: "training",
            drawing: Drawing::Chart(training(words, &all)),
            caption: "The training error, and as single dots the validation error of the kept network."
                .to_owned(),
        })
    }
}

/// The cell of a grid search with the settings of a row of the paper's table.
pub fn cell<'g>(
    grid: &'g crate::results::GridResult,
    row: &published::Row,
) -> Option<&'g annals_learning::grid::Cell> {
    grid.cells.iter().find(|cell| {
        cell.dropout == row.dropout
            && cell.regularizer == row.regularizer
            && cell.optimizer == annals_learning::Optimizer::Nesterov
            && cell.kernel == [4, 4]
            && cell.learning_rate == Settings::default().learning_rate
            && cell.layers == Layers::default()
    })
}

/// A network's name as part of a file's name.
fn file_name(network: &str) -> String {
    let sign = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '-' };
    network.chars().map(sign).collect()
}
