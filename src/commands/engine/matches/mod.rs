//! `annals engine match`: programs against each other, ours or others', under a real clock; every game is kept in the log.

mod archive;
mod encounter;
mod game_files;
mod live;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use annals_engine::arena::results::{Played, Results};
use annals_engine::arena::schedule::{Fixture, Format, Schedule};
use annals_engine::arena::sprt::Sprt;
use annals_engine::arena::{
    Bout, BoutError, Contestant, ContestantError, Director, Kind, Pace, Patience, Report, Running, play_all,
    position_to_play,
};
use annals_engine::seated::Seated;
use annals_engine::{amazons, player, settings_text};
use annals_events::log::ClockKind;
use annals_events::{BoardId, GameEvent, GameId, GameKind, Micros, StreamName};
use annals_replay::handler::record_game;
use annals_rules::clock::{TimeControl, TimeControlError};
use annals_rules::game::Strictness;

use self::archive::Archive;
use self::live::{Console, Watched};
use crate::errors::CliError;
use crate::evaluators;
use crate::home::Home;
use crate::interrupt::stop_on_interrupt_with;
use crate::log_file::{self, ActorArgs};
use crate::output::{one_line, talk, write_json, write_words};

/// What a pairing of a tournament says itself.
const PAIRED: [&str; 12] = [
    "games", "gauntlet", "sprt", "time_control", "move_time", "jobs", "turns", "position", "event", "no_log",
    "archive", "first_id",
];

/// Play matches between programs
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Play matches between programs\n\n\
        A contestant is the command line of an AEI program in quotes, or a built-in player: \
        annals:evaluator=material,nodes=5000. Two games are played from each opening, with colours exchanged. \
        The summary has the difference in Elo with its 95% confidence interval, or the ratings of several \
        contestants.\n\n\
        Every game is a stream of the log. A program that fails forfeits, one that is late loses on time, and \
        one that plays an illegal turn loses.\n\n\
        With --director the director decides retractions, halts and failures. docs/engine.md describes clocks, \
        tests and the director's lines.",
    after_help = "Examples:\n  \
        annals engine match annals:nodes=2000 annals:nodes=8000 --games 20 --threads 2\n  \
        annals engine match 'annals aei' './bot1 -x' --move-time 0.1 --games 10\n  \
        annals engine match ./bot1 ./bot2 ./bot3 --time-control 15s/2m30s/100/0/8h\n  \
        annals engine match annals:nodes=3000 annals:material,nodes=3000 --sprt 0,30\n  \
        annals engine match --game amazons ./8qp ./anky --tournament cup --pairing r1.1"
)]
pub struct Args {
    /// Contestants: command lines of AEI programs, or annals:SETTINGS
    #[arg(value_name = "CONTESTANT", required = true, num_args = 1..)]
    contestants: Vec<String>,

    /// Kind of game
    #[arg(long, value_name = "GAME", default_value = "arimaa")]
    game: GameKind,

    /// Name of a contestant, in their order; may be repeated
    #[arg(long = "name", value_name = "NAME", value_parser = name)]
    names: Vec<String>,

    /// Time control, such as 15s/2m30s/100/0/8h/3m or `game 30m`
    #[arg(long, value_name = "CONTROL", value_parser = time_control, conflicts_with = "move_time")]
    time_control: Option<TimeControl>,

    /// Seconds for every turn, such as 0.1
    #[arg(long, value_name = "SECONDS", value_parser = move_time)]
    move_time: Option<Duration>,

    /// Games of each two contestants [default: 2; with --sprt at most 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,

    /// Only the first contestant plays against the others
    #[arg(long)]
    gauntlet: bool,

    /// Stop when Wald's test decides between two differences in Elo
    #[arg(long, value_name = "ELO0,ELO1", value_parser = differences, allow_hyphen_values = true)]
    sprt: Option<[f64; 2]>,

    /// Error rate of accepting ELO1 if ELO0 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,

    /// Error rate of accepting ELO0 if ELO1 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05, requires = "sprt")]
    beta: f64,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,

    /// Turns of each side after which the score decides
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    turns: u32,

    /// Position from which every game starts
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,

    /// Seed of the setups and the noise of built-in players
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Option that every program gets before each game; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,

    /// Treat a wrongly stated capture as an illegal turn
    #[arg(long)]
    strict: bool,

    /// Name of the match; its games are the streams game/EVENT-N
    #[arg(long, value_name = "NAME", default_value = "match")]
    event: String,

    /// Do not write the games to the log
    #[arg(long)]
    no_log: bool,

    /// Show each position and read the director's lines from standard input
    #[arg(long, value_name = "NAME")]
    director: Option<String>,

    /// Tournament of the pairing
    #[arg(long, value_name = "TOURNAMENT", requires = "pairing", conflicts_with_all = PAIRED)]
    tournament: Option<String>,

    /// Pairing whose open games are played
    #[arg(long, value_name = "PAIRING", requires = "tournament")]
    pairing: Option<BoardId>,

    /// Directory for the move list of each game of the Amazons
    #[arg(long, value_name = "DIR")]
    game_files: Option<PathBuf>,

    /// Archive file to write in the gameroom's format
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    archive: Option<PathBuf>,

    /// Overwrite output files that exist
    #[arg(long)]
    force: bool,

    /// Number of the first game in the archive [default: from the time]
    #[arg(long, value_name = "ID", requires = "archive", value_parser = clap::value_parser!(u64).range(1..=1 << 62))]
    first_id: Option<u64>,

    #[command(flatten)]
    actor: ActorArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn name(text: &str) -> Result<String, String> {
    let fits = (1..=60).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits { Ok(text.to_owned()) } else { Err("a name has 1 to 60 signs".to_owned()) }
}

fn time_control(text: &str) -> Result<TimeControl, String> {
    text.parse().map_err(|error: TimeControlError| error.to_string())
}

fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !text.chars().any(|c| c.is_control()) => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err(format!("`{text}` is no option; write NAME=VALUE")),
    }
}

/// A time for every turn.
fn move_time(text: &str) -> Result<Duration, String> {
    settings_text::time(text)
        .ok_or_else(|| format!("`{text}` is no time for a turn; write seconds, from 0.001 to 86400"))
}

/// The two differences of a test.
fn differences(text: &str) -> Result<[f64; 2], String> {
    let read = |part: &str| part.trim().parse::<f64>().ok().filter(|elo| elo.is_finite());
    let both = text.split_once(',').and_then(|(low, high)| Some([read(low)?, read(high)?]));
    both.ok_or_else(|| format!("`{text}` is no pair of differences; write two numbers of Elo, as in 0,20"))
}

/// The games of a match in order: a schedule of pairs, of which the last opening may be played with one colour only.
struct Program {
    schedule: Schedule,
    /// Games of openings that are played with both colours.
    whole: u64,
    /// How many there are altogether.
    games: usize,
}

impl Program {
    fn new(contestants: usize, games: u32, gauntlet: bool, seed: u64) -> Result<Program, CliError> {
        let format = if gauntlet { Format::Gauntlet { challenger: 0 } } else { Format::RoundRobin };
        let openings = u64::from(games.div_ceil(2));
        let schedule = Schedule::new(format, contestants, openings, seed)?;
        let (all, odd) = (schedule.games(), games % 2 == 1);
        let last = all / openings.max(1);
        let whole = if odd { all - last } else { all };
        let games = usize::try_from(if odd { all - last / 2 } else { all })?;
        Ok(Program { schedule, whole, games })
    }

    fn game(&self, game: usize) -> Option<Fixture> {
        let game = game as u64;
        let beyond = game.saturating_sub(self.whole);
        self.schedule.game(game.saturating_add(beyond))
    }
}

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
    // Counted here: where options stand between them, each of them comes alone.
    if args.contestants.len() < 2 {
        return Err(CliError::new("a match is between two contestants or more, and one is named")
            .hint("a contestant of several words stands in quotation marks: 'annals engine aei'"));
    }
    match args.game {
        GameKind::Arimaa => {
            if args.game_files.is_some() {
                return Err(CliError::new(
                    "--game-files writes games of the Amazons, and this match is of Arimaa",
                )
                .hint("write an archive with --archive FILE"));
            }
            let contestants = named::<player::Settings>(&args)?;
            let evaluators = contestants.iter().filter_map(|contestant| match &contestant.kind {
                Kind::Player(settings) => Some(settings.evaluator.as_str()),
                Kind::Program { .. } => None,
            });
            let registry = evaluators::registry(evaluators)?;
            play(&args, home, &contestants, &registry)
        }
        GameKind::Amazons => {
            if args.archive.is_some() {
                return Err(CliError::new("the gameroom's archive format holds games of Arimaa alone")
                    .hint("write the list of moves of each game with --game-files DIR"));
            }
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
    if args.director.is_some() && args.jobs > 1 {
        return Err(CliError::new("a director follows one game at a time, and --jobs asks for more")
            .hint("leave --jobs or --director out"));
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
    let keeper = match args.no_log {
        true => None,
        false => Some(keeper(home, &args.actor.name_or("annals engine match"), &args.event)?),
    };
    let keep = |events: &[(Micros, GameEvent<'static>)], said_by: &[String]| {
        let Some((actor, name)) = &keeper else { return Ok(None) };
        let mut open = log_file::open_for_append(&home.log(), None)?;
        Ok::<_, CliError>(Some(record_game(&mut open.log, open.now, (actor, name), events, said_by)?))
    };
    let event = match args.move_time {
        Some(time) => format!("{} ({} s a turn)", args.event, time.as_secs_f64()),
        None => args.event.clone(),
    };
    let sprt = args.sprt.map(|[elo0, elo1]| Sprt::new(elo0, elo1, args.alpha, args.beta)).transpose();
    let sprt = sprt?;
    if sprt.is_some() && contestants.len() != 2 {
        return Err(CliError::new(format!(
            "--sprt tests whether one of two is the stronger one, and there are {} contestants",
            contestants.len()
        ))
        .hint("name two contestants, or leave --sprt out"));
    }
    let most_games = if sprt.is_some() { 20_000 } else { 2 };
    let program =
        Program::new(contestants.len(), args.games.unwrap_or(most_games), args.gauntlet, args.seed)?;
    let archive = args.archive.as_deref().map(|path| Archive::create(path, args.force, args.first_id));
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
    let played =
        play_all(program.games, usize::from(args.jobs), play, |game, (report, events, said_by): Outcome| {
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
        });
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
        // Whoever ended the match may have gone, with the terminal on which its results were to stand.
        (_, true) => Ok(ExitCode::from(130)),
        (Ok(()), false) if results.is_empty() => {
            Err(CliError::new("no game of the match began: a program could not be started, or no program answered")
                .hint("run each program by hand and type `aei`; a contestant of several words stands in quotation marks: 'annals engine aei'")
                .finding())
        }
        (told, false) => told.map(|()| ExitCode::SUCCESS),
    }
}

/// Whom the log records, and the name of the games; looks whether the log can be appended to, before anything is played, and
/// makes it where there is none.
fn keeper(home: &Home, actor: &str, name: &str) -> Result<(String, GameId), CliError> {
    let name = name.parse::<GameId>()?;
    let open = log_file::open_or_create(home, actor, None)?;
    if open.log.opened().clock == ClockKind::Simulated {
        return Err(CliError::new(
            "the log runs by a simulated clock, and these games are played by the real one: none of them could be \
             said to have happened",
        )
        .hint("name another home with --home, or keep nothing with --no-log"));
    }
    Ok((actor.to_owned(), name))
}

/// The contestants with the names that are given; two of one name are told apart by a number.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_contestants_have_so_many_games_and_colours_change() {
        let pairs = |contestants, games, gauntlet| {
            let program = Program::new(contestants, games, gauntlet, 1).unwrap();
            assert!(program.game(program.games).is_none());
            let fixture = |game| program.game(game).map(|fixture| [fixture.gold, fixture.silver]).unwrap();
            (0..program.games).map(fixture).collect::<Vec<_>>()
        };
        assert_eq!(pairs(2, 3, false), [[0, 1], [1, 0], [0, 1]]);
        assert_eq!(pairs(3, 2, true), [[0, 1], [1, 0], [0, 2], [2, 0]]);
        for games in 1..6 {
            let all = pairs(4, games, false);
            for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let count = |pair| all.iter().filter(|met| **met == pair).count() as u32;
                let (with_gold, with_silver) = (count([a, b]), count([b, a]));
                assert_eq!((with_gold + with_silver, with_gold - with_silver), (games, games % 2), "{all:?}");
            }
        }
    }

    #[test]
    fn a_test_is_named_by_two_differences() {
        assert_eq!(differences("-10, 20.5"), Ok([-10.0, 20.5]));
        for bad in ["10", "0,", "a,b", "0,inf", "1,2,3"] {
            assert!(differences(bad).is_err(), "{bad}");
        }
    }
}
