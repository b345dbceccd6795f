//! The games of a match and their order.

use annals_engine::arena::schedule::{Fixture, Format, Schedule};

use crate::errors::CliError;

/// The games of a match in order: a schedule of pairs, of which the last opening may be played with one colour only.
pub struct Program {
    schedule: Schedule,
    /// Games of openings that are played with both colours.
    whole: u64,
    /// How many there are altogether.
    pub games: usize,
}

impl Program {
    pub fn new(contestants: usize, games: u32, gauntlet: bool, seed: u64) -> Result<Program, CliError> {
        let format = if gauntlet { Format::Gauntlet { challenger: 0 } } else { Format::RoundRobin };
        let openings = u64::from(games.div_ceil(2));
        let schedule = Schedule::new(format, contestants, openings, seed)?;
        let (all, odd) = (schedule.games(), games % 2 == 1);
        let last = all / openings.max(1);
        let whole = if odd { all - last } else { all };
        let games = usize::try_from(if odd { all - last / 2 } else { all })?;
        Ok(Program { schedule, whole, games })
    }

    pub fn game(&self, game: usize) -> Option<Fixture> {
        let game = game as u64;
        let beyond = game.saturating_sub(self.whole);
        self.schedule.game(game.saturating_add(beyond))
    }
}

#[cfg(test)]
mod tests {
    use super::Program;

    #[test]
    fn every_two_contestants_have_the_same_number_of_games_and_colours_change() {
        let pairs = |contestants, games, gauntlet| {
            let program = Program::new(contestants, games, gauntlet, 1).unwrap();
            assert!(program.game(program.games).is_none());
            let fixture = |game| program.game(game).map(|fixture| [fixture.gold, fixture.silver]).unwrap();
            (0..program.games).map(fixture).collect::<Vec<_>>()
        };
        assert_eq!(pairs(2, 3, false), [[0, 1], [1, 0], [0, 1]]);
        assert_eq!(pairs(3, 2, true), [[0, 1], [1, 0], [0, 2], [2, 0]]);
        for games in 1..6 {
            let all = pairs(4, games, false);
            for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let count = |pair| all.iter().filter(|met| **met == pair).count() as u32;
                let (with_gold, with_silver) = (count([a, b]), count([b, a]));
                assert_eq!((with_gold + with_silver, with_gold - with_silver), (games, games % 2), "{all:?}");
            }
        }
    }
}
