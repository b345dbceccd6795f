//! A player: the record in tournaments of the log, and the career in the dataset.

use annals_analytics::Session;
use annals_analytics::career::{Career, on_games_of};
use annals_analytics::charts::{of_dataset, ratings::ratings};
use annals_analytics::citations::identifier;
use annals_analytics::players::find_player;
use annals_analytics::ratings::{Ratings, Rulings, Selection, as_argument, history_document, history_of};
use annals_analytics::views::{career_document, counts_here};
use annals_events::{Event, GameKind, Micros, PeopleEvent, PlayerId, StatedPeriod, TimeNote};
use annals_replay::paragraphs::Paragraphs;
use annals_replay::queries::record::{self, PlayerRecord};
use annals_replay::queries::{Person, QueryError};
use annals_replay::view::IdentityView;
use annals_replay::{Cut, View, people_view};
use annals_report::{Cell, Document, Table, one_line, shell_word};
use jiff::tz::TimeZone;
use maud::html;
use serde_json::json;

use super::{answered, below_title, document, moment, sql};
use crate::Failure;
use crate::address::Address;
use crate::app::Context;
use crate::picture;
use crate::reply::{Page, Reply};
use crate::request::Shape;

/// Rating systems that the form offers; the address accepts their options too.
const SYSTEMS: [&str; 6] = ["", "elo", "glicko2", "whr", "bradley-terry", "gameroom"];

/// Players of the list.
const LISTED: usize = 200;

const PLAYERS: &str = "SELECT name, kind, country, games FROM players ORDER BY games DESC, name";

pub fn list(context: &Context<'_>) -> Result<Reply, Failure> {
    let zone = moment::zone(context)?;
    let people = match context.app.has_log() {
        true => {
            let log = context.log()?;
            let (cut, _) = moment::cut(context, &log, None)?;
            Some((record::players(&log, &cut)?, people_view(&log, None, &cut)?))
        }
        false => None,
    };
    let stored = match context.app.session() {
        Ok(session) => Some(sql::rows(&session, PLAYERS, LISTED)?),
        Err(failure) if failure.status == 404 => None,
        Err(failure) => return Err(failure),
    };
    let json = json!({
        "players": people.as_ref().map(|(players, _)| players),
        "log": people.as_ref().map(|(_, people)| people),
        "dataset": stored.as_ref().map(|rows| &rows.json),
    });
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
        @if let Some((players, people)) = &people {
            (below_title(context, &of_log(players, people), &zone))
        }
    };
    Page::new("Players", body, &json).map(Reply::from)
}

/// The players of the log, and what is known of each.
fn of_log(players: &[Person], people: &View) -> Document {
    let View::People(people) = people else { return Document::new("") };
    let identity = |person: &Person| people.identities.get(&person.player);
    let table = Table::of("Players of the log", players)
        .column("Name", |person| Cell::named(&person.name, &person.player))
        .column("Identity", |person| Cell::named(&person.player, &person.player))
        .column("About", |person| Cell::some(identity(person).map(IdentityView::about)))
        .column("Also", |person| Cell::some(identity(person).map(|identity| identity.also().join("; "))))
        .table();
    let mut page = Document::new("").table(table);
    page.parts.extend(people.changes().parts);
    page.or_line("the log has no player")
}

/// The page of a player of the log.
pub fn of_identity(context: &Context<'_>, identity: &str) -> Address {
    context.request.at_same_time(&["player", identity])
}

/// The page of a player of whom only the name is known. A name may be written as another player's identity.
pub fn of_name(context: &Context<'_>, name: &str) -> Address {
    context.request.at_same_time(&["player"]).with("name", name)
}

/// The record in the log, and the identities of several players of the name if nothing tells which one is meant.
fn recorded(
    context: &Context<'_>,
    name: &str,
    is_name: bool,
) -> Result<(Option<PlayerRecord>, Vec<String>), Failure> {
    if !context.app.has_log() {
        return Ok((None, Vec::new()));
    }
    let log = context.log()?;
    let (cut, _) = moment::cut(context, &log, None)?;
    if cut == Cut::NOW && !context.app.is_in_log(&log, name)? {
        return Ok((None, Vec::new()));
    }
    match if is_name { record::named(&log, name, &cut) } else { record::ask(&log, name, &cut) } {
        Ok(recorded) => Ok((Some(recorded), Vec::new())),
        Err(QueryError::NoSuchPlayer { .. }) => Ok((None, Vec::new())),
        Err(QueryError::SeveralPlayers { players, .. }) => Ok((None, players)),
        Err(other) => Err(other.into()),
    }
}

/// The career under the first of these names that the dataset has.
fn career(session: &Session, names: &[&str]) -> Result<Option<Career>, Failure> {
    for name in names {
        match Career::read(session, name) {
            Ok((career, _)) => return Ok(Some(career)),
            Err(annals_analytics::Error::Unknown { .. }) => {}
            Err(other) => return Err(other.into()),
        }
    }
    Ok(None)
}

/// The page of an identity, or of a name of the log or the dataset: in the path an identity comes before a name, and the parameter
/// `name` is a name only.
pub fn page(context: &Context<'_>, identity: Option<&str>) -> Result<Reply, Failure> {
    let zone = moment::zone(context)?;
    let Some(name) = identity.or_else(|| context.request.get("name")) else {
        return Err(Failure::not_found("no player is named").hint("`/players` lists them"));
    };
    let is_name = identity.is_none();
    let (recorded, several) = recorded(context, name, is_name)?;
    let session = match context.app.session() {
        Ok(session) => Some(session),
        Err(failure) if failure.status == 404 => None,
        Err(failure) => return Err(failure),
    };
    // The dataset knows players by their names.
    let names: Vec<&str> = match &recorded {
        Some(recorded) => {
            let given = is_name.then_some(name);
            given.into_iter().chain(recorded.names.iter().map(String::as_str)).collect()
        }
        None => vec![name],
    };
    let career = session.as_ref().map(|session| career(session, &names)).transpose()?.flatten();
    if recorded.is_none() && career.is_none() {
        return Err(match several.as_slice() {
            [] => unknown(session.as_deref(), name),
            _ => QueryError::SeveralPlayers { name: name.to_owned(), players: several }.into(),
        });
    }
    let system = context.request.get("system");
    if context.request.shape == Shape::Svg && system.is_none() {
        let failure = Failure::bad("the picture of a player is that of a rating system, and none is named");
        return Err(failure.hint("`?system=whr` names one"));
    }
    let mut not_rated = None;
    let rating = match (&session, &career, system) {
        (Some(session), Some(career), Some(system)) => {
            let selection = selection(context, system, career)?;
            match history_of(session, &selection, &career.name, Rulings::FromStart) {
                Ok((history, _)) if context.request.shape == Shape::Svg => {
                    return rating_chart(session, &selection, &history.player);
                }
                Ok((history, _)) => Some(history),
                // The page has the career all the same.
                Err(error @ annals_analytics::Error::Nothing { .. })
                    if context.request.shape == Shape::Html =>
                {
                    not_rated = Some(error.to_string());
                    None
                }
                Err(error) => return Err(error.into()),
            }
        }
        _ => None,
    };
    let set_aside = match (&session, &career, &recorded) {
        (Some(session), Some(_), Some(recorded)) => on_games_of(session, name, recorded.set_aside.clone())?,
        _ => Vec::new(),
    };
    let identity = match &recorded {
        Some(recorded) => identity_events(context, recorded, &zone)?,
        None => Vec::new(),
    };
    let json = context.json(|| {
        let event = |(seq, at, what, _): &Stated| json!({ "seq": seq, "at": at, "what": what });
        json!({
            "record": recorded,
            "identity": identity.iter().map(event).collect::<Vec<_>>(),
            "career": career,
            "rating": rating,
        })
    })?;
    let title = match (&recorded, &career) {
        (Some(recorded), _) => &recorded.name,
        (None, Some(career)) => &career.name,
        (None, None) => name,
    };
    let body = html! {
        h1 { bdi { (annals_report::escaped(title)) } }
        @if !several.is_empty() {
            p { "Players of the log with this name: "
                @for identity in &several { a href=(of_identity(context, identity)) { (identity) } " " } }
        }
        @if let Some(recorded) = &recorded {
            @let (heading, shown) = answered(context, recorded, &zone);
            h2 { (heading) } (shown)
        }
        @if !identity.is_empty() {
            h2 { "Identity and names" }
            (document(context, &Document::new("").table(identity_table(&identity)), &zone))
        }
        @if let Some(career) = &career {
            h2 { "Career in the dataset" }
            @for ruled in &set_aside { p.note { (annals_report::escaped(&counts_here(ruled))) } }
            (document(context, &career_document(career, Some(30)), &zone))
            form.since method="get" {
                @if is_name { input type="hidden" name="name" value=(name); }
                label { "Rating by " select name="system" {
                    @let other = system.filter(|system| !SYSTEMS.contains(system));
                    @for name in SYSTEMS.into_iter().chain(other) {
                        option value=(name) selected[system == Some(name)] { (if name.is_empty() { "—" } else { name }) }
                    }
                } } " "
                label { "Game " select name="game" {
                    @for game in ["arimaa", "amazons"] {
                        option value=(game) selected[context.request.get("game").unwrap_or(kind(career).word()) == game] { (game) }
                    }
                } } " " button type="submit" { "Compute" }
            }
        }
        @if let Some(reason) = &not_rated { p role="alert" { (annals_report::escaped(reason)) } }
        @if let Some(rating) = &rating {
            figure.chart {
                img src=(context.request.address().ending("svg")) width="900" height="540"
                    alt={ "Rating over time by " (rating.system) ", with 95% confidence intervals where the system has errors. The table has the figures." };
            }
        }
        @if let Some(rating) = &rating { (document(context, &history_document(rating), &zone)) }
    };
    Page::new(title, body, &json).map(Reply::from)
}

/// That nobody has the name, with similar names of the dataset.
fn unknown(session: Option<&Session>, name: &str) -> Failure {
    let similar = session.and_then(|session| find_player(session, name).err());
    similar.map_or_else(
        || Failure::not_found(format!("no player called `{}` is known", annals_report::one_line(name))),
        Failure::from,
    )
}

/// The kind of game of the form, if none is chosen.
fn kind(career: &Career) -> GameKind {
    match career.games.as_slice() {
        [GameKind::Amazons] => GameKind::Amazons,
        _ => GameKind::Arimaa,
    }
}

fn selection(context: &Context<'_>, system: &str, career: &Career) -> Result<Selection, Failure> {
    let game = context.request.get("game").map(str::parse::<GameKind>).transpose().map_err(Failure::bad)?;
    let system = system.parse().map_err(Failure::bad)?;
    Ok(Selection { game: game.unwrap_or(kind(career)), system, ..Selection::default() })
}

/// The rating over time, with its intervals.
fn rating_chart(session: &Session, selection: &Selection, name: &str) -> Result<Reply, Failure> {
    let (computed, _) = Ratings::compute(session, selection)?;
    let game = match selection.game {
        GameKind::Arimaa => String::new(),
        game => format!(" --game {game}"),
    };
    let (system, player) = (as_argument(&selection.system), shell_word(&one_line(name)));
    let command = format!("annals chart ratings --system {system}{game} --player {player}");
    let names = [name.to_owned()];
    let source = of_dataset(session, &command);
    let chart = ratings(&computed, &selection.system, &names, i64::MIN..=i64::MAX, source)?;
    picture::reply(&chart, &picture::made_from(identifier(session.dataset(), None), command))
}

/// An event, when it happened, what it states, and the period in which it happened if no more is stated.
type Stated = (u64, Micros, String, Option<StatedPeriod>);

/// The events that record the identity, its names and its merges.
fn identity_events(
    context: &Context<'_>,
    recorded: &PlayerRecord,
    zone: &TimeZone,
) -> Result<Vec<Stated>, Failure> {
    let log = context.log()?;
    let cut = recorded.cut;
    let mut nothing = std::io::sink();
    let mut narrator = Paragraphs::new(&log, zone.clone(), &mut nothing, false);
    let mut found = Vec::new();
    for stream in log.streams(Some("people"))? {
        for event in log.stream(&stream.name, cut.seq.unwrap_or(u64::MAX))? {
            let counts = cut.known_at.is_none_or(|known| event.recorded_at <= known)
                && cut.has_happened(event.seq, event.effective_at);
            let Ok(Event::People(stated)) = event.decode() else { continue };
            if counts && about(&stated).into_iter().any(|player| recorded.identities.contains(player)) {
                let what = narrator.narrative(&event)?.what.to_string();
                let period = match event.decode_entry().ok().and_then(|entry| entry.time) {
                    Some(TimeNote::Stated(period)) => Some(period),
                    _ => None,
                };
                found.push((event.seq, event.effective_at, what, period));
            }
        }
    }
    found.sort_unstable_by_key(|(seq, ..)| *seq);
    Ok(found)
}

/// The identities that an event names.
fn about(event: &PeopleEvent) -> [&PlayerId; 2] {
    match event {
        PeopleEvent::PlayerKnown(known) => [&known.player, &known.player],
        PeopleEvent::AliasDeclared(declared) => [&declared.player, &declared.player],
        PeopleEvent::AliasWithdrawn(withdrawn) => [&withdrawn.player, &withdrawn.player],
        PeopleEvent::IdentitiesMerged(merged) => [&merged.kept, &merged.merged],
        PeopleEvent::IdentitiesParted(parted) => [&parted.kept, &parted.parted],
    }
}

fn identity_table(events: &[Stated]) -> Table {
    Table::of("", events)
        .column("Event", |(seq, ..)| Cell::count(*seq))
        .column("Happened", |(_, at, _, period)| period.map_or(Cell::Time(*at), Cell::text))
        .column("What", |(_, _, what, _)| Cell::text(what))
        .table()
}
