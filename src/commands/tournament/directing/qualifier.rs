//! `annals tournament qualifier benchmarks`, `add-game`, `rank`, `invite`, `lapse`: who qualifies.

use annals_events::tournament::{
    BenchmarksDeclared, InvitationLapsed, QualifyingGamePlayed, RatingsRecorded,
};
use annals_events::{GameId, Side, Termination};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, record, request};
use crate::errors::CliError;
use crate::values::{assignment, one_of};

#[derive(Debug, clap::Subcommand)]
pub enum QualifierRequest {
    /// Declare the benchmark players of the qualifier
    ///
    /// A second declaration replaces the first.
    #[command(
        after_long_help = "Example:\n  annals tournament qualifier benchmarks wcc-2015 bot_a bot_b bot_c bot_d"
    )]
    Benchmarks {
        /// Benchmark players, by identity
        #[arg(value_name = "PLAYER", required = true)]
        stable: Vec<String>,
    },

    /// Record a game of the qualifier
    ///
    /// Records every game; `annals tournament qualifier rank` computes which of them count.
    #[command(after_long_help = "Example:\n  \
        annals tournament qualifier add-game wcc-2015 sharp bot_a --side gold \\\n    \
        --winner gold --termination goal --started-at 2015-01-04T20:00Z \\\n    \
        --ended-at 2015-01-04T21:10Z")]
    AddGame {
        /// Player of the qualifier
        player: String,

        /// Benchmark player
        benchmark: String,

        /// Side of the player
        #[arg(long)]
        side: Side,

        /// Start of the game
        #[arg(long, value_name = "TIME")]
        started_at: String,

        /// End of the game
        #[arg(long, value_name = "TIME")]
        ended_at: String,

        /// Side that won [default: none]
        #[arg(long, value_name = "SIDE")]
        winner: Option<Side>,

        /// How the game ended
        #[arg(hide_short_help = true, long, value_parser = one_of(&Termination::ALL, Termination::word))]
        termination: Option<Termination>,

        /// The game was unrated
        #[arg(hide_short_help = true, long)]
        unrated: bool,

        /// Number of the game in the archive
        #[arg(hide_short_help = true, long, value_name = "N")]
        number: Option<u64>,

        /// Game of the log
        #[arg(hide_short_help = true, long)]
        game: Option<GameId>,
    },

    /// Publish the order of a stage, with seeds and finalists
    ///
    /// The order of the qualifier or the Swiss is computed from its games. Ratings that break ties are recorded first.
    #[command(after_long_help = "Examples:\n  \
        annals tournament qualifier rank wcc-2015 --rating sharp=2310 --rating ziltoid=2240\n  \
        annals tournament qualifier rank wcc-2015 --dry-run")]
    Rank {
        /// Rating that breaks ties; may be repeated
        #[arg(long = "rating", value_name = "PLAYER=RATING", value_parser = assignment::<String, i32>)]
        ratings: Vec<(String, i32)>,
    },

    /// Invite the next player of the qualifier
    ///
    /// The player gets the place of a qualifier who is out.
    #[command(after_long_help = "Examples:\n  \
        annals tournament qualifier invite wcc-2015\n  \
        annals tournament qualifier invite wcc-2015 --replaces sharp")]
    Invite {
        /// Player whose place is filled [default: the one vacant place]
        #[arg(long, value_name = "PLAYER")]
        replaces: Option<String>,
    },

    /// Record that an invitation lapsed
    ///
    /// An invitation lapses when it is declined, or when the program is not set up in time.
    #[command(
        after_long_help = "Example:\n  annals tournament qualifier lapse wcc-2015 marwin --reason declined"
    )]
    Lapse {
        /// Player who was invited
        player: String,

        /// Reason
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}

impl Request for QualifierRequest {
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError> {
        match self {
            QualifierRequest::Benchmarks { stable } => {
                record(BenchmarksDeclared { stable: session.benchmarks(&stable)? })
            }
            QualifierRequest::AddGame {
                player,
                benchmark,
                side,
                started_at,
                ended_at,
                winner,
                termination,
                unrated,
                number,
                game,
            } => record(QualifyingGamePlayed {
                player: session.player(&player)?,
                benchmark: session.benchmark(&benchmark)?,
                side,
                rated: !unrated,
                started_at: session.time(&started_at)?,
                ended_at: session.time(&ended_at)?,
                winner,
                termination,
                number,
                game,
            }),
            QualifierRequest::Rank { ratings } if ratings.is_empty() => request(Command::Qualify),
            QualifierRequest::Rank { ratings } => {
                let recorded = RatingsRecorded { ratings: session.ratings(&ratings)?, source: None };
                Ok([record(recorded)?, request(Command::Qualify)?].concat())
            }
            QualifierRequest::Invite { replaces } => {
                let replaces = replaces.map(|name| session.player(&name)).transpose()?;
                request(Command::Invite { replaces })
            }
            QualifierRequest::Lapse { player, reason } => {
                record(InvitationLapsed { player: session.player(&player)?, reason })
            }
        }
    }
}
