//! A contestant: a program by its command line, or a built-in player by its settings.

use std::path::PathBuf;
use std::str::FromStr;

use super::command_line::{CommandLine, CommandLineError};
use crate::player::Settings;
use crate::seated::Seated;
use crate::settings_text::{self, SettingsError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contestant<S = Settings> {
    /// The name under which it plays.
    pub name: String,
    pub kind: Kind<S>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind<S = Settings> {
    /// A program with the AEI protocol.
    Program {
        /// Its command line.
        command: CommandLine,
        /// Its working folder; none for that of this program.
        folder: Option<PathBuf>,
        /// Further variables of its environment.
        environment: Vec<(String, String)>,
        /// Options that it receives before every game, by `setoption`.
        options: Vec<(String, String)>,
    },
    /// A built-in player.
    Player(Box<S>),
}

/// Why a text is not a contestant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContestantError {
    #[error(transparent)]
    CommandLine(#[from] CommandLineError),
    #[error("{0}; a built-in player is written as annals:evaluator=material,nodes=5000")]
    Settings(#[from] SettingsError),
}

/// Reads the name of a contestant.
///
/// # Errors
/// When it does not have 1 to 60 characters, or has a control character.
pub fn name(text: &str) -> Result<String, String> {
    let fits = (1..=60).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits { Ok(text.to_owned()) } else { Err("a name has 1 to 60 characters".to_owned()) }
}

/// Reads an option of a program.
///
/// # Errors
/// When it is not a name and a value with `=` between them.
pub fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !text.chars().any(char::is_control) => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err(format!("`{text}` is not a valid option; write NAME=VALUE")),
    }
}

impl<S: Seated> FromStr for Contestant<S> {
    type Err = ContestantError;

    /// `annals`, or `annals:SETTINGS`, is a built-in player; anything else the command line of a program.
    fn from_str(text: &str) -> Result<Contestant<S>, ContestantError> {
        let settings = match text.trim() {
            "annals" => Some(""),
            text => text.strip_prefix("annals:"),
        };
        if let Some(text) = settings {
            // A player without a limit has that of the clock, or without a clock the default.
            let settings = settings_text::read(text, S::for_a_match())?;
            let name = settings.player_name();
            return Ok(Contestant { name, kind: Kind::Player(Box::new(settings)) });
        }
        let command: CommandLine = text.parse()?;
        let name = command.short_name();
        let kind = Kind::Program { command, folder: None, environment: Vec::new(), options: Vec::new() };
        Ok(Contestant { name, kind })
    }
}

impl<S: Seated> Contestant<S> {
    /// Contestants by their texts, with the given names instead of their own, and with options for every program. Each later
    /// one of the same name has a number added.
    ///
    /// # Errors
    /// When a text is not a contestant.
    pub fn read_all(
        texts: &[String],
        names: &[String],
        more: &[(String, String)],
    ) -> Result<Vec<Contestant<S>>, ContestantError> {
        let mut all: Vec<Contestant<S>> = Vec::with_capacity(texts.len());
        for (index, text) in texts.iter().enumerate() {
            let mut contestant: Contestant<S> = text.parse()?;
            if let Some(name) = names.get(index) {
                contestant.name.clone_from(name);
            }
            let wanted = contestant.name.clone();
            let mut number = 2;
            while all.iter().any(|other| other.name == contestant.name) {
                contestant.name = format!("{wanted}-{number}");
                number += 1;
            }
            if let Kind::Program { options, .. } = &mut contestant.kind {
                options.extend(more.iter().cloned());
            }
            all.push(contestant);
        }
        Ok(all)
    }

    /// The settings of a built-in player; none of a program.
    pub fn settings(&self) -> Option<&S> {
        match &self.kind {
            Kind::Player(settings) => Some(settings),
            Kind::Program { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::SetupStyle;
    use crate::search::Limits;

    #[test]
    fn a_built_in_player_is_named_by_its_settings_and_anything_else_is_a_program() {
        let ours: Contestant =
            "annals:nodes=5000,depth=8,setup=random,noise-turns=3,noise-per-mille=250,seed=9"
                .parse()
                .unwrap();
        assert_eq!(ours.name, "annals-n5000-d8");
        let Kind::Player(settings) = ours.kind else { panic!("{ours:?}") };
        assert_eq!(settings.limits, Limits { nodes: Some(5000), depth: Some(8), time: None });
        assert_eq!((settings.setup, settings.noise.turns, settings.seed), (SetupStyle::Random, 3, 9));
        let clock_alone: Contestant = "annals".parse().unwrap();
        let Kind::Player(settings) = clock_alone.kind else { panic!("{clock_alone:?}") };
        assert_eq!((settings.limits, settings.setup), (Limits::default(), SetupStyle::Varied));
        let program: Contestant = "annals engine aei --nodes 100".parse().unwrap();
        assert!(matches!(program.kind, Kind::Program { .. }));
        for bad in [
            "annals:strength=9",
            "annals:nodes=many",
            "annals:setup=odd",
            "annals:noise-per-mille=1001",
            "annals:hash=0",
        ] {
            assert!(bad.parse::<Contestant>().is_err(), "{bad}");
        }
    }
}
