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
use crate::read::{absent, game_at, log_at, people_at, tournament_at};

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
    /// The view as text, times in the given zone.
    #[must_use]
    pub fn render(&self, zone: &TimeZone) -> String {
        match self {
            View::Game(view) => view.render(zone),
            View::Tournament(view) => view.page(zone).render(zone),
            View::People(view) => view.page(zone).render(zone),
            View::Log(view) => view.page(zone).render(zone),
        }
    }

    /// What does not follow from the rules, or cannot be read.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self {
            View::Game(view) => &view.findings,
            View::Tournament(view) => &view.findings,
            View::People(view) => &view.findings,
            View::Log(view) => &view.findings,
        }
    }

    /// The cut that it was made for.
    #[must_use]
    pub fn cut(&self) -> &Cut {
        match self {
            View::Game(view) => &view.cut,
            View::Tournament(view) => &view.cut,
            View::People(view) => &view.cut,
            View::Log(view) => &view.cut,
        }
    }
}

/// What a stream stands for, at a cut: a game, a tournament, one player of the people (`people/NAME`, with all that is
/// merged), or for `log/annals` the whole log.
///
/// # Errors
/// When the log cannot be read, has no such stream, or nothing of it stands at the cut.
pub fn view_at(log: &Log, stream: &StreamName, cut: &Cut) -> Result<View, ReplayError> {
    match stream.family() {
        "game" => Ok(View::Game(Box::new(GameView::of(stream, &game_at(log, stream, cut)?, cut)))),
        "tournament" => {
            Ok(View::Tournament(Box::new(TournamentView::of(stream, &tournament_at(log, stream, cut)?, cut))))
        }
        "people" => {
            let player = stream.name().parse::<PlayerId>().ok();
            let view = people_view(log, player.as_ref(), cut)?;
            match &view {
                View::People(people) if people.identities.is_empty() => Err(absent(log, stream)?),
                _ => Ok(view),
            }
        }
        "log" if stream.as_str() == LOG_STREAM => log_view(log, cut),
        _ => Err(ReplayError::NoSuchFamily { stream: stream.clone() }),
    }
}

/// Who is who at a cut: everybody, or one player with all that is merged.
///
/// # Errors
/// When the log cannot be read.
pub fn people_view(log: &Log, player: Option<&PlayerId>, cut: &Cut) -> Result<View, ReplayError> {
    Ok(View::People(PeopleView::of(&people_at(log, cut)?, player, cut)))
}

/// The whole log at a cut, in figures.
///
/// # Errors
/// When the log cannot be read.
pub fn log_view(log: &Log, cut: &Cut) -> Result<View, ReplayError> {
    Ok(View::Log(Box::new(LogView::of(&log_at(log, cut)?, cut.last_seq(log)?, cut))))
}
