//! `annals operate`: a game entered move by move at the desk, with the position shown after each.

mod begin;
mod table;

use std::io::{self, BufRead as _, IsTerminal as _};
use std::process::ExitCode;

use annals_events::StreamName;
use annals_events::log::ClockKind;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::moments::{ZoneArgs, instant};
use crate::output::talk;
use begin::NewGame;
use table::{Answer, OperatedGame};

/// Enter a game move by move, and see the position after each move.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Enter a game move by move, as its operator does: the position, both clocks and whose turn it is are shown \
        after each move. Lines come from the command line, or from standard input, one by one as they are typed:\n\n  \
        d1-d7(g7) in 1:35            a move in the notation of the game, and how long it took (`in 95`, `in ?`)\n  \
        3b g10-g5(b5)                a move with its label, which has to fit\n  \
        retract by WHO because WHY   the last move is taken back, under whose instruction and why\n  \
        resign                       the side to move resigns\n  \
        time                         the side to move has used up its time, and has lost\n  \
        score                        the game has reached its limit within a turn: the score decides\n  \
        halt, resume                 play stops, play goes on (`because WHY`)\n  \
        clock 12:30 9:05             the reserves are set, the first side's first (`because WHY`)\n  \
        show, help, quit\n\n\
        Every line is decided by the rules and appended by itself. A line that is refused is told with its number and \
        changes nothing; at a terminal the next one is then awaited, and anywhere else the rest is left alone, since moves \
        after one that is missing would mean something else. A move typed at a terminal without its time took what the clock \
        of the log says since the move before. When the board shows the end, or the game reaches its limit, the game is ended with the move that did it.\n\n\
        The game of a pairing is begun by `annals tournament start`; --new begins one that belongs to no tournament.",
    after_help = "Examples:\n  annals operate olympiad-2000.r1.1\n  \
        annals operate olympiad-2000.r1.1 \"d1-d7(g7) in 40\" \"g10-g5(b5) in 55\"\n  \
        annals operate olympiad-2000.r1.1 \"retract by Jonathan because g5 was meant\"\n  \
        annals operate evening --new amazons --first 8QP --second Antiope --time-control \"game 30m\" < moves.txt"
)]
pub struct Args {
    /// The game: its name, with or without `game/`.
    #[arg(value_name = "GAME")]
    game: String,

    /// What is entered; standard input where nothing is given.
    #[arg(value_name = "LINE")]
    lines: Vec<String>,

    #[command(flatten)]
    new: NewGame,

    #[command(flatten)]
    actor: ActorArgs,

    /// When it happened: a time, or a date (its end); now where it is not given. A simulated log's clock moves on to it.
    #[arg(long, value_name = "TIME")]
    at: Option<String>,

    #[command(flatten)]
    zone: ZoneArgs,

    /// Append nothing; print what would be appended, as `annals log append` takes it.
    #[arg(long)]
    dry_run: bool,

    /// Print JSON, one line for each that is taken.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let actor = args.actor.name()?;
    let zone = args.zone.zone()?;
    let at = args.at.as_deref().map(|text| instant(text, &zone)).transpose()?;
    if !home.log().exists() && (args.dry_run || !args.new.is_asked_for()) {
        return Err(CliError::new("there is no log yet, so there is no game to enter moves in")
            .hint("`annals operate NAME --new amazons` makes one and begins a game"));
    }
    let set_to = log_file::clock_set_to(home, at)?;
    let log = log_file::open_or_create(home, &actor, set_to)?.log;
    let stream = stream(&args.game)?;
    let there = log.stream_info(&stream)?.is_some();
    if !there && !args.new.is_asked_for() {
        // Says what is near.
        log_file::stream(&log, stream.as_str())?;
    }
    let typed = args.lines.is_empty() && io::stdin().is_terminal();
    // Only where moves are typed as they are played does the time between them mean anything.
    let live = typed && at.is_none() && log.opened().clock == ClockKind::Real;
    let mut table = OperatedGame {
        log,
        stream,
        actor,
        zone,
        at,
        live,
        dry_run: args.dry_run,
        json: args.json,
        tried: Vec::new(),
    };
    if args.new.is_asked_for() {
        if there {
            return Err(CliError::new(format!("`{}` is in the log already", table.stream))
                .hint("leave --new out to go on with it, or give the new game another name"));
        }
        table.begin(&args.new)?;
    }
    table.show()?;
    if !args.lines.is_empty() {
        return play(&mut table, args.lines.into_iter().map(Ok), false);
    }
    play(&mut table, io::stdin().lock().lines(), typed)
}

/// The stream of a game.
fn stream(name: &str) -> Result<StreamName, CliError> {
    let name = name.strip_prefix("game/").unwrap_or(name);
    format!("game/{name}").parse().map_err(|e| CliError::from_error(&e))
}

/// Enters line after line.
fn play(
    table: &mut OperatedGame,
    lines: impl Iterator<Item = io::Result<String>>,
    typed: bool,
) -> Result<ExitCode, CliError> {
    let mut refused = false;
    for (number, line) in (1..).zip(lines) {
        let line = line.map_err(|e| {
            CliError::new(format!("line {number} cannot be read: {e}; the lines before it are done"))
        })?;
        let line = line.trim();
        match line {
            "" => continue,
            "quit" => break,
            "help" => {
                talk(
                    "a move (`d1-d7(g7) in 1:35`), retract by WHO because WHY, resign, time, score, halt, resume, clock, show, quit",
                );
                continue;
            }
            _ => {}
        }
        match table.enter(number, line) {
            Ok(Answer::GoesOn) => {}
            Ok(Answer::Over(how)) => talk(format_args!("annals: the game is over: {how}")),
            Err(error) if typed => {
                error.report();
                refused = true;
            }
            Err(error) => {
                table.done()?;
                return Err(error.hint(match number {
                    1 => "nothing was entered".to_owned(),
                    _ => "what stands before it is entered; nothing of this line, or after it, is".to_owned(),
                }));
            }
        }
    }
    table.done()?;
    Ok(if refused { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
