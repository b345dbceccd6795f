//! Exports games from the dataset's columns: rows of the archive, and texts of header lines and moves.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;

use annals_events::{GameKind, PlayerAtStart, PlayerKind, Side, Termination, UnknownWord};
use annals_ingest::archive_row::{ArchiveText, FallenTurn, StoredGame, StoredTurn, Transcript, push_header};
use annals_ingest::game_files::{self, Format};
use annals_ingest::game_record::{Header, StatedResult};
use annals_ingest::playthrough::Fate;
use annals_ingest::server_log::{LogKind, LogLine};
use annals_ingest::stored_games::NOT_REACHED;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Error;
use crate::session::{Reading, Session};
use crate::typed_rows::{listed, select};

/// The format of an exported game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Export {
    /// Rows of the gameroom's archive, below its header line.
    Archive,
    /// Header lines and moves, one game after the other.
    Moves,
    /// SGF, of games of the Amazons.
    Sgf,
}

impl Export {
    /// All formats by their names.
    pub const ALL: [(&'static str, Export); 3] =
        [("archive", Export::Archive), ("moves", Export::Moves), ("sgf", Export::Sgf)];
}

/// Games per batch.
const GAMES_AT_A_TIME: usize = 64;

/// Writes games in the order of their numbers in `ids`. Each is read from the tables alone. Returns the games that begin
/// from a position which the format cannot hold.
///
/// # Errors
/// `Argument` if a game has no such format (the Amazons have no archive rows), and if writing fails.
pub fn export(session: &Session, ids: &[u64], form: Export, out: &mut dyn Write) -> Result<Vec<u64>, Error> {
    let mut without_start = Vec::new();
    let write = |out: &mut dyn Write, text: &[u8]| {
        out.write_all(text).map_err(|error| Error::io("write the games", error))
    };
    if form == Export::Archive {
        let mut header = Vec::new();
        push_header(&mut header);
        write(out, &header)?;
    }
    let mut transcript = Transcript::default();
    for (chunk, ids) in ids.chunks(GAMES_AT_A_TIME).enumerate() {
        let tables = Tables::read(session, ids)?;
        for (place, id) in ids.iter().enumerate() {
            let Some(row) = tables.games.get(id) else { continue };
            let text = tables.game(row, |kind, game| match (form, kind) {
                (Export::Archive, GameKind::Arimaa) => {
                    let mut text = Vec::new();
                    game.push_row(&mut text, &mut transcript);
                    without_start.extend(game.header.position.is_some().then_some(*id));
                    Ok(text)
                }
                (Export::Archive, GameKind::Amazons) => {
                    Err(no_form(*id, "the archive has games of Arimaa only"))
                }
                (Export::Moves, GameKind::Arimaa) => Ok(game_files::write_arimaa(&game).into_bytes()),
                (Export::Moves, GameKind::Amazons) => game_file(Format::MoveList, *id, &game),
                (Export::Sgf, GameKind::Amazons) => game_file(Format::Sgf, *id, &game),
                (Export::Sgf, GameKind::Arimaa) => Err(no_form(*id, "SGF has games of the Amazons only")),
            })?;
            if form != Export::Archive && (chunk, place) != (0, 0) {
                write(out, b"\n")?;
            }
            write(out, &text?)?;
        }
    }
    Ok(without_start)
}

fn game_file(format: Format, id: u64, game: &StoredGame<'_, '_>) -> Result<Vec<u8>, Error> {
    let text = game_files::write(format, &game.events(GameKind::Amazons));
    text.map(String::into_bytes).map_err(|error| no_form(id, error))
}

fn no_form(id: u64, why: impl std::fmt::Display) -> Error {
    Error::Argument { what: "game of this form", found: id.to_string(), why: why.to_string() }
}

/// The rows of some games in the tables.
struct Tables {
    games: HashMap<u64, GameRow>,
    turns: HashMap<u64, Vec<StoredTurn<'static>>>,
    fallen: HashMap<u64, Vec<FallenTurn<'static>>>,
    lines: HashMap<u64, Vec<LogRow>>,
}

/// A row of `games`.
#[derive(Deserialize)]
struct GameRow {
    game_id: u64,
    game: GameKind,
    gold: Option<String>,
    silver: Option<String>,
    gold_id: Option<u64>,
    silver_id: Option<u64>,
    gold_title: Option<String>,
    silver_title: Option<String>,
    gold_country: Option<String>,
    silver_country: Option<String>,
    gold_rating: Option<i32>,
    silver_rating: Option<i32>,
    gold_k: Option<i32>,
    silver_k: Option<i32>,
    gold_kind: Option<PlayerKind>,
    silver_kind: Option<PlayerKind>,
    event: Option<String>,
    site: Option<String>,
    time_control: Option<String>,
    start: Option<String>,
    postal: Option<bool>,
    rated: Option<bool>,
    started_at: Option<i64>,
    ended_at: Option<i64>,
    result: Option<String>,
    termination: Option<Termination>,
    stated_termination: Option<String>,
    plycount: Option<u32>,
    mode: Option<String>,
    corrupt: Option<bool>,
    resign_listed: Option<bool>,
    archive_fields: Option<Vec<String>>,
    ending_check: Option<String>,
}

/// A row of `turns`.
#[derive(Deserialize)]
struct TurnRow {
    game_id: u64,
    number: u32,
    side: Side,
    steps: String,
    used: Option<u32>,
}

/// A row of `rejected_turns`.
#[derive(Deserialize)]
struct FallenRow {
    game_id: u64,
    kind: String,
    ply: u32,
    number: u32,
    side: Side,
    steps: String,
}

/// A row of `server_log`.
#[derive(Deserialize)]
struct LogRow {
    game_id: u64,
    at: Option<i64>,
    utc_offset: Option<i32>,
    kind: String,
    number: Option<u32>,
    side: Option<Side>,
    steps: Option<String>,
    used: Option<u32>,
    gold_reserve: Option<i64>,
    silver_reserve: Option<i64>,
    game_time: Option<u64>,
    text: Option<String>,
}

impl Tables {
    fn read(session: &Session, ids: &[u64]) -> Result<Tables, Error> {
        let turn = |row: TurnRow| {
            let (number, side, used) = (row.number, row.side, row.used);
            (row.game_id, StoredTurn { number, side, steps: row.steps.into(), used })
        };
        let fallen = |row: FallenRow| {
            let (number, side) = (row.number, row.side);
            let turn = StoredTurn { number, side, steps: row.steps.into(), used: None };
            let fate = Fate::ALL.into_iter().find(|fate| fate.word() == row.kind).unwrap_or(Fate::Rejected);
            (row.game_id, FallenTurn { fate, ply: row.ply, turn })
        };
        let games: Vec<GameRow> = of_games(session, "games", ids, "")?;
        Ok(Tables {
            games: games.into_iter().map(|game| (game.game_id, game)).collect(),
            turns: grouped(of_games(session, "turns", ids, ", ply")?, turn),
            fallen: grouped(of_games(session, "rejected_turns", ids, ", seq")?, fallen),
            lines: grouped(of_games(session, "server_log", ids, ", line")?, |row: LogRow| (row.game_id, row)),
        })
    }

    /// Calls a function with one game.
    fn game<T>(
        &self,
        row: &GameRow,
        with: impl FnOnce(GameKind, StoredGame<'_, '_>) -> T,
    ) -> Result<T, Error> {
        let id = row.game_id;
        let header = row.header()?;
        let text = ArchiveText {
            resign_listed: row.resign_listed.unwrap_or_default(),
            fields: row.archive_fields.clone().unwrap_or_default(),
        };
        let lines = self.lines.get(&id).map_or(&[][..], Vec::as_slice);
        let log: Vec<LogLine<'_>> = lines.iter().map(LogRow::line).collect();
        let game = StoredGame {
            id,
            header: &header,
            turns: self.turns.get(&id).map_or(&[][..], Vec::as_slice),
            fallen: self.fallen.get(&id).map_or(&[][..], Vec::as_slice),
            log: &log,
            text: &text,
            over: row.ending_check.as_ref().is_some_and(|check| check != NOT_REACHED),
        };
        Ok(with(row.game, game))
    }
}

/// The rows of some games in a table, each game's in their order.
fn of_games<T: DeserializeOwned>(
    session: &Session,
    table: &str,
    ids: &[u64],
    order: &str,
) -> Result<Vec<T>, Error> {
    let from = format!("FROM {table} WHERE game_id IN ({}) ORDER BY game_id{order}", listed(ids));
    Ok(select(session, &from, &[], Reading::LookUp)?.0)
}

/// The rows of each game, in their order.
fn grouped<R, T>(rows: Vec<R>, of_game: impl Fn(R) -> (u64, T)) -> HashMap<u64, Vec<T>> {
    let mut games: HashMap<u64, Vec<T>> = HashMap::new();
    for (id, row) in rows.into_iter().map(of_game) {
        games.entry(id).or_default().push(row);
    }
    games
}

impl GameRow {
    fn header(&self) -> Result<Header<'_>, Error> {
        let damaged = |error: UnknownWord| Error::Rows(error.to_string());
        Ok(Header {
            gold: PlayerAtStart {
                name: text(&self.gold).unwrap_or_default(),
                player_id: self.gold_id,
                title: text(&self.gold_title),
                country: text(&self.gold_country),
                rating: self.gold_rating,
                k: self.gold_k,
                kind: self.gold_kind,
            },
            silver: PlayerAtStart {
                name: text(&self.silver).unwrap_or_default(),
                player_id: self.silver_id,
                title: text(&self.silver_title),
                country: text(&self.silver_country),
                rating: self.silver_rating,
                k: self.silver_k,
                kind: self.silver_kind,
            },
            event: text(&self.event),
            site: text(&self.site),
            time_control: text(&self.time_control),
            position: text(&self.start),
            postal: self.postal,
            rated: self.rated,
            started_at: self.started_at,
            ended_at: self.ended_at,
            result: match self.result.as_deref() {
                Some("draw") => StatedResult::Draw,
                Some("unknown") | None => StatedResult::Unknown,
                Some(side) => StatedResult::Won(side.parse().map_err(damaged)?),
            },
            termination: self.termination,
            stated_termination: text(&self.stated_termination),
            plycount: self.plycount,
            mode: text(&self.mode),
            corrupt: self.corrupt.unwrap_or_default(),
        })
    }
}

fn text(text: &Option<String>) -> Option<Cow<'_, str>> {
    text.as_deref().map(Cow::Borrowed)
}

impl LogRow {
    fn line(&self) -> LogLine<'_> {
        let kind = LogKind::ALL.into_iter().find(|kind| kind.word() == self.kind);
        LogLine {
            line: 0,
            at: self.at,
            stamp: &[],
            utc_offset: self.utc_offset,
            kind: kind.unwrap_or(LogKind::Other),
            number: self.number,
            side: self.side,
            steps: self.steps.as_deref().map(str::as_bytes),
            used: self.used,
            gold_reserve: self.gold_reserve,
            silver_reserve: self.silver_reserve,
            game_time: self.game_time,
            text: self.text.as_deref().unwrap_or_default().as_bytes(),
            event: None,
        }
    }
}
