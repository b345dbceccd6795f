//! Random play: legal, and biased towards a plausible length. Turns are built from legal steps, without generating all
//! turns.

use annals_events::Side;
use annals_rules::arimaa::{Generator, NextStep, Pending, Piece, Position, Square, Steps, Token};
use annals_rules::game::Era;
use annals_rules::seeded::Rng;

/// Plays random turns with reusable buffers.
#[derive(Default)]
pub(super) struct Player {
    next: Vec<NextStep>,
    /// Of the last turn.
    pub tokens: Vec<Token>,
    /// A turn ending in a push, if one occurred.
    pub unfinished: Vec<Token>,
}

/// Attempts before all turns are searched.
const TRIES: u32 = 30;

impl Player {
    /// A random setup into `self.tokens`: officers mostly in front, rabbits mostly behind.
    pub fn setup(&mut self, side: Side, rng: &mut Rng) {
        use Piece::{Camel, Cat, Dog, Elephant, Horse, Rabbit};
        let mut front = [Elephant, Camel, Horse, Horse, Dog, Dog, Cat, Cat];
        let mut back = [Rabbit; 8];
        rng.shuffle(&mut front);
        for _ in 0..rng.below(4) {
            let (a, b) = (rng.below(8) as usize, rng.below(8) as usize);
            std::mem::swap(&mut front[a], &mut back[b]);
        }
        let (front_rank, back_rank) = match side {
            Side::Gold => (1, 0),
            Side::Silver => (6, 7),
        };
        self.tokens.clear();
        for (rank, pieces) in [(front_rank, front), (back_rank, back)] {
            for (file, piece) in (0..8).zip(pieces) {
                if let Some(square) = Square::at(file, rank) {
                    self.tokens.push(Token::new(side, piece, square, annals_rules::arimaa::Action::Place));
                }
            }
        }
    }

    /// A random legal turn into `self.tokens`, and the position after it. `line` has the hashes of the game. None
    /// without a turn.
    pub fn turn(&mut self, start: &Position, line: &[u64], era: Era, rng: &mut Rng) -> Option<Position> {
        let stands = |after: &Position| {
            era == Era::Early || line.iter().filter(|hash| **hash == after.hash()).count() < 2
        };
        for _ in 0..TRIES {
            self.tokens.clear();
            self.unfinished.clear();
            let steps = self.steps(start, rng);
            if let Ok(after) = steps.finish(start)
                && stands(&after)
            {
                return Some(after);
            }
        }
        let mut turns = Vec::new();
        Generator::new().for_each(start, |after, turn| {
            if turns.len() < 64 && stands(after) {
                turns.push((*after, *turn));
            }
        });
        if turns.is_empty() {
            return None;
        }
        let (after, turn) = rng.pick(&turns);
        self.tokens.clear();
        self.tokens.extend_from_slice(turn.tokens());
        Some(*after)
    }

    fn steps(&mut self, start: &Position, rng: &mut Rng) -> Steps {
        let mut steps = Steps::begin(start);
        let wanted = if rng.chance(850) { 4 } else { rng.between(1, 3) as u8 };
        loop {
            self.next.clear();
            let next = &mut self.next;
            steps.for_each_next(|step| {
                next.push(step);
                true
            });
            if next.is_empty() {
                return steps;
            }
            let (step, after, captured) = best_of_three(&self.next, &steps, rng);
            self.tokens.push(step.token());
            self.tokens.extend(captured);
            steps = after;
            if matches!(steps.pending(), Pending::Push { .. }) {
                self.unfinished.clear();
                self.unfinished.extend_from_slice(&self.tokens);
            } else if steps.made() >= wanted {
                return steps;
            }
        }
    }
}

/// The best-looking of three random steps.
fn best_of_three(next: &[NextStep], steps: &Steps, rng: &mut Rng) -> (NextStep, Steps, Option<Token>) {
    let mut best: Option<(u32, NextStep, Steps, Option<Token>)> = None;
    for _ in 0..3 {
        let step = *rng.pick(next);
        let mut after = *steps;
        let captured = after.take(step);
        let score = score(&step, captured, steps.mover()) + rng.below(8);
        if best.as_ref().is_none_or(|(best, ..)| score > *best) {
            best = Some((score, step, after, captured));
        }
    }
    let (_, step, after, captured) = best.unwrap_or_else(|| {
        let mut after = *steps;
        let captured = after.take(next[0]);
        (0, next[0], after, captured)
    });
    (step, after, captured)
}

fn score(step: &NextStep, captured: Option<Token>, mover: Side) -> u32 {
    let token = step.token();
    let capture = match captured {
        Some(captured) if captured.side() == mover => return 0,
        Some(_) => 12,
        None => 0,
    };
    let (from, to) = (u32::from(step.from.rank()), u32::from(step.to.rank()));
    let (from, to) = if mover == Side::Gold { (from, to) } else { (7 - from, 7 - to) };
    let move_on = match (token.side() == mover, token.piece() == Piece::Rabbit) {
        // A rabbit's step forward, more so near the goal.
        (true, true) if to > from => 4 + if to >= 5 { to } else { 0 },
        (true, true) => 3,
        (true, false) if to > from && to <= 5 => 6,
        (true, false) => 4,
        // An enemy rabbit is better pushed back.
        (false, true) if to > from => 7,
        (false, true) => 2,
        (false, false) => 5,
    };
    capture + move_on
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_rules::arimaa::{State, Turn};
    use annals_rules::game::{Rules, Strictness};

    #[test]
    fn every_random_turn_is_legal_to_the_letter_and_games_come_to_an_end() {
        let (mut plies, mut ended) = (0, 0);
        for seed in 0..60 {
            let mut rng = Rng::of(&[seed]);
            let mut player = Player::default();
            let mut state = State::new(Era::Modern);
            for side in Side::BOTH {
                player.setup(side, &mut rng);
                let mut turn = Turn::parse(b"").unwrap();
                assert!(player.tokens.iter().all(|token| turn.push(*token)));
                state.play_turn(&turn, Strictness::Strict, |_| 0).unwrap();
            }
            let mut line = vec![state.position().hash()];
            for _ in 0..400 {
                let seen = |hash: u64| line.iter().filter(|seen| **seen == hash).count() as u32;
                if annals_rules::arimaa::Arimaa::outcome(&state, seen).is_some() {
                    ended += 1;
                    break;
                }
                let after = player.turn(state.position(), &line, Era::Modern, &mut rng).unwrap();
                let mut turn = Turn::parse(b"").unwrap();
                assert!(player.tokens.iter().all(|token| turn.push(*token)));
                state.play_turn(&turn, Strictness::Strict, seen).unwrap();
                assert_eq!(*state.position(), after);
                line.push(after.hash());
                plies += 1;
            }
        }
        assert!(ended > 40, "{ended} of 60 games ended");
        assert!((20..150).contains(&(plies / 60)), "{} plies a game", plies / 60);
        println!("{ended} of 60 ended, {} plies a game", plies / 60);
    }
}
