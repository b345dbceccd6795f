//! `annals tournament fund fee`, `contribution`, `refund`, `award`, `return-prize`: the ledger.

use annals_events::TournamentEvent;
use annals_events::tournament::{ContributionRecorded, FeeRecorded, RefundRecorded};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, cents, one};
use crate::errors::CliError;

/// Record that a fee was received.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that a player's fee was received.",
    after_help = "Example:\n  annals tournament fund fee wcc-2015 sharp 20"
)]
pub struct FeeArgs {
    /// Who paid.
    player: String,

    /// How much.
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: u64,

    /// Anything else.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Request for FeeArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        one(TournamentEvent::FeeRecorded(FeeRecorded { player, amount: self.amount, note: self.note }))
    }
}

/// Record that somebody added to the prize fund.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that somebody, a player or not, added to the prize fund.",
    after_help = "Example:\n  annals tournament fund contribution wcc-2015 \"Omar Syed\" 250"
)]
pub struct ContributionArgs {
    /// Who gave it.
    #[arg(value_name = "NAME")]
    from: String,

    /// How much.
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: u64,

    /// Anything else.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Request for ContributionArgs {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let ContributionArgs { from, amount, note, .. } = self;
        one(TournamentEvent::ContributionRecorded(ContributionRecorded { from, amount, note }))
    }
}

/// Pay back what the rulebook promises, or one sum to one player.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Pay back what the rulebook promises to those who played to the end; with a player and an amount, one sum to \
        one player.",
    after_help = "Examples:\n  annals tournament fund refund wc-2009\n  annals tournament fund refund wc-2009 omar 10"
)]
pub struct RefundArgs {
    /// To whom.
    #[arg(value_name = "PLAYER", requires = "amount")]
    player: Option<String>,

    /// How much.
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: Option<u64>,

    /// Anything else.
    #[arg(long, value_name = "TEXT", requires = "player")]
    note: Option<String>,
}

impl Request for RefundArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let (Some(player), Some(amount)) = (&self.player, self.amount) else { return one(Command::Refund) };
        let player = work.player(player)?;
        let refund = RefundRecorded { player, amount, ground: None, note: self.note };
        one(TournamentEvent::RefundRecorded(refund))
    }
}

/// Award the prizes that follow from the results, or a thing.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Award the prizes that follow from the results by the rulebook, each with what it rests on; with a player and \
        --thing, one prize that is not money.",
    after_help = "Examples:\n  annals tournament fund award wcc-2015 --dry-run\n  \
        annals tournament fund award wc-2009 omar --thing \"gift certificate of 50 dollars from Z-Man Games\""
)]
pub struct AwardArgs {
    /// To whom the thing is awarded.
    #[arg(value_name = "PLAYER", requires = "thing")]
    player: Option<String>,

    /// What is awarded that is not money: a gift certificate, a trophy.
    #[arg(long, value_name = "TEXT", requires = "player")]
    thing: Option<String>,
}

impl Request for AwardArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let (Some(player), Some(thing)) = (&self.player, self.thing) else { return one(Command::Award) };
        let player = work.player(player)?;
        one(Command::AwardThing { player, thing })
    }
}

/// Record that a player gives back every prize awarded.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that a player gives back every prize that they were awarded, as a program that was limited has to.",
    after_help = "Example:\n  annals tournament fund return wcc-2015 sharp --reason \"the program stopped after 100 games\""
)]
pub struct ReturnPrizeArgs {
    /// Who gives it back.
    player: String,

    /// What happened.
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl Request for ReturnPrizeArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        one(Command::ReturnPrize { player, reason: self.reason })
    }
}
