//! The director of a demonstration, with a simulated log. The script sets the clock and the seed determines identities,
//! so that the same seed gives the same log to the byte.

use std::path::Path;

use annals_events::log::ClockKind;
use annals_events::{EventId, GameId, LogId, Micros, PROGRAM, StreamName, TournamentEvent, TournamentId};
use annals_replay::handler::{self, DirectError, Directed, Draft, HandlerError, Reason, Step};
use annals_replay::{Cut, Replayed, Scope, TournamentReplay};
use annals_rules::seeded::Rng;
use annals_store::{Clock, Log, NewLog, SetClock};
use annals_tournaments::Tournament;
use annals_tournaments::commands::{AnnounceOrder, Command, announcement};
use annals_tournaments::rulebook::Rulebook;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use sha2::{Digest as _, Sha256};

use super::game_in_play::Events;
use crate::{DemoError, FollowUp, Played, Progress};

/// The actor of the log.
const ACTOR: &str = "demo";

pub struct Director {
    pub log: Log,
    pub name: TournamentId,
    pub stream: StreamName,
    clock: SetClock,
    ids: Rng,
}

pub fn time(text: &str) -> Result<Micros, DemoError> {
    let time: DateTime = text.parse()?;
    Ok(time.to_zoned(TimeZone::UTC)?.timestamp().as_microsecond())
}

/// For scripts and the command line.
pub fn written(at: Micros) -> String {
    let shown = jiff::Timestamp::from_microsecond(at).map(|at| at.strftime("%Y-%m-%dT%H:%M:%S").to_string());
    shown.unwrap_or_default()
}

pub fn stream_of(game: &GameId) -> Result<StreamName, DemoError> {
    format!("game/{game}").parse().map_err(DemoError::from)
}

/// As parts of an append.
pub fn drafts(game: &GameId, events: Events) -> Result<Vec<Step>, DemoError> {
    let stream = stream_of(game)?;
    let draft = |(at, event)| Draft::new(stream.clone(), at, event).map(Step::from);
    events.into_iter().map(draft).collect::<Result<_, _>>().map_err(DemoError::from)
}

impl Director {
    /// Creates the log before the announcement. Identities follow from seed, tournament and players. The note describes
    /// the log.
    pub fn create<'p>(
        path: &Path,
        (seed, note): (u64, String),
        tournament: &str,
        players: impl Iterator<Item = &'p str>,
        at: Micros,
    ) -> Result<Director, DemoError> {
        let mut event = Sha256::new_with_prefix(tournament);
        players.for_each(|name| event.update([b"\n", name.as_bytes()].concat()));
        let event: [u8; 32] = event.finalize().into();
        let event = event.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
        let mut ids = Rng::of(&[seed, 0x6465_6d6f, event]);
        let clock = SetClock::at(at);
        let new = NewLog {
            log_id: LogId(identity(&mut ids)),
            program: PROGRAM.to_owned(),
            note: Some(note),
            actor: ACTOR.to_owned(),
        };
        debug_assert_eq!(clock.kind(), ClockKind::Simulated);
        let log = Log::create(path, &new, Box::new(clock.clone()))?;
        let name: TournamentId = tournament.parse()?;
        let stream = format!("tournament/{name}").parse()?;
        Ok(Director { log, name, stream, clock, ids })
    }

    pub fn now(&self) -> Micros {
        self.clock.now()
    }

    pub fn state(&self) -> Result<Tournament, DemoError> {
        let scope = Scope::Stream(self.stream.clone());
        Ok(Replayed::<TournamentReplay>::rebuild(&self.log, scope, &Cut::NOW)?.into_state().tournament)
    }

    /// States that the tournament is fictional.
    pub fn announce(
        &mut self,
        at: Micros,
        rulebook: &Rulebook,
        order: AnnounceOrder,
    ) -> Result<(), DemoError> {
        let note = "a demonstration: every player is a setting of one engine, every clock is simulated";
        let order = AnnounceOrder { directors: vec![ACTOR.to_owned()], note: Some(note.to_owned()), ..order };
        let announced = TournamentEvent::Announced(announcement(rulebook, order));
        let draft = Draft::new(self.stream.clone(), at, announced)?;
        self.clock.set(at.max(self.now()));
        let draft = draft.with_id(EventId(identity(&mut self.ids)));
        handler::append(&mut self.log, &[draft], ACTOR, &[])?;
        Ok(())
    }

    /// Narrates first, second and third place.
    pub fn close(&mut self, at: Micros, progress: &dyn Progress) -> Result<(), DemoError> {
        self.carry_out(at, &[Command::Close { note: None }.into()])?;
        let places = self.state()?.closed.map(|closed| closed.places).unwrap_or_default();
        for placing in places.iter().filter(|placing| placing.place <= 3) {
            let title = placing.titles.first().map_or(String::new(), |title| format!(", {title}"));
            progress.say(&format!("Place {}: {}{title}", placing.place, placing.player))?;
        }
        Ok(())
    }

    pub fn played(&self, follow_up: FollowUp) -> Result<Played, DemoError> {
        let head = self.log.acknowledged();
        let head = head.ok_or_else(|| DemoError::Script("the log acknowledges nothing".to_owned()))?;
        Ok(Played { head, events: self.log.last_seq()?, follow_up })
    }

    /// Executes parts together; the clock does not go back, so that earlier events are recorded late.
    pub fn carry_out(&mut self, at: Micros, steps: &[Step]) -> Result<Directed, DemoError> {
        self.try_to(at, steps).map_err(DemoError::from)
    }

    pub fn record(&mut self, at: Micros, event: TournamentEvent) -> Result<(), DemoError> {
        self.carry_out(at, &[event.into()]).map(drop)
    }

    /// As [`Director::carry_out`], returning the rejection.
    pub fn try_to(&mut self, at: Micros, steps: &[Step]) -> Result<Directed, DirectError> {
        self.clock.set(at.max(self.now()));
        let director = handler::Director { stream: &self.stream, at: Some(at), actor: ACTOR, dry_run: false };
        let ids = &mut self.ids;
        handler::direct_steps_named(&mut self.log, &director, steps, &mut || Ok(EventId(identity(ids))))
    }

    /// Requires a rejection by this rule; returns it as text.
    pub fn refused(&mut self, at: Micros, steps: &[Step], rule: &str) -> Result<String, DemoError> {
        let before = self.log.last_seq()?;
        match self.try_to(at, steps) {
            Err(error) if refused_by(&error) == Some(rule) && self.log.last_seq()? == before => {
                Ok(error.to_string())
            }
            Err(error) => Err(error.into()),
            Ok(_) => {
                Err(DemoError::Script(format!("the rule {rule} had to refuse this, and it was appended")))
            }
        }
    }
}

/// None if it was not by a rule.
pub fn refused_by(error: &DirectError) -> Option<&str> {
    match error {
        DirectError::Refused(refusal) => refusal.rule.map(|rule| rule.id.name()),
        DirectError::Handler(HandlerError::Refused(refusal)) => match &refusal.reason {
            Reason::Illegal { code, .. } => Some(code),
            _ => None,
        },
        _ => None,
    }
}

fn identity(ids: &mut Rng) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&ids.any().to_be_bytes());
    bytes[8..].copy_from_slice(&ids.any().to_be_bytes());
    bytes
}
