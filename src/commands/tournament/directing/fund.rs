//! `annals tournament fund fee`, `contribution`, `refund`, `award`, `return`: the ledger.

use annals_events::tournament::{ContributionRecorded, FeeRecorded, RefundRecorded};
use annals_events::{Cents, FixedPoint};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, record, request};
use crate::errors::CliError;

#[derive(Debug, clap::Subcommand)]
pub enum FundRequest {
    /// Record a fee
    #[command(after_long_help = "Example:\n  annals tournament fund fee wcc-2015 sharp 10")]
    Fee {
        /// Player who paid
        player: String,

        /// Amount
        amount: Cents,

        /// Note
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },

    /// Record a contribution to the prize fund
    ///
    /// Where the rulebook shares out the registration fees alone, as in 2006, a contribution stays in the fund.
    #[command(after_long_help = "Example:\n  annals tournament fund contribution wcc-2015 \"Omar Syed\" 250")]
    Contribution {
        /// Contributor, a player or not
        #[arg(value_name = "NAME")]
        from: String,

        /// Amount
        amount: Cents,

        /// Note
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },

    /// Record a refund
    ///
    /// Pays the refundable part of the fee back to those who played to the end, or with PLAYER and AMOUNT one sum to one player.
    #[command(after_long_help = "Examples:\n  \
        annals tournament fund refund wc-2009\n  \
        annals tournament fund refund wc-2009 omar 10")]
    Refund {
        /// Player [default: all whom the rulebook names]
        #[arg(requires = "amount")]
        player: Option<String>,

        /// Amount
        amount: Option<Cents>,

        /// Note
        #[arg(long, value_name = "TEXT", requires = "player")]
        note: Option<String>,
    },

    /// Award the prizes that follow from the results
    ///
    /// Each prize is recorded with its reason. With PLAYER and --thing, one prize that is not money is awarded.
    #[command(after_long_help = "Examples:\n  \
        annals tournament fund award wcc-2015 --dry-run\n  \
        annals tournament fund award wc-2009 omar --thing \"gift certificate\"")]
    Award {
        /// Player of a prize that is not money
        #[arg(requires = "thing")]
        player: Option<String>,

        /// Prize that is not money, such as a trophy
        #[arg(long, value_name = "TEXT", requires = "player")]
        thing: Option<String>,
    },

    /// Record that a player returned the prizes
    ///
    /// A player whose program was limited returns every prize.
    #[command(after_long_help = "Example:\n  \
        annals tournament fund return wcc-2015 sharp --reason \"the program stopped after 100 games\"")]
    Return {
        /// Player
        player: String,

        /// Reason
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

impl Request for FundRequest {
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError> {
        match self {
            FundRequest::Fee { player, amount: FixedPoint(amount), note } => {
                record(FeeRecorded { player: session.player(&player)?, amount, note })
            }
            FundRequest::Contribution { from, amount: FixedPoint(amount), note } => {
                record(ContributionRecorded { from, amount, note })
            }
            FundRequest::Refund { player: Some(player), amount: Some(FixedPoint(amount)), note } => {
                let player = session.player(&player)?;
                record(RefundRecorded { player, amount, ground: None, note })
            }
            FundRequest::Refund { .. } => request(Command::Refund),
            FundRequest::Award { player: Some(player), thing: Some(thing) } => {
                request(Command::AwardThing { player: session.player(&player)?, thing })
            }
            FundRequest::Award { .. } => request(Command::Award),
            FundRequest::Return { player, reason } => {
                request(Command::ReturnPrize { player: session.player(&player)?, reason })
            }
        }
    }
}
