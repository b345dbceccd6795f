//! The list of the studies of the program.

use std::process::ExitCode;

use annals_analytics::studies::{ASKED_FIRST, Study, registry};
use serde::Serialize;

use crate::errors::CliError;
use crate::output::{write_json, write_text};

/// A study as it is listed.
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

/// Prints the list.
pub fn print(json: bool) -> Result<ExitCode, CliError> {
    let studies = registry()?;
    if json {
        write_json(&studies.iter().map(listed).collect::<Vec<_>>())?;
    } else {
        write_text(&in_words(&studies))?;
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

fn in_words(studies: &[Study]) -> String {
    let widest = studies.iter().map(|study| study.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (at, study) in studies.iter().enumerate() {
        match at {
            0 => text.push_str("Asked first:\n\n"),
            ASKED_FIRST => text.push_str("\nAnd then:\n\n"),
            _ => {}
        }
        let front = &study.front;
        text.push_str(&format!(
            "  {:<widest$}  {}\n  {:<widest$}  {}\n",
            study.name, front.title, "", front.question
        ));
        for parameter in &front.parameters {
            let default = match &parameter.default {
                Some(default) => format!(" ({default})"),
                None => String::new(),
            };
            text.push_str(&format!(
                "  {:<widest$}    {}: {}{default}\n",
                "", parameter.name, parameter.meaning
            ));
        }
    }
    text.push_str("\n`annals study NAME` asks one, `-o FILE.svg` draws it, `--param NAME=VALUE` says something in it.\n");
    text
}
