//! The legality of a move.

use annals_events::Side;

use super::board::{Board, Content};
use super::illegal::{Illegal, Part};
use super::moves::Move;
use super::position::Position;
use super::square::Square;

impl Board {
    /// The first occupied square of a path, the target included.
    fn first_taken(&self, from: Square, to: Square, vacated: u128) -> Option<(Square, Content)> {
        let step = |a: u8, b: u8| (i16::from(b) - i16::from(a)).signum();
        let (file_step, rank_step) = (step(from.file(), to.file()), step(from.rank(), to.rank()));
        let mut here = from;
        while here != to {
            let file = u8::try_from(i16::from(here.file()) + file_step).ok()?;
            let rank = u8::try_from(i16::from(here.rank()) + rank_step).ok()?;
            here = Square::at(file, rank)?;
            if let Some(content) = self.at(here)
                && self.size().bit(here) & vacated == 0
            {
                return Some((here, content));
            }
        }
        None
    }

    /// Why a move is illegal, if it is.
    fn objection(&self, side: Side, played: Move) -> Option<Illegal> {
        for square in [played.from, played.to, played.block] {
            if !self.size().has(square) {
                return Some(Illegal::OffBoard { square, size: self.size() });
            }
        }
        let Move { from, to, block } = played;
        let found = self.at(from);
        if found != Some(Content::Queen(side)) {
            return Some(Illegal::NoQueen { square: from, side, found });
        }
        let vacated = self.size().bit(from);
        for (part, start, goal, free) in [(Part::Queen, from, to, 0), (Part::Block, to, block, vacated)] {
            if start == goal {
                return Some(Illegal::NotMoved { part, square: start });
            }
            let (files, ranks) = (start.file().abs_diff(goal.file()), start.rank().abs_diff(goal.rank()));
            if files != 0 && ranks != 0 && files != ranks {
                return Some(Illegal::NotALine { part, from: start, to: goal });
            }
            if let Some((at, by)) = self.first_taken(start, goal, free) {
                return Some(Illegal::Obstructed { part, from: start, to: goal, at, by });
            }
        }
        None
    }
}

impl Position {
    /// # Errors
    /// If the move is illegal; the error names the rule.
    pub fn play(&self, played: Move) -> Result<Position, Illegal> {
        match self.board().objection(self.to_move(), played) {
            Some(illegal) => Err(illegal),
            None => {
                let mut after = *self;
                after.make(played);
                Ok(after)
            }
        }
    }
}
