//! `annals audit`: a tournament held against its rulebook, event by event.

use std::process::ExitCode;

use annals_replay::{TournamentAuditError, audit_tournament, compare_readings};

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::{write_json, write_record};

/// Hold a tournament against its rulebook, event by event.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Hold a tournament against its rulebook, event by event: entries, pairings, colours, byes, results, rulings, \
        places, money, each on what stood before it, and the games that it names against the rules of the game. What \
        departs is shown with the rule, what the rule asks for, and what is recorded; what the rules leave open or make \
        one of several equals is shown too. Corrected events are judged as corrected.\n\n\
        --reading asks the same under another reading of an ambiguous text, and shows only what changes. Exit status: 0 \
        everything follows, 1 something departs, 2 it cannot be told.",
    after_help = "Examples:\n  annals audit wcc-2015\n  annals audit wcc-2015 --as-of round:5 --all\n  \
        annals audit wcc-2015 --reading T7=B\n  annals audit wcc-2015 --json > audit.json"
)]
pub struct Args {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// Ask under another reading, by number and letter; may be repeated.
    #[arg(long = "reading", value_name = "T7=B")]
    readings: Vec<String>,

    /// Show also what follows.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    moment: MomentArgs,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let log = log_file::open(home)?;
    let name = args.tournament.strip_prefix("tournament/").unwrap_or(&args.tournament);
    let stream = log_file::stream(&log, &format!("tournament/{name}"))?;
    let (cut, zone) = args.moment.cut(&log, Some(&stream))?;
    let readings = args.readings.iter().map(|text| reading(text)).collect::<Result<Vec<_>, CliError>>()?;
    let clean = if readings.is_empty() {
        let audit = audit_tournament(&log, &stream, &cut, &[])?;
        if args.json {
            write_json(&audit)?;
        } else {
            write_record(&audit.render(&zone, args.all))?;
        }
        audit.is_clean()
    } else {
        let compared = compare_readings(&log, &stream, &cut, &readings)?;
        if args.json {
            write_json(&compared)?;
        } else {
            write_record(&compared.render())?;
        }
        compared.clean_after
    };
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn reading(text: &str) -> Result<(String, String), CliError> {
    let halves = text.split_once('=').map(|(number, value)| (number.to_owned(), value.to_owned()));
    halves.ok_or_else(|| CliError::new(format!("`{text}` is no reading; write T7=B")))
}

impl From<TournamentAuditError> for CliError {
    fn from(error: TournamentAuditError) -> CliError {
        CliError::from_error(&error)
    }
}
