//! How much time a turn may take: from what a controller says of the clock, to the time that the search gets.

use std::time::Duration;

/// What is known of the clock when a turn is to be chosen. All that is not said is zero or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockFacts {
    /// Time for each turn.
    pub move_time: Duration,
    /// The reserve at the start of the game.
    pub start_reserve: Duration,
    /// What is left of the reserve; none where nobody said, so that it is still that of the start.
    pub reserve: Option<Duration>,
    /// The longest that one turn may take.
    pub turn_limit: Option<Duration>,
    /// How much of this turn's time is gone already.
    pub used: Duration,
}

impl ClockFacts {
    /// No clock at all.
    pub const UNTIMED: ClockFacts = ClockFacts {
        move_time: Duration::ZERO,
        start_reserve: Duration::ZERO,
        reserve: None,
        turn_limit: None,
        used: Duration::ZERO,
    };
}

/// The least time that a search gets, however little is left.
const LEAST: Duration = Duration::from_millis(5);

/// The time for one turn; none where there is no clock. It is the turn's own time and a sixteenth of the reserve, less
/// what is kept back for the way between the programs, and never more than nearly all that is left.
#[must_use]
pub fn allotment(facts: &ClockFacts) -> Option<Duration> {
    let timed = !facts.move_time.is_zero() || !facts.start_reserve.is_zero() || facts.reserve.is_some();
    let reserve = facts.reserve.unwrap_or(facts.start_reserve);
    let mut left = facts.move_time.saturating_add(reserve);
    let mut wanted = facts.move_time.saturating_add(reserve / 16);
    match facts.turn_limit {
        Some(limit) => {
            left = if timed { left.min(limit) } else { limit };
            wanted = if timed { wanted.min(limit) } else { limit };
        }
        None if !timed => return None,
        None => {}
    }
    let left = left.saturating_sub(facts.used);
    let wanted = wanted.saturating_sub(facts.used);
    let kept_back = (left / 10).clamp(Duration::from_millis(15), Duration::from_millis(400));
    Some(wanted.min(left).saturating_sub(kept_back).max(LEAST))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_turn_gets_its_own_time_and_a_part_of_the_reserve_and_never_all_that_is_left() {
        let facts = ClockFacts { move_time: seconds(15), start_reserve: seconds(160), ..ClockFacts::UNTIMED };
        assert_eq!(allotment(&facts), Some(Duration::from_millis(24_600)));
        let late = ClockFacts { reserve: Some(Duration::ZERO), ..facts };
        assert_eq!(allotment(&late), Some(Duration::from_millis(14_600)));
        let quick = ClockFacts { move_time: Duration::from_millis(100), ..ClockFacts::UNTIMED };
        assert_eq!(allotment(&quick), Some(Duration::from_millis(85)));
        let limited = ClockFacts { turn_limit: Some(seconds(4)), ..facts };
        assert_eq!(allotment(&limited), Some(Duration::from_millis(3_600)));
    }

    #[test]
    fn without_a_clock_there_is_no_limit_and_with_nothing_left_the_least_time() {
        assert_eq!(allotment(&ClockFacts::UNTIMED), None);
        let over = ClockFacts { move_time: seconds(3), used: seconds(9), ..ClockFacts::UNTIMED };
        assert_eq!(allotment(&over), Some(LEAST));
        let spent =
            ClockFacts { start_reserve: seconds(60), reserve: Some(Duration::ZERO), ..ClockFacts::UNTIMED };
        assert_eq!(allotment(&spent), Some(LEAST));
        let limit = ClockFacts { turn_limit: Some(seconds(2)), ..ClockFacts::UNTIMED };
        assert_eq!(allotment(&limit), Some(Duration::from_millis(1_800)));
    }
}
