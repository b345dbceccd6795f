//! Both clocks of a game at an instant: recorded after each turn, computed between turns.

use annals_events::{Micros, Side};
use annals_rules::any_game::AnyGame;
use annals_rules::game::{NoClock, Rules as _};
use serde::Serialize;

use crate::game::GameReplay;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RunningClocks {
    /// Below 0 when overdrawn.
    pub gold_reserve: i64,
    /// Below 0 when overdrawn.
    pub silver_reserve: i64,
    /// Of both sides, in seconds.
    pub game_time: u64,
    /// The running (or halted) clock; none after the end, or without an instant.
    pub running: Option<Running>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Running {
    pub side: Side,
    /// Whole seconds since the turn began, without halts.
    pub used: u32,
    /// Seconds left before the reserve is used.
    pub move_time_left: u32,
    /// Move time and reserve are used up, or the turn exceeds its limit.
    pub flag_fallen: bool,
    /// Halted: the clock is stopped.
    pub halted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClocksUnknown {
    #[error(transparent)]
    NoClock(#[from] NoClock),
    #[error("the time control gives neither move time nor reserve: the game was played without a clock")]
    Untimed,
    #[error("the times of turns are unknown, so the clocks at that time are too")]
    TimesUnknown,
}

impl GameReplay {
    /// Reserves at an instant, and the move time left of the side to move. Without an instant, as after the last turn.
    ///
    /// # Errors
    /// If the game has no known clock, or the times of its turns are unknown.
    pub fn clocks_at(&self, at: Option<Micros>) -> Result<RunningClocks, ClocksUnknown> {
        let mut clock = self.game().clock()?;
        if clock.control().is_untimed() {
            return Err(ClocksUnknown::Untimed);
        }
        if at.is_some() && self.times_unknown() && !self.is_over() {
            return Err(ClocksUnknown::TimesUnknown);
        }
        let running = at.filter(|_| !self.is_over()).and_then(|at| {
            let side = self.game().to_move()?;
            let (began, halted) = (self.game().turn_began()?, self.game().halted_at());
            let until = halted.map_or(at, |halted| halted.min(at));
            let used = u32::try_from(until.saturating_sub(began).max(0) / 1_000_000).unwrap_or(u32::MAX);
            let setup = self.game().state().is_some_and(|state| !AnyGame::counts_for_repetition(state));
            let free = clock.control().free_time(setup);
            // The display is that of a turn taken now, without its increment.
            let before = clock.figures().reserve(side);
            let charged = clock.charge(side, used, setup);
            clock.set_reserve(side, charged.reserve.min(before));
            let (move_time_left, flag_fallen) = (free.saturating_sub(used), charged.flag.is_some());
            Some(Running { side, used, move_time_left, flag_fallen, halted: halted.is_some() })
        });
        let figures = clock.figures();
        Ok(RunningClocks {
            gold_reserve: figures.reserve(Side::Gold),
            silver_reserve: figures.reserve(Side::Silver),
            game_time: figures.game_time,
            running,
        })
    }
}
