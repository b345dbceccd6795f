//! The games of one event as a tournament. Entries, results and times are those of the rows; rounds are inferred from
//! dates and marked so. Byes are not inferred.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{
    GameAttached, Outcome, Pair, PlayerRegistered, ResultRecorded, RoundPaired, RoundStarted,
};
use annals_events::{BoardId, GameId, Micros, PlayerId, Side, TimeNote, TournamentEvent};
use annals_tournaments::infer::{DatedGame, InferredRound, rounds};

use super::heads::{Head, Seat};
use crate::game_record::StatedResult;
use crate::imported::{Identities, ImportedEvent, Recording};

/// The dated games of an event, by beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventGames {
    games: Vec<(Micros, Head)>,
    /// Numbers of games without any time.
    pub timeless: Vec<u64>,
}

impl EventGames {
    /// Orders games by start, else by end; omits those without either.
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

    /// By beginning.
    pub fn games(&self) -> impl Iterator<Item = &Head> {
        self.games.iter().map(|(_, head)| head)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FromArchive {
    /// In order; the first announces it. Empty without games.
    pub events: Vec<ImportedEvent>,
    pub players: usize,
    /// Rounds with indices into [`EventGames::games`].
    pub rounds: Vec<InferredRound>,
    /// Numbers of games without a stated result.
    pub open: Vec<u64>,
    /// Players with several names, the first one first.
    pub renamed: Vec<Vec<String>>,
    /// Interpretations that the archive does not state.
    pub remarks: Vec<String>,
}

impl FromArchive {
    /// Games whose round follows from the order alone.
    #[must_use]
    pub fn firm(&self) -> usize {
        self.rounds.iter().flat_map(|round| &round.games).filter(|placed| placed.is_firm()).count()
    }
}

struct Person<'h> {
    id: PlayerId,
    seat: &'h Seat,
    names: BTreeSet<&'h str>,
}

/// The tournament of an event. If `logged`, games are attached as `game/arimaa-NUMBER`.
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
    out.remarks.extend(recording.remark_on_stage(people.len()));
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
        // A round is paired before it begins, and before the next one is.
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
    // By time; at equal times pairing, start, result. The stable sort keeps the boards in order.
    played.sort_by_key(|(at, step, round, _)| (*at, *step, *round));
    out.events.extend(played.into_iter().map(|(.., imported)| imported));
    out.open.sort_unstable();
    out
}

/// All players by first game, and the players of each game.
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

    /// With the rating of the first game.
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
            stage: self.recording.stage_for(self.people.len()),
            pairs: pairs.collect(),
            byes: Vec::new(),
            order: Vec::new(),
            measures: Vec::new(),
            equals: None,
            inferred: true,
        })
    }

    /// The events of one game, each with its order at equal times.
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
        // An end before the beginning is ignored.
        let ended = head.ended_at.filter(|ended| *ended >= began);
        let (at, note) = (ended.unwrap_or(began), note(ended.is_some()));
        imported.push((3, ImportedEvent { at, note, event: TournamentEvent::ResultRecorded(event) }));
        imported
    }
}
