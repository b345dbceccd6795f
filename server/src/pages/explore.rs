//! The explorer: a position, the turns played from it with their results, and the games behind each number.

use annals_analytics::charts::diagrams;
use annals_analytics::explore::{Tally, after, explored, read_setup, start};
use annals_analytics::search::PositionQuery;
use annals_events::{GameKind, Side};
use annals_report::{Cell, Document, Table, grouped};
use annals_rules::arimaa::Board;
use annals_rules::{AnyPosition, amazons};
use maud::html;

use super::moment;
use crate::Failure;
use crate::address::Address;
use crate::app::Context;
use crate::board::board;
use crate::reply::{Page, Reply};

/// Turns that are listed.
const LISTED: usize = 60;

/// The column with links to the games behind the numbers of a turn.
const GAMES_OF: &str = "All games";

/// Games whose first turns are read while the reader waits.
const READ_AT_ONCE: u64 = 50_000;

/// The first turns of all games are read once for each dataset, in the background: of a million games for some ten seconds.
fn being_read(games: u64) -> Failure {
    Failure::new(503, format!("the first turns of {} games are being read", grouped(games)))
        .reason("this happens once for each dataset; the page shows them when they are read")
        .hint("a position with pieces is found at once: paste it, or follow a link of a game")
        .retry_after(2)
}

pub fn page(context: &Context<'_>) -> Result<Reply, Failure> {
    let request = context.request;
    let zone = moment::zone(context)?;
    let position = position(context)?;
    let session = context.app.session()?;
    let games = session.dataset().rows("games");
    if games > READ_AT_ONCE && position == start() && context.site.is_none() && context.app.is_preparing() {
        return Err(being_read(games));
    }
    let explored = explored(&session, &position)?;
    let flipped = request.get("flip").is_some();
    let drawn = diagrams::of_position(&position);
    let kind = match position {
        AnyPosition::Arimaa(_) => GameKind::Arimaa,
        AnyPosition::Amazons(_) => GameKind::Amazons,
    };
    let next = explored.choices.iter().take(LISTED).map(|choice| {
        let after = after(&position, &choice.turn).map(|after| address(&after, kind));
        (choice, after)
    });
    let next: Vec<_> = next.collect();
    let won = |side: Side| format!("{} won", side.name_in(kind));
    let table = Table::of("", &next)
        .column("Played", |(choice, _)| Cell::count(choice.tally.played))
        .column(&won(Side::Gold), |(choice, _)| Cell::count(choice.tally.gold_won))
        .column(&won(Side::Silver), |(choice, _)| Cell::count(choice.tally.silver_won))
        .column("Rating", |(choice, _)| {
            choice.tally.average_rating.map_or(Cell::Empty, |rating| Cell::Decimal(rating, 0))
        })
        .column("Years", |(choice, _)| Cell::some(years(&choice.tally)))
        .column("Turn", |(choice, _)| Cell::text(&choice.turn))
        .column("One game", |(choice, _)| Cell::text(choice.example_game))
        .column(GAMES_OF, |_| Cell::text("list"))
        .table();
    let rows = std::cell::Cell::new(0);
    let with_links = |head: &str, text: &str, _: Option<&str>| match head {
        "Turn" => next.iter().find(|(choice, _)| choice.turn == text).and_then(|(_, after)| after.clone()),
        "One game" => Some(Address::of(&["game", text]).to_string()),
        // Its text is the same in every row.
        _ if head == GAMES_OF => {
            let row = rows.replace(rows.get() + 1);
            next.get(row).and_then(|(choice, _)| games_of(&position, &choice.turn))
        }
        _ => None,
    };
    let shown = Document::new("").table(table).or_line("no game has a turn from this position");
    let body = html! {
        h1 { "Explorer" }
        form.since method="get" {
            label { "Position " input #position type="text" name="position" size="50" maxlength="2000" value=(request.get("position").unwrap_or_default())
                placeholder="a board, a setup, or nothing for the start"; } " "
            label { "Side " select name="side" {
                @for side in ["", "gold", "silver"] { option value=(side) selected[request.get("side") == Some(side)] { (side_words(side, kind)) } }
            } } " "
            label { "Game " select name="game" {
                @for game in ["arimaa", "amazons"] { option value=(game) selected[game == kind.word()] { (game) } }
            } } " "
            button type="submit" { "Show" }
        }
        div.game {
            div.position { (board(&drawn, flipped))
                details { summary { "Set up a position" }
                    div.setup hidden data-game=(kind.word()) data-board=(position.board_text()) {}
                    noscript { p { "Paste a board into the field above." } }
                }
                p { a data-key="f" href=(request.address().with("flip", if flipped { "" } else { "1" })) { "flip" } } }
            // As wide as the page: a turn may be a setup, which is long.
            div.record.next {
                (maud::PreEscaped(shown.fragment(&zone, &with_links)))
                @if explored.choices.len() > LISTED { p.note { (explored.choices.len() - LISTED) " more turns are in the JSON." } }
                @if explored.not_listed > 0 { p.note { (explored.not_listed) " more turns are not listed; each was played less often." } }
                p { a href=(Address::of(&["sql"]).with("q", &games_sql(&hits(&position)))) { "All games with this position" } }
            }
        }
    };
    let (title, json) = ("Explorer".to_owned(), context.json(|| &explored)?);
    let page = Page::new(title, body, &json)?;
    Ok(page.script("explore.js").into())
}

/// A side in the form.
fn side_words(side: &str, kind: GameKind) -> &str {
    if side.is_empty() { "as stated" } else { Side::stated_in(kind, side) }
}

fn address(position: &AnyPosition, kind: GameKind) -> String {
    Address::of(&["explore"])
        .with("position", &position.board_text())
        .with("side", position.to_move().word())
        .with("game", kind.word())
        .to_string()
}

fn hits(position: &AnyPosition) -> String {
    PositionQuery::position(*position, true).hits_sql()
}

/// The query for the games of hits.
fn games_sql(hits: &str) -> String {
    format!(
        "SELECT g.game_id AS game, g.gold, g.silver, g.gold_rating, g.silver_rating, g.result, g.started_at\nFROM games AS g\n\
         WHERE g.game_id IN (SELECT h.game_id FROM ({hits}) AS h)\nORDER BY g.started_at, g.game_id"
    )
}

/// The games in which a turn was played from a position: those with it, and with the one after the turn next.
fn games_of(position: &AnyPosition, turn: &str) -> Option<String> {
    let after = hits(&after(position, turn)?);
    let hits = match position {
        // The index has positions after a turn only.
        AnyPosition::Arimaa(start) if *start.board() == Board::EMPTY => {
            format!("SELECT game_id FROM ({after}) AS one WHERE ply = 1")
        }
        _ => format!(
            "SELECT one.game_id FROM ({}) AS one JOIN ({after}) AS next ON next.game_id = one.game_id AND next.ply = one.ply + 1",
            hits(position)
        ),
    };
    Some(Address::of(&["sql"]).with("q", &games_sql(&hits)).to_string())
}

/// The years of the first and last game.
fn years(tally: &Tally) -> Option<String> {
    match (tally.first_year?, tally.last_year?) {
        (first, last) if first == last => Some(first.to_string()),
        (first, last) => Some(format!("{first}–{last}")),
    }
}

fn position(context: &Context<'_>) -> Result<AnyPosition, Failure> {
    let request = context.request;
    let kind = request.get("game").map(str::parse::<GameKind>).transpose().map_err(Failure::bad)?;
    let side = request.get("side").map(str::parse::<Side>).transpose().map_err(Failure::bad)?;
    let Some(text) = request.get("position") else {
        return Ok(match kind.unwrap_or(GameKind::Arimaa) {
            GameKind::Arimaa => start(),
            GameKind::Amazons => AnyPosition::Amazons(amazons::Position::start()),
        });
    };
    match read_setup(text) {
        Some(setup) => Ok(setup),
        None => AnyPosition::read(text, side, kind).map_err(Failure::bad),
    }
}
