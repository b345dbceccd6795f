//! What a run of games asks of settings, whatever the game: players made of them, who choose turns.

use annals_events::{GameKind, Side, Termination};
use annals_rules::amazons::Amazons;
use annals_rules::arimaa::Arimaa;
use annals_rules::clock::Clock;
use annals_rules::game::{Game, Rules};

use super::game::TableError;
use crate::evaluation::UnknownEvaluator;
use crate::search::Limits;
use crate::{amazons, evaluation, player, referee};

/// A turn as it is played.
pub struct Chosen {
    /// Its text; none where the player gives up instead.
    pub(super) turn: Option<String>,
    /// Positions that were looked at; none where nothing was searched.
    pub(super) nodes: Option<u64>,
}

/// The settings of a player of some game, as a run needs them.
pub trait Seated: Clone + PartialEq + std::fmt::Debug + std::fmt::Display + Send + Sync {
    /// The rules of the game.
    type Rules: Rules<State: Send, Illegal: Send>;
    /// The player.
    type Player: Send + std::fmt::Debug;
    /// The evaluators that there are.
    type Registry: Clone + std::fmt::Debug + Sync;
    /// The game.
    const KIND: GameKind;
    /// How many turns of a game are setups.
    const SETUPS: u64;
    /// Whether every game comes to an end on the board after not too many turns.
    const ENDS: bool;

    /// The limits of each turn.
    fn limits(&self) -> Limits;

    /// Whether its turns follow from the settings alone without any limit: it does not search.
    fn needs_no_limit(&self) -> bool {
        false
    }

    /// Looks the evaluator up.
    ///
    /// # Errors
    /// When there is none of its name.
    fn check(&self, registry: &Self::Registry) -> Result<(), UnknownEvaluator>;

    /// A player with these settings.
    ///
    /// # Errors
    /// When there is no such evaluator, or not enough memory.
    fn player(&self, registry: &Self::Registry) -> Result<Self::Player, TableError>;

    /// Forgets the game before.
    fn new_game(player: &mut Self::Player, seed: u64);

    /// The next turn; none where there is none.
    fn choose(player: &mut Self::Player, game: &Game<Self::Rules>) -> Option<Chosen>;

    /// Who has won, and how, if the game is over.
    fn over(game: &Game<Self::Rules>, clock: &Clock) -> Option<(Option<Side>, Termination)>;
}

impl Seated for player::Settings {
    type Rules = Arimaa;
    type Player = player::Player;
    type Registry = evaluation::Registry;
    const KIND: GameKind = GameKind::Arimaa;
    const SETUPS: u64 = 2;
    const ENDS: bool = false;

    fn limits(&self) -> Limits {
        self.limits
    }

    fn check(&self, registry: &Self::Registry) -> Result<(), UnknownEvaluator> {
        registry.get(&self.evaluator).map(|_| ())
    }

    fn player(&self, registry: &Self::Registry) -> Result<player::Player, TableError> {
        let player = player::Player::new(self.clone(), registry)?;
        match player.table_too_large() {
            // With another table other games would be played than the seed stands for.
            Some(short) => Err(TableError::Memory(short)),
            None => Ok(player),
        }
    }

    fn new_game(player: &mut player::Player, seed: u64) {
        player.new_game(seed);
    }

    fn choose(player: &mut player::Player, game: &Game<Arimaa>) -> Option<Chosen> {
        let choice = player.choose(game)?;
        let nodes = choice.found.as_ref().map(|found| found.info.nodes);
        Some(Chosen { turn: Some(choice.turn.to_string()), nodes })
    }

    fn over(game: &Game<Arimaa>, clock: &Clock) -> Option<(Option<Side>, Termination)> {
        referee::over(game, Some(clock), None)
    }
}

impl Seated for amazons::Settings {
    type Rules = Amazons;
    type Player = amazons::Player;
    type Registry = amazons::Registry;
    const KIND: GameKind = GameKind::Amazons;
    const SETUPS: u64 = 0;
    const ENDS: bool = true;

    fn limits(&self) -> Limits {
        self.limits
    }

    fn needs_no_limit(&self) -> bool {
        self.kind != amazons::Kind::Searcher
    }

    fn check(&self, registry: &Self::Registry) -> Result<(), UnknownEvaluator> {
        registry.get(&self.evaluator).map(|_| ())
    }

    fn player(&self, registry: &Self::Registry) -> Result<amazons::Player, TableError> {
        let player = amazons::Player::with_registry(self.clone(), registry)?;
        match player.table_too_large() {
            Some(short) => Err(TableError::Memory(short)),
            None => Ok(player),
        }
    }

    fn new_game(player: &mut amazons::Player, seed: u64) {
        player.new_game(seed);
    }

    fn choose(player: &mut amazons::Player, game: &Game<Amazons>) -> Option<Chosen> {
        let choice = player.choose(game)?;
        let nodes = choice.found.as_ref().map(|found| found.info.nodes);
        Some(Chosen { turn: (!choice.resigns).then(|| choice.chosen.to_string()), nodes })
    }

    fn over(game: &Game<Amazons>, _clock: &Clock) -> Option<(Option<Side>, Termination)> {
        game.board_says().map(|outcome| (outcome.winner, outcome.termination))
    }
}
