//! One completed turn, with the states around it.

use std::fmt;

use annals_events::Side;

use super::beside::Beside;
use super::contract::{Outcome, Played, Rules};
use crate::clock::FlagFall;
use crate::scoring::Lead;

pub struct Ply<R: Rules> {
    /// As labelled (setups are 1).
    pub number: u32,
    pub side: Side,
    /// Its effect.
    pub played: Played,
    /// With everything the next turn depends on.
    pub state_after: R::State,
    /// With the side to move.
    pub hash_before: u64,
    /// With the side to move.
    pub hash_after: u64,
    /// None while undecided. In an archive play may continue after an outcome.
    pub outcome: Option<Outcome>,
    /// Gold's and Silver's, after it.
    pub piece_counts: [u32; 2],
    /// Completed, in microseconds since the Unix epoch, if stated.
    pub at: Option<i64>,
    /// In seconds, if stated.
    pub used: Option<u32>,
    /// By the clock, in seconds; none without one.
    pub gold_reserve: Option<i64>,
    /// By the clock, in seconds; none without one.
    pub silver_reserve: Option<i64>,
    /// Of both sides, by the clock; none if unknown.
    pub game_time: Option<u64>,
    /// None without recorded figures.
    pub clock_matches: Option<bool>,
    /// The mover's flag by the clock.
    pub flag: Option<FlagFall>,
    /// The record differs from the clock by more than unused setup time.
    pub clock_differs: bool,
    /// The record adds unused setup time to the reserve, which the clock never does.
    pub adds_setup_time: bool,
    /// Completed after the game length, so that it does not count.
    pub past_limit: bool,
    /// Its position counts for repetition.
    pub(super) counted: bool,
    pub(super) lead: Lead,
    pub(super) clock_before: Option<Beside>,
    pub(super) clock_after: Option<Beside>,
}

impl<R: Rules> Ply<R> {
    /// Unused setup time that the text of the Match Rules adds, in seconds.
    pub(super) fn unused_setup_time(&self) -> i64 {
        let clock = self.clock_before.filter(|_| self.played.setup);
        clock.zip(self.used).map_or(0, |(clock, used)| clock.at_least().unused_setup_time(self.side, used))
    }

    /// Who has, or last had, more pieces: decides at the game length.
    #[must_use]
    pub const fn lead(&self) -> Lead {
        self.lead
    }
}

impl<R: Rules> Clone for Ply<R> {
    fn clone(&self) -> Ply<R> {
        Ply { state_after: self.state_after.clone(), ..*self }
    }
}

impl<R: Rules> fmt::Debug for Ply<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ply")
            .field("number", &self.number)
            .field("side", &self.side)
            .field("played", &self.played)
            .field("state_after", &self.state_after)
            .field("hash_before", &self.hash_before)
            .field("hash_after", &self.hash_after)
            .field("outcome", &self.outcome)
            .field("piece_counts", &self.piece_counts)
            .field("at", &self.at)
            .field("used", &self.used)
            .field("gold_reserve", &self.gold_reserve)
            .field("silver_reserve", &self.silver_reserve)
            .field("game_time", &self.game_time)
            .field("clock_matches", &self.clock_matches)
            .field("flag", &self.flag)
            .field("clock_differs", &self.clock_differs)
            .field("adds_setup_time", &self.adds_setup_time)
            .field("past_limit", &self.past_limit)
            .field("counted", &self.counted)
            .field("lead", &self.lead)
            .field("clock_before", &self.clock_before)
            .field("clock_after", &self.clock_after)
            .finish()
    }
}
