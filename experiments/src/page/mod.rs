//! The report as one page: every figure beside the paper's, every picture in its place, and how it was done. It needs no other file.

mod how;
mod subject;

use annals_learning::Split;
use annals_report::{Document, Part, grouped};

use crate::Error;
use crate::charts::{Measure, NINETY_FIVE};
use crate::measures::{Reproduced, Zigzag};
use crate::pictures::Picture;
use crate::published;
use crate::results::{Experiment, Reproduction, Subject};

/// What a page is called.
const TITLE: &str = "“Learning To Evaluate Arimaa Positions”, again";

/// The pictures of a subject: of each of its variants, and those of all together.
pub struct Pictures {
    /// By variant.
    pub variants: Vec<Vec<Picture>>,
    /// Of all variants together.
    pub together: Option<Picture>,
}

/// The whole page.
pub fn page(whole: &Reproduction, pictures: &[Pictures]) -> Result<Document, Error> {
    let page = summary(whole).into_iter().fold(Document::new(TITLE), Document::prose).part(Part::Contents);
    let page = page.lines("What was not done, and why", whole.not_done.clone());
    let page = (whole.subjects.iter().zip(pictures))
        .try_fold(page, |page, (found, pictures)| subject::add(page, whole, found, pictures))?;
    Ok(how::add(page, whole))
}

/// What came out, in a few sentences for each subject; the same that the command prints.
pub fn summary(whole: &Reproduction) -> Vec<String> {
    whole.subjects.iter().filter_map(summary_of).collect()
}

fn summary_of(subject: &Subject) -> Option<String> {
    let all = subject.variants.first()?;
    let network = all.networks().first().copied()?;
    let (game, position) = (all.experiment(network, Split::Game)?, all.experiment(network, Split::Position)?);
    let (mse, accuracy) = published::HEADLINE;
    let handcrafted = game.handcrafted().map_or(String::new(), |one| {
        format!(" The handcrafted evaluation has {} there.", pair(&one.score.all))
    });
    Some(format!(
        "{} ({} positions of {} games): {network} has {} with the split by game, and {} with the split by position; \
         the paper printed MSE {mse}, accuracy {}. {}{handcrafted} {}",
        subject.name,
        grouped(all.positions as u64),
        grouped(all.games as u64),
        pair(&game.score.all),
        pair(&position.score.all),
        percent(accuracy),
        leak(game, position),
        zigzags(game, position)
    ))
}

/// The data leakage of the split by position.
fn leak(game: &Experiment, position: &Experiment) -> String {
    let (by_game, by_position) = (&game.score.all, &position.score.all);
    format!(
        "The data leakage is {} of MSE and {} points of accuracy.",
        signed(by_position.mse - by_game.mse, 3),
        signed(100.0 * (by_position.accuracy - by_game.accuracy), 1)
    )
}

/// Whether the zigzag is there: over all positions, as the paper drew it, and with the split by game.
fn zigzags(game: &Experiment, position: &Experiment) -> String {
    format!(
        "Over all positions, as the paper drew them: {} With the split by game: {}",
        seen(&position.whole_zigzag),
        seen(&game.zigzag)
    )
}

/// Whether a zigzag is there, over all heights.
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

fn pair(figures: &annals_learning::Figures) -> String {
    format!("MSE {:.3}, accuracy {}", figures.mse, percent(figures.accuracy))
}

/// A difference, with its sign.
fn signed(value: f64, decimals: usize) -> String {
    format!("{value:+.decimals$}").replace('-', "\u{2212}")
}

/// A share of the variance; that of a constant is nothing, whatever the last bit says.
fn r2(share: Option<f64>, decimals: usize) -> String {
    let Some(share) = share else { return "–".to_owned() };
    let words = format!("{share:.decimals$}").replace('-', "\u{2212}");
    if words.chars().any(|sign| sign.is_ascii_digit() && sign != '0') {
        words
    } else {
        words.replace('\u{2212}', "")
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
