//! Which games are rated, and by which system.

#[cfg(feature = "charts")]
use annals_analytics::ratings::as_argument;
use annals_analytics::ratings::{Selection, Start, System};
use annals_events::GameKind;
#[cfg(feature = "charts")]
use annals_report::shell_word;

use crate::errors::CliError;

/// Which games are rated, and how.
#[derive(Debug, clap::Args)]
pub struct SelectionArgs {
    /// Rating system with its options
    #[arg(long, value_name = "SYSTEM", default_value = "gameroom", value_parser = system)]
    system: System,

    #[command(flatten)]
    games: GamesArgs,

    /// Start from the rating in the record of each player's first game that counts (gameroom)
    #[arg(long)]
    from_record: bool,
}

/// Which games count.
#[derive(Debug, Clone, clap::Args)]
pub struct GamesArgs {
    /// Kind of game
    #[arg(long, value_name = "GAME", default_value = "arimaa")]
    game: GameKind,

    /// Include unrated games
    #[arg(long)]
    unrated: bool,

    /// Only games that ended by then: time, date, month, season or year (UTC)
    #[arg(long, value_name = "DATE")]
    as_of: Option<String>,

    /// SQL condition on the table `games`
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
}

impl GamesArgs {
    /// The selection under a system, of games among some players or among all.
    pub fn selection(&self, system: System, players: &[String]) -> Selection {
        Selection {
            game: self.game,
            system,
            players: players.to_vec(),
            unrated: self.unrated,
            as_of: self.as_of.clone(),
            condition: self.condition.clone(),
        }
    }
}

#[cfg(feature = "charts")]
impl GamesArgs {
    /// The same as arguments of a command line, each with a space before it.
    pub fn words(&self) -> String {
        let mut words = String::new();
        if self.game != GameKind::Arimaa {
            words.push_str(&format!(" --game {}", self.game));
        }
        if self.unrated {
            words.push_str(" --unrated");
        }
        if let Some(date) = &self.as_of {
            words.push_str(&format!(" --as-of {}", shell_word(date)));
        }
        if let Some(condition) = &self.condition {
            words.push_str(&format!(" --where {}", shell_word(condition)));
        }
        words
    }
}

impl SelectionArgs {
    /// The selection, of games among some players or among all.
    pub fn selection(&self, players: &[String]) -> Result<Selection, CliError> {
        let mut system = self.system.clone();
        if self.from_record {
            let System::Gameroom(options) = &mut system else {
                return Err(CliError::new(format!(
                    "{} does not begin with what records state",
                    system.word()
                ))
                .hint("only the gameroom's formula does: `--system gameroom --from-record`"));
            };
            options.start = Start::Record;
        }
        Ok(self.games.selection(system, players))
    }

    /// The same as arguments of a command line.
    #[cfg(feature = "charts")]
    pub fn words(&self) -> String {
        let mut words = format!("--system {}", as_argument(&self.system));
        if self.from_record {
            words.push_str(" --from-record");
        }
        words + &self.games.words()
    }
}

/// Reads a system; what is wrong with it, with what to do.
pub fn system(text: &str) -> Result<System, String> {
    text.parse::<System>().map_err(|error| format!("{error}; {}", error.hints().join("; ")))
}
