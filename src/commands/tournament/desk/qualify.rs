//! `annals tournament qualify`, `invite`, `lapse`, `disqualify`: who goes on, who comes in another's place, who is out.

use std::process::ExitCode;

use annals_events::TournamentEvent;
use annals_events::tournament::{Disqualification, InvitationLapsed, RatingsRecorded};
use annals_replay::handler::Step;
use annals_tournaments::commands::Command;

use super::director::{DirectorArgs, word};
use super::register::read_ratings;
use crate::errors::CliError;
use crate::home::Home;

/// Publish the order of a stage, and who goes on from it.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Publish the order of the stage that is over (the qualifier, the Swiss), with who goes on and with which \
        seed. The order is worked out from the games; ratings that break ties are recorded first.",
    after_help = "Examples:\n  annals tournament qualify wcc-2015 --rating sharp=2310 --rating ziltoid=2240\n  \
        annals tournament qualify wcc-2015 --dry-run"
)]
pub struct QualifyArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// A rating read from the gameroom; may be repeated.
    #[arg(long = "rating", value_name = "PLAYER=RATING")]
    ratings: Vec<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `qualify`.
pub fn qualify(args: QualifyArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let ratings = read_ratings(&work, &args.ratings)?;
    let recorded = (!ratings.is_empty()).then_some(RatingsRecorded { ratings, source: None });
    let recorded = recorded.map(|recorded| TournamentEvent::RatingsRecorded(recorded).into());
    let steps: Vec<Step> = recorded.into_iter().chain([Command::Qualify.into()]).collect();
    work.carry_out(&steps)
}

/// Invite the next in the order of the qualifier.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Invite the next in the order of the qualifier to the place of a qualifier who is out.",
    after_help = "Examples:\n  annals tournament invite wcc-2015\n  annals tournament invite wcc-2015 --replaces sharp"
)]
pub struct InviteArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// Whose place it is; the one vacant place where it is not given.
    #[arg(long, value_name = "PLAYER")]
    replaces: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `invite`.
pub fn invite(args: InviteArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let replaces = args.replaces.as_deref().map(|text| work.player(text)).transpose()?;
    work.ask(Command::Invite { replaces })
}

/// Record that an invitation came to nothing.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that an invitation came to nothing: declined, or not set up in time. No blame goes with it.",
    after_help = "Example:\n  annals tournament lapse wcc-2015 marwin --reason declined"
)]
pub struct LapseArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// Who had been invited.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// Why.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `lapse`.
pub fn lapse(args: LapseArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let player = work.player(&args.player)?;
    work.record(TournamentEvent::InvitationLapsed(InvitationLapsed { player, reason: args.reason }))
}

/// Disqualify a player.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Disqualify a player. What follows from it by the rulebook (penalty, ban, a forfeited prize) is recorded \
        with it.",
    after_help = "Examples:\n  annals tournament disqualify wcc-2015 sharp --cause not_uploaded\n  \
        annals tournament disqualify postal-2006 kim --cause outside_help --rule human.program\n\nCauses: not_uploaded, \
        qualifying_rules, faster_hardware, program_changed, hardware_changed, limited_program, outside_help, other"
)]
pub struct DisqualifyArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player.
    #[arg(value_name = "PLAYER")]
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

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `disqualify`.
pub fn disqualify(args: DisqualifyArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let player = work.player(&args.player)?;
    let DisqualifyArgs { cause, reason, rules, .. } = args;
    work.ask(Command::Disqualify { player, cause, reason, rules })
}
