//! Simulated times: when a game begins, and how long a turn takes. No real clock is used.

use annals_events::Side;
use annals_rules::clock::{Clock, GameLimit, TimeControl};
use annals_rules::seeded::Rng;

/// 2020-01-01T00:00:00Z, seconds since the Unix epoch: all games begin after it.
const FROM: i64 = 1_577_836_800;

/// A run begins within a year of [`FROM`], and a game each minute.
const YEAR: u32 = 366 * 86_400;
const MINUTE: u32 = 60;

/// Positions that the simulated machine searches per second.
const SPEED: u64 = 5_000;

/// The maximum number of turns of a game, setups included: readers of archives have this limit.
pub(super) const MOST_TURNS: u64 = 16_000;

/// When a game begins, seconds since the Unix epoch. Games of one run begin one after the other.
pub(super) fn start(seed: u64, game: u64) -> i64 {
    let run = Rng::of(&[seed, 0x7374_6172]).below(YEAR);
    let within = Rng::of(&[seed, 0x7374_6172, game]).below(MINUTE);
    FROM + i64::from(run) + i64::try_from(game).unwrap_or(0) * i64::from(MINUTE) + i64::from(within)
}

/// The fewest seconds that a turn has to take so that the game reaches its length in time, or why it cannot.
pub(super) fn least_seconds(control: &TimeControl) -> Result<u32, &'static str> {
    match control.game_limit() {
        None => Err("it has no length of the game (G)"),
        Some(GameLimit::Turns(turns)) if u64::from(turns) * 2 <= MOST_TURNS => Ok(0),
        Some(GameLimit::Turns(_)) => Err("its length of the game (G) is longer"),
        Some(GameLimit::Seconds(seconds)) => {
            let least = u64::from(seconds).div_ceil(MOST_TURNS);
            let least = u32::try_from(least).unwrap_or(u32::MAX);
            let free = if control.is_untimed() { u32::MAX } else { control.move_time() };
            if least <= free.min(control.turn_limit().unwrap_or(u32::MAX)) {
                Ok(least)
            } else {
                Err("its turns are too short for its length of the game (G)")
            }
        }
    }
}

/// The duration of a turn by its number of searched positions (none for a setup), at least `least` and never so long
/// that a flag falls; the clock is charged with it.
pub(super) fn think(
    clock: &mut Clock,
    side: Side,
    nodes: Option<u64>,
    least: u32,
    setup: bool,
    rng: &mut Rng,
) -> u32 {
    let wanted = nodes.unwrap_or(0) / SPEED;
    let wanted = u32::try_from(wanted).unwrap_or(u32::MAX).saturating_add(rng.between(0, 3));
    let mut used = wanted.max(least);
    loop {
        let mut trial = *clock;
        // `least` is within the time of every turn, so that the flag cannot fall.
        if trial.charge(side, used, setup).flag.is_none() || used <= least {
            *clock = trial;
            return used;
        }
        used = (used / 2).max(least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(control: &str) -> Result<u32, &'static str> {
        least_seconds(&TimeControl::parse(control).unwrap())
    }

    #[test]
    fn a_control_that_bounds_the_game_says_how_long_a_turn_takes_at_least() {
        assert_eq!(least("15s/2m30s/100/0/100t"), Ok(0));
        assert_eq!(least("2/2/100/10/8"), Ok(2));
        assert_eq!(least("0/0/100/0/8"), Ok(2));
        assert!(least("2/2/100/10").is_err() && least("2/2/100/0/8001t").is_err());
        assert!(least("1s/2/100/10/8").is_err() && least("2/2/100/10/8/1s").is_err());
    }

    #[test]
    fn the_flag_never_falls_and_the_clock_is_charged_with_what_was_used() {
        let mut clock = Clock::new(TimeControl::parse("2s/3s/100/0/50t/4s").unwrap());
        let mut rng = Rng::of(&[1]);
        let mut sum = 0;
        for turn in 0..100 {
            let used = think(&mut clock, Side::Gold, Some(1_000_000), 0, turn < 2, &mut rng);
            sum += u64::from(used);
            assert!(used <= 4 && clock.figures().reserve(Side::Gold) >= 0);
        }
        assert_eq!(clock.figures().game_time, sum);
    }

    #[test]
    fn games_begin_one_after_the_other_whatever_the_seed() {
        for seed in [0, 1, u64::MAX] {
            assert!((0..1000).all(|game| start(seed, game) < start(seed, game + 1)));
            assert!(start(seed, super::super::Options::MOST_GAMES) < 2_208_988_800, "before 2040");
        }
    }
}
