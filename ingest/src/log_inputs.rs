//! What an import into the log reads: archive files, game files and JSON lines, recognized by how they begin; and the games of a
//! game file, each with the stream that is named after its bytes.

use std::collections::HashSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use annals_events::{EnvelopeError, StreamName};
use sha2::{Digest as _, Sha256};

use crate::game_files::{Format, GameFile, read};
use crate::input_file;
use crate::source::{DiscoverError, GameText, SourceFile, discover, format_of, game_texts};

/// What is to be imported, by kind.
#[derive(Debug, Default)]
pub struct LogInputs {
    pub archives: Vec<SourceFile>,
    /// Each with the format of its first text.
    pub game_files: Vec<(SourceFile, Format)>,
    pub json_lines: Vec<PathBuf>,
}

/// Finds and sorts files, also in folders, by patterns, and packed.
///
/// # Errors
/// As [`discover`].
pub fn log_inputs(given: &[PathBuf]) -> Result<LogInputs, DiscoverError> {
    let mut inputs = LogInputs::default();
    let (lines, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
        given.iter().partition(|path| are_json_lines(&beginning(path)));
    inputs.json_lines = lines.into_iter().cloned().collect();
    let found = if files.is_empty() { Vec::new() } else { discover(&files)? };
    for file in found {
        match format_of(&file) {
            Some(format) => inputs.game_files.push((file, format)),
            None => inputs.archives.push(file),
        }
    }
    Ok(inputs)
}

/// Whether a file holds events: objects of JSON, and no list of moves that begins with a comment in braces.
fn are_json_lines(start: &[u8]) -> bool {
    start.trim_ascii_start().first() == Some(&b'{') && Format::of_text(start) != Some(Format::MoveList)
}

/// How a file begins; nothing if it cannot be read, which its reader reports.
fn beginning(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    let read = input_file::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    if read.is_ok() { start } else { Vec::new() }
}

/// A game of a game file.
#[derive(Debug)]
pub struct NamedGame {
    pub stream: StreamName,
    /// The file, or the member of a packed one.
    pub source: String,
    pub game: GameFile,
}

/// What of a game file is not a game.
#[derive(Debug)]
pub struct RefusedGame {
    pub line: Option<u64>,
    pub code: &'static str,
    /// With the place.
    pub reason: String,
}

/// The games of a file. A game is refused if its stream is in `seen`, which gets the streams of all games.
///
/// # Errors
/// When a stream cannot be named, which is a fault of the program.
pub fn named_games(
    file: &SourceFile,
    seen: &mut HashSet<StreamName>,
) -> impl Iterator<Item = Result<Result<NamedGame, RefusedGame>, EnvelopeError>> {
    let refused = |code, reason| vec![Ok(Err(RefusedGame { line: None, code, reason }))];
    game_texts(file).flat_map(move |found| match found {
        Err((name, reason)) => refused("unreadable", format!("{name}: {reason}")),
        Ok(GameText { name, format: None, .. }) => refused(
            "no_game_file",
            format!("{name}: it is not a file of games, as the first one in {} is; unpack it", file.name),
        ),
        Ok(GameText { name, format: Some(format), text }) => {
            read(format, &name, &text).into_iter().map(|game| named(&name, &text, game, seen)).collect()
        }
    })
}

fn named(
    name: &str,
    text: &[u8],
    game: Result<GameFile, crate::game_files::GameFileError>,
    seen: &mut HashSet<StreamName>,
) -> Result<Result<NamedGame, RefusedGame>, EnvelopeError> {
    let refused = |line, code, reason| Ok(Err(RefusedGame { line: Some(line), code, reason }));
    let game = match game {
        Ok(game) => game,
        Err(error) => return refused(error.line, error.problem.code(), error.to_string()),
    };
    let stream = stream_of(&game, text)?;
    if seen.insert(stream.clone()) {
        return Ok(Ok(NamedGame { stream, source: name.to_owned(), game }));
    }
    let reason = format!("{name}: line {}: the same game, byte for byte, came before ({stream})", game.line);
    refused(game.line, "same_game", reason)
}

/// The stream of a game is named after its bytes, so that the same game is recognized in any file.
fn stream_of(game: &GameFile, text: &[u8]) -> Result<StreamName, EnvelopeError> {
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let start = place(game.byte_offset);
    let bytes = text.get(start..start.saturating_add(place(game.byte_len))).unwrap_or_default();
    format!("game/amazons-{}", hex::encode(&Sha256::digest(bytes)[..8])).parse()
}
