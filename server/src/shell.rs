//! The frame of every page: head, navigation, search, foot.

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

/// A page as HTML.
pub fn page(request: &PageRequest, page: &Page) -> String {
    let json = request.address().ending("json");
    let foot = html! {
        p { a href=(json) { "This page as JSON" } " · read-only · Annals " (env!("CARGO_PKG_VERSION")) }
    };
    frame(request, &page.title, &page.body, &foot, &page.scripts)
}

/// A failure as HTML.
pub fn failure(request: &PageRequest, failure: &Failure) -> String {
    let body = html! {
        h1 { "Error " (failure.status) }
        p role="alert" { (annals_report::escaped(&failure.error)) }
        @if let Some(reason) = &failure.reason { p { "Reason: " (annals_report::escaped(reason)) } }
        @for hint in &failure.hints { p.note { "Hint: " (annals_report::escaped(hint)) } }
    };
    frame(request, &format!("Error {}", failure.status), &body, &html! {}, &[])
}

fn frame(request: &PageRequest, title: &str, body: &Markup, foot: &Markup, scripts: &[&str]) -> String {
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
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (annals_report::escaped(title)) " · Annals" }
                link rel="stylesheet" href="/assets/annals.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                script defer src="/assets/annals.js" {}
                @for script in scripts { script defer src={ "/assets/" (script) } {} }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header {
                    nav aria-label="Parts" {
                        a.home href="/" { "Annals" }
                        @for (part, name) in PARTS {
                            a href=(Address::of(&[part])) aria-current=[current(part)] { (name) }
                        }
                    }
                    form.search action="/search" role="search" {
                        label { span.quiet { "Search" } " "
                            input type="search" name="q" value=(request.get("q").filter(|_| here == Some("search")).unwrap_or_default()) maxlength="200";
                        }
                    }
                }
                main id="main" tabindex="-1" { (body) }
                footer { (foot) }
            }
        }
    };
    page.into_string()
}
