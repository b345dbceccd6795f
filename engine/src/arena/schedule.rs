//! The schedule of games, with colours and openings: round robins and gauntlets. A schedule is a value that follows
//! from its numbers alone, and game `k` does not depend on the games before it.
//!
//! Two contestants meet in pairs of games: both games of a pair have the same opening (the seed from which setups and early
//! noise follow), with the colours exchanged, so that a lucky opening helps both. All play the same openings.

use annals_rules::seeded::Rng;

/// The kind of schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// All against all.
    RoundRobin,
    /// One against each of the others.
    Gauntlet {
        /// The one, by index.
        challenger: usize,
    },
}

/// Why there is no schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    #[error("a schedule takes two contestants at least, and there are {contestants}")]
    TooFew { contestants: usize },
    /// The challenger is not among the contestants.
    #[error(
        "contestant {challenger} is to play against all others, but there are only {contestants} (from 0)"
    )]
    NoSuchChallenger { challenger: usize, contestants: usize },
    #[error("{contestants} contestants and {openings} openings make more games than can be counted")]
    TooMany { contestants: usize, openings: u64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fixture {
    /// Its place in the schedule, from 0.
    pub game: u64,
    /// The pair of games that it belongs to: both have the same number.
    pub pair: u64,
    /// The contestant with Gold, by index.
    pub gold: usize,
    /// The contestant with Silver, by index.
    pub silver: usize,
    /// The seed of the opening.
    pub opening: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The pairings in the order in which each opening is played; the first of two has Gold first.
    meetings: Vec<(usize, usize)>,
    openings: u64,
    seed: u64,
    /// Whether the last opening is played with one colour only.
    odd: bool,
}

impl Schedule {
    /// A schedule in which each pairing plays two games from each opening.
    ///
    /// # Errors
    /// When there are fewer than two contestants, no such challenger, or more games than can be counted.
    pub fn new(
        format: Format,
        contestants: usize,
        openings: u64,
        seed: u64,
    ) -> Result<Schedule, ScheduleError> {
        if contestants < 2 {
            return Err(ScheduleError::TooFew { contestants });
        }
        let meetings = match format {
            Format::RoundRobin => round_robin(contestants),
            Format::Gauntlet { challenger } if challenger < contestants => (0..contestants)
                .filter(|other| *other != challenger)
                .map(|other| (challenger, other))
                .collect(),
            Format::Gauntlet { challenger } => {
                return Err(ScheduleError::NoSuchChallenger { challenger, contestants });
            }
        };
        let games = (meetings.len() as u64).checked_mul(2).and_then(|games| games.checked_mul(openings));
        games.ok_or(ScheduleError::TooMany { contestants, openings })?;
        Ok(Schedule { meetings, openings, seed, odd: false })
    }

    /// A schedule in which each pairing plays a number of games. If it is odd, the last opening is played with one colour only.
    ///
    /// # Errors
    /// As [`Schedule::new`].
    pub fn of_games(
        format: Format,
        contestants: usize,
        games: u32,
        seed: u64,
    ) -> Result<Schedule, ScheduleError> {
        let schedule = Schedule::new(format, contestants, u64::from(games.div_ceil(2)), seed)?;
        Ok(Schedule { odd: games % 2 == 1, ..schedule })
    }

    #[must_use]
    pub fn games(&self) -> u64 {
        let meetings = self.meetings.len() as u64;
        self.openings * meetings * 2 - if self.odd { meetings } else { 0 }
    }

    /// A game by its place; none beyond the last.
    #[must_use]
    pub fn game(&self, game: u64) -> Option<Fixture> {
        let meetings = self.meetings.len() as u64;
        let whole = if self.odd { (self.openings - 1) * meetings * 2 } else { u64::MAX };
        // For an opening that is played with one colour only, every second game is omitted.
        let game = game.saturating_add(game.saturating_sub(whole));
        let pair = game / 2;
        let (opening, meeting) = (pair / meetings, pair % meetings);
        if opening >= self.openings {
            return None;
        }
        let (a, b) = *self.meetings.get(usize::try_from(meeting).ok()?)?;
        let (gold, silver) = if game.is_multiple_of(2) { (a, b) } else { (b, a) };
        Some(Fixture { game, pair, gold, silver, opening: opening_seed(self.seed, opening) })
    }

    /// All games in order: every pairing has played an opening before the next one begins, so that a match that is
    /// stopped early is fair.
    pub fn iter(&self) -> impl Iterator<Item = Fixture> + '_ {
        (0..self.games()).filter_map(|game| self.game(game))
    }
}

/// The seed of an opening: that of the schedule and its number.
#[must_use]
pub fn opening_seed(seed: u64, opening: u64) -> u64 {
    Rng::of(&[seed, 0x6f70_656e, opening]).any()
}

/// All pairings by the circle method: one contestant is fixed, the others rotate by one place from round to round, so that
/// each plays once per round (one rests if their number is odd).
fn round_robin(contestants: usize) -> Vec<(usize, usize)> {
    let seats = contestants + contestants % 2;
    let turning = seats - 1;
    let mut meetings = Vec::with_capacity(contestants * (contestants - 1) / 2);
    for round in 0..turning {
        for place in 0..seats / 2 {
            let at = |seat: usize| if seat == 0 { 0 } else { 1 + (seat - 1 + round) % turning };
            let (a, b) = (at(place), at(seats - 1 - place));
            if a < contestants && b < contestants {
                meetings.push((a.min(b), a.max(b)));
            }
        }
    }
    meetings
}
