//! `annals game enter`: a game entered move by move by an operator, with the position shown after each.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::process::ExitCode;

use annals_events::log::ClockKind;
use annals_events::{GameKind, PairingId, Side, StreamName};
use annals_replay::handler::{EnterError, HandlerError, NewGame, OperatedGame, OperatorLine};
use annals_replay::subject::{FindStreamError, find_game};
use annals_rules::clock::TimeControl;
use annals_store::Log;
use jiff::tz::TimeZone;
use serde_json::json;
use tempfile::TempDir;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::interrupt;
use crate::log_file;
use crate::moments::{When, WhenArgs};
use crate::output::{diagnostic, harmless, one_line, standard_output, write_json_line, write_unmarked};

/// Enter a game move by move
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Enter a game move by move\n\n\
        The position, both clocks and the side to move are shown after each line:\n\n  \
        d1-d7(g7) in 1:35            a move, and the time used (`in 95`, `in ?`)\n  \
        1b g10-g8(b8)                a move with its label\n  \
        retract by NAME because TEXT the last move is taken back\n  \
        resign, time, score          the game ends\n  \
        halt, resume                 play stops, play continues\n  \
        clock 12:30 9:05             the reserves are set\n  \
        show, help, quit\n\n\
        The rules decide every line. A rejected line changes nothing; at a terminal the next line is read, \
        otherwise entry stops. docs/reference/game-files.md describes the lines. `annals tournament game start` begins the \
        game of a pairing; --new begins one that belongs to no tournament.",
    after_long_help = "Examples:\n  \
        annals game enter olympiad-2000.r1.1\n  \
        annals game enter olympiad-2000.r1.1 \"d1-d7(g7) in 40\" \"g10-g8(b8) in 55\"\n  \
        annals game enter olympiad-2000.r1.1 \"retract by Jonathan because g9 was meant\"\n  \
        annals game enter evening --new amazons --first 8QP --second Antiope < moves.txt"
)]
pub struct Args {
    /// Game of the log: stream, its name, or `cup r3.1`
    game: String,

    /// Lines to enter [default: standard input]
    #[arg(value_name = "LINE")]
    lines: Vec<String>,

    #[command(flatten)]
    new: NewGameArgs,

    #[command(flatten)]
    when: WhenArgs,

    /// Append nothing; print the events as `annals log append` reads them
    #[arg(long)]
    dry_run: bool,

    /// Print JSON, one line for each accepted line
    #[arg(long)]
    json: bool,
}

/// How a new game begins.
#[derive(Debug, clap::Args)]
struct NewGameArgs {
    /// Begin a new game of this kind that belongs to no tournament
    #[arg(long, value_name = "KIND")]
    new: Option<GameKind>,

    /// Player with the first move (White or Gold)
    #[arg(long, value_name = "NAME", requires = "new")]
    first: Option<String>,

    /// Player with the second move (Black or Silver)
    #[arg(long, value_name = "NAME", requires = "new")]
    second: Option<String>,

    /// Time control: `game 30m` or `2/2/100/10/8`
    #[arg(long, value_name = "CONTROL", requires = "new", value_parser = control)]
    time_control: Option<String>,

    /// Position to begin from [default: the start of the game]
    #[arg(long, value_name = "POSITION", requires = "new")]
    position: Option<String>,
}

impl NewGameArgs {
    fn new_game(self) -> Option<NewGame> {
        let players = [self.first, self.second].map(Option::unwrap_or_default);
        Some(NewGame { kind: self.new?, players, time_control: self.time_control, position: self.position })
    }
}

/// Reads a time control for clap; it is kept in its normal form.
pub fn control(text: &str) -> Result<String, String> {
    text.parse::<TimeControl>().map(|control| control.to_string()).map_err(|e| e.to_string())
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let When { actor, at, period, zone } = args.when.read()?;
    if let Some(period) = period {
        return Err(CliError::new(format!("the moves of a game need a time, and `{period}` is none"))
            .hint("`--at 2006-01-15T18:00` names a time, and `--at 2006-01-15` the end of a day"));
    }
    let is_there = home.log().exists();
    if !is_there && args.new.new.is_none() {
        return Err(CliError::new("there is no log yet, so there is no game to enter moves in")
            .hint("`annals game enter NAME --new amazons` makes one and begins a game"));
    }
    // A dry run without a log is checked by an empty one, which is removed at the end.
    let scratch = if args.dry_run && !is_there { Some(scratch()?) } else { None };
    let log = match &scratch {
        Some(folder) => Log::open_or_create(&folder.path().join("log"), &actor, log_file::clock_at(at))?.log,
        None => log_file::open_or_create(home, &actor, log_file::clock_at(at))?.log,
    };
    let (stream, there) = match find_game(&log, &args.game) {
        Ok(stream) => (stream, true),
        Err(FindStreamError::None { .. }) if args.new.new.is_some() => (stream(&args.game)?, false),
        Err(error) => return Err(error.into()),
    };
    let typed = args.lines.is_empty() && io::stdin().is_terminal();
    // Only where moves are typed as they are played does the time between them mean anything.
    let live = typed && at.is_none() && log.opened().clock == ClockKind::Real;
    let game = OperatedGame { log, stream, actor, at, live, dry_run: args.dry_run, tried: Vec::new() };
    let mut table = Table { game, zone, json: args.json };
    if let Some(new) = args.new.new_game() {
        if there {
            return Err(CliError::new(format!("`{}` is in the log already", table.game.stream))
                .hint("leave --new out to go on with it, or give the new game another name"));
        }
        table.game.begin(new).map_err(|error| match &error {
            EnterError::Decided { .. } => {
                CliError::from(error).hint("give a position in which the side to move has a move")
            }
            _ => CliError::from(error),
        })?;
    }
    table.show()?;
    if !args.lines.is_empty() {
        return play(&mut table, args.lines.into_iter().map(Ok), false);
    }
    play(&mut table, io::stdin().lock().lines(), typed)
}

/// A folder of this process.
fn scratch() -> Result<TempDir, CliError> {
    let folder = tempfile::tempdir().cannot("cannot create a temporary directory")?;
    interrupt::remove_at_the_end(folder.path()).cannot("cannot listen for signals to end")?;
    Ok(folder)
}

/// A game that is entered, and how it is shown.
struct Table {
    game: OperatedGame,
    zone: TimeZone,
    json: bool,
}

impl Table {
    /// Enters a line and shows the position after it. Returns the ending, if the game has ended.
    fn enter(&mut self, number: u32, line: &str) -> Result<Option<String>, CliError> {
        let start: String = line.chars().take(80).collect();
        let at_line = format!("line {number} (`{}`)", one_line(&start));
        let said: OperatorLine = line.parse().at(&at_line)?;
        let entered = self.game.enter(&said).map_err(|error| {
            let error = match error {
                EnterError::Board(error) => return CliError::from(error),
                EnterError::Handler(error @ HandlerError::Append(_)) => return CliError::from(error),
                error => CliError::new(format!("{at_line}: {error}")),
            };
            match self.game.end_to_strike(&said) {
                Some(ended) => error.hint(format!(
                    "`annals log correct {ended} --strike --reason TEXT` strikes the end of the game, then the move can be taken back"
                )),
                None => error,
            }
        })?;
        if entered.events.is_empty() {
            self.show()?;
            return Ok(None);
        }
        if self.json {
            let mut out = standard_output();
            let done = json!({
                "line": number, "said": line, "events": entered.events, "receipt": entered.receipt,
                "game": self.game.view()?,
            });
            write_json_line(&mut out, &done)?;
            out.flush()?;
        } else {
            if let Some((by, why)) = &entered.retracted {
                self.write(&format!("\nThe last move is taken back under the instruction of {by}: {why}\n"))?;
            }
            self.show()?;
        }
        let of = |pairing: String| pairing.parse::<PairingId>().ok();
        Ok(entered.over.map(|(how, pairing)| match pairing.and_then(of) {
            Some(PairingId { tournament, pairing }) => {
                format!("{how}; `annals tournament game result {tournament} {pairing}` records it")
            }
            None => how,
        }))
    }

    /// Shows the present position.
    fn show(&self) -> Result<(), CliError> {
        if self.json {
            return Ok(());
        }
        let position = self.game.view()?.at_the_board(&self.zone);
        self.write(&format!("\n{}", position.text(&self.zone, None)))
    }

    /// Asks for the next turn on a terminal, by its label.
    fn prompt(&self) -> Result<(), CliError> {
        let view = self.game.view()?;
        let side = view.to_move.filter(|_| view.ending.is_none());
        let last =
            view.turns.last().and_then(|turn| turn.label.trim_end_matches(char::is_alphabetic).parse().ok());
        let label = side.map_or(String::new(), |side| {
            let number = last.unwrap_or(0) + u32::from(side == Side::Gold);
            format!("{number}{}", side.letter_in(view.game.unwrap_or(GameKind::Arimaa)))
        });
        let mut err = io::stderr().lock();
        write!(err, "{label}> ")?;
        Ok(err.flush()?)
    }

    /// Lists the lines that can be entered, with a move of the present game.
    fn help(&self) -> Result<(), CliError> {
        let (plain, labelled) = match self.game.view()?.game {
            Some(GameKind::Amazons) => ("d1-d7(g7) in 1:35", "1b g10-g8(b8)"),
            _ => ("Ee2n Ee3n in 1:35", "2s ed7s ed6s"),
        };
        let lines = [
            (plain, "a move, and the time used (`in 95`, `in ?`)"),
            (labelled, "a move with its label"),
            ("retract by NAME because TEXT", "the last move is taken back"),
            ("resign, time, score", "the game ends"),
            ("halt, resume", "play stops, play continues"),
            ("clock 12:30 9:05", "the reserves are set"),
            ("show, help, quit", ""),
        ];
        for (line, meaning) in lines {
            diagnostic(format!("  {line:<29}{meaning}").trim_end());
        }
        Ok(())
    }

    /// Writes a text to standard output; in a dry run to standard error, since standard output has the events.
    fn write(&self, text: &str) -> Result<(), CliError> {
        if self.game.dry_run {
            diagnostic(text.lines().map(one_line).collect::<Vec<_>>().join("\n"));
            return Ok(());
        }
        write_unmarked(&harmless(text))
    }

    /// At the end of a dry run, prints what would be appended.
    fn done(&self) -> Result<(), CliError> {
        if !self.game.dry_run {
            return Ok(());
        }
        if !self.json {
            let mut out = standard_output();
            for draft in &self.game.tried {
                write_json_line(&mut out, &self.game.event(draft)?)?;
            }
            out.flush()?;
        }
        diagnostic("note: a dry run; nothing was appended");
        Ok(())
    }
}

/// The stream of a game.
fn stream(name: &str) -> Result<StreamName, CliError> {
    let name = name.strip_prefix("game/").unwrap_or(name);
    Ok(format!("game/{name}").parse()?)
}

/// Enters line after line.
fn play(
    table: &mut Table,
    lines: impl Iterator<Item = io::Result<String>>,
    typed: bool,
) -> Result<ExitCode, CliError> {
    let mut refused = false;
    let prompts = typed && !table.json;
    let mut lines = (1..).zip(lines);
    loop {
        if prompts {
            table.prompt()?;
        }
        let Some((number, line)) = lines.next() else { break };
        let line = line
            .cannot(format_args!("line {number} cannot be read"))
            .state("the lines before it are entered")?;
        let line = line.trim();
        match line {
            "" => continue,
            "quit" => break,
            "help" => {
                table.help()?;
                continue;
            }
            _ => {}
        }
        match table.enter(number, line) {
            Ok(None) => {}
            Ok(Some(how)) => diagnostic(format_args!("note: the game is over: {how}")),
            Err(error) if typed => {
                error.report();
                refused = true;
            }
            Err(error) => {
                table.done()?;
                return Err(error.state(match number {
                    _ if table.game.dry_run => "a dry run; nothing was appended",
                    1 => "nothing was entered",
                    _ => "the lines before it are entered",
                }));
            }
        }
    }
    table.done()?;
    Ok(if refused { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
