//! A tournament opened at a cut: state, rulebook with readings in force, and access to earlier states.

use annals_events::narrative::Narrator;
use annals_events::{GameKind, Micros, PlayerId, StreamName, TournamentEvent};
use annals_store::Log;
use annals_tournaments::Tournament;
use annals_tournaments::rulebook::{EarlierResults, RuleId, Rulebook};
use jiff::tz::TimeZone;

use super::error::QueryError;
use super::heading::Heading;
use super::person::{Person, find};
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::event_history::{HistoryEvent, TournamentHistory};
use crate::held_stream::HeldStream;
use crate::people::People;
use crate::projection::fold;
use crate::read::{absent, state_of, tournament_at};
use crate::tournament::TournamentReplay;
use crate::tournament_audit::read_as;
use crate::view::text::heading;

pub struct TournamentAt<'l> {
    log: &'l Log,
    pub stream: StreamName,
    pub cut: Cut,
    /// With findings.
    pub replay: TournamentReplay,
    rulebook: Result<Rulebook, String>,
}

impl<'l> TournamentAt<'l> {
    /// # Errors
    /// If the log cannot be read, has no such tournament, or no event of it counts at the cut.
    pub fn at(log: &'l Log, stream: &StreamName, cut: &Cut) -> Result<TournamentAt<'l>, ReplayError> {
        TournamentAt::of(log, stream, cut, tournament_at(log, stream, cut)?)
    }

    /// As [`at`](TournamentAt::at), from a stream in memory.
    ///
    /// # Errors
    /// If the log cannot be read, or no event of the tournament counts at the cut.
    pub fn held(log: &'l Log, stream: &HeldStream, cut: &Cut) -> Result<TournamentAt<'l>, ReplayError> {
        let (replay, folded) = fold(stream.up_to(cut.last_seq(log)?), cut)?;
        match folded {
            0 => Err(absent(log, stream.name())?),
            _ => TournamentAt::of(log, stream.name(), cut, replay),
        }
    }

    fn of(
        log: &'l Log,
        stream: &StreamName,
        cut: &Cut,
        mut replay: TournamentReplay,
    ) -> Result<TournamentAt<'l>, ReplayError> {
        rename(log, &mut replay.tournament, cut)?;
        let rulebook = rulebook_of(&replay.tournament);
        Ok(TournamentAt { log, stream: stream.clone(), cut: *cut, replay, rulebook })
    }

    /// The log that it was read from.
    pub fn log(&self) -> &'l Log {
        self.log
    }

    pub fn tournament(&self) -> &Tournament {
        &self.replay.tournament
    }

    /// # Errors
    /// If it is unknown, or none was announced.
    pub fn rulebook(&self) -> Result<&Rulebook, QueryError> {
        self.rulebook
            .as_ref()
            .map_err(|why| QueryError::NoRulebook { stream: self.stream.clone(), why: why.clone() })
    }

    /// The tournament before an event, as recorded then.
    ///
    /// # Errors
    /// If the log cannot be read, or the event is the first.
    pub fn before(&self, seq: u64) -> Result<TournamentAt<'l>, ReplayError> {
        self.up_to(seq.saturating_sub(1))
    }

    /// With an event and all before it, as recorded then.
    pub fn up_to(&self, seq: u64) -> Result<TournamentAt<'l>, ReplayError> {
        let last = self.cut.seq.map_or(seq, |own| own.min(seq));
        let mut earlier = TournamentAt::at(self.log, &self.stream, &Cut { seq: Some(last), ..self.cut })?;
        // One answer has one name for each player.
        for (player, entrant) in &mut earlier.replay.tournament.entrants {
            if let Some(now) = self.tournament().entrants.get(player) {
                entrant.name.clone_from(&now.name);
            }
        }
        Ok(earlier)
    }

    pub fn event_history(&self) -> Result<TournamentHistory, ReplayError> {
        Ok(state_of(self.log, &self.stream, &self.cut)?.unwrap_or_default())
    }

    /// The events, with the newest names of those who entered.
    pub fn renamed_events(&self) -> Result<Vec<HistoryEvent>, ReplayError> {
        let mut events = self.event_history()?.events;
        for said in &mut events {
            if let TournamentEvent::PlayerRegistered(entry) = &mut *said.event {
                entry.name = self.person(&entry.player).name;
            }
        }
        Ok(events)
    }

    pub fn actor(&self, seq: u64) -> Result<Option<String>, ReplayError> {
        let event = self.log.event(seq)?;
        Ok(event.filter(|event| event.seq == seq).map(|event| event.actor))
    }

    /// With the newest name.
    pub fn person(&self, player: &PlayerId) -> Person {
        Person::of(self.tournament(), player)
    }

    /// By identity, or by the entry's name ignoring case.
    ///
    /// # Errors
    /// If no player of that name entered, or several did.
    pub fn player(&self, name: &str) -> Result<PlayerId, QueryError> {
        let known = self.tournament().entrants.iter();
        let known = known.map(|(player, entrant)| (player.clone(), player.clone(), entrant.name.clone()));
        find(name, &format!("in {}", self.stream), known)
    }

    /// The newest name of a player who entered.
    pub(super) fn name(&self, player: &PlayerId) -> Option<String> {
        self.tournament().entrants.get(player).map(|entrant| entrant.name.clone())
    }

    /// For events of this tournament.
    pub(super) fn narrator<'t>(&self, time: &'t dyn Fn(Micros) -> String) -> Narrator<'t> {
        let freezes = self.rulebook.as_ref().is_ok_and(freezes);
        Narrator::new(time).of_game(self.game()).freezing(freezes)
    }

    pub fn game(&self) -> GameKind {
        self.tournament().announced.as_ref().map_or(GameKind::Arimaa, |announced| announced.game)
    }

    /// The title of an answer: the tournament, the answer and the point in time.
    #[must_use]
    pub fn title(&self, what: &str, zone: &TimeZone) -> String {
        heading(&self.heading(what).title, &self.cut, zone)
    }

    pub(super) fn heading(&self, what: &str) -> Heading {
        let tournament = self.stream.name().to_owned();
        let name = self.tournament().announced.as_ref().map(|announced| announced.name.as_str());
        let of = match name {
            Some(name) if name != tournament => format!("{name} ({tournament})"),
            _ => tournament.clone(),
        };
        Heading { tournament, title: format!("{of}: {what}"), of, cut: self.cut }
    }
}

/// Gives entrants the names that the log gave them after their entry. As a correction a new name holds for every `as_of`.
pub(crate) fn rename(log: &Log, tournament: &mut Tournament, cut: &Cut) -> Result<(), ReplayError> {
    let known = Cut { as_of: None, round_end: None, ..*cut };
    for (player, entrant) in &mut tournament.entrants {
        let Ok(stream) = format!("people/{player}").parse::<StreamName>() else { continue };
        if log.stream_info(&stream)?.is_none_or(|info| info.last_seq <= entrant.entry.seq) {
            continue;
        }
        let people = state_of::<People>(log, &stream, &known)?.unwrap_or_default();
        if let Some(name) = people.named_after(player, entrant.entry.seq) {
            name.clone_into(&mut entrant.name);
        }
    }
    Ok(())
}

/// Whether nothing of an earlier round changes once a round has begun.
pub(crate) fn freezes(rulebook: &Rulebook) -> bool {
    rulebook.rule(RuleId::RulingFrozen).is_some() && rulebook.readings.earlier_results == EarlierResults::Kept
}

/// With readings changed by rulings.
pub(crate) fn rulebook_of(tournament: &Tournament) -> Result<Rulebook, String> {
    if tournament.announced.is_none() {
        return Err("no rulebook was announced".to_owned());
    }
    read_as(tournament, &[]).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use annals_tournaments::commands::{AnnounceOrder, announcement};

    use super::*;

    #[test]
    fn a_ruled_reading_that_does_not_exist_is_ignored_as_the_audit_ignores_it() {
        let rulebook = Rulebook::named("wcc-2015").unwrap();
        let announced = Some(announcement(&rulebook, AnnounceOrder::default()));
        let mut tournament = Tournament { announced, ..Tournament::default() };
        tournament.readings_ruled.push(("T7".to_owned(), "no such reading".to_owned()));
        assert_eq!(rulebook_of(&tournament).unwrap().readings, rulebook.readings);
    }
}
