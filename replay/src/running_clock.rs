//! Both clocks of a game at an instant. The log holds what the clocks showed after each turn; what they show between
//! two turns is computed here, from the time at which the present turn began.

use annals_events::{Micros, Side};
use annals_rules::any_game::AnyGame;
use annals_rules::game::{NoClock, Rules as _};
use serde::Serialize;

use crate::game::GameReplay;

/// Both clocks at an instant, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RunningClocks {
    /// Gold's reserve; below 0 when overdrawn.
    pub gold_reserve: i64,
    /// Silver's reserve; below 0 when overdrawn.
    pub silver_reserve: i64,
    /// Seconds used by both sides so far.
    pub game_time: u64,
    /// The clock that runs (or is stopped in a halt); none once the game is over, or where no instant was asked for.
    pub running: Option<Running>,
}

/// The running clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Running {
    pub side: Side,
    /// Whole seconds since the turn began, halts left out.
    pub used: u32,
    /// Seconds of move time that are left before the reserve is drawn on.
    pub move_time_left: u32,
    /// Whether move time and reserve are used up, or the turn is longer than a turn may be.
    pub flag_fallen: bool,
    /// Whether play is halted, so that the clock is stopped.
    pub halted: bool,
}

/// Why the clocks of a game at an instant are not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClocksUnknown {
    #[error(transparent)]
    NoClock(#[from] NoClock),
    #[error("the time control gives neither move time nor reserve: the game was played without a clock")]
    Untimed,
}

impl GameReplay {
    /// Both clocks at an instant: the reserves, and of the side to move also what is left of its move time. Without an
    /// instant, and where the source does not tell the times of turns, what they showed after the last turn.
    ///
    /// # Errors
    /// When the game has no known clock.
    pub fn clocks_at(&self, at: Option<Micros>) -> Result<RunningClocks, ClocksUnknown> {
        let mut clock = self.game().clock()?;
        if clock.control().is_untimed() {
            return Err(ClocksUnknown::Untimed);
        }
        let running = at.filter(|_| !self.times_unknown() && !self.is_over()).and_then(|at| {
            let side = self.game().to_move()?;
            let (began, halted) = (self.game().turn_began()?, self.game().halted_at());
            let until = halted.map_or(at, |halted| halted.min(at));
            let used = u32::try_from(until.saturating_sub(began).max(0) / 1_000_000).unwrap_or(u32::MAX);
            let setup = self.game().state().is_some_and(|state| !AnyGame::counts_for_repetition(state));
            let free = clock.control().free_time(setup);
            // What the clock shows is what it would show if the turn were taken now, less what it would earn.
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
