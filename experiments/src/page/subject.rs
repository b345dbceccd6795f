//! The part of the report on the real games, or on those of self-play.

use std::fmt::Write as _;

use annals_learning::grid::Layers;
use annals_learning::{Figures, Settings, Split};
use annals_report::{Cell, Document, Part, Table, grouped};

use super::figures::{leak, pair, percent, r2, signed, zigzags};
use crate::Error;
use crate::charts::{Measure, NINETY_FIVE};
use crate::measures::{Reproduced, Zigzag};
use crate::pictures::{Picture, cell};
use crate::published;
use crate::results::{Data, Experiment, GridResult, Reproduction, Subject, Variant};

/// The pictures of a subject: of each of its variants, and of all together.
pub struct Pictures {
    /// By variant.
    pub variants: Vec<Vec<Picture>>,
    /// Of all variants together.
    pub together: Option<Picture>,
}

/// The combinations of a grid search that are printed beyond those of the paper's table.
const CELLS: usize = 30;

/// Adds all of it.
pub fn add(
    mut page: Document,
    whole: &Reproduction,
    subject: &Subject,
    pictures: &Pictures,
) -> Result<Document, Error> {
    page = data(page.title(subject.key, &subject.name), &subject.data);
    for (variant, pictures) in subject.variants.iter().zip(&pictures.variants) {
        if variant.key != "all" {
            let id = format!("{}-{}", subject.key, variant.key);
            page = page.title(&id, format!("{} without the resigned ones", subject.name)).prose(format!(
                "{} positions of {} games that ended on the board.",
                grouped(variant.positions as u64),
                grouped(variant.games as u64)
            ));
        }
        page = self::variant(page, whole, variant, pictures)?;
    }
    resigned(page, subject, pictures)
}

fn subtitle(page: Document, words: impl Into<String>) -> Document {
    page.part(Part::Subtitle(words.into()))
}

/// A table; the first cell of a row is a text, the others are figures.
fn table(head: &[&str], rows: Vec<Vec<String>>) -> Table {
    let row = |row: Vec<String>| {
        let cells = row.into_iter().enumerate();
        cells.map(|(place, cell)| if place == 0 { Cell::Text(cell) } else { Cell::Figure(cell) }).collect()
    };
    Table { rows: rows.into_iter().map(row).collect(), ..Table::new("", head) }
}

fn data(page: Document, data: &Data) -> Document {
    let about = format!(
        "{}: {} positions of {} games, {} of them resigned, out of {} rows. Selected: {}.",
        sentence(&data.about),
        grouped(data.positions),
        grouped(data.games),
        grouped(data.resigned),
        grouped(data.rows),
        data.filter
    );
    let sources = Table::of("", &data.sources)
        .column("file", |source| source.name.as_str().into())
        .column("bytes", |source| Cell::Figure(grouped(source.bytes)))
        .column("BLAKE3 of its text", |source| source.digest.as_str().into());
    let left_out = data.left_out.iter().map(|(why, rows)| vec![why.replace('_', " "), grouped(*rows)]);
    subtitle(page, "Where the positions come from")
        .prose(about)
        .table(sources.table())
        .table(table(&["left out for", "rows"], left_out.collect()))
}

fn sentence(words: &str) -> String {
    let mut signs = words.chars();
    signs.next().map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect())
}

fn variant(
    mut page: Document,
    whole: &Reproduction,
    variant: &Variant,
    pictures: &[Picture],
) -> Result<Document, Error> {
    page = headline(subtitle(page, "Mean squared error and accuracy"), variant);
    page = draw(page, pictures, &["headline-mse", "headline-accuracy"])?;
    page = draw(grid(page, whole, variant), pictures, &["figure-4"])?;
    let Some(network) = variant.networks().first().copied() else { return Ok(page) };
    page = subtitle(page, format!("Figure 5: the error by height, {network}"));
    if let Some(one) = variant.experiment(network, Split::Game) {
        if let Some(position) = variant.experiment(network, Split::Position) {
            page = page.prose(zigzags(one, position));
        }
        page = page.prose(format!(
            "Why there can be one: the side to move won {} of the positions at even heights and {} at odd ones, since most games \
             end with a turn of the winner. So the error at even heights is that on losers, at odd ones that on winners, and they \
             differ where a network is surer of one of them.",
            percent(one.parity.won_at_even),
            percent(one.parity.won_at_odd)
        ));
    }
    page = zigzag(page, variant, network);
    page = draw(page, pictures, &["figure-5-by-game", "figure-5-by-position", "figure-5-whole"])?;
    page = draw(subtitle(page, "Figure 6: the filters"), pictures, &["figure-6"])?;
    page = subtitle(page, format!("Calibration and training, {network}"));
    draw(page, pictures, &["calibration", "training"])
}

/// Adds the pictures of some kinds, with the names of their files.
fn draw(page: Document, pictures: &[Picture], kinds: &[&str]) -> Result<Document, Error> {
    let of_kind = kinds.iter().flat_map(|kind| pictures.iter().filter(move |picture| picture.kind == *kind));
    of_kind.into_iter().try_fold(page, figure)
}

fn figure(page: Document, picture: &Picture) -> Result<Document, Error> {
    let caption = format!("{} (pictures/{}.svg, .png, .csv)", picture.caption, picture.name);
    Ok(page.part(Part::Figure { svg: picture.drawing.svg()?, caption }))
}

/// A figure with half the width of its 95% confidence interval.
fn within(value: f64, error: f64) -> String {
    format!("{value:.4} ± {:.4}", NINETY_FIVE * error)
}

fn headline(mut page: Document, variant: &Variant) -> Document {
    let mut rows = Vec::new();
    let (mse, accuracy) = published::HEADLINE;
    rows.push(vec![
        "the paper, split by position".to_owned(),
        format!("{mse:.3}"),
        format!("{accuracy:.3}"),
        "–".to_owned(),
        "–".to_owned(),
        "–".to_owned(),
    ]);
    let figures = |name: String, all: &Figures| {
        let r2 = r2(all.r2, 3);
        let (mse, accuracy) = (format!("{:.4}", all.mse), format!("{:.4}", all.accuracy));
        vec![name, mse, accuracy, format!("{:.4}", all.mae), r2, format!("{:.4}", all.log_loss)]
    };
    for split in [Split::Position, Split::Game] {
        for network in variant.networks() {
            let Some(one) = variant.experiment(network, split) else { continue };
            let mut row = figures(format!("{network}, split by {split}"), &one.score.all);
            row[1] = within(one.score.all.mse, one.clustered.mse_error);
            row[2] = within(one.score.all.accuracy, one.clustered.accuracy_error);
            rows.push(row);
        }
        let first = variant.networks().first().and_then(|network| variant.experiment(network, split));
        for one in first.map_or(&[][..], |one| &one.baselines) {
            rows.push(figures(format!("{}, split by {split}", one.name), &one.score.all));
        }
    }
    page = page.table(table(&["", "MSE", "accuracy", "MAE", "R²", "log loss"], rows));
    for network in variant.networks() {
        let both = [Split::Game, Split::Position].map(|split| variant.experiment(network, split));
        if let [Some(game), Some(position)] = both {
            page = page.prose(format!("{network}: {}", leak(game, position))).prose(trained(game));
        }
    }
    page.prose(
        "± is the 95% confidence interval (normal approximation, by game). Baselines: the constant share of winners; the \
         logistic function of the pieces, of first steps (mobility), of the handcrafted evaluation (annals), fitted to the \
         training set of the network.",
    )
}

fn trained(one: &Experiment) -> String {
    let settings = &one.settings;
    format!(
        "{} ({} parameters) was trained by {} at a rate of {} with {} of weight {}, in batches of {}, {} epochs: {} steps on {} \
         positions in each of {} (of {} folds), where the paper's training made {} steps. Kept: epoch {}.",
        one.network,
        grouped(one.parameters as u64),
        settings.optimizer,
        settings.learning_rate,
        settings.regularizer,
        settings.decay,
        grouped(settings.batch as u64),
        settings.epochs,
        grouped(one.steps),
        grouped(one.folds.first().map_or(0, |fold| fold.training_positions) as u64),
        if one.folds.len() == 1 {
            "one training".to_owned()
        } else {
            format!("{} trainings", one.folds.len())
        },
        one.of_folds,
        grouped(published::STEPS),
        one.folds.iter().map(|fold| fold.best_epoch.to_string()).collect::<Vec<_>>().join(", ")
    )
}

fn grid(page: Document, whole: &Reproduction, variant: &Variant) -> Document {
    let (Some(position), Some(game)) = (variant.grid(Split::Position), variant.grid(Split::Game)) else {
        return page;
    };
    let page = subtitle(page, "Figures 3 and 4: the grid search").prose(format!(
        "The paper's text speaks of 30,000 shuffled examples; its program took 30,000 consecutive rows, some 350 games, and divided \
         their positions into two folds. Here: {} {} positions, of {} games, two folds, batches of 1,000, {} epochs, by position and \
         by game. {} combinations were tried under each split.",
        grouped(position.positions as u64),
        position.sampling,
        position.games,
        whole.chosen.grid_epochs,
        position.cells.len()
    ));
    let rows: Vec<Vec<String>> = published::FIGURE_4
        .iter()
        .map(|row| {
            let dropout = if row.dropout == 0.0 { "none".to_owned() } else { row.dropout.to_string() };
            let mut cells = vec![format!("{dropout}, {}, nesterov, 4x4", row.regularizer)];
            cells.extend([row.mse, row.mae, row.r2, row.accuracy].map(|figure| format!("{figure:.4}")));
            for grid in [position, game] {
                cells.extend(measured(cell(grid, row)));
            }
            cells
        })
        .collect();
    let page = page.table(table(
        &[
            "dropout, regularizer, optimizer, kernel",
            "paper: MSE",
            "MAE",
            "R²",
            "accuracy",
            "by position: MSE",
            "MAE",
            "R²",
            "accuracy",
            "by game: MSE",
            "MAE",
            "R²",
            "accuracy",
        ],
        rows,
    ));
    best(page, position, game)
}

fn measured(cell: Option<&annals_learning::grid::Cell>) -> Vec<String> {
    match cell.map(|cell| cell.figures) {
        None => vec!["not tried".to_owned(), String::new(), String::new(), String::new()],
        Some(None) => vec!["diverged".to_owned(), String::new(), String::new(), String::new()],
        Some(Some(all)) => {
            let r2 = r2(all.r2, 4);
            vec![format!("{:.4}", all.mse), format!("{:.4}", all.mae), r2, format!("{:.4}", all.accuracy)]
        }
    }
}

/// The combinations in the order of their error by position, with their figures by game.
fn best(page: Document, position: &GridResult, game: &GridResult) -> Document {
    let shown = position.cells.len().min(CELLS);
    let page = page.prose(format!(
        "The {shown} with the least error by position, and the error of the same settings by game. {} is first by position, {} \
         by game.",
        named(position.cells.first()),
        named(game.cells.first())
    ));
    let rows: Vec<Vec<String>> = position
        .cells
        .iter()
        .take(CELLS)
        .map(|one| {
            let mut row = vec![named(Some(one))];
            row.extend(measured(Some(one)));
            row.extend(measured(game.cells.iter().find(|other| other.is_of_same(one))));
            row
        })
        .collect();
    page.table(table(
        &[
            "combination", "by position: MSE", "MAE", "R²", "accuracy", "by game: MSE", "MAE", "R²",
            "accuracy",
        ],
        rows,
    ))
}

fn named(cell: Option<&annals_learning::grid::Cell>) -> String {
    let Some(cell) = cell else { return "none".to_owned() };
    let dropout = if cell.dropout == 0.0 { "none".to_owned() } else { cell.dropout.to_string() };
    let [rows, columns] = cell.kernel;
    let mut name = format!("{dropout}, {}, {}, {rows}x{columns}", cell.regularizer, cell.optimizer);
    if cell.learning_rate != Settings::default().learning_rate {
        let _ = write!(name, ", rate {}", cell.learning_rate);
    }
    if cell.layers != Layers::default() {
        let _ = write!(name, ", {}", cell.layers);
    }
    name
}

fn zigzag(page: Document, variant: &Variant, network: &str) -> Document {
    let find = |all: &[Zigzag], like: &Zigzag| {
        all.iter().find(|one| (one.of, one.from, one.to) == (like.of, like.from, like.to)).copied()
    };
    let by = |split| variant.experiment(network, split);
    let (Some(game), Some(position)) = (by(Split::Game), by(Split::Position)) else { return page };
    let said = |one: Option<Zigzag>| match one {
        None => "–".to_owned(),
        Some(one) => {
            let verdict = match one.verdict() {
                Reproduced::There => "there",
                Reproduced::Perhaps => "perhaps",
                Reproduced::NotSeen => "not seen",
            };
            format!("{} ± {:.4} {verdict}", signed(one.even_minus_odd, 4), NINETY_FIVE * one.error)
        }
    };
    let rows: Vec<Vec<String>> = game
        .zigzag
        .iter()
        .map(|one| {
            let of = if one.of == Measure::Mse { "MSE" } else { "share wrong" };
            vec![
                format!("{of}, heights {} to {}", one.from, one.to),
                said(Some(*one)),
                said(find(&position.zigzag, one)),
                said(find(&position.whole_zigzag, one)),
            ]
        })
        .collect();
    let (mse, wrong) = published::ZIGZAG;
    let page = page.prose(format!(
        "The zigzag as a number: the error at even heights less that at odd ones, the way up from height to height taken out. “There” \
         is at least three standard errors from nothing, where games are drawn. In the paper's figure it goes up to {mse} to each side \
         in the MSE and {wrong} in the share wrong, a difference of twice that, and grows with the height."
    ));
    page.table(table(&["", "split by game", "split by position", "all positions, as the paper"], rows))
}

fn resigned(page: Document, subject: &Subject, pictures: &Pictures) -> Result<Document, Error> {
    let page = subtitle(page, "With and without resigned games").prose(
        "The paper supposes that resigned games raised the error near the end of its Figure 5, because a game that is given up early \
         does not always look lost, and would leave them out and train again.",
    );
    let [all, without] = subject.variants.as_slice() else {
        return Ok(page.prose("None of these games was resigned, so there is nothing to leave out."));
    };
    let Some(network) = all.networks().first().copied() else { return Ok(page) };
    let both = [all, without].map(|variant| variant.experiment(network, Split::Game));
    let [Some(with), Some(without)] = both else { return Ok(page) };
    let mut rows = Vec::new();
    let mut row = |name: &str, one: &Experiment, how: &str| {
        if let Some(ending) = one.ending(how) {
            let near = ending.near_the_end.map_or("–".to_owned(), |figures| pair(&figures));
            rows.push(vec![name.to_owned(), pair(&ending.all), near, grouped(ending.all.positions)]);
        }
    };
    row("training with resigned games, validation on games that ended on the board", with, "board");
    row("training with resigned games, validation on resigned games", with, "resigned");
    row("training without them, validation on games that ended on the board", without, "board");
    let page =
        page.table(table(&["split by game", "all heights", "last ten plies", "validation positions"], rows));
    pictures.together.iter().try_fold(page, figure)
}
