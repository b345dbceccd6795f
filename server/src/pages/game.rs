//! One game: the board at a turn and within a turn, the turns, the clocks, and links to what else is known of the position.

use annals_analytics::charts::{diagrams, evaluation, of_dataset, of_verified_log, played_game::PlayedGame};
use annals_analytics::citations::identifier;
use annals_analytics::game_view::{GameView, Moment};
use annals_analytics::rejected_turns::remarks_of_game;
use annals_analytics::views::{game_document, moment_document};
use annals_charts::Board;
use annals_engine::evaluation::Registry;
use annals_events::{GameKind, Micros, PlayerId, Side, StreamName};
use annals_ingest::flags::Flag;
use annals_ingest::game_files;
use annals_replay::queries::TournamentAt;
use annals_replay::remarks::{Remark, RemarkedGame};
use annals_replay::subject::{find_game, find_tournament};
use annals_replay::{Cut, GameReplay, standing_events, view};
use annals_report::{Document, Provenance, shell_word};
use annals_rules::TurnChoice;
use jiff::tz::TimeZone;
use maud::{Markup, html};
use serde_json::json;

use super::moment::{self, TimeChoice};
use super::{IntoMarkup as _, document, game_remarks, player, tournament};
use crate::Failure;
use crate::address::Address;
use crate::app::Context;
use crate::board::{board_with, on_sheet, sheet};
use crate::picture;
use crate::reply::{Page, Reply};
use crate::request::Shape;
use crate::territory::Territory;
use crate::verified::Reading;

/// A game of the dataset or of the log.
struct Found {
    view: GameView,
    /// Of the log: its state at the point in time, the times at which it changes, and the source of charts.
    logged: Option<Logged>,
    replay: GameReplay,
    remarks: Vec<Remark>,
    /// With Gold and Silver, of a game of a tournament.
    players: [Option<PlayerId>; 2],
    /// The title of the chart, its source, and where its picture comes from.
    chart: (String, String, Provenance),
}

/// The command that draws the chart of a game.
fn command(name: &str, moment: &str) -> String {
    format!("annals chart evaluation {} --blunder off --clock off{moment}", shell_word(name))
}

struct Logged {
    state: Document,
    json: serde_json::Value,
    as_of: Option<Micros>,
    known_at: Option<Micros>,
    effective: Vec<Micros>,
    recorded: Vec<Micros>,
}

pub fn page(context: &Context<'_>, name: &str) -> Result<Reply, Failure> {
    let request = context.request;
    let found = if name.bytes().all(|b| b.is_ascii_digit()) {
        stored(context, name)?
    } else {
        logged(context, name)?
    };
    match request.shape {
        Shape::Svg => return evaluations(&found),
        Shape::Csv => return Ok(rows(&found.view)),
        Shape::Text => return moves(context, name),
        _ => {}
    }
    let game = &found.view;
    let turn = request.get("turn").map(str::parse::<TurnChoice>).transpose().map_err(Failure::bad)?;
    let place = match turn {
        Some(turn) => game.place(turn)?,
        None => game.turns.len(),
    };
    let moment = game.moments().nth(place).ok_or_else(|| Failure::not_found("the game has no such turn"))?;
    let steps = match request.number("step")? {
        Some(step) => usize::try_from(step).ok(),
        None => None,
    };
    let most = moment.played.as_ref().map_or(0, |played| diagrams::steps_of(game, played));
    if let Some(step) = steps.filter(|step| *step > most) {
        return Err(Failure::bad(format!("the turn has {most} steps, so there is no step {step}")));
    }
    let drawn = match steps {
        Some(steps) => diagrams::of_steps(game, &moment, steps)?,
        None => diagrams::of_moment(game, &moment)?,
    };
    let flipped = request.get("flip").is_some();
    let title = format!("{} – {}: {}", game.gold.name, game.silver.name, game.name);
    let own = |side: usize, name: &str| match &found.players[side] {
        Some(player) => player::of_identity(context, player.as_str()),
        None => player::of_name(context, name),
    };
    let shown = Shown { context, game, remarks: &found.remarks, place, moment: &moment, steps };
    let json = context.json(|| {
        let state = found.logged.as_ref().map(|logged| &logged.json);
        json!({ "game": game, "moment": moment, "remarks": found.remarks, "state": state })
    })?;
    let zone = moment::zone(context)?;
    let boards = match context.site {
        Some(_) => diagrams::of_game(game)?,
        None => Vec::new(),
    };
    let body = html! {
        h1 { a href=(own(0, &game.gold.name)) { bdi { (annals_report::escaped(&game.gold.name)) } } " – "
            a href=(own(1, &game.silver.name)) { bdi { (annals_report::escaped(&game.silver.name)) } } }
        @if let (Some(logged), None) = (&found.logged, context.site) { (times(context, logged)) }
        div.game {
            @if context.site.is_some() {
                div.position.moments { (shown.all(&boards, &zone)) }
            } @else {
                div.position {
                    (shown.keys(flipped))
                    (board_with(&drawn, flipped, territory(game, &moment).as_ref()))
                    (shown.remarks(place))
                    (document(context, &at_turn(game, &moment), &zone))
                }
            }
            div.record {
                (shown.turns())
            }
        }
        // There is a first position after both setups.
        @if game.game == GameKind::Arimaa && game.turns.len() > 1 {
            figure.chart {
                img src=(request.at_same_time(&["game", name]).ending("svg")) loading="lazy" width="900" height="540"
                    alt="Evaluation of each position by the handcrafted evaluation, with captures and turns with a large loss";
            }
        }
        @if let Some(logged) = &found.logged {
            h2 { "State at this point in time" }
            (document(context, &logged.state, &zone))
        } @else {
            details open { summary { "Record" } (document(context, &record(game), &zone)) (flags(game)) }
        }
        p { "Files: " a href=(request.address().ending("csv")) { "turns as CSV" } " · "
            @if found.logged.is_some() { a href=(request.address().ending("txt")) { "game as moves" } " · " }
            a href=(request.address().ending("json")) { "game as JSON" } }
    };
    Page::new(title, body, &json).map(Reply::from)
}

/// A game of the dataset by its number.
fn stored(context: &Context<'_>, name: &str) -> Result<Found, Failure> {
    let session = context.app.session()?;
    let number = name.parse().map_err(|_| Failure::bad("the number of the game is too large"))?;
    let (view, _) = GameView::read(&session, number)?;
    let command = command(name, "");
    let source = of_dataset(&session, &command);
    let from = picture::made_from(identifier(session.dataset(), Some(number)), command);
    let chart = (format!("Game {}", view.name), source, from);
    let (remarks, _) = remarks_of_game(&session, number, view.game)?;
    Ok(Found { replay: view.replay(), view, logged: None, remarks, players: [None, None], chart })
}

/// A game of the log, under two times.
fn logged(context: &Context<'_>, name: &str) -> Result<Found, Failure> {
    let log = context.log()?;
    let stream = find_game(&log, name)?;
    let (cut, zone) = moment::cut(context, &log, Some(&stream))?;
    let RemarkedGame { replay, remarks } = RemarkedGame::at(&log, &stream, &cut)?;
    let state = view::GameView::of(&stream, &replay, &cut);
    let (mut effective, mut recorded) = (Vec::new(), Vec::new());
    for event in log.stream(&stream, u64::MAX)? {
        effective.push(event.effective_at);
        recorded.push(event.recorded_at);
    }
    for times in [&mut effective, &mut recorded] {
        times.sort_unstable();
        times.dedup();
    }
    let logged = Logged {
        state: state.document(&zone),
        json: serde_json::to_value(&state)?,
        as_of: cut.as_of,
        known_at: cut.known_at,
        effective,
        recorded,
    };
    let command = command(stream.as_str(), &context.request.moment_words());
    let source = of_verified_log(&log, &cut, &command)?;
    let chart = (stream.to_string(), source, picture::of_stream(&log, &stream, &cut, command)?);
    let view = GameView::of_log(&log, (stream.name(), &stream), &cut, &replay)?;
    let players = players_of(context, &log, &stream, &replay)?;
    Ok(Found { view, logged: Some(logged), replay, remarks, players, chart })
}

/// The players of a game of a tournament, by its pairing.
fn players_of(
    context: &Context<'_>,
    log: &Reading<'_>,
    stream: &StreamName,
    replay: &GameReplay,
) -> Result<[Option<PlayerId>; 2], Failure> {
    let Some(pairing) = replay.pairing() else { return Ok([None, None]) };
    let Ok(tournament) = find_tournament(log, pairing.tournament.as_str()) else { return Ok([None, None]) };
    let dotted = context.app.tournament(log, &tournament)?;
    let at = TournamentAt::held(log, &dotted.events, &Cut::NOW)?;
    Ok(tournament::players_of(&at, stream, replay))
}

/// The game as its moves, as `annals game export` writes it.
fn moves(context: &Context<'_>, name: &str) -> Result<Reply, Failure> {
    let log = context.log()?;
    let stream = find_game(&log, name)?;
    let (cut, _) = moment::cut(context, &log, Some(&stream))?;
    let standing = standing_events(&log, &stream, &cut)?;
    let text = game_files::moves(stream.as_str(), &standing.timed(game_files::stated_time));
    let bytes = text.map_err(Failure::bad)?.into_bytes();
    Ok(Reply::File { content_type: "text/plain; charset=utf-8", bytes, name: Some("game.txt".to_owned()) })
}

fn times(context: &Context<'_>, logged: &Logged) -> Markup {
    moment::form(
        context,
        &[
            TimeChoice {
                parameter: "as_of",
                label: "What was true at",
                chosen: logged.as_of,
                times: &logged.effective,
            },
            TimeChoice {
                parameter: "known_at",
                label: "As recorded by",
                chosen: logged.known_at,
                times: &logged.recorded,
            },
        ],
    )
}

/// In the Amazons who reaches which squares after the turn that is played.
fn territory(game: &GameView, moment: &Moment) -> Option<Territory> {
    let (label, board) = match (&moment.played, &moment.before) {
        (Some(turn), _) => (turn.label.text_in(game.game), &turn.board),
        (None, Some(turn)) => (turn.label.text_in(game.game), &moment.board),
        (None, None) => return None,
    };
    (game.game == GameKind::Amazons).then(|| Territory::of(&label, board)).flatten()
}

/// The flags of a record, each with its meaning.
fn flags(game: &GameView) -> Markup {
    let flags: Vec<Flag> = game.flags.iter().filter_map(|word| Flag::from_word(word)).collect();
    html! {
        @if !flags.is_empty() {
            h2 { "Flags of the record" }
            dl.flags { @for flag in flags { dt { code { (flag.word()) } } dd { (flag.meaning()) } } }
        }
    }
}

/// What `annals game show --turn` prints of the turn, without the record and the board.
fn at_turn(game: &GameView, moment: &Moment) -> Document {
    let mut document = moment_document(game, moment);
    document.parts = document.parts.pop().into_iter().collect();
    document
}

/// The end in the list of turns.
fn last_line(game: &GameView) -> String {
    if game.under_way {
        return "under way".to_owned();
    }
    let how = game.ending.as_ref().map_or_else(String::new, |ending| format!(" by {ending}"));
    let who = Side::stated_in(game.game, &game.result);
    annals_report::escaped(&format!("end: {who}{how}")).into_owned()
}

/// The record, without board and turns.
fn record(game: &GameView) -> Document {
    let mut document = game_document(game);
    document.parts.truncate(1);
    document
}

/// The evaluation of every position.
fn evaluations(found: &Found) -> Result<Reply, Failure> {
    let (title, source, provenance) = &found.chart;
    let registry = Registry::standard();
    let evaluators = registry.chosen(&[]).map_err(Failure::bad)?;
    let game = PlayedGame::of(title.clone(), &found.replay)?;
    let chart = evaluation::evaluation(&game, &evaluators, None, source.clone())?;
    picture::reply(&chart, provenance)
}

fn rows(game: &GameView) -> Reply {
    let table = game_document(game).parts.into_iter().find_map(|part| match part {
        annals_report::Part::Table(table) => Some(table),
        _ => None,
    });
    let bytes = table.unwrap_or_default().csv().into_bytes();
    Reply::File { content_type: "text/csv; charset=utf-8", bytes, name: Some("turns.csv".to_owned()) }
}

/// A game at one of its turns.
struct Shown<'a> {
    context: &'a Context<'a>,
    game: &'a GameView,
    remarks: &'a [Remark],
    place: usize,
    moment: &'a Moment,
    steps: Option<usize>,
}

impl Shown<'_> {
    fn here(&self) -> Address {
        self.context.request.address().with("step", "")
    }

    /// The page before turn `place`; after the last one without a turn.
    fn to(&self, place: usize) -> Address {
        let label = self.game.turns.get(place).map(|turn| turn.label.text_in(self.game.game));
        self.here().with("turn", &label.unwrap_or_default())
    }

    /// The links that keys follow.
    fn keys(&self, flipped: bool) -> Markup {
        let last = self.game.turns.len();
        let turn = |key: &str, words: &str, place: Option<usize>| {
            html! {
                @match place {
                    Some(place) => a data-key=(key) href=(self.to(place)) { (words) },
                    None => span.quiet { (words) },
                }
            }
        };
        let all = self.moment.played.as_ref().map_or(0, |played| diagrams::steps_of(self.game, played));
        let now = self.steps.unwrap_or(0);
        let step = |step: usize| {
            self.here()
                .with("turn", &self.moment.label.text_in(self.game.game))
                .with("step", &step.to_string())
        };
        html! {
            nav.keys aria-label="Turns" {
                (turn("Home", "⇤ start", (self.place > 0).then_some(0)))
                (turn("ArrowLeft", "← turn", self.place.checked_sub(1)))
                (turn("ArrowRight", "turn →", Some(self.place + 1).filter(|place| *place <= last)))
                (turn("End", "end ⇥", (self.place < last).then_some(last)))
                @if now > 0 { a data-key="ArrowUp" href=(step(now - 1)) { "↑ step" } } @else { span.quiet { "↑ step" } }
                @if now < all { a data-key="ArrowDown" href=(step(now + 1)) { "step ↓" } } @else { span.quiet { "step ↓" } }
                a data-key="f" href=(self.context.request.address().with("flip", if flipped { "" } else { "1" })) { "flip" }
                a href=(self.position()) { "this position in other games" }
            }
            p.note { @match self.steps {
                Some(steps) => { "After " (steps) " of " (all) " steps of the turn." },
                None if self.moment.played.is_some() => "Arrows show the turn that is played next.",
                None if self.game.under_way => "The game is under way.",
                None => "The end of the game.",
            } }
        }
    }

    /// The place of a turn in a page that has all of them.
    fn anchor(&self, place: usize) -> String {
        let label = self.game.moments().nth(place).map(|moment| moment.label.text_in(self.game.game));
        label.unwrap_or_default()
    }

    /// Every turn with its board, of which the style shows the one that the address names, else the last.
    fn all(&self, boards: &[Board], zone: &TimeZone) -> Markup {
        let last = self.game.turns.len();
        let anchors: Vec<String> = (0..=last).map(|place| self.anchor(place)).collect();
        let key = |key: &str, words: &str, to: Option<usize>| {
            html! {
                @match to {
                    Some(to) => a data-key=(key) href={ "#" (anchors[to]) } { (words) },
                    None => span.quiet { (words) },
                }
            }
        };
        html! {
            (sheet(boards))
            @for (place, (moment, drawn)) in self.game.moments().zip(boards).enumerate() {
                section.moment id=(anchors[place]) {
                    nav.keys aria-label="Turns" {
                        (key("Home", "⇤ start", (place > 0).then_some(0)))
                        (key("ArrowLeft", "← turn", place.checked_sub(1)))
                        (key("ArrowRight", "turn →", (place < last).then_some(place + 1)))
                        (key("End", "end ⇥", (place < last).then_some(last)))
                    }
                    (on_sheet(drawn, territory(self.game, &moment).as_ref()))
                    (self.remarks(place))
                    (document(self.context, &at_turn(self.game, &moment), zone))
                }
            }
        }
    }

    fn remarks(&self, place: usize) -> Markup {
        game_remarks::at_place(self.context, self.remarks, place, self.game.turns.len())
    }

    /// The explorer at this position.
    fn position(&self) -> Address {
        let side = self.moment.to_move.word();
        let kind = self.game.game.to_string();
        Address::of(&["explore"]).with("position", &self.moment.board).with("side", side).with("game", &kind)
    }

    fn turns(&self) -> Markup {
        let kind = self.game.game;
        let to = |place| match self.context.site {
            Some(_) => format!("#{}", self.anchor(place)),
            None => self.to(place).to_string(),
        };
        let mark = |place| game_remarks::mark(self.remarks, place, self.game.turns.len());
        html! {
            h2 { "Turns" }
            ol.turns {
                @for (place, turn) in self.game.turns.iter().enumerate() {
                    li { a href=(to(place)) aria-current=[(place == self.place).then_some("true")] {
                        b { (turn.label.text_in(kind)) } " " (annals_report::escaped(&turn.steps))
                    } (mark(place)) }
                }
                li { a href=(to(self.game.turns.len())) aria-current=[(self.place == self.game.turns.len()).then_some("true")] {
                    (last_line(self.game))
                } (mark(self.game.turns.len())) }
            }
            @if let (Some(ply), Some(why)) = (self.game.illegal_ply, &self.game.illegal_reason) {
                p role="note" { "Ply " (ply) " and the later ones are rejected: " (annals_report::escaped(why)) }
            }
        }
        .into_markup()
    }
}
