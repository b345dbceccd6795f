//! What matches, self-play and the protocol need of a game and its players.

mod amazons;
mod arimaa;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use annals_events::narrative;
use annals_events::{GameEvent, GameKind, Side, Started, Termination};
use annals_rules::clock::Clock;
use annals_rules::game::{Era, Game, Outcome, Rules, Strictness};

use crate::evaluation::UnknownEvaluator;
use crate::search::{Info, Limits, TableTooLarge};
use crate::settings_text::FromWords;

/// The state of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought {
    /// Completed.
    pub depth: u16,
    pub elapsed: Duration,
    pub nodes: u64,
    /// For the side to move.
    pub score: i32,
    /// In turns.
    pub line: Vec<String>,
}

impl Thought {
    fn of<T: ToString>(info: &Info<T>) -> Thought {
        Thought {
            depth: info.depth,
            elapsed: info.elapsed,
            nodes: info.nodes,
            score: info.score.value(),
            line: info.line.iter().map(T::to_string).collect(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// None for a resignation.
    pub turn: Option<String>,
    /// None without a search.
    pub thought: Option<Thought>,
}

/// A turn as the rules write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exact {
    pub text: String,
    /// It was stated otherwise.
    pub misstated: bool,
}

/// Settings common to players of all games.
#[derive(Debug)]
pub struct Common<'a> {
    pub evaluator: &'a mut String,
    pub limits: &'a mut Limits,
    /// In MiB.
    pub hash_mib: &'a mut u32,
    /// Of all chance.
    pub seed: &'a mut u64,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error(transparent)]
    Evaluator(#[from] UnknownEvaluator),
    #[error(transparent)]
    Memory(TableTooLarge),
}

/// Settings of a player of some game.
pub trait Seated:
    FromWords + Default + PartialEq + std::fmt::Debug + std::fmt::Display + Send + Sync + 'static
{
    type Rules: Rules<State: Send + Sync, Illegal: Send + Sync> + Send + Sync + 'static;
    type Player: Send + std::fmt::Debug;
    type Registry: Clone + std::fmt::Debug + Send + Sync + 'static;
    const KIND: GameKind;
    /// Turns of a game that are setups.
    const SETUPS: u64;
    /// Every game ends on the board after a moderate number of turns.
    const ENDS: bool;

    fn limits(&self) -> Limits;

    /// Turns follow from the settings without a limit: there is no search.
    fn needs_no_limit(&self) -> bool {
        false
    }

    fn common(&mut self) -> Common<'_>;

    /// Default settings in a match: the clock is the limit.
    fn for_a_match() -> Self;

    /// The default settings of a player in self-play.
    fn for_selfplay() -> Self;

    /// A descriptive name.
    fn player_name(&self) -> String;

    /// # Errors
    /// If the evaluator is unknown.
    fn check(&self, registry: &Self::Registry) -> Result<(), UnknownEvaluator>;

    /// Without enough memory with a smaller table, which is reported.
    ///
    /// # Errors
    /// If the evaluator is unknown.
    fn sit_down(
        &self,
        registry: &Self::Registry,
    ) -> Result<(Self::Player, Option<TableTooLarge>), UnknownEvaluator>;

    /// With exactly these settings: another table would give other games for the seed.
    ///
    /// # Errors
    /// If the evaluator is unknown, or without enough memory.
    fn player(&self, registry: &Self::Registry) -> Result<Self::Player, TableError> {
        match self.sit_down(registry)? {
            (player, None) => Ok(player),
            (_, Some(short)) => Err(TableError::Memory(short)),
        }
    }

    fn settings(player: &Self::Player) -> &Self;

    fn new_game(player: &mut Self::Player, seed: u64);

    /// Within limits; `stop` ends the search early, `report` is called for every completed depth. None without a turn.
    fn choose_within(
        player: &mut Self::Player,
        game: &Game<Self::Rules>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(Thought),
    ) -> Option<Chosen>;

    /// Within the settings' limits; none without a turn.
    fn choose(player: &mut Self::Player, game: &Game<Self::Rules>) -> Option<Chosen> {
        let limits = Self::settings(player).limits();
        Self::choose_within(player, game, &limits, &AtomicBool::new(false), &mut |_| {})
    }

    fn is_setup(_game: &Game<Self::Rules>) -> bool {
        false
    }

    /// A turn of the side to move as the rules write it.
    ///
    /// # Errors
    /// If it is illegal.
    fn exact(
        game: &Game<Self::Rules>,
        text: &str,
        strictness: Strictness,
    ) -> Result<Exact, <Self::Rules as Rules>::Illegal>;

    /// Side and board as in the protocol.
    fn position_words(state: &<Self::Rules as Rules>::State) -> (String, String);

    /// A game from a position of the protocol.
    ///
    /// # Errors
    /// If the position is invalid.
    fn game_from(side: &str, board: &str) -> Result<Game<Self::Rules>, String> {
        begun::<Self>(Some(format!("{side} {board}")))
    }

    /// Winner and reason if the game is over: on the board, or by score at its length (by the clock, or in turns per
    /// side). The clock may include a turn that the game lacks.
    fn over(
        game: &Game<Self::Rules>,
        clock: Option<&Clock>,
        most_turns: Option<u32>,
    ) -> Option<(Option<Side>, Termination)>;
}

/// Methods equal for all games.
macro_rules! alike {
    () => {
        fn limits(&self) -> Limits {
            self.limits
        }

        fn common(&mut self) -> $crate::seated::Common<'_> {
            $crate::seated::Common {
                evaluator: &mut self.evaluator,
                limits: &mut self.limits,
                hash_mib: &mut self.hash_mib,
                seed: &mut self.seed,
            }
        }

        fn check(&self, registry: &Registry) -> Result<(), UnknownEvaluator> {
            registry.get(&self.evaluator).map(|_| ())
        }

        fn sit_down(&self, registry: &Registry) -> Result<(Player, Option<TableTooLarge>), UnknownEvaluator> {
            let player = Player::new(self.clone(), registry)?;
            let short = player.table_too_large();
            Ok((player, short))
        }

        fn settings(player: &Player) -> &Settings {
            player.settings()
        }

        fn new_game(player: &mut Player, seed: u64) {
            player.new_game(seed);
        }
    };
}
use alike;

/// From the default start or a position.
pub(crate) fn begun<S: Seated>(position: Option<String>) -> Result<Game<S::Rules>, String> {
    let mut game = Game::new(Strictness::Archive);
    let started = Started::plain(S::KIND, position.map(Into::into));
    game.apply(None, &GameEvent::Started(Box::new(started))).map_err(|error| error.to_string())?;
    Ok(game)
}

/// Why a position is not a start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoStart {
    NoPosition(String),
    /// Decided already: winner and reason.
    Decided(String),
}

/// A position from which a game can be played.
pub(crate) fn start_of<S: Seated>(text: &str) -> Result<<S::Rules as Rules>::State, NoStart> {
    let state = S::Rules::start(S::KIND, Some(text), Era::Modern)
        .map_err(|illegal| NoStart::NoPosition(illegal.to_string()))?;
    let own = S::Rules::hash(&state);
    match S::Rules::outcome(&state, |hash| u32::from(hash == own)) {
        None => Ok(state),
        Some(Outcome { winner, termination }) => Err(NoStart::Decided(match winner {
            Some(side) => format!("{} won by {}", side_word(S::KIND, side), narrative::ending(termination)),
            None => format!("nobody won, {}", narrative::ending(termination)),
        })),
    }
}

/// Within a sentence.
pub(crate) fn side_word(game: GameKind, side: Side) -> &'static str {
    match game {
        GameKind::Arimaa => side.word(),
        GameKind::Amazons => side.name_in(game),
    }
}
