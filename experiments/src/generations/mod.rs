//! The loop of the paper's discussion: the best network plays games, a new one is trained on them, and a match between the two decides
//! which is the best of the next generation.
//!
//! Each stage is kept when it is finished, and continues after a kill: self-play and matches by game, trainings from a checkpoint.

mod options;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use annals_engine::arena::elo::PairCount;
use annals_engine::arena::sprt::SprtVerdict;
use annals_engine::evaluation::Registry;
use annals_engine::selfplay::SelfPlay;
use annals_features::{Filter, collect};
use annals_learning::baseline::MATERIAL;
use annals_learning::experiment::{self, ExperimentError, Plan};
use annals_learning::{Keep, Model, NetEvaluator, Progress, Samples, Split, TrainError};
use annals_report::counted;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::folder::{self, Folder, digest_of};
use crate::options::FOLDS;
use crate::{Diagnostics, Error, kept_games};
pub use options::Options;
use options::Purpose;
pub use table::{Generation, Generations};

/// Runs generations in a folder that is new, empty or of a run with the same options, and returns their table.
///
/// # Errors
/// `Stopped` if `stop` was set: the same call resumes. Options that are not valid, a folder that cannot be written or is of another
/// run, a failed stage. Finished stages are kept.
pub fn run(
    folder: &Path,
    options: &Options,
    stop: &Arc<AtomicBool>,
    diagnostics: &dyn Diagnostics,
) -> Result<Generations, Error> {
    options.check()?;
    let folder = Folder::open(folder, "steps")?;
    let _lock = folder.lock()?;
    let run = Loop { folder, options, stop, diagnostics };
    run.settings()?;
    let mut all = Generations::new(options);
    for number in 1..=options.generations {
        let made = run.generation(number, &all)?;
        diagnostics.note(format_args!("{}", made.line()));
        all.generations.push(made);
        run.write(&all)?;
    }
    Ok(all)
}

/// The inputs of a stage.
#[derive(Serialize)]
struct Of<'a> {
    #[serde(flatten)]
    options: &'a Options,
    program: &'static str,
    engine: &'static str,
    /// Digests of the files that it reads.
    from: &'a [String],
}

/// The result of a stage, with the digest of its file.
#[derive(Serialize, Deserialize)]
struct Done<T> {
    sha256: String,
    found: T,
}

/// A trained network, and its errors on the validation set.
#[derive(Serialize, Deserialize)]
struct Trained {
    games: usize,
    positions: usize,
    network: f64,
    pieces: f64,
}

struct Loop<'a> {
    folder: Folder,
    options: &'a Options,
    stop: &'a Arc<AtomicBool>,
    diagnostics: &'a dyn Diagnostics,
}

impl Loop<'_> {
    /// Stores the options, or compares them with those of the folder.
    fn settings(&self) -> Result<(), Error> {
        let of = self.of(&[]);
        match self.folder.finished("settings", &of)? {
            Some(()) => Ok(()),
            None => self.folder.finish("settings", &of, &()),
        }
    }

    fn of<'s>(&'s self, from: &'s [String]) -> Of<'s> {
        Of { options: self.options, program: env!("CARGO_PKG_VERSION"), engine: annals_engine::VERSION, from }
    }

    fn generation(&self, number: u32, all: &Generations) -> Result<Generation, Error> {
        let best = all.best();
        let digest = |of: fn(&Generation) -> &String, number: u32| {
            all.generations.iter().find(|one| one.generation == number).map(of).cloned().unwrap_or_default()
        };
        let network = |number| digest(|one| &one.network_sha256, number);
        // The last network, unless it is the best one itself, gives games that the best one alone would not play.
        let players = [best, number - 1];
        let from = players.map(network);
        let games = self.stage(&format!("selfplay-{number}"), "txt", &from, |name, part, path| {
            let run = self.options.run(number, Purpose::SelfPlay, players, self.registry(players)?)?;
            self.play(&run, name, (part, path), |_| false)
        })?;
        let first = (number + 1).saturating_sub(self.options.window).max(1);
        let mut from: Vec<String> = (first..number).map(|one| digest(|one| &one.games_sha256, one)).collect();
        from.push(games.sha256.clone());
        let trained =
            self.stage(&format!("network-{number}"), "safetensors", &from, |name, part, path| {
                self.train(number, first, name, (part, path))
            })?;
        let from = [trained.sha256.clone(), network(best)];
        let test = self.options.test()?;
        let pairs = self.stage(&format!("match-{number}"), "txt", &from, |name, part, path| {
            let players = [number, best];
            let run = self.options.run(number, Purpose::Match, players, self.registry(players)?)?;
            let mut pairs = PairCount::default();
            self.play(&run, name, (part, path), |winner| {
                let whole = pairs.add(if winner == 0 { 2 } else { 0 });
                whole && test.standing(&pairs.results()).verdict != SprtVerdict::Open
            })?;
            Ok(pairs)
        })?;
        let results = pairs.found.results();
        let verdict = test.standing(&results).verdict;
        Ok(Generation::new(number, all, &trained.found, &results, verdict)
            .with_digests([games.sha256, trained.sha256, pairs.sha256]))
    }

    /// The stored result of a stage, or that of `work`, which gets its name, the file for unfinished work, and the file to write.
    fn stage<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        ending: &str,
        from: &[String],
        work: impl FnOnce(&str, &Path, &Path) -> Result<T, Error>,
    ) -> Result<Done<T>, Error> {
        let (of, part) = (self.of(from), self.folder.checkpoint(name));
        let path = self.folder.path(&format!("{name}.{ending}"));
        let done: Done<T> = match self.folder.finished(name, &of)? {
            Some(done) => done,
            None if self.stop.load(Ordering::Relaxed) => return Err(Error::Stopped),
            None => {
                let found = work(name, &part, &path)?;
                self.folder.finish(name, &of, &Done { sha256: digest_of(&path)?, found })?
            }
        };
        if digest_of(&path)? != done.sha256 {
            return Err(Error::Changed(path));
        }
        Keep::at(part, true).remove()?;
        Ok(done)
    }

    /// The evaluators, with the networks of these generations.
    fn registry(&self, generations: [u32; 2]) -> Result<Registry, Error> {
        let mut registry = Registry::standard();
        for generation in generations.into_iter().filter(|generation| *generation > 0) {
            let model = Model::read(&self.network(generation))?;
            registry.register(Arc::new(NetEvaluator::new(self.options.evaluator(generation), &model)));
        }
        Ok(registry)
    }

    fn network(&self, generation: u32) -> PathBuf {
        self.folder.path(&format!("network-{generation}.safetensors"))
    }

    fn play(
        &self,
        run: &SelfPlay,
        name: &str,
        files: (&Path, &Path),
        is_over: impl FnMut(usize) -> bool,
    ) -> Result<(), Error> {
        kept_games::play(run, files, (self.options.threads, self.stop), self.diagnostics, name, is_over)
    }

    /// Trains a network on the games from a generation on.
    fn train(
        &self,
        generation: u32,
        first: u32,
        name: &str,
        (part, path): (&Path, &Path),
    ) -> Result<Trained, Error> {
        let options = self.options;
        let files: Vec<PathBuf> =
            (first..=generation).map(|one| self.folder.path(&format!("selfplay-{one}.txt"))).collect();
        let dataset = collect(&files, &Filter::default(), options.threads)?;
        let samples = Samples::from(&dataset).checked()?;
        let settings = options.training(generation);
        let plan = Plan { settings, split: Split::Game, folds: FOLDS, eval_folds: 1 };
        let keep = Keep { stop: Arc::clone(self.stop), ..Keep::at(part.to_owned(), true) };
        let watch = |_: usize, at: &Progress<'_>| {
            let share = (f64::from(at.epochs_done) + at.batches_done as f64 / at.batches.max(1) as f64)
                / f64::from(at.epochs.max(1));
            self.diagnostics.progress(share, name, at.left().unwrap_or_default());
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
        let outcome = pool.install(|| experiment::run(samples, &samples.rows(), &plan, Some(&keep), &watch));
        self.diagnostics.finish();
        let outcome = match outcome {
            Err(ExperimentError::Train { error: TrainError::Stopped, .. }) => return Err(Error::Stopped),
            outcome => outcome.map_err(|error| Error::stage(name, error))?,
        };
        if let Some(fold) = outcome.folds.first() {
            let mut model = fold.model.clone();
            model.about.description =
                format!("self-play of generations {first} to {generation}, seed {}", options.seed);
            model.write(path)?;
        }
        let pieces = outcome.all.baselines.get(MATERIAL).map_or(f64::NAN, |baseline| baseline.score.all.mse);
        let (games, positions) = (outcome.games, outcome.positions);
        self.diagnostics.note(format_args!(
            "{name}: {} of {}",
            counted(positions as u64, "position"),
            counted(games as u64, "game")
        ));
        Ok(Trained { games, positions, network: outcome.all.network.all.mse, pieces })
    }

    /// Writes the table and the chart of all generations so far.
    fn write(&self, all: &Generations) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(all)
            .map_err(|error| Error::Json("the table of generations".to_owned(), error))?;
        folder::write(&self.folder.path("generations.json"), (text + "\n").as_bytes())?;
        all.chart().write(&self.folder.path("pictures"), "elo", &all.provenance(), true)
    }
}
