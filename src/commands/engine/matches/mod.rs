//! `annals engine match`: programs against each other under a real clock; with `--log` the log records every game.

mod archive;
mod args;
mod encounter;
mod game_files;
mod live;
mod program;

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use annals_engine::arena::results::{Played, Results};
use annals_engine::arena::sprt::Sprt;
use annals_engine::arena::{
    Bout, BoutError, Contestant, ContestantError, Director, Kind, Pace, Patience, Report, Running, play_all,
    position_to_play,
};
use annals_engine::seated::Seated;
use annals_engine::{amazons, player};
use annals_events::log::ClockKind;
use annals_events::{GameEvent, GameId, GameKind, Micros, StreamName};
use annals_replay::handler::record_game;
use annals_rules::clock::TimeControl;
use annals_rules::game::Strictness;

use self::archive::Archive;
pub use self::args::Args;
use self::live::{Console, Watched};
use self::program::Program;
use crate::errors::CliError;
use crate::evaluators;
use crate::home::Home;
use crate::interrupt::stop_on_interrupt_with;
use crate::log_file;
use crate::output::{one_line, talk, write_json, write_words};

/// Why no further games are played.
enum Over {
    /// The test has decided.
    Decided,
    /// A game cannot be played or kept.
    Failed(CliError),
}

impl From<CliError> for Over {
    fn from(error: CliError) -> Over {
        Over::Failed(error)
    }
}

/// What one game gave: its report, or why it could not be played; its events; and who asked for moves to be taken back.
type Outcome = (Result<Report, BoutError>, Vec<(Micros, GameEvent<'static>)>, Vec<String>);

/// The time of a side for all its moves of a game of the Amazons: what the organisers of the Olympiad prefer.
const AMAZONS_TIME: &str = "game 30m";

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.check()?;
    match args.game {
        GameKind::Arimaa => {
            let contestants = named::<player::Settings>(&args)?;
            let evaluators = contestants.iter().filter_map(|contestant| match &contestant.kind {
                Kind::Player(settings) => Some(settings.evaluator.as_str()),
                Kind::Program { .. } => None,
            });
            let registry = evaluators::registry(evaluators)?;
            play(&args, home, &contestants, &registry)
        }
        GameKind::Amazons => {
            play(&args, home, &named::<amazons::Settings>(&args)?, &amazons::Registry::standard())
        }
    }
}

fn play<S: Seated>(
    args: &Args,
    home: &Home,
    contestants: &[Contestant<S>],
    registry: &S::Registry,
) -> Result<ExitCode, CliError> {
    for contestant in contestants {
        if let Kind::Player(settings) = &contestant.kind {
            settings.check(registry)?;
        }
    }
    if let (Some(tournament), Some(pairing)) = (&args.tournament, args.pairing) {
        return encounter::play(args, home, (tournament, pairing), contestants, registry);
    }
    let usual = match S::KIND {
        GameKind::Arimaa => None,
        GameKind::Amazons => Some(AMAZONS_TIME.parse::<TimeControl>()?),
    };
    let pace = match (args.time_control, args.move_time) {
        (Some(control), _) => Pace::Control(control),
        (None, Some(time)) => Pace::PerTurn(time),
        (None, None) => usual.map_or(Pace::Untimed, Pace::Control),
    };
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
    actor.iter().try_for_each(|actor| check_log(home, actor))?;
    let keep = |events: &[(Micros, GameEvent<'static>)], said_by: &[String]| {
        let Some(actor) = &actor else { return Ok(None) };
        let mut open = log_file::open_for_append(&home.log())?;
        Ok::<_, CliError>(Some(record_game(&mut open.log, open.now, (actor, &name), events, said_by)?))
    };
    let event = match args.move_time {
        Some(time) => format!("{} ({} s a turn)", args.event, time.as_secs_f64()),
        None => args.event.clone(),
    };
    let sprt = args.sprt.map(|[elo0, elo1]| Sprt::new(elo0, elo1, args.alpha, args.beta)).transpose()?;
    let most_games = if sprt.is_some() { 20_000 } else { 2 };
    let program =
        Program::new(contestants.len(), args.games.unwrap_or(most_games), args.gauntlet, args.seed)?;
    let archive = args.output.as_deref().map(|path| Archive::create(path, args.force, args.first_id));
    let mut archive = archive.transpose()?;
    let running = Running::default();
    // The first signal halts the games that are being played; a second one ends the programs with what they started.
    let programs = running.clone();
    let stop = stop_on_interrupt_with(move || programs.end_all())?;
    let mut results = Results::new(contestants, sprt);
    let console = args.director.as_ref().map(|_| Console::open());
    let shown: StreamName = format!("game/{}", args.event).parse()?;

    let play = |game: usize| -> Outcome {
        let mut events = Vec::new();
        let Some(fixture) = program.game(game).filter(|_| !stop.load(Ordering::Relaxed)) else {
            return (Ok(Report::not_begun()), events, Vec::new());
        };
        let names = [fixture.gold, fixture.silver].map(|place| contestants[place].name.clone());
        let watched = args.director.as_deref().map(|director| {
            let director = (director, console.as_ref());
            Watched::new(shown.clone(), (S::KIND, names), director, None, args.json, &stop)
        });
        let bout = Bout {
            contestants: [&contestants[fixture.gold], &contestants[fixture.silver]],
            pace,
            patience: Patience::default(),
            captures: if args.strict { Strictness::Strict } else { Strictness::Archive },
            position: args.position.as_deref(),
            event: Some(&event),
            most_turns: (!S::ENDS).then_some(args.turns),
            seed: fixture.opening,
            registry,
            opening: &[],
            director: watched.as_ref().map(|watched| watched as &dyn Director),
            stop: &stop,
            running: &running,
        };
        let report = bout.play(&mut |at, event| {
            if let Some(watched) = &watched {
                watched.happened(at, &event);
            }
            events.push((at, event));
        });
        // Nothing was recorded that could have failed.
        let said_by = watched.and_then(|watched| watched.finish().ok()).unwrap_or_default();
        (report, events, said_by)
    };
    let played = play_all(
        program.games,
        usize::from(args.threads),
        play,
        |game, (report, events, said_by): Outcome| {
            let report = report.map_err(CliError::from)?;
            let Some(fixture) = program.game(game).filter(|_| !events.is_empty()) else { return Ok(()) };
            let stream = keep(&events, &said_by)?;
            if let Some(archive) = &mut archive {
                archive.take(&events)?;
            }
            if let Some(folder) = &args.game_files {
                let name = stream.as_ref().map_or_else(
                    || format!("{}-{}", args.event, game + 1),
                    |stream| stream.name().to_owned(),
                );
                let timed: Vec<_> = events.iter().map(|(at, event)| (Some(*at), event.clone())).collect();
                let path = game_files::write(folder, &name, args.force, &timed)?;
                talk(format_args!("note: {}", path.display()));
            }
            let played = Played { number: game + 1, fixture, stream, report };
            talk(format_args!("note: {}", one_line(&results.line(&played, program.games))));
            for (side, remark) in &played.report.remarks {
                talk(format_args!("note: {side}: {}", one_line(remark)));
            }
            if results.add(played) && !stop.load(Ordering::Relaxed) {
                // What still runs is of no use any more.
                stop.store(true, Ordering::Relaxed);
                return Err(Over::Decided);
            }
            Ok(())
        },
    );
    let decided = match played {
        Ok(()) => false,
        Err(Over::Decided) => true,
        Err(Over::Failed(error)) => return Err(error),
    };
    let stopped = !decided && stop.load(Ordering::Relaxed);
    if let Some(archive) = archive {
        archive.finish()?;
    }
    let told = if args.json { write_json(&results.json()) } else { write_words(&results.document()) };
    match (told, stopped) {
        // The terminal may be gone, too.
        (_, true) => Ok(ExitCode::from(130)),
        (Ok(()), false) if results.is_empty() => {
            Err(CliError::new("no game of the match began: a program could not be started, or no program answered")
                .hint("run each program by hand and type `aei`; write a contestant of several words in quotes: 'annals engine aei'")
                .finding())
        }
        (told, false) => told.map(|()| ExitCode::SUCCESS),
    }
}

/// Refuses a log to which no game can be appended, before anything is played; creates a missing one.
fn check_log(home: &Home, actor: &str) -> Result<(), CliError> {
    let open = log_file::open_or_create(home, actor, None)?;
    if open.log.opened().clock == ClockKind::Simulated {
        return Err(CliError::new(
            "the log has a simulated clock, and these games are played by the real one, so the log cannot record them",
        )
        .hint("name another home with --home, or leave --log out"));
    }
    Ok(())
}

/// The contestants with the names that are given; of contestants with one name each later one gets a number.
fn named<S: Seated>(args: &Args) -> Result<Vec<Contestant<S>>, CliError> {
    let mut named: Vec<Contestant<S>> = Vec::with_capacity(args.contestants.len());
    for (index, text) in args.contestants.iter().enumerate() {
        let mut contestant: Contestant<S> =
            text.parse().map_err(|error: ContestantError| CliError::from_error(&error))?;
        if let Some(name) = args.names.get(index) {
            contestant.name.clone_from(name);
        }
        let wanted = contestant.name.clone();
        let mut number = 2;
        while named.iter().any(|other| other.name == contestant.name) {
            contestant.name = format!("{wanted}-{number}");
            number += 1;
        }
        if let Kind::Program { options, .. } = &mut contestant.kind {
            options.extend(args.options.iter().cloned());
        }
        named.push(contestant);
    }
    Ok(named)
}
