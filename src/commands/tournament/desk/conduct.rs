//! `annals tournament penalty` and `ban`: conduct.

use std::process::ExitCode;

use annals_events::TournamentEvent;
use annals_events::tournament::{BanLifted, BanRecorded, Ground, PenaltyPaid, PenaltyRecorded};

use super::director::{AtWork, DirectorArgs, cents, evidence};
use crate::errors::CliError;
use crate::home::Home;

/// Impose a penalty, or record that it was paid.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Impose a penalty; with --paid, record that it was paid.",
    after_help = "Examples:\n  annals tournament penalty wcc-2015 sharp 20 --reason \"ran on a cluster\" --rule qualifier.hardware\n  \
        annals tournament penalty wcc-2015 sharp 20 --paid"
)]
pub struct PenaltyArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// How much.
    #[arg(value_name = "AMOUNT", value_parser = cents)]
    amount: u64,

    /// It was paid.
    #[arg(long)]
    paid: bool,

    /// What happened.
    #[arg(long, value_name = "TEXT", required_unless_present = "paid")]
    reason: Option<String>,

    /// A rule of the rulebook that was broken, by its name; may be repeated.
    #[arg(long = "rule", value_name = "RULE")]
    rules: Vec<String>,

    /// A piece of evidence, in words; may be repeated.
    #[arg(long, value_name = "TEXT")]
    evidence: Vec<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Rules by their names, with their paragraphs where the rulebook is known.
pub fn grounds(work: &AtWork, rules: &[String]) -> Result<Vec<Ground>, CliError> {
    let state = work.state()?;
    let rulebook = annals_replay::context::rulebook_in_force(&state).map_err(|e| CliError::from_error(&e))?;
    let ground = |name: &String| match &rulebook {
        None => Ok(Ground { rule: name.clone(), paragraph: None, finding: None }),
        Some(rulebook) => rulebook.rule_named(name).map(|rule| rule.ground(None)).ok_or_else(|| {
            let known = rulebook.rules.iter().map(|rule| rule.id.name());
            let error = CliError::new(format!("the rulebook {} has no rule `{name}`", rulebook.name));
            match crate::suggest::nearest(name, known) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error,
            }
        }),
    };
    rules.iter().map(ground).collect()
}

/// Runs `penalty`.
pub fn penalty(args: PenaltyArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let player = work.player(&args.player)?;
    let event = if args.paid {
        TournamentEvent::PenaltyPaid(PenaltyPaid { player, amount: args.amount, note: args.reason })
    } else {
        TournamentEvent::PenaltyRecorded(PenaltyRecorded {
            player,
            amount: args.amount,
            grounds: grounds(&work, &args.rules)?,
            evidence: evidence(&args.evidence),
            reason: args.reason.unwrap_or_default(),
        })
    };
    work.record(event)
}

/// Ban a player from coming tournaments, or lift a ban.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Ban a player from coming tournaments of the series, until a time or for ever; with --lift, lift the ban. A ban \
        is held against every later entry of the series, whoever directs it.",
    after_help = "Examples:\n  annals tournament ban wcc-2015 sharp --until 2017-02-01 --reason \"ran on a cluster\"\n  \
        annals tournament ban wcc-2015 sharp --lift --reason \"the log was misread\""
)]
pub struct BanArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// What happened.
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// Until when it stands; for ever where it is not given.
    #[arg(long, value_name = "TIME", conflicts_with = "lift")]
    until: Option<String>,

    /// The series; that of the tournament where it is not given.
    #[arg(long, value_name = "SERIES", conflicts_with = "every_series")]
    series: Option<String>,

    /// It holds for every tournament.
    #[arg(long)]
    every_series: bool,

    /// A developer whom it binds too; may be repeated. Those of the entry where none is named.
    #[arg(long = "developer", value_name = "NAME", conflicts_with = "lift")]
    developers: Vec<String>,

    /// A rule of the rulebook that it rests on, by its name; may be repeated.
    #[arg(long = "rule", value_name = "RULE", conflicts_with = "lift")]
    rules: Vec<String>,

    /// A piece of evidence, in words; may be repeated.
    #[arg(long, value_name = "TEXT", conflicts_with = "lift")]
    evidence: Vec<String>,

    /// Lift the ban.
    #[arg(long)]
    lift: bool,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `ban`.
pub fn ban(args: BanArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let player = work.player(&args.player)?;
    let state = work.state()?;
    let own = state.announced.as_ref().and_then(|announced| announced.series.clone());
    let series = if args.every_series { None } else { args.series.or(own) };
    let entry = state.entrants.get(&player).map(|entrant| entrant.entry.fact.developers.clone());
    let developers = if args.developers.is_empty() { entry.unwrap_or_default() } else { args.developers };
    let event = if args.lift {
        TournamentEvent::BanLifted(BanLifted { player, series, reason: args.reason })
    } else {
        TournamentEvent::BanRecorded(BanRecorded {
            player,
            developers,
            series,
            until: args.until.as_deref().map(|text| work.time(text)).transpose()?,
            grounds: grounds(&work, &args.rules)?,
            evidence: evidence(&args.evidence),
            reason: args.reason,
        })
    };
    work.record(event)
}
