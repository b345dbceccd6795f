//! The search field: a game, a tournament, a player, an event or a position by what a reader typed.

use annals_replay::subject::{find_game, find_tournament};
use annals_rules::AnyPosition;
use maud::html;

use crate::Failure;
use crate::address::Address;
use crate::app::Context;
use crate::reply::{Page, Reply};

pub fn page(context: &Context<'_>) -> Result<Reply, Failure> {
    let text = context.request.get("q").unwrap_or_default().trim();
    let found = candidates(context, text)?;
    if let [(_, only)] = found.as_slice() {
        return Ok(Reply::Moved(only.to_string()));
    }
    let json: Vec<_> = found.iter().map(|(what, address)| (what, address.to_string())).collect();
    let body = html! {
        h1 { "Search" }
        @if found.is_empty() {
            p { "Nothing is called “" (annals_report::escaped(text)) "”. A game, tournament or player is found by its name, a game of the
                 dataset by its number, a position by its board." }
        }
        ul { @for (what, address) in &found { li { a href=(address) { (what) " " (annals_report::escaped(text)) } } } }
    };
    Page::new("Search", body, &json).map(Reply::from)
}

fn candidates(context: &Context<'_>, text: &str) -> Result<Vec<(&'static str, Address)>, Failure> {
    let mut found = Vec::new();
    if text.is_empty() {
        return Ok(found);
    }
    if context.app.has_log() {
        let log = context.log()?;
        if find_tournament(&log, text).is_ok() {
            found.push(("tournament", Address::of(&["tournament", text])));
        }
        if let Ok(stream) = find_game(&log, text) {
            found.push(("game", Address::of(&["game", stream.name()])));
        }
        if annals_replay::queries::record::ask(&log, text, &annals_replay::Cut::NOW).is_ok() {
            found.push(("player", Address::of(&["player", text])));
        }
    }
    if let Ok(session) = context.app.session() {
        if let Ok(number) = text.parse::<u64>()
            && annals_analytics::game_view::GameView::read(&session, number).is_ok()
        {
            found.push(("game", Address::of(&["game", text])));
        }
        if !found.iter().any(|(what, _)| *what == "player")
            && annals_analytics::players::find_player(&session, text).is_ok()
        {
            found.push(("player", Address::of(&["player", text])));
        }
    }
    if found.is_empty() && AnyPosition::read(text, None, None).is_ok() {
        found.push(("position", Address::of(&["explore"]).with("position", text)));
    }
    Ok(found)
}
