//! The frame of every page: head, navigation, search, foot.

use annals_report::shell_word;
use maud::{DOCTYPE, Markup, html};

use crate::Failure;
use crate::address::Address;
use crate::reply::Page;
use crate::request::PageRequest;

/// The parts of the site, by their first segment.
const PARTS: [(&str, &str); 7] = [
    ("tournaments", "Tournaments"),
    ("games", "Games"),
    ("players", "Players"),
    ("explore", "Explorer"),
    ("log", "Log"),
    ("studies", "Studies"),
    ("sql", "SQL"),
];

/// The parts of which a home without a log has nothing.
const OF_LOG: [&str; 2] = ["tournaments", "log"];

/// What has a page: the server, with or without a log, or a site.
#[derive(Clone, Copy)]
pub enum Place {
    Server { has_log: bool },
    Site,
}

impl Place {
    const fn is_site(self) -> bool {
        matches!(self, Place::Site)
    }

    /// The parts that the navigation leads to. A site has its tournaments only.
    fn parts(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let has = move |part: &str| match self {
            Place::Server { has_log } => has_log || !OF_LOG.contains(&part),
            Place::Site => part == OF_LOG[0],
        };
        PARTS.into_iter().filter(move |(part, _)| has(part))
    }
}

/// A page as HTML, of the server or of a site.
pub fn page(request: &PageRequest, page: &Page, place: Place) -> String {
    let json = request.address().ending("json");
    let foot = html! {
        p { a href=(json) { "This page as JSON" } " · read-only · Annals " (env!("CARGO_PKG_VERSION")) }
        @if place.is_site() {
            p { "A file cannot search, compute other points in time or answer SQL. " code { "annals serve" } " can, and "
                code { (command(request)) } " prints what this page shows. The "
                a href="/receipt.txt" { "receipt" } " names the log from which the files were written." }
        }
    };
    frame(request, Some(page), &page.title, &page.body, &foot, place)
}

/// The command that answers what a page of a site shows.
fn command(request: &PageRequest) -> String {
    let quoted = |word: &str| shell_word(&annals_report::one_line(word));
    let words = |before: &[&str], given: &[&str]| {
        let given = given.iter().map(|word| quoted(word));
        before.iter().map(|&word| word.to_owned()).chain(given).collect::<Vec<_>>().join(" ")
    };
    let path = request.segments();
    let of_log = match path.as_slice() {
        ["tournament", name, "why", subject @ ..] => {
            words(&["tournament", "explain"], &[&[*name][..], subject].concat())
        }
        ["tournament", name, view] => {
            let command: &[&str] = match *view {
                "overview" => &["tournament", "show"],
                "rounds" => &["tournament", "round", "list"],
                "rulings" => &["tournament", "ruling", "list"],
                "ledger" => &["tournament", "report"],
                "notices" => &["tournament", "schedule", "notices"],
                "games" => &["game", "list", "--event"],
                "changes" => &["diff"],
                "chart" => &["chart", "standings"],
                view => &["tournament", view],
            };
            words(command, &[name]) + &request.moment_words()
        }
        ["game", name] => words(&["replay"], &[&format!("game/{name}")]),
        ["player", name] => words(&["player", "record"], &[name]),
        ["log"] => words(&["log", "show"], &[request.get("stream").unwrap_or_default()]),
        ["log", seq, ..] => words(&["log", "prove"], &[seq]),
        _ => "tournament list".to_owned(),
    };
    format!("annals {of_log}")
}

/// A failure as HTML.
pub fn failure(request: &PageRequest, failure: &Failure, place: Place) -> String {
    let title = match failure.retry_after {
        Some(_) => "Not ready yet".to_owned(),
        None => format!("Error {}", failure.status),
    };
    let body = html! {
        h1 { (title) }
        p role="alert" { (annals_report::escaped(&failure.error)) }
        @if let Some(reason) = &failure.reason { p { "Reason: " (annals_report::escaped(reason)) } }
        (hints(failure))
    };
    frame(request, None, &title, &body, &html! {}, place)
}

/// What a reader can do about a failure.
pub fn hints(failure: &Failure) -> Markup {
    html! { @for hint in &failure.hints { p.note { "Hint: " (annals_report::escaped(hint)) } } }
}

fn frame(
    request: &PageRequest,
    page: Option<&Page>,
    title: &str,
    body: &Markup,
    foot: &Markup,
    place: Place,
) -> String {
    let here = request.path.first().map(String::as_str);
    let current = |part: &str| {
        let own = match here {
            Some("tournament") => "tournaments",
            Some("game") => "games",
            Some("player") => "players",
            Some("study") => "studies",
            other => other.unwrap_or_default(),
        };
        (own == part).then_some("page")
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" data-site[place.is_site()] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (annals_report::escaped(title)) " · Annals" }
                link rel="stylesheet" href="/assets/annals.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                script defer src="/assets/annals.js" {}
                @for script in page.map(|page| page.scripts.as_slice()).unwrap_or_default() { script defer src={ "/assets/" (script) } {} }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header {
                    nav aria-label="Parts" {
                        a.home href="/" { "Annals" }
                        @for (part, name) in place.parts() {
                            a href=(Address::of(&[part])) aria-current=[current(part)] { (name) }
                        }
                    }
                    form.search action="/search" role="search" {
                        label { span.quiet { "Search" } " "
                            input type="search" name="q" value=(request.get("q").filter(|_| here == Some("search")).unwrap_or_default()) maxlength="200";
                        }
                    }
                }
                main id="main" tabindex="-1" data-head=[page.and_then(|page| page.head.as_deref())] { (body) }
                footer { (foot) }
            }
        }
    };
    page.into_string()
}
