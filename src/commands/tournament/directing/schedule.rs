//! `annals tournament schedule availability`, `set`, `notify`, `dates`: when games are played, and who was notified.

use annals_events::BoardId;
use annals_events::tournament::{AvailabilityGiven, Milestone, ScheduleChanged, Stage};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::announce::with_milestones;
use super::director::{Request, record, request};
use crate::errors::CliError;
use crate::values::assignment;

#[derive(Debug, clap::Subcommand)]
pub enum ScheduleRequest {
    /// Record when a player can play
    ///
    /// A span is a time, two dots, and a time.
    #[command(after_long_help = "Example:\n  \
        annals tournament schedule availability wc-2009 omar --round 3 --tz EST \\\n    \
        2009-01-17T18:00..2009-01-17T22:00 2009-01-18T12:00..2009-01-18T20:00")]
    Availability {
        /// Player
        player: String,

        /// Spans of time, best first
        #[arg(value_name = "FROM..TO", required = true)]
        slots: Vec<String>,

        /// Round [default: all later rounds]
        #[arg(long, value_name = "N")]
        round: Option<u32>,
    },

    /// Fix the time of a game
    ///
    /// Without a time, the time follows from the availability of the players.
    #[command(after_long_help = "Examples:\n  \
        annals tournament schedule set wc-2009 r3.2\n  \
        annals tournament schedule set wc-2009 r3.2 2009-01-17T20:00 --reason \"both agreed\"")]
    Set {
        /// Pairing
        pairing: BoardId,

        /// Start of the game [default: from the availability]
        time: Option<String>,

        /// Reason for a change
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },

    /// Record that players were notified
    ///
    /// Records the notices that are due: pairings, times and invitations. Nothing is sent.
    #[command(after_long_help = "Example:\n  annals tournament schedule notify wc-2009")]
    Notify {
        /// Only notices of this stage
        #[arg(long)]
        stage: Option<Stage>,
    },

    /// Move dates of the announcement
    ///
    /// Dates that are not named remain.
    #[command(after_long_help = "Example:\n  \
        annals tournament schedule dates wcc-2015 play_begins=2015-03-02 --reason \"the server is down\"")]
    Dates {
        #[arg(value_name = "MILESTONE=TIME", value_parser = assignment::<Milestone, String>, required = true,
            help = "New dates", long_help = with_milestones("New dates"))]
        dates: Vec<(Milestone, String)>,

        /// Reason
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

impl Request for ScheduleRequest {
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError> {
        match self {
            ScheduleRequest::Availability { player, slots, round } => {
                let player = session.player(&player)?;
                let slots = slots.iter().map(|text| session.slot(text)).collect::<Result<_, _>>()?;
                record(AvailabilityGiven { player, round, slots })
            }
            ScheduleRequest::Set { pairing, time, reason } => {
                let at = time.map(|text| session.time(&text)).transpose()?;
                request(Command::Schedule { pairing, at, reason })
            }
            ScheduleRequest::Notify { stage } => request(Command::Notify { stage }),
            ScheduleRequest::Dates { dates, reason } => {
                record(ScheduleChanged { schedule: session.deadlines(&dates)?, reason })
            }
        }
    }
}
