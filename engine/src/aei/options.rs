//! Options of a controller: clock, search, and facts that are only recorded.

use std::time::Duration;

use annals_events::Side;
use annals_rules::clock::GameLimit;

use crate::search::{ClockFacts, Limits, time_to_think, turns_to_come};
use crate::seated::Seated;
use crate::settings_text::{MOST_DEPTH, MOST_HASH};

/// A century, which can be added without overflow.
const MOST_SECONDS: f64 = 3_153_600_000.0;

/// Why an option is not set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refused {
    /// Unknown: not an error, but logged.
    Unknown,
    /// An invalid value.
    Value(String),
}

#[derive(Debug, Clone)]
pub(super) struct Options<S: Seated> {
    pub settings: S,
    move_time: Duration,
    start_reserve: Duration,
    turn_limit: Option<Duration>,
    /// The game length in turns per side, which takes precedence over seconds, since the turns played are not sent.
    most_turns: u32,
    reserves: [Option<Duration>; 2],
    used: Duration,
}

impl<S: Seated> Options<S> {
    pub fn new(settings: &S) -> Options<S> {
        Options {
            settings: settings.clone(),
            move_time: Duration::ZERO,
            start_reserve: Duration::ZERO,
            turn_limit: None,
            most_turns: 0,
            reserves: [None, None],
            used: Duration::ZERO,
        }
    }

    /// Resets the reserves.
    pub fn new_game(&mut self) {
        self.reserves = [None, None];
        self.used = Duration::ZERO;
    }

    /// The limits for a side's turn after `turns` of both.
    pub fn limits(&self, side: Side, turns: usize) -> Limits {
        let said = self.reserves[side.index()];
        let length = Some(GameLimit::Turns(self.most_turns)).filter(|_| self.most_turns > 0);
        let turns = u32::try_from(turns).unwrap_or(u32::MAX);
        let facts = ClockFacts {
            timed: !self.move_time.is_zero() || !self.start_reserve.is_zero() || said.is_some(),
            move_time: self.move_time,
            reserve: said.unwrap_or(self.start_reserve),
            turn_limit: self.turn_limit,
            used: self.used,
            turns_to_come: turns_to_come(length, turns, 0, self.move_time),
        };
        let own = self.settings.limits();
        let time = match (time_to_think(&facts), own.time) {
            (Some(clock), Some(own)) => Some(clock.min(own)),
            (clock, own) => clock.or(own),
        };
        let limits = Limits { time, ..own };
        // Without clock and limit a search would run until `stop`, which not every controller sends.
        if limits == Limits::default() { S::default().limits() } else { limits }
    }

    /// Sets an option; `remark` reports a number that was corrected.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        registry: &S::Registry,
    ) -> Result<Option<String>, Refused> {
        let value = value.unwrap_or("");
        let mut remark = None;
        if let Some(side) = Side::BOTH.into_iter().find(|side| reserve_name::<S>(*side) == name) {
            self.reserves[side.index()] = Some(time(name, value, &mut remark)?);
            return Ok(remark);
        }
        let used_names = Side::BOTH.map(|side| format!("{}used", side.letter_in(S::KIND)));
        if used_names.iter().any(|used| used == name) {
            time(name, value, &mut remark)?;
            return Ok(remark);
        }
        let own = self.settings.common();
        let mut time = |value| time(name, value, &mut remark);
        match name {
            "tcmove" => self.move_time = time(value)?,
            "tcreserve" => self.start_reserve = time(value)?,
            "tcturntime" => self.turn_limit = Some(time(value)?).filter(|limit| !limit.is_zero()),
            "moveused" => self.used = time(value)?,
            "tcturns" => {
                self.most_turns = u32::try_from(number(name, value)?).unwrap_or_else(|_| {
                    remark = Some(taken(name, value, u32::MAX));
                    u32::MAX
                });
            }
            // Part of the protocol, without effect here.
            "tcpercent" | "tcmax" | "tctotal" | "lastmoveused" => {
                time(value)?;
            }
            "opponent" | "opponent_rating" | "rating" | "rated" | "event" => {}
            "hash" => {
                let wanted = number(name, value)?;
                *own.hash_mib = match u32::try_from(wanted) {
                    Ok(0) => *S::default().common().hash_mib,
                    Ok(mib) if mib <= MOST_HASH => mib,
                    _ => {
                        return Err(Refused::Value(format!("hash is at most {MOST_HASH} MB, not {wanted}")));
                    }
                };
            }
            "depth" => {
                // Numbers below 1 mean no limit.
                let steps = value.parse::<i64>().map_err(|_| wrong(name, value, "a whole number"))?.max(0);
                let steps = u16::try_from(steps).unwrap_or(u16::MAX);
                if steps > MOST_DEPTH {
                    remark = Some(taken(name, value, MOST_DEPTH));
                }
                own.limits.depth = Some(steps.min(MOST_DEPTH)).filter(|steps| *steps > 0);
            }
            "nodes" => own.limits.nodes = Some(number(name, value)?).filter(|nodes| *nodes > 0),
            "seed" => *own.seed = number(name, value)?,
            "evaluator" => {
                let mut wanted = self.settings.clone();
                value.clone_into(wanted.common().evaluator);
                wanted.check(registry).map_err(|error| Refused::Value(error.to_string()))?;
                self.settings = wanted;
            }
            _ => return Err(Refused::Unknown),
        }
        Ok(remark)
    }
}

/// `greserve` and `sreserve`; in the Amazons `wreserve` and `breserve`.
pub(crate) fn reserve_name<S: Seated>(side: Side) -> String {
    format!("{}reserve", side.letter_in(S::KIND))
}

fn taken(name: &str, value: &str, instead: impl std::fmt::Display) -> String {
    format!("{name} cannot be {}; it was taken for {instead}", super::message::shown(value))
}

fn wrong(name: &str, value: &str, wanted: &str) -> Refused {
    Refused::Value(format!("{name} is {wanted}, not `{}`", super::message::shown(value)))
}

fn number(name: &str, value: &str) -> Result<u64, Refused> {
    value.parse().map_err(|_| wrong(name, value, "a whole number"))
}

/// Seconds, perhaps with a fraction. Negative time is zero.
fn time(name: &str, value: &str, remark: &mut Option<String>) -> Result<Duration, Refused> {
    match value.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => {
            let fit = seconds.clamp(0.0, MOST_SECONDS);
            if fit != seconds {
                *remark = Some(taken(name, value, fit));
            }
            Ok(Duration::try_from_secs_f64(fit).unwrap_or_default())
        }
        _ => Err(wrong(name, value, "a time in seconds")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Registry;
    use crate::player::Settings;

    fn options(limits: Limits) -> Options<Settings> {
        Options::new(&Settings { limits, ..Settings::default() })
    }

    #[test]
    fn a_clock_gives_a_time_and_no_clock_at_all_the_usual_limit() {
        let registry = Registry::standard();
        let mut options = options(Limits::default());
        assert_eq!(options.limits(Side::Gold, 9), Settings::default().limits);
        for (name, value) in [("tcmove", "0.1"), ("tcreserve", "0"), ("sreserve", "16"), ("greserve", "-3")] {
            options.set(name, Some(value), &registry).unwrap();
        }
        assert_eq!(options.limits(Side::Gold, 9), Limits::time(Duration::from_millis(85)));
        assert_eq!(options.limits(Side::Silver, 9), Limits::time(Duration::from_millis(640)));
        options.set("tcturns", Some("9"), &registry).unwrap();
        assert_eq!(options.limits(Side::Silver, 9), Limits::time(Duration::from_millis(3200)));
        options.new_game();
        assert_eq!(options.limits(Side::Silver, 9), Limits::time(Duration::from_millis(85)));
    }

    #[test]
    fn what_is_no_value_is_refused_and_changes_nothing() {
        let registry = Registry::standard();
        let mut options = options(Limits::depth(4));
        for (name, value) in [
            ("tcmove", "soon"),
            ("tcmove", "NaN"),
            ("tcmove", "inf"),
            ("hash", "-1"),
            ("hash", "99999999"),
            ("nodes", "1e6"),
            ("seed", ""),
            ("evaluator", "oracle"),
        ] {
            let refused = options.set(name, Some(value), &registry).unwrap_err();
            assert!(matches!(&refused, Refused::Value(why) if !why.is_empty()), "{name} {value}");
        }
        assert_eq!(options.settings, Settings { limits: Limits::depth(4), ..Settings::default() });
        assert_eq!(options.set("colour", Some("red"), &registry), Err(Refused::Unknown));
        options.set("depth", Some("-1"), &registry).unwrap();
        assert_eq!(options.settings.limits, Limits::default());
    }

    #[test]
    fn a_number_that_cannot_be_meant_is_taken_for_the_nearest_and_told() {
        let registry = Registry::standard();
        let mut options = options(Limits::default());
        for (name, value, instead) in [
            ("tcmove", "-1", "0"),
            ("greserve", "-3.5", "0"),
            ("tcreserve", "1e300", "3153600000"),
            ("gused", "-1", "0"),
            ("tcturns", "99999999999", "4294967295"),
            ("depth", "70000", "400"),
        ] {
            let said = options.set(name, Some(value), &registry).unwrap();
            let told = format!("{name} cannot be {value}; it was taken for {instead}");
            assert_eq!(said.as_deref(), Some(told.as_str()));
        }
        assert_eq!(options.settings.limits, Limits::depth(400));
        for (name, value) in
            [("tcmove", "0"), ("depth", "-1"), ("depth", "0"), ("tcturns", "0"), ("nodes", "0")]
        {
            assert_eq!(options.set(name, Some(value), &registry), Ok(None), "{name} {value}");
        }
        assert!(options.set("depth", Some("-x"), &registry).is_err());
        assert!(options.set("hash", Some("16385"), &registry).is_err());
    }
}
