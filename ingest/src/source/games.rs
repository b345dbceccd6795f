//! Game files: Amazons games in SGF or as move lists. They are small and need their own readers, so the reading thread
//! reads them whole. As for rows, the first game of an identity counts.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use annals_events::GameEvent;
use annals_rules::amazons::{Move, Position};

use super::block::{SourceDigest, SourceInfo};
use super::container::{Found, Walk};
use super::discover::SourceFile;
use super::end::{SourceEnd, SourceRejectReason};
use super::meter::{Progress, Stream};
use crate::game_files::{self, Format, GameFile};
use crate::row::Column;

/// A longer game file (16 MiB) is rejected: it is held in memory with its games.
pub const MAX_GAME_FILE_BYTES: u64 = 16 << 20;

/// Games per batch.
const GAMES_AT_A_TIME: usize = 1_024;

/// Bytes examined for the kind of a text.
const LOOKED_AT: u64 = 4 << 10;

/// Numbers from here to 2^53 are those of games without a gameroom number. JSON readers round larger ones.
pub const UNNUMBERED: u64 = 1 << 52;

/// In microseconds.
const DAY: i64 = 86_400_000_000;

/// Games of one file, in order.
#[derive(Debug)]
pub struct FoundGames {
    pub source: Arc<SourceInfo>,
    pub games: Vec<FoundGame>,
}

/// A game of a file, or an unreadable one.
#[derive(Debug)]
pub struct FoundGame {
    /// In the text.
    pub byte_offset: u64,
    /// Its first line; of an unreadable game, the line of the error.
    pub line: u64,
    pub bytes: u64,
    /// The first 16 bytes of BLAKE3 of its text.
    pub digest: [u8; 16],
    pub status: GameStatus,
}

#[derive(Debug)]
pub enum GameStatus {
    /// The first with this identity.
    New { id: u64, game: Box<GameFile> },
    /// A later one.
    Duplicate { id: u64, game: Box<GameFile> },
    Rejected {
        /// Stable.
        code: &'static str,
        reason: String,
    },
}

/// Examines a text's beginning: its format if it is a game file, and the whole stream.
///
/// # Errors
/// If it cannot be read.
pub(super) fn look(name: &str, mut stream: Stream) -> io::Result<(Option<Format>, Stream)> {
    let mut start = Vec::new();
    stream.by_ref().take(LOOKED_AT).read_to_end(&mut start)?;
    let format = if is_archive(&start) { None } else { Format::of_text(&start).or_else(|| by_name(name)) };
    Ok((format, Box::new(Cursor::new(start).chain(stream))))
}

/// The game format of the first text in a file, packed or not; none if it is not a game file, or unreadable.
#[must_use]
pub fn format_of(file: &SourceFile) -> Option<Format> {
    match Walk::new(file, Progress::default()).next()? {
        Found::Text { inside, stream } => look(&format!("{}{inside}", file.name), stream).ok()?.0,
        Found::Rejected { .. } => None,
    }
}

/// An unpacked text of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameText {
    /// The file's name, then the member's.
    pub name: String,
    /// None if it is not a game file.
    pub format: Option<Format>,
    pub text: Vec<u8>,
}

/// The texts of a file in order; for an unreadable one its name and the error.
pub fn game_texts(file: &SourceFile) -> impl Iterator<Item = Result<GameText, (String, SourceRejectReason)>> {
    let mut walk = Walk::new(file, Progress::default());
    std::iter::from_fn(move || {
        let (inside, stream) = match walk.next()? {
            Found::Text { inside, stream } => (inside, Ok(stream)),
            Found::Rejected { inside, reason } => (inside, Err(reason)),
        };
        let name = format!("{}{inside}", file.name);
        let read = stream.and_then(|stream| {
            let unreadable = |why: io::Error| SourceRejectReason::Unreadable { why: why.to_string() };
            let (format, stream) = look(&name, stream).map_err(unreadable)?;
            let (text, broken) = whole(stream)?;
            broken.map_or(Ok((format, text)), |why| Err(unreadable(why)))
        });
        Some(match read {
            Ok((format, text)) => Ok(GameText { name, format, text }),
            Err(reason) => Err((name, reason)),
        })
    })
}

/// A text to its end, or to a read error.
fn whole(stream: Stream) -> Result<(Vec<u8>, Option<io::Error>), SourceRejectReason> {
    let mut text = Vec::new();
    let broken = stream.take(MAX_GAME_FILE_BYTES + 1).read_to_end(&mut text).err();
    if text.len() as u64 > MAX_GAME_FILE_BYTES {
        let what = format!("a file of games of more than {} MiB; divide it", MAX_GAME_FILE_BYTES >> 20);
        return Err(SourceRejectReason::SomethingElse { what });
    }
    Ok((text, broken))
}

/// Whether the first line is, or resembles, a gameroom header.
fn is_archive(start: &[u8]) -> bool {
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let known = |name: &[u8]| Column::ALL.iter().any(|column| column.name().as_bytes() == name.trim_ascii());
    line.contains(&b'\t') && line.split(|byte| *byte == b'\t').any(known)
}

/// By name, packed or not.
fn by_name(name: &str) -> Option<Format> {
    let inner = name.rsplit('!').next().unwrap_or(name);
    let lower = inner.to_ascii_lowercase();
    Format::of_name(lower.strip_suffix(".gz").unwrap_or(&lower))
}

/// Reads a game file.
///
/// # Errors
/// If nothing can be read, or it is too long.
pub(super) fn read(
    source: &Arc<SourceInfo>,
    format: Format,
    stream: Stream,
    seen: &mut impl FnMut(u64) -> bool,
) -> Result<(Vec<FoundGames>, SourceEnd), SourceRejectReason> {
    let (text, broken) = whole(stream)?;
    if let (Some(why), true) = (&broken, text.is_empty()) {
        return Err(SourceRejectReason::Unreadable { why: why.to_string() });
    }
    let games: Vec<FoundGame> = game_files::read(format, &source.name, &text)
        .into_iter()
        .map(|game| match game {
            Ok(game) => {
                let (byte_offset, bytes, line) = (game.byte_offset, game.byte_len, game.line);
                let digest = digest_of(&text, byte_offset, bytes);
                let id = number(&game.events);
                let game = Box::new(game);
                let status = match seen(id) {
                    true => GameStatus::Duplicate { id, game },
                    false => GameStatus::New { id, game },
                };
                FoundGame { byte_offset, line, bytes, digest, status }
            }
            Err(error) => {
                let (byte_offset, bytes, line) = (error.byte_offset, error.byte_len, error.line);
                let digest = digest_of(&text, byte_offset, bytes);
                let status = GameStatus::Rejected { code: error.problem.code(), reason: error.to_string() };
                FoundGame { byte_offset, line, bytes, digest, status }
            }
        })
        .collect();
    let end = SourceEnd {
        source: Arc::clone(source),
        digest: SourceDigest(*blake3::hash(&text).as_bytes()),
        bytes: text.len() as u64,
        lines: memchr::memchr_iter(b'\n', &text).count() as u64,
        rows: games.len() as u64,
        incomplete: broken.map(|why| why.to_string()),
        other_columns: Vec::new(),
        missing_columns: Vec::new(),
    };
    let mut parts = Vec::new();
    let mut games = games.into_iter().peekable();
    while games.peek().is_some() {
        let games = games.by_ref().take(GAMES_AT_A_TIME).collect();
        parts.push(FoundGames { source: Arc::clone(source), games });
    }
    Ok((parts, end))
}

fn digest_of(text: &[u8], offset: u64, bytes: u64) -> [u8; 16] {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
    let end = start.saturating_add(usize::try_from(bytes).unwrap_or(usize::MAX)).min(text.len());
    let mut digest = [0; 16];
    digest.copy_from_slice(&blake3::hash(&text[start..end]).as_bytes()[..16]);
    digest
}

/// The number of an Amazons game without one, from [`UNNUMBERED`] on: from players, event, start position, day and
/// moves. All files of the game and the log give the same number; since SGF states the day only, the time does not
/// count.
#[must_use]
pub fn number(events: &[(Option<i64>, GameEvent<'_>)]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    let mut field = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_be_bytes());
        hasher.update(bytes);
    };
    let mut standing: u32 = 0;
    for (at, event) in events {
        match event {
            GameEvent::Started(started) => {
                field(started.game.word().as_bytes());
                field(plain(&started.gold.name).as_bytes());
                field(plain(&started.silver.name).as_bytes());
                field(plain(started.event.as_deref().unwrap_or_default()).as_bytes());
                field(start(started.position.as_deref().unwrap_or_default()).as_bytes());
                field(&at.map_or(i64::MIN, |at| at.div_euclid(DAY)).to_be_bytes());
            }
            GameEvent::TurnTaken(turn) => {
                field(turn.side.word().as_bytes());
                match Move::parse(turn.steps.as_bytes()) {
                    Ok(played) => field(played.to_string().as_bytes()),
                    Err(_) => field(turn.steps.as_bytes()),
                }
                standing = standing.saturating_add(1);
            }
            // A file has the number of retracted turns, but not their history.
            GameEvent::TurnRetracted(_) if standing > 0 => {
                field(b"back");
                standing -= 1;
            }
            GameEvent::Resumed(resumed) => {
                for _ in resumed.from_ply..standing {
                    field(b"back");
                }
                standing = standing.min(resumed.from_ply);
            }
            _ => {}
        }
    }
    unnumbered(hasher.finalize().as_bytes())
}

/// From [`UNNUMBERED`] on.
pub(crate) fn unnumbered(digest: &[u8; 32]) -> u64 {
    let first = digest.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
    UNNUMBERED | (first & (UNNUMBERED - 1))
}

/// As a file can contain it: one line, trimmed.
fn plain(text: &str) -> String {
    let text: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    text.trim().to_owned()
}

/// The start position in canonical form; empty for the default.
fn start(text: &str) -> String {
    match text.parse::<Position>() {
        Ok(position) if position == Position::start() => String::new(),
        Ok(position) => position.to_string(),
        Err(_) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use annals_events::{GameKind, Resumed, Side, Started, TurnRetracted, TurnTaken};

    use super::*;

    #[test]
    fn a_game_has_one_number_whatever_its_notation() {
        let game = |steps: &'static str| {
            let started = Started::plain(GameKind::Amazons, None);
            let turn = GameEvent::TurnTaken(TurnTaken::plain(1, Side::Gold, steps));
            number(&[(None, GameEvent::Started(Box::new(started))), (None, turn)])
        };
        assert_eq!(game("d1-d7(g7)"), game("d1-d7/g7"));
        assert_ne!(game("d1-d7(g7)"), game("d1-d7(g4)"));
        assert!((UNNUMBERED..UNNUMBERED * 2).contains(&game("d1-d7(g7)")));
    }

    #[test]
    fn the_day_counts_and_not_the_hour_and_what_was_taken_back_however_it_was() {
        const HOUR: i64 = 3_600_000_000;
        let turn = |number, side, steps: &'static str| {
            (None, GameEvent::TurnTaken(TurnTaken::plain(number, side, steps)))
        };
        let game = |at: Option<i64>, position: Option<&'static str>, back: Vec<GameEvent<'static>>| {
            let started = Started::plain(GameKind::Amazons, position.map(Into::into));
            let mut events = vec![(at, GameEvent::Started(Box::new(started)))];
            events.extend([turn(1, Side::Gold, "d1-d7(g7)"), turn(1, Side::Silver, "g10-g8(b8)")]);
            events.extend(back.into_iter().map(|event| (None, event)));
            events.push(turn(1, Side::Gold, "d1-d6(g6)"));
            number(&events)
        };
        let retracted = || GameEvent::TurnRetracted(TurnRetracted::default());
        let twice = || vec![retracted(), retracted()];
        let day = 11_190 * 24 * HOUR;
        let one = game(Some(day + HOUR), None, twice());
        assert_eq!(one, game(Some(day + 24 * HOUR - 1), None, twice()));
        assert_ne!(one, game(Some(day + 24 * HOUR), None, twice()));
        assert_ne!(one, game(None, None, twice()));
        let usual = Position::start().to_string().leak();
        assert_eq!(one, game(Some(day), Some(usual), twice()));
        let resumed = |from_ply| GameEvent::Resumed(Resumed { from_ply, ..Resumed::default() });
        assert_eq!(one, game(Some(day), None, vec![resumed(0)]));
        assert_ne!(one, game(Some(day), None, vec![resumed(1)]));
    }

    #[test]
    fn a_header_of_the_archive_is_never_taken_for_a_game_file() {
        let look = |name: &str, text: &'static [u8]| look(name, Box::new(Cursor::new(text))).unwrap().0;
        assert_eq!(look("a.sgf", b"id\twplayerid\n(;GM[18])"), None);
        assert_eq!(look("a.sgf", b"nonsense"), Some(Format::Sgf));
        assert_eq!(look("games.tgz!b/a.SGF.gz", b"nonsense"), Some(Format::Sgf));
        assert_eq!(look("a.txt", b"nonsense"), None);
        assert_eq!(look("a.txt", b"\n (;GM[18])"), Some(Format::Sgf));
    }
}
