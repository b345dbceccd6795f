//! The games of one event as a tournament. Entries, results and times are what the rows say; the rounds are inferred from
//! the dates, and every pairing says so. Byes are not inferred: that somebody has no game in a round does not show why.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{
    GameAttached, Outcome, Pair, PlayerRegistered, ResultRecorded, RoundPaired, RoundStarted,
};
use annals_events::{BoardId, GameId, Micros, PlayerId, Side, TimeNote, TournamentEvent};
use annals_tournaments::infer::{DatedGame, InferredRound, rounds};

use super::heads::{Head, Seat};
use crate::game_record::StatedResult;
use crate::imported::{Identities, ImportedEvent, Recording};

/// The games of an event that have a place in time, by their beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventGames {
    games: Vec<(Micros, Head)>,
    /// The numbers of the games that state no time at all.
    pub timeless: Vec<u64>,
}

impl EventGames {
    /// Puts games in order. One whose row lacks the start is placed by its end; one that lacks both is left out.
    #[must_use]
    pub fn new(heads: Vec<Head>) -> EventGames {
        let mut out = EventGames::default();
        for head in heads {
            match head.started_at.or(head.ended_at) {
                Some(began) => out.games.push((began, head)),
                None => out.timeless.push(head.id),
            }
        }
        out.games.sort_by_key(|(began, head)| (*began, head.id));
        out
    }

    /// The games, as they began.
    pub fn games(&self) -> impl Iterator<Item = &Head> {
        self.games.iter().map(|(_, head)| head)
    }
}

/// A tournament that the rows of an event tell of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FromArchive {
    /// Its events, in order; the first announces it. None where there is no game.
    pub events: Vec<ImportedEvent>,
    pub players: usize,
    /// The rounds with the places of their games among [`EventGames::games`].
    pub rounds: Vec<InferredRound>,
    /// The numbers of the games whose rows do not say how they came out.
    pub open: Vec<u64>,
    /// Players who bore several names, the first one first.
    pub renamed: Vec<Vec<String>>,
}

impl FromArchive {
    /// How many games the order of the games alone puts into their rounds.
    #[must_use]
    pub fn firm(&self) -> usize {
        self.rounds.iter().flat_map(|round| &round.games).filter(|placed| placed.is_firm()).count()
    }
}

/// One who plays in the event.
struct Person<'h> {
    id: PlayerId,
    seat: &'h Seat,
    names: BTreeSet<&'h str>,
}

/// The tournament of an event. `logged` says that the log holds the games as `game/arimaa-NUMBER`: then they are attached to their
/// pairings.
#[must_use]
pub fn tournament(games: &EventGames, recording: &Recording, event: &str, logged: bool) -> FromArchive {
    let mut out = FromArchive::default();
    let Some((begins, _)) = games.games.first() else { return out };
    let (people, seats) = people(games, recording);
    let dated: Vec<DatedGame<usize>> = games
        .games
        .iter()
        .zip(&seats)
        .map(|((began, _), players)| DatedGame { players: *players, began: *began })
        .collect();
    out.rounds = rounds(&dated);
    out.players = people.len();
    out.renamed = people.iter().filter(|person| person.names.len() > 1).map(Person::all_names).collect();

    let note = format!(
        "Brought in from the archive's games of the event \"{event}\". The rounds are inferred from the dates of the games; \
         byes are not inferred, and what the archive does not hold is not said."
    );
    let announced = TournamentEvent::Announced(recording.announcement(note));
    let unknown = Some(TimeNote::Unknown);
    out.events.push(ImportedEvent { at: *begins, note: unknown, event: announced });
    for person in &people {
        let event = TournamentEvent::PlayerRegistered(person.entry(recording));
        out.events.push(ImportedEvent { at: *begins, note: unknown, event });
    }
    let mut played = Vec::new();
    let mut published = Micros::MAX;
    for (number, round) in (1u32..).zip(&out.rounds).collect::<Vec<_>>().into_iter().rev() {
        let boards: Vec<(u32, &(Micros, Head), &[usize; 2])> = (1..)
            .zip(&round.games)
            .filter_map(|(board, placed)| {
                Some((board, games.games.get(placed.game)?, seats.get(placed.game)?))
            })
            .collect();
        let first = boards.first().map_or(Micros::MAX, |(_, (began, _), _)| *began);
        // A round was paired before it began, and before the next one was.
        published = published.min(first);
        let telling = Telling { recording, people: &people, logged, round: number };
        played.push((
            published,
            0,
            number,
            ImportedEvent { at: published, note: unknown, event: telling.paired(&boards) },
        ));
        for (place, (board, (began, head), _)) in boards.iter().enumerate() {
            let imported = telling.game(*board, *began, head, place == 0, &mut out.open);
            played.extend(imported.into_iter().map(|(step, imported)| (imported.at, step, number, imported)));
        }
    }
    // By time; at one moment a pairing comes before a start, and that before a result. The sort keeps the boards in order.
    played.sort_by_key(|(at, step, round, _)| (*at, *step, *round));
    out.events.extend(played.into_iter().map(|(.., imported)| imported));
    out.open.sort_unstable();
    out
}

/// Everybody who plays, in the order of their first games, and for each game who its players are.
fn people<'h>(games: &'h EventGames, recording: &Recording) -> (Vec<Person<'h>>, Vec<[usize; 2]>) {
    let mut identities = Identities::new(&recording.identities);
    let mut people: Vec<Person<'h>> = Vec::new();
    let mut by_account: BTreeMap<u64, usize> = BTreeMap::new();
    let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
    let mut who = |seat: &'h Seat| {
        let name = seat.name.to_lowercase();
        let known = match seat.account {
            Some(account) => by_account.get(&account),
            None => by_name.get(&name),
        };
        let place = known.copied().unwrap_or_else(|| {
            people.push(Person { id: identities.of(&seat.name), seat, names: BTreeSet::new() });
            people.len() - 1
        });
        if let Some(account) = seat.account {
            by_account.entry(account).or_insert(place);
        }
        by_name.entry(name).or_insert(place);
        if let Some(person) = people.get_mut(place) {
            person.names.insert(&seat.name);
        }
        place
    };
    let seats =
        games.games().map(|head| [who(head.seat(Side::Gold)), who(head.seat(Side::Silver))]).collect();
    (people, seats)
}

impl Person<'_> {
    fn all_names(&self) -> Vec<String> {
        let others = self.names.iter().filter(|name| **name != self.seat.name);
        std::iter::once(&self.seat.name.as_str()).chain(others).map(|name| (*name).to_owned()).collect()
    }

    /// The entry, with the rating of the first game.
    fn entry(&self, recording: &Recording) -> PlayerRegistered {
        PlayerRegistered {
            player: self.id.clone(),
            name: self.seat.name.clone(),
            kind: recording.kind(&self.seat.name, self.seat.kind),
            developers: Vec::new(),
            account: self.seat.account,
            rating: self.seat.rating,
            number: None,
            country: self.seat.country.clone(),
        }
    }
}

struct Telling<'a> {
    recording: &'a Recording,
    people: &'a [Person<'a>],
    logged: bool,
    round: u32,
}

impl Telling<'_> {
    fn paired(&self, boards: &[(u32, &(Micros, Head), &[usize; 2])]) -> TournamentEvent {
        let pairs = boards.iter().filter_map(|(board, _, [gold, silver])| {
            Some(Pair {
                board: *board,
                upper: self.people.get(*gold)?.id.clone(),
                lower: self.people.get(*silver)?.id.clone(),
                upper_side: Some(Side::Gold),
                colour: None,
                encounter: None,
            })
        });
        TournamentEvent::RoundPaired(RoundPaired {
            round: self.round,
            stage: self.recording.stage,
            pairs: pairs.collect(),
            byes: Vec::new(),
            order: Vec::new(),
            measures: Vec::new(),
            equals: None,
            inferred: true,
        })
    }

    /// What one game adds, each with its step at one moment.
    fn game(
        &self,
        board: u32,
        began: Micros,
        head: &Head,
        begins_round: bool,
        open: &mut Vec<u64>,
    ) -> Vec<(u8, ImportedEvent)> {
        let pairing = BoardId { round: self.round, board };
        let game: Option<GameId> =
            if self.logged { format!("arimaa-{}", head.id).parse().ok() } else { None };
        let note = |stated: bool| if stated { None } else { Some(TimeNote::Unknown) };
        let started = note(head.started_at.is_some());
        let mut imported = Vec::new();
        if let Some(game) = &game {
            let event = GameAttached { pairing, attempt: 1, game: game.clone() };
            imported.push((
                1,
                ImportedEvent { at: began, note: started, event: TournamentEvent::GameAttached(event) },
            ));
        }
        if begins_round {
            let (pairing, game) = (Some(pairing), game.clone());
            let event = RoundStarted { round: self.round, pairing, game, programs: Vec::new() };
            imported.push((
                2,
                ImportedEvent { at: began, note: started, event: TournamentEvent::RoundStarted(event) },
            ));
        }
        let outcome = match head.result {
            StatedResult::Won(side) => Outcome::from(side),
            StatedResult::Draw => Outcome::Draw,
            StatedResult::Unknown => {
                open.push(head.id);
                return imported;
            }
        };
        let rated = match head.rated {
            Some(true) => ", rated",
            Some(false) => ", unrated",
            None => "",
        };
        let control = Some(&head.time_control).filter(|control| !control.is_empty());
        let control = control.map_or_else(String::new, |control| format!(", {control}"));
        let event = ResultRecorded {
            pairing,
            outcome,
            termination: head.termination,
            attempt: game.is_some().then_some(1),
            game,
            territory: None,
            note: Some(format!("game {} of the gameroom{control}{rated}", head.id)),
        };
        // An end before the beginning is no time of an end.
        let ended = head.ended_at.filter(|ended| *ended >= began);
        let (at, note) = (ended.unwrap_or(began), note(ended.is_some()));
        imported.push((3, ImportedEvent { at, note, event: TournamentEvent::ResultRecorded(event) }));
        imported
    }
}
