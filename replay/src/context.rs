//! The context of a tournament at a point of the log: games, bans in force, other tournaments. Each is read only when a
//! check needs it, so that what was read is what a decision depends on.

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::ControlFlow;

use annals_events::{Event, GameId, RawEnvelope, StreamName, TournamentEvent, TournamentId};
use annals_rules::GameFacts;
use annals_store::{Log, ReadError};
use annals_tournaments::Tournament;
use annals_tournaments::context::{StandingBan, TournamentContext, lifts};
pub use annals_tournaments::rulebook::rulebook_in_force;

use crate::facts::{Games, facts_in};
use crate::projection::Projection;
use crate::shelf::Shelf;
use crate::timeline::{CORRECTION, EffectiveEvent};

pub(crate) trait ContextSource: Games {
    fn bans(&self) -> &[StandingBan];
    fn tournament(&self, name: &TournamentId) -> Option<&Tournament>;
}

pub(crate) struct LogContext<'a, S> {
    tournament: &'a Tournament,
    source: &'a S,
    past: &'a dyn Fn(u64) -> Option<Tournament>,
    games: Shelf<GameId, Option<GameFacts>>,
}

impl<'a, S: ContextSource> LogContext<'a, S> {
    /// Reads nothing yet. `past` gives [`TournamentContext::before`].
    pub fn of(
        tournament: &'a Tournament,
        source: &'a S,
        past: &'a dyn Fn(u64) -> Option<Tournament>,
    ) -> LogContext<'a, S> {
        LogContext { tournament, source, past, games: Shelf::default() }
    }
}

impl<S: ContextSource> TournamentContext for LogContext<'_, S> {
    fn game(&self, game: &GameId) -> Option<&GameFacts> {
        let facts = || Ok::<_, Infallible>(facts_in(self.tournament, self.source, game));
        let Ok(found) = self.games.find(game, facts);
        found.as_ref()
    }

    fn bans(&self) -> &[StandingBan] {
        self.source.bans()
    }

    fn tournament(&self, name: &TournamentId) -> Option<&Tournament> {
        self.source.tournament(name)
    }

    fn before(&self, seq: u64) -> Option<Tournament> {
        (self.past)(seq)
    }
}

/// By the events of all tournaments in log order.
#[derive(Debug, Clone, Default)]
pub(crate) struct StandingBans(pub Vec<StandingBan>);

impl StandingBans {
    /// Whether events of a type affect bans.
    pub fn rest_on(event_type: &str) -> bool {
        matches!(event_type, "tournament.ban_recorded" | "tournament.ban_lifted" | CORRECTION)
    }

    /// The events of a stream that affect bans.
    pub fn events(log: &Log, stream: &StreamName, up_to: u64) -> Result<Vec<RawEnvelope>, ReadError> {
        let mut events = Vec::new();
        log.scan_stream(stream, up_to, |event| {
            if StandingBans::rest_on(event.event_type) {
                let problem = |problem| ReadError::Row { seq: event.seq, problem };
                events.push(event.to_envelope().map_err(problem)?);
            }
            Ok::<_, ReadError>(ControlFlow::Continue(()))
        })?;
        Ok(events)
    }
}

impl Projection for StandingBans {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        if !StandingBans::rest_on(event.event_type) {
            return;
        }
        let Some(Ok(tournament)) = event.stream.split_once('/').map(|(_, name)| name.parse()) else { return };
        let Ok(Event::Tournament(said)) = event.decode().map(|entry| entry.event) else { return };
        match *said {
            TournamentEvent::BanRecorded(ban) => {
                self.0.push(StandingBan { tournament, seq: event.seq, at: event.effective_at, ban });
            }
            TournamentEvent::BanLifted(lifted) => self.0.retain(|standing| !lifts(&lifted, &standing.ban)),
            _ => {}
        }
    }
}

/// The tournament whose rulebook checks an event: the one before it, or the one that it announces. None before the
/// announcement.
pub(crate) fn ruled_by<'t>(before: &'t Tournament, event: &TournamentEvent) -> Option<Cow<'t, Tournament>> {
    match (&before.announced, event) {
        (Some(_), _) => Some(Cow::Borrowed(before)),
        (None, TournamentEvent::Announced(announced)) => {
            Some(Cow::Owned(Tournament { announced: Some(announced.clone()), ..Tournament::default() }))
        }
        (None, _) => None,
    }
}
