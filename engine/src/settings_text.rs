//! Reads and writes the settings of a player as text: `evaluator=annals,nodes=2000,setup=varied`. The first
//! part may be an evaluator's name alone. Omitted settings are as in [`Settings::default`]; a given limit replaces the
//! default one.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use annals_report::nearest;

use crate::amazons;
use crate::player::{Noise, Resign, Settings};
use crate::search::Limits;

pub use crate::player_name::{amazons_player_name, player_name};

/// The largest table of positions, in MiB.
pub const MOST_HASH: u32 = 16 * 1024;

/// The largest depth, in steps; no search reaches it.
pub const MOST_DEPTH: u16 = 400;

/// The most threads of a search.
pub const MOST_THREADS: u32 = 256;

/// The settings of every player, each with its values.
const EVALUATOR: (&str, &str) = ("evaluator", "the name of an evaluator");
const NODES: (&str, &str) = ("nodes", "positions to look at in a turn");
const TIME: (&str, &str) =
    ("time", "time for a turn, from 1ms to a day: 500ms, 2s, or seconds without a unit, 0.1");
const HASH: (&str, &str) = ("hash", "MiB of the table of positions, 1 to 16384");
const NOISE_TURNS: (&str, &str) = ("noise-turns", "in how many of the first turns any turn may be played");
const NOISE_PER_MILLE: (&str, &str) = ("noise-per-mille", "how often, of a thousand times, it then is");

/// The settings of a player of Arimaa, each with its values.
pub const KEYS: [(&str, &str); 10] = [
    EVALUATOR,
    NODES,
    ("depth", "steps to look ahead, 1 to 400"),
    TIME,
    HASH,
    ("threads", "threads of a search that time alone limits, 1 to 256"),
    ("setup", "fixed, varied or random"),
    NOISE_TURNS,
    NOISE_PER_MILLE,
    ("seed", "the seed of setup and noise"),
];

/// The settings of a player of the Amazons, each with its values.
pub const AMAZONS_KEYS: [(&str, &str); 11] = [
    ("kind", "searcher, greedy (one move ahead) or random"),
    EVALUATOR,
    NODES,
    ("depth", "moves to look ahead, 1 to 400"),
    TIME,
    HASH,
    ("width", "how many moves of a position are looked into below the first two; 0 for all"),
    NOISE_TURNS,
    NOISE_PER_MILLE,
    ("resign", "how many squares it has to be behind to give up, 1 to 9000"),
    ("seed", "the seed of all chance"),
];

/// The most squares by which a player of the Amazons can be behind before it resigns.
const MOST_BEHIND: u64 = 9_000;

/// Why a text is not valid as settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    #[error("`{found}` is not a valid setting of a player{}; there are {}", near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default(), known.join(", "))]
    UnknownKey {
        found: String,
        /// The most similar setting.
        near: Option<&'static str>,
        known: Vec<&'static str>,
    },
    /// A part without `=`.
    #[error("`{found}` is not a valid setting: write KEY=VALUE, as in `evaluator=material,nodes=2000`")]
    NoValue { found: String },
    #[error("`{found}` is not a valid value of `{key}`: {takes}")]
    BadValue { key: &'static str, found: String, takes: &'static str },
    #[error("`{key}` is set twice")]
    Twice { key: &'static str },
}

/// Settings that can be read from text.
pub trait FromWords: Clone {
    /// The settings, each with its values.
    const KEYS: &'static [(&'static str, &'static str)];

    /// Sets one value; limits are collected until all of the text is read. None if the value is not valid.
    fn set(&mut self, limits: &mut Limits, key: &str, value: &str) -> Option<()>;

    fn limits_mut(&mut self) -> &mut Limits;

    /// The setting whose value a first part without `=` is.
    fn key_of_bare_word(_word: &str) -> &'static str {
        "evaluator"
    }
}

impl FromStr for Settings {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Settings, SettingsError> {
        read(text, Settings::default())
    }
}

/// Reads settings; omitted settings are as in `default`. A given limit replaces all default limits. Parts
/// are separated by commas, or by spaces if each of them is complete.
///
/// # Errors
/// When a part is not a setting, or its value is not valid.
pub fn read<S: FromWords>(text: &str, default: S) -> Result<S, SettingsError> {
    let mut settings = default;
    let mut limits = Limits::default();
    let mut given: Vec<&'static str> = Vec::new();
    for (place, part) in text.split(',').flat_map(by_spaces).map(str::trim).enumerate() {
        if part.is_empty() && text.trim().is_empty() {
            break;
        }
        let (word, value) = match part.split_once('=') {
            Some((word, value)) => (word.trim(), value.trim()),
            None if place == 0 && !part.is_empty() => (S::key_of_bare_word(part), part),
            None => return Err(SettingsError::NoValue { found: shown(part) }),
        };
        let Some((key, takes)) = S::KEYS.iter().copied().find(|(key, _)| *key == word) else {
            let known = S::KEYS.iter().map(|(key, _)| *key).collect();
            return Err(SettingsError::UnknownKey {
                found: shown(word),
                near: nearest(word, S::KEYS.iter().map(|(key, _)| *key)),
                known,
            });
        };
        if given.contains(&key) {
            return Err(SettingsError::Twice { key });
        }
        given.push(key);
        settings.set(&mut limits, key, value).ok_or_else(|| SettingsError::BadValue {
            key,
            found: shown(value),
            takes,
        })?;
    }
    if limits != Limits::default() {
        *settings.limits_mut() = limits;
    }
    Ok(settings)
}

/// Settings as a text: the given values, each with its key.
pub fn write<'k>(settings: impl IntoIterator<Item = (&'k str, Option<String>)>) -> String {
    let given = settings.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?)));
    given.collect::<Vec<_>>().join(",")
}

/// The parts of a part that has spaces between complete ones, as in `annals nodes=5 seed=2`; else the part itself.
fn by_spaces(part: &str) -> Vec<&str> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let whole =
        |word: &&str| word.split_once('=').is_some_and(|(key, value)| !key.is_empty() && !value.is_empty());
    let whole =
        words.len() > 1 && words.iter().skip(1).all(whole) && !words.iter().any(|word| word.ends_with('='));
    if whole { words } else { vec![part] }
}

impl FromWords for Settings {
    const KEYS: &'static [(&'static str, &'static str)] = &KEYS;

    fn limits_mut(&mut self) -> &mut Limits {
        &mut self.limits
    }

    fn set(&mut self, limits: &mut Limits, key: &str, value: &str) -> Option<()> {
        match key {
            "evaluator" => self.evaluator = evaluator(value)?,
            "nodes" | "depth" | "time" => limit(limits, key, value)?,
            "hash" => self.hash_mib = hash(value)?,
            "threads" => self.search.threads = threads(value)?,
            "setup" => self.setup = value.parse().ok()?,
            "noise-turns" | "noise-per-mille" => noise(&mut self.noise, key, value)?,
            "seed" => self.seed = number(value)?,
            _ => return None,
        }
        Some(())
    }
}

impl FromWords for amazons::Settings {
    const KEYS: &'static [(&'static str, &'static str)] = &AMAZONS_KEYS;

    fn limits_mut(&mut self) -> &mut Limits {
        &mut self.limits
    }

    fn set(&mut self, limits: &mut Limits, key: &str, value: &str) -> Option<()> {
        match key {
            "kind" => self.kind = value.parse().ok()?,
            "evaluator" => self.evaluator = evaluator(value)?,
            "nodes" | "depth" | "time" => limit(limits, key, value)?,
            "hash" => self.hash_mib = hash(value)?,
            "width" => self.width = u16::try_from(number(value)?).ok()?,
            "noise-turns" | "noise-per-mille" => noise(&mut self.noise, key, value)?,
            "resign" => {
                let behind = number(value).filter(|behind| (1..=MOST_BEHIND).contains(behind))?;
                self.resign =
                    Some(Resign { behind: i32::try_from(behind * 100).ok()?, turns: amazons::RESIGN_TURNS });
            }
            "seed" => self.seed = number(value)?,
            _ => return None,
        }
        Some(())
    }

    fn key_of_bare_word(word: &str) -> &'static str {
        if word.parse::<amazons::Kind>().is_ok() { "kind" } else { "evaluator" }
    }
}

fn evaluator(value: &str) -> Option<String> {
    is_evaluator_name(value).then(|| value.to_owned())
}

fn limit(limits: &mut Limits, key: &str, value: &str) -> Option<()> {
    match key {
        "nodes" => limits.nodes = Some(number(value).filter(|nodes| *nodes > 0)?),
        "depth" => {
            let depth = number(value).filter(|depth| (1..=u64::from(MOST_DEPTH)).contains(depth))?;
            limits.depth = Some(u16::try_from(depth).ok()?);
        }
        _ => limits.time = Some(time(value)?),
    }
    Some(())
}

fn hash(value: &str) -> Option<u32> {
    let mib = number(value).filter(|mib| (1..=u64::from(MOST_HASH)).contains(mib))?;
    u32::try_from(mib).ok()
}

fn threads(value: &str) -> Option<u32> {
    let threads = number(value).filter(|threads| (1..=u64::from(MOST_THREADS)).contains(threads))?;
    u32::try_from(threads).ok()
}

fn noise(noise: &mut Noise, key: &str, value: &str) -> Option<()> {
    match key {
        "noise-turns" => noise.turns = u16::try_from(number(value)?).ok()?,
        _ => {
            let per_mille = number(value).filter(|per_mille| *per_mille <= 1000)?;
            noise.per_mille = u16::try_from(per_mille).ok()?;
        }
    }
    Some(())
}

/// Digits, with or without `_` between them.
fn number(text: &str) -> Option<u64> {
    let fits = text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    (fits && !text.starts_with('_')).then(|| text.replace('_', "").parse().ok())?
}

/// A time for a turn: `500ms`, `2s`, or seconds without a unit, `0.1`; none unless it is from a millisecond to a day.
#[must_use]
pub fn time(text: &str) -> Option<Duration> {
    let (digits, unit) = match text.strip_suffix("ms") {
        Some(digits) => (digits, 1),
        None => (text.strip_suffix('s').unwrap_or(text), 1000),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = number(whole)?.checked_mul(unit)?;
    let part = match (part, unit) {
        ("", _) => 0,
        (part, 1000) if part.len() <= 3 => number(part)? * 10u64.pow(3 - part.len() as u32),
        _ => return None,
    };
    let millis = whole.checked_add(part).filter(|millis| (1..=86_400_000).contains(millis))?;
    Some(Duration::from_millis(millis))
}

/// As [`time`], with an error.
///
/// # Errors
/// When the text is not a time of a turn.
pub fn turn_time(text: &str) -> Result<Duration, String> {
    time(text)
        .ok_or_else(|| format!("`{text}` is not a valid time for a turn; write seconds, from 0.001 to 86400"))
}

/// All that differs from the default settings, and always the evaluator and the limits; reading the text gives the same settings.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Settings::default();
        write!(f, "evaluator={}", self.evaluator)?;
        write_limits(f, &self.limits)?;
        if self.hash_mib != default.hash_mib {
            write!(f, ",hash={}", self.hash_mib)?;
        }
        if self.search.threads != default.search.threads {
            write!(f, ",threads={}", self.search.threads)?;
        }
        if self.setup != default.setup {
            write!(f, ",setup={}", self.setup)?;
        }
        write_chance(f, self.noise, default.noise, self.seed, default.seed)
    }
}

impl FromStr for amazons::Settings {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<amazons::Settings, SettingsError> {
        read(text, amazons::Settings::default())
    }
}

/// As for the settings of Arimaa: all that differs from the default, the evaluator and the limits.
impl fmt::Display for amazons::Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = amazons::Settings::default();
        if self.kind != default.kind {
            write!(f, "kind={},", self.kind.word())?;
        }
        write!(f, "evaluator={}", self.evaluator)?;
        write_limits(f, &self.limits)?;
        if self.hash_mib != default.hash_mib {
            write!(f, ",hash={}", self.hash_mib)?;
        }
        if self.width != default.width {
            write!(f, ",width={}", self.width)?;
        }
        if let Some(resign) = self.resign {
            write!(f, ",resign={}", resign.behind / 100)?;
        }
        write_chance(f, self.noise, default.noise, self.seed, default.seed)
    }
}

fn write_limits(f: &mut fmt::Formatter<'_>, limits: &Limits) -> fmt::Result {
    if let Some(nodes) = limits.nodes {
        write!(f, ",nodes={nodes}")?;
    }
    if let Some(depth) = limits.depth {
        write!(f, ",depth={depth}")?;
    }
    match limits.time {
        Some(time) => write!(f, ",time={}ms", time.as_millis()),
        None => Ok(()),
    }
}

fn write_chance(
    f: &mut fmt::Formatter<'_>,
    noise: Noise,
    default: Noise,
    seed: u64,
    default_seed: u64,
) -> fmt::Result {
    if noise.turns != default.turns {
        write!(f, ",noise-turns={}", noise.turns)?;
    }
    if noise.per_mille != default.per_mille {
        write!(f, ",noise-per-mille={}", noise.per_mille)?;
    }
    if seed != default_seed {
        write!(f, ",seed={seed}")?;
    }
    Ok(())
}

/// Whether a text can be an evaluator's name: a plain one, or one that is read from a file, `net:FILE`.
fn is_evaluator_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
    match text.strip_prefix("net:") {
        Some(file) => !file.is_empty() && text.len() <= 1_000 && !file.contains(char::is_control),
        None => !text.is_empty() && text.len() <= 60 && text.bytes().all(plain),
    }
}

/// A text truncated for a message.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Reads the limit of one search: settings, or a number alone, which limits the positions.
///
/// # Errors
/// As [`read`].
pub fn read_limit<S: FromWords>(text: &str, default: S) -> Result<S, SettingsError> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    if digits { read(&format!("nodes={text}"), default) } else { read(text, default) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::SetupStyle;

    #[test]
    fn settings_are_read_and_written_and_what_is_not_given_is_the_default() {
        let text =
            "evaluator=material,nodes=2_000,hash=4,setup=random,noise-turns=6,noise-per-mille=250,seed=9";
        let settings: Settings = text.parse().unwrap();
        assert_eq!((settings.limits, settings.hash_mib, settings.seed), (Limits::nodes(2000), 4, 9));
        assert_eq!(
            (settings.setup, settings.noise),
            (SetupStyle::Random, Noise { turns: 6, per_mille: 250 })
        );
        assert_eq!(settings.to_string(), text.replace('_', ""));
        assert_eq!("".parse(), Ok(Settings::default()));
        for text in ["material", "depth=8", "time=1.5s, nodes=7", "time=20ms,threads=2,setup=varied"] {
            let settings: Settings = text.parse().unwrap();
            assert_eq!(settings.to_string().parse(), Ok(settings), "{text}");
        }
        let both: Settings = "time=1.5s,nodes=7".parse().unwrap();
        assert_eq!((both.limits.time, both.limits.depth), (Some(Duration::from_millis(1500)), None));
        assert_eq!(time("0.1"), Some(Duration::from_millis(100)));
        assert_eq!(time("3"), time("3s"));
    }

    #[test]
    fn the_error_of_a_misspelt_setting_names_the_nearest_one() {
        let error = |text: &str| text.parse::<Settings>().unwrap_err().to_string();
        assert!(error("evalutor=x").contains("did you mean `evaluator`?"), "{}", error("evalutor=x"));
        assert!(error("noise_turns=3").contains("did you mean `noise-turns`?"));
        assert!(error("quux=3").contains("there are evaluator, nodes, depth"));
        assert!(!error("quux=3").contains("did you mean"));
        assert!(error("nodes=2000,material").contains("write KEY=VALUE"));
        assert!(error("nodes=1,nodes=2").contains("twice"));
        for bad in [
            "nodes=0", "nodes=-1", "nodes=x", "depth=0", "depth=401", "time=0", "time=0s", "time=soon",
            "time=1.2345s", "hash=0", "hash=16385", "threads=0", "threads=257",
        ] {
            assert!(error(bad).contains("is not a valid value of"), "{bad}: {}", error(bad));
        }
        for bad in [
            "setup=odd",
            "noise-per-mille=1001",
            "noise-turns=70000",
            "evaluator=",
            "evaluator=A b",
            "nodes=",
        ] {
            assert!(error(bad).contains("is not a valid value of"), "{bad}: {}", error(bad));
        }
        assert!(matches!("nodes=1,,seed=2".parse::<Settings>(), Err(SettingsError::NoValue { .. })));
        assert!(error(&"x".repeat(100_000)).len() < 400);
    }
}
