//! Facts of the log in addition to the games: rulings that made a game unrated, each with its date, and the identities of players, with the
//! dates from which aliases and merges held. The dataset has only the final state of a game.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::people::Alias;
use annals_events::{Event, GameEvent, PeopleEvent, PlayerId, StreamName};
use annals_ingest::game_number::game_number;
use annals_ratings::{Belongs, Player as Rater, PlayerIndex, Pool, RatedChange};
use annals_replay::timeline::EffectiveEvent;
use annals_replay::{Cut, Finding, Projection, Replayed, Scope, people_at, standing_events};
use annals_store::Log;
use serde::Deserialize;

use crate::Error;
use crate::session::{Reading, Session};
use crate::typed_rows::select;

/// The place at which names of the gameroom's archive are valid.
const GAMEROOM: &str = "gameroom";

/// Whether a game is rated, at its start and after each ruling.
#[derive(Debug, Default)]
struct RatedOverTime {
    began: bool,
    changes: Vec<RatedChange>,
}

impl Projection for RatedOverTime {
    fn apply(&mut self, standing: &EffectiveEvent<'_>) {
        let at = standing.effective_at;
        match standing.decode().map(|entry| entry.event) {
            // A correction of the start is applied already, so it holds from the start.
            Ok(Event::Game(GameEvent::Started(started))) => self.began = started.rated,
            Ok(Event::Game(GameEvent::RatedChanged(changed))) => {
                self.changes.push(RatedChange { at, rated: changed.rated });
            }
            Ok(Event::Game(GameEvent::Annulled(_))) => self.changes.push(RatedChange { at, rated: false }),
            // `annals log verify` reports unreadable events.
            _ => {}
        }
    }

    fn find(&mut self, _: Finding) {}
}

/// Adds the rulings to the games of the log.
pub(super) fn follow_rulings(
    session: &Session,
    log: &Log,
    streams: &[Option<String>],
    pool: &mut Pool,
) -> Result<(), Error> {
    #[derive(Deserialize)]
    struct Ruled {
        stream: String,
    }

    let changed =
        "FROM events WHERE type IN ('game.rated_changed', 'game.annulled', 'log.correction') GROUP BY stream";
    let (streams_ruled, _) = select::<Ruled>(session, changed, &[], Reading::Scan)?;
    // By the dataset's number of a stream: a row of a file is the same game as the stream of its number.
    let mut ruled: BTreeMap<u64, String> = BTreeMap::new();
    for Ruled { stream } in streams_ruled {
        let Ok(name) = stream.parse::<StreamName>() else { continue };
        if name.family() == "game" {
            let standing =
                standing_events(log, &name, &Cut::NOW).map_err(|error| Error::Log(error.to_string()))?;
            ruled.insert(game_number(&stream, &standing.game_events()), stream);
        }
    }
    for (game, stream) in pool.games.iter_mut().zip(streams) {
        let is_its_own = |ruled: &&String| stream.as_ref().is_none_or(|stream| stream == *ruled);
        let Some(stream) = ruled.get(&game.id).filter(is_its_own) else { continue };
        let Ok(name) = stream.parse::<StreamName>() else { continue };
        let over_time = Replayed::<RatedOverTime>::rebuild(log, Scope::Stream(name), &Cut::NOW)
            .map_err(|error| Error::Log(error.to_string()))?
            .into_state();
        game.rated = over_time.began;
        game.rated_changes = over_time.changes;
    }
    Ok(())
}

/// The times of events on people; the names and accounts of aliases; and the players by their
/// own names.
#[derive(Debug, Default)]
struct Spoken {
    times: BTreeSet<i64>,
    aliases: Vec<Alias>,
    /// Players with aliases, or with merged identities.
    concerned: BTreeSet<PlayerId>,
    own_names: BTreeMap<PlayerId, String>,
}

impl Projection for Spoken {
    fn apply(&mut self, standing: &EffectiveEvent<'_>) {
        let Ok(Event::People(event)) = standing.decode().map(|entry| entry.event) else { return };
        self.times.insert(standing.effective_at);
        match event {
            PeopleEvent::PlayerKnown(known) => {
                self.own_names.insert(known.player, known.name);
            }
            PeopleEvent::AliasDeclared(declared) => {
                self.concerned.insert(declared.player);
                self.aliases.push(declared.alias);
            }
            PeopleEvent::IdentitiesMerged(merged) => self.concerned.extend([merged.kept, merged.merged]),
            // The undone events were recorded before.
            PeopleEvent::AliasWithdrawn(_) | PeopleEvent::IdentitiesParted(_) => {}
        }
    }

    fn find(&mut self, _: Finding) {}
}

impl Spoken {
    /// The concerned player whose own name or identity this is; none if several players have the name.
    fn own_name(&self, name: &str) -> Option<&PlayerId> {
        let own = |(id, own): &(&PlayerId, &String)| own.as_str() == name || id.as_str() == name;
        let mut owners = self.own_names.iter().filter(own);
        match (owners.next(), owners.next()) {
            (Some((owner, _)), None) => Some(owner).filter(|owner| self.concerned.contains(*owner)),
            _ => None,
        }
    }
}

/// A player of the games who may have an identity in the log.
struct Seen<'s> {
    player: PlayerIndex,
    name: String,
    account: Option<u64>,
    /// The player whose own name it is. An account of the same name may be of another player.
    own: Option<&'s PlayerId>,
}

/// Adds the person of every player whose name or account is an alias, with the time from which it holds.
pub(super) fn follow_people(
    log: &Log,
    pool: &mut Pool,
    player_accounts: &mut Vec<Option<u64>>,
) -> Result<(), Error> {
    let failed = |error: annals_replay::ReplayError| Error::Log(error.to_string());
    let spoken = Replayed::<Spoken>::rebuild(log, Scope::People, &Cut::NOW).map_err(failed)?.into_state();
    let names: BTreeSet<&str> = spoken.aliases.iter().filter_map(|alias| alias.name.as_deref()).collect();
    let accounts: BTreeSet<u64> = spoken.aliases.iter().filter_map(|alias| alias.account).collect();
    let seen: Vec<Seen<'_>> = (0..pool.players.len())
        .map(|player| {
            let (name, account) = (pool.players[player].name.clone(), player_accounts[player]);
            let own = if account.is_none() { spoken.own_name(&name) } else { None };
            Seen { player, name, account, own }
        })
        .filter(|Seen { name, account, own, .. }| {
            own.is_some()
                || names.contains(name.as_str())
                || account.is_some_and(|account| accounts.contains(&account))
        })
        .collect();
    // A player under their own name is the person of the others.
    let mut persons: BTreeMap<PlayerId, PlayerIndex> = BTreeMap::new();
    for seen in &seen {
        if let Some(own) = seen.own {
            persons.entry(own.clone()).or_insert(seen.player);
        }
    }
    let mut means: BTreeMap<PlayerIndex, PlayerIndex> = BTreeMap::new();
    for at in spoken.times.iter().copied().filter(|_| !seen.is_empty()) {
        let people = people_at(log, &Cut::as_of(at)).map_err(failed)?;
        for Seen { player, name, account, own } in &seen {
            let behind = people.behind(Some(GAMEROOM), Some(name), *account);
            let person = match behind.or_else(|| own.map(|own| people.who(own))) {
                Some(id) => match persons.get(id) {
                    Some(person) => *person,
                    None => {
                        let identity = people.identity(id);
                        let shown = identity.map_or_else(|| id.to_string(), |identity| identity.name.clone());
                        let kind = identity.map(|identity| identity.kind);
                        let person = pool.players.len();
                        pool.players.push(Rater { name: shown, kind });
                        player_accounts.push(None);
                        persons.insert(id.clone(), person);
                        person
                    }
                },
                None => *player,
            };
            if means.insert(*player, person).unwrap_or(*player) != person {
                pool.belongs.push(Belongs { at, player: *player, person });
            }
        }
    }
    Ok(())
}
