//! The time that a side used.

use std::time::Duration;

use annals_rules::clock::Clock;

/// Added before rounding down, so that the result is the nearest second.
pub(super) const HALF_A_SECOND: Duration = Duration::from_millis(500);

/// The time of a side that is not charged yet, if one time is fixed for all moves of a game: the remainder of rounding a turn
/// counts with the next one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    pub(super) real: Duration,
    pub(super) charged: u64,
}

impl Spent {
    /// With one more turn, rounded to the nearest second; half a second is a whole one. Every turn is rounded separately, except
    /// if one time is fixed for all of them.
    pub(super) fn after(self, elapsed: Duration, clock: Option<&Clock>) -> Spent {
        let one_time = clock.is_some_and(|clock| clock.control().whole_game().is_some());
        let real = self.real.saturating_add(elapsed);
        let counted = if one_time { real } else { elapsed };
        let rounded = in_seconds(counted);
        let charged = if one_time { rounded.max(self.charged) } else { self.charged.saturating_add(rounded) };
        Spent { real, charged }
    }
}

/// Rounded to the nearest second; half a second is a whole one.
pub(super) fn in_seconds(elapsed: Duration) -> u64 {
    elapsed.saturating_add(HALF_A_SECOND).as_secs()
}
