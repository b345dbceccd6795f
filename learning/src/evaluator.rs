//! A trained network as an engine's evaluator, named `net:FILE`.

use std::path::Path;

use annals_engine::evaluation::Evaluator;
use annals_events::Side;
use annals_rules::arimaa::bitboard::squares;
use annals_rules::arimaa::{Board, Piece, Steps};

use crate::model::{Model, ModelError};
use crate::network::Activation;
use crate::plain::Plain;

/// Of an evaluator's name.
pub const PREFIX: &str = "net:";

/// Chances are limited to this distance from 0 and 1 before they become odds.
const CERTAIN: f64 = 1e-3;

/// The least log odds of a rabbit: a network from games in which nothing mattered would otherwise give every position
/// an extreme value.
const LEAST_ODDS: f64 = 0.05;

/// A network as evaluator.
pub struct NetEvaluator {
    name: String,
    about: String,
    plain: Plain,
    hundredths: f64,
}

impl NetEvaluator {
    /// # Errors
    /// If the file is invalid.
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

    /// Of winning, for the side to move.
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

    /// The log odds in rabbits.
    fn evaluate(&self, steps: &Steps) -> i32 {
        let pieces = cells(steps.board(), steps.mover());
        let odds = match self.plain.output() {
            // The sum of a sigmoid is the log odds.
            Activation::Sigmoid => f64::from(self.plain.sum(pieces)),
            // A rectified output uses its own sum, which continues below 0.
            Activation::Rectifier => odds(f64::from(self.plain.sum(pieces))),
            _ => odds(f64::from(self.plain.predict(pieces))),
        };
        (odds * self.hundredths).round() as i32
    }
}

/// Of a chance. Beyond certainty a little still counts, so that won positions are ordered.
fn odds(chance: f64) -> f64 {
    let kept = chance.clamp(CERTAIN, 1.0 - CERTAIN);
    (kept / (1.0 - kept)).ln() + (chance - kept).clamp(-10.0, 10.0)
}

/// Non-empty cells of the paper's planes: index, and +1 for the mover's piece, -1 for the other side's. The mover's
/// home rank is the last row.
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
    // In the order of the planes, so that sums do not depend on the sides.
    cells.sort_unstable_by_key(|(cell, _)| *cell);
    cells.into_iter()
}
