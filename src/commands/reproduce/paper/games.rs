//! Which games are learnt from: the real ones in the files, and where they are too few, games of self-play beside them.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use annals_engine::evaluation::Registry;
use annals_engine::player::{Noise, Settings, SetupStyle};
use annals_engine::search::Limits;
use annals_engine::selfplay::{Colours, Contestant, Options, RunError, SelfPlay};
use annals_engine::settings_text::player_name;
use annals_events::Termination;
use annals_features::filter::Generated;
use annals_features::{Dataset, FeatureError, Filter, Report, collect_reported};
use annals_learning::{Folds, Samples, Split};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::folder::Folder;
use super::found::{Data, Source};
use super::options::{Chosen, FOLDS, GRID_FOLDS};
use crate::archive_file::Rows;
use crate::commands::learn::train::duration;
use crate::errors::CliError;
use crate::output::talk;
use crate::output_file::OutputFile;
use crate::stored_games;
use crate::terminal::{counted, grouped};
use std::io::Write as _;

/// Games to learn from, with what is known of them.
pub struct Games {
    /// `real` or `selfplay`.
    pub key: &'static str,
    /// What they are called.
    pub name: String,
    /// Their positions.
    pub dataset: Dataset,
    /// Where they come from.
    pub data: Data,
    /// For each game of the dataset whether it was resigned.
    pub resigned: Vec<bool>,
}

/// The file for games of self-play in the folder.
const SELF_PLAY: &str = "selfplay.txt";

/// All that is learnt from, and what there was to say on the way.
pub fn gather(
    files: &[PathBuf],
    chosen: &Chosen,
    folder: &Folder,
) -> Result<(Vec<Games>, Vec<String>), CliError> {
    let mut all = Vec::new();
    let mut not_done = Vec::new();
    let filter = |floor, generated| Filter { generated, ..chosen.filter(floor) };
    let mut real = None;
    if !files.is_empty() {
        real = read(files, &filter(chosen.rating_floor, Generated::Without), chosen)?;
    }
    let count = real.as_ref().map_or(0, |read| read.1.games);
    let floor = chosen.rating_floor.map_or("any rating".to_owned(), |floor| format!("at least {floor}"));
    let mut about = format!("games of people and programs, both rated {floor}");
    if count < chosen.enough && !files.is_empty() {
        not_done.push(format!(
            "The files hold {} of people and programs that the paper's choice takes (both rated {floor}); {} are asked for \
             before its figures could be repeated on them.",
            counted(count, "game"),
            grouped(chosen.enough)
        ));
        if !chosen.floor_said {
            real = read(files, &filter(None, Generated::Without), chosen)?;
            about = format!(
                "games of people and programs of any rating ({count} of them with both at least 1800)"
            );
        }
    }
    if let Some(read) = real {
        let games = games("real", "Real games", about, files, read, chosen)?;
        match dividable(&games) {
            Ok(()) => all.push(games),
            Err(why) => not_done.push(format!("The real games were not learnt from: {why}.")),
        }
    }
    if count < chosen.enough {
        match self_play(files, chosen, folder, &filter(chosen.rating_floor, Generated::Only))? {
            Some(games) => {
                dividable(&games).map_err(|why| {
                    CliError::new(format!("the games of self-play cannot be learnt from: {why}"))
                        .hint("make more of them with --games, into another folder or after deleting selfplay.txt and its stage in this one")
                        .hint("--games 0 learns from the real games alone")
                })?;
                all.push(games);
            }
            None => not_done.push("No games of self-play were made, as was asked for.".to_owned()),
        }
    }
    if all.is_empty() {
        let error = CliError::new(format!("there is nothing to learn from: {}", not_done.join(" ")));
        return Err(error
            .hint("name more archive files, or let games of self-play be made with --games 3000")
            .hint("--rating-floor none takes games of any rating"));
    }
    Ok((all, not_done))
}

type Read = (Dataset, Report, Filter);

/// Reads files; none where no game of them is taken.
fn read(files: &[PathBuf], filter: &Filter, chosen: &Chosen) -> Result<Option<Read>, CliError> {
    match collect_reported(files, filter, chosen.threads) {
        Ok((dataset, report)) => {
            for source in &report.not_read {
                talk(format_args!("{}: not read: {}", source.name, source.reason));
            }
            Ok(Some((dataset, report, filter.clone())))
        }
        Err(FeatureError::Empty { .. }) => Ok(None),
        Err(error) => Err(stored_games::explain(&error)),
    }
}

/// Games with what is known of them. Which were resigned the second reading says, of those alone.
fn games(
    key: &'static str,
    name: &str,
    about: String,
    files: &[PathBuf],
    (dataset, report, filter): Read,
    chosen: &Chosen,
) -> Result<Games, CliError> {
    let only = Filter { endings: vec![Termination::Resignation], ..filter };
    let resigned: HashSet<String> = match read(files, &only, chosen)? {
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
        digest: annals_learning::hex(&dataset.digest),
    };
    Ok(Games { key, name: name.to_owned(), dataset, data, resigned })
}

/// Whether every fold has something in it, with the resigned games and without them.
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

/// Games of self-play: those in the files, else new ones.
fn self_play(
    files: &[PathBuf],
    chosen: &Chosen,
    folder: &Folder,
    filter: &Filter,
) -> Result<Option<Games>, CliError> {
    if !files.is_empty()
        && let Some(read) = read(files, filter, chosen)?
    {
        let about = "games of self-play that were in the files".to_owned();
        return games("selfplay", "Games of self-play", about, files, read, chosen).map(Some);
    }
    if chosen.games == 0 {
        return Ok(None);
    }
    make(chosen, folder)?;
    let files = [folder.path(SELF_PLAY)];
    let read = read(&files, filter, chosen)?.ok_or_else(|| {
        CliError::new(format!(
            "none of the {} of self-play ended in a way that can be learnt from",
            counted(chosen.games, "game")
        ))
        .hint("make more of them with --games, or let the players look further with --nodes")
    })?;
    let about = format!(
        "{} of self-play made for this, seed {}, {} looked at in a turn",
        counted(chosen.games, "game"),
        chosen.seed,
        counted(chosen.nodes, "position")
    );
    games("selfplay", "Games of self-play", about, &files, read, chosen).map(Some)
}

/// What games of self-play are.
#[derive(Serialize)]
struct Made<'a> {
    seed: u64,
    games: u64,
    nodes: u64,
    control: &'a str,
    program: &'a str,
}

/// What became of them.
#[derive(Serialize, Deserialize)]
struct Written {
    sha256: String,
}

/// Makes the games, unless they are there: as `annals selfplay --games N --seed S --nodes N -o selfplay.txt` does.
fn make(chosen: &Chosen, folder: &Folder) -> Result<(), CliError> {
    let path = folder.path(SELF_PLAY);
    let of = Made {
        seed: chosen.seed,
        games: chosen.games,
        nodes: chosen.nodes,
        control: Options::TIME_CONTROL,
        program: env!("CARGO_PKG_VERSION"),
    };
    let digest = || -> Result<String, CliError> {
        let bytes = std::fs::read(&path).map_err(|error| {
            CliError::new(format!("the games of self-play {} cannot be read: {error}", path.display()))
                .hint("delete stages/selfplay.json beside them, and they are made anew")
        })?;
        Ok(annals_learning::hex(&Sha256::digest(&bytes)))
    };
    if let Some(written) = folder.finished::<Written>("selfplay", &of)? {
        if digest()? == written.sha256 {
            talk(format_args!("annals: {} of self-play are there", counted(chosen.games, "game")));
            return Ok(());
        }
        return Err(CliError::new(format!("{} is not what this command wrote", path.display()))
            .hint("delete stages/selfplay.json beside it, and the games are made anew"));
    }
    let settings = Settings {
        limits: Limits::nodes(chosen.nodes),
        hash_mib: 4,
        setup: SetupStyle::Random,
        noise: Noise { turns: 6, per_mille: 200 },
        ..Settings::default()
    };
    let player = || Contestant { name: player_name(&settings), settings: settings.clone() };
    let options = Options {
        seed: chosen.seed,
        games: chosen.games,
        contestants: [player(), player()],
        colours: Colours::Alternate,
        time_control: Options::TIME_CONTROL.to_owned(),
    };
    let run = SelfPlay::new(options, Registry::standard()).map_err(|error| CliError::from_error(&error))?;
    said_beforehand(&run, chosen)?;
    let mut file = OutputFile::create(&path, true)?;
    let mut rows = Rows::new(1_000_000_000 + chosen.seed % 1_000_000_000 * 100_000_000 + 1, "generated");
    file.write_all(rows.header())?;
    let (began, mut spoken, mut done) = (Instant::now(), Instant::now(), 0u64);
    let played = run.play(chosen.threads, &AtomicBool::new(false), |game| {
        let row = rows.of(game.game, &game.events).map_err(|error| CliError::from_error(&error))?;
        file.write_all(row)?;
        done += 1;
        if spoken.elapsed() >= Duration::from_secs(10) {
            let left = began.elapsed().mul_f64((chosen.games - done) as f64 / done as f64);
            talk(format_args!("annals: {} of {} games, {} left", done, chosen.games, duration(left)));
            spoken = Instant::now();
        }
        Ok::<(), CliError>(())
    });
    match played {
        Ok(()) => file.finish()?,
        Err(RunError::Refused(error)) => return Err(error),
        Err(error) => return Err(CliError::new(error)),
    }
    let _: Written = folder.finish("selfplay", &of, &Written { sha256: digest()? })?;
    Ok(())
}

/// How long the games take, by some of them.
fn said_beforehand(run: &SelfPlay, chosen: &Chosen) -> Result<(), CliError> {
    let mut table = run.table().map_err(|error| CliError::from_error(&error))?;
    let began = Instant::now();
    // One game may be short, and all of them may be fewer.
    let tried = chosen.games.min(4);
    for game in 0..tried {
        table.play(game).map_err(|error| CliError::from_error(&error))?;
    }
    let share = chosen.games as f64 / (tried as f64 * chosen.threads.max(1) as f64);
    talk(format_args!(
        "annals: {} of self-play are made first, by some of them in about {}",
        counted(chosen.games, "game"),
        duration(began.elapsed().mul_f64(share))
    ));
    Ok(())
}
