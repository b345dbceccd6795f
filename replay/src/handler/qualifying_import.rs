//! Imports qualifying games into the log: the players of the search, and which of the games found are new.

use annals_events::canonical::CanonicalError;
use annals_events::tournament::{Milestone, QualifyingGamePlayed};
use annals_events::{Event, EventId, Micros, PlayerId, StreamName, TournamentEvent};
use annals_store::{Log, ReadError};
use annals_tournaments::qualifying::{KnownPlayer, Period};

use super::draft::Draft;
use super::import::{ImportError, Importer, SourceNote, digest};
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::people::People;
use crate::read::{people_at, tournament_at};

/// The parameters of a search for the qualifying games of a tournament.
#[derive(Debug, Clone)]
pub struct QualifyingSearch {
    pub period: Period,
    pub entrants: Vec<KnownPlayer>,
    pub benchmarks: Vec<KnownPlayer>,
}

/// Games that were found, compared with the log.
#[derive(Debug, Default)]
pub struct QualifyingGames {
    pub new: Vec<QualifyingGamePlayed>,
    /// Games that are in the log.
    pub known: u64,
    /// Numbers of games that are in the log with other content.
    pub differ: Vec<u64>,
}

/// Why qualifying games cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum QualifyingImportError {
    #[error("the schedule of the tournament has no date `{milestone}`")]
    NoDate { milestone: Milestone },
    #[error("no benchmark players were declared, so no game can be one of the qualifier")]
    NoBenchmarks,
    #[error("no player has entered {stream}, so there is no player to qualify")]
    NoEntrants { stream: StreamName },
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error("game {number}: {error}")]
    Event { number: u64, error: CanonicalError },
}

impl QualifyingSearch {
    /// The search for the qualifying games of a tournament.
    ///
    /// # Errors
    /// When the log cannot be read, or the tournament lacks the period, the benchmark players or entrants.
    pub fn of(log: &Log, stream: &StreamName) -> Result<QualifyingSearch, QualifyingImportError> {
        let cut = Cut::at_seq(log.last_seq()?);
        let (tournament, people) = (tournament_at(log, stream, &cut)?.tournament, people_at(log, &cut)?);
        let period = tournament.qualifying_period();
        let period = period.map_err(|milestone| QualifyingImportError::NoDate { milestone })?;
        let declared = tournament.benchmarks.as_ref().ok_or(QualifyingImportError::NoBenchmarks)?;
        let benchmarks =
            declared.stable.iter().map(|one| known(&one.player, &one.name, one.account, &people));
        let entrants = tournament
            .entrants
            .iter()
            .map(|(player, entrant)| known(player, &entrant.name, entrant.entry.fact.account, &people));
        let search =
            QualifyingSearch { period, entrants: entrants.collect(), benchmarks: benchmarks.collect() };
        if search.entrants.is_empty() {
            return Err(QualifyingImportError::NoEntrants { stream: stream.clone() });
        }
        Ok(search)
    }
}

/// A player with all names and accounts in the log.
fn known(player: &PlayerId, name: &str, account: Option<u64>, people: &People) -> KnownPlayer {
    let (mut names, mut accounts) = (vec![name.to_owned()], Vec::from_iter(account));
    for alias in people.aliases_of(player) {
        if alias.place.as_deref().is_none_or(|place| place == "gameroom") {
            names.extend(alias.name.clone());
            accounts.extend(alias.account);
        }
    }
    KnownPlayer { player: player.clone(), names, accounts }
}

impl QualifyingGames {
    /// Compares games with those in the log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn compare(
        log: &Log,
        stream: &StreamName,
        games: impl IntoIterator<Item = QualifyingGamePlayed>,
    ) -> Result<QualifyingGames, ReadError> {
        let mut compared = QualifyingGames::default();
        for game in games {
            let Some(found) = log.find(event_id(stream, &game))? else {
                compared.new.push(game);
                continue;
            };
            compared.known += 1;
            let recorded = found.decode_entry().map(|entry| entry.event);
            let agrees = match recorded {
                Ok(Event::Tournament(event)) => match &*event {
                    TournamentEvent::QualifyingGamePlayed(recorded) => agree(recorded, &game),
                    _ => false,
                },
                _ => false,
            };
            if !agrees {
                compared.differ.extend(game.number);
            }
        }
        Ok(compared)
    }

    /// Appends the new games.
    ///
    /// # Errors
    /// When the log does not accept them.
    pub fn import(
        &self,
        log: &mut Log,
        stream: &StreamName,
        note: &SourceNote,
        (actor, now): (&str, Micros),
    ) -> Result<(), QualifyingImportError> {
        if self.new.is_empty() {
            return Ok(());
        }
        let mut importer = Importer::new(log, actor)?;
        importer.join(stream)?;
        for game in &self.new {
            let event = TournamentEvent::QualifyingGamePlayed(game.clone());
            let draft = Draft::new(stream.clone(), game.ended_at, Event::from(event)).map_err(|error| {
                QualifyingImportError::Event { number: game.number.unwrap_or_default(), error }
            })?;
            importer.add(&draft.with_id(event_id(stream, game)))?;
        }
        importer.finish_with(note, now)?;
        Ok(())
    }
}

/// Whether two records of a game are the same; one of them may name the game of the log, and the other none.
fn agree(one: &QualifyingGamePlayed, other: &QualifyingGamePlayed) -> bool {
    let without_game = |game: &QualifyingGamePlayed| QualifyingGamePlayed { game: None, ..game.clone() };
    without_game(one) == without_game(other)
}

/// The identity of the event: made of the tournament, the entrant and the number of the game, so that the same game is
/// never recorded twice.
fn event_id(stream: &StreamName, game: &QualifyingGamePlayed) -> EventId {
    let first = digest(&format!("{stream} qualifying game of {}", game.player));
    EventId::for_import(first, game.number.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use annals_events::Side;

    use super::*;

    #[test]
    fn a_game_is_known_by_tournament_entrant_and_number_and_agrees_but_for_its_stream() {
        let game = QualifyingGamePlayed {
            player: "dora".parse().unwrap(),
            benchmark: "anna".parse().unwrap(),
            side: Side::Gold,
            rated: true,
            started_at: 1,
            ended_at: 2,
            winner: None,
            termination: None,
            number: Some(7),
            game: Some("arimaa-7".parse().unwrap()),
        };
        let stream = |name: &str| name.parse::<StreamName>().unwrap();
        let others = [
            QualifyingGamePlayed { number: Some(8), ..game.clone() },
            QualifyingGamePlayed { player: "ella".parse().unwrap(), ..game.clone() },
        ];
        let id = event_id(&stream("tournament/a"), &game);
        assert_ne!(id, event_id(&stream("tournament/b"), &game));
        assert!(others.iter().all(|other| event_id(&stream("tournament/a"), other) != id));
        assert!(agree(&game, &QualifyingGamePlayed { game: None, ..game.clone() }));
        assert!(!agree(&game, &QualifyingGamePlayed { rated: false, ..game.clone() }));
    }
}
