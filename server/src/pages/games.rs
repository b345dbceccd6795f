//! The list of games of the dataset that match filters, and the games of the log.

use annals_analytics::games::{Filters, GameList, Order, kinds};
use annals_analytics::players::find_player;
use annals_events::Side;
use annals_report::{Cell, Document, Table};
use maud::html;
use serde_json::json;

use super::{below_title, moment, with_capital_heads};
use crate::Failure;
use crate::app::Context;
use crate::pages::sql;
use crate::reply::{Page, Reply};

/// Games of a page.
const PAGE: usize = 100;

const FIELDS: [(&str, &str); 8] = [
    ("player", "Player"),
    ("vs", "against"),
    ("event", "Event"),
    ("from", "From"),
    ("to", "to"),
    ("ending", "Ending"),
    ("result", "Result"),
    ("rating_min", "Rating at least"),
];

pub fn page(context: &Context<'_>) -> Result<Reply, Failure> {
    let request = context.request;
    let zone = moment::zone(context)?;
    let text = |name: &str| request.get(name).map(str::to_owned);
    let form = html! {
        form.since method="get" {
            @for (name, label) in FIELDS {
                label { (label) " " input type="text" name=(name) value=(request.get(name).unwrap_or_default()) maxlength="100"; } " "
            }
            button type="submit" { "Show" }
        }
    };
    let stored = match context.app.session() {
        Ok(session) => {
            let player = |name: &str| request.get(name).map(|name| find_player(&session, name)).transpose();
            let filters = Filters {
                player: player("player")?,
                versus: player("vs")?,
                event: text("event"),
                from: text("from"),
                to: text("to"),
                ending: text("ending"),
                result: text("result"),
                rating_min: request
                    .number("rating_min")?
                    .map(|least| i32::try_from(least).unwrap_or(i32::MAX)),
                ..Filters::default()
            };
            let list =
                GameList { filters, order: Order::Date, descending: true, limit: Some(PAGE), compact: true };
            Some(sql::rows(&session, &list.sql()?, PAGE)?)
        }
        Err(failure) if failure.status == 404 => None,
        Err(failure) => return Err(failure),
    };
    let logged = if context.app.has_log() { logged(context)? } else { Vec::new() };
    let of_log = Table::of("Games of the log", &logged).column("Game", |name| Cell::text(name)).table();
    let mut all = Document::new("");
    let rows = stored.as_ref().map(|rows| rows.json.clone());
    if let Some(mut table) = stored.map(|rows| rows.table) {
        table.title = "Games of the dataset, the latest first".to_owned();
        let kinds = kinds(&*context.app.session()?)?;
        for (head, side) in [("gold", Side::Gold), ("silver", Side::Silver)] {
            let name = || kinds.iter().map(|kind| side.name_in(*kind)).collect::<Vec<_>>().join(" or ");
            table.head.iter_mut().filter(|word| *word == head).for_each(|word| *word = name());
        }
        for (head, name) in [("g_rating", "First rating"), ("s_rating", "Second rating")] {
            table.head.iter_mut().filter(|word| *word == head).for_each(|word| name.clone_into(word));
        }
        all = all.table(with_capital_heads(table));
    }
    let all = all.table(of_log).or_line("this home has no games");
    let body = html! { h1 { "Games" } (form) div.dated { (below_title(context, &all, &zone)) } };
    Page::new("Games", body, &json!({ "dataset": rows, "log": logged })).map(Reply::from)
}

/// The names of the last games of the log.
fn logged(context: &Context<'_>) -> Result<Vec<String>, Failure> {
    let mut streams = context.log()?.streams(Some("game"))?;
    streams.sort_by_key(|stream| std::cmp::Reverse(stream.last_seq));
    Ok(streams.into_iter().take(PAGE).map(|stream| stream.name.name().to_owned()).collect())
}
