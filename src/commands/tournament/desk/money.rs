//! `annals tournament fee`, `contribution`, `refund`, `award`, `return-prize`: the ledger.

use std::process::ExitCode;

use annals_events::TournamentEvent;
use annals_events::tournament::{ContributionRecorded, FeeRecorded, RefundRecorded};
use annals_tournaments::commands::Command;

use super::director::{DirectorArgs, cents};
use crate::errors::CliError;
use crate::home::Home;

/// Record that a fee was received.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that a player's fee was received.",
    after_help = "Example:\n  annals tournament fee wcc-2015 sharp 20"
)]
pub struct FeeArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// Who paid.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// How much.
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: u64,

    /// Anything else.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `fee`.
pub fn fee(args: FeeArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let player = work.player(&args.player)?;
    work.record(TournamentEvent::FeeRecorded(FeeRecorded { player, amount: args.amount, note: args.note }))
}

/// Record that somebody added to the prize fund.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that somebody, a player or not, added to the prize fund.",
    after_help = "Example:\n  annals tournament contribution wcc-2015 \"Omar Syed\" 250"
)]
pub struct ContributionArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// Who gave it.
    #[arg(value_name = "NAME")]
    from: String,

    /// How much.
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: u64,

    /// Anything else.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `contribution`.
pub fn contribution(args: ContributionArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let ContributionArgs { from, amount, note, .. } = args;
    work.record(TournamentEvent::ContributionRecorded(ContributionRecorded { from, amount, note }))
}

/// Pay back what the rulebook promises, or one sum to one player.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Pay back what the rulebook promises to those who played to the end; with a player and an amount, one sum to \
        one player.",
    after_help = "Examples:\n  annals tournament refund wc-2009\n  annals tournament refund wc-2009 omar 10"
)]
pub struct RefundArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// To whom.
    #[arg(value_name = "PLAYER", requires = "amount")]
    player: Option<String>,

    /// How much.
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: Option<u64>,

    /// Anything else.
    #[arg(long, value_name = "TEXT", requires = "player")]
    note: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `refund`.
pub fn refund(args: RefundArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let (Some(player), Some(amount)) = (&args.player, args.amount) else { return work.ask(Command::Refund) };
    let player = work.player(player)?;
    let refund = RefundRecorded { player, amount, ground: None, note: args.note };
    work.record(TournamentEvent::RefundRecorded(refund))
}

/// Award the prizes that follow from the results, or a thing.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Award the prizes that follow from the results by the rulebook, each with what it rests on; with a player and \
        --thing, one prize that is not money.",
    after_help = "Examples:\n  annals tournament award wcc-2015 --dry-run\n  \
        annals tournament award wc-2009 omar --thing \"gift certificate of 50 dollars from Z-Man Games\""
)]
pub struct AwardArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// To whom the thing is awarded.
    #[arg(value_name = "PLAYER", requires = "thing")]
    player: Option<String>,

    /// What is awarded that is not money: a gift certificate, a trophy.
    #[arg(long, value_name = "TEXT", requires = "player")]
    thing: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `award`.
pub fn award(args: AwardArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let (Some(player), Some(thing)) = (&args.player, args.thing) else { return work.ask(Command::Award) };
    let player = work.player(player)?;
    work.ask(Command::AwardThing { player, thing })
}

/// Record that a player gives back every prize awarded.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that a player gives back every prize that they were awarded, as a program that was limited has to.",
    after_help = "Example:\n  annals tournament return-prize wcc-2015 sharp --reason \"the program stopped after 100 games\""
)]
pub struct ReturnPrizeArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// Who gives it back.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// What happened.
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `return-prize`.
pub fn return_prize(args: ReturnPrizeArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let player = work.player(&args.player)?;
    work.ask(Command::ReturnPrize { player, reason: args.reason })
}
