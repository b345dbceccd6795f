//! The handler's state of a game, a tournament or the people during a decision: the events so far, including those that
//! it has accepted, their fold, and the event on which a further event would depend.

use std::collections::BTreeMap;

use annals_events::log::command_that_writes;
use annals_events::{Event, GameKind, LogEvent, RawEnvelope, StreamName};
use annals_rules::any_game::{AnyGame, AnyState};
use annals_rules::game::{Game, Strictness};
use annals_store::{Log, ReadError};
use annals_tournaments::Tournament;

use super::earliest_times::EarliestTimes;
use crate::colours::in_the_words_of;
use crate::facts::FoldedGame;
use crate::finding::Finding;
use crate::game::{GameReplay, needs_position};
use crate::people::People;
use crate::projection::{Growing, Projection};
use crate::recorded::{Scope, recorded};
use crate::timeline::{AppliedCorrection, EffectiveEvent};
use crate::tournament::TournamentReplay;
use crate::tournament_audit::TournamentState;

/// The events of a stream, or of all people, and their state.
pub(super) type Known = Growing<State>;

/// The state of a stream. Of the three states the one of the stream's family exists from its first event on.
#[derive(Debug, Default)]
pub(super) struct State {
    /// A game, also folded by the strict rules until an event violates them.
    game: Option<Box<(FoldedGame, StrictGame)>>,
    tournament: Option<Box<TournamentReplay>>,
    people: Option<Box<People>>,
    /// By the name of the stream.
    earliest_times: BTreeMap<String, EarliestTimes>,
}

impl Projection for State {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        match event.stream.split_once('/').map(|(family, _)| family) {
            Some("game") => {
                let (game, strict) = &mut **self.game.get_or_insert_default();
                strict.apply(event);
                game.apply(event);
            }
            Some("tournament") => self.tournament.get_or_insert_default().apply(event),
            Some("people") => self.people.get_or_insert_default().apply(event),
            _ => {}
        }
        match self.earliest_times.get_mut(event.stream) {
            Some(earliest_times) => earliest_times.apply(event),
            None => self.earliest_times.entry(event.stream.to_owned()).or_default().apply(event),
        }
    }

    fn corrected(&mut self, correction: &AppliedCorrection<'_>) {
        // A stream whose events are all struck has a state too.
        match correction.recorded.stream.split_once('/').map(|(family, _)| family) {
            Some("game") => self.game.get_or_insert_default().0.corrected(correction),
            Some("tournament") => drop(self.tournament.get_or_insert_default()),
            Some("people") => drop(self.people.get_or_insert_default()),
            _ => {}
        }
    }

    fn find(&mut self, finding: Finding) {
        if let Some((game, strict)) = self.game.as_deref_mut() {
            strict.broken.get_or_insert_with(|| finding.clone());
            game.find(finding);
        } else if let Some(tournament) = &mut self.tournament {
            tournament.find(finding);
        } else if let Some(people) = &mut self.people {
            people.find(finding);
        }
    }
}

impl TournamentState for State {
    fn tournament(&self) -> Option<&Tournament> {
        self.tournament.as_ref().map(|replay| &replay.tournament)
    }
}

impl State {
    pub fn folded_game(&self) -> Option<&FoldedGame> {
        self.game.as_ref().map(|game| &game.0)
    }

    /// The fold of the game, where it is one.
    pub fn game(&self) -> Option<&GameReplay> {
        self.folded_game().map(FoldedGame::replay)
    }

    /// The event on which a further event of a stream would depend.
    pub fn earliest_times(&self, stream: &StreamName) -> Option<&EarliestTimes> {
        self.earliest_times.get(stream.as_str())
    }

    /// Events that do not follow from those before them.
    pub fn findings(&self) -> &[Finding] {
        let game = self.game().map(GameReplay::findings);
        let tournament = || self.tournament.as_ref().map(|replay| replay.findings());
        let people = || self.people.as_ref().map(|people| people.findings());
        game.or_else(tournament).or_else(people).unwrap_or_default()
    }

    /// The first event of a game that violates the strict rules of play.
    pub fn broken(&self) -> Option<&Finding> {
        self.game.as_ref()?.1.broken.as_ref()
    }
}

/// A game under the strict rules of play, and the first event that violates them.
#[derive(Debug)]
struct StrictGame {
    game: Game<AnyGame>,
    broken: Option<Finding>,
}

impl Default for StrictGame {
    fn default() -> StrictGame {
        StrictGame { game: Game::new(Strictness::Strict), broken: None }
    }
}

impl StrictGame {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        if self.broken.is_some() {
            return;
        }
        let refused = match event.decode().map(|entry| entry.event) {
            Ok(Event::Game(what)) => match self.game.apply(Some(event.effective_at), &what) {
                Ok(_) => None,
                Err(error) => {
                    let kind = self.game.state().map_or(GameKind::Arimaa, AnyState::kind);
                    Some((error.code(), in_the_words_of(kind, error.to_string())))
                }
            },
            Ok(_) => None,
            Err(error) => Some(("unreadable", error.to_string())),
        };
        self.broken = refused.map(|(code, message)| Finding::new(event.seq, code, message));
    }
}

/// Reads the events on which a decision about a stream depends.
pub(super) fn read(log: &Log, up_to: u64, stream: &StreamName) -> Result<Known, ReadError> {
    let scope = if stream.family() == "people" { Scope::People } else { Scope::Stream(stream.clone()) };
    Ok(Growing::of(recorded(log, &scope, up_to)?))
}

/// Adds one more event, which is no correction, and returns the first finding on it.
pub(super) fn add(known: &mut Known, event: RawEnvelope) -> Option<Finding> {
    let before = known.state().findings().len();
    let was_strict = known.state().broken().is_none();
    let stopped = known.state().game().is_some_and(GameReplay::is_stopped)
        && matches!(event.decode(), Ok(Event::Game(what)) if needs_position(&what));
    let seq = event.seq;
    known.push(event);
    let state = known.state();
    if state.game.is_some() && was_strict {
        return state.broken().cloned();
    }
    let nothing = || {
        let message =
            "an illegal turn has left the game without a position; correct or strike that turn first";
        Finding::new(seq, "no_position", message)
    };
    state.findings().get(before).cloned().or_else(|| stopped.then(nothing))
}

/// Whether only the log itself writes an event, so that it cannot be corrected.
pub(super) fn is_the_logs_own(event: &Event<'_>) -> bool {
    command_that_writes(event.event_type().name()).is_some()
        || matches!(event, Event::Log(LogEvent::Imported(_)))
}
