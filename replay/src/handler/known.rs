//! What the handler knows of a game, a tournament or the people while it decides: the events so far, among them those that
//! it has just accepted, the state that they make, and what a further event would rest on.

use std::collections::BTreeMap;

use annals_events::log::command_that_writes;
use annals_events::{Event, GameKind, LogEvent, RawEnvelope, StreamName};
use annals_rules::any_game::{AnyGame, AnyState};
use annals_rules::game::{Game, Strictness};
use annals_store::{Log, ReadError};
use annals_tournaments::Tournament;

use super::floor::Floors;
use crate::colours::in_the_words_of;
use crate::facts::FoldedGame;
use crate::finding::Finding;
use crate::game::{GameReplay, needs_position};
use crate::people::People;
use crate::projection::{Growing, Projection};
use crate::recorded::{Scope, recorded};
use crate::timeline::Standing;
use crate::tournament::TournamentReplay;

/// The events of a stream, or of all people, and the state that they make.
pub(super) type Known = Growing<State>;

/// What the events of a stream make.
#[derive(Debug, Default)]
pub(super) struct State {
    what: What,
    /// By the name of the stream.
    floors: BTreeMap<String, Floors>,
}

/// The state itself, by the family of the stream.
#[derive(Debug, Default)]
enum What {
    /// The log's own stream, or one that has no event yet.
    #[default]
    Other,
    /// A game; by the strict rules too, as long as all of it follows them.
    Game(Box<FoldedGame>, Box<StrictGame>),
    Tournament(Box<TournamentReplay>),
    People(Box<People>),
}

impl Projection for State {
    fn apply(&mut self, event: &Standing<'_>) {
        if matches!(self.what, What::Other) {
            self.what = What::of(event.stream);
        }
        match &mut self.what {
            What::Game(game, strict) => {
                strict.apply(event);
                game.apply(event);
            }
            What::Tournament(tournament) => tournament.apply(event),
            What::People(people) => people.apply(event),
            What::Other => {}
        }
        match self.floors.get_mut(event.stream) {
            Some(floors) => floors.apply(event),
            None => self.floors.entry(event.stream.to_owned()).or_default().apply(event),
        }
    }

    fn put_right(&mut self, correction: &crate::timeline::PutRight<'_>) {
        if let What::Other = self.what {
            self.what = What::of(correction.recorded.stream);
        }
        if let What::Game(game, _) = &mut self.what {
            game.put_right(correction);
        }
    }

    fn find(&mut self, finding: Finding) {
        match &mut self.what {
            What::Game(game, strict) => {
                strict.find(finding.clone());
                game.find(finding);
            }
            What::Tournament(tournament) => tournament.find(finding),
            What::People(people) => people.find(finding),
            What::Other => {}
        }
    }
}

impl What {
    fn of(stream: &str) -> What {
        match stream.split_once('/').map(|(family, _)| family) {
            Some("game") => What::Game(Box::default(), Box::default()),
            Some("tournament") => What::Tournament(Box::default()),
            Some("people") => What::People(Box::default()),
            _ => What::Other,
        }
    }
}

impl State {
    /// The game, where it is one.
    pub fn folded_game(&self) -> Option<&FoldedGame> {
        match &self.what {
            What::Game(game, _) => Some(game),
            _ => None,
        }
    }

    /// The fold of the game, where it is one.
    pub fn game(&self) -> Option<&GameReplay> {
        self.folded_game().map(FoldedGame::replay)
    }

    /// The tournament, where it is one.
    pub fn tournament(&self) -> Option<&Tournament> {
        match &self.what {
            What::Tournament(replay) => Some(&replay.tournament),
            _ => None,
        }
    }

    /// What a further event of a stream would rest on.
    pub fn floors(&self, stream: &StreamName) -> Option<&Floors> {
        self.floors.get(stream.as_str())
    }

    /// What does not follow from what came before.
    pub fn findings(&self) -> &[Finding] {
        match &self.what {
            What::Game(game, _) => game.replay().findings(),
            What::Tournament(replay) => replay.findings(),
            What::People(people) => people.findings(),
            What::Other => &[],
        }
    }

    /// The first event of a game that breaks the strict rules of play.
    pub fn broken(&self) -> Option<&Finding> {
        match &self.what {
            What::Game(_, strict) => strict.broken.as_ref(),
            _ => None,
        }
    }
}

/// A game under the strict rules of play, and the first event that breaks them.
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

/// Reads what a decision about a stream rests on.
pub(super) fn read(log: &Log, up_to: u64, stream: &StreamName) -> Result<Known, ReadError> {
    let scope = if stream.family() == "people" { Scope::People } else { Scope::Stream(stream.clone()) };
    Ok(Growing::of(recorded(log, &scope, up_to)?))
}

/// Adds one more event, which is no correction, and gives what the rules have against it.
pub(super) fn add(known: &mut Known, event: RawEnvelope) -> Option<Finding> {
    let before = known.state().findings().len();
    let was_strict = known.state().broken().is_none();
    let stopped = known.state().game().is_some_and(GameReplay::is_stopped)
        && matches!(event.decode(), Ok(Event::Game(what)) if needs_position(&what));
    let seq = event.seq;
    known.push(event);
    let state = known.state();
    if matches!(state.what, What::Game(..)) && was_strict {
        return state.broken().cloned();
    }
    let nothing = || {
        let message =
            "an illegal turn has left the game without a position; correct or strike that turn first";
        Finding::new(seq, "no_position", message)
    };
    state.findings().get(before).cloned().or_else(|| stopped.then(nothing))
}

/// Whether an event only the log itself makes, so that nothing can correct it.
pub(super) fn is_the_logs_own(event: &Event<'_>) -> bool {
    command_that_writes(event.event_type().name()).is_some()
        || matches!(event, Event::Log(LogEvent::Imported(_)))
}
