//! The pages, one file each; this one only sends each request to its page.

mod audit;
mod explore;
mod game;
mod games;
mod home;
mod log;
mod map;
mod moment;
mod player;
mod search;
mod sql;
mod sql_chart;
mod study;
mod tournament;
mod why;

pub use tournament::VIEWS;

use annals_replay::point::show;
use annals_report::{Document, ToDocument};
use jiff::tz::TimeZone;
use maud::{Markup, PreEscaped, html};

use crate::Failure;
use crate::address::Address;
use crate::app::Context;
use crate::reply::Reply;

/// The answer to a request.
pub fn answer(context: &Context<'_>) -> Result<Reply, Failure> {
    let mut reply = routed(context)?;
    if !context.has_read_log.get() {
        return Ok(reply);
    }
    if let (Reply::Page(page), Some(at)) = (&mut reply, context.app.log_changed_since()?) {
        let zone = moment::zone(context)?;
        page.body = html! {
            p.note role="status" { "The log has changed since it was verified at " (show(at.as_microsecond(), &zone))
                ", and is being verified again." }
            (page.body)
        };
    }
    Ok(reply)
}

fn routed(context: &Context<'_>) -> Result<Reply, Failure> {
    match context.request.segments().as_slice() {
        [] => home::page(context),
        ["tournaments"] => tournament::list(context),
        ["tournament", name] => tournament::page(context, name, "standings"),
        ["tournament", name, "why", subject @ ..] => why::page(context, name, subject),
        ["tournament", name, view] => tournament::page(context, name, view),
        ["games"] => games::page(context),
        ["game", name] => game::page(context, name),
        ["explore"] => explore::page(context),
        ["players"] => player::list(context),
        ["player", name] => player::page(context, name),
        ["search"] => search::page(context),
        ["log"] => log::list(context),
        ["log", seq] => log::event(context, seq),
        ["log", seq, "proof"] => log::proof(context, seq),
        ["studies"] => study::list(context),
        ["study", name] => study::page(context, name),
        ["sql"] => sql::page(context),
        path => Err(Failure::not_found(format!(
            "there is no page `/{}`",
            annals_report::one_line(&path.join("/"))
        ))),
    }
}

/// The parts of a document, with links from the names in its tables to their pages.
fn document(context: &Context<'_>, document: &Document, zone: &TimeZone) -> Markup {
    PreEscaped(document.fragment(zone, &links(context))).into_markup()
}

/// An answer of the command line: the heading and the parts of its document.
fn answered(context: &Context<'_>, answer: &impl ToDocument, zone: &TimeZone) -> (String, Markup) {
    let shown = answer.document(zone);
    // A title has names of the record.
    (annals_report::one_line(&shown.title), below_title(context, &shown, zone))
}

/// As [`document`], right below the heading of the page.
fn below_title(context: &Context<'_>, document: &Document, zone: &TimeZone) -> Markup {
    PreEscaped(document.below_title(zone, &links(context))).into_markup()
}

fn links<'c>(context: &'c Context<'_>) -> impl Fn(&str, &str) -> Option<String> + use<'c> {
    move |head, text| link(context, head, text).map(|address| address.to_string())
}

trait IntoMarkup {
    fn into_markup(self) -> Markup;
}

impl IntoMarkup for PreEscaped<String> {
    fn into_markup(self) -> Markup {
        html! { (self) }
    }
}

/// The page that a cell names, by the head of its column.
fn link(context: &Context<'_>, head: &str, text: &str) -> Option<Address> {
    let text = text.trim();
    if text.is_empty() || text.contains(", ") {
        return None;
    }
    let page = |part: &str| Some(context.request.at_same_time(&[part, text]));
    match head {
        // Of a tournament, whose link is next to its name.
        "Name" if matches!(context.request.segments().as_slice(), [] | ["tournaments"] | ["player", _]) => {
            None
        }
        "Name" | "Player" | "Gold" | "Silver" | "White" | "Black" | "Winner" | "Opponent" | "Champion" => {
            page("player")
        }
        "Tournament" => page("tournament"),
        // The game of a board, in a tournament.
        "Board" | "Pairing" => match context.request.segments().as_slice() {
            ["tournament", name, ..] if text.starts_with('r') => {
                Some(context.request.at_same_time(&["game", &format!("{name} {text}")]))
            }
            _ => None,
        },
        "Game" if !matches!(text, "arimaa" | "amazons") => page("game"),
        "Event" | "Seq" if text.bytes().all(|b| b.is_ascii_digit()) => page("log"),
        "Study" => page("study"),
        _ => None,
    }
}
