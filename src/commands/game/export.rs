//! `annals game export`: the file of one game, in the formats that organisers require.

use std::borrow::Cow;
use std::path::PathBuf;
use std::process::ExitCode;

#[cfg(feature = "sql")]
use annals_analytics::export::{Export, export};
use annals_events::{GameEvent, GameKind, Micros};
use annals_ingest::archive_row::{Transcript, push_header, with_game_of_events};
use annals_ingest::game_files::{self, Format};
use annals_ingest::game_number::game_number;
use annals_replay::standing_events;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::named_game::NamedGame;
use crate::output::{diagnostic, write_text};
use crate::output_file::{self, ForceArgs};

/// Write one game as SGF, as a move list or as an archive row
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write one game as SGF, as a move list or as an archive row\n\n\
        Games of the Amazons are written as SGF (FF[4], GM[18]) or as the move list that organisers ask for. Halts, \
        clocks and rejected moves are comments. `annals log import` reads both formats.\n\n\
        Games of Arimaa are written as rows of the gameroom's archive, or as header lines and moves. docs/reference/games.md lists the ways to name a game.",
    after_long_help = "Examples:\n  \
        annals game export game/olympiad-2000.r1.1\n  \
        annals game export \"olympiad-2000 r1.1\" -o final.sgf\n  \
        annals game export olympiad-2000.r1.1 --format sgf --as-of 2000-08-21T10:20:00Z\n  \
        annals game export 669192 --format archive -o 669192.txt"
)]
pub struct Args {
    /// Game: number, stream, `cup r3.1`, @FILE or `-`
    game: String,

    /// Format [default: by the file's ending, else moves]
    #[arg(long, value_name = "FORMAT", value_parser = ["sgf", "moves", "archive"])]
    format: Option<String>,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    moment: MomentArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let game = NamedGame::read_whole(&args.game, &args.moment, home)?;
    let (text, verified) = match &game {
        #[cfg(feature = "sql")]
        NamedGame::Dataset { session, game, .. } => {
            let named = Export::ALL.into_iter().find(|(word, _)| *word == args.word());
            let form = named.map_or(Export::Moves, |(_, form)| form);
            let mut bytes = Vec::new();
            warn_without_start(&export(session, &[game.game_id.unwrap_or_default()], form, &mut bytes)?);
            (String::from_utf8_lossy(&bytes).into_owned(), None)
        }
        NamedGame::Log { log, stream, cut } => {
            let standing = standing_events(log, stream, cut)?;
            if let Some(unreadable) = standing.unreadable().first() {
                return Err(CliError::new(format!(
                    "event {unreadable} of {stream} cannot be read, so what would be written is not the whole game"
                ))
                .hint("`annals log verify` reports what is wrong with it; a newer version of annals may have written it"));
            }
            (
                args.text(&game.name(), &standing.timed(game_files::stated_time))?,
                Some(log_file::verified(log)?),
            )
        }
        NamedGame::File(file) => (args.text(&file.name, &file.events)?, None),
    };
    let Some(path) = &args.output else {
        write_text(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    output_file::write(path, args.force.force, text.as_bytes())?;
    let verified = verified.map_or_else(String::new, |verified| format!("; {verified}"));
    diagnostic(format_args!("note: {} in {}{verified}", game.name(), path.display()));
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// The format that is named, or that the ending of the file names.
    fn word(&self) -> Cow<'_, str> {
        let by_name = || self.output.as_ref().and_then(|path| Format::of_name(&path.to_string_lossy()));
        match &self.format {
            Some(word) => Cow::Borrowed(word),
            None => Cow::Borrowed(by_name().unwrap_or(Format::MoveList).word()),
        }
    }

    /// A game outside of the dataset.
    fn text(&self, name: &str, events: &[(Option<Micros>, GameEvent<'_>)]) -> Result<String, CliError> {
        let word = self.word();
        let is_arimaa = matches!(events.first(), Some((_, GameEvent::Started(started))) if started.game == GameKind::Arimaa);
        let id = game_number(name, events);
        match Format::ALL.into_iter().find(|format| format.word() == word) {
            Some(Format::MoveList) => game_files::moves(name, events)
                .cannot(format_args!("{name} cannot be written as a game file")),
            Some(Format::Sgf) if is_arimaa => {
                Err(CliError::new(format!("{name} cannot be written as SGF: it is a game of Arimaa"))
                    .hint("use `--format moves` or `--format archive`"))
            }
            Some(format) => game_files::write(format, events)
                .cannot(format_args!("{name} cannot be written as a game file")),
            None if is_arimaa => Ok(with_game_of_events(id, events, |game| {
                warn_without_start(game.header.position.is_some().then_some(id).as_slice());
                diagnostic(
                    "note: the columns `mode` and `events` are empty, and `corrupt` is 0: only a row of an archive states them",
                );
                let mut row = Vec::new();
                push_header(&mut row);
                game.push_row(&mut row, &mut Transcript::default());
                String::from_utf8_lossy(&row).into_owned()
            })),
            None => Err(CliError::new(format!("{name} cannot be written as a row of the archive"))
                .reason("the archive has games of Arimaa only")
                .hint("use `--format moves` or `--format sgf`")),
        }
    }
}

/// Names the games whose start position is not in their rows of the archive.
pub fn warn_without_start(games: &[u64]) {
    if games.is_empty() {
        return;
    }
    let list: Vec<String> = games.iter().map(u64::to_string).collect();
    diagnostic(format_args!(
        "warning: a row of the archive cannot hold the position from which a game resumes: {}",
        list.join(", ")
    ));
    diagnostic("  reason: `annals ingest` flags such a row as illegal-turn");
    diagnostic("  hint: `--format moves` (of a list, `--export moves`) writes the position");
}
