//! `annals tournament schedule availability`, `schedule`, `notify`, `dates`: when games are played, and who was told.

use annals_events::tournament::{AvailabilityGiven, Deadline, Milestone, ScheduleChanged, Slot, Stage};
use annals_events::{BoardId, TournamentEvent};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, one, pairing, word};
use crate::errors::CliError;

/// Record when a player can play.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record when a player would like to play, best first: each span is a time, two dots, and a time.",
    after_help = "Example:\n  annals tournament schedule availability wc-2009 omar --round 3 2009-01-17T18:00..2009-01-17T22:00 \\\n    \
        2009-01-18T12:00..2009-01-18T20:00 --tz EST"
)]
pub struct AvailabilityArgs {
    /// The player.
    player: String,

    /// The spans, best first.
    #[arg(value_name = "FROM..TO", required = true)]
    slots: Vec<String>,

    /// The round; every round until they say otherwise where it is not given.
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

/// Fix the time of a game.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Fix the time of a game: the one that is given, or the one that follows from what the players asked for.",
    after_help = "Examples:\n  annals tournament schedule set wc-2009 r3.2\n  \
        annals tournament schedule set wc-2009 r3.2 2009-01-17T20:00 --tz EST --reason \"both asked for it\""
)]
pub struct ScheduleArgs {
    /// The pairing.
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// When the game is to start.
    time: Option<String>,

    /// Why it was moved.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Request for ScheduleArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let at = self.time.as_deref().map(|text| work.time(text)).transpose()?;
        one(Command::Schedule { pairing: self.pairing, at, reason: self.reason })
    }
}

/// Tell players what they have not been told.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that players are told what they have not been told yet: their pairings, their times, that they are \
        invited. Nothing is sent; what is due is recorded as told.",
    after_help = "Example:\n  annals tournament schedule notify wc-2009"
)]
pub struct NotifyArgs {
    /// Only about this stage.
    #[arg(long, value_name = "STAGE", value_parser = word::<Stage>)]
    stage: Option<Stage>,
}

impl Request for NotifyArgs {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        one(Command::Notify { stage: self.stage })
    }
}

/// Move dates of the announcement.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Move dates of the announcement; those that are not named stay.",
    after_help = "Example:\n  annals tournament schedule dates wcc-2015 play_begins=2015-03-02 --reason \"the server is down\""
)]
pub struct DatesArgs {
    /// The new dates.
    #[arg(value_name = "MILESTONE=TIME", required = true)]
    dates: Vec<String>,

    /// Why.
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
