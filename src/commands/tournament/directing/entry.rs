//! `annals tournament entry add`, `withdraw`, `reinstate`, `disqualify`, `ratings`: who takes part.

use annals_events::tournament::{
    Disqualification, PlayerReinstated, PlayerWithdrawn, RatingsRecorded, Withdrawal,
};
use annals_replay::handler::{DirectorSession, KnownAs, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, record, request};
use crate::errors::CliError;
use crate::values::{assignment, one_of};

#[derive(Debug, clap::Subcommand)]
pub enum EntryRequest {
    /// Enter a player
    ///
    /// A player who is not yet in the log is recorded in the same commit. The rulebook states who may enter, and by when.
    #[command(after_long_help = "Examples:\n  \
        annals tournament entry add wcc-2015 sharp --name Sharp --bot --developer \"D. Wu\" --rating 2310\n  \
        annals tournament entry add wc-2009 fritzlein --name Fritzlein --rating 2450 --at 2008-12-20")]
    Add {
        /// Identity (lower-case letters, digits, `.`, `-`, `_`), or the name of a known player
        player: String,

        /// Name as shown and sorted [default: as known]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,

        /// The player is a program
        #[arg(long)]
        bot: bool,

        /// Developer of the program; may be repeated
        #[arg(long = "developer", value_name = "NAME")]
        developers: Vec<String>,

        /// Number of the gameroom account
        #[arg(long, value_name = "N")]
        account: Option<u64>,

        /// Rating on entry
        #[arg(long, value_name = "N", allow_hyphen_values = true)]
        rating: Option<i32>,

        /// Number on the entry list, if the rulebook sorts by it
        #[arg(hide_short_help = true, long, value_name = "N")]
        number: Option<u32>,

        /// Country code
        #[arg(hide_short_help = true, long, value_name = "CODE")]
        country: Option<String>,

        /// Identity of the program's version of another year
        #[arg(hide_short_help = true, long, value_name = "PLAYER")]
        earlier_version: Option<String>,
    },

    /// Record that a player leaves or is removed
    ///
    /// Later rounds do not pair the player. A game that had begun is played to its end. Any other game that is paired is a
    /// forfeit of the player, also the later ones in a ring or an all-play-all.
    #[command(after_long_help = "Examples:\n  \
        annals tournament entry withdraw wc-2009 omar\n  \
        annals tournament entry withdraw wc-2009 omar --how removed --reason \"two forfeits\"")]
    Withdraw {
        /// Player
        player: String,

        /// How the player leaves
        #[arg(long, value_name = "WITHDRAWAL", default_value = "own", value_parser = one_of(Withdrawal::ALL, Withdrawal::word))]
        how: Withdrawal,

        /// Reason
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },

    /// Let a player who left play again
    ///
    /// A removal by forfeit needs an accepted appeal.
    #[command(after_long_help = "Example:\n  annals tournament entry reinstate wc-2009 omar --appeal 1")]
    Reinstate {
        /// Player
        player: String,

        /// Number of the accepted appeal
        #[arg(long, value_name = "N")]
        appeal: Option<u32>,

        /// Reason
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },

    /// Disqualify a player
    ///
    /// The consequences that the rulebook names (penalty, ban, returned prize) are recorded with it.
    #[command(after_long_help = "Examples:\n  \
        annals tournament entry disqualify wcc-2015 sharp --cause not_uploaded\n  \
        annals tournament entry disqualify postal-2006 kim --cause outside_help")]
    Disqualify {
        /// Player
        player: String,

        /// Cause
        #[arg(long, value_parser = one_of(Disqualification::ALL, Disqualification::word))]
        cause: Disqualification,

        /// Reason
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,

        /// Rule that the player violated; may be repeated [default: that of the cause]
        #[arg(long = "rule", value_name = "RULE")]
        rules: Vec<String>,
    },

    /// Record ratings that were read from the gameroom
    #[command(after_long_help = "Example:\n  \
        annals tournament entry ratings wc-2009 fritzlein=2450 omar=1890 --source \"gameroom, 2009-01-02\"")]
    Ratings {
        /// Ratings
        #[arg(value_name = "PLAYER=RATING", value_parser = assignment::<String, i32>, required = true)]
        ratings: Vec<(String, i32)>,

        /// Where and when they were read
        #[arg(long, value_name = "TEXT")]
        source: Option<String>,
    },
}

impl Request for EntryRequest {
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError> {
        match self {
            EntryRequest::Add {
                player,
                name,
                bot,
                developers,
                account,
                rating,
                number,
                country,
                earlier_version,
            } => {
                let known = KnownAs { name, bot, developers, country, earlier_version };
                Ok(session.entry(&player, known, (account, rating, number))?)
            }
            EntryRequest::Withdraw { player, how, reason } => {
                record(PlayerWithdrawn { player: session.player(&player)?, how, reason })
            }
            EntryRequest::Reinstate { player, appeal, reason } => {
                record(PlayerReinstated { player: session.player(&player)?, appeal, reason })
            }
            EntryRequest::Disqualify { player, cause, reason, rules } => {
                let player = session.player(&player)?;
                request(Command::Disqualify { player, cause, reason, rules })
            }
            EntryRequest::Ratings { ratings, source } => {
                record(RatingsRecorded { ratings: session.ratings(&ratings)?, source })
            }
        }
    }
}
