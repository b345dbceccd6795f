//! The start of a pairing's game in a stream of its own. A first attempt begins from the start; a later one resumes at
//! the ply up to which the ruling counts the previous attempt.

use annals_events::canonical::CanonicalError;
use annals_events::tournament::Clocks;
use annals_events::{
    BoardId, ClockSet, GameEvent, GameId, GameKind, Micros, PlayerAtStart, Started, StreamName,
};
use annals_events::{PlayerId, TournamentId};
use annals_rules::clock::TimeControl;
use annals_store::Log;
use annals_tournaments::rulebook::{RuleId, Rulebook};
use annals_tournaments::rulings::{ResumedRating, is_between_setups};
use annals_tournaments::{Board, Noted, SetAside, Tournament};

use super::draft::Draft;
use crate::context::rulebook_in_force;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::facts::{FoldedGame, Games, facts_in};
use crate::read::state_of;
use crate::shelf::Shelf;

/// A game that is about to begin.
#[derive(Debug, Clone)]
pub struct Begun {
    pub game: GameId,
    /// Which attempt of its pairing it is.
    pub attempt: u32,
    pub drafts: Vec<Draft>,
}

/// Why the game of a pairing cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    #[error("{0}")]
    Replay(#[from] ReplayError),
    #[error("{pairing} was never paired, or was revoked, so no game of it can begin")]
    NoPairing { pairing: BoardId },
    #[error("the colours of {pairing} are not decided: a lot or a player's choice has to come first")]
    NoColours { pairing: BoardId },
    /// The position from which the game resumes is unknown.
    #[error(
        "the ruling lets {ply} plies of game `{before}` count, but the log does not hold that position, or it is \
         between the two setups"
    )]
    NoPosition {
        before: GameId,
        /// The number of plies that count.
        ply: u32,
    },
    /// The log does not have the game that is to be resumed.
    #[error(
        "attempt {attempt} of {pairing} is to go on after ply {ply}, but the log does not hold its game. \
         Play it outside the log and record its result"
    )]
    NoGame {
        pairing: BoardId,
        /// The attempt that was taken out of force.
        attempt: u32,
        /// The number of plies that count.
        ply: u32,
    },
    #[error("the game would be called `{name}`, which is not a valid name of a game")]
    Name { name: String },
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

/// Drafts the beginning of the next game of a pairing. Without `at` it begins `now`.
///
/// # Errors
/// When there is no such pairing, its colours are undecided, or the position from which it resumes is unknown.
pub fn begin_game(
    log: &Log,
    tournament: &TournamentId,
    state: &Tournament,
    pairing: BoardId,
    (at, now): (Option<Micros>, Micros),
) -> Result<Begun, BeginError> {
    let round = state.rounds.get(&pairing.round);
    let board = round.and_then(|round| round.boards.get(&pairing.board));
    let (Some(round), Some(board)) = (round, board) else { return Err(BeginError::NoPairing { pairing }) };
    let (Some(gold), Some(silver)) = (board.gold(), board.silver()) else {
        return Err(BeginError::NoColours { pairing });
    };
    let announced = state.announced.as_ref();
    let kind = announced.map_or(GameKind::Arimaa, |announced| announced.game);
    let attempt = board.last_attempt().saturating_add(1);
    let name = match attempt {
        1 => format!("{tournament}.{pairing}"),
        _ => format!("{tournament}.{pairing}.{attempt}"),
    };
    let Ok(game) = name.parse::<GameId>() else { return Err(BeginError::Name { name }) };
    let Ok(stream) = format!("game/{game}").parse::<StreamName>() else {
        return Err(BeginError::Name { name });
    };
    let rulebook = rulebook_in_force(state).ok().flatten();
    let control = announced
        .and_then(|announced| announced.stages.iter().find(|plan| plan.stage == round.stage))
        .and_then(|plan| plan.time_control.clone())
        .or_else(|| rulebook.as_ref()?.stage(round.stage)?.time_control.map(str::to_owned));
    let resumed = match board.owed() {
        Some(owed) => resumed(log, state, (pairing, board), owed, attempt)?,
        None => Resumption::default(),
    };
    let mut drafts = Vec::new();
    let mut add = |event: GameEvent<'static>| {
        let draft = Draft::new(stream.clone(), at.unwrap_or(now), event)?;
        drafts.push(if at.is_none() { draft.now() } else { draft });
        Ok::<_, CanonicalError>(())
    };
    let has_clock = control.is_some();
    // What was played counts towards the length of the game (2015 WCC, Technical Problems 6).
    let played = resumed.clocks.and_then(|clocks| clocks.game_time).filter(|played| *played > 0);
    let control = control.map(|text| match (text.parse::<TimeControl>(), played) {
        (Ok(control), Some(played)) => control.after(played).to_string(),
        _ => text,
    });
    add(GameEvent::Started(Box::new(Started {
        game: kind,
        gold: at_start(state, gold),
        silver: at_start(state, silver),
        time_control: control.map(Into::into),
        rated: attempt == 1 || rulebook.as_ref().is_none_or(rated_again),
        postal: rulebook.as_ref().is_some_and(|rulebook| rulebook.rule(RuleId::GamePostal).is_some()),
        event: announced.map(|announced| announced.name.clone().into()),
        site: announced.and_then(|announced| announced.site.clone()).map(Into::into),
        position: resumed.position.map(Into::into),
        pairing: Some(format!("{tournament}.{pairing}").into()),
        attempt: Some(attempt),
    })))?;
    if let Some(clocks) = resumed.clocks.filter(|_| has_clock) {
        add(GameEvent::ClockSet(ClockSet {
            gold_reserve: clocks.gold_reserve,
            silver_reserve: clocks.silver_reserve,
            reason: resumed.reason.map(Into::into),
        }))?;
    }
    Ok(Begun { game, attempt, drafts })
}

/// Whether a further attempt is rated, by the readings. If the rulebook has no unrated games, every game is.
fn rated_again(rulebook: &Rulebook) -> bool {
    rulebook.rule(RuleId::RulingUnrated).is_none() || rulebook.readings.resumed_rating == ResumedRating::Rated
}

fn at_start(state: &Tournament, player: &PlayerId) -> PlayerAtStart<'static> {
    let entrant = state.entrants.get(player);
    PlayerAtStart {
        name: entrant.map_or_else(|| player.to_string(), |entrant| entrant.name.clone()).into(),
        player_id: entrant.and_then(|entrant| entrant.entry.fact.account),
        kind: entrant.map(|entrant| entrant.kind),
        title: None,
        country: entrant.and_then(|entrant| entrant.entry.fact.country.clone()).map(Into::into),
        rating: entrant.and_then(|entrant| entrant.rating),
        k: None,
    }
}

/// The state from which a later attempt resumes.
#[derive(Default)]
struct Resumption {
    position: Option<String>,
    clocks: Option<Clocks>,
    reason: Option<String>,
}

/// The state from which the attempt resumes that replaces one put out of force by a ruling; the start for a
/// rematch.
fn resumed(
    log: &Log,
    state: &Tournament,
    (pairing, board): (BoardId, &Board),
    owed: &Noted<SetAside>,
    attempt: u32,
) -> Result<Resumption, BeginError> {
    let SetAside { attempt: earlier, ply, clocks, .. } = owed.fact;
    let Some(ply) = ply.filter(|ply| *ply > 0) else { return Ok(Resumption::default()) };
    let Some(before) = board.games.get(&earlier) else {
        return Err(BeginError::NoGame { pairing, attempt: earlier, ply });
    };
    let ruling = state.rulings.iter().find(|given| given.seq == owed.seq);
    let kind = state.announced.as_ref().map_or(GameKind::Arimaa, |announced| announced.game);
    let missing = || BeginError::NoPosition { before: before.clone(), ply };
    let games = GamesOfLog { log, read: Shelf::default() };
    let folded = games.read(before)?.ok_or_else(missing)?;
    // This attempt may itself resume an earlier one.
    let facts = facts_in(state, &games, before).ok_or_else(missing)?;
    let carried = facts.resumes.as_ref().map_or(0, |(_, plies)| *plies);
    let own = ply.checked_sub(carried).ok_or_else(missing)?;
    if is_between_setups(kind, ply) {
        return Err(missing());
    }
    let position = folded.position_after(own).ok_or_else(missing)?;
    let shown = usize::try_from(ply).ok().and_then(|ply| facts.clocks.get(ply));
    let then = shown.and_then(|clock| {
        Some(Clocks {
            gold_reserve: clock.gold_reserve?,
            silver_reserve: clock.silver_reserve?,
            game_time: clock.game_time,
        })
    });
    // A ruling that does not state the length of the game leaves it unchanged.
    let length = then.and_then(|then| then.game_time);
    let ruled = clocks.map(|clocks| Clocks { game_time: clocks.game_time.or(length), ..clocks });
    let by = ruling.map_or_else(String::new, |given| format!(" by ruling {}", given.ruling.number));
    Ok(Resumption {
        position: Some(position),
        clocks: ruled.or(then),
        reason: Some(format!("attempt {attempt} goes on after ply {ply} of `{before}`{by}")),
    })
}

/// Games of the present log.
struct GamesOfLog<'a> {
    log: &'a Log,
    read: Shelf<GameId, Option<FoldedGame>>,
}

impl GamesOfLog<'_> {
    fn read(&self, game: &GameId) -> Result<Option<&FoldedGame>, ReplayError> {
        let Ok(stream) = format!("game/{game}").parse() else { return Ok(None) };
        Ok(self.read.find(game, || state_of(self.log, &stream, &Cut::NOW))?.as_ref())
    }
}

impl Games for GamesOfLog<'_> {
    fn folded(&self, game: &GameId) -> Option<&FoldedGame> {
        self.read(game).ok().flatten()
    }
}
