//! What sits at the board: a player with settings, who sets up, follows a game by its events, and chooses turns.

mod noise;
mod patience;
mod setups;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_events::{Side, closed_words};
use annals_rules::arimaa::{Arimaa, Generator, Phase, Position, Turn};
use annals_rules::game::Game;
use annals_rules::seeded::Rng;

use crate::evaluation::{Registry, UnknownEvaluator};
use crate::search::{Found, Info, Limits, Past, SearchOptions, Searcher, TableTooLarge};

pub(crate) use patience::Patience;

closed_words! {
    /// How a player sets up.
    #[derive(Default)]
    pub enum SetupStyle, "setup style" {
        /// Always the same sound setup.
        #[default]
        Fixed = "fixed",
        /// A sound setup, varied by the seed.
        Varied = "varied",
        /// Any setup, by the seed.
        Random = "random",
    }
}

/// Noise in the first turns of a game, so that games differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Noise {
    /// In how many of its own turns after the setup.
    pub turns: u16,
    /// In how many of a thousand of these it plays any turn at all, instead of the best.
    pub per_mille: u16,
}

/// When a player gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resign {
    /// How far it has to be behind, in hundredths of a rabbit.
    pub behind: i32,
    /// In how many of its own turns, one after the other, its search has to say so; at least one.
    pub turns: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub evaluator: String,
    /// How far it looks.
    pub limits: Limits,
    /// The size of its table of positions, in MiB.
    pub hash_mib: u32,
    /// Which methods its search uses; the size of the table is that of `hash_mib`.
    pub search: SearchOptions,
    /// How it sets up.
    pub setup: SetupStyle,
    /// Noise in its first turns.
    pub noise: Noise,
    /// When it gives up; never where there is none. It says so with the turn `resign`.
    pub resign: Option<Resign>,
    /// The seed of setup and noise.
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

/// What a player decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenTurn {
    /// The turn, or the setup.
    pub turn: Turn,
    /// What the search found; none for a setup and for a turn of noise.
    pub found: Option<Found>,
}

#[derive(Debug)]
pub struct Player {
    settings: Settings,
    searcher: Searcher,
    generator: Generator,
    patience: Patience,
}

impl Player {
    /// A player with these settings. Where there is not enough memory for its table it has a smaller one, which
    /// [`Player::table_too_large`] tells.
    ///
    /// # Errors
    /// When there is no such evaluator.
    pub fn new(settings: Settings, registry: &Registry) -> Result<Player, UnknownEvaluator> {
        let evaluator = registry.get(&settings.evaluator)?;
        let options = SearchOptions { hash_mib: settings.hash_mib, ..settings.search };
        let searcher = Searcher::new(Arc::clone(&evaluator), options);
        Ok(Player { settings, searcher, generator: Generator::new(), patience: Patience::default() })
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

    /// A new game: what was found out in the one before is forgotten, and setup and noise follow from this seed.
    pub fn new_game(&mut self, seed: u64) {
        self.settings.seed = seed;
        self.patience = Patience::default();
        self.searcher.clear();
    }

    /// Chooses the next turn of a game for the side to move, within the settings' limits; none where the game has not begun, is
    /// over, or has no legal turn.
    pub fn choose(&mut self, game: &Game<Arimaa>) -> Option<ChosenTurn> {
        let limits = self.settings.limits;
        self.choose_within(game, &limits, &AtomicBool::new(false), &mut |_| {})
    }

    /// As [`Player::choose`], within other limits; `stop` ends the search early, `report` hears of every completed depth.
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

    /// The turn of chance that the settings may ask for; none where this turn is searched for.
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

/// How often each position of a game has stood.
fn past_of(game: &Game<Arimaa>) -> Past {
    let mut past = Past::new();
    let begun = game.initial_state().into_iter().filter(|state| state.phase() == Phase::Play);
    let played = game.plies().iter().map(|ply| &ply.state_after);
    for state in begun.chain(played).filter(|state| matches!(state.phase(), Phase::SetUp | Phase::Play)) {
        past.stood(state.position().hash());
    }
    past
}
