//! The game or the position that an argument names, read from dataset, log or file. docs/reference/games.md describes the forms.

#[cfg(feature = "sql")]
use annals_analytics::{Reads, Session, game_view::GameView};
use annals_events::{GameEvent, GameKind, Micros, Side, StreamName};
use annals_ingest::named_file::{FileContent, FileGame, NamedFile};
#[cfg(feature = "sql")]
use annals_replay::queries::set_aside::{resumes, rulings_on_games};
use annals_replay::subject::find_game_at;
use annals_replay::{Cut, GameReplay, game_at};
use annals_rules::{AnyPosition, TurnChoice};
use annals_store::Log;

#[cfg(feature = "sql")]
use crate::dataset_session::open_default;
use crate::errors::CliError;
use crate::hints::A_POSITION;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;

/// A game with its source.
#[allow(clippy::large_enum_variant, reason = "a command has one of them; their sizes depend on the features")]
pub enum NamedGame {
    #[cfg(feature = "sql")]
    Dataset {
        session: Session,
        game: Box<GameView>,
        reads: Reads,
    },
    Log {
        log: Log,
        stream: StreamName,
        cut: Cut,
    },
    File(FileGame),
}

/// What an argument names.
#[allow(clippy::large_enum_variant, reason = "a command has one of them; their sizes depend on the features")]
pub enum Named {
    Position(AnyPosition),
    Game(NamedGame),
}

/// How the log is opened, if the game is there.
type OpenLog = fn(&Home) -> Result<Log, CliError>;

impl NamedGame {
    /// Reads the game that an argument names; a game of the log as of a point in time.
    pub fn read(text: &str, moment: &MomentArgs, home: &Home) -> Result<NamedGame, CliError> {
        NamedGame::read_by(log_file::open, text, moment, home)
    }

    /// As [`read`](NamedGame::read), for output that is passed on: a damaged log is refused.
    pub fn read_whole(text: &str, moment: &MomentArgs, home: &Home) -> Result<NamedGame, CliError> {
        NamedGame::read_by(log_file::open_whole, text, moment, home)
    }

    fn read_by(open: OpenLog, text: &str, moment: &MomentArgs, home: &Home) -> Result<NamedGame, CliError> {
        let game = match file(text)? {
            Some(file) => match file.read(None, None)? {
                FileContent::Game(game) => NamedGame::File(game),
                FileContent::Position(_) => {
                    return Err(CliError::new(format!("expected a game, found a position in `{text}`")));
                }
            },
            None => match text.parse() {
                Ok(number) => NamedGame::stored(number, home)?,
                Err(_) => return NamedGame::logged(open, text, moment, home),
            },
        };
        let hint = match text.parse::<u64>() {
            Ok(number) => format!("name the game in the log: game/arimaa-{number}"),
            Err(_) => NOW.to_owned(),
        };
        without_past(&format!("`{text}`"), moment, &hint).map(|()| game)
    }

    #[cfg(feature = "sql")]
    fn stored(number: u64, home: &Home) -> Result<NamedGame, CliError> {
        let session = open_default(home)?;
        let (game, reads) = GameView::read(&session, number)?;
        Ok(NamedGame::Dataset { session, game: Box::new(game), reads })
    }

    #[cfg(not(feature = "sql"))]
    fn stored(number: u64, _: &Home) -> Result<NamedGame, CliError> {
        Err(CliError::new(format!(
            "game {number} is one of the dataset, which this program was built without"
        ))
        .hint("build it with --features sql"))
    }

    fn logged(open: OpenLog, text: &str, moment: &MomentArgs, home: &Home) -> Result<NamedGame, CliError> {
        let log = open(home)?;
        let at = |tournament: &StreamName| moment.cut(&log, Some(tournament)).map(|(cut, _)| cut);
        let stream = find_game_at(&log, text, at)?;
        let (cut, _) = moment.cut(&log, Some(&stream))?;
        Ok(NamedGame::Log { log, stream, cut })
    }

    /// The name of the game in texts.
    pub fn name(&self) -> String {
        match self {
            #[cfg(feature = "sql")]
            NamedGame::Dataset { game, .. } => game.name.clone(),
            NamedGame::Log { stream, .. } => stream.to_string(),
            NamedGame::File(game) => game.name.clone(),
        }
    }

    /// The game as it is shown.
    #[cfg(feature = "sql")]
    pub fn view(self) -> Result<GameView, CliError> {
        match self {
            NamedGame::Dataset { game, .. } => Ok(*game),
            NamedGame::Log { ref log, ref stream, ref cut } => {
                let view = GameView::of_log(log, (&self.name(), stream), cut, &self.replay(None)?)?;
                let mut rulings = rulings_on_games(log, cut)?;
                rulings.retain(|ruling| ruling.game == stream.as_str());
                Ok(GameView { rulings, resumes: resumes(log, stream, cut)?, ..view })
            }
            other => Ok(GameView::of_replay(&other.name(), &other.replay(None)?)),
        }
    }

    /// The game folded: all of it, or up to a turn.
    pub fn replay(&self, before: Option<TurnChoice>) -> Result<GameReplay, CliError> {
        let whole = match self {
            #[cfg(feature = "sql")]
            NamedGame::Dataset { game, .. } => game.replay(),
            NamedGame::Log { log, stream, cut } => game_at(log, stream, cut)?,
            NamedGame::File(game) => GameReplay::of(game.events.iter().cloned()),
        };
        match before {
            None => Ok(whole),
            Some(turn) => Ok(whole.before(turn)?),
        }
    }
}

impl Named {
    /// Reads what an argument names. `side` and `kind` are those of a position whose text does not state them.
    pub fn read(
        text: &str,
        side: Option<Side>,
        kind: Option<GameKind>,
        moment: &MomentArgs,
        home: &Home,
    ) -> Result<Named, CliError> {
        if let Some(file) = file(text)? {
            let content = file.read(side, kind)?;
            without_past(&format!("`{text}`"), moment, NOW)?;
            return Ok(match content {
                FileContent::Position(position) => Named::Position(position),
                FileContent::Game(game) => Named::Game(NamedGame::File(game)),
            });
        }
        match AnyPosition::read(text, side, kind) {
            Ok(position) => without_past("a position", moment, NOW).map(|()| Named::Position(position)),
            Err(_) if is_name(text) => NamedGame::read(text, moment, home).map(Named::Game),
            Err(error) => Err(CliError::from(error).hint(A_POSITION)),
        }
    }

    /// The position: that of a game before a turn, or after its last.
    pub fn position(&self, turn: Option<TurnChoice>) -> Result<AnyPosition, CliError> {
        match self {
            Named::Position(position) => without_turns(turn).map(|()| *position),
            Named::Game(game) => {
                let replay = game.replay(turn)?;
                let state = replay.game().state().or_else(|| replay.game().initial_state());
                state.map(|state| state.position()).ok_or_else(|| {
                    CliError::new(format!("the game {} has not begun, so it has no position", game.name()))
                })
            }
        }
    }

    /// The start and the turns of a game until a turn with their times, or a game that starts from the position.
    pub fn events(
        &self,
        turn: Option<TurnChoice>,
    ) -> Result<Vec<(Option<Micros>, GameEvent<'static>)>, CliError> {
        match self {
            Named::Position(position) => without_turns(turn).map(|()| vec![(None, position.started())]),
            Named::Game(game) => {
                let replay = game.replay(None)?;
                let events = replay.turns_before(turn)?.into_iter();
                Ok(events.map(|(at, event)| (at, event.into_owned())).collect())
            }
        }
    }
}

/// The hint for what has no past.
const NOW: &str = "leave --as-of and --known-at out, or name a game of the log";

/// Refuses a point in time for what is not a game of the log, and an unknown zone.
pub fn without_past(what: &str, moment: &MomentArgs, hint: &str) -> Result<(), CliError> {
    moment.zone.zone()?;
    if moment.is_now() {
        return Ok(());
    }
    let error = CliError::new(format!("{what} is not a game of the log, which alone has a past"));
    Err(error.hint(hint))
}

fn without_turns(turn: Option<TurnChoice>) -> Result<(), CliError> {
    turn.map_or(Ok(()), |turn| Err(CliError::new(format!("a position has no turn {turn}; leave --turn out"))))
}

/// `@FILE`, or `-` for standard input.
fn file(text: &str) -> Result<Option<NamedFile>, CliError> {
    match text.strip_prefix('@') {
        Some(path) => Ok(Some(NamedFile::new(path))),
        None if text == "-" => Ok(Some(NamedFile::standard_input()?)),
        None => Ok(None),
    }
}

/// Whether a text can be the name of a game. A position has brackets, lines or upper-case letters, or one letter a square.
fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-/ ".contains(c);
    !text.is_empty() && text.len() != 64 && text.chars().all(letter)
}
