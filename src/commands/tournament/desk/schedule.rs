//! `annals tournament availability`, `schedule`, `notify`, `dates`: when games are played, and who was told.

use std::process::ExitCode;

use annals_events::tournament::{AvailabilityGiven, Deadline, Milestone, ScheduleChanged, Slot, Stage};
use annals_events::{BoardId, TournamentEvent};
use annals_tournaments::commands::Command;

use super::director::{DirectorArgs, pairing, word};
use crate::errors::CliError;
use crate::home::Home;

/// Record when a player can play.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record when a player would like to play, best first: each span is a time, two dots, and a time.",
    after_help = "Example:\n  annals tournament availability wc-2009 omar --round 3 2009-01-17T18:00..2009-01-17T22:00 \\\n    \
        2009-01-18T12:00..2009-01-18T20:00 --tz EST"
)]
pub struct AvailabilityArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// The spans, best first.
    #[arg(value_name = "FROM..TO", required = true)]
    slots: Vec<String>,

    /// The round; every round until they say otherwise where it is not given.
    #[arg(long, value_name = "N")]
    round: Option<u32>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `availability`.
pub fn availability(args: AvailabilityArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let player = work.player(&args.player)?;
    let mut slots = Vec::new();
    for text in &args.slots {
        let (from, to) = text.split_once("..").ok_or_else(|| {
            CliError::new(format!("`{text}` is no span; write 2009-01-17T18:00..2009-01-17T22:00"))
        })?;
        let slot = Slot { from: work.time(from)?, to: work.time(to)? };
        if slot.from >= slot.to {
            return Err(CliError::new(format!("the span `{text}` ends before it begins")));
        }
        slots.push(slot);
    }
    work.record(TournamentEvent::AvailabilityGiven(AvailabilityGiven { player, round: args.round, slots }))
}

/// Fix the time of a game.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Fix the time of a game: the one that is given, or the one that follows from what the players asked for.",
    after_help = "Examples:\n  annals tournament schedule wc-2009 r3.2\n  \
        annals tournament schedule wc-2009 r3.2 2009-01-17T20:00 --tz EST --reason \"both asked for it\""
)]
pub struct ScheduleArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The pairing.
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// When the game is to start.
    #[arg(value_name = "TIME")]
    time: Option<String>,

    /// Why it was moved.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `schedule`.
pub fn schedule(args: ScheduleArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let at = args.time.as_deref().map(|text| work.time(text)).transpose()?;
    work.ask(Command::Schedule { pairing: args.pairing, at, reason: args.reason })
}

/// Tell players what they have not been told.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that players are told what they have not been told yet: their pairings, their times, that they are \
        invited. Nothing is sent; what is due is recorded as told.",
    after_help = "Example:\n  annals tournament notify wc-2009"
)]
pub struct NotifyArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// Only about this stage.
    #[arg(long, value_name = "STAGE", value_parser = word::<Stage>)]
    stage: Option<Stage>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `notify`.
pub fn notify(args: NotifyArgs, home: &Home) -> Result<ExitCode, CliError> {
    args.director.open(home, &args.tournament)?.ask(Command::Notify { stage: args.stage })
}

/// Move dates of the announcement.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Move dates of the announcement; those that are not named stay.",
    after_help = "Example:\n  annals tournament dates wcc-2015 play_begins=2015-03-02 --reason \"the server is down\""
)]
pub struct DatesArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The new dates.
    #[arg(value_name = "MILESTONE=TIME", required = true)]
    dates: Vec<String>,

    /// Why.
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `dates`.
pub fn dates(args: DatesArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let mut schedule = Vec::new();
    for text in &args.dates {
        let (milestone, at) = text
            .split_once('=')
            .ok_or_else(|| CliError::new(format!("`{text}` is no date; write play_begins=2015-03-02")))?;
        let milestone = word::<Milestone>(milestone).map_err(CliError::new)?;
        schedule.push(Deadline { milestone, at: work.time(at)? });
    }
    work.record(TournamentEvent::ScheduleChanged(ScheduleChanged { schedule, reason: args.reason }))
}
