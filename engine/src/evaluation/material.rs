//! Material only, as a baseline for other evaluators.

use annals_events::Side;
use annals_rules::arimaa::{Board, Piece, Steps};

use super::Evaluator;

#[derive(Debug, Clone, Copy, Default)]
pub struct Material;

/// By kind, from the rabbit to the elephant, in hundredths of a rabbit.
const WORTH: [i32; 6] = [100, 200, 250, 500, 900, 1800];

impl Evaluator for Material {
    fn name(&self) -> &str {
        "material"
    }

    fn about(&self) -> &str {
        "pieces alone, each worth the same wherever it stands"
    }

    fn evaluate(&self, steps: &Steps) -> i32 {
        let of = |side| worth(steps.board(), side);
        of(steps.mover()) - of(steps.mover().other())
    }
}

fn worth(board: &Board, side: Side) -> i32 {
    Piece::ALL.iter().zip(WORTH).map(|(piece, worth)| board.count(side, *piece) as i32 * worth).sum()
}
