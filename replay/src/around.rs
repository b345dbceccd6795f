//! What is around a tournament at a point of the log: the games that it speaks of, the bans that stand anywhere, other
//! tournaments. Each is looked up when a judgement asks for it, and not before; so what was asked for is exactly what a
//! decision rests on.

use std::cell::OnceCell;

use annals_events::tournament::{BanLifted, BanRecorded};
use annals_events::{Event, GameId, Micros, TournamentEvent, TournamentId};
use annals_rules::GameFacts;
use annals_tournaments::Tournament;
use annals_tournaments::context::{StandingBan, TournamentContext, lifts};
use annals_tournaments::rulebook::{Rulebook, RulebookError};

use crate::facts::{Games, facts_in};
use crate::finding::Finding;
use crate::projection::Projection;
use crate::timeline::Standing;

/// Where the surroundings are looked up.
pub(crate) trait Surroundings: Games {
    /// Every ban that stands.
    fn bans(&self) -> Vec<StandingBan>;
    /// Another tournament.
    fn tournament(&self, name: &TournamentId) -> Option<Tournament>;
}

/// The surroundings of a tournament in the log.
pub(crate) struct LogAround<'a, S> {
    tournament: &'a Tournament,
    source: &'a S,
    games: Shelf<GameId, Option<GameFacts>>,
    bans: OnceCell<Vec<StandingBan>>,
    tournaments: Shelf<TournamentId, Option<Tournament>>,
}

impl<'a, S: Surroundings> LogAround<'a, S> {
    /// The surroundings of a tournament; nothing is looked up yet.
    pub fn of(tournament: &'a Tournament, source: &'a S) -> LogAround<'a, S> {
        LogAround {
            tournament,
            source,
            games: Shelf::default(),
            bans: OnceCell::new(),
            tournaments: Shelf::default(),
        }
    }
}

impl<S: Surroundings> TournamentContext for LogAround<'_, S> {
    fn game(&self, game: &GameId) -> Option<&GameFacts> {
        self.games.find(game, || facts_in(self.tournament, self.source, game)).as_ref()
    }

    fn bans(&self) -> &[StandingBan] {
        self.bans.get_or_init(|| self.source.bans())
    }

    fn tournament(&self, name: &TournamentId) -> Option<&Tournament> {
        self.tournaments.find(name, || self.source.tournament(name)).as_ref()
    }
}

/// Values that are found once and then stay where they are, so that they can be lent while others are added.
struct Shelf<K, V> {
    first: OnceCell<Box<Place<K, V>>>,
}

struct Place<K, V> {
    key: K,
    value: V,
    next: OnceCell<Box<Place<K, V>>>,
}

impl<K, V> Default for Shelf<K, V> {
    fn default() -> Shelf<K, V> {
        Shelf { first: OnceCell::new() }
    }
}

impl<K: PartialEq + Clone, V> Shelf<K, V> {
    /// The value of a key, found now where it is asked for the first time.
    fn find(&self, key: &K, find: impl FnOnce() -> V) -> &V {
        let mut end = &self.first;
        while let Some(place) = end.get() {
            if place.key == *key {
                return &place.value;
            }
            end = &place.next;
        }
        &end.get_or_init(|| Box::new(Place { key: key.clone(), value: find(), next: OnceCell::new() })).value
    }
}

impl<K, V> Drop for Shelf<K, V> {
    fn drop(&mut self) {
        // One after the other: a long row dropped by itself would go as deep as it is long.
        let mut next = self.first.take();
        while let Some(mut place) = next {
            next = place.next.take();
        }
    }
}

/// What a tournament's stream says of bans.
#[derive(Debug, Clone, Default)]
pub(crate) struct BanTalk {
    said: Vec<Said>,
}

/// A ban, or the end of one.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    tournament: TournamentId,
    pub(crate) seq: u64,
    at: Micros,
    what: BanOrLift,
}

#[derive(Debug, Clone)]
enum BanOrLift {
    Ban(BanRecorded),
    Lift(BanLifted),
}

impl Projection for BanTalk {
    fn apply(&mut self, event: &Standing<'_>) {
        self.said.extend(Said::in_event(event));
    }

    fn find(&mut self, _: Finding) {}
}

impl BanTalk {
    pub fn into_said(self) -> Vec<Said> {
        self.said
    }
}

impl Said {
    /// Whether events of a type speak of bans.
    pub fn is_said_in(event_type: &str) -> bool {
        matches!(event_type, "tournament.ban_recorded" | "tournament.ban_lifted")
    }

    /// What one event says, where it speaks of a ban.
    pub fn in_event(event: &Standing<'_>) -> Option<Said> {
        if !Said::is_said_in(event.event_type) {
            return None;
        }
        let tournament = event.stream.split_once('/')?.1.parse().ok()?;
        let Ok(Event::Tournament(said)) = event.decode().map(|entry| entry.event) else { return None };
        let what = match *said {
            TournamentEvent::BanRecorded(ban) => BanOrLift::Ban(ban),
            TournamentEvent::BanLifted(lifted) => BanOrLift::Lift(lifted),
            _ => return None,
        };
        Some(Said { tournament, seq: event.seq, at: event.effective_at, what })
    }

    /// Puts it to the bans that stood before it.
    pub fn put_to(self, bans: &mut Vec<StandingBan>) {
        let Said { tournament, seq, at, what } = self;
        match what {
            BanOrLift::Ban(ban) => bans.push(StandingBan { tournament, seq, at, ban }),
            BanOrLift::Lift(lifted) => bans.retain(|standing| !lifts(&lifted, &standing.ban)),
        }
    }
}

/// The bans that stand after everything that was said of them anywhere.
pub(crate) fn standing_bans(mut said: Vec<Said>) -> Vec<StandingBan> {
    said.sort_by_key(|said| said.seq);
    let mut bans = Vec::new();
    for said in said {
        said.put_to(&mut bans);
    }
    bans
}

/// The rulebook of a tournament with the readings that hold now, those that a ruling changed among them. None where
/// the tournament is not announced, or by a rulebook that this program does not know: then nothing is judged.
///
/// # Errors
/// When the rulebook is known, but not in that edition or not with those readings.
pub fn rulebook_in_force(tournament: &Tournament) -> Result<Option<Rulebook>, RulebookError> {
    let Some(announced) = &tournament.announced else { return Ok(None) };
    let mut rulebook = match Rulebook::of(announced) {
        Ok(rulebook) => rulebook,
        Err(RulebookError::Unknown { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    for (number, reading) in &tournament.readings_ruled {
        // A ruling that names no reading changes none; the judgement of that ruling says so.
        let _ = rulebook.read(number, reading);
    }
    Ok(Some(rulebook))
}
