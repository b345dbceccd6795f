//! The settings of a player as text, read and written in this one place: `evaluator=annals,nodes=2000,setup=varied`. The first
//! part may be an evaluator's name alone. What is not said is as by [`Settings::default`]; a limit that is said stands
//! in the place of the usual one.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::player::{Noise, Settings, SetupStyle};
use crate::search::Limits;

/// The largest table of positions that can be asked for anywhere, in MiB.
pub const MOST_HASH: u32 = 16 * 1024;

/// The most steps that can be asked for; a search never gets so far.
pub const MOST_DEPTH: u16 = 400;

/// The words before `=`, each with what it takes.
pub const KEYS: [(&str, &str); 9] = [
    ("evaluator", "the name of an evaluator"),
    ("nodes", "positions to look at in a turn"),
    ("depth", "steps to look ahead, 1 to 400"),
    ("time", "time for a turn, from 1ms to a day: 500ms, 2s, or seconds without a unit, 0.1"),
    ("hash", "MiB of the table of positions, 1 to 16384"),
    ("setup", "fixed, varied or random"),
    ("noise-turns", "in how many of the first turns any turn may be played"),
    ("noise-per-mille", "how often, of a thousand times, it then is"),
    ("seed", "the seed of setup and noise"),
];

/// Why a text is no settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// A word before `=` that means nothing.
    #[error("`{found}` is no setting of a player{}; there are {}", near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default(), list())]
    UnknownKey {
        /// What stands there.
        found: String,
        /// The setting that looks most like it.
        near: Option<&'static str>,
    },
    /// A part without `=`.
    #[error("`{found}` says no setting: write KEY=VALUE, as in `evaluator=material,nodes=2000`")]
    NoValue {
        /// What stands there.
        found: String,
    },
    /// A value that does not fit.
    #[error("`{found}` is no value of `{key}`: {takes}")]
    BadValue {
        /// The setting.
        key: &'static str,
        /// What stands there.
        found: String,
        /// What it takes.
        takes: &'static str,
    },
    /// A setting is made twice.
    #[error("`{key}` is set twice")]
    Twice {
        /// The setting.
        key: &'static str,
    },
}

fn list() -> String {
    KEYS.map(|(key, _)| key).join(", ")
}

impl FromStr for Settings {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Settings, SettingsError> {
        read(text, Settings::default())
    }
}

/// Reads settings; what is not said is as in `usual`, but for the limits, of which all are new where one is said.
///
/// # Errors
/// When a part is no setting, or its value does not fit.
pub fn read(text: &str, usual: Settings) -> Result<Settings, SettingsError> {
    let mut settings = usual;
    let mut limits = Limits::default();
    let mut said: Vec<&'static str> = Vec::new();
    for (place, part) in text.split(',').map(str::trim).enumerate() {
        if part.is_empty() && text.trim().is_empty() {
            break;
        }
        let (word, value) = match part.split_once('=') {
            Some((word, value)) => (word.trim(), value.trim()),
            None if place == 0 && !part.is_empty() => ("evaluator", part),
            None => return Err(SettingsError::NoValue { found: shown(part) }),
        };
        let Some((key, takes)) = KEYS.into_iter().find(|(key, _)| *key == word) else {
            return Err(SettingsError::UnknownKey { found: shown(word), near: nearest(word) });
        };
        if said.contains(&key) {
            return Err(SettingsError::Twice { key });
        }
        said.push(key);
        set(&mut settings, &mut limits, key, value).ok_or_else(|| SettingsError::BadValue {
            key,
            found: shown(value),
            takes,
        })?;
    }
    if limits != Limits::default() {
        settings.limits = limits;
    }
    Ok(settings)
}

/// Sets one value; none where it does not fit.
fn set(settings: &mut Settings, limits: &mut Limits, key: &str, value: &str) -> Option<()> {
    match key {
        "evaluator" => {
            is_evaluator_name(value).then_some(())?;
            value.clone_into(&mut settings.evaluator);
        }
        "nodes" => limits.nodes = Some(number(value).filter(|nodes| *nodes > 0)?),
        "depth" => {
            let depth = number(value).filter(|depth| (1..=u64::from(MOST_DEPTH)).contains(depth))?;
            limits.depth = Some(u16::try_from(depth).ok()?);
        }
        "time" => limits.time = Some(time(value)?),
        "hash" => {
            let mib = number(value).filter(|mib| (1..=u64::from(MOST_HASH)).contains(mib))?;
            settings.hash_mib = u32::try_from(mib).ok()?;
        }
        "setup" => settings.setup = value.parse().ok()?,
        "noise-turns" => settings.noise.turns = u16::try_from(number(value)?).ok()?,
        "noise-per-mille" => {
            let per_mille = number(value).filter(|per_mille| *per_mille <= 1000)?;
            settings.noise.per_mille = u16::try_from(per_mille).ok()?;
        }
        "seed" => settings.seed = number(value)?,
        _ => return None,
    }
    Some(())
}

/// Digits, with or without `_` between them.
fn number(text: &str) -> Option<u64> {
    let fits = text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    (fits && !text.starts_with('_')).then(|| text.replace('_', "").parse().ok())?
}

/// A time for a turn: `500ms`, `2s`, or seconds without a unit, `0.1`; none where it is no time from a millisecond to a day.
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

impl FromStr for SetupStyle {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<SetupStyle, SettingsError> {
        match text {
            "fixed" => Ok(SetupStyle::Fixed),
            "varied" => Ok(SetupStyle::Varied),
            "random" => Ok(SetupStyle::Random),
            _ => Err(SettingsError::BadValue { key: "setup", found: shown(text), takes: KEYS[5].1 }),
        }
    }
}

impl fmt::Display for SetupStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetupStyle::Fixed => "fixed",
            SetupStyle::Varied => "varied",
            SetupStyle::Random => "random",
        })
    }
}

/// All that differs from the usual settings, and the evaluator and the limits always; reads back as the same.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Settings::default();
        write!(f, "evaluator={}", self.evaluator)?;
        if let Some(nodes) = self.limits.nodes {
            write!(f, ",nodes={nodes}")?;
        }
        if let Some(depth) = self.limits.depth {
            write!(f, ",depth={depth}")?;
        }
        if let Some(time) = self.limits.time {
            write!(f, ",time={}ms", time.as_millis())?;
        }
        if self.hash_mib != usual.hash_mib {
            write!(f, ",hash={}", self.hash_mib)?;
        }
        if self.setup != usual.setup {
            write!(f, ",setup={}", self.setup)?;
        }
        let Noise { turns, per_mille } = self.noise;
        if turns != usual.noise.turns {
            write!(f, ",noise-turns={turns}")?;
        }
        if per_mille != usual.noise.per_mille {
            write!(f, ",noise-per-mille={per_mille}")?;
        }
        if self.seed != usual.seed {
            write!(f, ",seed={}", self.seed)?;
        }
        Ok(())
    }
}

/// The name of a player with these settings, which says what it is: `annals-material-n500`, `annals-d8`.
#[must_use]
pub fn player_name(settings: &Settings) -> String {
    let mut name = String::from("annals");
    if settings.evaluator != "annals" {
        name.push('-');
        name.push_str(&plain_name(&settings.evaluator));
    }
    if let Some(nodes) = settings.limits.nodes {
        name.push_str(&format!("-n{nodes}"));
    }
    if let Some(depth) = settings.limits.depth {
        name.push_str(&format!("-d{depth}"));
    }
    if let Some(time) = settings.limits.time {
        name.push_str(&format!("-t{}ms", time.as_millis()));
    }
    name
}

/// Whether a text can be an evaluator's name: a plain one, or one that is read from a file, `net:FILE`.
fn is_evaluator_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
    match text.strip_prefix("net:") {
        Some(file) => !file.is_empty() && text.len() <= 1_000 && !file.contains(char::is_control),
        None => !text.is_empty() && text.len() <= 60 && text.bytes().all(plain),
    }
}

/// An evaluator's name as a part of a player's: of a file its own name without its folders and its ending.
fn plain_name(evaluator: &str) -> String {
    let Some(file) = evaluator.strip_prefix("net:") else { return evaluator.to_owned() };
    let stem = std::path::Path::new(file).file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let kept = |c: char| if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' };
    format!("net-{}", stem.unwrap_or_default().chars().take(40).map(kept).collect::<String>())
}

/// A text cut short for a message.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The setting that a misspelt one was probably meant to be: at most a third of its letters differ.
fn nearest(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase().replace('_', "-");
    if word.len() > 40 {
        return None;
    }
    KEYS.iter()
        .map(|(key, _)| (changes(&word, key), *key))
        .filter(|(changes, key)| changes * 3 <= key.len().max(3))
        .min_by_key(|(changes, _)| *changes)
        .map(|(_, key)| key)
}

/// How many letters have to be put in, left out or changed to make one word of the other.
fn changes(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(left != right);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_written_and_what_is_not_said_is_as_usual() {
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
        for text in ["material", "depth=8", "time=1.5s, nodes=7", "time=20ms,setup=varied"] {
            let settings: Settings = text.parse().unwrap();
            assert_eq!(settings.to_string().parse(), Ok(settings), "{text}");
        }
        let both: Settings = "time=1.5s,nodes=7".parse().unwrap();
        assert_eq!((both.limits.time, both.limits.depth), (Some(Duration::from_millis(1500)), None));
        assert_eq!(time("0.1"), Some(Duration::from_millis(100)));
        assert_eq!(time("3"), time("3s"));
    }

    #[test]
    fn a_misspelt_setting_is_told_with_the_one_that_was_meant() {
        let said = |text: &str| text.parse::<Settings>().unwrap_err().to_string();
        assert!(said("evalutor=x").contains("did you mean `evaluator`?"), "{}", said("evalutor=x"));
        assert!(said("noise_turns=3").contains("did you mean `noise-turns`?"));
        assert!(said("quux=3").contains("there are evaluator, nodes, depth"));
        assert!(!said("quux=3").contains("did you mean"));
        assert!(said("nodes=2000,material").contains("write KEY=VALUE"));
        assert!(said("nodes=1,nodes=2").contains("twice"));
        for bad in [
            "nodes=0",
            "nodes=-1",
            "nodes=x",
            "depth=0",
            "depth=401",
            "time=0",
            "time=0s",
            "time=soon",
            "time=1.2345s",
            "hash=0",
            "hash=16385",
        ] {
            assert!(said(bad).contains("is no value of"), "{bad}: {}", said(bad));
        }
        for bad in [
            "setup=odd",
            "noise-per-mille=1001",
            "noise-turns=70000",
            "evaluator=",
            "evaluator=A b",
            "nodes=",
        ] {
            assert!(said(bad).contains("is no value of"), "{bad}: {}", said(bad));
        }
        assert!(matches!("nodes=1,,seed=2".parse::<Settings>(), Err(SettingsError::NoValue { .. })));
        assert!(said(&"x".repeat(100_000)).len() < 400);
    }

    #[test]
    fn a_name_says_what_the_player_is() {
        let name = |text: &str| player_name(&text.parse().unwrap());
        assert_eq!(name("material,nodes=500"), "annals-material-n500");
        assert_eq!(name("annals,depth=8"), "annals-d8");
        assert_eq!(name("x,nodes=5,time=2s"), "annals-x-n5-t2000ms");
    }
}
