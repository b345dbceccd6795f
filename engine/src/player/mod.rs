//! A player with settings, who sets up, follows a game by its events, and chooses turns.

mod noise;
mod patience;
mod setups;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_events::Side;
use annals_rules::arimaa::{Arimaa, Generator, Phase, Position, Turn};
use annals_rules::game::Game;
use annals_rules::seeded::Rng;

use crate::evaluation::{Registry, UnknownEvaluator};
use crate::search::{Found, Info, Limits, Past, SearchOptions, Searcher, TableTooLarge};

pub(crate) use patience::Patience;
pub use patience::Resign;
pub use setups::SetupStyle;

/// Random turns at the beginning, so that games differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Noise {
    /// Own turns after the setup.
    pub turns: u16,
    /// Probability of a random turn, per thousand.
    pub per_mille: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub evaluator: String,
    pub limits: Limits,
    /// In MiB.
    pub hash_mib: u32,
    /// The table size is `hash_mib`.
    pub search: SearchOptions,
    pub setup: SetupStyle,
    /// In its first turns.
    pub noise: Noise,
    /// None for never. The turn is `resign`.
    pub resign: Option<Resign>,
    /// Of setup and noise.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            evaluator: Registry::DEFAULT.to_owned(),
            limits: Limits::nodes(20_000),
            hash_mib: 32,
            search: SearchOptions::default(),
            setup: SetupStyle::Fixed,
            noise: Noise::default(),
            resign: None,
            seed: 0,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenTurn {
    pub turn: Turn,
    /// None for a setup or random turn.
    pub found: Option<Found>,
}

/// What the players of both games have in common.
macro_rules! common {
    ($rules:ty) => {
        impl Player {
            /// If its table is smaller than set.
            #[must_use]
            pub const fn table_too_large(&self) -> Option<TableTooLarge> {
                self.searcher.table_too_large()
            }

            #[must_use]
            pub fn settings(&self) -> &Settings {
                &self.settings
            }

            /// Clears all knowledge; all chance follows from this seed.
            pub fn new_game(&mut self, seed: u64) {
                self.settings.seed = seed;
                self.patience = Patience::default();
                self.searcher.clear();
            }

            /// [`Player::choose_within`] the settings' limits.
            pub fn choose(&mut self, game: &Game<$rules>) -> Option<ChosenTurn> {
                let limits = self.settings.limits;
                self.choose_within(game, &limits, &AtomicBool::new(false), &mut |_| {})
            }
        }
    };
}
pub(crate) use common;

#[derive(Debug)]
pub struct Player {
    settings: Settings,
    searcher: Searcher,
    generator: Generator,
    patience: Patience,
}

common!(Arimaa);

impl Player {
    /// Without enough memory the table is smaller: see [`Player::table_too_large`].
    ///
    /// # Errors
    /// If the evaluator is unknown.
    pub fn new(settings: Settings, registry: &Registry) -> Result<Player, UnknownEvaluator> {
        let evaluator = registry.get(&settings.evaluator)?;
        let options = SearchOptions { hash_mib: settings.hash_mib, ..settings.search };
        let searcher = Searcher::new(Arc::clone(&evaluator), options);
        Ok(Player { settings, searcher, generator: Generator::new(), patience: Patience::default() })
    }

    /// The next turn; none before the start, after the end, or without a legal turn. `stop` ends the search early,
    /// `report` is called for every completed depth.
    pub fn choose_within(
        &mut self,
        game: &Game<Arimaa>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Info),
    ) -> Option<ChosenTurn> {
        let state = game.state()?;
        let side = state.position().to_move();
        match state.phase() {
            Phase::GoldSetup | Phase::SilverSetup => {
                let turn = setups::set_up(self.settings.setup, self.settings.seed, side, state.board());
                Some(ChosenTurn { turn, found: None })
            }
            Phase::SetUp | Phase::Play => {
                if game.ending().is_some() || game.board_says().is_some() {
                    return None;
                }
                let past = past_of(game);
                if let Some(turn) = self.noise(game, side, state.position(), &past) {
                    return Some(ChosenTurn { turn, found: None });
                }
                let found = self.searcher.search(state.position(), &past, limits, stop, report)?;
                let gives_up = self.patience.ends(self.settings.resign, side, found.info.score);
                let turn = if gives_up { resignation()? } else { found.turn };
                Some(ChosenTurn { turn, found: Some(found) })
            }
        }
    }

    /// A random turn by the settings; none if this turn is searched.
    fn noise(&mut self, game: &Game<Arimaa>, side: Side, position: &Position, past: &Past) -> Option<Turn> {
        let noise = self.settings.noise;
        let played = game.plies().iter().filter(|ply| ply.side == side && !ply.played.setup).count();
        let mut rng = Rng::of(&[self.settings.seed, side.index() as u64, played as u64, 1]);
        if played >= usize::from(noise.turns) || !rng.chance(u32::from(noise.per_mille)) {
            return None;
        }
        noise::any_turn(&mut self.generator, position, past, &mut rng)
    }
}

fn resignation() -> Option<Turn> {
    Turn::parse(b"resign").ok()
}

/// How often each position occurred.
fn past_of(game: &Game<Arimaa>) -> Past {
    let mut past = Past::new();
    let begun = game.initial_state().into_iter().filter(|state| state.phase() == Phase::Play);
    let played = game.plies().iter().map(|ply| &ply.state_after);
    for state in begun.chain(played).filter(|state| matches!(state.phase(), Phase::SetUp | Phase::Play)) {
        past.stood(state.position().hash());
    }
    past
}
