//! Games out of the dataset's columns: rows of the archive, and texts of header lines and moves.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;

use annals_events::{GameKind, PlayerAtStart, PlayerKind, Side, UnknownWord};
use annals_ingest::archive_row::{ArchiveText, FallenTurn, StoredGame, StoredTurn, Transcript, push_header};
use annals_ingest::game_files::{self, Format};
use annals_ingest::game_record::{Header, StatedResult};
use annals_ingest::playthrough::Fate;
use annals_ingest::server_log::{LogKind, LogLine};
use annals_ingest::stored_games::NOT_REACHED;

use crate::Error;
use crate::query_rows::QueryRows;
use crate::session::{Reading, Session};

/// What a game is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Export {
    /// Rows of the gameroom's archive, below its header line.
    Archive,
    /// Header lines and moves, one game below the other.
    Moves,
}

impl Export {
    /// All forms by their words.
    pub const ALL: [(&'static str, Export); 2] = [("archive", Export::Archive), ("moves", Export::Moves)];
}

/// Games that are read at a time.
const GAMES_AT_A_TIME: usize = 64;

/// Writes games in the order of their numbers in `ids`. Each is read from the tables alone.
///
/// # Errors
/// `Argument` where a game has no such form (a game of the Amazons has no row in the archive), and where writing fails.
pub fn export(session: &Session, ids: &[u64], form: Export, out: &mut dyn Write) -> Result<(), Error> {
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
            let Some(row) = tables.rows.get(id).copied() else { continue };
            let text = tables.game(row, |kind, game| match (form, kind) {
                (Export::Archive, GameKind::Arimaa) => {
                    let mut text = Vec::new();
                    game.push_row(&mut text, &mut transcript);
                    Ok(text)
                }
                (Export::Archive, GameKind::Amazons) => {
                    Err(no_form(*id, "the archive has games of Arimaa only"))
                }
                (Export::Moves, GameKind::Arimaa) => Ok(game_files::write_arimaa(&game).into_bytes()),
                (Export::Moves, GameKind::Amazons) => game_files::write(Format::MoveList, &game.events(kind))
                    .map(String::into_bytes)
                    .map_err(|error| no_form(*id, error)),
            })?;
            if form == Export::Moves && (chunk, place) != (0, 0) {
                write(out, b"\n")?;
            }
            write(out, &text?)?;
        }
    }
    Ok(())
}

fn no_form(id: u64, why: impl std::fmt::Display) -> Error {
    Error::Argument { what: "game of this form", found: id.to_string(), why: why.to_string() }
}

/// What the tables hold of some games.
struct Tables {
    games: QueryRows,
    rows: HashMap<u64, usize>,
    turns: HashMap<u64, Vec<StoredTurn<'static>>>,
    fallen: HashMap<u64, Vec<FallenTurn<'static>>>,
    lines: HashMap<u64, Vec<ServerLine>>,
}

/// A line of the server's log, with its texts.
struct ServerLine {
    line: LogLine<'static>,
    steps: Option<String>,
    text: String,
}

impl Tables {
    fn read(session: &Session, ids: &[u64]) -> Result<Tables, Error> {
        let listed: Vec<String> = ids.iter().map(u64::to_string).collect();
        let ask = |table: &str, order: &str| {
            let listed = listed.join(", ");
            let sql = format!("SELECT * FROM {table} WHERE game_id IN ({listed}) ORDER BY game_id{order}");
            QueryRows::ask(session, &sql, Reading::LookUp).map(|(answer, _)| answer)
        };
        let games = ask("games", "")?;
        let rows = numbers(&games)?.into_iter().zip(0..).collect();
        Ok(Tables {
            rows,
            turns: turns(&ask("turns", ", ply")?)?,
            fallen: fallen(&ask("rejected_turns", ", seq")?)?,
            lines: lines(&ask("server_log", ", line")?)?,
            games,
        })
    }

    /// Gives one game to a function.
    fn game<T>(&self, row: usize, with: impl FnOnce(GameKind, StoredGame<'_, '_>) -> T) -> Result<T, Error> {
        let of = &self.games;
        let id = numbers(of)?[row];
        let header = header(of, row)?;
        let text = ArchiveText {
            resign_listed: of.truths("resign_listed")?[row].unwrap_or_default(),
            fields: of.word_lists("archive_fields")?.swap_remove(row),
        };
        let kind = word(of.texts("game")?.swap_remove(row))?.unwrap_or(GameKind::Arimaa);
        let lines = self.lines.get(&id).map_or(&[][..], Vec::as_slice);
        let log: Vec<LogLine<'_>> = lines
            .iter()
            .map(|ServerLine { line, steps, text }| LogLine {
                steps: steps.as_deref().map(str::as_bytes),
                text: text.as_bytes(),
                ..*line
            })
            .collect();
        let game = StoredGame {
            id,
            header: &header,
            turns: self.turns.get(&id).map_or(&[][..], Vec::as_slice),
            fallen: self.fallen.get(&id).map_or(&[][..], Vec::as_slice),
            log: &log,
            text: &text,
            over: of.texts("ending_check")?.swap_remove(row).is_some_and(|check| check != NOT_REACHED),
        };
        Ok(with(kind, game))
    }
}

fn numbers(answer: &QueryRows) -> Result<Vec<u64>, Error> {
    Ok(answer.ids("game_id")?.into_iter().map(Option::unwrap_or_default).collect())
}

/// A word of a closed list.
fn word<T: std::str::FromStr<Err = UnknownWord>>(text: Option<String>) -> Result<Option<T>, Error> {
    text.map(|text| text.parse().map_err(|error| damaged(&error))).transpose()
}

fn kind(word: Option<&str>) -> Option<PlayerKind> {
    [PlayerKind::Human, PlayerKind::Bot].into_iter().find(|kind| Some(kind.word()) == word)
}

fn damaged(error: &dyn std::fmt::Display) -> Error {
    Error::Nothing { what: format!("the dataset is damaged: {error}"), hints: Vec::new() }
}

/// A number that the column cannot hold too large.
fn small<N: TryFrom<i64>>(number: Option<i64>) -> Option<N> {
    number.and_then(|number| N::try_from(number).ok())
}

fn header(of: &QueryRows, row: usize) -> Result<Header<'static>, Error> {
    let text = |name: &str| Ok::<_, Error>(of.texts(name)?.swap_remove(row));
    let cow = |name: &str| Ok::<_, Error>(text(name)?.map(Cow::Owned));
    let number = |name: &str| Ok::<_, Error>(of.numbers(name)?[row]);
    let player = |side: Side| {
        let column = |what: &str| format!("{side}_{what}");
        Ok::<_, Error>(PlayerAtStart {
            name: text(side.word())?.unwrap_or_default().into(),
            player_id: of.ids(&column("id"))?[row],
            title: cow(&column("title"))?,
            country: cow(&column("country"))?,
            rating: small(number(&column("rating"))?),
            k: small(number(&column("k"))?),
            kind: kind(text(&column("kind"))?.as_deref()),
        })
    };
    let result = text("result")?;
    Ok(Header {
        gold: player(Side::Gold)?,
        silver: player(Side::Silver)?,
        event: cow("event")?,
        site: cow("site")?,
        time_control: cow("time_control")?,
        position: cow("start")?,
        postal: of.truths("postal")?[row],
        rated: of.truths("rated")?[row],
        started_at: of.instants("started_at")?[row],
        ended_at: of.instants("ended_at")?[row],
        result: match result.as_deref() {
            Some("draw") => StatedResult::Draw,
            Some("unknown") | None => StatedResult::Unknown,
            Some(_) => word(result)?.map_or(StatedResult::Unknown, StatedResult::Won),
        },
        termination: word(text("termination")?)?,
        stated_termination: cow("stated_termination")?,
        plycount: small(number("plycount")?),
        mode: cow("mode")?,
        corrupt: of.truths("corrupt")?[row].unwrap_or_default(),
    })
}

fn turns(of: &QueryRows) -> Result<HashMap<u64, Vec<StoredTurn<'static>>>, Error> {
    let used = of.numbers("used")?;
    grouped(of, turn_rows(of, used)?)
}

fn turn_rows(of: &QueryRows, used: Vec<Option<i64>>) -> Result<Vec<StoredTurn<'static>>, Error> {
    let turns = of.numbers("number")?.into_iter().zip(of.texts("side")?).zip(of.texts("steps")?).zip(used);
    let turn = |(((number, side), steps), used): (((Option<i64>, _), Option<String>), _)| {
        Ok(StoredTurn {
            number: small(number).unwrap_or_default(),
            side: word(side)?.unwrap_or(Side::Gold),
            steps: steps.unwrap_or_default().into(),
            used: small(used),
        })
    };
    turns.map(turn).collect()
}

fn fallen(of: &QueryRows) -> Result<HashMap<u64, Vec<FallenTurn<'static>>>, Error> {
    let kinds = of.texts("kind")?.into_iter();
    let fates = kinds.map(|kind| Fate::ALL.into_iter().find(|fate| Some(fate.word()) == kind.as_deref()));
    let turns = turn_rows(of, vec![None; of.len()])?;
    let rows = fates.zip(of.numbers("ply")?).zip(turns).map(|((fate, ply), turn)| FallenTurn {
        fate: fate.unwrap_or(Fate::Rejected),
        ply: small(ply).unwrap_or_default(),
        turn,
    });
    grouped(of, rows.collect())
}

fn lines(of: &QueryRows) -> Result<HashMap<u64, Vec<ServerLine>>, Error> {
    let (times, offsets) = (of.instants("at")?, of.numbers("utc_offset")?);
    let (kinds, numbers, sides) = (of.texts("kind")?, of.numbers("number")?, of.texts("side")?);
    let (gold, silver) = (of.numbers("gold_reserve")?, of.numbers("silver_reserve")?);
    let (used, game_time) = (of.numbers("used")?, of.numbers("game_time")?);
    let (mut steps, mut texts) = (of.texts("steps")?, of.texts("text")?);
    let mut lines = Vec::with_capacity(of.len());
    for (row, side) in sides.into_iter().enumerate() {
        let kind = LogKind::ALL.into_iter().find(|kind| Some(kind.word()) == kinds[row].as_deref());
        let line = LogLine {
            line: 0,
            at: times[row],
            stamp: &[],
            utc_offset: small(offsets[row]),
            kind: kind.unwrap_or(LogKind::Other),
            number: small(numbers[row]),
            side: word(side)?,
            steps: None,
            used: small(used[row]),
            gold_reserve: gold[row],
            silver_reserve: silver[row],
            game_time: small(game_time[row]),
            text: &[],
            event: None,
        };
        lines.push(ServerLine {
            line,
            steps: steps[row].take(),
            text: texts[row].take().unwrap_or_default(),
        });
    }
    grouped(of, lines)
}

/// The rows of each game, in their order.
fn grouped<T>(of: &QueryRows, rows: Vec<T>) -> Result<HashMap<u64, Vec<T>>, Error> {
    let mut games: HashMap<u64, Vec<T>> = HashMap::new();
    for (id, row) in numbers(of)?.into_iter().zip(rows) {
        games.entry(id).or_default().push(row);
    }
    Ok(games)
}
