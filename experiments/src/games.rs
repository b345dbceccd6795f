//! The games for training: the real ones in the files, and if they are too few, games of self-play as well.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use annals_engine::evaluation::Registry;
use annals_engine::player::Settings;
use annals_engine::search::Limits;
use annals_engine::seated::Seated as _;
use annals_engine::selfplay::{self, Colours, Contestant, SelfPlay};
use annals_events::Termination;
use annals_features::filter::Generated;
use annals_features::{Dataset, FeatureError, Filter, Report, collect_reported};
use annals_learning::{Folds, Keep, Samples, Split, hex};
use annals_report::{counted, duration, grouped};
use serde::{Deserialize, Serialize};

use crate::folder::{Folder, digest_of};
use crate::options::{FOLDS, GRID_FOLDS, Options};
use crate::results::{Data, Source};
use crate::{Diagnostics, Error, kept_games};

/// Games for training, with their facts.
pub struct Games {
    /// `real` or `selfplay`.
    pub key: &'static str,
    /// Their name.
    pub name: String,
    /// Their positions.
    pub dataset: Dataset,
    /// Their source.
    pub data: Data,
    /// For each game of the dataset whether it was resigned.
    pub resigned: Vec<bool>,
}

/// The file for games of self-play in the folder.
const SELF_PLAY: &str = "selfplay.txt";

/// All games, and the steps that failed.
pub fn gather(
    files: &[PathBuf],
    options: &Options,
    folder: &Folder,
    diagnostics: &dyn Diagnostics,
) -> Result<(Vec<Games>, Vec<String>), Error> {
    Gatherer { files, options, folder, diagnostics }.all()
}

type Read = (Dataset, Report, Filter);

struct Gatherer<'a> {
    files: &'a [PathBuf],
    options: &'a Options,
    folder: &'a Folder,
    diagnostics: &'a dyn Diagnostics,
}

impl Gatherer<'_> {
    fn all(&self) -> Result<(Vec<Games>, Vec<String>), Error> {
        let Gatherer { files, options, .. } = *self;
        let mut all = Vec::new();
        let mut not_done = Vec::new();
        let filter = |floor, generated| Filter { generated, ..options.filter(floor) };
        let mut real = None;
        if !files.is_empty() {
            real = self.read(files, &filter(options.rating_floor, Generated::Without))?;
        }
        let count = real.as_ref().map_or(0, |read| read.1.games);
        let floor = options.rating_floor.map_or("any rating".to_owned(), |floor| format!("at least {floor}"));
        let mut about = format!("games of people and programs, both rated {floor}");
        if count < options.enough && !files.is_empty() {
            not_done.push(format!(
                "The files hold {} of people and programs that the paper's choice takes (both rated {floor}); {} are asked for \
                 before its figures could be repeated on them.",
                counted(count, "game"),
                grouped(options.enough)
            ));
            if !options.floor_is_fixed {
                real = self.read(files, &filter(None, Generated::Without))?;
                about = format!(
                    "games of people and programs of any rating ({count} of them with both at least 1800)"
                );
            }
        }
        if let Some(read) = real {
            let games = self.games(("real", "Real games"), about, files, read)?;
            match dividable(&games) {
                Ok(()) => all.push(games),
                Err(why) => not_done.push(format!("The real games were not used: {why}.")),
            }
        }
        if count < options.enough {
            match self.self_play(&filter(options.rating_floor, Generated::Only))? {
                Some(games) => {
                    dividable(&games).map_err(Error::FewGames)?;
                    all.push(games);
                }
                None => not_done.push("No games of self-play were made, as was asked for.".to_owned()),
            }
        }
        if all.is_empty() {
            return Err(Error::NoGames(not_done.join(" ")));
        }
        Ok((all, not_done))
    }

    /// Reads files; none if no game of them is selected.
    fn read(&self, files: &[PathBuf], filter: &Filter) -> Result<Option<Read>, Error> {
        match collect_reported(files, filter, self.options.threads) {
            Ok((dataset, report)) => {
                for source in &report.not_read {
                    self.diagnostics.not_read(&source.name, &source.reason);
                }
                Ok(Some((dataset, report, filter.clone())))
            }
            Err(FeatureError::Empty { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Games with their facts. A second reading, of the resigned games alone, identifies these.
    fn games(
        &self,
        (key, name): (&'static str, &str),
        about: String,
        files: &[PathBuf],
        (dataset, report, filter): Read,
    ) -> Result<Games, Error> {
        let only = Filter { endings: vec![Termination::Resignation], ..filter };
        let resigned: HashSet<String> = match self.read(files, &only)? {
            Some((dataset, ..)) => dataset.game_ids.into_iter().collect(),
            None => HashSet::new(),
        };
        let resigned: Vec<bool> = dataset.game_ids.iter().map(|id| resigned.contains(id)).collect();
        let sources = report.sources.iter().map(|source| Source {
            name: source.name.clone(),
            digest: source.digest.clone(),
            bytes: source.bytes,
        });
        let data = Data {
            about,
            filter: report.filter.clone(),
            rows: report.rows,
            games: report.games,
            resigned: resigned.iter().filter(|resigned| **resigned).count() as u64,
            positions: report.positions,
            left_out: report.left_out.iter().map(|(why, rows)| ((*why).to_owned(), *rows)).collect(),
            sources: sources.collect(),
            digest: hex(&dataset.digest),
        };
        Ok(Games { key, name: name.to_owned(), dataset, data, resigned })
    }

    /// Games of self-play: those in the files, else new ones.
    fn self_play(&self, filter: &Filter) -> Result<Option<Games>, Error> {
        let Gatherer { files, options, folder, .. } = *self;
        if !files.is_empty()
            && let Some(read) = self.read(files, filter)?
        {
            let about = "games of self-play that were in the files".to_owned();
            return self.games(("selfplay", "Games of self-play"), about, files, read).map(Some);
        }
        if options.games == 0 {
            return Ok(None);
        }
        self.make()?;
        let files = [folder.path(SELF_PLAY)];
        let read = self.read(&files, filter)?;
        let read = read.ok_or_else(|| Error::NoWinner(counted(options.games, "game")))?;
        let about = format!(
            "{} of self-play made for this, seed {}, {} looked at in a turn",
            counted(options.games, "game"),
            options.seed,
            counted(options.nodes, "position")
        );
        self.games(("selfplay", "Games of self-play"), about, &files, read).map(Some)
    }

    /// Makes the games, unless they exist: as `annals engine selfplay --games N --seed S --nodes N -o selfplay.txt` does.
    fn make(&self) -> Result<(), Error> {
        let Gatherer { options, folder, diagnostics, .. } = *self;
        let path = folder.path(SELF_PLAY);
        let of = Made {
            seed: options.seed,
            games: options.games,
            nodes: options.nodes,
            control: selfplay::Options::TIME_CONTROL,
            program: env!("CARGO_PKG_VERSION"),
            engine: annals_engine::VERSION,
        };
        // Games of other settings are not continued.
        let Made { seed, nodes, engine, .. } = of;
        let part = folder.checkpoint(&format!("selfplay-{seed}-{nodes}-{engine}"));
        let kept = Keep::at(part.clone(), true);
        if let Some(written) = folder.finished::<Written>("selfplay", &of)? {
            if digest_of(&path)? == written.sha256 {
                diagnostics.note(format_args!("{} of self-play are there", counted(options.games, "game")));
                return Ok(kept.remove()?);
            }
            return Err(Error::Changed(path));
        }
        let settings = Settings { limits: Limits::nodes(options.nodes), ..Settings::for_selfplay() };
        let run = selfplay::Options {
            seed: options.seed,
            games: options.games,
            contestants: Contestant::pair([settings.clone(), settings], None),
            colours: Colours::Alternate,
            time_control: selfplay::Options::TIME_CONTROL.to_owned(),
        };
        let run = SelfPlay::new(run, Registry::standard()).map_err(Error::self_play)?;
        self.estimate(&run)?;
        let stop = AtomicBool::new(false);
        kept_games::play(&run, (&part, &path), (options.threads, &stop), diagnostics, "self-play", |_| {
            false
        })?;
        let _: Written = folder.finish("selfplay", &of, &Written { sha256: digest_of(&path)? })?;
        Ok(kept.remove()?)
    }

    /// The duration of the games, estimated from some of them.
    fn estimate(&self, run: &SelfPlay) -> Result<(), Error> {
        let Gatherer { options, diagnostics, .. } = *self;
        let mut table = run.table().map_err(Error::self_play)?;
        let began = Instant::now();
        // One game may be short, and there may be fewer games.
        let tried = options.games.min(4);
        for game in 0..tried {
            table.play(game).map_err(Error::self_play)?;
        }
        let share = options.games as f64 / (tried as f64 * options.threads.max(1) as f64);
        diagnostics.note(format_args!(
            "{} of self-play are made first, by some of them in about {}",
            counted(options.games, "game"),
            duration(began.elapsed().mul_f64(share))
        ));
        Ok(())
    }
}

/// Whether no fold is empty, with the resigned games and without them.
fn dividable(games: &Games) -> Result<(), String> {
    let samples = Samples::from(&games.dataset).checked().map_err(|error| error.to_string())?;
    for rows in [games.rows(true), games.rows(false)] {
        for folds in [FOLDS, GRID_FOLDS] {
            Folds::new(&samples, &rows, Split::Game, folds, 0).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

impl Games {
    /// The rows of all games, or of those that were not resigned.
    pub fn rows(&self, with_resigned: bool) -> Vec<u32> {
        let game = |row: &u32| self.dataset.games[*row as usize] as usize;
        let taken = |row: &u32| with_resigned || !self.resigned[game(row)];
        (0..self.dataset.len() as u32).filter(taken).collect()
    }
}

/// The description of games of self-play.
#[derive(Serialize)]
struct Made<'a> {
    seed: u64,
    games: u64,
    nodes: u64,
    control: &'a str,
    program: &'a str,
    engine: &'a str,
}

/// Their results.
#[derive(Serialize, Deserialize)]
struct Written {
    sha256: String,
}
