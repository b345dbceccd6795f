//! A director's request at the desk: decided by the rulebook on the tournament as it stands, drafted, and appended so
//! that the log refuses if anything it rests on has changed meanwhile; then it is decided again. Or only shown.

use annals_events::canonical::CanonicalError;
use annals_events::tournament::{Effect, RulingGiven};
use annals_events::{
    EventId, GameEvent, GameId, Halted, Micros, Pairing, RatedChanged, Resumed, StreamName, TournamentEvent,
};
use annals_store::{AppendError, Appended, Fault, Log, Transaction, random_id};
use annals_tournaments::commands::{Command, decide};
use annals_tournaments::rulebook::RulebookError;
use annals_tournaments::verdict::Verdict;
use annals_tournaments::{RulingInForce, Tournament};

use super::append::DeskError;
use super::decide::Desk;
use super::draft::Draft;
use super::known::State;
use crate::around::rulebook_in_force;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::game::GameReplay;
use crate::projection::Replayed;
use crate::recorded::Scope;

/// How often a request is decided again when somebody else appended between the decision and the append.
const ATTEMPTS: u32 = 50;

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
    /// The stream of the tournament.
    pub stream: &'a StreamName,
    /// When it happens; now where it is not said.
    pub at: Option<Micros>,
    /// Who says so.
    pub actor: &'a str,
    /// Whether it is only shown what would be appended.
    pub dry_run: bool,
}

/// What came of a request.
#[derive(Debug, Clone)]
pub struct Directed {
    /// The events, as they were or would be appended.
    pub drafts: Vec<Draft>,
    /// What the rules say of those that the requests made.
    pub verdicts: Vec<Verdict>,
    /// What the log says; none for a dry run.
    pub appended: Option<Appended>,
}

/// Why a request is not carried out. Nothing of it is in the log.
#[derive(Debug, thiserror::Error)]
pub enum DirectError {
    /// The rulebook forbids it, or the record lacks something.
    #[error(transparent)]
    Refused(#[from] Box<annals_tournaments::refusal::Refusal>),
    /// The tournament has not been announced.
    #[error("there is no tournament `{stream}` in the log. `annals tournament announce` begins one")]
    NotAnnounced {
        /// The stream.
        stream: StreamName,
    },
    /// Only facts can be recorded where no rulebook decides.
    #[error(
        "`{stream}` is played by `{rulebook}`, a rulebook that this program does not know, so it cannot work out what \
         follows. Word the event yourself and hand it to `annals log append`"
    )]
    OtherRules {
        /// The stream.
        stream: StreamName,
        /// The rulebook's name.
        rulebook: String,
    },
    /// The rulebook is known, but not so.
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    /// An event is refused, or the log does not take it.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// An event that no log can hold.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

impl From<ReplayError> for DirectError {
    fn from(error: ReplayError) -> DirectError {
        DirectError::Desk(error.into())
    }
}

impl From<annals_store::ReadError> for DirectError {
    fn from(error: annals_store::ReadError) -> DirectError {
        DirectError::Desk(error.into())
    }
}

impl From<annals_store::EventError> for DirectError {
    fn from(error: annals_store::EventError) -> DirectError {
        DirectError::Desk(error.into())
    }
}

impl From<super::Refusal> for DirectError {
    fn from(refusal: super::Refusal) -> DirectError {
        DirectError::Desk(DeskError::Refused(Box::new(refusal)))
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
    let mut attempt = 0;
    loop {
        attempt += 1;
        let (mut directed, transaction) = decided(log, director, steps, ids)?;
        if director.dry_run {
            return Ok(directed);
        }
        match log.append(&transaction) {
            Err(AppendError::Conflict { .. }) if attempt < ATTEMPTS => {}
            done => {
                directed.appended = Some(done.map_err(DeskError::from)?);
                return Ok(directed);
            }
        }
    }
}

/// What would come of several parts together; nothing is appended.
///
/// # Errors
/// As [`direct`].
pub fn try_steps(log: &Log, director: &Director<'_>, steps: &[Step]) -> Result<Directed, DirectError> {
    decided(log, director, steps, &mut || random_id().map(EventId)).map(|(directed, _)| directed)
}

/// What would come of events that are handed in as they are, the announcement of a tournament among them; nothing is
/// appended.
///
/// # Errors
/// When one of them is refused.
pub fn would_append(log: &Log, drafts: &[Draft]) -> Result<Directed, DirectError> {
    let mut desk = Desk::at(log, log.last_seq()?)?;
    for (index, draft) in drafts.iter().enumerate() {
        desk.decide(index, draft)??;
    }
    Ok(Directed { drafts: drafts.to_vec(), verdicts: Vec::new(), appended: None })
}

/// Decides everything on the log as it is now.
fn decided(
    log: &Log,
    director: &Director<'_>,
    steps: &[Step],
    ids: &mut dyn FnMut() -> Result<EventId, Fault>,
) -> Result<(Directed, Transaction), DirectError> {
    let mut work = Work {
        desk: Desk::at(log, log.last_seq()?)?.for_actor(director.actor),
        director: *director,
        directed: Directed { drafts: Vec::new(), verdicts: Vec::new(), appended: None },
    };
    for step in steps {
        match step {
            Step::Event(draft) => work.take((**draft).clone())?,
            Step::Request(command) => work.carry_out(command)?,
        }
    }
    let Work { desk, directed, .. } = work;
    let mut events = Vec::with_capacity(directed.drafts.len());
    for draft in &directed.drafts {
        let id = match draft.id {
            Some(id) => id,
            None => ids().map_err(DeskError::from)?,
        };
        events.push(draft.to_new_event(id, director.actor)?);
    }
    Ok((directed, Transaction { expected: desk.expectations(), events }))
}

/// The desk at work on one request.
struct Work<'l, 'd> {
    desk: Desk<'l>,
    director: Director<'d>,
    directed: Directed,
}

impl Work<'_, '_> {
    fn at(&self) -> Micros {
        self.director.at.unwrap_or_else(|| self.desk.now.unwrap_or(self.desk.recorded_at))
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

    fn take(&mut self, draft: Draft) -> Result<(), DirectError> {
        self.desk.decide(self.directed.drafts.len(), &draft)??;
        // What happens now may have been lifted.
        let effective_at = self.desk.taken().last().map_or(draft.effective_at, |taken| taken.effective_at);
        self.directed.drafts.push(Draft { effective_at, ..draft });
        Ok(())
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), DirectError> {
        let stream = self.director.stream;
        let tournament = self.desk.tournament(stream)?;
        let Some(announced) = &tournament.announced else {
            return Err(DirectError::NotAnnounced { stream: stream.clone() });
        };
        let events = match (rulebook_in_force(&tournament)?, command) {
            (Some(rulebook), command) => {
                let when = self.desk.when(self.at());
                let decision = self.desk.ask(&tournament, &rulebook, |case| decide(case, &when, command))?;
                let decision = decision.map_err(Box::new)?;
                self.directed.verdicts.extend(decision.verdicts);
                decision.events
            }
            (None, Command::Record(event)) => vec![(**event).clone()],
            (None, _) => {
                let rulebook = announced.rulebook.clone();
                return Err(DirectError::OtherRules { stream: stream.clone(), rulebook });
            }
        };
        for event in events {
            let draft = self.draft(stream, event.clone())?;
            self.take(draft)?;
            if let TournamentEvent::RulingGiven(ruling) = &event {
                self.carry_into_the_game(&tournament, ruling)?;
            }
        }
        Ok(())
    }

    /// What a ruling does to a game is told in the game's own stream too: it is halted, or counts for ratings no more. What a
    /// ruling in its place undoes is undone there.
    fn carry_into_the_game(
        &mut self,
        tournament: &Tournament,
        ruling: &RulingGiven,
    ) -> Result<(), DirectError> {
        let new = in_the_game(tournament, &ruling.effect);
        let undone = ruling.supersedes.and_then(|number| tournament.ruling_in_force(number));
        let old = undone.and_then(|old| in_the_game(tournament, &old.ruling.effect));
        if let (Some(old), Some(undone)) = (old, undone) {
            let same = new.as_ref().filter(|new| new.game == old.game);
            let rated = match same {
                Some(new) => Some(new.rated),
                None => self.rated_before(&old.game, first_in_place(tournament, undone).seq)?,
            };
            if let Some(rated) = rated {
                let goes_on = old.halts && !same.is_some_and(|new| new.halts);
                self.tell_the_game(&InTheGame { halts: false, rated, ..old }, goes_on, ruling)?;
            }
        }
        new.map_or(Ok(()), |new| self.tell_the_game(&new, false, ruling))
    }

    /// Whether a game was rated before an event of its tournament; none where the log does not hold it.
    fn rated_before(&self, game: &GameId, seq: u64) -> Result<Option<bool>, DirectError> {
        let Ok(stream) = format!("game/{game}").parse() else { return Ok(None) };
        let cut = Cut::at_seq(seq.min(self.desk.up_to));
        let replayed = Replayed::<GameReplay>::rebuild(self.desk.log, Scope::Stream(stream), &cut)?;
        Ok((replayed.folded() > 0).then(|| replayed.state().game().is_rated()))
    }

    fn tell_the_game(
        &mut self,
        told: &InTheGame,
        goes_on: bool,
        ruling: &RulingGiven,
    ) -> Result<(), DirectError> {
        let Ok(stream) = format!("game/{}", told.game).parse::<StreamName>() else { return Ok(()) };
        let key = self.desk.load(&stream)?;
        let Some(State::Game(replay, _)) = self.desk.known(&key).map(|known| &known.state) else {
            return Ok(());
        };
        if replay.started().is_none() {
            return Ok(());
        }
        let game = replay.game();
        let reason = || Some(format!("ruling {}: {}", ruling.number, ruling.reason).into());
        let mut events = Vec::new();
        if told.halts && !game.is_halted() && !replay.is_over() {
            events.push(GameEvent::Halted(Halted { reason: reason() }));
        }
        if goes_on && game.is_halted() && !replay.is_over() {
            let from_ply = u32::try_from(game.plies().len()).unwrap_or(u32::MAX);
            events.push(GameEvent::Resumed(Resumed { from_ply, reason: reason(), ..Resumed::default() }));
        }
        if game.is_rated() != told.rated && !game.is_annulled() {
            events.push(GameEvent::RatedChanged(RatedChanged { rated: told.rated, reason: reason() }));
        }
        for event in events {
            let draft = self.draft(&stream, event)?;
            self.take(draft)?;
        }
        Ok(())
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

/// What a ruling does to a game.
struct InTheGame {
    game: GameId,
    halts: bool,
    rated: bool,
}

fn in_the_game(tournament: &Tournament, effect: &Effect) -> Option<InTheGame> {
    let (pairing, named, halts, rated) = match effect {
        Effect::Halt { pairing, game, .. } => (pairing, game, true, false),
        Effect::Invalidate { pairing, game, .. } => (pairing, game, false, false),
        Effect::SetRated { pairing, game, rated } => (pairing, game, false, *rated),
        _ => return None,
    };
    let game = named.clone().or_else(|| last_attempt(tournament, *pairing))?;
    Some(InTheGame { game, halts, rated })
}

/// The game that was attached to a pairing last.
fn last_attempt(tournament: &Tournament, pairing: Pairing) -> Option<GameId> {
    let board = tournament.rounds.get(&pairing.round)?.boards.get(&pairing.board)?;
    board.games.values().next_back().cloned()
}
