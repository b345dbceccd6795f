//! How long to think about a turn, from what the clock shows.
//!
//! The move time is for use: what of it is left over goes to the reserve at a discount, or nowhere. The reserve is spread over
//! the turns that may still come. Clocks count whole seconds and the way to the controller takes time too, so something is
//! always left of the last second.

use std::time::Duration;

use annals_events::Side;
use annals_rules::clock::{Clock, GameLimit};

/// What is left of the time that a turn is meant to take, for the way to the clock: a second, or a third of what there is.
pub const MARGIN: Duration = Duration::from_secs(1);

/// Turns over which the reserve is spread, where the length of the game does not say.
const TURNS_TO_COME: u64 = 25;

/// The fewest turns over which the reserve is spread, however near the end of the game seems: scoring may come later.
const FEWEST_TURNS: u64 = 4;

/// Seconds for a setup, which takes no search.
const SETUP: u64 = 1;

/// How long a side may think about its next turn; none where there is no clock. Thinking so long, and then being charged up to
/// [`MARGIN`] more (a third where that is all there is), overdraws nothing. It is no time at all where nothing is left.
#[must_use]
pub fn time_for_turn(clock: &Clock, side: Side, setup: bool) -> Option<Duration> {
    let control = clock.control();
    if control.is_untimed() {
        return None;
    }
    let reserve = u64::try_from(clock.figures().reserve(side)).unwrap_or(0);
    let free = u64::from(control.free_time(setup));
    let turn_limit = control.turn_limit().map_or(u64::MAX, u64::from);
    let most = free.saturating_add(reserve).min(turn_limit);
    if setup {
        return Some(without_margin(most.min(SETUP)));
    }
    // Time that would go to a full reserve is better spent, and the same turn may take it from there.
    let wanted = free.saturating_add(reserve / turns_to_come(clock));
    Some(without_margin(wanted.min(most)))
}

/// Over how many own turns the reserve is spread.
fn turns_to_come(clock: &Clock) -> u64 {
    let figures = clock.figures();
    let turns = match clock.control().game_limit() {
        None => TURNS_TO_COME,
        Some(GameLimit::Turns(limit)) => {
            (2 * u64::from(limit)).saturating_sub(u64::from(figures.turns)) / 2 + 1
        }
        Some(GameLimit::Seconds(limit)) => {
            let left = u64::from(limit).saturating_sub(figures.game_time);
            left / (2 * u64::from(clock.control().move_time()).max(1)) + 1
        }
    };
    turns.clamp(FEWEST_TURNS, TURNS_TO_COME)
}

fn without_margin(seconds: u64) -> Duration {
    let whole = Duration::from_secs(seconds);
    whole.saturating_sub(MARGIN.min(whole / 3))
}

#[cfg(test)]
mod tests {
    use annals_rules::clock::{Figures, TimeControl};
    use annals_rules::seeded::Rng;

    use super::*;

    fn clock(control: &str, reserve: i64) -> Clock {
        let mut clock = Clock::new(TimeControl::parse(control).unwrap());
        clock.set_reserve(Side::Gold, reserve);
        clock
    }

    fn millis(control: &str, reserve: i64) -> Option<u128> {
        time_for_turn(&clock(control, reserve), Side::Gold, false).map(|time| time.as_millis())
    }

    #[test]
    fn without_a_clock_there_is_no_limit_and_a_tiny_one_leaves_something_of_it() {
        assert_eq!(millis("0/0/0/0/0", 0), None);
        assert_eq!(millis("1s/0/100/0/0", 0), Some(666));
        assert_eq!(millis("0/1s/0/0/0", 1), Some(0), "a reserve of a second is kept for the turns to come");
        assert_eq!(millis("0/1s/0/0/0", 0), Some(0));
        assert_eq!(millis("0/1s/0/0/0", -30), Some(0));
        assert_eq!(millis("2s/0/100/0/0", -30), Some(1333));
    }

    #[test]
    fn the_move_time_is_used_and_a_part_of_the_reserve() {
        assert_eq!(millis("30s/5m/100/5m/8h", 300), Some(30_000 + 300_000 / 25 - 1000));
        assert_eq!(millis("30s/5m/100/5m/8h/20s", 300), Some(19_000));
        assert_eq!(millis("0/5m", 300), Some(11_000));
    }

    #[test]
    fn the_reserve_is_spread_over_the_turns_that_the_length_of_the_game_leaves() {
        let figures = |turns, game_time| Figures { reserves: [100; 2], game_time, turns };
        let seconds = |control: &str, figures| {
            let clock = Clock::showing(TimeControl::parse(control).unwrap(), figures);
            time_for_turn(&clock, Side::Silver, false).map(|time| time.as_secs())
        };
        assert_eq!(seconds("10s/100s/100/0/40t", figures(61, 0)), Some(10 + 10 - 1));
        assert_eq!(seconds("10s/100s/100/0/40t", figures(79, 0)), Some(10 + 25 - 1));
        assert_eq!(seconds("10s/100s/100/0/1h", figures(9, 3_500)), Some(10 + 16 - 1));
        assert_eq!(seconds("10s/100s/100/0/1h", figures(9, 30_000)), Some(10 + 25 - 1));
    }

    /// Whole games under any time control: who thinks as long as allowed, and is charged for every second begun, never
    /// loses on time.
    #[test]
    fn no_flag_falls_in_games_under_any_time_control() {
        let mut rng = Rng::of(&[42]);
        let mut timed = 0;
        for _ in 0..3_000 {
            let mut field = |sizes: &[u32]| {
                let bound = *rng.pick(sizes);
                rng.below(bound + 1)
            };
            let (time, reserve) = (field(&[0, 1, 5, 60, 300]), field(&[0, 2, 30, 600]));
            let (percent, limit) = (field(&[0, 100, 150, 1000]), field(&[0, 10, 600]));
            let (length, longest) = (field(&[0, 0, 50, 7200]), field(&[0, 0, 3, 90]));
            let unit = if length % 2 == 0 { "t" } else { "s" };
            let text = format!("{time}s/{reserve}s/{percent}/{limit}s/{length}{unit}/{longest}s");
            let mut clock = Clock::new(TimeControl::parse(&text).unwrap());
            for turn in 0..120u32 {
                let (side, setup) = (Side::BOTH[turn as usize % 2], turn < 2);
                let Some(time) = time_for_turn(&clock, side, setup) else { break };
                timed += 1;
                // A little more passes than was thought, where anything was.
                let way = if time.is_zero() { 0 } else { rng.below(300) };
                let used = (time + Duration::from_millis(u64::from(way))).as_millis().div_ceil(1000);
                let result = clock.charge(side, used as u32, setup);
                assert_eq!(result.flag, None, "{text}, turn {turn}, {used} s");
                if clock.game_limit_reached() {
                    break;
                }
            }
        }
        assert!(timed > 100_000, "{timed}");
    }
}
