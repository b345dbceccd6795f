//! SQL: a query, its result as a table, as a chart, and as files; the schema beside it.

use annals_analytics::output::{Format, Layout};
use annals_analytics::studies::Figures;
use annals_analytics::{SchemaDescription, Session, queries};
use annals_report::{Document, Table};
use maud::{Markup, html};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{document, moment, sql_chart};
use crate::Failure;
use crate::app::Context;
use crate::picture;
use crate::reply::{Page, Reply};
use crate::request::Shape;
use crate::shell::hints;

/// Rows of a page.
const SHOWN: usize = 200;

/// Rows of a file, and of all pages of a result.
const WRITTEN: usize = 100_000;

/// The first rows of a result.
pub struct Rows {
    pub table: Table,
    /// The same rows, as objects.
    pub json: Box<RawValue>,
}

/// The first rows of a query.
pub fn rows(session: &Session, sql: &str, most: usize) -> Result<Rows, Failure> {
    let (figures, _) = first(session, sql, most)?;
    of_figures(&figures, most)
}

/// The first rows of a result that is in memory.
pub fn of_figures(figures: &Figures, most: usize) -> Result<Rows, Failure> {
    let mut json = Vec::new();
    figures.write(&mut json, Layout { max_rows: Some(most), ..layout(Format::Json) })?;
    Ok(Rows { table: figures.table(most)?, json: serde_json::from_slice(&json)? })
}

fn layout(format: Format) -> Layout {
    Layout { format, header: true, max_rows: None, width: None, metadata: Vec::new() }
}

/// The query as a command.
pub fn command(sql: &str) -> String {
    format!("annals query {}", annals_report::shell_word(sql))
}

/// The first rows of a query, and whether it has more.
pub fn first(session: &Session, sql: &str, most: usize) -> Result<(Figures, bool), Failure> {
    let asked = queries(sql)?;
    let [question] = asked.as_slice() else {
        return Err(Failure::bad(format!("one statement is expected, found {}", asked.len())));
    };
    Ok(Figures::first(session.ask(question)?, most)?)
}

pub fn page(context: &Context<'_>) -> Result<Reply, Failure> {
    let request = context.request;
    let sql = request.get("q").unwrap_or_default().trim();
    let session = context.app.open_session()?;
    context.cancel.hold(session.canceller());
    if sql.is_empty() {
        let words = html! { p { "Write a query, or open a table of the schema." } };
        return whole(&session, sql, words, None);
    }
    if request.shape == Shape::Svg {
        return sql_chart::drawn(&session, request, sql);
    }
    if let Some((format, content_type, name)) = file_of(request.shape) {
        let (figures, _) = first(&session, sql, WRITTEN)?;
        let mut bytes = Vec::new();
        let metadata = picture::of_queries(&session, command(sql))?.entries();
        figures.write(&mut bytes, Layout { metadata, ..layout(format) })?;
        return Ok(Reply::File { content_type, bytes, name: Some(name.to_owned()) });
    }
    match result(context, &session, sql) {
        Ok((shown, json)) => whole(&session, sql, shown, json),
        // The query stays in its field, to be mended.
        Err(failure) if request.shape == Shape::Html && failure.status == 400 => {
            let shown = html! {
                pre.error role="alert" { (annals_report::harmless(&failure.error)) }
                (hints(&failure))
            };
            whole(&session, sql, shown, None)
        }
        Err(failure) => Err(failure),
    }
}

#[derive(Serialize)]
struct Answer {
    rows: Box<RawValue>,
    more: bool,
}

/// The rows of one page of a result, with its files, its chart and links to the other pages.
fn result(context: &Context<'_>, session: &Session, sql: &str) -> Result<(Markup, Option<Answer>), Failure> {
    let request = context.request;
    let zone = moment::zone(context)?;
    let page = request.number("page")?.unwrap_or(1).max(1);
    let most_pages = (WRITTEN / SHOWN) as u64;
    if page > most_pages {
        return Err(Failure::bad(format!("a result has at most {most_pages} pages here"))
            .hint("`annals query` writes results of any length"));
    }
    let before = (page as usize - 1) * SHOWN;
    // As JSON the whole result is one page.
    let room = if request.shape == Shape::Json && request.get("page").is_none() { WRITTEN } else { SHOWN };
    let (figures, more) = first(session, sql, before + room)?;
    let figures = figures.after(before);
    let rows = of_figures(&figures, room)?;
    let json = Some(Answer { rows: rows.json, more });
    if request.shape == Shape::Json {
        return Ok((html! {}, json));
    }
    let count = rows.table.rows.len();
    let words = match (before, more) {
        (0, false) => annals_report::counted(count as u64, "row"),
        _ if count == 0 => "No row on this page".to_owned(),
        _ => format!("Rows {} to {}{}", before + 1, before + count, if more { ", and more" } else { "" }),
    };
    let to =
        |page: u64| request.address().with("page", &if page > 1 { page.to_string() } else { String::new() });
    let file = |ending: &str| request.address().with("page", "").ending(ending);
    let all = document(context, &Document::new("").table(rows.table).or_line("no row"), &zone);
    let shown = html! {
        p { (words) ". Download: "
            a href=(file("csv")) { "CSV" } " · "
            a href=(file("json")) { "JSON" } " · "
            a href=(file("arrow")) { "Arrow" } " · "
            a href=(file("parquet")) { "Parquet" } }
        @if count > 0 { (sql_chart::form(request, sql, &figures)) }
        (all)
        @if page > 1 || more {
            nav.views aria-label="Pages of the result" {
                @if page > 1 { a rel="prev" href=(to(page - 1)) { "← page " (page - 1) } }
                @if more && page < most_pages { a rel="next" href=(to(page + 1)) { "page " (page + 1) " →" } }
            }
            p.note { "The pages have one order only if the query has ORDER BY." }
        }
        p { a href=(request.address()) { "Permanent link to this result" } }
    };
    Ok((shown, json))
}

fn whole(session: &Session, sql: &str, shown: Markup, json: Option<Answer>) -> Result<Reply, Failure> {
    let body = html! {
        h1 { "SQL" }
        div.game {
            div.position {
                form method="get" action="/sql" {
                    label for="q" { "Query" }
                    textarea #q name="q" rows="8" spellcheck="false" maxlength="6000" autocomplete="off" { (sql) }
                    p.note #keys hidden {
                        "While you type, a list of words is below the field: arrow keys choose, Enter inserts, Escape closes, Ctrl+Space
                         opens. Ctrl+Enter runs the query."
                    }
                    button type="submit" { "Run" }
                }
                (shown)
            }
            div.record { (schema(session)?) }
        }
    };
    Ok(Page::new("SQL", body, &json)?.script("sql.js").into())
}

fn file_of(shape: Shape) -> Option<(Format, &'static str, &'static str)> {
    match shape {
        Shape::Csv => Some((Format::Csv, "text/csv; charset=utf-8", "result.csv")),
        Shape::Arrow => Some((Format::Arrow, "application/vnd.apache.arrow.file", "result.arrow")),
        Shape::Parquet => Some((Format::Parquet, "application/vnd.apache.parquet", "result.parquet")),
        _ => None,
    }
}

/// The tables with their columns, and the functions. The script of the page completes their names.
fn schema(session: &Session) -> Result<Markup, Failure> {
    let described = SchemaDescription::of(None)?;
    Ok(html! {
        section #schema aria-label="Schema" {
            h2 { "Tables" }
            @for table in &described.tables {
                details data-table=(table.name) { summary { (table.name) }
                    p.note { (table.purpose) }
                    ul.columns { @for column in &table.columns { li { code { (column.name) } " " span.quiet { (column.sql_type) } } } }
                }
            }
            h2 { "Functions" }
            details { summary { "Functions of Annals" }
                dl.studies { @for function in &described.functions { dt { code { (function.call) } } dd { (function.meaning) } } }
            }
            details { summary { "All functions" } p.functions { (session.function_names().join(" ")) } }
        }
    })
}
