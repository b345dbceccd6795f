//! `annals log import`: games of archive files and game files, each a stream of its own, and events that another log exported.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_events::{Entry, Event, Micros, StreamName};
use annals_ingest::archive_games::{ArchiveGame, Found, archive_games, file_digest};
use annals_ingest::flags::Flag;
use annals_ingest::game_files::Format;
use annals_ingest::input_file;
use annals_ingest::source::{Progress, SourceFile, discover, format_of};
use annals_replay::handler::{FileGame, FileImport, Importer, Noticed, Remark, RowRefusal};
use annals_replay::import_lines;
use annals_report::{Document, first_lines};
use annals_store::Log;
use serde::Serialize;

use super::import_game_files;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::output::{one_line, write_json, write_unmarked, write_words};
use crate::progress::bar;
use crate::terminal::{counted, grouped};

/// Import games from files, or events from another log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Import games from files, or events from another log\n\n\
        An archive file gives one stream for each game, `game/arimaa-ID`; SGF and move lists give \
        `game/amazons-DIGEST`. History is never rejected as illegal: what violates the rules is flagged. What \
        the events cannot hold (variations, comments) is listed with its line.\n\n\
        A `.jsonl` file of `annals log export` gives the same events in the same order.\n\n\
        A repeated import adds nothing. Each file is recorded with its digest and counts. Exit status 1 if a row \
        was rejected.",
    after_help = "Examples:\n  \
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
    let wrong = || format!("`{text}` is no number of a game; write 669192, or 669200-669210");
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
    // What is not there is said before a log is made for it.
    let Sorted { archives, game_files, lines } = sort(&args.files)?;
    if !args.games.is_empty() && archives.is_empty() {
        return Err(CliError::new("--games chooses among the games of archive files, and none is named"));
    }
    let mut open = log_file::open_or_create(home, &actor, None)?;
    let _one_at_a_time = log_file::lock_imports(&home.log())?;
    let now = open.now;
    let mut files = Vec::new();
    let mut seen = HashSet::new();
    for file in &archives {
        let importing = Importing { actor: &actor, now, games: &args.games };
        files.push(importing.archive(&mut open.log, file, &mut seen)?);
    }
    let mut named = HashSet::new();
    for (file, format) in &game_files {
        files.push(import_game_files::import(&mut open.log, file, *format, &actor, now, &mut named)?);
    }
    for file in &lines {
        files.push(json_lines(&mut open.log, file, &actor, now)?);
    }
    let refused = files.iter().any(FileImport::has_refused);
    let receipt = open.log.acknowledged().map(|head| head.to_string());
    if args.json {
        write_json(&Answer { files, receipt })?;
    } else {
        let lines = files.iter().flat_map(lines_of).collect();
        write_words(&Document::default().lines("", lines))?;
        if let Some(receipt) = receipt {
            write_unmarked(&format!("{receipt}\n"))?;
        }
    }
    Ok(ExitCode::from(u8::from(refused)))
}

/// What is given, by kind.
#[derive(Default)]
struct Sorted {
    archives: Vec<SourceFile>,
    game_files: Vec<(SourceFile, Format)>,
    lines: Vec<PathBuf>,
}

/// Archive files, game files and files of JSON lines, told apart by how they begin; in folders and by patterns too, and
/// whatever they are packed in.
fn sort(given: &[PathBuf]) -> Result<Sorted, CliError> {
    let mut sorted = Sorted::default();
    let (lines, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
        given.iter().partition(|path| are_json_lines(&beginning(path)));
    sorted.lines = lines.into_iter().cloned().collect();
    if files.is_empty() {
        return Ok(sorted);
    }
    let found = discover(&files).map_err(|e| {
        CliError::from_error(&e)
            .hint("name archive files, SGF or move lists, or a .jsonl file that `annals log export` wrote")
    })?;
    for file in found {
        match format_of(&file) {
            Some(format) => sorted.game_files.push((file, format)),
            None => sorted.archives.push(file),
        }
    }
    Ok(sorted)
}

/// Whether a file holds events: objects of JSON, and no list of moves that begins with a comment in braces.
fn are_json_lines(start: &[u8]) -> bool {
    start.trim_ascii_start().first() == Some(&b'{') && Format::of_text(start) != Some(Format::MoveList)
}

/// How a file begins; nothing where it cannot be read, which is told when it is.
fn beginning(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    let read = input_file::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    if read.is_ok() { start } else { Vec::new() }
}

/// Imports the games with these numbers from archive files, each into a stream of its own; the caller holds the lock of imports.
pub(crate) fn import_games(
    log: &mut Log,
    files: &[SourceFile],
    numbers: &[u64],
    actor: &str,
    now: Micros,
) -> Result<Vec<FileImport>, CliError> {
    let games: Vec<RangeInclusive<u64>> = numbers.iter().map(|number| *number..=*number).collect();
    let mut seen = HashSet::new();
    files.iter().map(|file| Importing { actor, now, games: &games }.archive(log, file, &mut seen)).collect()
}

/// The digest and the bytes of a file.
pub(super) fn digest_of(path: &Path) -> Result<(String, u64), CliError> {
    file_digest(path).cannot(format_args!("cannot read {}", path.display()))
}

/// What an import of archive files is told.
struct Importing<'i> {
    actor: &'i str,
    now: Micros,
    games: &'i [RangeInclusive<u64>],
}

impl Importing<'_> {
    fn archive(
        &self,
        log: &mut Log,
        file: &SourceFile,
        seen: &mut HashSet<u64>,
    ) -> Result<FileImport, CliError> {
        let mut imported = FileImport::new(&file.name, "arimaa_archive", digest_of(&file.path)?);
        let wanted = |id| self.games.is_empty() || self.games.iter().any(|range| range.contains(&id));
        let progress = Progress::default();
        let template = "importing {prefix} {wide_bar} {bytes}/{total_bytes} {eta} left";
        let bar = bar(file.bytes, template, &file.name);
        let mut importer = Importer::new(log, self.actor)?;
        let counts = archive_games(file, seen, &progress, wanted, |found| {
            bar.set_position(progress.bytes());
            match found {
                Found::Game(game) => take(&mut importer, &game, self.actor, &mut imported)?,
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
            // Nothing of it is in the log, so the log has nothing to say of it.
            imported.counts = importer.finish()?;
            return Ok(imported);
        }
        Ok(imported.finish(importer, self.now)?)
    }
}

/// Takes one game into the log.
fn take(
    importer: &mut Importer<'_>,
    game: &ArchiveGame<'_>,
    actor: &str,
    imported: &mut FileImport,
) -> Result<(), CliError> {
    let stream: StreamName = format!("game/arimaa-{}", game.id).parse()?;
    let flagged = !game.flags.is_empty();
    let of_file = FileGame { stream: &stream, source: game.source, line: game.line, flagged };
    let events = game
        .events
        .iter()
        .map(|placed| (placed.at, Entry { event: Event::Game(placed.event.clone()), time: placed.note }));
    let place = |_| (game.line, format!("game {}", game.id));
    if let Some(taken) = imported.take(importer, actor, &of_file, events, place)? {
        let flags = game.flags.iter().map(Flag::word).collect();
        imported.remark(Remark {
            stream,
            line: game.line,
            flags,
            findings: taken.flags,
            noticed: Vec::new(),
        });
    }
    Ok(())
}

fn json_lines(log: &mut Log, path: &Path, actor: &str, now: Micros) -> Result<FileImport, CliError> {
    let source = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    let mut imported = FileImport::new(&source, "json_lines", digest_of(path)?);
    let mut importer = Importer::new(log, actor)?;
    let file = File::open(path).cannot(format_args!("cannot read {}", path.display()))?;
    let counts = import_lines(&mut importer, BufReader::new(file)).cannot(path.display())?;
    imported.left_out = counts.left_out;
    Ok(imported.finish(importer, now)?)
}

/// What was imported from a file: a line, and below it indented lines.
pub(crate) fn lines_of(file: &FileImport) -> Vec<String> {
    let counts = &file.counts;
    let rows = counts.accepted + counts.flagged + file.rejected + file.left_out;
    let noun = if file.format == "json_lines" { "line" } else { "game" };
    let mut text = format!("{}: {}", one_line(&file.source), counted(rows, noun));
    let mut part = |number: u64, words: &str| {
        if number > 0 {
            text.push_str(&format!(", {} {words}", grouped(number)));
        }
    };
    part(counts.flagged, "with findings");
    part(file.rejected, "refused");
    part(file.left_out, if noun == "game" { "not asked for" } else { "only a log itself can say" });
    let lifted = match counts.lifted {
        0 => String::new(),
        lifted => format!(", {} lifted in time", grouped(lifted)),
    };
    let streams = format!(" in {}", counted(counts.streams, "stream"));
    text.push_str(&format!("; {}", counts.summary(&streams, &lifted)));
    let mut lines = vec![text];
    for (what, words) in [("flags of the rows", &file.flags), ("findings of the rules", &file.findings)] {
        let words: Vec<String> = words.iter().map(|(word, n)| format!("{word} {}", grouped(*n))).collect();
        if !words.is_empty() {
            lines.push(format!("  {what}: {}", words.join(", ")));
        }
    }
    const MORE: &str = "; --json lists all";
    lines.extend(first_lines(&file.streams, MORE, ToString::to_string));
    let noticed: Vec<&Noticed> = file.remarks.iter().flat_map(|remark| &remark.noticed).collect();
    lines.extend(first_lines(&noticed, MORE, |one| format!("{}: {}", file.source, noticed_in_words(one))));
    lines.extend(first_lines(&file.refused, MORE, |refused| {
        let line = refused.line.map_or(String::new(), |line| format!(" line {line}"));
        // The reason of a game file names its place itself.
        let place = format!("{}{line}: ", refused.source);
        let place = if refused.reason.starts_with(&refused.source) { String::new() } else { place };
        format!("refused: {place}{} [{}]", refused.reason, refused.code)
    }));
    lines
}

/// `line 4, move 12 of White: … [variations]`.
fn noticed_in_words(one: &Noticed) -> String {
    let colour = if one.side == Some("gold") { "White" } else { "Black" };
    let at = one.number.map_or_else(String::new, |number| format!(", move {number} of {colour}"));
    format!("line {}{at}: {} [{}]", one.line, one.what, one.code)
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
