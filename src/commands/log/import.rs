//! `annals log import`: games of archive files and game files, each a stream of its own, and events that another log exported.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_events::log::ClockKind;
use annals_events::{Entry, Event, Micros, StreamName};
use annals_ingest::archive_games::{ArchiveGame, Found, archive_games, file_digest};
use annals_ingest::flags::Flag;
use annals_ingest::game_files::Format;
use annals_ingest::log_inputs::{LogInputs, NamedGame, log_inputs, named_games};
use annals_ingest::source::{Progress, SourceFile};
use annals_replay::handler::{FileGame, FileImport, Importer, Noticed, RowRefusal, UndatedGame};
use annals_replay::import_lines;
use annals_replay::lines::{ImportLinesError, simulated_until};
use annals_report::Document;
use annals_store::{ForAppend, Log};
use serde::Serialize;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::output::{write_json, write_unmarked, write_words};
use crate::progress::bar;

/// Import games from files, or events from another log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Import games from files, or events from another log\n\n\
        An archive file gives one stream for each game, `game/arimaa-ID`; SGF and move lists give \
        `game/amazons-DIGEST`. History is never rejected as illegal: what violates the rules is flagged. What \
        the events cannot hold (variations, comments) is listed with its line.\n\n\
        A `.jsonl` file of `annals log export` gives the same events in the same order. That of a simulated log \
        makes a simulated log, and a log with the clock of the machine rejects it.\n\n\
        A repeated import adds nothing. Each file is recorded with its digest and counts. Exit status 1 if a row \
        was rejected.",
    after_long_help = "Examples:\n  \
        annals log import allgames2002.txt allgames202602.tgz\n  \
        annals log import allgames202602.txt --games 669192,669200-669210\n  \
        annals log import wcc-2015.jsonl\n  \
        annals log import games/ 'round*.sgf' games.zip\n  \
        annals log import archive/ --json | jq '.files[] | {source, events, flagged}'"
)]
pub struct Args {
    /// Archive files, folders, patterns, SGF, move lists, or JSON lines
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Only these games, by their archive numbers
    #[arg(long, value_name = "ID,ID-ID", value_delimiter = ',', value_parser = game_range)]
    games: Vec<RangeInclusive<u64>>,

    #[command(flatten)]
    actor: ActorArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn game_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let wrong = || format!("expected a number of a game or a range, such as 669200-669210, found `{text}`");
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = first.trim().parse().map_err(|_| wrong())?..=last.trim().parse().map_err(|_| wrong())?;
    if range.is_empty() { Err(wrong()) } else { Ok(range) }
}

#[derive(Serialize)]
struct Answer {
    files: Vec<FileImport>,
    receipt: Option<String>,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let actor = args.actor.name()?;
    // A missing file creates no log.
    let LogInputs { archives, game_files, json_lines } =
        log_inputs(&args.files).state("nothing was imported")?;
    if !args.games.is_empty() && archives.is_empty() {
        return Err(CliError::new("--games selects games of archive files, and no archive file is named"));
    }
    let mut open = open(home, &actor, &json_lines)?;
    let _one_at_a_time = log_file::lock_imports(&home.log())?;
    let mut files = Vec::new();
    let mut importing = Importing::new(&mut open, &actor);
    for file in &archives {
        files.push(importing.archive(file, &args.games)?);
    }
    for (file, format) in &game_files {
        files.push(importing.game_file(file, *format)?);
    }
    for file in &json_lines {
        files.push(importing.json_lines(file)?);
    }
    let refused = files.iter().any(FileImport::has_refused);
    let receipt = open.log.acknowledged().map(|head| head.to_string());
    if args.json {
        write_json(&Answer { files, receipt })?;
    } else {
        let lines = files.iter().flat_map(FileImport::lines).collect();
        write_words(&Document::default().lines("", lines))?;
        if let Some(receipt) = receipt {
            write_unmarked(&format!("{receipt}\n"))?;
        }
    }
    Ok(ExitCode::from(u8::from(refused)))
}

/// Opens the log, and creates it if there is none. Events of a simulated log are no record of what happened, so the log that has them
/// is simulated too.
fn open(home: &Home, actor: &str, json_lines: &[PathBuf]) -> Result<ForAppend, CliError> {
    let mut simulated: Option<(&Path, Micros)> = None;
    for path in json_lines {
        let lines = File::open(path).map(BufReader::new).and_then(simulated_until);
        let until = lines.cannot(format_args!("cannot read {}", path.display()))?;
        let at = simulated.map_or(Micros::MIN, |(_, at)| at);
        simulated = until.map(|until| (path.as_path(), until.max(at))).or(simulated);
    }
    let Some((path, at)) = simulated else { return log_file::open_or_create(home, actor, None) };
    let open = log_file::open_or_create_simulated(home, actor, at)?;
    match open.log.opened().clock {
        ClockKind::Simulated => Ok(open),
        ClockKind::Real => {
            let what = format!("{}: its events are those of a simulated log", path.display());
            let real = "the log of the home has the clock of the machine, and a simulated log is no record of what happened";
            Err(CliError::new(what).reason(real).state("nothing was imported").hint(format_args!(
                "`annals --home NEW log import {}` makes a simulated log",
                path.display()
            )))
        }
    }
}

/// Imports the games with these numbers from archive files; the caller holds the lock of imports.
pub(crate) fn import_games(
    open: &mut ForAppend,
    files: &[SourceFile],
    numbers: &[u64],
    actor: &str,
) -> Result<Vec<FileImport>, CliError> {
    let games: Vec<RangeInclusive<u64>> = numbers.iter().map(|number| *number..=*number).collect();
    let mut importing = Importing::new(open, actor);
    files.iter().map(|file| importing.archive(file, &games)).collect()
}

/// An import of several files.
struct Importing<'i> {
    log: &'i mut Log,
    now: Micros,
    actor: &'i str,
    /// The archive numbers and the streams of the games so far.
    numbers: HashSet<u64>,
    streams: HashSet<StreamName>,
}

impl Importing<'_> {
    fn new<'i>(open: &'i mut ForAppend, actor: &'i str) -> Importing<'i> {
        let (numbers, streams) = (HashSet::new(), HashSet::new());
        Importing { log: &mut open.log, now: open.now, actor, numbers, streams }
    }

    fn archive(&mut self, file: &SourceFile, games: &[RangeInclusive<u64>]) -> Result<FileImport, CliError> {
        let mut imported = FileImport::new(&file.name, "arimaa_archive", digest_of(&file.path)?);
        let wanted = |id| games.is_empty() || games.iter().any(|range| range.contains(&id));
        let progress = Progress::default();
        let template = "importing {prefix} {wide_bar} {bytes}/{total_bytes} {eta} left";
        let bar = bar(file.bytes, template, &file.name);
        let (actor, mut importer) = (self.actor, Importer::new(self.log, self.actor)?);
        let counts = archive_games(file, &mut self.numbers, &progress, wanted, |found| {
            bar.set_position(progress.bytes());
            match found {
                Found::Game(game) => archive_game(&mut imported, &mut importer, actor, &game)?,
                Found::LeftOut { .. } => {}
                Found::Refused(refused) => imported.refused.push(RowRefusal {
                    source: refused.source.to_owned(),
                    line: refused.line,
                    code: refused.code,
                    reason: refused.reason,
                }),
            }
            Ok::<(), CliError>(())
        });
        bar.finish_and_clear();
        let counts = counts?;
        imported.left_out = counts.left_out;
        imported.rejected += counts.refused;
        if counts.rows == 0 && counts.bad_sources > 0 {
            // Nothing of it is in the log, so the log does not record the file.
            imported.counts = importer.finish()?;
            return Ok(imported);
        }
        Ok(imported.finish(importer, self.now)?)
    }

    fn game_file(&mut self, file: &SourceFile, format: Format) -> Result<FileImport, CliError> {
        let word = match format {
            Format::Sgf => "sgf",
            Format::MoveList => "move_list",
        };
        let mut imported = FileImport::new(&file.name, word, digest_of(&file.path)?);
        let mut importer = Importer::new(self.log, self.actor)?;
        for found in named_games(file, &mut self.streams) {
            match found? {
                Ok(game) => imported.undated_game(
                    &mut importer,
                    (self.actor, self.now),
                    undated(&file.name, &game),
                )?,
                Err(refused) => imported.refuse(&file.name, refused.line, refused.code, refused.reason),
            }
        }
        Ok(imported.finish(importer, self.now)?)
    }

    fn json_lines(&mut self, path: &Path) -> Result<FileImport, CliError> {
        let source = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
        let mut imported = FileImport::new(&source, "json_lines", digest_of(path)?);
        let mut importer = Importer::new(self.log, self.actor)?;
        let file = File::open(path).cannot(format_args!("cannot read {}", path.display()))?;
        let counts = import_lines(&mut importer, BufReader::new(file)).map_err(|error| {
            let place = match &error {
                ImportLinesError::Line(line) => format!("{}:{}", path.display(), line.number),
                _ => path.display().to_string(),
            };
            CliError::from(error).at(place)
        })?;
        imported.left_out = counts.left_out;
        imported.findings = counts.findings;
        Ok(imported.finish(importer, self.now)?)
    }
}

/// The digest and the bytes of a file.
fn digest_of(path: &Path) -> Result<(String, u64), CliError> {
    file_digest(path).cannot(format_args!("cannot read {}", path.display()))
}

fn archive_game(
    imported: &mut FileImport,
    importer: &mut Importer<'_>,
    actor: &str,
    game: &ArchiveGame<'_>,
) -> Result<(), CliError> {
    let stream = format!("game/arimaa-{}", game.id).parse()?;
    let flags = game.flags.iter().map(Flag::word).collect();
    let of_file = FileGame { stream, source: game.source, line: game.line, flags };
    let events = game
        .events
        .iter()
        .map(|placed| (placed.at, Entry { event: Event::Game(placed.event.clone()), time: placed.note }));
    Ok(imported.archive_game(importer, actor, of_file, events)?)
}

/// A game of a game file in the form that an import reads.
fn undated<'g>(file: &'g str, NamedGame { stream, source, game }: &'g NamedGame) -> UndatedGame<'g> {
    let events = game.events.iter().zip(&game.turn_lines).map(|((_, event), line)| (*line, event)).collect();
    let noticed = game.flags.iter().map(|flag| Noticed {
        code: flag.code,
        line: flag.line,
        number: flag.turn.map(|(number, _)| number),
        side: flag.turn.map(|(_, side)| side.word()),
        what: flag.what.clone(),
    });
    let flags = game.flags.iter().map(|flag| flag.code).collect();
    UndatedGame {
        game: FileGame { stream: stream.clone(), source: file, line: game.line, flags },
        member: source,
        start: game.events.first().and_then(|(at, _)| *at),
        only_date: game.only_date,
        events,
        noticed: noticed.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_named_by_numbers_and_ranges() {
        assert_eq!(game_range("669192"), Ok(669_192..=669_192));
        assert_eq!(game_range("1-64"), Ok(1..=64));
        for bad in ["", "x", "5-4", "1-", "-1", "1-2-3"] {
            assert!(game_range(bad).is_err(), "{bad}");
        }
    }
}
