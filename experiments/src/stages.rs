//! The stages: a network under a split, a piece of the grid search under a split. All are planned before the first begins, so that
//! the cost can be reported; a finished stage is not repeated.

use std::hint::black_box;
use std::time::{Duration, Instant};

use annals_features::Sampling;
use annals_learning::baseline::Measures;
use annals_learning::evaluation::predict;
use annals_learning::experiment::{self, Outcome, Plan};
use annals_learning::grid::{self, Cell, Grid};
use annals_learning::{Folds, Keep, Network, Samples, Settings, Split, first_weights};
use annals_report::{counted, duration, grouped};
use serde::Serialize;

use crate::folder::Folder;
use crate::games::Games;
use crate::measures::{Predictions, clustered, parity, zigzags};
use crate::options::{FOLDS, GRID_FOLDS, Options, steps};
use crate::results::{Ending, Experiment, Fold, GridResult, Subject, Variant};
use crate::work::{Work, cost};
use crate::{Diagnostics, Error};

/// Some games of a subject, with the rows that they have.
struct Part<'g> {
    games: &'g Games,
    key: &'static str,
    rows: Vec<u32>,
}

/// The work of a stage.
enum Task {
    Network(Network, Split),
    Grid(Split, Grid),
}

/// The result of a stage.
enum Done {
    Network(Box<Experiment>),
    Grid(Split, Vec<Cell>),
}

struct Job {
    part: usize,
    name: String,
    task: Task,
    units: f64,
}

/// The inputs of an experiment, which distinguish it from one of another run.
#[derive(Serialize)]
struct OfNetwork<'a> {
    data: &'a str,
    positions: usize,
    network: String,
    settings: Settings,
    split: Split,
    folds: u32,
    eval_folds: u32,
    program: &'static str,
    /// Of the handcrafted evaluation among the baselines.
    engine: &'static str,
}

/// The inputs of a piece of a grid search.
#[derive(Serialize)]
struct OfGrid<'a> {
    data: &'a str,
    positions: usize,
    window: u32,
    sampling: Sampling,
    settings: Settings,
    split: Split,
    folds: u32,
    combinations: Vec<String>,
    program: &'static str,
}

const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// All planned work.
struct Stages<'a> {
    options: &'a Options,
    folder: &'a Folder,
    diagnostics: &'a dyn Diagnostics,
    /// The pieces of the grid search.
    pieces: Vec<(String, Grid)>,
    parts: Vec<Part<'a>>,
    jobs: Vec<Job>,
}

/// Runs all stages, and returns their results.
pub fn run(
    all: &[Games],
    options: &Options,
    folder: &Folder,
    diagnostics: &dyn Diagnostics,
) -> Result<Vec<Subject>, Error> {
    let stages = Stages::plan(all, options, folder, diagnostics);
    let mut done: Vec<Option<Done>> =
        stages.jobs.iter().map(|job| stages.finished(job)).collect::<Result<_, _>>()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    pool?.install(|| stages.do_all(&mut done))?;
    Ok(stages.put_together(all, done))
}

impl<'a> Stages<'a> {
    fn plan(
        all: &'a [Games],
        options: &'a Options,
        folder: &'a Folder,
        diagnostics: &'a dyn Diagnostics,
    ) -> Stages<'a> {
        let pieces = options.pieces();
        let mut parts = Vec::new();
        for games in all {
            parts.push(Part { games, key: "all", rows: games.rows(true) });
            // Without resigned games both sets are equal.
            if games.data.resigned > 0 {
                parts.push(Part { games, key: "without-resigned", rows: games.rows(false) });
            }
        }
        let mut jobs = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let prefix = format!("{}-{}", part.games.key, part.key);
            for (number, network) in options.networks.iter().enumerate() {
                let named = network.name().map_or_else(|| format!("network-{}", number + 1), str::to_owned);
                for split in [Split::Position, Split::Game] {
                    let training = part.rows.len() * (FOLDS as usize - 1) / FOLDS as usize;
                    let settings = options.settings(*network, training);
                    let passes = f64::from(settings.epochs) * f64::from(eval_folds(options, part));
                    let units = cost(network) * training as f64 * passes;
                    let name = format!("{prefix}-{named}-by-{split}");
                    jobs.push(Job { part: place, name, task: Task::Network(*network, split), units });
                }
            }
            for split in [Split::Position, Split::Game] {
                for (piece, grid) in &pieces {
                    let name = format!("{prefix}-grid-{piece}-by-{split}");
                    let units = grid_units(options, grid, (options.window as usize).min(part.rows.len()));
                    jobs.push(Job { part: place, name, task: Task::Grid(split, grid.clone()), units });
                }
            }
        }
        Stages { options, folder, diagnostics, pieces, parts, jobs }
    }

    /// The stored result of a stage of an earlier run.
    fn finished(&self, job: &Job) -> Result<Option<Done>, Error> {
        let part = &self.parts[job.part];
        Ok(match &job.task {
            Task::Network(network, split) => self
                .folder
                .finished(&job.name, &self.of_network(part, *network, *split))?
                .map(|found| Done::Network(Box::new(found))),
            Task::Grid(split, grid) => self
                .folder
                .finished(&job.name, &self.of_grid(part, *split, grid))?
                .map(|cells| Done::Grid(*split, cells)),
        })
    }

    fn of_network<'p>(&self, part: &'p Part<'_>, network: Network, split: Split) -> OfNetwork<'p> {
        OfNetwork {
            data: &part.games.data.digest,
            positions: part.rows.len(),
            network: network.to_string(),
            settings: self.options.settings(network, part.rows.len() * (FOLDS as usize - 1) / FOLDS as usize),
            split,
            folds: FOLDS,
            eval_folds: eval_folds(self.options, part),
            program: PROGRAM,
            engine: annals_engine::VERSION,
        }
    }

    fn of_grid<'p>(&self, part: &'p Part<'_>, split: Split, grid: &Grid) -> OfGrid<'p> {
        let settings = self.options.grid_settings();
        let named = |s: &Settings| {
            format!("{} {} {} {} {}", s.dropout, s.regularizer, s.optimizer, s.network, s.learning_rate)
        };
        OfGrid {
            data: &part.games.data.digest,
            positions: part.rows.len(),
            window: self.options.window,
            sampling: self.options.sampling,
            settings,
            split,
            folds: GRID_FOLDS,
            combinations: grid.combinations(&settings).unwrap_or_default().iter().map(named).collect(),
            program: PROGRAM,
        }
    }

    /// Runs a stage that is not finished.
    fn do_all(&self, done: &mut [Option<Done>]) -> Result<(), Error> {
        let left: Vec<usize> = (0..self.jobs.len()).filter(|at| done[*at].is_none()).collect();
        if left.len() < self.jobs.len() {
            let kept = self.jobs.len() - left.len();
            self.diagnostics.note(format_args!(
                "{} of {} are finished already",
                kept,
                counted(self.jobs.len() as u64, "stage")
            ));
        }
        let units: f64 = left.iter().map(|at| self.jobs[*at].units).sum();
        if let Some(first) = left.first() {
            self.estimate(&self.jobs[*first], left.len(), units)?;
        }
        let work = Work::new(units, self.diagnostics);
        let mut measured: Option<(usize, Measures)> = None;
        for at in left {
            let job = &self.jobs[at];
            let part = &self.parts[job.part];
            let samples = Samples::from(&part.games.dataset).checked()?;
            done[at] = Some(match &job.task {
                Task::Network(network, split) => {
                    if measured.as_ref().is_none_or(|(of, _)| *of != job.part) {
                        measured = Some((job.part, Measures::of(&samples)));
                    }
                    let Some((_, measures)) = &measured else { continue };
                    let found = self.network(job, samples, (*network, *split), measures, &work)?;
                    Done::Network(Box::new(found))
                }
                Task::Grid(split, grid) => {
                    Done::Grid(*split, self.grid(job, samples, (*split, grid), &work)?)
                }
            });
            work.end(job.units);
        }
        self.diagnostics.finish();
        Ok(())
    }

    /// The duration, estimated from one batch.
    fn estimate(&self, job: &Job, stages: usize, units: f64) -> Result<(), Error> {
        let part = &self.parts[job.part];
        let samples = Samples::from(&part.games.dataset);
        let settings = self.options.settings(self.options.first(), part.rows.len());
        let parameters = first_weights(&settings.network, settings.seed);
        let rows = &part.rows[..part.rows.len().min(4_096)];
        let batch = || experiment::gradient(samples, settings, &parameters, rows);
        // The first batch initialises the buffers.
        black_box(batch());
        let began = Instant::now();
        black_box(batch());
        let each = began.elapsed().as_secs_f64() / (rows.len() as f64 * cost(&settings.network));
        // The other work: shuffling, validation, baselines.
        const REST: f64 = 1.25;
        let left = Duration::from_secs_f64((REST * each * units).min(1e8));
        self.diagnostics.note(format_args!(
            "{} to do, about {} on {}; finished ones are kept in {}",
            counted(stages as u64, "stage"),
            duration(left),
            counted(self.options.threads as u64, "thread"),
            self.folder.path("stages").display()
        ));
        Ok(())
    }

    fn network(
        &self,
        job: &Job,
        samples: Samples<'_>,
        (network, split): (Network, Split),
        measures: &Measures,
        work: &Work,
    ) -> Result<Experiment, Error> {
        let part = &self.parts[job.part];
        let of = self.of_network(part, network, split);
        let plan = Plan { settings: of.settings, split, folds: FOLDS, eval_folds: of.eval_folds };
        let keep = Keep::at(self.folder.checkpoint(&job.name), true);
        work.begin(&job.name, of.eval_folds as usize);
        let heard = |fold: usize, at: &annals_learning::Progress<'_>| {
            let epochs = f64::from(at.epochs_done) + at.batches_done as f64 / at.batches.max(1) as f64;
            work.at(fold, cost(&network) * at.positions as f64 * epochs);
        };
        let outcome = experiment::run_measured(samples, &part.rows, &plan, measures, Some(&keep), &heard)
            .map_err(|error| Error::stage(&job.name, error))?;
        let found =
            measure(samples, part, &plan, &outcome).map_err(|error| Error::stage(&job.name, error))?;
        if let Some(fold) = outcome.folds.first() {
            self.keep_model(job, part, fold)?;
        }
        let found = self.folder.finish(&job.name, &of, &found)?;
        for keep in experiment::keeps(&keep, of.eval_folds as usize) {
            keep.remove()?;
        }
        Ok(found)
    }

    /// Writes the first fold's network, so that the engine can search with it.
    fn keep_model(&self, job: &Job, part: &Part<'_>, fold: &experiment::Fold) -> Result<(), Error> {
        let folder = self.folder.path("models");
        std::fs::create_dir_all(&folder).map_err(|error| Error::Models(folder.clone(), error))?;
        let mut model = fold.model.clone();
        model.about.description.clone_from(&part.games.data.about);
        let path = folder.join(format!("{}.safetensors", job.name));
        Ok(model.write(&path)?)
    }

    fn grid(
        &self,
        job: &Job,
        samples: Samples<'_>,
        (split, grid): (Split, &Grid),
        work: &Work,
    ) -> Result<Vec<Cell>, Error> {
        let part = &self.parts[job.part];
        let rows = grid_rows(self.options, part);
        work.begin(&job.name, 1);
        let heard = |done: usize, all: usize| work.at(0, job.units * done as f64 / all.max(1) as f64);
        let how = (split, GRID_FOLDS);
        let cells = grid::run(samples, &rows, &self.options.grid_settings(), grid, how, &heard)
            .map_err(|error| Error::stage(&job.name, error))?;
        self.folder.finish(&job.name, &self.of_grid(part, split, grid), &cells)
    }

    /// Every stage in its place.
    fn put_together(&self, all: &[Games], done: Vec<Option<Done>>) -> Vec<Subject> {
        let mut variants: Vec<Variant> = self.parts.iter().map(|part| self.variant(part)).collect();
        for (job, done) in self.jobs.iter().zip(done) {
            let variant = &mut variants[job.part];
            match done {
                Some(Done::Network(found)) => variant.experiments.push(*found),
                Some(Done::Grid(split, cells)) => {
                    if let Some(grid) = variant.grid.iter_mut().find(|grid| grid.split == split) {
                        grid.cells.extend(cells);
                    }
                }
                None => {}
            }
        }
        let error = |cell: &Cell| cell.figures.map_or(f64::INFINITY, |figures| figures.mse);
        for grid in variants.iter_mut().flat_map(|variant| &mut variant.grid) {
            grid.cells.sort_by(|a, b| error(a).total_cmp(&error(b)));
        }
        let mut left = variants.into_iter().zip(&self.parts).collect::<Vec<_>>().into_iter().peekable();
        let mut subjects = Vec::new();
        for games in all {
            let mut variants = Vec::new();
            while let Some((variant, _)) = left.next_if(|(_, part)| part.games.key == games.key) {
                variants.push(variant);
            }
            let (key, name, data) = (games.key, games.name.clone(), games.data.clone());
            subjects.push(Subject { key, name, data, variants });
        }
        subjects
    }

    fn variant(&self, part: &Part<'_>) -> Variant {
        let samples = Samples::from(&part.games.dataset);
        let rows = grid_rows(self.options, part);
        let grid = |split| GridResult {
            split,
            sampling: self.options.sampling,
            positions: rows.len(),
            games: experiment::games(&samples, &rows),
            cells: Vec::new(),
        };
        let splits = [Split::Position, Split::Game];
        Variant {
            key: part.key,
            games: experiment::games(&samples, &part.rows),
            positions: part.rows.len(),
            experiments: Vec::new(),
            grid: if self.pieces.is_empty() { Vec::new() } else { Vec::from(splits.map(grid)) },
        }
    }
}

/// The number of validation folds.
fn eval_folds(options: &Options, part: &Part<'_>) -> u32 {
    let few = part.games.data.games < options.enough;
    options.eval_folds.unwrap_or(if few { FOLDS } else { 1 })
}

/// The positions of the grid search.
fn grid_rows(options: &Options, part: &Part<'_>) -> Vec<u32> {
    options.sampling.rows(&part.rows, options.window, options.seed)
}

fn grid_units(options: &Options, grid: &Grid, window: usize) -> f64 {
    let combinations = grid.combinations(&options.grid_settings()).unwrap_or_default();
    let each: f64 = combinations.iter().map(|settings| cost(&settings.network)).sum();
    each * window as f64 * f64::from(options.grid_epochs) * f64::from(GRID_FOLDS - 1)
}

/// All measurements of an experiment.
fn measure(
    samples: Samples<'_>,
    part: &Part<'_>,
    plan: &Plan,
    outcome: &Outcome,
) -> Result<Experiment, experiment::ExperimentError> {
    let rows = &part.rows;
    let divided = Folds::new(&samples, rows, plan.split, plan.folds, plan.settings.seed)?;
    let mut said = Predictions::default();
    for (fold, rows) in outcome.folds.iter().zip(&divided.folds) {
        let parameters = &fold.model.parameters;
        let predictions = predict(samples, plan.settings, parameters, rows);
        said.extend(rows, predictions);
    }
    let mut whole = Predictions::default();
    if let Some(fold) = outcome.folds.first() {
        whole.extend(rows, predict(samples, plan.settings, &fold.model.parameters, rows));
    }
    let was_resigned = |row: u32| part.games.resigned[samples.games[row as usize] as usize];
    let ending = |how: &str, resigned: bool| {
        let these = said.only(|row| was_resigned(row) == resigned);
        let last = these.only(|row| samples.heights[row as usize] < 10);
        let figures = |said: &Predictions| said.score(&samples).all;
        let near_the_end = (!last.rows.is_empty()).then(|| figures(&last));
        (!these.rows.is_empty()).then(|| Ending { how: how.to_owned(), all: figures(&these), near_the_end })
    };
    let training_positions = outcome.folds.first().map_or(0, |fold| fold.training_positions);
    Ok(Experiment {
        network: outcome.network.clone(),
        parameters: outcome.parameters,
        settings: plan.settings,
        split: plan.split,
        of_folds: plan.folds,
        steps: steps(training_positions, plan.settings.batch, plan.settings.epochs),
        folds: outcome.folds.iter().map(fold).collect(),
        score: outcome.all.network.clone(),
        clustered: clustered(&samples, &said),
        baselines: outcome.all.baselines.clone(),
        zigzag: zigzags(&samples, &said),
        parity: parity(&samples, &said.rows),
        whole: whole.score(&samples),
        whole_zigzag: zigzags(&samples, &whole),
        endings: [ending("board", false), ending("resigned", true)].into_iter().flatten().collect(),
        filters: outcome.folds.first().map(|fold| fold.filters.clone()).unwrap_or_default(),
    })
}

fn fold(fold: &experiment::Fold) -> Fold {
    Fold {
        fold: fold.fold,
        training_positions: fold.training_positions,
        errors: fold.errors.clone(),
        best_epoch: fold.best_epoch,
        figures: fold.validation.network.all,
    }
}

/// Notes the size of the training data.
pub fn sizes(all: &[Games], diagnostics: &dyn Diagnostics) {
    for games in all {
        diagnostics.note(format_args!(
            "{}: {} of {}",
            games.name.to_lowercase(),
            counted(games.data.positions, "position"),
            counted(games.data.games, "game")
        ));
        if !games.data.left_out.is_empty() {
            let words: Vec<String> =
                games.data.left_out.iter().map(|(why, rows)| format!("{why} {}", grouped(*rows))).collect();
            diagnostics.note(format_args!("  left out: {}", words.join(", ")));
        }
    }
}
