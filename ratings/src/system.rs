//! The systems of ratings with their options, and how they are read and written: `elo k=30`, `glicko2 tau=0.5 period=30d`,
//! `whr w2=14 fixed=bot_*`. Only this module parses and writes these texts.

use std::fmt;
use std::str::FromStr;

use crate::error::RatingsError;
use crate::fixed::Fixed;
use crate::game::DAY;

/// A system of ratings with all its options.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum System {
    /// All players are equal: the share of points that Gold has had so far. The baseline of the others.
    Constant,
    /// The gameroom's own formula.
    Gameroom(Gameroom),
    Elo(Elo),
    /// Glickman's Glicko-2, by rating periods.
    Glicko2(Glicko2),
    /// Coulom's whole-history rating.
    Whr(Whr),
    /// One strength for each player over all games.
    BradleyTerry(BradleyTerry),
}

/// The initial rating of a player in the gameroom's formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// As a newcomer.
    New,
    /// The rating that the record of the first game states; if it states none, as a newcomer.
    Record,
}

/// Options of the gameroom's formula.
#[derive(Debug, Clone, PartialEq)]
pub struct Gameroom {
    /// The initial rating of a player.
    pub start: Start,
    /// Players whose rating is held.
    pub fixed: Vec<Fixed>,
}

/// Options of Elo.
#[derive(Debug, Clone, PartialEq)]
pub struct Elo {
    /// The K factor, in points.
    pub k: f64,
    /// The initial rating of a player.
    pub start: f64,
    /// Gold's advantage in points.
    pub advantage: f64,
    /// Players whose rating is held.
    pub fixed: Vec<Fixed>,
}

/// Options of Glicko-2.
#[derive(Debug, Clone, PartialEq)]
pub struct Glicko2 {
    /// The system constant τ, which limits changes of the volatility: 0.01 to 10.
    pub tau: f64,
    /// Length of a rating period in microseconds.
    pub period: i64,
    /// The initial rating, deviation and volatility of a player.
    pub start: [f64; 3],
    /// Gold's advantage in points.
    pub advantage: f64,
    /// Players whose rating is held.
    pub fixed: Vec<Fixed>,
}

/// Options of whole-history rating.
#[derive(Debug, Clone, PartialEq)]
pub struct Whr {
    /// Variance of the change of a strength in a day, in Elo² (points squared).
    pub w2: f64,
    /// Drawn games of every player against the average on the first day.
    pub prior: f64,
    /// The time step in microseconds: games within it share a strength.
    pub step: i64,
    pub advantage: Advantage,
    /// The rating of an average player.
    pub anchor: f64,
    /// Players whose strength does not change, or is held.
    pub fixed: Vec<Fixed>,
    /// The limits of the iteration.
    pub effort: Effort,
}

/// Options of Bradley–Terry.
#[derive(Debug, Clone, PartialEq)]
pub struct BradleyTerry {
    /// Drawn games of every player against the average; 0 is maximum likelihood.
    pub prior: f64,
    pub advantage: Advantage,
    /// The rating of an average player.
    pub anchor: f64,
    /// Players whose strength is held.
    pub fixed: Vec<Fixed>,
    /// The limits of the iteration.
    pub effort: Effort,
}

/// The advantage of Gold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Advantage {
    /// A given number of points.
    Given(f64),
    /// Estimated from the games, together with the strengths.
    Estimated,
}

/// The limits of an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// The maximum number of Newton steps over all players.
    pub steps: u32,
    /// A step in which no rating moves further than this, in points, is the last.
    pub tolerance: f64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { steps: 60, tolerance: 1e-6 }
    }
}

impl System {
    /// Every system with its default options.
    #[must_use]
    pub fn all() -> [System; 6] {
        [
            System::Constant,
            System::Gameroom(Gameroom { start: Start::New, fixed: Vec::new() }),
            System::Elo(Elo { k: 30.0, start: 1500.0, advantage: 0.0, fixed: Vec::new() }),
            System::Glicko2(Glicko2 {
                tau: 0.5,
                period: 30 * DAY,
                start: [1500.0, 350.0, 0.06],
                advantage: 0.0,
                fixed: Vec::new(),
            }),
            System::Whr(Whr::default()),
            System::BradleyTerry(BradleyTerry::default()),
        ]
    }

    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            System::Constant => "constant",
            System::Gameroom(_) => "gameroom",
            System::Elo(_) => "elo",
            System::Glicko2(_) => "glicko2",
            System::Whr(_) => "whr",
            System::BradleyTerry(_) => "bradley-terry",
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name == "fixed" {
            return self.fix(value);
        }
        match (self, name) {
            (System::Gameroom(o), "start") => match value {
                "new" => o.start = Start::New,
                "record" => o.start = Start::Record,
                _ => return Err("write new or record".to_owned()),
            },
            (System::Elo(o), "k") => o.k = number(value, 0.0, 1_000.0)?,
            (System::Elo(o), "start") => o.start = rating(value)?,
            (System::Elo(o), "advantage") => o.advantage = given(value)?,
            (System::Glicko2(o), "tau") => o.tau = number(value, 0.01, 10.0)?,
            (System::Glicko2(o), "period") => o.period = duration(value)?,
            (System::Glicko2(o), "start") => o.start[0] = rating(value)?,
            (System::Glicko2(o), "rd") => o.start[1] = number(value, 1.0, 2_000.0)?,
            (System::Glicko2(o), "volatility") => o.start[2] = number(value, 1e-4, 1.0)?,
            (System::Glicko2(o), "advantage") => o.advantage = given(value)?,
            (System::Whr(o), "w2") => o.w2 = number(value, 1e-3, 1e6)?,
            (System::Whr(o), "prior") => o.prior = number(value, 1e-3, 1e6)?,
            (System::Whr(o), "step") => o.step = duration(value)?,
            (System::Whr(o), "advantage") => o.advantage = advantage(value)?,
            (System::Whr(o), "anchor") => o.anchor = rating(value)?,
            (System::Whr(o), "steps") => o.effort.steps = steps(value)?,
            (System::Whr(o), "tolerance") => o.effort.tolerance = number(value, 1e-9, 100.0)?,
            (System::BradleyTerry(o), "prior") => o.prior = number(value, 0.0, 1e6)?,
            (System::BradleyTerry(o), "advantage") => o.advantage = advantage(value)?,
            (System::BradleyTerry(o), "anchor") => o.anchor = rating(value)?,
            (System::BradleyTerry(o), "steps") => o.effort.steps = steps(value)?,
            (System::BradleyTerry(o), "tolerance") => o.effort.tolerance = number(value, 1e-9, 100.0)?,
            (system, _) => return Err(format!("there is no such option; there are {}", system.options())),
        }
        Ok(())
    }

    fn fix(&mut self, value: &str) -> Result<(), String> {
        let (pattern, held) = match value.rsplit_once('@') {
            Some((pattern, held)) => (pattern, Some(rating(held)?)),
            None => (value, None),
        };
        if pattern.is_empty() {
            return Err("write a name, with * and ? where it is several, or kind:bot".to_owned());
        }
        let estimated = matches!(self, System::Whr(_) | System::BradleyTerry(_));
        if held.is_none() && !estimated {
            return Err(format!(
                "this system estimates no fixed strength; give the rating: fixed={pattern}@1000"
            ));
        }
        let list = match self {
            System::Gameroom(o) => &mut o.fixed,
            System::Elo(o) => &mut o.fixed,
            System::Glicko2(o) => &mut o.fixed,
            System::Whr(o) => &mut o.fixed,
            System::BradleyTerry(o) => &mut o.fixed,
            System::Constant => return Err("the constant has no players".to_owned()),
        };
        list.push(Fixed { pattern: pattern.to_owned(), rating: held });
        Ok(())
    }

    /// The names of its options.
    fn options(&self) -> &'static str {
        match self {
            System::Constant => "none",
            System::Gameroom(_) => "start, fixed",
            System::Elo(_) => "k, start, advantage, fixed",
            System::Glicko2(_) => "tau, period, start, rd, volatility, advantage, fixed",
            System::Whr(_) => "w2, prior, step, advantage, anchor, fixed, steps, tolerance",
            System::BradleyTerry(_) => "prior, advantage, anchor, fixed, steps, tolerance",
        }
    }
}

impl Default for Whr {
    fn default() -> Whr {
        Whr {
            w2: 14.0,
            prior: 2.0,
            step: DAY,
            advantage: Advantage::Given(0.0),
            anchor: 1500.0,
            fixed: Vec::new(),
            effort: Effort::default(),
        }
    }
}

impl Default for BradleyTerry {
    fn default() -> BradleyTerry {
        BradleyTerry {
            prior: 1.0,
            advantage: Advantage::Given(0.0),
            anchor: 1500.0,
            fixed: Vec::new(),
            effort: Effort::default(),
        }
    }
}

impl FromStr for System {
    type Err = RatingsError;

    /// Reads a name and its options, separated by spaces or commas.
    fn from_str(text: &str) -> Result<System, RatingsError> {
        let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let found = words.next().unwrap_or_default();
        let named = |system: &System| system.word() == found.to_ascii_lowercase();
        let unknown = || RatingsError::UnknownSystem { found: found.to_owned() };
        let mut system = System::all().into_iter().find(named).ok_or_else(unknown)?;
        for option in words {
            let refused = |why: String| RatingsError::Option {
                system: system.word().to_owned(),
                option: option.to_owned(),
                why,
            };
            let Some((name, value)) = option.split_once('=') else {
                return Err(refused("an option is NAME=VALUE".to_owned()));
            };
            let mut with = system.clone();
            with.set(name, value).map_err(refused)?;
            system = with;
        }
        Ok(system)
    }
}

fn number(value: &str, least: f64, most: f64) -> Result<f64, String> {
    let read: Option<f64> = value.parse().ok().filter(|n| (least..=most).contains(n));
    read.ok_or_else(|| format!("a number from {least} to {most} is expected"))
}

fn rating(value: &str) -> Result<f64, String> {
    number(value, -100_000.0, 100_000.0)
}

fn steps(value: &str) -> Result<u32, String> {
    value
        .parse()
        .ok()
        .filter(|n| (1..=100_000).contains(n))
        .ok_or_else(|| "1 to 100000 is expected".to_owned())
}

fn given(value: &str) -> Result<f64, String> {
    match advantage(value)? {
        Advantage::Given(points) => Ok(points),
        Advantage::Estimated => Err("this system estimates no advantage; give Gold's points".to_owned()),
    }
}

fn advantage(value: &str) -> Result<Advantage, String> {
    match value {
        "off" => Ok(Advantage::Given(0.0)),
        "on" | "gold" => Ok(Advantage::Estimated),
        points => number(points, -2_000.0, 2_000.0)
            .map(Advantage::Given)
            .map_err(|_| "write off, on, or Gold's advantage in points".to_owned()),
    }
}

/// A duration in microseconds: `30d`, `1w`, `12h`, `90m`, `5s`.
///
/// # Errors
/// Where it is none, or nothing.
pub fn duration(value: &str) -> Result<i64, String> {
    let why = || "write a length of time above nothing: 30d, 1w, 12h, 90m or 5s".to_owned();
    let unit = value.chars().last().ok_or_else(why)?;
    let microseconds = match unit {
        's' => 1_000_000,
        'm' => 60_000_000,
        'h' => 3_600_000_000,
        'd' => DAY,
        'w' => 7 * DAY,
        _ => return Err(why()),
    };
    let count: i64 = value[..value.len() - unit.len_utf8()].parse().map_err(|_| why())?;
    count.checked_mul(microseconds).filter(|all| (1..=100_000 * DAY).contains(all)).ok_or_else(why)
}

/// A duration in the largest unit that divides it.
fn duration_text(microseconds: i64) -> String {
    let units = [(DAY, "d"), (3_600_000_000, "h"), (60_000_000, "m"), (1_000_000, "s")];
    match units.iter().find(|(unit, _)| microseconds % unit == 0) {
        Some((unit, letter)) => format!("{}{letter}", microseconds / unit),
        None => format!("{}s", microseconds as f64 / 1e6),
    }
}

impl fmt::Display for Advantage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Advantage::Given(points) if *points == 0.0 => f.write_str("off"),
            Advantage::Given(points) => write!(f, "{points}"),
            Advantage::Estimated => f.write_str("on"),
        }
    }
}

impl fmt::Display for System {
    /// The text that reads as the same system: its name and options.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        let default = Effort::default();
        let (fixed, effort) = match self {
            System::Constant => (&[][..], default),
            System::Gameroom(o) => {
                f.write_str(if o.start == Start::New { " start=new" } else { " start=record" })?;
                (&o.fixed[..], default)
            }
            System::Elo(o) => {
                write!(f, " k={} start={} advantage={}", o.k, o.start, Advantage::Given(o.advantage))?;
                (&o.fixed[..], default)
            }
            System::Glicko2(o) => {
                let ([start, rd, volatility], period) = (o.start, duration_text(o.period));
                write!(f, " tau={} period={period} start={start} rd={rd} volatility={volatility}", o.tau)?;
                write!(f, " advantage={}", Advantage::Given(o.advantage))?;
                (&o.fixed[..], default)
            }
            System::Whr(o) => {
                write!(f, " w2={} prior={} step={}", o.w2, o.prior, duration_text(o.step))?;
                write!(f, " advantage={} anchor={}", o.advantage, o.anchor)?;
                (&o.fixed[..], o.effort)
            }
            System::BradleyTerry(o) => {
                write!(f, " prior={} advantage={} anchor={}", o.prior, o.advantage, o.anchor)?;
                (&o.fixed[..], o.effort)
            }
        };
        for fixed in fixed {
            write!(f, " fixed={}", fixed.pattern)?;
            if let Some(rating) = fixed.rating {
                write!(f, "@{rating}")?;
            }
        }
        if effort != default {
            write!(f, " steps={} tolerance={}", effort.steps, effort.tolerance)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_is_read_as_it_is_written() {
        for text in [
            "constant",
            "gameroom start=record fixed=bot_*@1000",
            "elo k=24 start=1400 advantage=20",
            "glicko2 tau=0.4 period=7d start=1500 rd=300 volatility=0.05 advantage=off",
            "whr w2=300 prior=2 step=12h advantage=on anchor=0 fixed=kind:bot steps=9 tolerance=0.01",
            "bradley-terry prior=0 advantage=on anchor=1500 fixed=a?b@900",
        ] {
            assert_eq!(text.parse::<System>().unwrap().to_string(), text);
        }
        for system in System::all() {
            assert_eq!(system.to_string().parse::<System>().unwrap(), system);
        }
        assert_eq!(
            "WHR,w2=20,advantage=gold".parse::<System>().unwrap().to_string().matches("advantage=on").count(),
            1
        );
    }

    #[test]
    fn a_text_that_is_not_a_system_is_rejected_with_the_reason() {
        for (text, part) in [
            ("", "is not a valid rating system"),
            ("trueskill", "`trueskill` is not a valid rating system"),
            ("elo k", "NAME=VALUE"),
            ("elo k=x", "0 to 1000"),
            ("elo k=NaN", "0 to 1000"),
            ("elo tau=1", "k, start, advantage, fixed"),
            ("elo advantage=on", "give Gold's points"),
            ("elo fixed=bot_*", "fixed=bot_*@1000"),
            ("constant fixed=a@1", "has no players"),
            ("whr fixed=", "write a name"),
            ("glicko2 period=0d", "above nothing"),
            ("glicko2 period=", "above nothing"),
            ("glicko2 period=3é", "above nothing"),
            ("glicko2 period=99999999999999d", "above nothing"),
            ("whr w2=0", "0.001"),
            ("whr steps=0", "1 to 100000"),
        ] {
            let error = text.parse::<System>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
