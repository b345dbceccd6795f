//! `annals tournament qualifier rank`, `invite`, `lapse`, `disqualify`: who goes on, who comes in another's place, who is out.

use annals_events::TournamentEvent;
use annals_events::tournament::{Disqualification, InvitationLapsed, RatingsRecorded};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, one, word};
use super::register::read_ratings;
use crate::errors::CliError;

/// Publish the order of a stage, with seeds and finalists
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Publish the order of a stage, with seeds and finalists\n\n\
        The order of the qualifier or the Swiss is computed from its games. Ratings that break ties are recorded \
        first.",
    after_help = "Examples:\n  annals tournament qualifier rank wcc-2015 --rating sharp=2310 --rating ziltoid=2240\n  \
        annals tournament qualifier rank wcc-2015 --dry-run"
)]
pub struct QualifyArgs {
    /// Rating that breaks ties; may be repeated
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

/// Invite the next player of the qualifier
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Invite the next player of the qualifier\n\n\
        The player gets the place of a qualifier who is out.",
    after_help = "Examples:\n  annals tournament qualifier invite wcc-2015\n  annals tournament qualifier invite wcc-2015 --replaces sharp"
)]
pub struct InviteArgs {
    /// Player whose place is filled [default: the one vacant place]
    #[arg(long, value_name = "PLAYER")]
    replaces: Option<String>,
}

impl Request for InviteArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let replaces = self.replaces.as_deref().map(|text| work.player(text)).transpose()?;
        one(Command::Invite { replaces })
    }
}

/// Record that an invitation lapsed
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that an invitation lapsed\n\n\
        An invitation lapses when it is declined, or when the program is not set up in time.",
    after_help = "Example:\n  annals tournament qualifier lapse wcc-2015 marwin --reason declined"
)]
pub struct LapseArgs {
    /// Player who was invited
    player: String,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Request for LapseArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        one(TournamentEvent::InvitationLapsed(InvitationLapsed { player, reason: self.reason }))
    }
}

/// Disqualify a player
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Disqualify a player\n\n\
        The consequences that the rulebook names (penalty, ban, returned prize) are recorded with it.",
    after_help = "Examples:\n  \
        annals tournament entry disqualify wcc-2015 sharp --cause not_uploaded\n  \
        annals tournament entry disqualify postal-2006 kim --cause outside_help"
)]
pub struct DisqualifyArgs {
    /// Player
    player: String,

    /// Cause
    #[arg(long, value_name = "CAUSE", value_parser = word::<Disqualification>)]
    cause: Disqualification,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    /// Rule that the player violated; may be repeated [default: that of the cause]
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
