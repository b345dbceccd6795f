//! The first page: what the home holds, whether its log is whole, and where to go.

use annals_analytics::charts::{Shape as Marks, of_dataset};
use annals_analytics::citations::identifier;
use annals_charts::recipe::{Caption, Recipe};
use annals_replay::Cut;
use annals_replay::point::show;
use annals_replay::queries::list;
use annals_report::{Document, Part, Table};
use maud::{Markup, html};
use serde_json::json;

use super::{document, moment, sql, with_capital_heads};
use crate::Failure;
use crate::app::{App, Context};
use crate::picture;
use crate::reply::{Page, Reply};
use crate::request::Shape;

/// The months that are drawn and listed: a century.
const MONTHS: usize = 1200;

/// Players that are listed.
const PLAYERS: usize = 10;

const BY_PLAYER: &str = "SELECT name AS \"Name\", games FROM players ORDER BY games DESC, name";

/// A month without games has the number 0.
const BY_MONTH: &str = "WITH counted AS ( \
     SELECT date_trunc('month', started_at) AS month, count(*) AS games FROM games WHERE started_at IS NOT NULL GROUP BY 1 \
     ), \
     filled AS ( \
     SELECT unnest(range(month, coalesce(lead(month) OVER (ORDER BY month), month + INTERVAL '1 month'), INTERVAL '1 month')) AS each, \
     month, games FROM counted \
     ) \
     SELECT to_char(each, '%Y-%m') AS month, CASE WHEN each = month THEN games ELSE 0 END AS games FROM filled ORDER BY 1";

const BY_ENDING: &str = "SELECT coalesce(termination, 'unknown') AS ending, count(*) AS games FROM games GROUP BY 1 ORDER BY 2 DESC, 1";

pub fn page(context: &Context<'_>) -> Result<Reply, Failure> {
    if context.request.shape == Shape::Svg {
        return picture(context);
    }
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
    let log = context.log()?;
    let head = App::head(&log)?;
    let tournaments = super::tournament::listed(context, list::ask(&log, &Cut::NOW)?);
    let (_, table) = super::answered(context, &tournaments, &zone);
    let at = context.verified_at(&log).map(|at| show(at.as_microsecond(), &zone));
    let shown = html! {
        section aria-label="Event log" {
            h2 { "Event log" }
            p { (annals_report::grouped(head.seq)) " events. The log is what was acknowledged, as Annals verified"
                @if let Some(at) = &at { " at " (at) } "." }
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
    if dataset.digest().is_empty() {
        return Ok((html! { p { "This home has no dataset." } }, serde_json::Value::Null));
    }
    let months = sql::rows(&session, BY_MONTH, MONTHS)?;
    let endings = sql::rows(&session, BY_ENDING, 20)?;
    let players = sql::rows(&session, BY_PLAYER, PLAYERS)?;
    let json = json!({
        "digest": dataset.digest(),
        "games": dataset.rows("games"),
        "turns": dataset.rows("turns"),
        "players": dataset.rows("players"),
        "by_month": months.json,
        "by_ending": endings.json,
        "most_games": players.json,
    });
    let has_months = !months.table.rows.is_empty();
    let months = Document::new("").part(Part::Details {
        title: "Games by month as a table".to_owned(),
        open: false,
        part: Box::new(Part::Table(months.table)),
    });
    let mut names = with_capital_heads(players.table);
    if let Some(head) = names.head.first_mut() {
        // The head under which names are links.
        "Player".clone_into(head);
    }
    let tables = Document::new("")
        .table(Table { title: "Endings".to_owned(), ..with_capital_heads(endings.table) })
        .table(Table { title: "Players with the most games".to_owned(), ..names });
    let grouped = |table: &str| annals_report::grouped(dataset.rows(table));
    let shown = html! {
        section aria-label="Dataset" {
            h2 { "Dataset" }
            p { (grouped("games")) " games, " (grouped("turns")) " turns, " (grouped("players")) " players; digest "
                code { (dataset.digest().get(..16).unwrap_or_default()) } "." }
            @if has_months {
                figure.chart {
                    img src="/index.svg" width="900" height="540" alt="Games by month. The table has the figures.";
                }
                (document(context, &months, &zone))
            }
            (document(context, &tables, &zone))
        }
    };
    Ok((shown, json))
}

/// The games of each month as bars.
fn picture(context: &Context<'_>) -> Result<Reply, Failure> {
    let session = context.app.session()?;
    let (figures, _) = sql::first(&session, BY_MONTH, MONTHS)?;
    let command = sql::command(BY_MONTH);
    let said = Caption {
        title: "Games by month".to_owned(),
        subtitle: annals_report::counted(session.dataset().rows("games"), "game"),
        source: of_dataset(&session, &command),
    };
    let recipe = Recipe::of_columns(Marks::Bars, "month", "games", None);
    let drawing = recipe.make(&figures.values()?, said).map_err(Failure::not_found)?;
    picture::reply(&drawing, &picture::made_from(identifier(session.dataset(), None), command))
}
