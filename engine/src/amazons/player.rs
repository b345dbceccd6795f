//! A player with settings, who follows a game by its events and chooses moves.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_rules::amazons::{Amazons, Move, Position};
use annals_rules::game::Game;
use annals_rules::seeded::Rng;

use super::evaluation::{Evaluator, Registry};
use super::search::{SearchOptions, Searcher};
use super::settings::{Kind, Settings};
use crate::evaluation::UnknownEvaluator;
use crate::player::{Patience, common};
use crate::search::{Found, Info, Limits, TableTooLarge};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenTurn {
    pub chosen: Move,
    /// By its settings.
    pub resigns: bool,
    /// None for a move without search.
    pub found: Option<Found<Move>>,
}

pub struct Player {
    settings: Settings,
    evaluator: Arc<dyn Evaluator>,
    searcher: Searcher,
    patience: Patience,
}

impl std::fmt::Debug for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").field("settings", &self.settings).finish_non_exhaustive()
    }
}

common!(Amazons);

impl Player {
    /// Without enough memory the table is smaller: see [`Player::table_too_large`].
    ///
    /// # Errors
    /// If the evaluator is unknown.
    pub fn new(settings: Settings, registry: &Registry) -> Result<Player, UnknownEvaluator> {
        let evaluator = registry.get(&settings.evaluator)?;
        // Only a search needs a table.
        let hash_mib = if settings.kind == Kind::Searcher { settings.hash_mib } else { 0 };
        let options = SearchOptions { hash_mib, width: settings.width, ..SearchOptions::default() };
        let searcher = Searcher::new(Arc::clone(&evaluator), options);
        Ok(Player { settings, evaluator, searcher, patience: Patience::default() })
    }

    /// The next move; none before the start and after the end. `stop` ends the search early, `report` is called for
    /// every completed depth.
    pub fn choose_within(
        &mut self,
        game: &Game<Amazons>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Option<ChosenTurn> {
        let position = game.state()?;
        if game.ending().is_some() || position.winner().is_some() {
            return None;
        }
        let side = position.to_move();
        let played = game.plies().iter().filter(|ply| ply.side == side).count();
        let chance =
            |purpose: u64| Rng::of(&[self.settings.seed, side.index() as u64, played as u64, purpose]);
        let unsearched = |chosen: Move| ChosenTurn { chosen, resigns: false, found: None };
        let noise = self.settings.noise;
        let mut rng = chance(1);
        let of_chance = played < usize::from(noise.turns) && rng.chance(u32::from(noise.per_mille));
        if of_chance || self.settings.kind == Kind::Random {
            return any_move(position, &mut rng).map(unsearched);
        }
        if self.settings.kind == Kind::Greedy {
            return greedy_move(position, &*self.evaluator, &mut chance(2)).map(unsearched);
        }
        let found = self.searcher.search(position, self.settings.seed, limits, stop, report)?;
        let resigns = self.patience.ends(self.settings.resign, side, found.info.score);
        Some(ChosenTurn { chosen: found.turn, resigns, found: Some(found) })
    }
}

/// Uniformly random.
fn any_move(position: &Position, rng: &mut Rng) -> Option<Move> {
    let moves = position.moves();
    if moves.is_empty() { None } else { Some(*rng.pick(&moves)) }
}

/// The move with the best evaluation after it, ties at random. An immediate win is best.
fn greedy_move(position: &Position, evaluator: &dyn Evaluator, rng: &mut Rng) -> Option<Move> {
    let (mut best, mut worth) = (Vec::new(), i32::MIN);
    for played in position.moves() {
        let mut after = *position;
        after.make(played);
        let this = if after.winner().is_some() { i32::MAX } else { -evaluator.evaluate(&after) };
        if this > worth {
            best.clear();
            worth = this;
        }
        if this == worth {
            best.push(played);
        }
    }
    if best.is_empty() { None } else { Some(*rng.pick(&best)) }
}
