//! `annals engine match`: programs against each other under a real clock; with `--log` the log records every game.

mod args;
mod encounter;
mod watcher;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use annals_engine::arena::schedule::{Format, Schedule};
use annals_engine::arena::sprt::Sprt;
use annals_engine::arena::{
    BoutError, Console, Contestant, Director, GameRecord, Match, Pace, Running, position_to_play,
};
use annals_engine::seated::Seated;
use annals_engine::{amazons, player};
use annals_events::log::ClockKind;
use annals_events::{GameEvent, GameId, GameKind, Micros};
use annals_ingest::archive_row::{Archive, ArchiveError, rounded};
use annals_ingest::game_files::{self, Format as FileFormat};
use annals_ingest::output_file::{self, OutputFile};
use annals_replay::handler::record_game;

pub use self::args::Args;
use self::watcher::Watcher;
use crate::errors::{CliError, InWords as _};
use crate::evaluators;
use crate::home::Home;
use crate::interrupt::stop_on_interrupt_with;
use crate::log_file;
use crate::output::{diagnostic, one_line, write_json, write_words};
use crate::terminal::counted;

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.check()?;
    match args.game {
        GameKind::Arimaa => {
            let contestants = args.contestants::<player::Settings>()?;
            let settings = contestants.iter().filter_map(Contestant::settings);
            let registry = evaluators::registry(settings.map(|settings| settings.evaluator.as_str()))?;
            play(&args, home, &contestants, &registry)
        }
        GameKind::Amazons => {
            let contestants = args.contestants::<amazons::Settings>()?;
            play(&args, home, &contestants, &amazons::Registry::standard())
        }
    }
}

fn play<S: Seated>(
    args: &Args,
    home: &Home,
    contestants: &[Contestant<S>],
    registry: &S::Registry,
) -> Result<ExitCode, CliError> {
    contestants.iter().filter_map(Contestant::settings).try_for_each(|settings| settings.check(registry))?;
    let running = Running::default();
    // The first signal halts the games that are being played; a second one ends the programs with what they started.
    let programs = running.clone();
    let stop = || stop_on_interrupt_with(move || programs.end_all());
    if let (Some(tournament), Some(pairing)) = (&args.tournament, args.pairing) {
        let stop = stop()?;
        return encounter::play(args, home, (tournament, pairing), contestants, registry, (&stop, &running));
    }
    if let Some(text) = &args.position {
        position_to_play::<S>(text).map_err(|error| match (&error, S::KIND) {
            (BoutError::Start(_), GameKind::Arimaa) => {
                CliError::from_error(&error).hint("write --position 'g [64 squares]'")
            }
            _ => CliError::from_error(&error),
        })?;
    }
    let name: GameId = args.event.parse()?;
    let actor = args.log.then(|| args.actor.name_or("annals engine match"));
    if actor.is_some() {
        check_log(home)?;
    }
    let sprt = args.sprt.map(|[elo0, elo1]| Sprt::new(elo0, elo1, args.alpha, args.beta)).transpose()?;
    let format = if args.gauntlet { Format::Gauntlet { challenger: 0 } } else { Format::RoundRobin };
    let games = args.games.unwrap_or(if sprt.is_some() { 20_000 } else { 2 });
    let schedule = Schedule::of_games(format, contestants.len(), games, args.seed)?;
    let mut archive = args.output.as_deref().map(|path| begin_archive(path, args)).transpose()?;
    let mut left_out = 0;
    let stop = stop()?;
    let console = args.director.as_ref().map(|_| Console::read(std::io::stdin()));
    let shown = format!("game/{}", args.event).parse()?;
    let watcher = args.director.as_deref().zip(console.as_ref());
    let watcher = watcher.map(|director| Watcher::new(shown, director, None, args.json, &stop));
    let keep = |game: &GameRecord<'_>| -> Result<_, CliError> {
        let stream = match &actor {
            Some(actor) => {
                let mut open = log_file::open_for_append(&home.log())?;
                let who = (actor.as_str(), &name);
                Some(record_game(&mut open.log, open.now, who, game.events, game.retracted_by)?)
            }
            None => None,
        };
        match archive.as_mut().map(|archive| archive.add(&rounded(game.events))) {
            Some(Err(ArchiveError::Row(error))) => {
                left_out += 1;
                diagnostic(format_args!("note: not in the archive: {}", one_line(&error.to_string())));
            }
            Some(Err(error)) => return Err(error.into()),
            Some(Ok(())) | None => {}
        }
        if let Some(folder) = &args.game_files {
            let numbered = || format!("{}-{}", args.event, game.number);
            let name = stream.as_ref().map_or_else(numbered, |stream| stream.name().to_owned());
            let timed: Vec<_> = game.events.iter().map(|(at, event)| (Some(*at), event.clone())).collect();
            let path = write_game_file(folder, &name, args.force, &timed)?;
            diagnostic(format_args!("note: {}", path.display()));
        }
        Ok(stream)
    };
    let contest = Match {
        contestants,
        schedule: &schedule,
        sprt,
        pace: Pace::of(S::KIND, args.time_control, args.move_time),
        captures: args.captures(),
        position: args.position.as_deref(),
        event: &args.event,
        most_turns: args.turns,
        registry,
        threads: usize::from(args.threads),
        director: watcher.as_ref().map(|watcher| watcher as &(dyn Director + Sync)),
        stop: &stop,
        running: &running,
    };
    let (results, stopped) = contest.play(keep, |text| diagnostic(format_args!("note: {text}")))?;
    if let Some(archive) = archive {
        let (file, games) = archive.finish();
        file.finish()?;
        let left_out = if left_out == 0 { String::new() } else { format!(", {left_out} left out") };
        diagnostic(format_args!("note: {} in the archive{left_out}", counted(games, "game")));
    }
    let written = if args.json { write_json(&results.json()) } else { write_words(&results.document()) };
    match written {
        // After a signal, standard output may be closed too.
        _ if stopped => Ok(ExitCode::from(130)),
        Ok(()) if results.is_empty() => {
            Err(CliError::new("no game of the match began: a program could not be started, or no program answered")
                .hint("run each program by hand and type `aei`; write a contestant of several words in quotes: 'annals engine aei'")
                .finding())
        }
        written => written.map(|()| ExitCode::SUCCESS),
    }
}

/// Rejects a log to which no game can be appended, before anything is played.
fn check_log(home: &Home) -> Result<(), CliError> {
    let open = log_file::open_existing(home, None)?;
    if open.log.opened().clock == ClockKind::Simulated {
        return Err(CliError::new(
            "the log has a simulated clock, and these games are played by the real one, so the log cannot record them",
        )
        .hint("name another home with --home, or leave --log out"));
    }
    Ok(())
}

/// Begins the archive. The default number of its first game is far from those of the gameroom and of other matches.
fn begin_archive(path: &Path, args: &Args) -> Result<Archive<OutputFile>, CliError> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let first_id = args.first_id.unwrap_or(since.as_secs().saturating_mul(1_000_000));
    Ok(Archive::begin(OutputFile::create(path, args.force)?, first_id, "play")?)
}

/// Writes the list of moves of a game into a directory; returns the path.
fn write_game_file(
    folder: &Path,
    name: &str,
    force: bool,
    events: &[(Option<Micros>, GameEvent<'_>)],
) -> Result<PathBuf, CliError> {
    let text = game_files::write(FileFormat::MoveList, events)
        .cannot(format_args!("{name} cannot be written as a game file"))?;
    std::fs::create_dir_all(folder)
        .cannot(format_args!("cannot create the directory {}", folder.display()))?;
    let path = folder.join(format!("{name}.moves"));
    output_file::write(&path, force, text.as_bytes())?;
    Ok(path)
}
