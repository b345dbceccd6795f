//! The director's work on games: pairing, start, result, rulings, narrative.

use annals_events::tournament::{Effect, Evidence};
use annals_events::{BoardId, ClockSet, Event, GameEvent, GameId, GameKind, Micros, PlayerId};
use annals_replay::GameReplay;
use annals_replay::handler::{Step, begin_game};
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;

use super::director::{Director, drafts, refused_by};
use super::game_in_play::Events;
use crate::{DemoError, Progress};

/// Its events so far, or those after its opening.
pub struct OngoingGame {
    pub pairing: BoardId,
    pub game: GameId,
    pub events: Events,
}

impl OngoingGame {
    pub fn ends(&self) -> Micros {
        self.events.last().map_or(0, |(at, _)| *at)
    }

    /// One per turn.
    pub fn plies(&self) -> usize {
        self.events.iter().filter(|(_, event)| matches!(event, GameEvent::TurnTaken(_))).count()
    }

    /// Up to the last of `plies` turns.
    pub fn up_to(&self, plies: usize) -> Events {
        let mut turns = 0;
        let before = self.events.iter().take_while(|(_, event)| {
            let enough = turns == plies;
            turns += usize::from(matches!(event, GameEvent::TurnTaken(_)));
            !enough
        });
        before.cloned().collect()
    }
}

impl Director {
    /// None if the rule `over` ends pairing.
    pub fn pair(&mut self, at: Micros, over: &str) -> Result<Option<u32>, DemoError> {
        match self.try_to(at, &[Command::Pair { seed: None }.into()]) {
            Ok(_) => Ok(self.state()?.rounds.keys().next_back().copied()),
            Err(error) if refused_by(&error) == Some(over) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns its events so far.
    pub fn begin(&mut self, pairing: BoardId, at: Micros) -> Result<OngoingGame, DemoError> {
        let state = self.state()?;
        let begun = begin_game(&self.log, &self.name, &state, pairing, (Some(at), self.now()))?;
        let mut events = Events::new();
        for draft in &begun.drafts {
            let entry = draft.decode()?;
            if let Event::Game(event) = &entry.event {
                events.extend(owned(draft.effective_at, event).map(|event| (draft.effective_at, event)));
            }
        }
        let mut steps: Vec<Step> = begun.drafts.into_iter().map(Step::from).collect();
        steps.push(Command::Start { pairing, game: Some(begun.game.clone()) }.into());
        self.carry_out(at, &steps)?;
        Ok(OngoingGame { pairing, game: begun.game, events })
    }

    /// With its result.
    pub fn finish(&mut self, game: OngoingGame, at: Micros) -> Result<(), DemoError> {
        let mut steps = drafts(&game.game, game.events)?;
        steps.push(result(game.pairing, None));
        self.carry_out(at, &steps).map(drop)
    }
}

/// `territory` overrides the game's.
pub fn result(pairing: BoardId, territory: Option<u32>) -> Step {
    Command::Result { pairing, outcome: None, termination: None, game: None, territory }.into()
}

/// With a statement as evidence.
pub fn rule(effect: Effect, reason: &str, evidence: &str, dispute: Option<u32>) -> Step {
    let text = evidence.to_owned();
    let evidence = Evidence { text, source: None, digest: None, game: None, ply: None, seq: None };
    let evidence = if effect == Effect::Nothing { Vec::new() } else { vec![evidence] };
    Command::Rule { effect, reason: reason.to_owned(), evidence, dispute, supersedes: None }.into()
}

/// By board.
pub fn narrate(progress: &dyn Progress, state: &Tournament, number: u32) -> Result<(), DemoError> {
    let Some(round) = state.rounds.get(&number) else { return Ok(()) };
    let bye = round.byes.first().map_or(String::new(), |bye| format!(", bye {}", bye.player));
    progress.say(&format!("Round {number} ({}){bye}", round.stage))?;
    let mut boards = round.boards.keys();
    boards.try_for_each(|board| narrate_board(progress, state, BoardId { round: number, board: *board }))
}

pub fn narrate_board(progress: &dyn Progress, state: &Tournament, pairing: BoardId) -> Result<(), DemoError> {
    let board = state.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
    let Some(board) = board else { return Ok(()) };
    let kind = state.announced.as_ref().map_or(GameKind::Arimaa, |announced| announced.game);
    let name = |player: Option<&PlayerId>| player.map_or("?", |player| player.as_str()).to_owned();
    let (gold, silver) = (name(board.gold()), name(board.silver()));
    let won = board.outcome().map_or("open", |outcome| outcome.word_in(kind));
    let how = board.termination().map_or(String::new(), |how| format!(" by {how}"));
    let territory = board.territory().map_or(String::new(), |squares| format!(", territory {squares}"));
    progress.say(&format!("  {pairing}  {gold} - {silver}: {won}{how}{territory}"))
}

/// An opening event, owned; none for others.
fn owned(at: Micros, event: &GameEvent<'_>) -> Option<GameEvent<'static>> {
    match event {
        GameEvent::Started(_) => {
            let mut replay = GameReplay::default();
            replay.apply_event(0, at, event);
            replay.started().map(|started| GameEvent::Started(Box::new(started.clone())))
        }
        GameEvent::ClockSet(set) => Some(GameEvent::ClockSet(ClockSet {
            gold_reserve: set.gold_reserve,
            silver_reserve: set.silver_reserve,
            reason: set.reason.as_deref().map(|reason| reason.to_owned().into()),
        })),
        _ => None,
    }
}
