//! The gameroom's clock: use of move time and reserve, additions to the reserve, flag fall. Times used come from the
//! record.

mod control;
mod control_error;
mod span;

use annals_events::Side;

pub use control::{GameLimit, TimeControl};
pub use control_error::{ControlField, TimeControlError};

/// The clock after a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Figures {
    /// Gold's and Silver's in seconds; below 0 when overdrawn.
    pub reserves: [i64; 2],
    /// Of both sides, in seconds.
    pub game_time: u64,
    /// Completed, setups included.
    pub turns: u32,
}

impl Figures {
    /// In seconds.
    #[must_use]
    pub const fn reserve(&self, side: Side) -> i64 {
        self.reserves[side.index()]
    }
}

/// A running clock.
///
/// ```
/// use annals_events::Side;
/// use annals_rules::clock::{Clock, TimeControl};
///
/// let mut clock = Clock::new(TimeControl::parse("60s/5m/75/0/4h/4m").unwrap());
/// // 49 seconds are left over: three quarters of them, 36.75, are rounded to 37.
/// assert_eq!(clock.charge(Side::Gold, 11, false).reserve, 337);
/// assert_eq!(clock.figures().game_time, 11);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    figures: Figures,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlagFall {
    /// Move time and reserve are used up.
    OutOfTime {
        /// In seconds.
        over: u64,
    },
    /// Longer than T.
    TurnTooLong {
        /// In seconds.
        over: u32,
    },
}

/// The effect of a turn on the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChargeResult {
    /// Afterwards, in seconds; below 0 when overdrawn.
    pub reserve: i64,
    /// From the reserve, in seconds.
    pub drawn: u32,
    /// To the reserve, in seconds.
    pub added: u32,
    /// Lost on time, and why.
    pub flag: Option<FlagFall>,
}

/// What ends a turn that continues, and after how many seconds of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TurnEnd {
    Flag(u64),
    /// The game reaches its length.
    Limit(u64),
}

impl TurnEnd {
    #[must_use]
    pub const fn seconds(self) -> u64 {
        match self {
            TurnEnd::Flag(seconds) | TurnEnd::Limit(seconds) => seconds,
        }
    }

    /// None if the flag falls first.
    #[must_use]
    pub const fn limit(self) -> Option<u64> {
        match self {
            TurnEnd::Limit(seconds) => Some(seconds),
            TurnEnd::Flag(_) => None,
        }
    }
}

impl Clock {
    #[must_use]
    pub const fn new(control: TimeControl) -> Clock {
        let reserve = control.reserve() as i64;
        Clock { control, figures: Figures { reserves: [reserve; 2], game_time: 0, turns: 0 } }
    }

    #[must_use]
    pub const fn figures(&self) -> Figures {
        self.figures
    }

    #[must_use]
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Charges a completed turn; `used` in whole seconds. Time is drawn from the move time (at least a minute for a
    /// setup), then from the reserve; beyond both, or T, the flag falls, and the reserve is overdrawn. Unused move time
    /// times the percentage, rounded half up, is added to the reserve up to its limit; a larger reserve is unchanged.
    /// Unused setup time is never added. Without move time and reserve only the game time counts.
    pub fn charge(&mut self, side: Side, used: u32, setup: bool) -> ChargeResult {
        let control = self.control;
        let free = control.free_time(setup);
        let before = self.figures.reserves[side.index()];
        self.figures.game_time = self.figures.game_time.saturating_add(u64::from(used));
        self.figures.turns = self.figures.turns.saturating_add(1);

        let (mut drawn, mut added, mut flag) = (0, 0, None);
        let mut reserve = before;
        if control.is_untimed() {
        } else if used > free {
            drawn = used - free;
            reserve = before.saturating_sub(i64::from(drawn));
            if reserve < 0 {
                // Without what was overdrawn before.
                let over = reserve.min(0) - before.min(0);
                flag = Some(FlagFall::OutOfTime { over: over.unsigned_abs() });
            }
        } else if !setup {
            let unused = u64::from(free - used);
            let earned = (unused * u64::from(control.percent()) + 50) / 100;
            let full = before.saturating_add_unsigned(earned);
            reserve = match control.reserve_limit() {
                Some(limit) => full.min(before.max(i64::from(limit))),
                None => full,
            };
            added = u32::try_from(reserve.abs_diff(before)).unwrap_or(u32::MAX);
        }
        if let (false, Some(limit)) = (control.is_untimed(), control.turn_limit())
            && used > limit
        {
            flag = Some(FlagFall::TurnTooLong { over: used - limit });
        }
        self.figures.reserves[side.index()] = reserve;
        ChargeResult { reserve, drawn, added, flag }
    }

    /// In seconds.
    pub const fn set_reserve(&mut self, side: Side, seconds: i64) {
        self.figures.reserves[side.index()] = seconds;
    }

    /// Of both sides, in seconds.
    pub const fn set_game_time(&mut self, seconds: u64) {
        self.figures.game_time = seconds;
    }

    /// Whether the score decides: seconds of both sides, or turns per side, setups included.
    #[must_use]
    pub fn game_limit_reached(&self) -> bool {
        self.length().is_some_and(|(played, limit)| played >= limit)
    }

    /// Whether the last turn was in progress when the game reached its length; it does not count.
    #[must_use]
    pub fn game_limit_passed(&self) -> bool {
        self.length().is_some_and(|(played, limit)| played > limit)
    }

    /// Seconds of the last turn beyond the length of the game.
    #[must_use]
    pub fn past_limit(&self) -> u64 {
        match self.control.game_limit() {
            Some(GameLimit::Seconds(limit)) => self.figures.game_time.saturating_sub(limit.into()),
            _ => 0,
        }
    }

    /// In seconds; none without a length in time.
    #[must_use]
    pub fn game_time_left(&self) -> Option<u64> {
        match self.control.game_limit()? {
            GameLimit::Seconds(limit) => Some(u64::from(limit).saturating_sub(self.figures.game_time)),
            GameLimit::Turns(_) => None,
        }
    }

    /// Seconds before the flag falls; none without a clock.
    #[must_use]
    pub fn time_for_turn(&self, side: Side, setup: bool) -> Option<u64> {
        let control = self.control;
        if control.is_untimed() {
            return None;
        }
        let reserve = u64::try_from(self.figures.reserve(side)).unwrap_or(0);
        let both = reserve.saturating_add(control.free_time(setup).into());
        Some(control.turn_limit().map_or(both, |limit| both.min(limit.into())))
    }

    /// In the same second, the game's length takes precedence.
    #[must_use]
    pub fn turn_ends(&self, side: Side, setup: bool) -> Option<TurnEnd> {
        match (self.time_for_turn(side, setup), self.game_time_left()) {
            (Some(flag), Some(left)) if flag < left => Some(TurnEnd::Flag(flag)),
            (_, Some(left)) => Some(TurnEnd::Limit(left)),
            (flag, None) => flag.map(TurnEnd::Flag),
        }
    }

    /// The length so far and the limit, in one unit.
    fn length(&self) -> Option<(u64, u64)> {
        Some(match self.control.game_limit()? {
            GameLimit::Seconds(limit) => (self.figures.game_time, limit.into()),
            GameLimit::Turns(limit) => (self.figures.turns.into(), 2 * u64::from(limit)),
        })
    }

    /// Unused set-up time that the text of the Match Rules adds to the reserve, if the move time is a minute or more;
    /// the server does not add it.
    pub(crate) fn unused_setup_time(&self, side: Side, used: u32) -> i64 {
        let control = self.control;
        if control.move_time() < 60 || used >= control.move_time() {
            return 0;
        }
        let mut clock = *self;
        clock.charge(side, used, false);
        clock.figures.reserve(side).saturating_sub(self.figures.reserve(side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(control: &str, reserve: i64) -> Clock {
        let mut clock = Clock::new(TimeControl::parse(control).unwrap());
        clock.set_reserve(Side::Gold, reserve);
        clock
    }

    fn after(control: &str, reserve: i64, used: u32, setup: bool) -> Option<i64> {
        let result = clock(control, reserve).charge(Side::Gold, used, setup);
        if result.flag.is_none() { Some(result.reserve) } else { None }
    }

    #[test]
    fn unused_time_is_rounded_half_up() {
        assert_eq!(after("60s/5m/75/0/4h/4m", 300, 10, false), Some(338));
        assert_eq!(after("60s/5m/75/0/4h/4m", 300, 11, false), Some(337));
        assert_eq!(after("60s/5m/75/0/4h/4m", 300, 60, false), Some(300));
        assert_eq!(after("60s/5m/75/0/4h/4m", 300, 200, false), Some(160));
    }

    #[test]
    fn the_flag_falls_out_of_both_times_or_past_the_longest_turn() {
        let mut long = clock("60s/5m/75/0/4h/4m", 300);
        assert_eq!(long.charge(Side::Gold, 241, false).flag, Some(FlagFall::TurnTooLong { over: 1 }));
        let mut empty = clock("60s/5m/75/0/4h/4m", 30);
        let result = empty.charge(Side::Gold, 91, false);
        assert_eq!(result.flag, Some(FlagFall::OutOfTime { over: 1 }));
        assert_eq!((result.reserve, empty.figures().reserve(Side::Gold)), (-1, -1));
        assert_eq!(empty.charge(Side::Gold, 70, false).flag, Some(FlagFall::OutOfTime { over: 10 }));
        assert_eq!(after("60s/5m/75/0/4h/4m", 30, 90, false), Some(0));
    }

    #[test]
    fn a_fixed_time_for_a_game_only_runs_down_and_the_flag_falls_when_it_is_used_up() {
        let mut clock = Clock::new(TimeControl::parse("game 1m").unwrap());
        assert_eq!(clock.charge(Side::Gold, 0, false).reserve, 60);
        assert_eq!(clock.charge(Side::Gold, 25, false).reserve, 35);
        assert_eq!(
            clock.charge(Side::Silver, 60, false),
            ChargeResult { reserve: 0, drawn: 60, added: 0, flag: None }
        );
        let late = clock.charge(Side::Gold, 36, false);
        assert_eq!((late.reserve, late.flag), (-1, Some(FlagFall::OutOfTime { over: 1 })));
        assert_eq!(clock.charge(Side::Silver, 1, false).flag, Some(FlagFall::OutOfTime { over: 1 }));
    }

    #[test]
    fn the_reserve_stops_at_its_limit_and_is_left_alone_above_it() {
        assert_eq!(after("0:30/5/100/3", 300, 5, false), Some(300));
        assert_eq!(after("0:30/5/100/3", 170, 5, false), Some(180));
        assert_eq!(after("0:30/5/100/3", 300, 40, false), Some(290));
    }

    #[test]
    fn a_setup_has_a_minute_and_earns_nothing() {
        assert_eq!(after("15s/2m30s/100", 150, 60, true), Some(150));
        assert_eq!(after("15s/2m30s/100", 150, 61, true), Some(149));
        assert_eq!(after("2/2/100/10", 120, 5, true), Some(120));
        assert_eq!(after("2/2/100/10", 120, 121, true), Some(119));
    }

    #[test]
    fn without_move_time_and_reserve_there_is_no_clock() {
        let mut clock = clock("0/0/0/0/0/1", 0);
        let result = clock.charge(Side::Gold, 5_000, false);
        assert_eq!(result, ChargeResult { reserve: 0, drawn: 0, added: 0, flag: None });
        assert_eq!(clock.figures().game_time, 5_000);
    }

    #[test]
    fn the_length_of_the_game_is_reached_in_seconds_or_in_turns_of_each_side() {
        let mut by_time = clock("2/2/100/0/0:01", 120);
        by_time.charge(Side::Gold, 59, false);
        assert!(!by_time.game_limit_reached());
        by_time.charge(Side::Silver, 1, false);
        assert!(by_time.game_limit_reached() && !by_time.game_limit_passed());
        assert_eq!((by_time.past_limit(), by_time.game_time_left()), (0, Some(0)));
        by_time.charge(Side::Gold, 2, false);
        assert!(by_time.game_limit_passed());
        assert_eq!((by_time.past_limit(), by_time.game_time_left()), (2, Some(0)));

        let mut by_turns = clock("2/2/100/0/2t", 120);
        for (n, side) in [Side::Gold, Side::Silver, Side::Gold, Side::Silver].into_iter().enumerate() {
            assert!(!by_turns.game_limit_reached(), "after {n} turns");
            by_turns.charge(side, 1, n < 2);
        }
        assert!(by_turns.game_limit_reached() && !by_turns.game_limit_passed());
        assert_eq!((by_turns.past_limit(), by_turns.game_time_left()), (0, None));
    }

    #[test]
    fn reserves_of_any_size_neither_overflow_nor_panic() {
        for reserve in [i64::MIN, i64::MAX] {
            for used in [0, u32::MAX] {
                clock("36500d/36500d/1000", reserve).charge(Side::Gold, used, false);
            }
        }
    }
}
