//! A player: the record in tournaments of the log, and the career in the dataset.

use annals_analytics::career::Career;
use annals_analytics::ratings::{Rulings, Selection, history_document, history_of};
use annals_analytics::views::career_document;
use annals_events::GameKind;
use annals_replay::queries::record;
use annals_replay::{people_view, queries::QueryError};
use annals_report::Document;
use maud::html;
use serde_json::json;

use super::{answered, below_title, document, moment, sql};
use crate::Failure;
use crate::app::Context;
use crate::reply::{Page, Reply};

/// Players of the list.
const LISTED: usize = 200;

const PLAYERS: &str = "SELECT name, kind, country, games FROM players ORDER BY games DESC, name";

pub fn list(context: &Context<'_>) -> Result<Reply, Failure> {
    let zone = moment::zone(context)?;
    let people = match context.app.has_log() {
        true => {
            let log = context.app.log()?;
            let (cut, _) = moment::cut(context, &log, None)?;
            Some(people_view(&log, None, &cut)?)
        }
        false => None,
    };
    let stored = match context.app.session() {
        Ok(session) => Some(sql::rows(&session, PLAYERS, LISTED)?),
        Err(failure) if failure.status == 404 => None,
        Err(failure) => return Err(failure),
    };
    let json = json!({ "log": people, "dataset": stored.as_ref().map(|rows| &rows.json) });
    let dataset = stored.map(|rows| {
        let mut table = rows.table;
        table.title = format!("Players of the dataset (at most {LISTED}, by games)");
        if let Some(head) = table.head.first_mut() {
            "Name".clone_into(head);
        }
        Document::new("").table(table)
    });
    let body = html! {
        h1 { "Players" }
        @if let Some(dataset) = &dataset { (below_title(context, dataset, &zone)) }
        @if let Some(people) = &people {
            h2 { "People of the log" }
            (document(context, &people.document(&zone), &zone))
        }
    };
    Page::new("Players", body, &json).map(Reply::from)
}

pub fn page(context: &Context<'_>, name: &str) -> Result<Reply, Failure> {
    let zone = moment::zone(context)?;
    let recorded = match context.app.has_log() {
        true => {
            let log = context.app.log()?;
            let (cut, _) = moment::cut(context, &log, None)?;
            match record::ask(&log, name, &cut) {
                Ok(recorded) => Some(recorded),
                Err(QueryError::NoSuchPlayer { .. }) => None,
                Err(other) => return Err(other.into()),
            }
        }
        false => None,
    };
    let session = match context.app.session() {
        Ok(session) => Some(session),
        Err(failure) if failure.status == 404 => None,
        Err(failure) => return Err(failure),
    };
    let career = match &session {
        Some(session) => match Career::read(session, name) {
            Ok((career, _)) => Some(career),
            Err(annals_analytics::Error::Unknown { .. }) if recorded.is_some() => None,
            Err(other) => return Err(other.into()),
        },
        None => None,
    };
    if recorded.is_none() && career.is_none() {
        return Err(Failure::not_found(format!(
            "no player called `{}` is known",
            annals_report::one_line(name)
        )));
    }
    let system = context.request.get("system");
    let rating = match (&session, &career, system) {
        (Some(session), Some(career), Some(system)) => {
            let selection = Selection {
                game: GameKind::Arimaa,
                system: system.parse().map_err(Failure::bad)?,
                players: Vec::new(),
                unrated: false,
                as_of: None,
                condition: None,
            };
            Some(history_of(session, &selection, &career.name, Rulings::FromStart)?.0)
        }
        _ => None,
    };
    let json = json!({ "record": recorded, "career": career, "rating": rating });
    let title = career.as_ref().map_or(name, |career| career.name.as_str()).to_owned();
    let body = html! {
        h1 { (annals_report::escaped(&title)) }
        @if let Some(recorded) = &recorded {
            @let (heading, shown) = answered(context, recorded, &zone);
            h2 { (heading) } (shown)
        }
        @if let Some(career) = &career {
            h2 { "Career in the dataset" }
            (document(context, &career_document(career, Some(30)), &zone))
            form.since method="get" {
                label { "Rating by " select name="system" {
                    @for name in ["", "elo", "glicko2", "whr", "bradley-terry", "gameroom"] {
                        option value=(name) selected[system == Some(name)] { (if name.is_empty() { "—" } else { name }) }
                    }
                } } " " button type="submit" { "Compute" }
            }
        }
        @if let Some(rating) = &rating { (document(context, &history_document(rating), &zone)) }
    };
    Ok(Page { title, body, json, scripts: Vec::new() }.into())
}
