//! A trained network as an evaluator of the engine, by the name `net:FILE`.

use std::path::Path;

use annals_engine::evaluation::Evaluator;
use annals_events::Side;
use annals_rules::arimaa::bitboard::squares;
use annals_rules::arimaa::{Board, Piece, Steps};

use crate::model::{Model, ModelError};
use crate::network::Activation;
use crate::plain::Plain;

/// What stands before the file in an evaluator's name.
pub const PREFIX: &str = "net:";

/// Chances are kept this far from certainty before they become odds.
const CERTAIN: f64 = 1e-3;

/// The least that a rabbit may add to the logarithm of the odds: a network that learnt from games in which nothing mattered would
/// otherwise make every position worth more than the board.
const LEAST_ODDS: f64 = 0.05;

/// A trained network that says what positions are worth.
pub struct NetEvaluator {
    name: String,
    about: String,
    plain: Plain,
    hundredths: f64,
}

impl NetEvaluator {
    /// Reads a model.
    ///
    /// # Errors
    /// When the file is no good.
    pub fn read(path: &Path) -> Result<NetEvaluator, ModelError> {
        Ok(NetEvaluator::new(format!("{PREFIX}{}", path.display()), &Model::read(path)?))
    }

    #[must_use]
    pub fn new(name: String, model: &Model) -> NetEvaluator {
        let about = &model.about;
        NetEvaluator {
            name,
            about: format!(
                "the network {}, trained on {} positions {}",
                about.network, about.positions, about.split
            ),
            plain: Plain::new(model.network, &model.parameters),
            hundredths: 100.0 / about.odds_of_a_rabbit.max(LEAST_ODDS),
        }
    }

    /// The chance that the side whose turn it is wins.
    #[must_use]
    pub fn chance(&self, board: &Board, mover: Side) -> f32 {
        self.plain.predict(cells(board, mover))
    }
}

impl Evaluator for NetEvaluator {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    /// The logarithm of the odds in rabbits. The rectified output's own sum is taken, which goes on below 0; and what lies beyond
    /// certainty still counts a little, so that the better of two won positions is told.
    fn evaluate(&self, steps: &Steps) -> i32 {
        let pieces = cells(steps.board(), steps.mover());
        let chance = f64::from(match self.plain.output() {
            Activation::Rectifier => self.plain.sum(pieces),
            _ => self.plain.predict(pieces),
        });
        let kept = chance.clamp(CERTAIN, 1.0 - CERTAIN);
        let odds = (kept / (1.0 - kept)).ln() + (chance - kept).clamp(-10.0, 10.0);
        (odds * self.hundredths).round() as i32
    }
}

/// The cells of the paper's planes that are not empty: which one, and +1 for the mover's piece, -1 for the other side's. The
/// mover's home rank is the last row.
fn cells(board: &Board, mover: Side) -> impl Iterator<Item = (u16, f32)> + use<> {
    let turned = match mover {
        Side::Gold => 56,
        Side::Silver => 7,
    };
    let mut cells: Vec<(u16, f32)> = [(mover, 1.0f32), (mover.other(), -1.0)]
        .into_iter()
        .flat_map(move |(side, sign)| {
            Piece::ALL.into_iter().enumerate().flat_map(move |(kind, piece)| {
                squares(board.bits(side, piece))
                    .map(move |square| ((kind * 64 + (usize::from(square.index()) ^ turned)) as u16, sign))
            })
        })
        .collect();
    // In the order of the planes, so that a sum does not depend on whose pieces came first.
    cells.sort_unstable_by_key(|(cell, _)| *cell);
    cells.into_iter()
}
