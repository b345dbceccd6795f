//! The first page: what the home holds, whether its log is whole, and where to go.

use annals_replay::Cut;
use annals_replay::point::show;
use annals_replay::queries::list;
use annals_report::Document;
use maud::{Markup, html};
use serde_json::json;

use super::{document, moment, sql};
use crate::Failure;
use crate::app::{App, Context};
use crate::reply::{Page, Reply};

/// The latest months that are listed.
const MONTHS: usize = 24;

const BY_MONTH: &str = "SELECT to_char(started_at, '%Y-%m') AS month, count(*) AS games FROM games \
     WHERE started_at IS NOT NULL GROUP BY 1 ORDER BY 1 DESC";

const BY_ENDING: &str = "SELECT coalesce(termination, 'unknown') AS ending, count(*) AS games FROM games GROUP BY 1 ORDER BY 2 DESC, 1";

pub fn page(context: &Context<'_>) -> Result<Reply, Failure> {
    let (log, logged) = log(context)?;
    let (dataset, stored) = match context.site {
        Some(_) => (html! {}, serde_json::Value::Null),
        None => dataset(context)?,
    };
    let body = html! {
        h1 { "Annals" }
        (log) (dataset)
    };
    Page::new("Home", body, &json!({ "log": logged, "dataset": stored })).map(Reply::from)
}

fn log(context: &Context<'_>) -> Result<(Markup, serde_json::Value), Failure> {
    let zone = moment::zone(context)?;
    if !context.app.has_log() {
        return Ok((html! { p { "This home has no event log." } }, serde_json::Value::Null));
    }
    let log = context.app.log()?;
    let head = App::head(&log)?;
    let tournaments = super::tournament::listed(context, list::ask(&log, &Cut::NOW)?);
    let (_, table) = super::answered(context, &tournaments, &zone);
    let at = context.verified_at().map(|at| show(at.as_microsecond(), &zone));
    let shown = html! {
        section aria-label="Event log" {
            h2 { "Event log" }
            p { (annals_report::grouped(head.seq)) " events. Annals verified all of them"
                @if let Some(at) = &at { " at " (at) } ". The receipt of this log:" }
            pre.receipt { (head) }
            h2 { "Tournaments" }
            (table)
        }
    };
    Ok((shown, json!({ "head": head, "tournaments": tournaments })))
}

fn dataset(context: &Context<'_>) -> Result<(Markup, serde_json::Value), Failure> {
    let session = match context.app.session() {
        Ok(session) => session,
        Err(failure) if failure.status == 404 => {
            return Ok((html! { p { "This home has no dataset." } }, serde_json::Value::Null));
        }
        Err(failure) => return Err(failure),
    };
    let zone = moment::zone(context)?;
    let dataset = session.dataset();
    let months = sql::rows(&session, BY_MONTH, MONTHS)?;
    let endings = sql::rows(&session, BY_ENDING, 20)?;
    let json = json!({
        "digest": dataset.digest(),
        "games": dataset.rows("games"),
        "turns": dataset.rows("turns"),
        "players": dataset.rows("players"),
        "by_month": months.json,
        "by_ending": endings.json,
    });
    let tables = Document::new("")
        .table(annals_report::Table { title: "Games by month".to_owned(), ..months.table })
        .table(annals_report::Table { title: "Endings".to_owned(), ..endings.table });
    let grouped = |table: &str| annals_report::grouped(dataset.rows(table));
    let shown = html! {
        section aria-label="Dataset" {
            h2 { "Dataset" }
            p { (grouped("games")) " games, " (grouped("turns")) " turns, " (grouped("players")) " players; digest "
                code { (dataset.digest().get(..16).unwrap_or_default()) } "." }
            (document(context, &tables, &zone))
        }
    };
    Ok((shown, json))
}
