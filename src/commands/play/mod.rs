//! `annals play`: programs against each other, ours or others', under a real clock; every game is kept in the log.

mod keep;
mod table;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use annals_engine::arena::{Bout, BoutError, Contestant, Kind, Pace, Patience, Report, play_all};
use annals_engine::evaluation::Registry;
use annals_events::{GameEvent, Micros};
use annals_rules::arimaa::Position;
use annals_rules::clock::TimeControl;
use annals_rules::game::Strictness;

use self::keep::Keeper;
use self::table::{Played, Results};
use super::aei::seconds;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::ActorArgs;
use crate::output::{one_line, write_json, write_text};

/// Play programs against each other, and keep the games in the log.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Play programs against each other, and keep the games in the log.\n\n\
        A contestant is the command line of a program that speaks AEI, in quotation marks (it is split into words as \
        a shell would, but no shell runs it), or a player of ours by its settings: \
        annals:evaluator=material,nodes=5000. Further settings are depth, time, hash, seed, setup (fixed, varied, \
        random), noise-turns and noise (in thousandths). Every two contestants meet in --games games, with colours \
        changing from game to game; with --gauntlet only the first one meets the others.\n\n\
        Under --time-control the gameroom's clock runs: whole seconds, charged by rounding. --move-time gives every \
        turn so many seconds, which may be a fraction: a program is told to stop then and has a second more to \
        answer. The record of such a game has no time control, since none can say it, and its turns show whole \
        seconds.\n\n\
        A program that dies, is never ready or talks nonsense forfeits; one that says nothing loses on time; one whose \
        turn is illegal, empty or changes nothing loses by that. Captures that it states wrongly are put right, unless \
        --strict is given. Each game is the stream game/EVENT-N of the log, where N goes on from what is there; \
        events are appended when a game is over.",
    after_help = "Examples:\n  annals play annals:nodes=2000 annals:nodes=8000 --games 20 --jobs 2\n  \
        annals play 'annals aei' 'python3 -m pyrimaa.simple_engine' --move-time 0.1 --games 10\n  \
        annals play ./bot1 ./bot2 ./bot3 --time-control 15s/2m30s/100/0/8h --event winter --json"
)]
pub struct Args {
    /// The contestants, two or more.
    #[arg(value_name = "CONTESTANT", required = true, num_args = 2.., value_parser = contestant)]
    contestants: Vec<Contestant>,

    /// Names of the contestants, in their order; what is left out is derived from the command line or the settings.
    #[arg(long = "name", value_name = "NAME", value_parser = name)]
    names: Vec<String>,

    /// Play by a time control, as 15s/2m30s/100/0/8h/3m.
    #[arg(long, value_name = "M/R/P/L/G/T", value_parser = time_control, conflicts_with = "move_time")]
    time_control: Option<TimeControl>,

    /// Give every turn so many seconds, such as 0.1.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    move_time: Option<Duration>,

    /// Games for every two contestants.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    /// Only the first contestant meets the others.
    #[arg(long)]
    gauntlet: bool,

    /// Games at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,

    /// After so many turns of each side the score decides.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    turns: u32,

    /// The position from which every game starts: the side to move and 64 squares, g [...].
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,

    /// Setups and noise of our players follow from it and the number of the game.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Options for every program, given before each game by setoption.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,

    /// A capture that is stated wrongly makes a turn illegal.
    #[arg(long)]
    strict: bool,

    /// What the match is called: the games are the streams game/EVENT-1, game/EVENT-2 ...
    #[arg(long, value_name = "NAME", default_value = "match")]
    event: String,

    /// Keep nothing in the log.
    #[arg(long)]
    no_log: bool,

    #[command(flatten)]
    actor: ActorArgs,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn contestant(text: &str) -> Result<Contestant, String> {
    text.parse().map_err(|error: annals_engine::arena::ContestantError| error.to_string())
}

fn name(text: &str) -> Result<String, String> {
    let fits = (1..=60).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits { Ok(text.to_owned()) } else { Err("a name has 1 to 60 signs".to_owned()) }
}

fn time_control(text: &str) -> Result<TimeControl, String> {
    text.parse().map_err(|error: annals_rules::clock::TimeControlError| error.to_string())
}

fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !text.chars().any(|c| c.is_control()) => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err(format!("`{text}` is no option; write NAME=VALUE")),
    }
}

/// One game of the schedule: the numbers of Gold's and Silver's contestants.
type Pairing = [usize; 2];

/// Every two contestants so often, or the first one with every other; who had Gold has Silver in the next game.
fn schedule(contestants: usize, games: u32, gauntlet: bool) -> Vec<Pairing> {
    let mut pairings = Vec::new();
    for game in 0..games {
        for first in 0..contestants {
            if gauntlet && first > 0 {
                break;
            }
            for second in first + 1..contestants {
                pairings.push(if game % 2 == 0 { [first, second] } else { [second, first] });
            }
        }
    }
    pairings
}

/// What one game gave: its report, or why it could not be played; and its events.
type Outcome = (Result<Report, BoutError>, Vec<(Micros, GameEvent<'static>)>);

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let contestants = named(&args);
    let pace = match (args.time_control, args.move_time) {
        (Some(control), _) => Pace::Control(control),
        (None, Some(time)) => Pace::PerTurn(time),
        (None, None) => Pace::Untimed,
    };
    if let Some(text) = &args.position {
        text.parse::<Position>()
            .map_err(|e| CliError::from_error(&e).hint("write --position 'g [64 squares]'"))?;
    }
    let registry = Registry::standard();
    for contestant in &contestants {
        if let Kind::Player(settings) = &contestant.kind {
            registry.get(&settings.evaluator).map_err(|e| CliError::from_error(&e))?;
        }
    }
    let keeper = match args.no_log {
        true => None,
        false => Some(Keeper::open(home, &args.actor.name()?, &args.event)?),
    };
    let event = match args.move_time {
        Some(time) => format!("{} ({} s a turn)", args.event, time.as_secs_f64()),
        None => args.event.clone(),
    };
    let pairings = schedule(contestants.len(), args.games, args.gauntlet);
    let a_round = (pairings.len() / args.games.max(1) as usize).max(1);
    let stop = stop_on_interrupt()?;
    let mut results = Results::new(&contestants);

    let play = |game: usize| -> Outcome {
        let [gold, silver] = pairings[game];
        let mut events = Vec::new();
        let bout = Bout {
            contestants: [&contestants[gold], &contestants[silver]],
            pace,
            patience: Patience::default(),
            captures: if args.strict { Strictness::Strict } else { Strictness::Archive },
            position: args.position.as_deref(),
            event: Some(&event),
            most_turns: Some(args.turns),
            // Two games that differ only in the colours have the same seed.
            seed: args.seed.wrapping_add((game / a_round / 2) as u64),
            registry: &registry,
            stop: &stop,
        };
        if stop.load(Ordering::Relaxed) {
            return (Ok(Report::not_begun()), events);
        }
        (bout.play(&mut |at, event| events.push((at, event))), events)
    };
    play_all(pairings.len(), usize::from(args.jobs), play, |game, (report, events): Outcome| {
        let report = report.map_err(|error| CliError::from_error(&error))?;
        if events.is_empty() {
            return Ok(());
        }
        let stream = keeper.as_ref().map(|keeper| keeper.keep(&events)).transpose()?;
        let [gold, silver] = pairings[game];
        let played = Played { number: game + 1, gold, silver, stream, report };
        eprintln!("annals: {}", one_line(&results.line(&played, pairings.len())));
        for (side, remark) in &played.report.remarks {
            eprintln!("annals:   {side}: {}", one_line(remark));
        }
        results.add(played);
        Ok::<(), CliError>(())
    })?;
    if args.json {
        write_json(&results.json())?;
    } else {
        write_text(&results.text())?;
    }
    let stopped = stop.load(Ordering::Relaxed);
    Ok(if stopped { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// The contestants with the names that are given; two of one name are told apart by a number.
fn named(args: &Args) -> Vec<Contestant> {
    let mut named: Vec<Contestant> = Vec::with_capacity(args.contestants.len());
    for (index, contestant) in args.contestants.iter().enumerate() {
        let mut contestant = contestant.clone();
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
    named
}

/// The first Ctrl-C halts the games that are being played; a second one ends the program at once.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>, CliError> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("\nstopping; finished games are kept (Ctrl-C again: at once)");
    })
    .map_err(|e| CliError::new(format!("cannot listen for Ctrl-C: {e}")))?;
    Ok(stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_and_colours_change() {
        assert_eq!(schedule(2, 3, false), [[0, 1], [1, 0], [0, 1]]);
        assert_eq!(schedule(3, 1, false), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(schedule(3, 2, true), [[0, 1], [0, 2], [1, 0], [2, 0]]);
    }
}
