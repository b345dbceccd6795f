//! What the desk knows of a game, a tournament or the people while it decides: the events so far, among them those that
//! it has just taken, and the state that they make.

use annals_events::log::command_that_writes;
use annals_events::{Event, GameKind, LogEvent, RawEnvelope, StreamName};
use annals_rules::any_game::{AnyGame, AnyState};
use annals_rules::game::{Game, Strictness};
use annals_store::{Log, ReadError};

use crate::colours::in_the_words_of;
use crate::finding::Finding;
use crate::game::{GameReplay, needs_position};
use crate::people::People;
use crate::projection::{Projection, fold};
use crate::recorded::{InLog, Recorded, Scope};
use crate::timeline::Standing;
use crate::tournament::TournamentReplay;

/// The state that the events make.
#[derive(Debug)]
pub(super) enum State {
    /// A game; by the strict rules too, as long as all of it follows them.
    Game(Box<GameReplay>, Option<Box<StrictGame>>),
    /// A tournament.
    Tournament(Box<TournamentReplay>),
    /// Everybody.
    People(Box<People>),
    /// The log's own stream, or one that has no state.
    Other,
}

/// A game under the strict rules of play, and the first event that breaks them.
#[derive(Debug)]
pub(super) struct StrictGame {
    pub game: Game<AnyGame>,
    pub broken: Option<Finding>,
}

impl Default for StrictGame {
    fn default() -> StrictGame {
        StrictGame { game: Game::new(Strictness::Strict), broken: None }
    }
}

impl Projection for StrictGame {
    fn apply(&mut self, event: &Standing<'_>) {
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

    fn find(&mut self, finding: Finding) {
        self.broken.get_or_insert(finding);
    }
}

/// The events of a stream, or of all people, and the state that they make.
#[derive(Debug)]
pub(super) struct Known {
    pub events: Vec<RawEnvelope>,
    pub state: State,
}

impl Known {
    /// Reads what a decision about a stream rests on.
    pub fn read(log: &Log, up_to: u64, stream: &StreamName) -> Result<Known, ReadError> {
        let scope = if stream.family() == "people" { Scope::People } else { Scope::Stream(stream.clone()) };
        let mut events = Vec::new();
        let mut damaged = None;
        InLog::new(log, &scope, up_to).each(0, &mut |event| match event.to_envelope() {
            Ok(envelope) => events.push(envelope),
            Err(problem) => damaged = Some(ReadError::Row { seq: event.seq, problem }),
        })?;
        match damaged {
            Some(error) => Err(error),
            None => Ok(Known { state: state_of(stream, &events)?, events }),
        }
    }

    /// Works out the state anew.
    pub fn refold(&mut self, stream: &StreamName) -> Result<(), ReadError> {
        self.state = state_of(stream, &self.events)?;
        Ok(())
    }

    /// The findings of the state.
    pub fn findings(&self) -> &[Finding] {
        match &self.state {
            State::Game(replay, _) => replay.findings(),
            State::Tournament(replay) => replay.findings(),
            State::People(people) => people.findings(),
            State::Other => &[],
        }
    }

    /// What the strict rules of play have against a game, where it is one.
    pub fn broken(&self) -> Option<&Finding> {
        match &self.state {
            State::Game(_, strict) => strict.as_ref().and_then(|strict| strict.broken.as_ref()),
            _ => None,
        }
    }

    /// Takes one more event, which is no correction. What the rules have against it is given back, and then the state
    /// has to be worked out anew.
    pub fn take(&mut self, event: RawEnvelope) -> Option<Finding> {
        let reference = crate::recorded::reference(&event);
        let standing = Standing::as_recorded(&reference);
        let before = self.findings().len();
        let against = match &mut self.state {
            State::Game(replay, Some(strict)) if strict.broken.is_none() => {
                strict.apply(&standing);
                let broken = strict.broken.clone();
                if broken.is_none() {
                    replay.take(&standing);
                }
                broken
            }
            State::Game(replay, _) => {
                let stands_on_nothing = replay.is_stopped()
                    && matches!(standing.decode().map(|entry| entry.event), Ok(Event::Game(what)) if needs_position(&what));
                replay.take(&standing);
                let nothing = || {
                    let message = "an illegal turn has left the game without a position; correct or strike that turn first";
                    Finding::new(event.seq, "no_position", message)
                };
                replay.findings().get(before).cloned().or_else(|| stands_on_nothing.then(nothing))
            }
            State::Tournament(replay) => {
                replay.apply(&standing);
                replay.findings().get(before).cloned()
            }
            State::People(people) => {
                people.take(&standing);
                people.findings().get(before).cloned()
            }
            State::Other => None,
        };
        self.events.push(event);
        against
    }
}

fn state_of(stream: &StreamName, events: &[RawEnvelope]) -> Result<State, ReadError> {
    Ok(match stream.family() {
        "game" => {
            let strict: StrictGame = fold(events, None)?.0;
            State::Game(Box::new(fold(events, None)?.0), Some(Box::new(strict)))
        }
        "tournament" => State::Tournament(Box::new(fold(events, None)?.0)),
        "people" => State::People(Box::new(fold(events, None)?.0)),
        _ => State::Other,
    })
}

/// Whether an event only the log itself makes, so that nothing can correct it.
pub(super) fn is_the_logs_own(event: &Event<'_>) -> bool {
    command_that_writes(event.event_type().name()).is_some()
        || matches!(event, Event::Log(LogEvent::Imported(_)))
}
