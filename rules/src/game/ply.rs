//! One completed turn in the line of a game, with what stood before and after it.

use std::fmt;

use annals_events::Side;

use super::beside::Beside;
use super::contract::{Outcome, Played, Rules};
use crate::clock::FlagFall;
use crate::scoring::Lead;

/// One completed turn, and the game after it.
pub struct Ply<R: Rules> {
    /// The number of the turn, as the record labels it (setups are 1).
    pub number: u32,
    pub side: Side,
    /// What it did.
    pub played: Played,
    /// The position after it, with everything the next turn depends on.
    pub state_after: R::State,
    /// Hash of the position before it, with the side to move.
    pub hash_before: u64,
    /// Hash of the position after it, with the side to move.
    pub hash_after: u64,
    /// What the board says after it; none while the game goes on. Where an archive plays on all the same, a ply
    /// with an outcome is not the last.
    pub outcome: Option<Outcome>,
    /// Gold's and Silver's pieces on the board after it.
    pub piece_counts: [u32; 2],
    /// When it was completed, in microseconds since the Unix epoch; none where the source does not say.
    pub at: Option<i64>,
    /// Seconds used; none where the source does not say.
    pub used: Option<u32>,
    /// Gold's reserve after it by our clock, in seconds; none where there is no clock.
    pub gold_reserve: Option<i64>,
    /// Silver's reserve after it by our clock, in seconds; none where there is no clock.
    pub silver_reserve: Option<i64>,
    /// Seconds used by both sides after it, by our clock; none where unknown.
    pub game_time: Option<u64>,
    /// Whether our clock shows what the record shows; none where there is nothing to compare.
    pub clock_matches: Option<bool>,
    /// Whether the mover's flag had fallen by our clock, and why.
    pub flag: Option<FlagFall>,
    /// Whether the record shows another clock than ours, by more than unused time of a setup.
    pub clock_differs: bool,
    /// Whether the record adds unused time of this setup to the reserve, which our clock never does.
    pub adds_setup_time: bool,
    /// Whether it was completed after the game had reached its length, so that it does not count.
    pub past_limit: bool,
    /// Whether the position after it counts for repetitions.
    pub(super) counted: bool,
    pub(super) lead: Lead,
    pub(super) clock_before: Option<Beside>,
    pub(super) clock_after: Option<Beside>,
}

impl<R: Rules> Ply<R> {
    /// Seconds of unused time of this setup that the text of the Match Rules adds to the reserve.
    pub(super) fn unused_setup_time(&self) -> i64 {
        let clock = self.clock_before.filter(|_| self.played.setup);
        clock.zip(self.used).map_or(0, |(clock, used)| clock.at_least().unused_setup_time(self.side, used))
    }

    /// Who has, or most recently had, more pieces: decides at the limit of the game's length.
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
