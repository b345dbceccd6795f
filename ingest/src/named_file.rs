//! One game or one position of a file that a user names: `FILE`, or `FILE:NUMBER` for one game of several. The file has a
//! position, games in the archive's format, SGF, or a list of moves, packed or not.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::convert::Infallible;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use annals_events::{GameEvent, GameKind, Micros, Side};
use annals_rules::{AnyPosition, AnyPositionError};
use tempfile::NamedTempFile;

use crate::archive_games::{ArchiveGame, Found, archive_games};
use crate::game_files;
use crate::input_file;
use crate::source::{Progress, SourceFile, format_of, game_texts};

/// The longest text that is read as a position.
const LONGEST_POSITION: u64 = 64 * 1024;

/// What a user names.
#[derive(Debug)]
pub struct NamedFile {
    path: PathBuf,
    /// The number of the game: in an archive its own, in other files its place from 1.
    number: Option<u64>,
    /// Its name in messages.
    name: String,
    /// What standard input is kept in.
    _spool: Option<NamedTempFile>,
}

/// A game of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileGame {
    /// The file with the number of the game, if it has several.
    pub name: String,
    pub events: Vec<(Option<Micros>, GameEvent<'static>)>,
}

/// What a file has.
#[derive(Debug, Clone, PartialEq)]
pub enum FileContent {
    Position(AnyPosition),
    Game(FileGame),
}

/// Why a file gives neither a game nor a position.
#[derive(Debug, thiserror::Error)]
pub enum NamedFileError {
    #[error("cannot read {name}: {why}")]
    Read { name: String, why: io::Error },
    #[error("{name} is empty")]
    Empty { name: String },
    /// It is not a file of games, and not a position either.
    #[error("{name}: {why}")]
    Position { name: String, why: AnyPositionError },
    #[error("{name}: {why}")]
    Game { name: String, why: String },
    #[error("{name} is a list of the moves of a game of Arimaa, which is written, not read")]
    ListOfArimaa { name: String },
    #[error("{name} has {count} games")]
    Several {
        name: String,
        count: usize,
        /// The number of the first one.
        first: u64,
    },
    #[error("{name} has no game {number}")]
    NoSuchGame {
        name: String,
        number: u64,
        /// The numbers that it has.
        known: Vec<u64>,
    },
}

impl NamedFile {
    /// A file by its name. Where no file has the whole name, a number after a colon is that of a game.
    #[must_use]
    pub fn new(text: &str) -> NamedFile {
        let numbered = text.rsplit_once(':').and_then(|(path, number)| Some((path, number.parse().ok()?)));
        let (path, number) = match numbered {
            Some((path, number)) if !Path::new(text).exists() => (path, Some(number)),
            _ => (text, None),
        };
        NamedFile { path: path.into(), number, name: path.to_owned(), _spool: None }
    }

    /// Standard input, which is read to its end.
    ///
    /// # Errors
    /// When it cannot be read or kept.
    pub fn standard_input() -> Result<NamedFile, NamedFileError> {
        let name = "standard input".to_owned();
        let spooled = || {
            let mut spool = NamedTempFile::new()?;
            spool.write_all(&input_file::standard_input_bytes()?)?;
            Ok(spool)
        };
        let spool = spooled().map_err(|why| NamedFileError::Read { name: name.clone(), why })?;
        Ok(NamedFile { path: spool.path().to_owned(), number: None, name, _spool: Some(spool) })
    }

    /// Reads the position or the game. `side` and `kind` are those of a position whose text does not state them.
    ///
    /// # Errors
    /// When the file has neither, or has several games and none is named.
    pub fn read(&self, side: Option<Side>, kind: Option<GameKind>) -> Result<FileContent, NamedFileError> {
        let unread = |why| NamedFileError::Read { name: self.name.clone(), why };
        let mut start = Vec::new();
        let file = input_file::open(&self.path).map_err(unread)?;
        file.take(LONGEST_POSITION).read_to_end(&mut start).map_err(unread)?;
        if start.trim_ascii().is_empty() {
            return Err(NamedFileError::Empty { name: self.name.clone() });
        }
        let text = String::from_utf8_lossy(&start);
        if text.starts_with("Game: ") && text.contains("\nGold: ") {
            return Err(NamedFileError::ListOfArimaa { name: self.name.clone() });
        }
        let position = AnyPosition::read(text.trim_end_matches(['\n', '\r']), side, kind);
        let why = match position {
            Ok(position) if self.number.is_none() => return Ok(FileContent::Position(position)),
            Ok(_) => None,
            Err(why) => Some(why),
        };
        let source = SourceFile {
            name: self.name.clone(),
            path: self.path.clone(),
            bytes: fs::metadata(&self.path).map_err(unread)?.len(),
        };
        let game = match format_of(&source) {
            Some(_) => self.of_game_file(&source),
            None => self.of_archive(&source),
        };
        match (game, why) {
            (Ok(Some(game)), _) => Ok(FileContent::Game(game)),
            (Ok(None), Some(why)) => Err(NamedFileError::Position { name: self.name.clone(), why }),
            (Ok(None), None) => self.pick(Vec::new(), None).map(FileContent::Game),
            (Err(error), _) => Err(error),
        }
    }

    /// The game of an archive; none where the file is not an archive.
    fn of_archive(&self, source: &SourceFile) -> Result<Option<FileGame>, NamedFileError> {
        let (known, found, refused) = (RefCell::new(Vec::new()), Cell::new(None), RefCell::new(None));
        let wanted = |id: u64| {
            known.borrow_mut().push(id);
            match self.number {
                Some(number) => number == id,
                None => known.borrow().len() == 1,
            }
        };
        let each = |row: Found<'_>| {
            match row {
                Found::Game(game) => found.set(Some(self.archive_game(&game))),
                Found::Refused(why) if refused.borrow().is_none() => {
                    *refused.borrow_mut() = Some((why.line, why.code, why.reason));
                }
                _ => {}
            }
            Ok::<(), Infallible>(())
        };
        let Ok(_) = archive_games(source, &mut HashSet::new(), &Progress::default(), wanted, each);
        match (found.into_inner(), refused.into_inner()) {
            (None, Some((Some(line), _, reason))) if known.borrow().is_empty() => {
                Err(NamedFileError::Game { name: format!("{} line {line}", self.name), why: reason })
            }
            (None, _) if known.borrow().is_empty() => Ok(None),
            (found, _) => self.pick(known.into_inner(), found).map(Some),
        }
    }

    fn archive_game(&self, game: &ArchiveGame<'_>) -> FileGame {
        let events = game.events.iter().map(|placed| {
            let at = placed.note.is_none().then_some(placed.at);
            (at, placed.event.clone().into_owned())
        });
        FileGame { name: format!("{}:{}", self.name, game.id), events: events.collect() }
    }

    fn of_game_file(&self, source: &SourceFile) -> Result<Option<FileGame>, NamedFileError> {
        let (mut known, mut found) = (Vec::new(), None);
        for text in game_texts(source) {
            let text = text.map_err(|(name, why)| NamedFileError::Game { name, why: why.to_string() })?;
            let Some(format) = text.format else { continue };
            for game in game_files::read(format, &text.name, &text.text) {
                known.push(known.len() as u64 + 1);
                let number = known.len() as u64;
                if number == self.number.unwrap_or(1) {
                    let of_game = |why: game_files::GameFileError| NamedFileError::Game {
                        name: self.name.clone(),
                        why: why.to_string(),
                    };
                    let events = game.map_err(of_game)?.events;
                    found = Some(FileGame { name: format!("{}:{number}", self.name), events });
                }
            }
        }
        self.pick(known, found).map(Some)
    }

    /// The game that is named, or the only one.
    fn pick(&self, known: Vec<u64>, found: Option<FileGame>) -> Result<FileGame, NamedFileError> {
        let name = self.name.clone();
        match (found, self.number, known.as_slice()) {
            (Some(game), Some(_), _) => Ok(game),
            (Some(game), None, [_]) => Ok(FileGame { name, ..game }),
            (None, Some(number), _) => Err(NamedFileError::NoSuchGame { name, number, known }),
            (_, None, _) => {
                let first = known.first().copied().unwrap_or(1);
                Err(NamedFileError::Several { name, count: known.len(), first })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVES: &str = "White: Ada\nBlack: Bela\n\n1. d1-d7(g7) a7-b8(b3)\n";

    fn read(folder: &Path, name: &str) -> Result<FileContent, NamedFileError> {
        NamedFile::new(&folder.join(name).display().to_string()).read(None, None)
    }

    #[test]
    fn one_game_or_one_position_is_read_and_a_number_names_one_of_several() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::write(at.join("one.moves"), MOVES).unwrap();
        fs::write(at.join("two.moves"), format!("{MOVES}Result: 1-0\n\n{MOVES}")).unwrap();
        fs::write(at.join("board.txt"), "b [.B./.x./W..]\n").unwrap();
        let events = |name: &str| match read(at, name).unwrap() {
            FileContent::Game(game) => game.events.len(),
            FileContent::Position(_) => 0,
        };
        assert_eq!((events("one.moves"), events("one.moves:1"), events("board.txt")), (3, 3, 0));
        assert!(events("two.moves:2") > 0);
        let error = |name: &str| read(at, name).unwrap_err().to_string();
        assert!(error("two.moves").ends_with("two.moves has 2 games"));
        assert!(error("two.moves:3").ends_with("two.moves has no game 3"));
        assert!(error("none.txt").contains("cannot read"));
        fs::write(at.join("words.txt"), "nothing\n").unwrap();
        assert!(error("words.txt").contains("side to move is missing"), "{}", error("words.txt"));
        fs::write(at.join("blank.txt"), "\n\n").unwrap();
        assert!(error("blank.txt").ends_with("is empty"));
    }
}
