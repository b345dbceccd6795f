//! `annals game export`: the file of one game, as organisers ask for it after the game.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::{Micros, TimeNote};
use annals_ingest::game_files::{self, Format};
use annals_replay::standing_events;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::{talk, write_text};
use crate::output_file::{self, ForceArgs};

/// Write a game of the log as SGF or as a move list
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a game of the log as SGF or as a move list\n\n\
        Writes games of the Amazons as SGF (FF[4], GM[18]) or as the move list that organisers ask for. Halts, \
        clocks and rejected moves are comments. `annals log import` reads both formats.",
    after_help = "Examples:\n  \
        annals game export game/olympiad-2000.r1.1\n  \
        annals game export \"olympiad-2000 r1.1\" -o final.sgf\n  \
        annals game export olympiad-2000.r1.1 --format sgf --as-of 2000-08-21T10:20:00Z"
)]
pub struct Args {
    /// Game: its stream, its name, or `cup r3.1`
    stream: String,

    /// Format [default: by the file's ending, else moves]
    #[arg(long, value_name = "FORMAT", value_parser = ["sgf", "moves"])]
    format: Option<String>,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    moment: MomentArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let log = log_file::open_whole(home)?;
    let stream = log_file::stream(&log, &args.stream)?;
    if stream.family() != "game" {
        return Err(CliError::new(format!("{stream} is no game, so there is no file of its moves"))
            .hint("`annals log show --streams` lists the games of the log"));
    }
    let named = args.out.as_ref().and_then(|path| Format::of_name(&path.to_string_lossy()));
    let asked = Format::ALL.into_iter().find(|format| args.format.as_deref() == Some(format.word()));
    let format = asked.or(named).unwrap_or(Format::MoveList);
    let (cut, _) = args.moment.cut(&log, Some(&stream))?;
    let standing = standing_events(&log, &stream, &cut)?;
    if let Some(unreadable) = standing.unreadable().first() {
        return Err(CliError::new(format!(
            "event {unreadable} of {stream} cannot be read, so what would be written is not the whole game"
        ))
        .hint(
            "`annals log verify` says what is wrong with it; a newer version of annals may have written it",
        ));
    }
    let events = standing.timed(stated_time);
    let text = game_files::write(format, &events)
        .cannot(format_args!("{stream} cannot be written as a game file"))?;
    let Some(path) = &args.out else {
        write_text(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    output_file::write(path, args.force.force, text.as_bytes())?;
    talk(format_args!("note: {stream} in {}; {}", path.display(), log_file::verified(&log)?));
    Ok(ExitCode::SUCCESS)
}

/// The time of an event as its source states it.
fn stated_time(at: Micros, note: Option<TimeNote>) -> Option<Micros> {
    match note {
        Some(TimeNote::Lifted { stated_at }) => Some(stated_at),
        Some(TimeNote::Unknown) => game_files::stated_start(at, false),
        None => Some(at),
    }
}
