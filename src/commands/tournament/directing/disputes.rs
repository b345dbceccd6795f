//! `annals tournament ruling dispute`, `appeal`, `decide-appeal`, `penalty`, `ban`: claims of players, and conduct.

use annals_events::tournament::{
    AppealFiled, BanLifted, BanRecorded, DisputeFiled, Evidence, PenaltyPaid, PenaltyRecorded,
};
use annals_events::{BoardId, Cents, FixedPoint};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, record, request};
use super::ruling::GiveArgs;
use crate::errors::CliError;

#[derive(Debug, clap::Subcommand)]
pub enum RulingRequest {
    Give(Box<GiveArgs>),

    /// File a dispute
    ///
    /// The dispute gets the next number. `annals tournament ruling give ... --dispute N` decides it.
    #[command(after_long_help = "Examples:\n  \
        annals tournament ruling dispute postal-2006 omar --against ariel \\\n    \
        --pairing r1.4 --claim \"no move for ten days\"\n  \
        annals tournament ruling dispute postal-2006 omar --against kim \\\n    \
        --claim \"the turns of r1.7\" --rule human.imitation")]
    Dispute {
        /// Player who files the dispute
        #[arg(value_name = "PLAYER")]
        by: String,

        /// Opponent in the dispute
        #[arg(long, value_name = "PLAYER")]
        against: Option<String>,

        /// Pairing in dispute
        #[arg(long)]
        pairing: Option<BoardId>,

        /// Claim
        #[arg(long, value_name = "TEXT")]
        claim: String,

        /// Rule that is claimed to be violated, by its name; may be repeated
        #[arg(long = "rule", value_name = "RULE")]
        rules: Vec<String>,

        /// Evidence; may be repeated
        #[arg(long, value_name = "TEXT")]
        evidence: Vec<Evidence>,
    },

    /// File an appeal
    ///
    /// An appeal is against a removal, a forfeit or a ruling. It gets the next number.
    #[command(after_long_help = "Example:\n  \
        annals tournament ruling appeal wc-2009 omar --pairing r3.2 --claim \"the server was down\"")]
    Appeal {
        /// Player who appeals
        #[arg(value_name = "PLAYER")]
        by: String,

        /// Ruling that is appealed
        #[arg(long, value_name = "N")]
        ruling: Option<u32>,

        /// Pairing of the appeal
        #[arg(long)]
        pairing: Option<BoardId>,

        /// Claim
        #[arg(long, value_name = "TEXT")]
        claim: String,

        /// Evidence; may be repeated
        #[arg(long, value_name = "TEXT")]
        evidence: Vec<Evidence>,
    },

    /// Decide an appeal
    ///
    /// A removed player whose appeal is accepted can play again.
    #[command(after_long_help = "Examples:\n  \
        annals tournament ruling decide-appeal wc-2009 1 --accept --reason \"server log\"\n  \
        annals tournament ruling decide-appeal wc-2009 2 --reject --reason \"no evidence\"")]
    DecideAppeal {
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
    },

    /// Impose a penalty, or record its payment
    ///
    /// With --paid the command records that the penalty was paid.
    #[command(after_long_help = "Examples:\n  \
        annals tournament ruling penalty wcc-2015 sharp 20 --reason \"used a cluster\"\n  \
        annals tournament ruling penalty wcc-2015 sharp 20 --paid")]
    Penalty {
        /// Player
        player: String,

        /// Amount
        amount: Cents,

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
        evidence: Vec<Evidence>,
    },

    /// Ban a player from later tournaments, or lift a ban
    ///
    /// A ban holds for every later entry of the series.
    #[command(after_long_help = "Examples:\n  \
        annals tournament ruling ban wcc-2015 sharp --until 2017-02-01 --reason \"cluster\"\n  \
        annals tournament ruling ban wcc-2015 sharp --lift --reason \"the log was misread\"")]
    Ban {
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
        evidence: Vec<Evidence>,

        /// Lift the ban
        #[arg(long)]
        lift: bool,
    },
}

impl Request for RulingRequest {
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError> {
        match self {
            RulingRequest::Give(args) => request(args.command(session)?),
            RulingRequest::Dispute { by, against, pairing, claim, rules, evidence } => {
                let by = session.player(&by)?;
                let against = against.map(|name| session.player(&name)).transpose()?;
                let grounds = session.grounds(&rules)?;
                let filed = DisputeFiled { number: 0, by, against, pairing, claim, grounds, evidence };
                request(Command::Dispute(filed))
            }
            RulingRequest::Appeal { by, ruling, pairing, claim, evidence } => {
                let by = session.player(&by)?;
                request(Command::Appeal(AppealFiled { number: 0, by, ruling, pairing, claim, evidence }))
            }
            RulingRequest::DecideAppeal { number, accept, reason, .. } => {
                request(Command::DecideAppeal { number, accepted: accept, reason })
            }
            RulingRequest::Penalty {
                player, amount: FixedPoint(amount), paid: true, reason: note, ..
            } => record(PenaltyPaid { player: session.player(&player)?, amount, note }),
            RulingRequest::Penalty {
                player, amount: FixedPoint(amount), reason, rules, evidence, ..
            } => {
                let (player, grounds) = (session.player(&player)?, session.grounds(&rules)?);
                let reason = reason.unwrap_or_default();
                record(PenaltyRecorded { player, amount, grounds, evidence, reason })
            }
            RulingRequest::Ban {
                player,
                reason,
                until,
                series,
                every_series,
                developers,
                rules,
                evidence,
                lift,
            } => {
                let player = session.player(&player)?;
                let series = if every_series { None } else { series.or(session.series()?) };
                if lift {
                    return record(BanLifted { player, series, reason });
                }
                let developers =
                    if developers.is_empty() { session.developers(&player)? } else { developers };
                let until = until.map(|text| session.time(&text)).transpose()?;
                let grounds = session.grounds(&rules)?;
                record(BanRecorded { player, developers, series, until, grounds, evidence, reason })
            }
        }
    }
}
