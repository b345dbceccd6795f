//! What a match, a run of games and the protocol need of a game and of its players, whichever game it is.

mod amazons;
mod arimaa;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use annals_events::{GameEvent, GameKind, Side, Started, Termination};
use annals_rules::clock::Clock;
use annals_rules::game::{Era, Game, Outcome, Rules, Strictness};

use crate::evaluation::UnknownEvaluator;
use crate::search::{Info, Limits, TableTooLarge};
use crate::settings_text::FromWords;

/// How a search stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought {
    /// How far it looks, completely.
    pub depth: u16,
    /// Since it began.
    pub elapsed: Duration,
    /// Positions that were looked at.
    pub nodes: u64,
    /// The score for the side to move.
    pub score: i32,
    /// The best line of turns.
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

/// A turn as it is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// Its text; none where the player gives up instead.
    pub turn: Option<String>,
    /// What the search found; none where nothing was searched.
    pub thought: Option<Thought>,
}

/// A turn as the rules write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exact {
    pub text: String,
    /// Whether it was stated otherwise.
    pub misstated: bool,
}

/// The settings that players of every game have.
#[derive(Debug)]
pub struct Common<'a> {
    pub evaluator: &'a mut String,
    /// How far it looks.
    pub limits: &'a mut Limits,
    /// The size of its table of positions, in MiB.
    pub hash_mib: &'a mut u32,
    /// The seed of all chance.
    pub seed: &'a mut u64,
}

/// Why no player can be made of settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error(transparent)]
    Evaluator(#[from] UnknownEvaluator),
    #[error(transparent)]
    Memory(TableTooLarge),
}

/// The settings of a player of some game.
pub trait Seated:
    FromWords + Default + PartialEq + std::fmt::Debug + std::fmt::Display + Send + Sync + 'static
{
    type Rules: Rules<State: Send + Sync, Illegal: Send + Sync> + Send + Sync + 'static;
    type Player: Send + std::fmt::Debug;
    /// The evaluators that there are.
    type Registry: Clone + std::fmt::Debug + Send + Sync + 'static;
    const KIND: GameKind;
    /// How many turns of a game are setups.
    const SETUPS: u64;
    /// Whether every game comes to an end on the board after not too many turns.
    const ENDS: bool;

    fn limits(&self) -> Limits;

    /// Whether its turns follow from the settings alone without any limit: it does not search.
    fn needs_no_limit(&self) -> bool {
        false
    }

    /// What it has in common with players of other games.
    fn common(&mut self) -> Common<'_>;

    /// The settings of a player of a match of which nothing is said: without a limit of its own the clock limits it.
    fn for_a_match() -> Self;

    /// The default settings of a player in self-play.
    fn for_selfplay() -> Self;

    /// A name that says what it is.
    fn player_name(&self) -> String;

    /// Looks the evaluator up.
    ///
    /// # Errors
    /// When there is none of its name.
    fn check(&self, registry: &Self::Registry) -> Result<(), UnknownEvaluator>;

    /// A player with these settings; where there is not enough memory for its table, with a smaller one, which is told.
    ///
    /// # Errors
    /// When there is no such evaluator.
    fn sit_down(
        &self,
        registry: &Self::Registry,
    ) -> Result<(Self::Player, Option<TableTooLarge>), UnknownEvaluator>;

    /// A player with exactly these settings: with another table other games would be played than the seed stands for.
    ///
    /// # Errors
    /// When there is no such evaluator, or not enough memory.
    fn player(&self, registry: &Self::Registry) -> Result<Self::Player, TableError> {
        match self.sit_down(registry)? {
            (player, None) => Ok(player),
            (_, Some(short)) => Err(TableError::Memory(short)),
        }
    }

    fn settings(player: &Self::Player) -> &Self;

    /// Forgets the game before.
    fn new_game(player: &mut Self::Player, seed: u64);

    /// The next turn within limits; `stop` ends the search early, `report` hears of every completed depth. None where there is
    /// no turn.
    fn choose_within(
        player: &mut Self::Player,
        game: &Game<Self::Rules>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(Thought),
    ) -> Option<Chosen>;

    /// The next turn within the limits of the settings; none where there is none.
    fn choose(player: &mut Self::Player, game: &Game<Self::Rules>) -> Option<Chosen> {
        let limits = Self::settings(player).limits();
        Self::choose_within(player, game, &limits, &AtomicBool::new(false), &mut |_| {})
    }

    /// Whether the next turn is a setup.
    fn is_setup(_game: &Game<Self::Rules>) -> bool {
        false
    }

    /// A turn of the side to move as the rules write it.
    ///
    /// # Errors
    /// When it is not legal in the game.
    fn exact(
        game: &Game<Self::Rules>,
        text: &str,
        strictness: Strictness,
    ) -> Result<Exact, <Self::Rules as Rules>::Illegal>;

    /// The side and the board of a position as the protocol states them.
    fn position_words(state: &<Self::Rules as Rules>::State) -> (String, String);

    /// A game from a position of the protocol.
    ///
    /// # Errors
    /// When there is no such position.
    fn game_from(side: &str, board: &str) -> Result<Game<Self::Rules>, String> {
        begun::<Self>(Some(format!("{side} {board}")))
    }

    /// Who has won, and how, if the game is over: by the board, or by the score where it has reached its length, which the clock
    /// says, or a number of turns of each side. The clock may be charged with a turn already that the game does not hold.
    fn over(
        game: &Game<Self::Rules>,
        clock: Option<&Clock>,
        most_turns: Option<u32>,
    ) -> Option<(Option<Side>, Termination)>;
}

/// The methods that are the same for the settings and players of every game.
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

        fn settings(player: &Player) -> &Settings {
            player.settings()
        }

        fn new_game(player: &mut Player, seed: u64) {
            player.new_game(seed);
        }
    };
}
use alike;

/// A game that begins as usual, or from a position.
pub(crate) fn begun<S: Seated>(position: Option<String>) -> Result<Game<S::Rules>, String> {
    let mut game = Game::new(Strictness::Archive);
    let started = Started::plain(S::KIND, position.map(Into::into));
    game.apply(None, &GameEvent::Started(Box::new(started))).map_err(|error| error.to_string())?;
    Ok(game)
}

/// Why no game can be played from a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoStart {
    NoPosition(String),
    /// The game is over in it: who won, and how.
    Decided(String),
}

/// The position of a text, where a game can be played from it.
pub(crate) fn start_of<S: Seated>(text: &str) -> Result<<S::Rules as Rules>::State, NoStart> {
    let state = S::Rules::start(S::KIND, Some(text), Era::Modern)
        .map_err(|illegal| NoStart::NoPosition(illegal.to_string()))?;
    let own = S::Rules::hash(&state);
    match S::Rules::outcome(&state, |hash| u32::from(hash == own)) {
        None => Ok(state),
        Some(Outcome { winner, termination }) => Err(NoStart::Decided(match winner {
            Some(side) => format!("{} won by {termination}", side_word(S::KIND, side)),
            None => format!("nobody won, {termination}"),
        })),
    }
}

/// What a game calls a side, within a sentence.
pub(crate) fn side_word(game: GameKind, side: Side) -> &'static str {
    match game {
        GameKind::Arimaa => side.word(),
        GameKind::Amazons => side.name_in(game),
    }
}
