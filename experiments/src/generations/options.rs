//! The options of a run of generations.

use annals_engine::arena::sprt::Sprt;
use annals_engine::evaluation::Registry;
use annals_engine::player::Settings as Player;
use annals_engine::search::Limits;
use annals_engine::seated::Seated as _;
use annals_engine::selfplay::{Colours, Contestant, Options as Run, SelfPlay};
use annals_learning::{Network, Settings};
use annals_report::shell_word;
use serde::{Serialize, Serializer};

use crate::Error;

/// The rates of error of a match's test.
const ERROR_RATE: f64 = 0.05;

/// The options of a run, which every stage records.
#[derive(Debug, Clone, Serialize)]
pub struct Options {
    /// The evaluator of generation 0.
    pub start: String,
    /// What each generation trains.
    #[serde(serialize_with = "as_text")]
    pub network: Network,
    /// Games of self-play of each generation.
    pub games: u64,
    /// Search nodes per turn of self-play.
    pub nodes: u64,
    /// The last generations whose games train a network.
    pub window: u32,
    /// Epochs of a training; none for the network's default.
    pub epochs: Option<u32>,
    /// The most games of a match.
    pub match_games: u64,
    /// Search nodes per turn of a match.
    pub match_nodes: u64,
    /// The two differences in Elo between which a match decides.
    pub sprt: [f64; 2],
    /// The same seed gives the same run.
    pub seed: u64,
    /// The number of generations; it may be raised later.
    #[serde(skip)]
    pub generations: u32,
    /// Threads.
    #[serde(skip)]
    pub threads: usize,
}

/// The runs of games of a generation, which have seeds of their own.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    SelfPlay,
    Match,
}

fn as_text<S: Serializer>(network: &Network, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(network)
}

impl Options {
    /// The most generations of a run.
    pub const MOST: u32 = 1_000;

    /// Rejects options that are not valid.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.test()?;
        self.training(1).checked()?;
        // Without a network in it, the first self-play has everything that can be wrong.
        self.run(1, Purpose::SelfPlay, [0, 0], Registry::standard()).map(drop)
    }

    /// The test that decides a match.
    pub(super) fn test(&self) -> Result<Sprt, Error> {
        let [elo0, elo1] = self.sprt;
        Ok(Sprt::new(elo0, elo1, ERROR_RATE, ERROR_RATE)?)
    }

    /// The training settings of a generation.
    pub(super) fn training(&self, generation: u32) -> Settings {
        let default = Settings::of(self.network);
        let epochs = self.epochs.unwrap_or(default.epochs);
        Settings { epochs, seed: self.seed.wrapping_add(u64::from(generation)), ..default }
    }

    /// The evaluator of a generation.
    pub(super) fn evaluator(&self, generation: u32) -> String {
        match generation {
            0 => self.start.clone(),
            _ => format!("{}generation-{generation}", annals_learning::PREFIX),
        }
    }

    /// Games between two generations.
    pub(super) fn run(
        &self,
        generation: u32,
        purpose: Purpose,
        players: [u32; 2],
        registry: Registry,
    ) -> Result<SelfPlay, Error> {
        let (number, games, nodes) = match purpose {
            Purpose::SelfPlay => (0, self.games, self.nodes),
            Purpose::Match => (1, self.match_games / 2 * 2, self.match_nodes),
        };
        let settings = players.map(|player| Player {
            evaluator: self.evaluator(player),
            limits: Limits::nodes(nodes),
            ..Player::for_selfplay()
        });
        let names = players.map(|player| format!("generation-{player}"));
        let runs = 2 * u64::from(Options::MOST + 1);
        let seed = self.seed.wrapping_mul(runs).wrapping_add(2 * u64::from(generation) + number);
        let run = Run {
            seed,
            games,
            contestants: Contestant::pair(settings, Some(names)),
            colours: Colours::Alternate,
            time_control: Run::TIME_CONTROL.to_owned(),
        };
        SelfPlay::new(run, registry).map_err(Error::self_play)
    }

    /// The command that makes the same run in a folder, defaults included.
    #[must_use]
    pub fn command(&self, folder: &str) -> String {
        let [elo0, elo1] = self.sprt;
        let mut words = vec![
            ("generations", self.generations.to_string()),
            ("start", shell_word(&self.start)),
            ("network", shell_word(&self.network.to_string())),
            ("games", self.games.to_string()),
            ("nodes", self.nodes.to_string()),
            ("window", self.window.to_string()),
            ("match-games", self.match_games.to_string()),
            ("match-nodes", self.match_nodes.to_string()),
            ("sprt", format!("{elo0},{elo1}")),
            ("seed", self.seed.to_string()),
        ];
        words.extend(self.epochs.map(|epochs| ("epochs", epochs.to_string())));
        let words = words.into_iter().map(|(name, value)| format!(" --{name} {value}"));
        format!("annals learn generations {folder}{}", words.collect::<String>())
    }
}
