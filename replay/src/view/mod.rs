//! Views of states: plain values with stable names, printed as JSON or text. Running clocks are computed for the cut's
//! `as_of`. Times are microseconds since 1970-01-01T00:00:00Z, clocks in seconds, money in cents, points in halves.

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

pub use game::{GameView, PlayerView};
pub use log::LogView;
pub use people::{IdentityView, PeopleView};
pub use tournament::TournamentView;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::projection::fold;
use crate::queries::rename;
use crate::read::{absent, log_at, people_at};
use crate::recorded::{InLog, Recorded, Scope};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "view", rename_all = "snake_case")]
pub enum View {
    Game(Box<GameView>),
    Tournament(Box<TournamentView>),
    People(PeopleView),
    Log(Box<LogView>),
}

impl View {
    /// Times in the given zone.
    pub fn document(&self, zone: &TimeZone) -> Document {
        match self {
            View::Game(view) => view.document(zone),
            View::Tournament(view) => view.document(zone),
            View::People(view) => view.document(zone),
            View::Log(view) => view.document(zone),
        }
    }

    /// Violations, and unreadable events.
    pub fn findings(&self) -> &[Finding] {
        match self {
            View::Game(view) => &view.findings,
            View::Tournament(view) => &view.findings,
            View::People(view) => &view.findings,
            View::Log(view) => view.summary.findings(),
        }
    }

    /// Gives the entrants of a tournament the names that the log gave them later.
    pub(crate) fn rename(&mut self, log: &Log, cut: &Cut) -> Result<(), ReplayError> {
        match self {
            View::Tournament(view) => rename(log, view.tournament_mut(), cut),
            View::Game(_) | View::People(_) | View::Log(_) => Ok(()),
        }
    }

    /// For which it was made.
    pub fn cut(&self) -> &Cut {
        match self {
            View::Game(view) => &view.cut,
            View::Tournament(view) => &view.cut,
            View::People(view) => &view.cut,
            View::Log(view) => &view.cut,
        }
    }
}

/// The view of a stream at a cut: a game, a tournament, a player with all merged into it (`people/NAME`), or
/// `log/annals` for the log.
///
/// # Errors
/// If the log cannot be read, has no such stream, or no event of it counts at the cut.
pub fn view_at(log: &Log, stream: &StreamName, cut: &Cut) -> Result<View, ReplayError> {
    let is_whole = stream.as_str() == LOG_STREAM;
    if stream.family() == "log" && !is_whole {
        return Err(ReplayError::NoSuchFamily { stream: stream.clone() });
    }
    let (up_to, scope) = (cut.last_seq(log)?, scope_of(stream)?);
    let (mut view, folded) = view_of(&InLog::new(log, &scope, up_to), stream, (cut, cut), up_to)?;
    view.rename(log, cut)?;
    let no_player = matches!(&view, View::People(people) if people.identities.is_empty());
    if no_player || (folded == 0 && !is_whole) { Err(absent(log, stream)?) } else { Ok(view) }
}

/// The scope of a stream's view.
pub(crate) fn scope_of(stream: &StreamName) -> Result<Scope, ReplayError> {
    match stream.family() {
        "game" | "tournament" => Ok(Scope::Stream(stream.clone())),
        "people" => Ok(Scope::People),
        "log" => Ok(Scope::Log),
        _ => Err(ReplayError::NoSuchFamily { stream: stream.clone() }),
    }
}

/// The view from a scope's events, and the number that count. The first cut bounds the events, the second is shown. The
/// prefix ends at `seq`.
pub(crate) fn view_of(
    events: &(impl Recorded + ?Sized),
    stream: &StreamName,
    (counted, cut): (&Cut, &Cut),
    seq: u64,
) -> Result<(View, u64), ReplayError> {
    Ok(match stream.family() {
        "game" => {
            let (game, folded) = fold(events, counted)?;
            (View::Game(Box::new(GameView::of(stream, &game, cut))), folded)
        }
        "tournament" => {
            let (tournament, folded) = fold(events, counted)?;
            (View::Tournament(Box::new(TournamentView::of(stream, tournament, cut))), folded)
        }
        "people" => {
            let (people, folded) = fold(events, counted)?;
            (View::People(PeopleView::of(&people, stream.name().parse().ok().as_ref(), cut)), folded)
        }
        _ => {
            let (summary, folded) = fold(events, counted)?;
            (View::Log(Box::new(LogView::of(summary, seq, cut))), folded)
        }
    })
}

/// All people, or one player with all merged into it.
pub fn people_view(log: &Log, player: Option<&PlayerId>, cut: &Cut) -> Result<View, ReplayError> {
    Ok(View::People(PeopleView::of(&people_at(log, cut)?, player, cut)))
}

pub fn log_view(log: &Log, cut: &Cut) -> Result<View, ReplayError> {
    Ok(View::Log(Box::new(LogView::of(log_at(log, cut)?, cut.last_seq(log)?, cut))))
}
