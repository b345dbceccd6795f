//! The arguments of `annals engine match`.

use std::path::PathBuf;
use std::time::Duration;

use annals_engine::arena::{Contestant, ContestantError};
use annals_engine::arena::{contestant, sprt};
use annals_engine::seated::Seated;
use annals_engine::settings_text;
use annals_events::{BoardId, GameKind};
use annals_rules::clock::TimeControl;
use annals_rules::game::Strictness;

use crate::errors::CliError;
use crate::log_file::ActorArgs;
use crate::values::one_of;

/// Options that a pairing of a tournament excludes.
const NOT_WITH_PAIRING: [&str; 12] = [
    "games", "gauntlet", "sprt", "time_control", "move_time", "threads", "turns", "position", "event", "log",
    "output", "first_id",
];

/// Play matches between programs
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Play matches between programs\n\n\
        A contestant is the command line of an AEI program in quotes, or a built-in player: \
        annals:evaluator=material,nodes=5000. Two games are played from each opening, with colours exchanged. \
        The summary has the difference in Elo with its 95% confidence interval, or the ratings of several \
        contestants.\n\n\
        With --log every game is a stream of the log; without it only the summary is printed. A program that \
        fails forfeits, one that is late loses on time, and one that plays an illegal turn loses.\n\n\
        With --director the director decides retractions, halts and failures. docs/reference/aei.md describes clocks, \
        tests and the director's lines.",
    after_long_help = "Examples:\n  \
        annals engine match annals:nodes=2000 annals:nodes=8000 --games 20 --log\n  \
        annals engine match 'annals engine aei' './bot1 -x' --move-time 0.1 --games 10\n  \
        annals engine match ./bot1 ./bot2 ./bot3 --time-control 15s/2m30s/100/0/8h\n  \
        annals engine match annals:nodes=3000 annals:material,nodes=3000 --sprt 0,30\n  \
        annals engine match --game amazons ./8qp ./anky --tournament cup --pairing r1.1"
)]
pub struct Args {
    /// Contestants: command lines of AEI programs, or annals:SETTINGS
    #[arg(value_name = "CONTESTANT", required = true, num_args = 1..)]
    pub contestants: Vec<String>,

    /// Kind of game
    #[arg(long, value_name = "GAME", default_value = "arimaa", value_parser = one_of(GameKind::ALL, GameKind::word))]
    pub game: GameKind,

    /// Name of a contestant, in their order; may be repeated
    #[arg(hide_short_help = true, long = "name", value_name = "NAME", value_parser = contestant::name)]
    pub names: Vec<String>,

    /// Time control, such as 15s/2m30s/100/0/8h/3m or `game 30m`
    #[arg(long, value_name = "CONTROL", conflicts_with = "move_time")]
    pub time_control: Option<TimeControl>,

    /// Seconds for every turn, such as 0.1
    #[arg(hide_short_help = true, long, value_name = "SECONDS", value_parser = settings_text::turn_time)]
    pub move_time: Option<Duration>,

    /// Games of each two contestants [default: 2; with --sprt at most 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,

    /// Only the first contestant plays against the others
    #[arg(hide_short_help = true, long)]
    pub gauntlet: bool,

    /// Stop when Wald's test decides between two differences in Elo
    #[arg(hide_short_help = true, long, value_name = "ELO0,ELO1", value_parser = sprt::differences, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,

    /// Error rate of accepting ELO1 if ELO0 is true
    #[arg(hide_short_help = true, long, value_name = "RATE", default_value_t = 0.05, requires = "sprt")]
    pub alpha: f64,

    /// Error rate of accepting ELO0 if ELO1 is true
    #[arg(hide_short_help = true, long, value_name = "RATE", default_value_t = 0.05, requires = "sprt")]
    pub beta: f64,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,

    /// Turns of each side after which the score decides
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub turns: u32,

    /// Position from which every game starts
    #[arg(hide_short_help = true, long, value_name = "TEXT")]
    pub position: Option<String>,

    /// Seed of the setups and the noise of built-in players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Option that every program gets before each game; may be repeated
    #[arg(hide_short_help = true, long = "option", value_name = "NAME=VALUE", value_parser = contestant::option)]
    pub options: Vec<(String, String)>,

    /// Treat a wrongly stated capture as an illegal turn
    #[arg(hide_short_help = true, long)]
    pub strict: bool,

    /// Name of the match, in the records of its games
    #[arg(hide_short_help = true, long, value_name = "NAME", default_value = "match")]
    pub event: String,

    /// Write the games to the log, as streams game/EVENT-N
    #[arg(long)]
    pub log: bool,

    /// Show each position and read the director's lines from standard input
    #[arg(hide_short_help = true, long, value_name = "NAME")]
    pub director: Option<String>,

    /// Tournament of the pairing
    #[arg(hide_short_help = true, long, value_name = "TOURNAMENT", requires = "pairing", conflicts_with_all = NOT_WITH_PAIRING)]
    pub tournament: Option<String>,

    /// Pairing whose open games are played
    #[arg(hide_short_help = true, long, value_name = "PAIRING", requires = "tournament")]
    pub pairing: Option<BoardId>,

    /// Directory for the move list of each game of the Amazons
    #[arg(hide_short_help = true, long, value_name = "DIR")]
    pub game_files: Option<PathBuf>,

    /// Archive to write in the gameroom's format
    #[arg(short, long, value_name = "FILE", conflicts_with = "position")]
    pub output: Option<PathBuf>,

    /// Overwrite output files that exist
    #[arg(long)]
    pub force: bool,

    /// Number of the first game in the archive [default: from the time]
    #[arg(hide_short_help = true, long, value_name = "ID", requires = "output", value_parser = clap::value_parser!(u64).range(1..=1 << 62))]
    pub first_id: Option<u64>,

    #[command(flatten)]
    pub actor: ActorArgs,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Args {
    pub fn contestants<S: Seated>(&self) -> Result<Vec<Contestant<S>>, ContestantError> {
        Contestant::read_all(&self.contestants, &self.names, &self.options)
    }

    pub const fn captures(&self) -> Strictness {
        if self.strict { Strictness::Strict } else { Strictness::Archive }
    }

    /// Refuses options that do not go together; before anything is played.
    pub fn check(&self) -> Result<(), CliError> {
        // Checked here, since clap counts the values of each occurrence of the option separately.
        if self.contestants.len() < 2 {
            return Err(CliError::new("a match is between two contestants or more, and one is named")
                .hint("write a contestant of several words in quotes: 'annals engine aei'"));
        }
        if self.game == GameKind::Arimaa && self.game_files.is_some() {
            let text = "--game-files writes games of the Amazons, and this match is of Arimaa";
            return Err(CliError::new(text).hint("write an archive with --output FILE"));
        }
        if self.game == GameKind::Amazons && self.output.is_some() {
            return Err(CliError::new("the gameroom's archive format holds games of Arimaa alone")
                .hint("write the list of moves of each game with --game-files DIR"));
        }
        if self.director.is_some() && self.threads > 1 {
            return Err(CliError::new("a director follows one game at a time, and --threads allows more")
                .hint("leave --threads or --director out"));
        }
        if self.sprt.is_some() && self.contestants.len() != 2 {
            let found = self.contestants.len();
            return Err(CliError::new(format!(
                "--sprt tests whether one of two is the stronger one, and there are {found} contestants"
            ))
            .hint("name two contestants, or leave --sprt out"));
        }
        Ok(())
    }
}
