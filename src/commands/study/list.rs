//! `annals study list`: the built-in studies.

use std::process::ExitCode;

use annals_analytics::studies::{ASKED_FIRST, Study, registry};
use annals_report::{Cell, Document, Table};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::errors::CliError;
use crate::output::{write_document, write_json};

/// List the studies with their questions and parameters
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  annals study list\n  annals study list --json | jq '.[].name'")]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Listed<'s> {
    name: &'s str,
    title: &'s str,
    question: &'s str,
    notes: &'s [String],
    chart: Option<&'s str>,
    parameters: Vec<ListedParameter<'s>>,
}

#[derive(Debug, Serialize)]
struct ListedParameter<'s> {
    name: &'s str,
    kind: &'s str,
    default: Option<String>,
    meaning: &'s str,
}

pub fn run(args: &Args) -> Result<ExitCode, CliError> {
    let studies = registry()?;
    if args.json {
        write_json(&studies.iter().map(listed).collect::<Vec<_>>())?;
    } else {
        write_document(&document(&studies), &TimeZone::UTC, "")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn listed(study: &Study) -> Listed<'_> {
    let front = &study.front;
    let parameters = front.parameters.iter().map(|parameter| ListedParameter {
        name: &parameter.name,
        kind: parameter.kind.word(),
        default: parameter.default.as_ref().map(ToString::to_string),
        meaning: &parameter.meaning,
    });
    Listed {
        name: &study.name,
        title: &front.title,
        question: &front.question,
        notes: &front.notes,
        chart: front.chart_kind(),
        parameters: parameters.collect(),
    }
}

fn document(studies: &[Study]) -> Document {
    let (first, then) = studies.split_at(ASKED_FIRST.min(studies.len()));
    let table =
        |title: &str, studies: &[Study]| Table::bare(title, studies.iter().flat_map(rows_of).collect());
    Document::default().table(table("Start with:", first)).table(table("More studies:", then)).prose(
        "`annals study run NAME` runs one; `-o FILE.svg` draws it, and `--param NAME=VALUE` sets a parameter.",
    )
}

/// A study with its question and its parameters.
fn rows_of(study: &Study) -> Vec<Vec<Cell>> {
    let front = &study.front;
    let mut rows = vec![vec![Cell::text(&study.name), Cell::text(&front.title)]];
    rows.push(vec![Cell::Empty, Cell::text(&front.question)]);
    rows.extend(front.parameters.iter().map(|parameter| {
        let default = parameter.default.as_ref().map_or(String::new(), |default| format!(" ({default})"));
        vec![Cell::Empty, Cell::Text(format!("  {}: {}{default}", parameter.name, parameter.meaning))]
    }));
    rows
}
