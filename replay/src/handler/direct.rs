//! A director's request: the rulebook drafts events on the present tournament, each is checked and folded, and all are
//! appended. The log rejects them if a stream on which they depend has changed; then they are decided again. A dry run appends none.

use annals_events::canonical::CanonicalError;
use annals_events::log::{Change, Correction};
use annals_events::tournament::{Effect, RoundStarted, RulingGiven};
use annals_events::{
    Event, EventId, GameEvent, GameId, Halted, LogEvent, Micros, RatedChanged, Resumed, StreamName,
    TournamentEvent,
};
use annals_store::{Fault, Log, random_id};
use annals_tournaments::Tournament;
use annals_tournaments::commands::{Command, Drafts, handle, refusal};
use annals_tournaments::rulebook::RulebookError;

use super::append::{Directed, HandlerError, decide_and_append, decided};
use super::draft::Draft;
use super::handler_state::Handler;
use super::refusal::Stop;
use crate::context::rulebook_in_force;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::game::GameReplay;
use crate::point::{Stated, end_of};
use crate::read::state_of;
use crate::timeline::Corrections;

/// One part of a director's action; the log records all parts together or none.
#[derive(Debug, Clone)]
pub enum Step {
    /// Something that happened, as an event: a player was recorded, a game began.
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

/// The tournament, the director, and the time.
#[derive(Debug, Clone, Copy)]
pub struct Director<'a> {
    pub stream: &'a StreamName,
    /// When it happens; now if not stated.
    pub at: Option<Micros>,
    pub actor: &'a str,
    /// Whether nothing is appended.
    pub dry_run: bool,
}

/// Why a request is refused. Nothing of it is in the log.
#[derive(Debug, thiserror::Error)]
pub enum DirectError {
    #[error(transparent)]
    Refused(#[from] Box<annals_tournaments::refusal::Refusal>),
    #[error("there is no tournament `{stream}` in the log")]
    NotAnnounced { stream: StreamName },
    /// Without a known rulebook only facts can be recorded.
    #[error(
        "`{stream}` is played by `{rulebook}`, a rulebook that this program does not know, so it cannot work out what \
         follows"
    )]
    OtherRules { stream: StreamName, rulebook: String },
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    #[error("{0}")]
    Handler(#[from] HandlerError),
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

impl From<ReplayError> for DirectError {
    fn from(error: ReplayError) -> DirectError {
        DirectError::Handler(error.into())
    }
}

/// Decides several parts together and appends them: each is decided on the state after those before it.
///
/// # Errors
/// When the rulebook forbids it, the record lacks something, or the log does not accept it.
pub fn direct_steps(log: &mut Log, director: &Director<'_>, steps: &[Step]) -> Result<Directed, DirectError> {
    direct_steps_named(log, director, steps, &mut || random_id().map(EventId))
}

/// As [`direct_steps`], with the source of the identities of new events, so that a caller can make a log whose repetition
/// has the same identities.
pub fn direct_steps_named(
    log: &mut Log,
    director: &Director<'_>,
    steps: &[Step],
    ids: &mut dyn FnMut() -> Result<EventId, Fault>,
) -> Result<Directed, DirectError> {
    if director.dry_run {
        return try_steps(log, director, steps);
    }
    append_steps(log, director, steps, None, ids)
}

fn append_steps(
    log: &mut Log,
    director: &Director<'_>,
    steps: &[Step],
    stated: Option<Stated>,
    ids: &mut dyn FnMut() -> Result<EventId, Fault>,
) -> Result<Directed, DirectError> {
    let decide = |handler: &mut Handler<'_>| {
        handler.stated = stated;
        carry_out(handler, director, steps)
    };
    decide_and_append(log, director.actor, &[], ids, decide).map(|(directed, _)| directed)
}

/// As [`direct_steps`], of what happened at a time as a source states it.
pub(super) fn direct_stated(
    log: &mut Log,
    director: &Director<'_>,
    steps: &[Step],
    stated: Option<Stated>,
) -> Result<Directed, DirectError> {
    if director.dry_run {
        return try_stated(log, director, steps, stated);
    }
    append_steps(log, director, steps, stated, &mut || random_id().map(EventId))
}

/// As [`try_steps`], of what happened at a time as a source states it.
pub(super) fn try_stated(
    log: &Log,
    director: &Director<'_>,
    steps: &[Step],
    stated: Option<Stated>,
) -> Result<Directed, DirectError> {
    let decide = |handler: &mut Handler<'_>| {
        handler.stated = stated;
        carry_out(handler, director, steps)
    };
    decided(log, director.actor, decide).map(|(directed, _)| directed)
}

/// The result of several parts together; nothing is appended.
pub fn try_steps(log: &Log, director: &Director<'_>, steps: &[Step]) -> Result<Directed, DirectError> {
    try_stated(log, director, steps, None)
}

/// Carries out several parts on a handler, which then holds their events; nothing is appended.
pub(crate) fn consider_steps(
    handler: &mut Handler<'_>,
    director: &Director<'_>,
    steps: &[Step],
) -> Result<(), DirectError> {
    carry_out(handler, director, steps)
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

    /// An event that happens at the time that the director states, else now.
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

    /// Accepts an event that was drafted for a request; the refusal by a rule has the next step.
    fn accept_drafted(&mut self, draft: &Draft) -> Result<(), DirectError> {
        let index = self.handler.accepted().len();
        match self.handler.consider(draft, true)? {
            Ok(()) => Ok(()),
            Err(Stop::Rule(verdict)) => {
                let none = Tournament::default();
                let tournament = self.handler.tournament(self.director.stream).unwrap_or(&none);
                Err(DirectError::Refused(Box::new(refusal(tournament, draft.effective_at, &verdict))))
            }
            Err(stop) => Err(HandlerError::from(stop.refusal(index, draft)).into()),
        }
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), DirectError> {
        let stream = self.director.stream;
        self.handler.load(stream)?;
        self.begin_earlier(command)?;
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
            let draft = self.draft(stream, event.clone())?;
            self.accept_drafted(&draft)?;
            if let TournamentEvent::RulingGiven(ruling) = &event {
                self.change_games(ruling)?;
            }
        }
        Ok(())
    }

    /// Corrects the begin of a round where a later game of the round was entered first.
    fn begin_earlier(&mut self, command: &Command) -> Result<(), DirectError> {
        let (round, first, game) = match command {
            Command::Start { pairing, game } => (pairing.round, Some(*pairing), game.clone()),
            // When its game began is not known.
            Command::Result { pairing, .. } | Command::Forfeit { pairing, .. } => (pairing.round, None, None),
            _ => return Ok(()),
        };
        let (stream, at) = (self.director.stream, self.at());
        // Within a stated period the time may be as late as the begin.
        let latest = match self.handler.stated {
            Some(Stated { at: from, period: Some(period) }) if from == at => end_of(period, at),
            _ => at,
        };
        let tournament = self.handler.tournament(stream);
        let begun_at = tournament.and_then(|tournament| tournament.rounds.get(&round)?.started_at);
        if begun_at.is_none_or(|begun_at| begun_at <= latest) {
            return Ok(());
        }
        let key = self.handler.load(stream)?;
        let events = self.handler.events(&key);
        let corrections = Corrections::of(events);
        let begun = events.iter().rev().filter_map(|event| corrections.effective(event)).find_map(|event| {
            let Ok(Event::Tournament(begun)) = event.decode() else { return None };
            match *begun {
                TournamentEvent::RoundStarted(begun) if begun.round == round => {
                    Some((event.seq, begun.programs))
                }
                _ => None,
            }
        });
        let Some((corrects, programs)) = begun else { return Ok(()) };
        let begun = TournamentEvent::RoundStarted(RoundStarted { round, pairing: first, game, programs });
        let begun = Draft::new(stream.clone(), at, begun)?;
        let change = Change::Replace { payload: begun.payload, schema: begun.schema, effective_at: Some(at) };
        let reason = "An earlier game of the round was entered.".to_owned();
        let correction = LogEvent::Correction(Correction { corrects, change, reason });
        let now = self.handler.now.unwrap_or(self.handler.recorded_at);
        self.accept(&Draft::new(stream.clone(), now, correction)?.now())
    }

    /// Changes the games of a ruling and of the ruling that it replaces to the state that the rulings in
    /// force give them, or to their state before the first ruling.
    fn change_games(&mut self, ruling: &RulingGiven) -> Result<(), DirectError> {
        let Some(tournament) = self.handler.tournament(self.director.stream) else { return Ok(()) };
        let mut changes = Vec::new();
        for number in ruling.supersedes.into_iter().chain([ruling.number]) {
            let given = tournament.rulings.iter().rev().find(|given| given.ruling.number == number);
            let Some((given, game)) = given.and_then(|given| Some((given, given.game.as_ref()?))) else {
                continue;
            };
            let ruled = tournament.ruled_game(game);
            let rated = match (ruled.rated, ruled.first) {
                (None, Some(first)) => self.rated_before(game, first)?,
                (rated, _) => rated,
            };
            let halts = matches!(given.ruling.effect, Effect::Halt { .. });
            changes.push((game.clone(), halts.then_some(ruled.halted), rated));
        }
        let reason = format!("ruling {}: {}", ruling.number, ruling.reason);
        changes
            .into_iter()
            .try_for_each(|(game, halted, rated)| self.change_game(&game, halted, rated, &reason))
    }

    /// Whether a game was rated before an event of its tournament; none if the game is not in the log.
    fn rated_before(&self, game: &GameId, seq: u64) -> Result<Option<bool>, DirectError> {
        let Ok(stream) = format!("game/{game}").parse() else { return Ok(None) };
        let cut = Cut::at_seq(seq.min(self.handler.up_to));
        let before = state_of::<GameReplay>(self.handler.log, &stream, &cut)?;
        Ok(before.map(|replay| replay.game().is_rated()))
    }

    /// Halts or resumes a game, and changes whether it is rated, if its state differs.
    fn change_game(
        &mut self,
        game: &GameId,
        halted: Option<bool>,
        rated: Option<bool>,
        reason: &str,
    ) -> Result<(), DirectError> {
        let Ok(stream) = format!("game/{game}").parse::<StreamName>() else { return Ok(()) };
        let key = self.handler.load(&stream)?;
        let replay = self.handler.streams.get(&key).and_then(|known| known.state().game());
        let Some(replay) = replay.filter(|replay| replay.started().is_some()) else { return Ok(()) };
        let game = replay.game();
        let reason = || Some(reason.to_owned().into());
        let mut events = Vec::new();
        match halted.filter(|halted| *halted != game.is_halted() && !replay.is_over()) {
            Some(true) => events.push(GameEvent::Halted(Halted { reason: reason() })),
            Some(false) => {
                let from_ply = u32::try_from(game.plies().len()).unwrap_or(u32::MAX);
                events.push(GameEvent::Resumed(Resumed { from_ply, reason: reason(), ..Resumed::default() }));
            }
            None => {}
        }
        if let Some(rated) = rated.filter(|rated| *rated != game.is_rated() && !game.is_annulled()) {
            events.push(GameEvent::RatedChanged(RatedChanged { rated, reason: reason() }));
        }
        let drafts: Result<Vec<Draft>, _> =
            events.into_iter().map(|event| self.draft(&stream, event)).collect();
        drafts?.iter().try_for_each(|draft| self.accept(draft))
    }
}
