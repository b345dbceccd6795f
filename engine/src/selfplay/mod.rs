//! Many games of built-in players. Game `k` of a run follows from the run's settings and `k` alone: a later
//! request gives the same events, on any machine and with any number of threads.
//!
//! Times are simulated: a game begins at a time that follows from seed and number, a turn takes as long as a modest machine
//! would have needed for the searched positions, and `rules::clock` computes the clock. So the events are
//! consistent like those of a game that was played under a clock, and state that they were generated.
//!
//! The settings determine the kind of game: those of a player of Arimaa, or of the Amazons.

mod game;
mod run;
mod summary;
mod times;

use annals_rules::clock::TimeControl;

use crate::evaluation::UnknownEvaluator;
use crate::player::Settings;
use crate::seated::Seated;

pub use game::{GameFault, GameTable, Generated};
pub use run::RunError;
pub use summary::Summary;

/// One of the two players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contestant<S = Settings> {
    /// The name in the record.
    pub name: String,
    pub settings: S,
}

impl<S: Seated> Contestant<S> {
    /// Two players under the names of their settings, or under given ones.
    #[must_use]
    pub fn pair([a, b]: [S; 2], names: Option<[String; 2]>) -> [Contestant<S>; 2] {
        let [mut first, mut second] = names.unwrap_or_else(|| [a.player_name(), b.player_name()]);
        if first == second && a != b {
            // They differ in a setting that is not in the name.
            first.push_str("-a");
            second.push_str("-b");
        }
        [Contestant { name: first, settings: a }, Contestant { name: second, settings: b }]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colours {
    /// The first contestant has Gold in every other game, beginning with the first; if their settings differ, two games
    /// each have the same opening.
    #[default]
    Alternate,
    /// The first contestant always has Gold.
    Fixed,
}

/// The options of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options<S = Settings> {
    /// The same seed gives the same games.
    pub seed: u64,
    pub games: u64,
    /// The two players.
    pub contestants: [Contestant<S>; 2],
    pub colours: Colours,
    /// The time control, in the gameroom's notation; it has to bound the game.
    pub time_control: String,
}

impl Options {
    /// A fast time control with an end: after a hundred turns of each side the score decides.
    pub const TIME_CONTROL: &'static str = "15s/2m30s/100/0/100t";

    /// Half an hour for all turns of a side, for a game that always ends on the board.
    pub const GAME_TIME: &'static str = "0/30m";

    /// The default time control of a game.
    #[must_use]
    pub const fn default_control<S: Seated>() -> &'static str {
        if S::ENDS { Options::GAME_TIME } else { Options::TIME_CONTROL }
    }

    /// The default number of the first game in an archive: so far apart for two seeds that their archives can be stored in one
    /// dataset, and far from those of the gameroom.
    #[must_use]
    pub const fn first_id(seed: u64) -> u64 {
        1_000_000_000 + seed % 1_000_000_000 * 100_000_000 + 1
    }

    /// The most games of one run: they begin a minute apart, and all of them before 2040.
    pub const MOST_GAMES: u64 = 10_000_000;
}

/// Why a run cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    #[error(transparent)]
    Evaluator(#[from] UnknownEvaluator),
    /// A limit that depends on the machine, or none.
    #[error(
        "`{name}` has {what}, so that its games could not be made again; limit it by nodes or by depth, as in `nodes=2000`"
    )]
    NotRepeatable {
        name: String,
        /// The found limit.
        what: &'static str,
    },
    /// A name that is not valid in a record.
    #[error(
        "`{name}` is not a valid name of a player: expected 1 to 60 printable characters, without spaces at the ends"
    )]
    Name { name: String },
    #[error("both players are called `{name}` but play with different settings; give them different names")]
    SameName { name: String },
    #[error(transparent)]
    TimeControl(#[from] annals_rules::clock::TimeControlError),
    /// The time control does not limit the length of a game.
    #[error(
        "`{control}` lets a game go on for longer than {most} turns: {why}; end it with a number of turns for each side, \
         as in `{}`",
        Options::TIME_CONTROL
    )]
    Endless { control: String, most: u64, why: &'static str },
    #[error("{games} games are more than the {most} of one run; take another seed for the others")]
    TooMany { games: u64, most: u64 },
}

/// A checked run.
#[derive(Debug, Clone)]
pub struct SelfPlay<S: Seated = Settings> {
    options: Options<S>,
    control: TimeControl,
    /// The fewest seconds that a turn takes, so that a length in seconds is reached.
    least: u32,
    registry: S::Registry,
}

impl<S: Seated> SelfPlay<S> {
    /// Checks the options.
    ///
    /// # Errors
    /// When a game could not be played, repeated, recorded, or brought to its end.
    pub fn new(options: Options<S>, registry: S::Registry) -> Result<SelfPlay<S>, OptionsError> {
        if options.games > Options::MOST_GAMES {
            return Err(OptionsError::TooMany { games: options.games, most: Options::MOST_GAMES });
        }
        for Contestant { name, settings } in &options.contestants {
            settings.check(&registry)?;
            let what = match settings.limits() {
                _ if settings.needs_no_limit() => "",
                limits if limits.time.is_some() => "a limit of time",
                limits if limits.nodes.is_none() && limits.depth.is_none() => "no limit",
                _ => "",
            };
            if !what.is_empty() {
                return Err(OptionsError::NotRepeatable { name: name.clone(), what });
            }
            let odd = |sign: char| sign.is_control() || sign == '\\';
            if name.is_empty() || name.trim() != name || name.chars().count() > 60 || name.contains(odd) {
                return Err(OptionsError::Name { name: name.chars().take(80).collect() });
            }
        }
        let [a, b] = &options.contestants;
        if a.name == b.name && a.settings != b.settings {
            return Err(OptionsError::SameName { name: a.name.clone() });
        }
        let control = TimeControl::parse(&options.time_control)?;
        let endless =
            |why| OptionsError::Endless { control: control.to_string(), most: times::MOST_TURNS, why };
        let least = if S::ENDS { 0 } else { times::least_seconds(&control).map_err(endless)? };
        Ok(SelfPlay { options, control, least, registry })
    }

    #[must_use]
    pub fn options(&self) -> &Options<S> {
        &self.options
    }

    /// Whether the two players differ.
    #[must_use]
    pub fn is_match(&self) -> bool {
        let [a, b] = &self.options.contestants;
        a != b
    }

    /// Whether games come in pairs, from one opening with the colours exchanged. Two with the same settings would play the same
    /// game twice, so that each of their games has an opening of its own.
    #[must_use]
    pub fn in_pairs(&self) -> bool {
        let [a, b] = &self.options.contestants;
        self.options.colours == Colours::Alternate && a.settings != b.settings
    }

    /// The players of Gold and Silver in a game, by index, and the seed of its opening.
    #[must_use]
    pub fn seats(&self, game: u64) -> ([usize; 2], u64) {
        let exchanged = self.options.colours == Colours::Alternate && !game.is_multiple_of(2);
        let opening = if self.in_pairs() { game / 2 } else { game };
        let seats = if exchanged { [1, 0] } else { [0, 1] };
        (seats, crate::arena::schedule::opening_seed(self.options.seed, opening))
    }
}
