//! What is shown of a state: plain values with names that stay, which the program prints as JSON or as text. A view is
//! made from a state and a cut; running clocks are computed for the cut's `as_of`.
//!
//! Times are microseconds since 1970-01-01T00:00:00Z; clocks are in seconds, money in cents, points in halves.

mod board;
mod game;
mod log;
mod people;
pub(crate) mod text;
mod tournament;

use annals_events::{LOG_STREAM, PlayerId, StreamName};
use annals_report::Document;
use annals_store::Log;
use jiff::tz::TimeZone;
use serde::Serialize;

pub use game::GameView;
pub use log::LogView;
pub use people::PeopleView;
pub use tournament::TournamentView;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::projection::fold;
use crate::read::{absent, log_at, people_at};
use crate::recorded::{InLog, Recorded, Scope};

/// A state, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "view", rename_all = "snake_case")]
pub enum View {
    Game(Box<GameView>),
    Tournament(Box<TournamentView>),
    People(PeopleView),
    /// The whole log, in figures.
    Log(Box<LogView>),
}

impl View {
    /// The view as a document, times in the given zone.
    pub fn document(&self, zone: &TimeZone) -> Document {
        match self {
            View::Game(view) => view.document(zone),
            View::Tournament(view) => view.document(zone),
            View::People(view) => view.document(zone),
            View::Log(view) => view.document(zone),
        }
    }

    /// What does not follow from the rules, or cannot be read.
    pub fn findings(&self) -> &[Finding] {
        match self {
            View::Game(view) => &view.findings,
            View::Tournament(view) => &view.findings,
            View::People(view) => &view.findings,
            View::Log(view) => view.summary.findings(),
        }
    }

    /// The cut that it was made for.
    pub fn cut(&self) -> &Cut {
        match self {
            View::Game(view) => &view.cut,
            View::Tournament(view) => &view.cut,
            View::People(view) => &view.cut,
            View::Log(view) => &view.cut,
        }
    }
}

/// What a stream shows, at a cut: a game, a tournament, one player of the people (`people/NAME`, with all that is
/// merged), or for `log/annals` the whole log.
///
/// # Errors
/// When the log cannot be read, has no such stream, or no event of it counts at the cut.
pub fn view_at(log: &Log, stream: &StreamName, cut: &Cut) -> Result<View, ReplayError> {
    let is_whole = stream.as_str() == LOG_STREAM;
    if stream.family() == "log" && !is_whole {
        return Err(ReplayError::NoSuchFamily { stream: stream.clone() });
    }
    let (up_to, scope) = (cut.last_seq(log)?, scope_of(stream)?);
    let (view, folded) = view_of(&InLog::new(log, &scope, up_to), stream, cut, up_to)?;
    let no_player = matches!(&view, View::People(people) if people.identities.is_empty());
    if no_player || (folded == 0 && !is_whole) { Err(absent(log, stream)?) } else { Ok(view) }
}

/// The events that make what a stream shows.
pub(crate) fn scope_of(stream: &StreamName) -> Result<Scope, ReplayError> {
    match stream.family() {
        "game" | "tournament" => Ok(Scope::Stream(stream.clone())),
        "people" => Ok(Scope::People),
        "log" => Ok(Scope::Log),
        _ => Err(ReplayError::NoSuchFamily { stream: stream.clone() }),
    }
}

/// What a stream shows, by the events of its scope, and how many of them count. The prefix of the log ends at `seq`.
pub(crate) fn view_of(
    events: &(impl Recorded + ?Sized),
    stream: &StreamName,
    cut: &Cut,
    seq: u64,
) -> Result<(View, u64), ReplayError> {
    Ok(match stream.family() {
        "game" => {
            let (game, folded) = fold(events, cut)?;
            (View::Game(Box::new(GameView::of(stream, &game, cut))), folded)
        }
        "tournament" => {
            let (tournament, folded) = fold(events, cut)?;
            (View::Tournament(Box::new(TournamentView::of(stream, tournament, cut))), folded)
        }
        "people" => {
            let (people, folded) = fold(events, cut)?;
            (View::People(PeopleView::of(&people, stream.name().parse().ok().as_ref(), cut)), folded)
        }
        _ => {
            let (summary, folded) = fold(events, cut)?;
            (View::Log(Box::new(LogView::of(summary, seq, cut))), folded)
        }
    })
}

/// Who is who at a cut: all people, or one player with all that is merged.
pub fn people_view(log: &Log, player: Option<&PlayerId>, cut: &Cut) -> Result<View, ReplayError> {
    Ok(View::People(PeopleView::of(&people_at(log, cut)?, player, cut)))
}

/// The whole log at a cut, in figures.
pub fn log_view(log: &Log, cut: &Cut) -> Result<View, ReplayError> {
    Ok(View::Log(Box::new(LogView::of(log_at(log, cut)?, cut.last_seq(log)?, cut))))
}
