//! A tournament under two times: standings, crosstable, rounds, rulings and the rest, as of a time and as recorded by a time.

use annals_analytics::charts::of_verified_log;
use annals_analytics::charts::standings::{Counted, standings_by_round};
use annals_charts::{Chart, Drawn as _, Picture};
use annals_events::{GameId, PlayerId, Side, StreamName};
use annals_replay::queries::{
    TournamentAt, crosstable, history, ledger, list, notices, overview, rounds, rulings, standings, trf,
};
use annals_replay::subject::{Subject, find_tournament};
use annals_replay::tournament_audit::{AuditOptions, AuditReport};
use annals_replay::view::{GameView, PlayerView};
use annals_replay::{Asked, Cut, GameReplay, Labels, ReplayError, diff, game_at, resolve};
use annals_report::{Cell, Document, Provenance, Table, ToDocument};
use annals_store::{Log, games_of};
use jiff::tz::TimeZone;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::map::{DottedStream, map};
use super::moment::{self, TimeChoice};
use super::{answered, audit, document};
use crate::Failure;
use crate::address::Address;
use crate::app::Context;
use crate::picture;
use crate::reply::{Page, Reply};
use crate::request::Shape;

/// The views of a tournament, with their titles.
pub const VIEWS: [(&str, &str); 12] = [
    ("standings", "Standings"),
    ("crosstable", "Crosstable"),
    ("rounds", "Rounds"),
    ("games", "Games"),
    ("rulings", "Rulings"),
    ("ledger", "Ledger"),
    ("notices", "Notices"),
    ("history", "History"),
    ("overview", "Overview"),
    ("changes", "Changes"),
    ("audit", "Audit"),
    ("chart", "Chart"),
];

/// The list of all tournaments.
pub fn list(context: &Context<'_>) -> Result<Reply, Failure> {
    let log = context.log()?;
    let (cut, zone) = moment::cut(context, &log, None)?;
    let answer = listed(context, list::ask(&log, &cut)?);
    let (title, body) = answered(context, &answer, &zone);
    Ok(Page::new(title.clone(), html! { h1 { (title) } (body) }, &answer)?.into())
}

/// The tournaments of a list that are published: in a site only its own.
pub fn listed(context: &Context<'_>, mut list: list::TournamentList) -> list::TournamentList {
    if let Some(site) = context.site {
        list.tournaments.retain(|line| site.chapter(&line.tournament).is_some());
    }
    list
}

pub fn page(context: &Context<'_>, name: &str, view: &str) -> Result<Reply, Failure> {
    let log = context.log()?;
    let stream = find_tournament(&log, name)?;
    let (cut, zone) = moment::cut(context, &log, Some(&stream))?;
    let dotted = context.app.tournament(&log, &stream)?;
    let at = TournamentAt::held(&log, &dotted.events, &cut)?;
    if view == "chart" && context.request.shape == Shape::Svg {
        let (chart, provenance) = chart(context, &log, &stream, &cut)?;
        return picture::reply(&chart, &provenance);
    }
    let file = |content_type, bytes, name: &str| {
        Ok(Reply::File { content_type, bytes, name: Some(name.to_owned()) })
    };
    match (view, context.request.shape) {
        ("standings", Shape::Csv) => {
            return file(
                "text/csv; charset=utf-8",
                standings::ask(&at).table().csv().into_bytes(),
                "standings.csv",
            );
        }
        ("standings", Shape::Trf) => {
            return file(
                "text/plain; charset=utf-8",
                trf::ask(&at, &zone)?.text.into_bytes(),
                "tournament.trf",
            );
        }
        _ => {}
    }
    let shown = Shown { context, at: &at, zone: &zone };
    let (title, content, json) = match view {
        "standings" => shown.answer(&standings::ask(&at))?,
        "crosstable" => shown.answer(&crosstable::ask(&at))?,
        "rounds" => shown.answer(&rounds::ask(&at, None)?)?,
        "games" => shown.games(&log, &stream)?,
        "rulings" => shown.answer(&rulings::ask(&at)?)?,
        "ledger" => shown.answer(&ledger::ask(&at))?,
        "notices" => shown.answer(&notices::ask(&at, None))?,
        "history" => shown.answer(&history::ask(&at, &zone)?)?,
        "overview" => shown.answer(&overview::ask(&at))?,
        "changes" => shown.changes(&log, &stream)?,
        "audit" => shown.audit(&log, &stream)?,
        "chart" => shown.chart(&log, &stream)?,
        _ => {
            let views: Vec<&str> = VIEWS.iter().map(|(view, _)| *view).collect();
            return Err(Failure::not_found(format!(
                "a tournament has no view `{}`",
                annals_report::one_line(view)
            ))
            .hint(format!("the views are {}", views.join(", "))));
        }
    };
    let body = html! {
        h1 { (title) }
        (views(context, name, view, &at))
        (times(context, &dotted, &cut))
        (map(&dotted.dots, &cut, &zone, &|dot| moment::of_dot(context, dot)))
        section.content aria-label=(view) { (content) }
        @if view == "standings" {
            @let file = |ending: &str| context.request.at_same_time(&["tournament", name, view]).ending(ending);
            p { "Files: " a href=(file("csv")) { "standings as CSV" } " · " a href=(file("trf")) { "tournament as TRF" } }
        }
    };
    Page::new(title, body, &json).map(Reply::from)
}

/// Links to the other views and, for each round, to its explanation.
fn views(context: &Context<'_>, name: &str, view: &str, at: &TournamentAt<'_>) -> Markup {
    let rounds = at.tournament().rounds.keys();
    html! {
        nav.views aria-label="Views" {
            @for (other, title) in VIEWS {
                a href=(context.request.at_same_time(&["tournament", name, other]))
                    aria-current=[(other == view).then_some("page")] { (title) }
            }
            a href=(Address::of(&["log"]).with("stream", &at.stream.to_string())) { "Events" }
        }
        @if view == "rounds" {
            p { "Why: " @for round in rounds {
                a href=(context.request.at_same_time(&["tournament", name, "why", &round.to_string()])) { "round " (round) } " "
            } }
        }
    }
}

fn times(context: &Context<'_>, dotted: &DottedStream, cut: &Cut) -> Markup {
    moment::form(
        context,
        &[
            TimeChoice {
                parameter: "as_of",
                label: "What was true at",
                chosen: cut.as_of,
                times: &dotted.effective,
            },
            TimeChoice {
                parameter: "known_at",
                label: "As recorded by",
                chosen: cut.known_at,
                times: &dotted.recorded,
            },
        ],
    )
}

/// The points by round, and where the picture comes from.
fn chart(
    context: &Context<'_>,
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
) -> Result<(Chart, Provenance), Failure> {
    let moment = context.request.moment_words();
    let command = format!("annals chart standings {} --count points{moment}", stream.name());
    let source = of_verified_log(log, cut, &command)?;
    let chart = standings_by_round(log, stream, cut, Counted::Points, source)?;
    Ok((chart, picture::of_stream(log, stream, cut, command)?))
}

/// One view at a point in time.
struct Shown<'a> {
    context: &'a Context<'a>,
    at: &'a TournamentAt<'a>,
    zone: &'a TimeZone,
}

type View = (String, Markup, serde_json::Value);

/// Lines as items of a list; those that are further in than the first are lists in it.
fn nested(lines: &[String]) -> Markup {
    let depth = |line: &String| line.len() - line.trim_start().len();
    let top = lines.first().map_or(0, depth);
    html! {
        @for item in lines.chunk_by(|_, next| depth(next) > top) {
            li {
                (annals_report::escaped(item[0].trim_start()))
                @if item.len() > 1 { ul { (nested(&item[1..])) } }
            }
        }
    }
}

/// The players of a game with Gold and Silver, by the pairing that it states or as a game of the qualifier. The board has them where
/// the game was played with other colours.
pub fn players_of(at: &TournamentAt<'_>, stream: &StreamName, replay: &GameReplay) -> [Option<PlayerId>; 2] {
    let tournament = at.tournament();
    let has_name = |player: &PlayerId, name: &str| {
        let entrant = tournament.entrants.get(player);
        entrant.is_some_and(|entrant| entrant.name == name || entrant.entry.fact.name == name)
    };
    let of_pairing = replay.pairing().filter(|of| of.tournament.as_str() == at.stream.name());
    if let Some(board) = of_pairing.and_then(|of| tournament.board(of.pairing)) {
        let (gold, silver) = (board.gold().unwrap_or(board.upper()), board.silver().unwrap_or(board.lower()));
        let stated = replay.started().map_or("", |started| &started.gold.name);
        let is_other = !has_name(gold, stated) && has_name(silver, stated);
        let (gold, silver) = if is_other { (silver, gold) } else { (gold, silver) };
        return [Some(gold.clone()), Some(silver.clone())];
    }
    let is_own = |game: &GameId| game.as_str() == stream.name();
    match tournament.qualifying_games.iter().find(|played| played.game.as_ref().is_some_and(is_own)) {
        Some(played) => match played.side {
            Side::Gold => [Some(played.player.clone()), Some(played.benchmark.clone())],
            Side::Silver => [Some(played.benchmark.clone()), Some(played.player.clone())],
        },
        None => [None, None],
    }
}

/// The name of a player in a game, which leads to the player.
fn seat(player: Option<&PlayerView>, identity: Option<&PlayerId>) -> Cell {
    match (player, identity) {
        (Some(player), Some(identity)) => Cell::named(&player.name, identity),
        (player, _) => Cell::some(player.map(|player| &player.name)),
    }
}

impl Shown<'_> {
    /// As [`answered`] titles a page.
    fn title(&self, what: &str) -> String {
        annals_report::one_line(&self.at.title(what, self.zone))
    }

    fn answer<A: ToDocument + Serialize>(&self, answer: &A) -> Result<View, Failure> {
        let (title, content) = answered(self.context, answer, self.zone);
        Ok((title, content, self.context.json(|| answer)?))
    }

    /// Every game that the tournament names, of its rounds and of its qualifier.
    fn games(&self, log: &Log, stream: &StreamName) -> Result<View, Failure> {
        let mut games = Vec::new();
        for game in games_of(log, stream)? {
            match game_at(log, &game, &self.at.cut.elsewhere()) {
                Ok(replay) => {
                    let players = players_of(self.at, &game, &replay);
                    games.push((GameView::of(game.name(), &replay, &self.at.cut), players));
                }
                Err(ReplayError::NoSuchStream { .. } | ReplayError::NotYet { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let [first, second] = Side::BOTH.map(|side| side.name_in(self.at.game()));
        let ended = |game: &GameView| game.ending.as_ref().and_then(|ending| ending.winner);
        let table = Table::of("", &games)
            .column("Game", |(game, _)| Cell::text(&game.stream))
            .column(first, |(game, [gold, _])| seat(game.gold.as_ref(), gold.as_ref()))
            .column(second, |(game, [_, silver])| seat(game.silver.as_ref(), silver.as_ref()))
            .column("Won by", |(game, _)| Cell::some(ended(game).map(|side| side.name_in(self.at.game()))))
            .column("Started", |(game, _)| Cell::time(game.started_at))
            .column("Plies", |(game, _)| Cell::count(game.plies))
            .table();
        let shown = Document::new("").table(table).or_line("no game is recorded");
        let names: Vec<&str> = games.iter().map(|(game, _)| game.stream.as_str()).collect();
        let title = self.title("games");
        Ok((title, document(self.context, &shown, self.zone), serde_json::json!(names)))
    }

    /// What changed since another point in time, which has its own two times.
    fn changes(&self, log: &Log, stream: &StreamName) -> Result<View, Failure> {
        let request = self.context.request;
        let since =
            Asked { as_of: request.get("since_as_of"), known_at: request.get("since_known_at"), seq: None };
        let subject = Subject::Stream(stream.clone());
        let given = since.as_of.is_some() || since.known_at.is_some();
        let field = |name: &str, label: &str| {
            html! { label { (label) " " input type="text" name=(name) value=(request.get(name).unwrap_or_default()) maxlength="80"; } }
        };
        let form = html! {
            form.since method="get" {
                (moment::kept(self.context))
                (field("since_as_of", "Since what was true at")) " "
                (field("since_known_at", "as recorded by")) " "
                button type="submit" { "Compare" }
            }
        };
        let title = self.title("changes");
        if !given {
            let words = html! { (form) p { "Enter a point in time to compare with the one above." } };
            return Ok((title, words, serde_json::json!([])));
        }
        let before = resolve(log, Some(stream), &since, self.zone)?;
        let (before, after) = (subject.view(log, &before)?, subject.view(log, &self.at.cut)?);
        let (differences, labels) = (diff(&before, &after), Labels::of([&before, &after]));
        let shown = html! {
            (form)
            @if differences.is_empty() { p { "nothing is different" } }
            ul.changes { @for difference in &differences {
                (nested(&difference.lines(&labels, self.zone)))
            } }
        };
        Ok((title, shown, self.context.json(|| &differences)?))
    }

    /// Every decision compared with the rulebook; with `reading=T7=B` what another reading changes.
    fn audit(&self, log: &Log, stream: &StreamName) -> Result<View, Failure> {
        let request = self.context.request;
        let reading = request.get("reading").unwrap_or_default();
        let readings: Vec<(String, String)> = match reading.split_once('=') {
            Some((number, name)) => vec![(number.to_owned(), name.to_owned())],
            None if reading.is_empty() => Vec::new(),
            None => return Err(Failure::bad("expected a reading such as `T7=B`")),
        };
        let options = AuditOptions { readings: &readings, ..AuditOptions::default() };
        let report = AuditReport::of(log, Vec::new(), (stream, &self.at.cut), &options)
            .map_err(|error| Failure::bad(error.to_string()))?;
        let content = html! {
            form.since method="get" {
                (moment::kept(self.context))
                label { "Reading " input type="text" name="reading" value=(reading) placeholder="T7=B" maxlength="40"; }
                " " button type="submit" { "Check" }
            }
            (audit::content(self.context, &report, self.at, self.zone))
        };
        Ok((self.title("audit"), content, self.context.json(|| &report)?))
    }

    fn chart(&self, log: &Log, stream: &StreamName) -> Result<View, Failure> {
        let (chart, _) = chart(self.context, log, stream, &self.at.cut)?;
        let svg = String::from_utf8_lossy(&chart.draw(Picture::Svg)?).into_owned();
        let answer = standings::ask(self.at);
        let picture = html! {
            figure.chart { (PreEscaped(svg)) }
            p { a href=(self.context.request.address().ending("svg")) { "The chart as SVG" } }
        };
        Ok((self.title("points by round"), picture, self.context.json(|| &answer)?))
    }
}
