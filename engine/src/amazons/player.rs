//! What sits at the board: a player with settings, who follows a game by its events and chooses moves.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_rules::amazons::{Amazons, Move, Position};
use annals_rules::game::Game;
use annals_rules::seeded::Rng;

use super::evaluation::{Evaluator, Registry};
use super::search::{SearchOptions, Searcher};
use super::settings::{Kind, Settings};
use crate::evaluation::UnknownEvaluator;
use crate::player::Patience;
use crate::search::{Found, Info, Limits, TableTooLarge};

/// What a player decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenTurn {
    pub chosen: Move,
    /// Whether the player would rather give up, by its settings.
    pub resigns: bool,
    /// What the search found; none for a move that was not searched for.
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

impl Player {
    /// A player with these settings and one of the standard evaluators. Where there is not enough memory for its table
    /// it has a smaller one, which [`Player::table_too_large`] tells.
    ///
    /// # Errors
    /// When there is no such evaluator.
    pub fn new(settings: Settings) -> Result<Player, UnknownEvaluator> {
        Player::with_registry(settings, &Registry::standard())
    }

    /// A player whose evaluator may be any of a registry.
    ///
    /// # Errors
    /// When there is no such evaluator.
    pub fn with_registry(settings: Settings, registry: &Registry) -> Result<Player, UnknownEvaluator> {
        let evaluator = registry.get(&settings.evaluator)?;
        // Who does not search needs no table.
        let hash_mib = if settings.kind == Kind::Searcher { settings.hash_mib } else { 0 };
        let options = SearchOptions { hash_mib, width: settings.width, ..SearchOptions::default() };
        let searcher = Searcher::new(Arc::clone(&evaluator), options);
        Ok(Player { settings, evaluator, searcher, patience: Patience::default() })
    }

    /// That its table is smaller than its settings say, where it is.
    #[must_use]
    pub const fn table_too_large(&self) -> Option<TableTooLarge> {
        self.searcher.table_too_large()
    }

    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A new game: what was found out in the one before is forgotten, and all chance follows from this seed.
    pub fn new_game(&mut self, seed: u64) {
        self.settings.seed = seed;
        self.patience = Patience::default();
        self.searcher.clear();
    }

    /// Chooses the next move of a game for the side to move, within the settings' limits; none where the game has not
    /// begun or is over.
    pub fn choose(&mut self, game: &Game<Amazons>) -> Option<ChosenTurn> {
        let limits = self.settings.limits;
        self.choose_within(game, &limits, &AtomicBool::new(false), &mut |_| {})
    }

    /// As [`Player::choose`], within other limits; `stop` ends the search early, `report` hears of every completed
    /// depth.
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

/// Any legal move, each equally likely.
fn any_move(position: &Position, rng: &mut Rng) -> Option<Move> {
    let moves = position.moves();
    if moves.is_empty() { None } else { Some(*rng.pick(&moves)) }
}

/// The move after which an evaluator likes the position best; of equal ones any. A move that wins at once is best.
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
