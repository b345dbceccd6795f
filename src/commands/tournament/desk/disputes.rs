//! `annals tournament ruling dispute`, `appeal`, `decide-appeal`: what players bring before the director.

use annals_events::BoardId;
use annals_events::tournament::{AppealFiled, DisputeFiled, Ground};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, evidence, one, pairing};
use crate::errors::CliError;

/// File a dispute
#[derive(Debug, clap::Args)]
#[command(
    long_about = "File a dispute\n\n\
        The dispute gets the next number. `annals tournament ruling give ... --dispute N` decides it.",
    after_help = "Examples:\n  \
        annals tournament ruling dispute postal-2006 omar --against ariel \\\n    \
        --pairing r1.4 --claim \"no move for ten days\"\n  \
        annals tournament ruling dispute postal-2006 omar --against kim \\\n    \
        --claim \"the turns of r1.7\" --rule human.imitation"
)]
pub struct DisputeArgs {
    /// Player who files the dispute
    #[arg(value_name = "PLAYER")]
    by: String,

    /// Opponent in the dispute
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,

    /// Pairing in dispute
    #[arg(long, value_name = "PAIRING", value_parser = pairing)]
    pairing: Option<BoardId>,

    /// Claim
    #[arg(long, value_name = "TEXT")]
    claim: String,

    /// Rule that is claimed to be violated, by its name; may be repeated
    #[arg(long = "rule", value_name = "RULE")]
    rules: Vec<String>,

    /// Evidence; may be repeated
    #[arg(long, value_name = "TEXT")]
    evidence: Vec<String>,
}

impl Request for DisputeArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let by = work.player(&self.by)?;
        let against = self.against.as_deref().map(|text| work.player(text)).transpose()?;
        let evidence = evidence(&self.evidence);
        let (pairing, claim) = (self.pairing, self.claim);
        let cited = |rule| Ground { rule, paragraph: None, finding: None };
        let grounds = self.rules.into_iter().map(cited).collect();
        one(Command::Dispute(DisputeFiled { number: 0, by, against, pairing, claim, grounds, evidence }))
    }
}

/// File an appeal
#[derive(Debug, clap::Args)]
#[command(
    long_about = "File an appeal\n\n\
        An appeal is against a removal, a forfeit or a ruling. It gets the next number.",
    after_help = "Example:\n  annals tournament ruling appeal wc-2009 omar --pairing r3.2 --claim \"the server was down\""
)]
pub struct AppealArgs {
    /// Player who appeals
    #[arg(value_name = "PLAYER")]
    by: String,

    /// Ruling that is appealed
    #[arg(long, value_name = "N")]
    ruling: Option<u32>,

    /// Pairing of the appeal
    #[arg(long, value_name = "PAIRING", value_parser = pairing)]
    pairing: Option<BoardId>,

    /// Claim
    #[arg(long, value_name = "TEXT")]
    claim: String,

    /// Evidence; may be repeated
    #[arg(long, value_name = "TEXT")]
    evidence: Vec<String>,
}

impl Request for AppealArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let by = work.player(&self.by)?;
        let evidence = evidence(&self.evidence);
        let AppealArgs { ruling, pairing, claim, .. } = self;
        one(Command::Appeal(AppealFiled { number: 0, by, ruling, pairing, claim, evidence }))
    }
}

/// Decide an appeal
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Decide an appeal\n\n\
        A removed player whose appeal is accepted can play again.",
    after_help = "Examples:\n  \
        annals tournament ruling decide-appeal wc-2009 1 --accept --reason \"server log\"\n  \
        annals tournament ruling decide-appeal wc-2009 2 --reject --reason \"no evidence\""
)]
pub struct DecideAppealArgs {
    /// Number of the appeal
    #[arg(value_name = "N")]
    number: u32,

    /// Accept the appeal
    #[arg(long, required_unless_present = "reject", conflicts_with = "reject")]
    accept: bool,

    /// Reject the appeal
    #[arg(long)]
    reject: bool,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl Request for DecideAppealArgs {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        one(Command::DecideAppeal { number: self.number, accepted: self.accept, reason: self.reason })
    }
}
