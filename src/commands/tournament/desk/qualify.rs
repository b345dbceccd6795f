//! `annals tournament qualifier rank`, `invite`, `lapse`, `disqualify`: who goes on, who comes in another's place, who is out.

use annals_events::TournamentEvent;
use annals_events::tournament::{Disqualification, InvitationLapsed, RatingsRecorded};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, one, word};
use super::register::read_ratings;
use crate::errors::CliError;

/// Publish the order of a stage, and who goes on from it.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Publish the order of the stage that is over (the qualifier, the Swiss), with who goes on and with which \
        seed. The order is worked out from the games; ratings that break ties are recorded first.",
    after_help = "Examples:\n  annals tournament qualifier rank wcc-2015 --rating sharp=2310 --rating ziltoid=2240\n  \
        annals tournament qualifier rank wcc-2015 --dry-run"
)]
pub struct QualifyArgs {
    /// A rating read from the gameroom; may be repeated.
    #[arg(long = "rating", value_name = "PLAYER=RATING")]
    ratings: Vec<String>,
}

impl Request for QualifyArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let ratings = read_ratings(work, &self.ratings)?;
        let recorded = (!ratings.is_empty()).then_some(RatingsRecorded { ratings, source: None });
        let recorded = recorded.map(|recorded| TournamentEvent::RatingsRecorded(recorded).into());
        Ok(recorded.into_iter().chain([Command::Qualify.into()]).collect())
    }
}

/// Invite the next in the order of the qualifier.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Invite the next in the order of the qualifier to the place of a qualifier who is out.",
    after_help = "Examples:\n  annals tournament qualifier invite wcc-2015\n  annals tournament qualifier invite wcc-2015 --replaces sharp"
)]
pub struct InviteArgs {
    /// Whose place it is; the one vacant place where it is not given.
    #[arg(long, value_name = "PLAYER")]
    replaces: Option<String>,
}

impl Request for InviteArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let replaces = self.replaces.as_deref().map(|text| work.player(text)).transpose()?;
        one(Command::Invite { replaces })
    }
}

/// Record that an invitation came to nothing.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that an invitation came to nothing: declined, or not set up in time. No blame goes with it.",
    after_help = "Example:\n  annals tournament qualifier lapse wcc-2015 marwin --reason declined"
)]
pub struct LapseArgs {
    /// Who had been invited.
    player: String,

    /// Why.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Request for LapseArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        one(TournamentEvent::InvitationLapsed(InvitationLapsed { player, reason: self.reason }))
    }
}

/// Disqualify a player.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Disqualify a player. What follows from it by the rulebook (penalty, ban, a forfeited prize) is recorded \
        with it.",
    after_help = "Examples:\n  annals tournament entry disqualify wcc-2015 sharp --cause not_uploaded\n  \
        annals tournament entry disqualify postal-2006 kim --cause outside_help --rule human.program\n\nCauses: not_uploaded, \
        qualifying_rules, faster_hardware, program_changed, hardware_changed, limited_program, outside_help, other"
)]
pub struct DisqualifyArgs {
    /// The player.
    player: String,

    /// For what.
    #[arg(long, value_name = "CAUSE", value_parser = word::<Disqualification>)]
    cause: Disqualification,

    /// What happened.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    /// A rule that the player broke, by its name; may be repeated. Default: that of the cause.
    #[arg(long = "rule", value_name = "RULE")]
    rules: Vec<String>,
}

impl Request for DisqualifyArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        let DisqualifyArgs { cause, reason, rules, .. } = self;
        one(Command::Disqualify { player, cause, reason, rules })
    }
}
