//! What stands in the report of the real games, or of those of self-play.

use annals_learning::{Figures, Split};

use super::html::Html;
use super::{Pictures, leak, pair, percent, r2, signed, zigzags};
use crate::Error;
use crate::charts::{Measure, NINETY_FIVE};
use crate::measures::{Reproduced, Zigzag};
use crate::pictures::{Picture, cell};
use crate::published;
use crate::results::{Data, Experiment, GridResult, Reproduction, Subject, Variant};
use annals_report::grouped;

/// The combinations of a grid search that are printed beyond those of the paper's table.
const CELLS: usize = 30;

/// Writes all of it.
pub fn write(
    html: &mut Html,
    whole: &Reproduction,
    subject: &Subject,
    pictures: &Pictures,
) -> Result<(), Error> {
    html.title(2, &subject.name);
    data(html, &subject.data);
    for (variant, pictures) in subject.variants.iter().zip(&pictures.variants) {
        if variant.key != "all" {
            html.title(2, &format!("{} without the resigned ones", subject.name));
            html.words(&format!(
                "{} positions of {} games that ended on the board.",
                grouped(variant.positions as u64),
                grouped(variant.games as u64)
            ));
        }
        self::variant(html, whole, variant, pictures)?;
    }
    resigned(html, subject, pictures)
}

fn data(html: &mut Html, data: &Data) {
    html.title(3, "Where the positions come from");
    html.words(&format!(
        "{}: {} positions of {} games, {} of them resigned, out of {} rows. Taken was: {}.",
        sentence(&data.about),
        grouped(data.positions),
        grouped(data.games),
        grouped(data.resigned),
        grouped(data.rows),
        data.filter
    ));
    let rows = |source: &crate::results::Source| {
        vec![source.name.clone(), grouped(source.bytes), source.digest.clone()]
    };
    html.table(&["file", "bytes", "BLAKE3 of its text"], &data.sources.iter().map(rows).collect::<Vec<_>>());
    let rows: Vec<Vec<String>> =
        data.left_out.iter().map(|(why, rows)| vec![why.replace('_', " "), grouped(*rows)]).collect();
    if !rows.is_empty() {
        html.table(&["left out for", "rows"], &rows);
    }
}

fn sentence(words: &str) -> String {
    let mut signs = words.chars();
    signs.next().map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect())
}

fn variant(
    html: &mut Html,
    whole: &Reproduction,
    variant: &Variant,
    pictures: &[Picture],
) -> Result<(), Error> {
    html.title(3, "Mean squared error and accuracy");
    headline(html, variant);
    draw(html, pictures, "headline-mse")?;
    draw(html, pictures, "headline-accuracy")?;
    grid(html, whole, variant);
    draw(html, pictures, "figure-4")?;
    let Some(network) = variant.networks().first().copied() else { return Ok(()) };
    html.title(3, &format!("Figure 5: the error by height, {network}"));
    if let Some(one) = variant.experiment(network, Split::Game) {
        if let Some(position) = variant.experiment(network, Split::Position) {
            html.strong(&zigzags(one, position));
        }
        html.words(&format!(
            "Why there can be one: the side to move won {} of the positions at even heights and {} at odd ones, since most games \
             end with a turn of the winner. So the error at even heights is that on losers, at odd ones that on winners, and they \
             differ where a network is surer of one of them.",
            percent(one.parity.won_at_even),
            percent(one.parity.won_at_odd)
        ));
    }
    zigzag(html, variant, network);
    draw(html, pictures, "figure-5-by-game")?;
    draw(html, pictures, "figure-5-by-position")?;
    draw(html, pictures, "figure-5-whole")?;
    html.title(3, "Figure 6: the filters");
    draw(html, pictures, "figure-6")?;
    html.title(3, &format!("Calibration and training, {network}"));
    draw(html, pictures, "calibration")?;
    draw(html, pictures, "training")
}

fn draw(html: &mut Html, pictures: &[Picture], kind: &str) -> Result<(), Error> {
    for picture in pictures.iter().filter(|picture| picture.kind == kind) {
        html.picture(&picture.drawing.svg()?, &picture.caption, &picture.name);
    }
    Ok(())
}

/// A figure with how far it may be off, 95 times of 100.
fn within(value: f64, error: f64) -> String {
    format!("{value:.4} ± {:.4}", NINETY_FIVE * error)
}

fn headline(html: &mut Html, variant: &Variant) {
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
    html.table(&["", "MSE", "accuracy", "MAE", "R²", "log loss"], &rows);
    for network in variant.networks() {
        let both = [Split::Game, Split::Position].map(|split| variant.experiment(network, split));
        if let [Some(game), Some(position)] = both {
            html.strong(&format!("{network}: {}", leak(game, position)));
            html.words(&trained(game));
        }
    }
    html.words(
        "± is the 95% confidence interval (normal approximation, by game). Baselines: the constant share of winners; the \
         logistic function of the pieces, of first steps (mobility), of the handcrafted evaluation (annals), fitted to the \
         training set of the network.",
    );
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

fn grid(html: &mut Html, whole: &Reproduction, variant: &Variant) {
    let (Some(position), Some(game)) = (variant.grid(Split::Position), variant.grid(Split::Game)) else {
        return;
    };
    html.title(3, "Figures 3 and 4: the grid search");
    html.words(&format!(
        "The paper's text speaks of 30,000 shuffled examples; its program took 30,000 consecutive rows, some 350 games, and divided \
         their positions into two folds. Here: {} positions in a row from row {} on, of {} games, two folds, batches of 1,000, {} \
         epochs, by position and by game. {} combinations were tried under each split.",
        grouped(position.positions as u64),
        grouped(u64::from(position.first)),
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
    html.table(
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
        &rows,
    );
    best(html, position, game);
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
fn best(html: &mut Html, position: &GridResult, game: &GridResult) {
    let shown = position.cells.len().min(CELLS);
    html.words(&format!(
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
            let same = |other: &&annals_learning::grid::Cell| {
                (other.dropout, other.regularizer, other.optimizer, other.kernel)
                    == (one.dropout, one.regularizer, one.optimizer, one.kernel)
            };
            let mut row = vec![named(Some(one))];
            row.extend(measured(Some(one)));
            row.extend(measured(game.cells.iter().find(same)));
            row
        })
        .collect();
    html.table(
        &[
            "combination", "by position: MSE", "MAE", "R²", "accuracy", "by game: MSE", "MAE", "R²",
            "accuracy",
        ],
        &rows,
    );
}

fn named(cell: Option<&annals_learning::grid::Cell>) -> String {
    let Some(cell) = cell else { return "none".to_owned() };
    let dropout = if cell.dropout == 0.0 { "none".to_owned() } else { cell.dropout.to_string() };
    let [rows, columns] = cell.kernel;
    format!("{dropout}, {}, {}, {rows}x{columns}", cell.regularizer, cell.optimizer)
}

fn zigzag(html: &mut Html, variant: &Variant, network: &str) {
    let find = |all: &[Zigzag], like: &Zigzag| {
        all.iter().find(|one| (one.of, one.from, one.to) == (like.of, like.from, like.to)).copied()
    };
    let by = |split| variant.experiment(network, split);
    let (Some(game), Some(position)) = (by(Split::Game), by(Split::Position)) else { return };
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
    html.words(&format!(
        "The zigzag as a number: the error at even heights less that at odd ones, the way up from height to height taken out. “There” \
         is at least three standard errors from nothing, where games are drawn. In the paper's figure it goes up to {mse} to each side \
         in the MSE and {wrong} in the share wrong, a difference of twice that, and grows with the height."
    ));
    html.table(&["", "split by game", "split by position", "all positions, as the paper"], &rows);
}

fn resigned(html: &mut Html, subject: &Subject, pictures: &Pictures) -> Result<(), Error> {
    html.title(3, "With and without resigned games");
    html.words(
        "The paper supposes that resigned games raised the error near the end of its Figure 5, because a game that is given up early \
         does not always look lost, and would leave them out and train again.",
    );
    let [all, without] = subject.variants.as_slice() else {
        html.words("None of these games was resigned, so there is nothing to leave out.");
        return Ok(());
    };
    let Some(network) = all.networks().first().copied() else { return Ok(()) };
    let both = [all, without].map(|variant| variant.experiment(network, Split::Game));
    let [Some(with), Some(without)] = both else { return Ok(()) };
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
    html.table(&["split by game", "all heights", "last ten plies", "validation positions"], &rows);
    if let Some(picture) = &pictures.together {
        html.picture(&picture.drawing.svg()?, &picture.caption, &picture.name);
    }
    Ok(())
}
