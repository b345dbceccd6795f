//! `annals tournament schedule availability`, `schedule`, `notify`, `dates`: when games are played, and who was told.

use annals_events::tournament::{AvailabilityGiven, Deadline, Milestone, ScheduleChanged, Slot, Stage};
use annals_events::{BoardId, TournamentEvent};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, one, pairing, word};
use crate::errors::CliError;

/// Record when a player can play
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record when a player can play\n\n\
        A span is a time, two dots, and a time.",
    after_help = "Example:\n  \
        annals tournament schedule availability wc-2009 omar --round 3 --tz EST \\\n    \
        2009-01-17T18:00..2009-01-17T22:00 2009-01-18T12:00..2009-01-18T20:00"
)]
pub struct AvailabilityArgs {
    /// Player
    player: String,

    /// Spans of time, best first
    #[arg(value_name = "FROM..TO", required = true)]
    slots: Vec<String>,

    /// Round [default: all later rounds]
    #[arg(long, value_name = "N")]
    round: Option<u32>,
}

impl Request for AvailabilityArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        let mut slots = Vec::new();
        for text in &self.slots {
            let (from, to) = text.split_once("..").ok_or_else(|| {
                CliError::new(format!("`{text}` is no span; write 2009-01-17T18:00..2009-01-17T22:00"))
            })?;
            let slot = Slot { from: work.time(from)?, to: work.time(to)? };
            if slot.from >= slot.to {
                return Err(CliError::new(format!("the span `{text}` ends before it begins")));
            }
            slots.push(slot);
        }
        one(TournamentEvent::AvailabilityGiven(AvailabilityGiven { player, round: self.round, slots }))
    }
}

/// Fix the time of a game
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Fix the time of a game\n\n\
        Without a time, the time follows from the availability of the players.",
    after_help = "Examples:\n  \
        annals tournament schedule set wc-2009 r3.2\n  \
        annals tournament schedule set wc-2009 r3.2 2009-01-17T20:00 --reason \"both agreed\""
)]
pub struct ScheduleArgs {
    /// Pairing
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// Start of the game [default: from the availability]
    time: Option<String>,

    /// Reason for a change
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Request for ScheduleArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let at = self.time.as_deref().map(|text| work.time(text)).transpose()?;
        one(Command::Schedule { pairing: self.pairing, at, reason: self.reason })
    }
}

/// Record that players were notified
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that players were notified\n\n\
        Records the notices that are due: pairings, times and invitations. Nothing is sent.",
    after_help = "Example:\n  annals tournament schedule notify wc-2009"
)]
pub struct NotifyArgs {
    /// Only notices of this stage
    #[arg(long, value_name = "STAGE", value_parser = word::<Stage>)]
    stage: Option<Stage>,
}

impl Request for NotifyArgs {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        one(Command::Notify { stage: self.stage })
    }
}

/// Move dates of the announcement
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Move dates of the announcement\n\n\
        Dates that are not named remain.",
    after_help = "Example:\n  annals tournament schedule dates wcc-2015 play_begins=2015-03-02 --reason \"the server is down\""
)]
pub struct DatesArgs {
    /// New dates
    #[arg(value_name = "MILESTONE=TIME", required = true)]
    dates: Vec<String>,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl Request for DatesArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let mut schedule = Vec::new();
        for text in &self.dates {
            let (milestone, at) = text
                .split_once('=')
                .ok_or_else(|| CliError::new(format!("`{text}` is no date; write play_begins=2015-03-02")))?;
            let milestone = word::<Milestone>(milestone).map_err(CliError::new)?;
            schedule.push(Deadline { milestone, at: work.time(at)? });
        }
        one(TournamentEvent::ScheduleChanged(ScheduleChanged { schedule, reason: self.reason }))
    }
}
