//! Counts of legal turns, to compare the generators with those of other programs.

use crate::AnyPosition;
use crate::arimaa::{Generator, MOST_STEPS, Position, Steps};
use crate::game::Era;

impl AnyPosition {
    /// Sequences of `depth` turns, at least 1. `first` gets the text of each first turn with the sequences that begin with it.
    ///
    /// In Arimaa a turn counts once for each board to which it leads. No turn follows a decided position by the modern rules;
    /// repetition is not considered.
    pub fn perft(&self, depth: u32, mut first: impl FnMut(String, u64)) -> u64 {
        let mut total = 0;
        let below = depth.saturating_sub(1);
        match self {
            AnyPosition::Arimaa(position) => {
                Generator::new().for_each(position, |after, turn| {
                    let count = sequences(after, below);
                    total += count;
                    first(turn.to_string(), count);
                });
            }
            AnyPosition::Amazons(position) => {
                for played in position.moves() {
                    let after = position.board().after(position.to_move(), played);
                    let count = after.perft(position.to_move().other(), below);
                    total += count;
                    first(played.to_string(), count);
                }
            }
        }
        total
    }
}

fn sequences(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.outcome(Era::Modern, |_| 1).is_some() {
        return 0;
    }
    let mut generator = Generator::new();
    if depth == 1 {
        return generator.count(position) as u64;
    }
    let mut total = 0;
    generator.for_each(position, |after, _| total += sequences(after, depth - 1));
    total
}

impl Position {
    /// Sequences of one to `most` steps of one turn (at most [`MOST_STEPS`]), those that restore the board or leave a push open
    /// included.
    #[must_use]
    pub fn step_sequences(&self, most: u8) -> u64 {
        fn walk(steps: &Steps, most: u8) -> u64 {
            let mut made = 0;
            steps.for_each_next(|next| {
                let mut after = *steps;
                after.take(next);
                made += 1;
                if after.made() < most {
                    made += walk(&after, most);
                }
                true
            });
            made
        }
        walk(&Steps::begin(self), most.min(MOST_STEPS))
    }
}
