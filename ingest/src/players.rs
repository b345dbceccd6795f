//! The table of players, made from all stored `games`, so that its bytes depend on the set of games only. Players above
//! a memory budget are spilled as sorted runs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::path::Path;

use arrow::array::Array;
use arrow::datatypes::{Int32Type, TimestampMicrosecondType, UInt64Type};

use annals_events::PlayerKind;
use serde::{Deserialize, Serialize};

use crate::location;
use crate::spill::{Record, Runs, number};
use crate::tables::{PlayerRows, Rows};
use crate::write::{
    Columns, Encoder, StagedFile, StoredFile, StoredFileError, TableFile, WriteError, stored_text,
    stored_value,
};

#[derive(Debug, thiserror::Error)]
pub enum PlayersError {
    #[error(transparent)]
    Stored(#[from] StoredFileError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Makes the table at `path` from files of `games`; none without games. About `held` bytes of players are in memory;
/// the others are spilled to the folder of `path`.
///
/// # Errors
/// If a stored file cannot be read, or the disk fails.
pub fn build(
    games: &[location::TableFile],
    path: &Path,
    held: usize,
) -> Result<Option<StagedFile>, PlayersError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut players = Players { recent: BTreeMap::new(), bytes: 0, held, runs: Runs::new(folder) };
    for file in games {
        StoredFile::open(file)?.each_batch(&COLUMNS, |batch| players.gather(batch))?;
    }
    let mut table = PlayerTable { rows: PlayerRows::default(), encoder: Encoder::new()?, file: None };
    if players.runs.is_empty() {
        for (who, player) in &players.recent {
            table.add(who, player, path)?;
        }
    } else {
        players.spill()?;
        for told in players.runs.merged()? {
            let PlayerEntry(who, player) = told?;
            table.add(&who, &player, path)?;
        }
    }
    table.flush(path)?;
    Ok(table.file.map(TableFile::finish).transpose()?)
}

struct PlayerTable {
    rows: PlayerRows,
    encoder: Encoder<PlayerRows>,
    file: Option<TableFile>,
}

impl PlayerTable {
    fn add(&mut self, who: &Who, player: &Player, path: &Path) -> Result<(), WriteError> {
        player.append(who, &mut self.rows);
        match self.rows.len() >= PlayerRows::SPEC.row_group_rows {
            true => self.flush(path),
            false => Ok(()),
        }
    }

    fn flush(&mut self, path: &Path) -> Result<(), WriteError> {
        let Some(group) = self.encoder.encode(&mut self.rows)? else { return Ok(()) };
        match &mut self.file {
            Some(file) => file,
            none => none.insert(TableFile::create(path, &self.encoder)?),
        }
        .append(group)
    }
}

const COLUMNS: [&str; 16] = [
    "game_id", "started_at", "result", "rated", "gold", "gold_id", "gold_kind", "gold_country",
    "gold_rating", "gold_k", "silver", "silver_id", "silver_kind", "silver_country", "silver_rating",
    "silver_k",
];

/// By number, else by name. Numbers sort first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Who {
    Numbered(u64),
    Named(String),
}

/// Start, then number. Games without a start are the earliest.
type When = (Option<i64>, u64);

/// A value with its game; the later game counts.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Latest<T>(Option<(When, T)>);

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Latest(None)
    }
}

impl<T> Latest<T> {
    fn see(&mut self, when: When, value: impl FnOnce() -> T) {
        if self.0.as_ref().is_none_or(|(seen, _)| *seen < when) {
            self.0 = Some((when, value()));
        }
    }

    fn get(&self) -> Option<&T> {
        self.0.as_ref().map(|(_, value)| value)
    }

    fn join(&mut self, later: Latest<T>) {
        if let Some((when, value)) = later.0 {
            self.see(when, || value);
        }
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Player {
    name: Latest<String>,
    names: BTreeSet<String>,
    kind: Latest<PlayerKind>,
    country: Latest<String>,
    rating: Latest<(i32, Option<i32>)>,
    games: [u32; 2],
    wins: u32,
    losses: u32,
    draws: u32,
    rated: u32,
    first_seen: Option<i64>,
    last_seen: Option<i64>,
}

struct Players {
    recent: BTreeMap<Who, Player>,
    /// Approximate.
    bytes: usize,
    held: usize,
    runs: Runs<PlayerEntry>,
}

impl Players {
    fn spill(&mut self) -> Result<(), WriteError> {
        self.bytes = 0;
        let recent = std::mem::take(&mut self.recent);
        self.runs.add(recent.len(), recent.into_iter().map(|(who, player)| PlayerEntry(who, player)))
    }

    fn gather(&mut self, batch: &Columns<'_>) -> Result<(), PlayersError> {
        let ids = batch.numbers::<UInt64Type>("game_id")?;
        let starts = batch.numbers::<TimestampMicrosecondType>("started_at")?;
        let (results, rated) = (batch.texts("result")?, batch.bools("rated")?);
        for (place, side) in ["gold", "silver"].into_iter().enumerate() {
            let column = |what: &str| format!("{side}_{what}");
            let names = batch.texts(side)?;
            let numbers = batch.numbers::<UInt64Type>(&column("id"))?;
            let (kinds, countries) = (batch.texts(&column("kind"))?, batch.texts(&column("country"))?);
            let ratings = batch.numbers::<Int32Type>(&column("rating"))?;
            let ks = batch.numbers::<Int32Type>(&column("k"))?;
            for row in 0..batch.rows() {
                let name = names.value(row);
                let who = match stored_value(numbers, row) {
                    Some(number) => Who::Numbered(number),
                    None => Who::Named(name.to_owned()),
                };
                if self.bytes > self.held {
                    self.spill()?;
                }
                let player = self.recent.entry(who).or_insert_with(|| {
                    self.bytes += ENTRY_BYTES + name.len();
                    Player::default()
                });
                let start = stored_value(starts, row);
                let when = (start, ids.value(row));
                player.name.see(when, || name.to_owned());
                if !player.names.contains(name) {
                    self.bytes += NAME_BYTES + name.len();
                    player.names.insert(name.to_owned());
                }
                if let Some(kind) = stored_text(kinds, row) {
                    player.kind.see(when, || if kind == "bot" { PlayerKind::Bot } else { PlayerKind::Human });
                }
                if let Some(country) = stored_text(countries, row) {
                    player.country.see(when, || country.to_owned());
                }
                if let Some(rating) = stored_value(ratings, row) {
                    player.rating.see(when, || (rating, stored_value(ks, row)));
                }
                player.games[place] += 1;
                match results.value(row) {
                    "draw" => player.draws += 1,
                    "unknown" => {}
                    winner if winner == side => player.wins += 1,
                    _ => player.losses += 1,
                }
                player.rated += u32::from(rated.is_valid(row) && rated.value(row));
                player.first_seen = player.first_seen.into_iter().chain(start).min();
                player.last_seen = player.last_seen.max(start);
            }
        }
        Ok(())
    }
}

/// Approximate memory per player, without names.
const ENTRY_BYTES: usize = 2 * size_of::<(Who, Player)>();
/// Approximate memory per name, without text.
const NAME_BYTES: usize = 2 * size_of::<String>();

/// A player in a run.
struct PlayerEntry(Who, Player);

impl Record for PlayerEntry {
    type Key = Who;
    const PLACES: u64 = 0;

    fn key(&self) -> &Who {
        &self.0
    }

    fn write(&self, out: &mut impl Write) -> io::Result<u64> {
        let text = serde_json::to_vec(&(&self.0, &self.1))?;
        out.write_all(&(text.len() as u64).to_le_bytes())?;
        out.write_all(&text)?;
        Ok((size_of::<u64>() + text.len()) as u64)
    }

    fn read(from: &mut impl Read) -> io::Result<Option<PlayerEntry>> {
        let Some(length) = number(from)? else { return Ok(None) };
        let mut text = Vec::new();
        from.take(length).read_to_end(&mut text)?;
        let (who, player) = serde_json::from_slice(&text)?;
        Ok(Some(PlayerEntry(who, player)))
    }

    fn join(&mut self, PlayerEntry(_, later): PlayerEntry) {
        self.1.join(later);
    }
}

impl Player {
    /// Merges later games.
    fn join(&mut self, later: Player) {
        self.name.join(later.name);
        self.names.extend(later.names);
        self.kind.join(later.kind);
        self.country.join(later.country);
        self.rating.join(later.rating);
        for (sum, count) in self.games.iter_mut().zip(later.games) {
            *sum += count;
        }
        self.wins += later.wins;
        self.losses += later.losses;
        self.draws += later.draws;
        self.rated += later.rated;
        self.first_seen = self.first_seen.into_iter().chain(later.first_seen).min();
        self.last_seen = self.last_seen.max(later.last_seen);
    }

    fn append(&self, who: &Who, rows: &mut PlayerRows) {
        let name = self.name.get().map_or("", String::as_str);
        rows.player_id.push(match who {
            Who::Numbered(number) => Some(*number),
            Who::Named(_) => None,
        });
        rows.name.push(name);
        rows.other_names.push(self.names.iter().filter(|other| *other != name));
        rows.kind.push(self.kind.get().map(|kind| kind.word()));
        rows.country.push(self.country.get().map(String::as_str));
        rows.games.push(self.games[0] + self.games[1]);
        rows.games_gold.push(self.games[0]);
        rows.games_silver.push(self.games[1]);
        rows.wins.push(self.wins);
        rows.losses.push(self.losses);
        rows.draws.push(self.draws);
        rows.rated_games.push(self.rated);
        rows.first_seen.push(self.first_seen);
        rows.last_seen.push(self.last_seen);
        rows.last_rating.push(self.rating.get().map(|(rating, _)| *rating));
        rows.last_k.push(self.rating.get().and_then(|(_, k)| *k));
    }
}
