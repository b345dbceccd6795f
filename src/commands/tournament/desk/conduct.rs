//! `annals tournament ruling penalty` and `ban`: conduct.

use annals_events::TournamentEvent;
use annals_events::tournament::{BanLifted, BanRecorded, PenaltyPaid, PenaltyRecorded};
use annals_replay::handler::{DirectorSession, Step};

use super::director::{Request, cents, evidence, one};
use crate::errors::CliError;

/// Impose a penalty, or record its payment
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Impose a penalty, or record its payment\n\n\
        With --paid the command records that the penalty was paid.",
    after_help = "Examples:\n  \
        annals tournament ruling penalty wcc-2015 sharp 20 --reason \"used a cluster\"\n  \
        annals tournament ruling penalty wcc-2015 sharp 20 --paid"
)]
pub struct PenaltyArgs {
    /// Player
    player: String,

    /// Amount
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: u64,

    /// Record that the penalty was paid
    #[arg(long)]
    paid: bool,

    /// Reason
    #[arg(long, value_name = "TEXT", required_unless_present = "paid")]
    reason: Option<String>,

    /// Rule that was violated, by its name; may be repeated
    #[arg(long = "rule", value_name = "RULE")]
    rules: Vec<String>,

    /// Evidence; may be repeated
    #[arg(long, value_name = "TEXT")]
    evidence: Vec<String>,
}

impl Request for PenaltyArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        let event = if self.paid {
            TournamentEvent::PenaltyPaid(PenaltyPaid { player, amount: self.amount, note: self.reason })
        } else {
            TournamentEvent::PenaltyRecorded(PenaltyRecorded {
                player,
                amount: self.amount,
                grounds: work.grounds(&self.rules)?,
                evidence: evidence(&self.evidence),
                reason: self.reason.unwrap_or_default(),
            })
        };
        one(event)
    }
}

/// Ban a player from later tournaments, or lift a ban
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Ban a player from later tournaments, or lift a ban\n\n\
        A ban holds for every later entry of the series.",
    after_help = "Examples:\n  \
        annals tournament ruling ban wcc-2015 sharp --until 2017-02-01 --reason \"cluster\"\n  \
        annals tournament ruling ban wcc-2015 sharp --lift --reason \"the log was misread\""
)]
pub struct BanArgs {
    /// Player
    player: String,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// End of the ban [default: none]
    #[arg(long, value_name = "TIME", conflicts_with = "lift")]
    until: Option<String>,

    /// Series [default: that of the tournament]
    #[arg(long, value_name = "SERIES", conflicts_with = "every_series")]
    series: Option<String>,

    /// Ban the player from every series
    #[arg(long)]
    every_series: bool,

    /// Developer who is banned too; may be repeated [default: those of the entry]
    #[arg(long = "developer", value_name = "NAME", conflicts_with = "lift")]
    developers: Vec<String>,

    /// Rule on which the ban is based, by its name; may be repeated
    #[arg(long = "rule", value_name = "RULE", conflicts_with = "lift")]
    rules: Vec<String>,

    /// Evidence; may be repeated
    #[arg(long, value_name = "TEXT", conflicts_with = "lift")]
    evidence: Vec<String>,

    /// Lift the ban
    #[arg(long)]
    lift: bool,
}

impl Request for BanArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        let state = work.state()?;
        let own = state.announced.as_ref().and_then(|announced| announced.series.clone());
        let series = if self.every_series { None } else { self.series.or(own) };
        let entry = state.entrants.get(&player).map(|entrant| entrant.entry.fact.developers.clone());
        let developers = if self.developers.is_empty() { entry.unwrap_or_default() } else { self.developers };
        let event = if self.lift {
            TournamentEvent::BanLifted(BanLifted { player, series, reason: self.reason })
        } else {
            TournamentEvent::BanRecorded(BanRecorded {
                player,
                developers,
                series,
                until: self.until.as_deref().map(|text| work.time(text)).transpose()?,
                grounds: work.grounds(&self.rules)?,
                evidence: evidence(&self.evidence),
                reason: self.reason,
            })
        };
        one(event)
    }
}
