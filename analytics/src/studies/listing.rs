//! The list of studies with their questions and parameters.

use annals_report::{Cell, Document, Table};
use serde::Serialize;

use super::{ASKED_FIRST, Study};

/// An entry of the list.
#[derive(Debug, Serialize)]
pub struct ListedStudy<'s> {
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
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    one_of: &'s [String],
    meaning: &'s str,
}

impl<'s> From<&'s Study> for ListedStudy<'s> {
    fn from(study: &'s Study) -> ListedStudy<'s> {
        let front = &study.front;
        let parameters = front.parameters.iter().map(|parameter| ListedParameter {
            name: &parameter.name,
            kind: parameter.kind.word(),
            default: parameter.default.as_ref().map(ToString::to_string),
            one_of: &parameter.one_of,
            meaning: &parameter.meaning,
        });
        ListedStudy {
            name: &study.name,
            title: &front.title,
            question: &front.question,
            notes: &front.notes,
            chart: front.chart_kind(),
            parameters: parameters.collect(),
        }
    }
}

/// The list as a document: first the studies to start with.
#[must_use]
pub fn listed_document(studies: &[Study]) -> Document {
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
        let range = match parameter.range_in_words() {
            range if range.is_empty() => range,
            range => format!(", {range}"),
        };
        vec![Cell::Empty, Cell::Text(format!("  {}: {}{range}{default}", parameter.name, parameter.meaning))]
    }));
    rows
}
