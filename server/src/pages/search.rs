//! The search field: a game, a tournament, a player, an event or a position by what a reader typed.

use annals_replay::Cut;
use annals_replay::queries::{QueryError, record};
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
    if let [only] = found.as_slice() {
        return Ok(Reply::Moved(only.address.to_string()));
    }
    let json: Vec<_> = found.iter().map(|found| (found.what, found.address.to_string())).collect();
    let body = html! {
        h1 { "Search" }
        @if found.is_empty() {
            p { "Nothing is called “" (annals_report::escaped(text)) "”. A game, tournament or player is found by its name, a game of the
                 dataset by its number, a position by its board." }
        }
        ul { @for Found { what, name, address } in &found { li { a href=(address) { (what) " " (annals_report::escaped(name)) } } } }
    };
    Page::new("Search", body, &json).map(Reply::from)
}

/// A page that a text may mean.
struct Found {
    what: &'static str,
    /// The text, or the identity of one of several players with that name.
    name: String,
    address: Address,
}

fn of_player(identity: &str) -> Found {
    Found { what: "player", name: identity.to_owned(), address: Address::of(&["player", identity]) }
}

fn candidates(context: &Context<'_>, text: &str) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    let of = |what, address| Found { what, name: text.to_owned(), address };
    if text.is_empty() {
        return Ok(found);
    }
    if context.app.has_log() {
        let log = context.log()?;
        if find_tournament(&log, text).is_ok() {
            found.push(of("tournament", Address::of(&["tournament", text])));
        }
        if let Ok(stream) = find_game(&log, text) {
            found.push(of("game", Address::of(&["game", stream.name()])));
        }
        match record::ask(&log, text, &Cut::NOW) {
            Ok(recorded) => found.push(of_player(recorded.player.as_str())),
            Err(QueryError::SeveralPlayers { players, .. }) => {
                found.extend(players.iter().map(|player| of_player(player)));
            }
            Err(_) => {}
        }
    }
    if let Ok(session) = context.app.session() {
        if let Ok(number) = text.parse::<u64>()
            && annals_analytics::game_view::GameView::read(&session, number).is_ok()
        {
            found.push(of("game", Address::of(&["game", text])));
        }
        if !found.iter().any(|found| found.what == "player")
            && annals_analytics::players::find_player(&session, text).is_ok()
        {
            let address = Address::of(&["player"]).with("name", text);
            found.push(Found { what: "player", name: text.to_owned(), address });
        }
    }
    if found.is_empty() && AnyPosition::read(text, None, None).is_ok() {
        found.push(of("position", Address::of(&["explore"]).with("position", text)));
    }
    Ok(found)
}
