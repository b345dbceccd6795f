//! Thinking time from a clock: [`time_to_think`] from [`ClockFacts`], [`time_for_turn`] from the rules' clock.
//!
//! Unused move time goes to the reserve at a discount or is lost, so it is used; the reserve is spread over the turns
//! to come. Clocks count rounded seconds, and messages take time, so a margin of the last second remains.

use std::time::Duration;

use annals_events::Side;
use annals_rules::clock::{Clock, GameLimit};

/// The clock when a turn is chosen; defaults are zero or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockFacts {
    /// Without a clock only the turn limit applies.
    pub timed: bool,
    pub move_time: Duration,
    pub reserve: Duration,
    pub turn_limit: Option<Duration>,
    /// Time already used of this turn.
    pub used: Duration,
    /// Own turns over which the reserve is spread: [`turns_to_come`].
    pub turns_to_come: u32,
}

impl ClockFacts {
    pub const UNTIMED: ClockFacts = ClockFacts {
        timed: false,
        move_time: Duration::ZERO,
        reserve: Duration::ZERO,
        turn_limit: None,
        used: Duration::ZERO,
        turns_to_come: TURNS_TO_COME,
    };
}

/// The least thinking time.
pub const LEAST: Duration = Duration::from_millis(5);

/// Turns for the reserve, if the game length is unknown.
const TURNS_TO_COME: u32 = 25;

/// Fewest turns for the reserve: scoring may come later than expected.
const FEWEST_TURNS: u32 = 4;

/// For a setup, which is not searched.
const SETUP: Duration = Duration::from_secs(1);

/// None without a clock. The move time minus a margin for latency, and a part of the reserve, so that latency does not
/// overdraw it.
#[must_use]
pub fn time_to_think(facts: &ClockFacts) -> Option<Duration> {
    let (own, reserve, most) = match (facts.timed, facts.turn_limit) {
        (false, None) => return None,
        (false, Some(limit)) => (limit, Duration::ZERO, limit),
        (true, limit) => {
            let both = facts.move_time.saturating_add(facts.reserve);
            (facts.move_time, facts.reserve, both.min(limit.unwrap_or(Duration::MAX)))
        }
    };
    let margin = margin(most);
    let wanted = own.saturating_sub(margin).saturating_add(reserve / facts.turns_to_come.max(1));
    let wanted = wanted.min(most.saturating_sub(margin));
    Some(wanted.saturating_sub(facts.used).max(LEAST))
}

/// The margin for latency. A clock with a second or more may round up whole seconds: a third of a second is adequate.
/// With less it counts fractions.
fn margin(most: Duration) -> Duration {
    if most < Duration::from_secs(1) {
        (most / 10).max(Duration::from_millis(15))
    } else {
        (most / 3).min(Duration::from_millis(400))
    }
}

/// Own turns to come, by game length, turns of both sides and seconds so far.
#[must_use]
pub fn turns_to_come(length: Option<GameLimit>, turns: u32, game_time: u64, move_time: Duration) -> u32 {
    let turns = match length {
        None => return TURNS_TO_COME,
        Some(GameLimit::Turns(limit)) => (2 * u64::from(limit)).saturating_sub(u64::from(turns)) / 2 + 1,
        Some(GameLimit::Seconds(limit)) => {
            let left = u64::from(limit).saturating_sub(game_time);
            left / (2 * move_time.as_secs()).max(1) + 1
        }
    };
    u32::try_from(turns).unwrap_or(u32::MAX).clamp(FEWEST_TURNS, TURNS_TO_COME)
}

/// By a game's clock; none without one.
#[must_use]
pub fn time_for_turn(clock: &Clock, side: Side, setup: bool) -> Option<Duration> {
    let (control, figures) = (clock.control(), clock.figures());
    if control.is_untimed() {
        return None;
    }
    let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
    let move_time = seconds(control.move_time());
    let time = time_to_think(&ClockFacts {
        timed: true,
        move_time: seconds(control.free_time(setup)),
        reserve: Duration::from_secs(u64::try_from(figures.reserve(side)).unwrap_or(0)),
        turn_limit: control.turn_limit().map(seconds),
        used: Duration::ZERO,
        turns_to_come: turns_to_come(control.game_limit(), figures.turns, figures.game_time, move_time),
    });
    if setup { time.map(|time| time.min(SETUP)) } else { time }
}

#[cfg(test)]
mod tests {
    use annals_rules::clock::TimeControl;
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

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn without_a_clock_there_is_no_limit_and_a_tiny_one_leaves_something_of_it() {
        assert_eq!(millis("0/0/0/0/0", 0), None);
        assert_eq!(millis("1s/0/100/0/0", 0), Some(666));
        assert_eq!(millis("0/1s/0/0/0", 1), Some(40), "a reserve of a second is kept for the turns to come");
        assert_eq!(millis("0/1s/0/0/0", 0), Some(5));
        assert_eq!(millis("0/1s/0/0/0", -30), Some(5));
        assert_eq!(millis("2s/0/100/0/0", -30), Some(1600));
    }

    #[test]
    fn the_move_time_is_used_and_a_part_of_the_reserve() {
        assert_eq!(millis("30s/5m/100/5m/8h", 300), Some(30_000 + 300_000 / 25 - 400));
        assert_eq!(millis("30s/5m/100/5m/8h/20s", 300), Some(19_600));
        assert_eq!(millis("0/5m", 300), Some(12_000));
    }

    #[test]
    fn a_clock_of_fractions_is_used_to_a_tenth_and_what_is_gone_of_a_turn_is_not_thought_again() {
        let facts = ClockFacts { timed: true, move_time: seconds(15), ..ClockFacts::UNTIMED };
        let think = |facts| time_to_think(&facts);
        assert_eq!(think(ClockFacts { used: seconds(5), ..facts }), Some(Duration::from_millis(9_600)));
        assert_eq!(think(ClockFacts { used: seconds(50), ..facts }), Some(LEAST));
        let tenth = Duration::from_millis(100);
        assert_eq!(think(ClockFacts { move_time: tenth, ..facts }), Some(Duration::from_millis(85)));
        let limited = ClockFacts { turn_limit: Some(seconds(2)), ..ClockFacts::UNTIMED };
        assert_eq!(think(limited), Some(Duration::from_millis(1_600)));
        assert_eq!(think(ClockFacts::UNTIMED), None);
    }

    #[test]
    fn the_reserve_is_spread_over_the_turns_that_the_length_of_the_game_leaves() {
        let millis = |control: &str, turns, game_time| {
            let mut clock = Clock::new(TimeControl::parse(control).unwrap());
            for _ in 0..turns {
                clock.charge(Side::Gold, 0, false);
            }
            Side::BOTH.into_iter().for_each(|side| clock.set_reserve(side, 100));
            clock.set_game_time(game_time);
            time_for_turn(&clock, Side::Silver, false).map(|time| time.as_millis())
        };
        assert_eq!(millis("10s/100s/100/0/40t", 61, 0), Some(10_000 + 10_000 - 400));
        assert_eq!(millis("10s/100s/100/0/40t", 79, 0), Some(10_000 + 25_000 - 400));
        assert_eq!(millis("10s/100s/100/0/1h", 9, 3_500), Some(10_000 + 16_666 - 400));
        assert_eq!(millis("10s/100s/100/0/1h", 9, 30_000), Some(10_000 + 25_000 - 400));
    }

    /// A time control of any kind: no move time, tiny reserves, limits of game and turn among them.
    fn any_control(rng: &mut Rng) -> String {
        let mut field = |sizes: &[u32]| {
            let bound = *rng.pick(sizes);
            rng.below(bound + 1)
        };
        let (time, reserve) = (field(&[0, 1, 5, 60, 300]), field(&[0, 2, 30, 600]));
        let (percent, limit) = (field(&[0, 100, 150, 1000]), field(&[0, 10, 600]));
        let (length, longest) = (field(&[0, 0, 50, 7200]), field(&[0, 0, 3, 90]));
        let unit = if length % 2 == 0 { "t" } else { "s" };
        format!("{time}s/{reserve}s/{percent}/{limit}s/{length}{unit}/{longest}s")
    }

    /// Plays the clock of a game; `charged` returns the seconds charged for thinking time and latency.
    /// Returns the number of turns with a clock.
    fn game(text: &str, rng: &mut Rng, charged: impl Fn(Duration, Duration) -> u32) -> u32 {
        let mut clock = Clock::new(TimeControl::parse(text).unwrap());
        for turn in 0..200u32 {
            let (side, setup) = (Side::BOTH[turn as usize % 2], turn < 2);
            let Some(time) = time_for_turn(&clock, side, setup) else { return turn };
            let used = charged(time, Duration::from_millis(u64::from(rng.below(300))));
            let result = clock.charge(side, used, setup);
            assert_eq!(result.flag, None, "{text}, turn {turn}, thought {time:?}, charged {used} s");
            if clock.game_limit_reached() {
                return turn;
            }
        }
        200
    }

    fn nearest(time: Duration, way: Duration) -> u32 {
        (time + way + Duration::from_millis(500)).as_secs() as u32
    }

    /// With a controller that rounds up, and without move time, a player has no turn beyond the seconds of the reserve,
    /// so that a reserve of one second counts as none.
    fn up(time: Duration, way: Duration) -> u32 {
        if time == LEAST { 0 } else { (time + way).as_millis().div_ceil(1000) as u32 }
    }

    /// Whole games under any time control: a player who uses the allowed time never loses on time, for any rounding of seconds.
    #[test]
    fn no_flag_falls_in_games_under_any_time_control() {
        let mut rng = Rng::of(&[42]);
        let mut timed = 0;
        for _ in 0..2_000 {
            let text = any_control(&mut rng);
            timed += game(&text, &mut rng, up) + game(&text, &mut rng, nearest);
        }
        assert!(timed > 200_000, "{timed}");
    }

    #[test]
    fn no_flag_falls_where_there_is_no_move_time_and_hardly_a_reserve() {
        let mut rng = Rng::of(&[7]);
        for reserve in 1..=120 {
            for end in ["", "/0/0/40t", "/0/0/0/1s", "/0/0/0/2s"] {
                let text = format!("0/{reserve}s{end}").replacen('/', "s/", 1);
                assert!(game(&text, &mut rng, up) > 70 && game(&text, &mut rng, nearest) > 70, "{text}");
            }
        }
    }
}
