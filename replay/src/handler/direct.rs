//! A director's request: the rulebook drafts events on the tournament as it stands, each is checked and folded, and all are
//! appended so that the log refuses if anything they rest on has changed meanwhile; then it is decided again. Or only shown.

use annals_events::canonical::CanonicalError;
use annals_events::tournament::{Effect, RulingGiven};
use annals_events::{
    EventId, GameEvent, GameId, Halted, Micros, Pairing, RatedChanged, Resumed, StreamName, TournamentEvent,
};
use annals_store::{Fault, Log, random_id};
use annals_tournaments::commands::{Command, Drafts, handle, refusal};
use annals_tournaments::rulebook::RulebookError;
use annals_tournaments::{RulingInForce, Tournament};

use super::append::{Directed, HandlerError, decide_and_append, decided};
use super::decide::{Handler, Stop};
use super::draft::Draft;
use crate::context::rulebook_in_force;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::game::GameReplay;
use crate::projection::Replayed;
use crate::recorded::Scope;

/// One part of what a director does; all parts go into the log together or not at all.
#[derive(Debug, Clone)]
pub enum Step {
    /// Something that happened, as an event: a player became known, a game began.
    Event(Box<Draft>),
    /// A request, from which the rulebook makes events.
    Request(Box<Command>),
}

impl From<Command> for Step {
    fn from(command: Command) -> Step {
        Step::Request(Box::new(command))
    }
}

impl From<TournamentEvent> for Step {
    fn from(event: TournamentEvent) -> Step {
        Command::Record(Box::new(event)).into()
    }
}

impl From<Draft> for Step {
    fn from(draft: Draft) -> Step {
        Step::Event(Box::new(draft))
    }
}

/// Who directs what, and when.
#[derive(Debug, Clone, Copy)]
pub struct Director<'a> {
    pub stream: &'a StreamName,
    /// When it happens; now where it is not said.
    pub at: Option<Micros>,
    pub actor: &'a str,
    /// Whether it is only shown what would be appended.
    pub dry_run: bool,
}

/// Why a request is not carried out. Nothing of it is in the log.
#[derive(Debug, thiserror::Error)]
pub enum DirectError {
    #[error(transparent)]
    Refused(#[from] Box<annals_tournaments::refusal::Refusal>),
    #[error("there is no tournament `{stream}` in the log. `annals tournament announce` begins one")]
    NotAnnounced { stream: StreamName },
    /// Only facts can be recorded where no rulebook decides.
    #[error(
        "`{stream}` is played by `{rulebook}`, a rulebook that this program does not know, so it cannot work out what \
         follows. Word the event yourself and hand it to `annals log append`"
    )]
    OtherRules { stream: StreamName, rulebook: String },
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    #[error(transparent)]
    Handler(#[from] HandlerError),
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

impl From<ReplayError> for DirectError {
    fn from(error: ReplayError) -> DirectError {
        DirectError::Handler(error.into())
    }
}

impl From<annals_store::ReadError> for DirectError {
    fn from(error: annals_store::ReadError) -> DirectError {
        DirectError::Handler(error.into())
    }
}

impl From<annals_store::EventError> for DirectError {
    fn from(error: annals_store::EventError) -> DirectError {
        DirectError::Handler(error.into())
    }
}

/// Carries out one request of a director, or shows what it would append.
///
/// # Errors
/// When the rulebook forbids it, the record lacks something, or the log does not take it.
pub fn direct(
    log: &mut Log,
    stream: &StreamName,
    command: &Command,
    at: Option<Micros>,
    actor: &str,
    dry_run: bool,
) -> Result<Directed, DirectError> {
    direct_steps(log, &Director { stream, at, actor, dry_run }, &[command.clone().into()])
}

/// Carries out several parts together: each is decided on top of those before it.
///
/// # Errors
/// As [`direct`].
pub fn direct_steps(log: &mut Log, director: &Director<'_>, steps: &[Step]) -> Result<Directed, DirectError> {
    direct_steps_named(log, director, steps, &mut || random_id().map(EventId))
}

/// As [`direct_steps`], with the source of the identities of new events: who makes a log that has to come out the same again
/// hands in identities that do.
///
/// # Errors
/// As [`direct`].
pub fn direct_steps_named(
    log: &mut Log,
    director: &Director<'_>,
    steps: &[Step],
    ids: &mut dyn FnMut() -> Result<EventId, Fault>,
) -> Result<Directed, DirectError> {
    if director.dry_run {
        return try_steps(log, director, steps);
    }
    let decide = |handler: &mut Handler<'_>| carry_out(handler, director, steps);
    decide_and_append(log, director.actor, &[], ids, decide).map(|(directed, _)| directed)
}

/// What would come of several parts together; nothing is appended.
///
/// # Errors
/// As [`direct`].
pub fn try_steps(log: &Log, director: &Director<'_>, steps: &[Step]) -> Result<Directed, DirectError> {
    let decide = |handler: &mut Handler<'_>| carry_out(handler, director, steps);
    decided(log, director.actor, decide).map(|(directed, _)| directed)
}

fn carry_out(handler: &mut Handler<'_>, director: &Director<'_>, steps: &[Step]) -> Result<(), DirectError> {
    let mut work = Work { handler, director };
    for step in steps {
        match step {
            Step::Event(draft) => work.accept(draft)?,
            Step::Request(command) => work.carry_out(command)?,
        }
    }
    Ok(())
}

/// The handler at work on one request.
struct Work<'w, 'l, 'd> {
    handler: &'w mut Handler<'l>,
    director: &'w Director<'d>,
}

impl Work<'_, '_, '_> {
    fn at(&self) -> Micros {
        self.director.at.unwrap_or_else(|| self.handler.now.unwrap_or(self.handler.recorded_at))
    }

    /// An event of now, or of the time that the director states.
    fn draft(
        &self,
        stream: &StreamName,
        event: impl Into<annals_events::Event<'static>>,
    ) -> Result<Draft, DirectError> {
        let draft = Draft::new(stream.clone(), self.at(), event)?;
        Ok(if self.director.at.is_none() { draft.now() } else { draft })
    }

    fn accept(&mut self, draft: &Draft) -> Result<(), DirectError> {
        let index = self.handler.accepted().len();
        Ok(self.handler.decide(index, draft).map_err(HandlerError::from)?.map_err(HandlerError::from)?)
    }

    /// Accepts an event that was drafted for a request; a rule that forbids it comes with what can be done next.
    fn accept_drafted(&mut self, draft: &Draft) -> Result<(), DirectError> {
        let index = self.handler.accepted().len();
        match self.handler.consider(draft, true)? {
            Ok(()) => Ok(()),
            Err(Stop::Rule(verdict)) => Err(DirectError::Refused(Box::new(refusal(&verdict)))),
            Err(stop) => Err(HandlerError::from(stop.refusal(index, draft)).into()),
        }
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), DirectError> {
        let stream = self.director.stream;
        self.handler.load(stream)?;
        let tournament = self.handler.tournament(stream);
        let Some((tournament, announced)) =
            tournament.and_then(|tournament| Some((tournament, tournament.announced.as_ref()?)))
        else {
            return Err(DirectError::NotAnnounced { stream: stream.clone() });
        };
        let events = match (rulebook_in_force(tournament)?, command) {
            (Some(rulebook), command) => {
                let when = self.handler.when(self.at());
                let drafted = self.handler.ask(stream, &rulebook, |case| handle(case, &when, command))?;
                let Drafts { events, proposal } = drafted.map_err(Box::new)?;
                self.handler.proposed = proposal.map(|proposal| (self.handler.next_seq, proposal));
                events
            }
            (None, Command::Record(event)) => vec![(**event).clone()],
            (None, _) => {
                let rulebook = announced.rulebook.clone();
                return Err(DirectError::OtherRules { stream: stream.clone(), rulebook });
            }
        };
        for event in events {
            let changes = match &event {
                TournamentEvent::RulingGiven(ruling) => self.changes_of_games(ruling)?,
                _ => Vec::new(),
            };
            let draft = self.draft(stream, event)?;
            self.accept_drafted(&draft)?;
            for change in &changes {
                self.change_game(change)?;
            }
        }
        Ok(())
    }

    /// What a ruling changes in the streams of games: its game is halted, or counts for ratings no more; what the ruling
    /// that it replaces did there is undone.
    fn changes_of_games(&self, ruling: &RulingGiven) -> Result<Vec<GameChange>, DirectError> {
        let Some(tournament) = self.handler.tournament(self.director.stream) else { return Ok(Vec::new()) };
        let change = |effect: &Effect| GameChange::of(tournament, effect, ruling);
        let new = change(&ruling.effect);
        let undone = ruling.supersedes.and_then(|number| tournament.ruling_in_force(number));
        let old = undone.and_then(|old| Some((change(&old.ruling.effect)?, old)));
        let mut changes = Vec::new();
        if let Some((old, undone)) = old {
            let same = new.as_ref().filter(|new| new.game == old.game);
            let rated = match same {
                Some(new) => Some(new.rated),
                None => self.rated_before(&old.game, first_in_place(tournament, undone).seq)?,
            };
            let resumes = old.halts && !same.is_some_and(|new| new.halts);
            changes.extend(rated.map(|rated| GameChange { halts: false, resumes, rated, ..old }));
        }
        changes.extend(new);
        Ok(changes)
    }

    /// Whether a game was rated before an event of its tournament; none where the log does not hold it.
    fn rated_before(&self, game: &GameId, seq: u64) -> Result<Option<bool>, DirectError> {
        let Ok(stream) = format!("game/{game}").parse() else { return Ok(None) };
        let cut = Cut::at_seq(seq.min(self.handler.up_to));
        let replayed = Replayed::<GameReplay>::rebuild(self.handler.log, Scope::Stream(stream), &cut)?;
        Ok((replayed.folded() > 0).then(|| replayed.state().game().is_rated()))
    }

    fn change_game(&mut self, change: &GameChange) -> Result<(), DirectError> {
        let Ok(stream) = format!("game/{}", change.game).parse::<StreamName>() else { return Ok(()) };
        let key = self.handler.load(&stream)?;
        let replay = self.handler.streams.get(&key).and_then(|known| known.state().game());
        let Some(replay) = replay.filter(|replay| replay.started().is_some()) else { return Ok(()) };
        let (game, over) = (replay.game(), replay.is_over());
        let reason = || Some(change.reason.clone().into());
        let mut events = Vec::new();
        if change.halts && !game.is_halted() && !over {
            events.push(GameEvent::Halted(Halted { reason: reason() }));
        }
        if change.resumes && game.is_halted() && !over {
            let from_ply = u32::try_from(game.plies().len()).unwrap_or(u32::MAX);
            events.push(GameEvent::Resumed(Resumed { from_ply, reason: reason(), ..Resumed::default() }));
        }
        if game.is_rated() != change.rated && !game.is_annulled() {
            events.push(GameEvent::RatedChanged(RatedChanged { rated: change.rated, reason: reason() }));
        }
        let drafts: Result<Vec<Draft>, _> =
            events.into_iter().map(|event| self.draft(&stream, event)).collect();
        drafts?.iter().try_for_each(|draft| self.accept(draft))
    }
}

/// The first of the rulings, each in the place of the one before it, of which this is the last.
fn first_in_place<'t>(tournament: &'t Tournament, last: &'t RulingInForce) -> &'t RulingInForce {
    let mut first = last;
    while let Some(number) = first.ruling.supersedes {
        let mut earlier = tournament.rulings.iter().filter(|old| old.seq < first.seq);
        let Some(old) = earlier.find(|old| old.ruling.number == number) else { break };
        first = old;
    }
    first
}

/// What a ruling changes in the stream of a game.
struct GameChange {
    game: GameId,
    halts: bool,
    resumes: bool,
    rated: bool,
    reason: String,
}

impl GameChange {
    fn of(tournament: &Tournament, effect: &Effect, ruling: &RulingGiven) -> Option<GameChange> {
        let (pairing, named, halts, rated) = match effect {
            Effect::Halt { pairing, game, .. } => (pairing, game, true, false),
            Effect::Invalidate { pairing, game, .. } => (pairing, game, false, false),
            Effect::SetRated { pairing, game, rated } => (pairing, game, false, *rated),
            _ => return None,
        };
        let game = named.clone().or_else(|| last_attempt(tournament, *pairing))?;
        let reason = format!("ruling {}: {}", ruling.number, ruling.reason);
        Some(GameChange { game, halts, resumes: false, rated, reason })
    }
}

/// The game that was attached to a pairing last.
fn last_attempt(tournament: &Tournament, pairing: Pairing) -> Option<GameId> {
    let board = tournament.rounds.get(&pairing.round)?.boards.get(&pairing.board)?;
    board.games.values().next_back().cloned()
}
