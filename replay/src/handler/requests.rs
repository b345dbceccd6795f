//! Requests of a director that depend on the log: the player that a text names, default values, and which events belong
//! together.

use annals_events::narrative;
use annals_events::people::PlayerKnown;
use annals_events::tournament::{
    Benchmark, Deadline, Machine, Milestone, Outcome, PlayerRating, PlayerRegistered, Slot,
};
use annals_events::{
    BoardId, GameId, PeopleEvent, PlayerId, PlayerKind, StreamName, Termination, TournamentEvent,
};
use annals_tournaments::commands::Command;

use super::direct::Step;
use super::play::play;
use super::session::{DirectorSession, SessionError, game_played};

/// What an entry states of the player; omitted values are those in the log.
#[derive(Debug, Clone, Default)]
pub struct KnownAs {
    pub name: Option<String>,
    pub bot: bool,
    pub developers: Vec<String>,
    pub country: Option<String>,
    /// The program's version of another year.
    pub earlier_version: Option<String>,
}

/// The result of a pairing.
#[derive(Debug, Clone)]
pub struct NewResult {
    pub pairing: BoardId,
    /// An outcome, a side, or the player who won; none for the outcome of the game.
    pub outcome: Option<String>,
    pub termination: Option<Termination>,
    /// The game; by default the last one of the pairing.
    pub game: Option<GameId>,
    pub territory: Option<u32>,
}

impl DirectorSession {
    /// The entry of a player by identity or name, with the account, the rating and the number on the list. A player who is not
    /// in the log is recorded too.
    ///
    /// # Errors
    /// When the text is neither an identity nor the name of one known player.
    pub fn entry(
        &self,
        player: &str,
        entry: KnownAs,
        (account, rating, number): (Option<u64>, Option<i32>, Option<u32>),
    ) -> Result<Vec<Step>, SessionError> {
        let people = self.people()?;
        let player: PlayerId = match player.parse::<PlayerId>() {
            Ok(player) => player,
            Err(error) => self
                .player(player)
                .map_err(|unknown| unknown.or(format!("a new player needs an identity: {error}")))?,
        };
        let player = people.who(&player).clone();
        let known = people.identity(&player);
        let kind = match (entry.bot, known) {
            (true, _) => PlayerKind::Bot,
            (false, known) => known.map_or(PlayerKind::Human, |known| known.kind),
        };
        let name = entry.name.or_else(|| known.map(|known| known.name.clone()));
        let name = name.unwrap_or_else(|| player.to_string());
        let developers = match known {
            Some(known) if entry.developers.is_empty() => known.developers.clone(),
            _ => entry.developers,
        };
        let country = entry.country.or_else(|| known.and_then(|known| known.country.clone()));
        let mut steps: Vec<Step> = Vec::new();
        if known.is_none() {
            let earlier_version = entry.earlier_version.map(|text| self.player(&text)).transpose()?;
            let stream = format!("people/{player}").parse()?;
            let known = PlayerKnown {
                player: player.clone(),
                name: name.clone(),
                kind,
                country: country.clone(),
                developers: developers.clone(),
                earlier_version,
            };
            steps.push(self.draft(stream, PeopleEvent::PlayerKnown(known))?.into());
        }
        let registered =
            PlayerRegistered { player, name, kind, developers, account, rating, number, country };
        steps.push(TournamentEvent::PlayerRegistered(registered).into());
        Ok(steps)
    }

    /// Ratings of players by their names.
    ///
    /// # Errors
    /// When there is no such player.
    pub fn ratings(&self, ratings: &[(String, i32)]) -> Result<Vec<PlayerRating>, SessionError> {
        let read =
            |(name, rating): &(String, i32)| Ok(PlayerRating { player: self.player(name)?, rating: *rating });
        ratings.iter().map(read).collect()
    }

    /// Benchmark players by identity, with their names in the log.
    ///
    /// # Errors
    /// When a text is neither an identity nor the name of a player.
    pub fn benchmarks(&self, players: &[String]) -> Result<Vec<Benchmark>, SessionError> {
        let people = self.people()?;
        let benchmark = |text: &String| {
            let player = self.identity(text)?;
            let name =
                people.identity(&player).map_or_else(|| player.to_string(), |known| known.name.clone());
            Ok(Benchmark { player, name, account: None })
        };
        players.iter().map(benchmark).collect()
    }

    /// A benchmark player by identity or by the declared name, else any player.
    ///
    /// # Errors
    /// When there is no such player.
    pub fn benchmark(&self, text: &str) -> Result<PlayerId, SessionError> {
        let declared = self.state()?.benchmarks.map_or_else(Vec::new, |declared| declared.stable);
        if let Some(found) = declared.iter().find(|one| one.player.as_str() == text || one.name == text) {
            return Ok(found.player.clone());
        }
        self.player(text).map_err(|error| match error {
            SessionError::NoSuchPlayer { name, .. } if !declared.is_empty() => {
                let declared = declared.iter().map(|one| one.player.to_string()).collect();
                SessionError::NoSuchBenchmark { name, declared }
            }
            other => other,
        })
    }

    /// The series that the announcement names.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn series(&self) -> Result<Option<String>, SessionError> {
        Ok(self.state()?.announced.and_then(|announced| announced.series))
    }

    /// The developers of a player by the entry.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn developers(&self, player: &PlayerId) -> Result<Vec<String>, SessionError> {
        let state = self.state()?;
        let entrant = state.entrants.get(player);
        Ok(entrant.map_or_else(Vec::new, |entrant| entrant.entry.fact.developers.clone()))
    }

    /// One kind of machine for players with the names of their computers; by default for all players of the round.
    ///
    /// # Errors
    /// When there is no such player.
    pub fn machines(
        &self,
        round: u32,
        (hardware, system): (&str, Option<&str>),
        players: &[(String, Option<String>)],
    ) -> Result<Vec<Machine>, SessionError> {
        let machine = |player, computer| Machine {
            player,
            hardware: hardware.to_owned(),
            system: system.map(str::to_owned),
            computer,
        };
        if players.is_empty() {
            let state = self.state()?;
            let boards = state.rounds.get(&round).into_iter().flat_map(|round| round.boards.values());
            return Ok(boards
                .flat_map(|board| board.players())
                .map(|one| machine(one.clone(), None))
                .collect());
        }
        players.iter().map(|(name, computer)| Ok(machine(self.player(name)?, computer.clone()))).collect()
    }

    /// The game that was started last for a pairing.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn last_game(&self, pairing: BoardId) -> Result<Option<GameId>, SessionError> {
        let state = self.state()?;
        Ok(state.board(pairing).and_then(|board| board.games.values().next_back().cloned()))
    }

    /// The start of a pairing's next game, with a stream of its own or a game of the log. A pairing that was not
    /// published is refused by the rulebook.
    ///
    /// # Errors
    /// When the game cannot begin, or the log does not have it.
    pub fn start(
        &self,
        pairing: BoardId,
        game: Option<GameId>,
        without_game: bool,
    ) -> Result<Vec<Step>, SessionError> {
        let state = self.state()?;
        if without_game || state.board(pairing).is_none() {
            return Ok(vec![Command::Start { pairing, game: None }.into()]);
        }
        Ok(self.beginning(&state, pairing, game)?.1)
    }

    /// The turns of a text in the last game of a pairing, and how the game ended with them, if it did.
    ///
    /// # Errors
    /// When no game of the pairing has begun, or a turn violates the rules.
    pub fn turns(
        &self,
        pairing: BoardId,
        text: &str,
        used: Option<u32>,
    ) -> Result<(Vec<Step>, Option<String>), SessionError> {
        let state = self.state()?;
        let board = state.board(pairing).ok_or(SessionError::NoSuchPairing { pairing })?;
        let last = board.games.iter().next_back();
        let (attempt, game) = last.ok_or(match board.outcome() {
            Some(_) => SessionError::WithoutGame { pairing },
            None => SessionError::NotStarted { pairing },
        })?;
        let stream: StreamName = format!("game/{game}").parse()?;
        let aside = board.set_aside.iter().rev().find(|aside| aside.fact.attempt < *attempt);
        let carried = aside.and_then(|aside| aside.fact.ply);
        let played = play(&self.log, &stream, text, used, carried, (self.at, self.now))?;
        let ending = played.ended.map(|(winner, termination)| match winner {
            Some(side) => {
                format!("{} wins by {}", side.name_in(game_played(&state)), narrative::ending(termination))
            }
            None => format!("no player wins by {}", narrative::ending(termination)),
        });
        Ok((played.drafts.into_iter().map(Step::from).collect(), ending))
    }

    /// A span of time, `FROM..TO`.
    ///
    /// # Errors
    /// When it is not a span, or ends before it begins.
    pub fn slot(&self, text: &str) -> Result<Slot, SessionError> {
        let wrong = || SessionError::NotASpan { found: text.to_owned() };
        let (from, to) = text.split_once("..").ok_or_else(wrong)?;
        let slot = Slot { from: self.time(from)?, to: self.time(to)? };
        if slot.from < slot.to { Ok(slot) } else { Err(wrong()) }
    }

    /// Dates of milestones, in order.
    ///
    /// # Errors
    /// When a text is not a time or a date.
    pub fn deadlines(&self, dates: &[(Milestone, String)]) -> Result<Vec<Deadline>, SessionError> {
        let deadline = |(milestone, at): &(Milestone, String)| {
            Ok(Deadline { milestone: *milestone, at: self.time(at)? })
        };
        dates.iter().map(deadline).collect()
    }

    /// The result of a pairing. A game of the log that has not ended ends with the termination.
    ///
    /// # Errors
    /// When the outcome is not that of the pairing.
    pub fn result(&self, result: NewResult) -> Result<Vec<Step>, SessionError> {
        let NewResult { pairing, outcome, termination, game, territory } = result;
        let outcome = outcome.map(|text| self.outcome_of(pairing, &text)).transpose()?;
        let game = match game {
            Some(game) => Some(game),
            None => self.last_game(pairing)?,
        };
        let mut steps: Vec<Step> = Vec::new();
        if let (Some(game), Some(outcome), Some(termination)) = (&game, outcome, termination) {
            steps.extend(self.ending(game, outcome, termination)?.map(Step::from));
        }
        steps.push(Command::Result { pairing, outcome, termination, game, territory }.into());
        Ok(steps)
    }

    /// An outcome by its name, or by the name of the winning side in the game.
    ///
    /// # Errors
    /// When it is neither.
    pub fn outcome(&self, text: &str) -> Result<Outcome, SessionError> {
        Ok(Outcome::read_in(text, game_played(&self.state()?))?)
    }

    /// An outcome by its name, by the side or by the player that won.
    ///
    /// # Errors
    /// When it is none of them, or the winner does not play in the pairing.
    pub fn outcome_of(&self, pairing: BoardId, text: &str) -> Result<Outcome, SessionError> {
        let unknown = match self.outcome(text) {
            Err(SessionError::Outcome(unknown)) => unknown,
            outcome => return outcome,
        };
        let state = self.state()?;
        let Some(board) = state.board(pairing) else {
            // The rulebook refuses any result, with the reason.
            let (outcome, termination, game, territory) = (Some(Outcome::Gold), None, None, None);
            self.tried(&[Command::Result { pairing, outcome, termination, game, territory }.into()])?;
            return Err(SessionError::NoSuchPairing { pairing });
        };
        let winner = self.player(text).map_err(|error| error.or(unknown))?;
        match (board.gold(), board.silver()) {
            (Some(gold), _) if *gold == winner => Ok(Outcome::Gold),
            (_, Some(silver)) if *silver == winner => Ok(Outcome::Silver),
            (None, _) => Err(SessionError::NoColours { pairing }),
            _ => Err(SessionError::OtherPairing {
                player: winner,
                pairing,
                players: board.players().map(PlayerId::clone),
            }),
        }
    }
}
