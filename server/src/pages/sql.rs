//! SQL: a query, its result as a table, as a chart, and as files; the schema beside it.

use annals_analytics::citations::identifier;
use annals_analytics::output::{Format, Layout};
use annals_analytics::studies::Figures;
use annals_analytics::{SchemaDescription, Session, queries};
use annals_events::PROGRAM;
use annals_report::{Document, Provenance, Table};
use maud::{Markup, html};
use serde_json::{Value, json};

use super::{document, moment};
use crate::Failure;
use crate::app::Context;
use crate::reply::{Page, Reply};
use crate::request::Shape;

/// Rows of a page.
const SHOWN: usize = 200;

/// Rows of a file.
const WRITTEN: usize = 100_000;

/// The first rows of a result.
pub struct Rows {
    pub table: Table,
    /// The same rows, as objects.
    pub json: Value,
    /// Whether the result has more.
    pub more: bool,
}

/// The first rows of a query.
pub fn rows(session: &Session, sql: &str, most: usize) -> Result<Rows, Failure> {
    let (figures, more) = first(session, sql, most)?;
    of_figures(&figures, most, more)
}

/// The first rows of a result that is in memory.
pub fn of_figures(figures: &Figures, most: usize, more: bool) -> Result<Rows, Failure> {
    let mut json = Vec::new();
    figures.write(&mut json, Layout { max_rows: Some(most), ..layout(Format::Json) })?;
    Ok(Rows { table: figures.table(most)?, json: serde_json::from_slice(&json)?, more })
}

fn layout(format: Format) -> Layout {
    Layout { format, header: true, max_rows: None, width: None, metadata: Vec::new() }
}

/// Where a file comes from: the dataset, and the query as a command.
fn provenance(session: &Session, sql: &str) -> Provenance {
    Provenance {
        sources: identifier(session.dataset(), None).iter().map(ToString::to_string).collect(),
        command: format!("annals query '{}'", sql.replace('\'', "'\\''")),
        program: PROGRAM.to_owned(),
        damage: None,
    }
}

fn first(session: &Session, sql: &str, most: usize) -> Result<(Figures, bool), Failure> {
    let asked = queries(sql)?;
    let [question] = asked.as_slice() else {
        return Err(Failure::bad(format!("one statement is expected, found {}", asked.len())));
    };
    Ok(Figures::first(session.ask(question)?, most)?)
}

pub fn page(context: &Context<'_>) -> Result<Reply, Failure> {
    let request = context.request;
    let zone = moment::zone(context)?;
    let sql = request.get("q").unwrap_or_default().trim();
    let session = context.app.open_session()?;
    context.cancel.hold(session.canceller());
    if let (false, Some((format, content_type, name))) = (sql.is_empty(), file_of(request.shape)) {
        let (figures, _) = first(&session, sql, WRITTEN)?;
        let mut bytes = Vec::new();
        let metadata = provenance(&session, sql).entries();
        figures.write(&mut bytes, Layout { metadata, ..layout(format) })?;
        return Ok(Reply::File { content_type, bytes, name: Some(name.to_owned()) });
    }
    let result = match sql.is_empty() {
        true => None,
        false => Some(rows(&session, sql, SHOWN)),
    };
    let (shown, json) = match &result {
        None => (html! { p { "Write a query, or open a table on the right." } }, json!(null)),
        Some(Err(failure)) if request.shape != Shape::Html => return Err(failure.clone()),
        Some(Err(failure)) => {
            let hints =
                html! { @for hint in &failure.hints { p.note { "Hint: " (annals_report::escaped(hint)) } } };
            (
                html! { pre.error role="alert" { (annals_report::harmless(&failure.error)) } (hints) },
                json!(null),
            )
        }
        Some(Ok(Rows { table, json, more })) => {
            let count = table.rows.len();
            let all = document(context, &Document::new("").table(table.clone()).or_line("no row"), &zone);
            let words = if *more { format!("The first {count} rows.") } else { format!("{count} rows.") };
            let page = html! {
                p { (words) " Download: "
                    a href=(request.address().ending("csv")) { "CSV" } " · "
                    a href=(request.address().ending("parquet")) { "Parquet" } " · "
                    a href=(request.address().ending("json")) { "JSON" } }
                (all)
            };
            (page, json!({ "rows": json, "more": more }))
        }
    };
    let body = html! {
        h1 { "SQL" }
        div.game {
            div.position {
                form method="get" {
                    label for="q" { "Query" }
                    textarea #q name="q" rows="8" spellcheck="false" maxlength="6000" { (sql) }
                    button type="submit" { "Run" }
                }
                (shown)
            }
            div.record { (schema()?) }
        }
    };
    Ok(Page { title: "SQL".to_owned(), body, json, scripts: Vec::new() }.into())
}

fn file_of(shape: Shape) -> Option<(Format, &'static str, &'static str)> {
    match shape {
        Shape::Csv => Some((Format::Csv, "text/csv; charset=utf-8", "result.csv")),
        Shape::Parquet => Some((Format::Parquet, "application/vnd.apache.parquet", "result.parquet")),
        _ => None,
    }
}

/// The tables with their columns.
fn schema() -> Result<Markup, Failure> {
    let described = SchemaDescription::of(None)?;
    Ok(html! {
        h2 { "Tables" }
        @for table in &described.tables {
            details { summary { (table.name) }
                p.note { (table.purpose) }
                ul.columns { @for column in &table.columns { li { code { (column.name) } " " span.quiet { (column.sql_type) } } } }
            }
        }
    })
}
