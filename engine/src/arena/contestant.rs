//! Who plays: a program by its command line, or a player of ours by its settings.

use std::path::PathBuf;
use std::str::FromStr;

use super::command_line::{CommandLine, CommandLineError};
use crate::player::{Settings, SetupStyle};
use crate::search::Limits;

/// One who plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contestant {
    /// The name under which it plays.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// What a contestant is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A program that speaks AEI.
    Program {
        /// How it is started.
        command: CommandLine,
        /// In which folder; none for that of this program.
        folder: Option<PathBuf>,
        /// Further variables of its environment.
        environment: Vec<(String, String)>,
        /// Options that it is given before every game, by `setoption`.
        options: Vec<(String, String)>,
    },
    /// A player of ours.
    Player(Box<Settings>),
}

/// Why a text is no contestant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContestantError {
    /// It is no command line.
    #[error(transparent)]
    CommandLine(#[from] CommandLineError),
    /// A setting that there is not.
    #[error(
        "`{0}` is no setting of a player; there are evaluator, nodes, depth, time, hash, seed, setup, noise-turns and \
         noise: write annals:evaluator=material,nodes=5000"
    )]
    Setting(String),
    /// A setting cannot have that value.
    #[error("`{value}` is no value for {name}: {wanted}")]
    Value {
        /// The setting.
        name: String,
        /// What was given.
        value: String,
        /// What is possible.
        wanted: &'static str,
    },
}

impl FromStr for Contestant {
    type Err = ContestantError;

    /// `annals`, or `annals:NAME=VALUE,...`, is a player of ours; anything else the command line of a program.
    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
        let settings = match text.trim() {
            "annals" => Some(""),
            text => text.strip_prefix("annals:"),
        };
        if let Some(text) = settings {
            let settings = read_settings(text)?;
            return Ok(Contestant {
                name: settings.evaluator.clone(),
                kind: Kind::Player(Box::new(settings)),
            });
        }
        let command: CommandLine = text.parse()?;
        let name = command.short_name();
        let kind = Kind::Program { command, folder: None, environment: Vec::new(), options: Vec::new() };
        Ok(Contestant { name, kind })
    }
}

fn read_settings(text: &str) -> Result<Settings, ContestantError> {
    // Without a limit of its own it is the clock that limits it, or where there is none, what is usual.
    let mut settings =
        Settings { setup: SetupStyle::Varied, limits: Limits::default(), ..Settings::default() };
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let wrong =
            |wanted| ContestantError::Value { name: name.to_owned(), value: value.to_owned(), wanted };
        let number = || value.parse::<u64>().map_err(|_| wrong("write a whole number"));
        let small = || value.parse::<u16>().map_err(|_| wrong("write a whole number up to 65535"));
        match name {
            "evaluator" => value.clone_into(&mut settings.evaluator),
            "nodes" => settings.limits.nodes = Some(number()?),
            "depth" => settings.limits.depth = Some(small()?),
            "time" => {
                let seconds =
                    value.parse::<f64>().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
                let seconds = seconds.ok_or_else(|| wrong("write seconds, from 0.001 to 86400"))?;
                settings.limits.time = Some(std::time::Duration::from_secs_f64(seconds));
            }
            "hash" => {
                let mib = value.parse::<u32>().ok().filter(|mib| (1..=16_384).contains(mib));
                settings.hash_mib = mib.ok_or_else(|| wrong("write MiB, from 1 to 16384"))?;
            }
            "seed" => settings.seed = number()?,
            "setup" => {
                settings.setup = match value {
                    "fixed" => SetupStyle::Fixed,
                    "varied" => SetupStyle::Varied,
                    "random" => SetupStyle::Random,
                    _ => return Err(wrong("write fixed, varied or random")),
                }
            }
            "noise-turns" => settings.noise.turns = small()?,
            "noise" => {
                let per_mille = small()?;
                settings.noise.per_mille =
                    Some(per_mille).filter(|n| *n <= 1000).ok_or_else(|| wrong("write 0 to 1000"))?;
            }
            _ => return Err(ContestantError::Setting(name.to_owned())),
        }
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_of_ours_is_named_by_its_settings_and_anything_else_is_a_program() {
        let ours: Contestant =
            "annals:nodes=5000,depth=8,setup=random,noise-turns=3,noise=250,seed=9".parse().unwrap();
        let Kind::Player(settings) = ours.kind else { panic!("{ours:?}") };
        assert_eq!(settings.limits, Limits { nodes: Some(5000), depth: Some(8), time: None });
        assert_eq!((settings.setup, settings.noise.turns, settings.seed), (SetupStyle::Random, 3, 9));
        let program: Contestant = "annals aei --nodes 100".parse().unwrap();
        assert!(matches!(program.kind, Kind::Program { .. }));
        for bad in [
            "annals:strength=9",
            "annals:nodes=many",
            "annals:setup=odd",
            "annals:noise=1001",
            "annals:hash=0",
        ] {
            assert!(bad.parse::<Contestant>().is_err(), "{bad}");
        }
    }
}
