//! The report as one self-contained page: every figure next to the paper's, every picture in its place, and the method.

mod figures;
mod how;
mod subject;

use annals_learning::Split;
use annals_report::{Document, Part, grouped};

use self::figures::{leak, pair, percent, zigzags};
pub use self::subject::Pictures;
use crate::Error;
use crate::published;
use crate::results::{Reproduction, Subject};

/// The title of a page.
const TITLE: &str = "“Learning To Evaluate Arimaa Positions”, again";

/// The whole page.
pub fn page(whole: &Reproduction, pictures: &[Pictures]) -> Result<Document, Error> {
    let page = summary(whole).into_iter().fold(Document::new(TITLE), Document::prose).part(Part::Contents);
    let page = page.lines("What was not done, and why", whole.not_done.clone());
    let page = (whole.subjects.iter().zip(pictures))
        .try_fold(page, |page, (found, pictures)| subject::add(page, whole, found, pictures))?;
    Ok(how::add(page, whole))
}

/// The results, in a few sentences for each subject; the command prints the same.
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
