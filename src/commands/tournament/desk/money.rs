//! `annals tournament fund fee`, `contribution`, `refund`, `award`, `return-prize`: the ledger.

use annals_events::TournamentEvent;
use annals_events::tournament::{ContributionRecorded, FeeRecorded, RefundRecorded};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, cents, one};
use crate::errors::CliError;

/// Record a fee
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  annals tournament fund fee wcc-2015 sharp 20")]
pub struct FeeArgs {
    /// Player who paid
    player: String,

    /// Amount
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: u64,

    /// Note
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Request for FeeArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        one(TournamentEvent::FeeRecorded(FeeRecorded { player, amount: self.amount, note: self.note }))
    }
}

/// Record a contribution to the prize fund
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  annals tournament fund contribution wcc-2015 \"Omar Syed\" 250")]
pub struct ContributionArgs {
    /// Contributor, a player or not
    #[arg(value_name = "NAME")]
    from: String,

    /// Amount
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: u64,

    /// Note
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Request for ContributionArgs {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let ContributionArgs { from, amount, note, .. } = self;
        one(TournamentEvent::ContributionRecorded(ContributionRecorded { from, amount, note }))
    }
}

/// Record a refund
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record a refund\n\n\
        Pays what the rulebook promises to those who played to the end, or with PLAYER and AMOUNT one sum to one \
        player.",
    after_help = "Examples:\n  annals tournament fund refund wc-2009\n  annals tournament fund refund wc-2009 omar 10"
)]
pub struct RefundArgs {
    /// Player [default: all whom the rulebook names]
    #[arg(value_name = "PLAYER", requires = "amount")]
    player: Option<String>,

    /// Amount
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: Option<u64>,

    /// Note
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

/// Award the prizes that follow from the results
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Award the prizes that follow from the results\n\n\
        Each prize is recorded with its reason. With PLAYER and --thing, one prize that is not money is awarded.",
    after_help = "Examples:\n  annals tournament fund award wcc-2015 --dry-run\n  \
        annals tournament fund award wc-2009 omar --thing \"gift certificate of 50 dollars from Z-Man Games\""
)]
pub struct AwardArgs {
    /// Player of a prize that is not money
    #[arg(value_name = "PLAYER", requires = "thing")]
    player: Option<String>,

    /// Prize that is not money, such as a trophy
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

/// Record that a player returned the prizes
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that a player returned the prizes\n\n\
        A player whose program was limited returns every prize.",
    after_help = "Example:\n  annals tournament fund return wcc-2015 sharp --reason \"the program stopped after 100 games\""
)]
pub struct ReturnPrizeArgs {
    /// Player
    player: String,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl Request for ReturnPrizeArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        one(Command::ReturnPrize { player, reason: self.reason })
    }
}
