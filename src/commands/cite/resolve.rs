//! `annals cite resolve`: what an identifier names, found again and checked.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_analytics::Dataset;
use annals_analytics::game_view::GameView;
use annals_events::Hash;
use annals_replay::identifier::At;
use annals_replay::{Disagreement, Identifier, ReplayError};
use annals_report::{Cell, Document, counted};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::dataset_session::open_default;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;

/// Find what an identifier names and check it
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Find what an identifier names and check it\n\n\
        The log must have the named event with the named hash, the dataset the named digest, a chart the named \
        file. Otherwise the command prints what differs, and the exit status is 1.",
    after_long_help = "Example:\n  \
        annals cite resolve annals:dataset:DIGEST:669192"
)]
pub struct Args {
    /// Identifier, as `annals cite` prints it
    #[arg(value_name = "IDENTIFIER")]
    identifier: String,

    /// File of a chart
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    form: DocumentArgs,
}

#[derive(Serialize)]
struct Found {
    identifier: String,
    /// In words.
    names: String,
    checked: String,
    /// The command that shows it.
    command: Option<String>,
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let identifier = named(&args.identifier, home)?;
    let found = match (&identifier, &args.file) {
        (Identifier::Chart { digest }, file) => of_chart(*digest, file.as_ref(), home)?,
        (_, Some(_)) => return Err(CliError::new("only the identifier of a chart is resolved with a file")),
        _ => found(&identifier, home)?,
    };
    args.form.write_in(&found, &TimeZone::UTC, || {
        let facts = vec![
            ("Identifier", Cell::text(found.identifier.clone())),
            ("Names", Cell::text(found.names.clone())),
            ("Checked", Cell::text(found.checked.clone())),
            ("Shown by", Cell::text(found.command.clone().unwrap_or_default())),
        ];
        Document::new("The identifier agrees").facts(facts)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The identifier that was pasted: the first that names something in the log, else the one without punctuation.
fn named(text: &str, home: &Home) -> Result<Identifier, CliError> {
    let mut possible = Identifier::pasted(text)?;
    let last = possible.pop().ok_or_else(|| CliError::new("expected an identifier"))?;
    if possible.is_empty() {
        return Ok(last);
    }
    let log = log_file::open_whole(home)?;
    Ok(possible.into_iter().find(|identifier| identifier.check(&log).is_ok()).unwrap_or(last))
}

/// An object of the log or of the dataset.
fn found(identifier: &Identifier, home: &Home) -> Result<Found, CliError> {
    let (names, checked, command) = match identifier {
        Identifier::Dataset { digest } => {
            check_dataset(*digest, home)?;
            ("the dataset of the home".to_owned(), "the digest".to_owned(), "annals schema tables".to_owned())
        }
        Identifier::StoredGame { digest, game } => {
            check_dataset(*digest, home)?;
            let (view, _) = GameView::read(&open_default(home)?, *game)
                .map_err(|error| CliError::from(error).finding())?;
            let names = format!("game {game}, {} against {}", view.gold.name, view.silver.name);
            (
                names,
                "the digest of the dataset, and the game in it".to_owned(),
                format!("annals game show {game}"),
            )
        }
        of_log => check_log(of_log, home)?,
    };
    Ok(Found { identifier: identifier.to_string(), names, checked, command: Some(command) })
}

fn check_dataset(named: Hash, home: &Home) -> Result<(), CliError> {
    let dataset = Dataset::open(&home.dataset()?)?;
    if dataset.digest() == named.to_string() {
        return Ok(());
    }
    Err(CliError::new("the dataset is not the one that the identifier names")
        .finding()
        .reason(format_args!(
            "the identifier names the digest {named}, and the dataset has {}",
            dataset.digest()
        ))
        .hint("`annals ingest` of the same files by the same version of the program makes the same dataset"))
}

/// What the log has, the check, and the command that shows it.
fn check_log(identifier: &Identifier, home: &Home) -> Result<(String, String, String), CliError> {
    let log = log_file::open_whole(home)?;
    identifier.check(&log).map_err(|error| match error {
        Disagreement::Read(error) => CliError::from(error),
        Disagreement::NoStream { seq, ref stream } => {
            let what = format!("the log has no stream `{stream}` among its first {}", counted(seq, "event"));
            CliError::new(what)
                .finding()
                .reason("the log is the one that the identifier names, and has not changed")
                .hint("`annals log show` lists the events with their streams")
        }
        other => {
            CliError::new("the log of the home is not the one that the identifier names, or has changed")
                .finding()
                .reason(other)
                .hint("`annals log head` prints the identity and the length of the log")
        }
    })?;
    let seq = identifier.prefix().map_or(0, |of| of.seq);
    let checked = format!("the hash of event {seq}, which covers all events before it");
    let (names, command) = match identifier {
        Identifier::Event(_) => {
            (format!("event {seq}"), format!("annals log show --from seq:{seq} --to seq:{seq}"))
        }
        Identifier::Stream { stream, at, .. } => {
            // The point must be there too.
            identifier.cut(&log).map_err(|error: ReplayError| CliError::from(error).finding())?;
            let (word, show) = match stream.family() {
                "game" => (stream.to_string(), format!("annals replay {stream}")),
                _ => (stream.to_string(), format!("annals tournament show {}", stream.name())),
            };
            let as_of = at.map(|at| format!(" --as-of {at}")).unwrap_or_default();
            let point = match at {
                None => String::new(),
                Some(At::Time(_)) => format!(", as of {}", as_of.trim_start_matches(" --as-of ")),
                Some(At::Round(round)) => format!(", at the end of round {round}"),
            };
            let names = format!("{word} with the first {seq} events of the log{point}");
            (names, format!("{show}{as_of} --known-at seq:{seq}"))
        }
        _ => (format!("the first {seq} events of the log"), format!("annals log show --to seq:{seq}")),
    };
    Ok((names, checked, command))
}

#[cfg(feature = "charts")]
fn of_chart(named: Hash, file: Option<&PathBuf>, home: &Home) -> Result<Found, CliError> {
    use super::chart::ChartFile;
    let file = file.ok_or_else(|| {
        CliError::new("the identifier names a chart, which is a file")
            .hint("name the file after the identifier")
    })?;
    let (name, chart) = (file.display(), ChartFile::read(file)?);
    if chart.digest != named {
        return Err(CliError::new(format!("{name} is not the chart that the identifier names"))
            .finding()
            .reason(format_args!(
                "the file has the SHA-256 {}, and the identifier names {named}",
                chart.digest
            )));
    }
    let sources = chart.sources();
    for source in &sources {
        self::found(source, home)?;
    }
    let title = chart.entry(annals_report::provenance::TITLE).unwrap_or_default();
    let mut checked = "the SHA-256 of the file".to_owned();
    if !sources.is_empty() {
        checked.push_str(", and what it was drawn from");
    }
    Ok(Found {
        identifier: Identifier::Chart { digest: named }.to_string(),
        names: format!("the chart {name}: {title}"),
        checked,
        command: chart.entry(annals_report::provenance::COMMAND).map(str::to_owned),
    })
}

#[cfg(not(feature = "charts"))]
fn of_chart(_: Hash, _: Option<&PathBuf>, _: &Home) -> Result<Found, CliError> {
    Err(CliError::new("this program was built without charts").hint("build it with --features charts"))
}
