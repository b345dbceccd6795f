//! A director at work on one tournament: players and times by their names, and requests.

use annals_events::canonical::CanonicalError;
use annals_events::tournament::{GameAttached, Ground, Outcome};
use annals_events::{
    BoardId, DecodeError, Ended, Entry, EnvelopeError, Event, GameEvent, GameId, GameKind, Micros, PlayerId,
    StatedPeriod, StreamName, Termination, TimeNote, TournamentEvent, TournamentId, UnknownWord,
};
use annals_store::{Expected, Log, ReadError};
use annals_tournaments::Tournament;
use annals_tournaments::commands::{AnnounceOrder, Command, announcement};
use annals_tournaments::rulebook::{Rulebook, RulebookError};
use jiff::tz::TimeZone;

use super::append::{Directed, HandlerError, append_with_verdicts, would_append};
use super::begin::{BeginError, begin_game};
use super::direct::{DirectError, Director, Step, direct_stated, try_stated};
use super::draft::Draft;
use super::play::PlayError;
use crate::context::rulebook_in_force;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::game::GameReplay;
use crate::people::People;
use crate::point::{PointError, Stated, instant};
use crate::projection::Replayed;
use crate::read::people_at;
use crate::recorded::Scope;
use crate::tournament::TournamentReplay;

/// A director at work on one tournament.
pub struct DirectorSession {
    pub log: Log,
    pub name: TournamentId,
    /// The stream of the tournament.
    pub stream: StreamName,
    /// When it happens, if stated.
    pub at: Option<Micros>,
    /// The month, season or year that begins at that time, if no more is stated.
    pub period: Option<StatedPeriod>,
    /// The present time by the log's clock.
    pub now: Micros,
    pub actor: String,
    /// The zone in which times are read.
    pub zone: TimeZone,
    /// Whether nothing is appended.
    pub dry_run: bool,
}

/// Why a request is invalid or refused. Nothing of it is in the log.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Direct(#[from] DirectError),
    #[error(transparent)]
    Begin(#[from] BeginError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    #[error(transparent)]
    Name(#[from] EnvelopeError),
    #[error(transparent)]
    Decode(#[from] DecodeError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Append(#[from] HandlerError),
    #[error(transparent)]
    Outcome(#[from] UnknownWord),
    #[error(transparent)]
    Time(#[from] PointError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("`{name}` is the name of several players")]
    SeveralPlayers { name: String, players: Vec<PlayerId> },
    #[error("no player called `{name}` has entered, and the log knows no player of that name")]
    NoSuchPlayer {
        name: String,
        /// Identities and names of those who entered, and of all players in the log.
        known: Vec<String>,
        /// Why the text is not another kind of value, if it could be one.
        or: Option<String>,
    },
    #[error("`{name}` is not a declared benchmark player")]
    NoSuchBenchmark {
        name: String,
        /// Their identities.
        declared: Vec<String>,
    },
    #[error("the rulebook {rulebook} has no rule `{name}`")]
    NoSuchRule { rulebook: String, name: String, known: Vec<&'static str> },
    #[error("the log has no game `{game}`")]
    NoSuchGame { game: GameId },
    #[error("`{stream}` was announced already")]
    Announced { stream: StreamName },
    #[error("there is no pairing {pairing}")]
    NoSuchPairing { pairing: BoardId },
    #[error("no game of {pairing} has begun")]
    NotStarted { pairing: BoardId },
    #[error("{pairing} has its result, and the log has no game of it")]
    WithoutGame { pairing: BoardId },
    #[error("expected a span FROM..TO that ends after it begins, found `{found}`")]
    NotASpan { found: String },
    #[error("the colours of {pairing} are not decided")]
    NoColours { pairing: BoardId },
    #[error("`{player}` does not play in {pairing}: that is {} against {}", players[0], players[1])]
    OtherPairing { player: PlayerId, pairing: BoardId, players: [PlayerId; 2] },
}

impl SessionError {
    /// For a text that could be another kind of value than a player: why it is not.
    pub(super) fn or(self, not: impl ToString) -> SessionError {
        match self {
            SessionError::NoSuchPlayer { name, known, .. } => {
                SessionError::NoSuchPlayer { name, known, or: Some(not.to_string()) }
            }
            other => other,
        }
    }
}

impl DirectorSession {
    /// When it happens: as stated, or now.
    pub fn moment(&self) -> Micros {
        self.at.unwrap_or(self.now)
    }

    /// When it happens, as a source states it.
    fn stated(&self) -> Option<Stated> {
        self.at.map(|at| Stated { at, period: self.period })
    }

    /// A time in the zone of the session.
    ///
    /// # Errors
    /// When the text is not a time or a date.
    pub fn time(&self, text: &str) -> Result<Micros, PointError> {
        instant(text, &self.zone)
    }

    /// The present tournament.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn state(&self) -> Result<Tournament, ReplayError> {
        let scope = Scope::Stream(self.stream.clone());
        Ok(Replayed::<TournamentReplay>::rebuild(&self.log, scope, &Cut::NOW)?.into_state().tournament)
    }

    /// All players in the log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn people(&self) -> Result<People, ReplayError> {
        people_at(&self.log, &Cut::NOW)
    }

    /// A player by identity or by a unique name: first among those who entered, then among all players in the log.
    ///
    /// # Errors
    /// When there is no such player, or several have the name.
    pub fn player(&self, text: &str) -> Result<PlayerId, SessionError> {
        let (state, people) = (self.state()?, self.people()?);
        let entered: Vec<(&PlayerId, &str)> =
            state.entrants.iter().map(|(id, entrant)| (id, entrant.name.as_str())).collect();
        let known: Vec<(&PlayerId, &str)> =
            people.identities().map(|one| (&one.player, one.name.as_str())).collect();
        for among in [&entered, &known] {
            if let Some((id, _)) = among.iter().find(|(id, _)| id.as_str() == text) {
                return Ok((*id).clone());
            }
            let mut named: Vec<PlayerId> = among
                .iter()
                .filter(|(_, name)| name.eq_ignore_ascii_case(text))
                .map(|(id, _)| (*id).clone())
                .collect();
            named.dedup();
            match named.as_slice() {
                [] => {}
                [one] => return Ok(one.clone()),
                _ => return Err(SessionError::SeveralPlayers { name: text.to_owned(), players: named }),
            }
        }
        let names = entered.iter().chain(&known).flat_map(|(id, name)| [id.to_string(), (*name).to_owned()]);
        Err(SessionError::NoSuchPlayer { name: text.to_owned(), known: names.collect(), or: None })
    }

    /// A player by identity, also one that is not in the log, or by name.
    ///
    /// # Errors
    /// When it is neither.
    pub fn identity(&self, text: &str) -> Result<PlayerId, SessionError> {
        text.parse().or_else(|_| self.player(text))
    }

    /// An event of another stream, with the time of this session.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn draft(
        &self,
        stream: StreamName,
        event: impl Into<Event<'static>>,
    ) -> Result<Draft, CanonicalError> {
        let event = event.into();
        let entry = Entry { event, time: self.period.map(TimeNote::Stated) };
        let draft = Draft::of_entry(stream, self.moment(), &entry)?;
        Ok(if self.at.is_none() { draft.now() } else { draft })
    }

    /// Rules by their names, with their paragraphs if the rulebook is known.
    ///
    /// # Errors
    /// When the rulebook has no such rule.
    pub fn grounds(&self, rules: &[String]) -> Result<Vec<Ground>, SessionError> {
        let rulebook = rulebook_in_force(&self.state()?)?;
        let ground = |name: &String| match &rulebook {
            None => Ok(Ground { rule: name.clone(), paragraph: None, finding: None }),
            Some(rulebook) => rulebook.rule_named(name).map(|rule| rule.ground(None)).ok_or_else(|| {
                let known = rulebook.rules.iter().map(|rule| rule.id.name()).collect();
                SessionError::NoSuchRule { rulebook: rulebook.name.to_owned(), name: name.clone(), known }
            }),
        };
        rules.iter().map(ground).collect()
    }

    /// Decides several parts together and appends them.
    ///
    /// # Errors
    /// When one of them is refused.
    pub fn direct(&mut self, steps: &[Step]) -> Result<Directed, DirectError> {
        let director =
            Director { stream: &self.stream, at: self.at, actor: &self.actor, dry_run: self.dry_run };
        let stated = self.stated();
        direct_stated(&mut self.log, &director, steps, stated)
    }

    /// Announces the tournament.
    ///
    /// # Errors
    /// When it was announced already, or the announcement is refused.
    pub fn announce(&mut self, rulebook: &Rulebook, order: AnnounceOrder) -> Result<Directed, SessionError> {
        if self.log.stream_info(&self.stream)?.is_some() {
            return Err(SessionError::Announced { stream: self.stream.clone() });
        }
        let announced = TournamentEvent::Announced(announcement(rulebook, order));
        let drafts = [self.draft(self.stream.clone(), announced)?];
        if self.dry_run {
            return Ok(would_append(&self.log, &drafts)?);
        }
        let expected = [(self.stream.clone(), Expected::NoStream)];
        Ok(append_with_verdicts(&mut self.log, &drafts, &self.actor, &expected)?)
    }

    /// The result of several parts together; nothing is appended.
    ///
    /// # Errors
    /// When one of them would be refused.
    pub fn tried(&self, steps: &[Step]) -> Result<Directed, DirectError> {
        let director = Director { stream: &self.stream, at: self.at, actor: &self.actor, dry_run: true };
        try_stated(&self.log, &director, steps, self.stated())
    }

    /// The parts of the beginning of a pairing's next game, a new one or one in the log; and the game.
    ///
    /// # Errors
    /// When the game cannot begin, or the log does not have it.
    pub fn beginning(
        &self,
        state: &Tournament,
        pairing: BoardId,
        game: Option<GameId>,
    ) -> Result<(GameId, Vec<Step>), SessionError> {
        let (game, attempt, mut steps) = match game {
            Some(game) => {
                if self.log.stream_info(&format!("game/{game}").parse()?)?.is_none() {
                    return Err(SessionError::NoSuchGame { game });
                }
                let last = state.board(pairing).and_then(|board| board.games.keys().next_back().copied());
                (game, last.unwrap_or(0).saturating_add(1), Vec::new())
            }
            None => {
                let begun = begin_game(&self.log, &self.name, state, pairing, (self.at, self.now))?;
                let drafts = begun.drafts.into_iter().map(Step::from).collect();
                (begun.game, begun.attempt, drafts)
            }
        };
        steps.push(Command::Start { pairing, game: Some(game.clone()) }.into());
        let directed = self.tried(&steps)?;
        let attaches = |draft: &Draft| draft.event_type == "tournament.game_attached";
        if !directed.drafts.iter().any(attaches) {
            let game = game.clone();
            steps.push(TournamentEvent::GameAttached(GameAttached { pairing, attempt, game }).into());
        }
        Ok((game, steps))
    }

    /// The end of a game of the log that has not ended; none if it has, or is not in the log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn ending(
        &self,
        game: &GameId,
        outcome: Outcome,
        termination: Termination,
    ) -> Result<Option<Draft>, SessionError> {
        if !matches!(outcome, Outcome::Gold | Outcome::Silver | Outcome::Draw) {
            return Ok(None);
        }
        let stream: StreamName = format!("game/{game}").parse()?;
        let replayed = Replayed::<GameReplay>::rebuild(&self.log, Scope::Stream(stream.clone()), &Cut::NOW)?;
        let replay = replayed.state();
        if replay.started().is_none() || replay.game().ending().is_some() || replay.game().is_annulled() {
            return Ok(None);
        }
        let ended = Ended {
            winner: outcome.winner(),
            termination: Some(termination),
            stated: None,
            draw: outcome == Outcome::Draw,
        };
        Ok(Some(self.draft(stream, GameEvent::Ended(ended))?))
    }
}

/// Which game a tournament plays.
#[must_use]
pub fn game_played(state: &Tournament) -> GameKind {
    state.announced.as_ref().map_or(GameKind::Arimaa, |announced| announced.game)
}
