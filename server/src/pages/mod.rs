//! The pages, one file each; this one only sends each request to its page.

mod audit;
mod board_games;
mod explore;
mod game;
mod game_remarks;
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

pub use map::DottedStream;
pub use tournament::VIEWS;

use annals_replay::point::show;
use annals_report::{Cell, Document, Table, ToDocument};
use jiff::tz::TimeZone;
use maud::{Markup, PreEscaped, html};

use crate::Failure;
use crate::address::Address;
use crate::app::{Context, short_head};
use crate::reply::Reply;
use crate::request::LONGEST_ADDRESS;
use board_games::BoardGames;

/// The answer to a request.
pub fn answer(context: &Context<'_>) -> Result<Reply, Failure> {
    let mut reply = routed(context)?;
    let Some(head) = context.head.get() else { return Ok(reply) };
    if let (Reply::Page(page), None) = (&mut reply, context.site) {
        page.head = Some(short_head(head));
    }
    if let (Reply::Page(page), Some(at)) = (&mut reply, context.app.log_changed_since()?) {
        let zone = moment::zone(context)?;
        // The verification may end before the page follows the log, which then compares this.
        page.head = page.head.take().map(|head| format!("{head}-not-verified"));
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
        ["player"] => player::page(context, None),
        ["player", identity] => player::page(context, Some(identity)),
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
    PreEscaped(with_times(document).fragment(zone, &links(context))).into_markup()
}

/// An answer of the command line: the heading and the parts of its document.
fn answered(context: &Context<'_>, answer: &impl ToDocument, zone: &TimeZone) -> (String, Markup) {
    let shown = answer.document(zone);
    // A title has names of the record.
    (annals_report::one_line(&shown.title), below_title(context, &shown, zone))
}

/// As [`document`], right below the heading of the page.
fn below_title(context: &Context<'_>, document: &Document, zone: &TimeZone) -> Markup {
    PreEscaped(with_times(document).below_title(zone, &links(context))).into_markup()
}

/// Heads of columns as pages have them, under which names are links.
fn with_capital_heads(mut table: Table) -> Table {
    for head in &mut table.head {
        *head = head.get(..1).unwrap_or_default().to_uppercase() + head.get(1..).unwrap_or_default();
    }
    table
}

/// A document whose facts have times as people read them, in the zone of the page, where an answer has them as RFC 3339.
fn with_times(document: &Document) -> Document {
    let mut document = document.clone();
    for part in &mut document.parts {
        let annals_report::Part::Facts(facts) = part else { continue };
        for (_, cell) in facts {
            if let Cell::Text(text) = cell
                && let Ok(at) = text.parse::<jiff::Timestamp>()
            {
                *cell = Cell::Time(at.as_microsecond());
            }
        }
    }
    document
}

fn links<'c>(context: &'c Context<'_>) -> impl Fn(&str, &str, Option<&str>) -> Option<String> + use<'c> {
    let games = BoardGames::new(context);
    move |head, text, identity| {
        let address = match identity {
            Some(identity) => Some(player::of_identity(context, identity)),
            None => link(context, &games, head, text),
        };
        address.map(|address| address.to_string())
    }
}

trait IntoMarkup {
    fn into_markup(self) -> Markup;
}

impl IntoMarkup for PreEscaped<String> {
    fn into_markup(self) -> Markup {
        html! { (self) }
    }
}

/// The page that a cell names, by the head of its column; none whose address is too long.
fn link(context: &Context<'_>, games: &BoardGames<'_>, head: &str, text: &str) -> Option<Address> {
    page_named(context, games, head, text).filter(|address| address.to_string().len() <= LONGEST_ADDRESS)
}

fn page_named(context: &Context<'_>, games: &BoardGames<'_>, head: &str, text: &str) -> Option<Address> {
    if text.is_empty() {
        return None;
    }
    let page = |part: &str| Some(context.request.at_same_time(&[part, text]));
    match head {
        // Of a tournament, whose link is next to its name.
        "Name" if matches!(context.request.segments().as_slice(), [] | ["tournaments"] | ["player", ..]) => {
            None
        }
        "Name" | "Player" | "Gold" | "Silver" | "White" | "Black" | "Gold or White" | "Silver or Black"
        | "Winner" | "Opponent" | "opponent" => Some(player::of_name(context, text)),
        "Tournament" => page("tournament"),
        // The game of a board, in a tournament.
        "Board" | "Pairing" => match context.request.segments().as_slice() {
            ["tournament", name, ..] if games.has(name, text) => {
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
