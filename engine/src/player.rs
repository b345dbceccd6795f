//! What sits at the board: a player with settings, who sets up, follows a game by its events, and chooses turns.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_events::Side;
use annals_rules::arimaa::{Action, Arimaa, Phase, Piece, Square, Token, Turn};
use annals_rules::game::Game;
use annals_rules::seeded::Rng;

use crate::evaluation::{Registry, UnknownEvaluator};
use crate::search::{Found, Info, Limits, Past, SearchOptions, Searcher};

/// How a player sets up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SetupStyle {
    /// Always the same sound setup.
    #[default]
    Fixed,
    /// A sound setup, varied by the seed.
    Varied,
    /// Any setup at all, by the seed.
    Random,
}

/// Noise in the first turns of a game, so that games differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Noise {
    /// In how many of its own turns after the setup.
    pub turns: u16,
    /// In how many of a thousand of these it plays any turn at all, instead of the best.
    pub per_mille: u16,
}

/// The settings of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The evaluator's name.
    pub evaluator: String,
    /// How far it looks.
    pub limits: Limits,
    /// The size of its table of positions, in MiB.
    pub hash_mib: u32,
    /// How it sets up.
    pub setup: SetupStyle,
    /// Noise in its first turns.
    pub noise: Noise,
    /// The seed of setup and noise.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            evaluator: Registry::DEFAULT.to_owned(),
            limits: Limits::nodes(20_000),
            hash_mib: 32,
            setup: SetupStyle::Fixed,
            noise: Noise::default(),
            seed: 0,
        }
    }
}

/// What a player decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The turn, or the setup.
    pub turn: Turn,
    /// What the search found; none for a setup and for a turn of noise.
    pub found: Option<Found>,
}

/// A player.
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    searcher: Searcher,
}

impl Player {
    /// A player with these settings.
    ///
    /// # Errors
    /// When there is no such evaluator.
    pub fn new(settings: Settings, registry: &Registry) -> Result<Player, UnknownEvaluator> {
        let evaluator = registry.get(&settings.evaluator)?;
        let options = SearchOptions { hash_mib: settings.hash_mib };
        Ok(Player { searcher: Searcher::new(Arc::clone(&evaluator), options), settings })
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A new game: what was found out in the one before is forgotten, and setup and noise follow from this seed.
    pub fn new_game(&mut self, seed: u64) {
        self.settings.seed = seed;
        self.searcher.clear();
    }

    /// Chooses the next turn of a game for the side to move, within the settings' limits; none where the game has not begun, is
    /// over, or has no legal turn.
    pub fn choose(&mut self, game: &Game<Arimaa>) -> Option<Choice> {
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
    ) -> Option<Choice> {
        let state = game.state()?;
        match state.phase() {
            Phase::GoldSetup => Some(Choice { turn: self.set_up(Side::Gold), found: None }),
            Phase::SilverSetup => Some(Choice { turn: self.set_up(Side::Silver), found: None }),
            Phase::SetUp | Phase::Play => {
                if game.ending().is_some() || game.board_says().is_some() {
                    return None;
                }
                let found = self.searcher.search(state.position(), &past_of(game), limits, stop, report)?;
                Some(Choice { turn: found.turn, found: Some(found) })
            }
        }
    }

    fn set_up(&self, side: Side) -> Turn {
        use Piece::{Camel, Cat, Dog, Elephant, Horse, Rabbit};
        let mut back = [Rabbit, Rabbit, Rabbit, Dog, Dog, Rabbit, Rabbit, Rabbit];
        let mut front = [Rabbit, Horse, Cat, Elephant, Camel, Cat, Horse, Rabbit];
        let mut rng = Rng::of(&[self.settings.seed, side.index() as u64]);
        match self.settings.setup {
            SetupStyle::Fixed => {}
            SetupStyle::Varied => {
                if rng.chance(500) {
                    back.reverse();
                    front.reverse();
                }
            }
            SetupStyle::Random => {
                let mut all: Vec<Piece> = back.into_iter().chain(front).collect();
                rng.shuffle(&mut all);
                back.copy_from_slice(&all[..8]);
                front.copy_from_slice(&all[8..]);
            }
        }
        let ranks = match side {
            Side::Gold => [0, 1],
            Side::Silver => [7, 6],
        };
        let mut turn = Turn::EMPTY;
        for (rank, row) in ranks.into_iter().zip([back, front]) {
            for (file, piece) in (0..).zip(row) {
                if let Some(square) = Square::at(file, rank) {
                    turn.push(Token::new(side, piece, square, Action::Place));
                }
            }
        }
        turn
    }
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
