//! The table of players: everybody who stands in a stored game, with what their games say of them. It is made from all
//! stored `games`, so its bytes depend on the set of games alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use arrow::array::Array;
use arrow::datatypes::{Int32Type, TimestampMicrosecondType, UInt64Type};

use crate::tables::PlayerRows;
use crate::write::{
    Columns, Encoder, Quota, StagedFile, StoredFile, StoredFileError, TableFile, WriteError, stored_text,
    stored_value,
};

/// Why the table could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PlayersError {
    /// A stored file cannot be read.
    #[error(transparent)]
    Stored(#[from] StoredFileError),
    /// The table cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Makes the table at `path` from the files of `games`; none where there is no game.
///
/// # Errors
/// When a stored file cannot be read, or the disk refuses.
pub fn build(games: &[PathBuf], path: &Path, quota: &Quota) -> Result<Option<StagedFile>, PlayersError> {
    let mut players: BTreeMap<Who, Player> = BTreeMap::new();
    for file in games {
        StoredFile::open(file)?.each_batch(&COLUMNS, |batch| gather(&mut players, batch))?;
    }
    let mut rows = PlayerRows::default();
    for (who, player) in &players {
        player.append(who, &mut rows);
    }
    let encoder = Encoder::<PlayerRows>::new()?;
    let Some(group) = encoder.encode(&mut rows)? else { return Ok(None) };
    let mut file = TableFile::create(path, &encoder, quota)?;
    file.append(group)?;
    Ok(Some(file.finish()?))
}

const COLUMNS: [&str; 16] = [
    "game_id", "started_at", "result", "rated", "gold", "gold_id", "gold_kind", "gold_country",
    "gold_rating", "gold_k", "silver", "silver_id", "silver_kind", "silver_country", "silver_rating",
    "silver_k",
];

/// A player: by number, or by name where there is none. Those with a number come first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Numbered(u64),
    Named(String),
}

/// When a game was: by its start, then by its number. Games without a start are the earliest.
type When = (Option<i64>, u64);

/// A value with the game that says so; of two the later game is believed.
#[derive(Debug, Clone)]
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
}

#[derive(Debug, Default)]
struct Player {
    name: Latest<String>,
    names: BTreeSet<String>,
    kind: Latest<&'static str>,
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

fn gather(players: &mut BTreeMap<Who, Player>, batch: &Columns<'_>) -> Result<(), PlayersError> {
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
            let player = players.entry(who).or_default();
            let start = stored_value(starts, row);
            let when = (start, ids.value(row));
            player.name.see(when, || name.to_owned());
            if !player.names.contains(name) {
                player.names.insert(name.to_owned());
            }
            if let Some(kind) = stored_text(kinds, row) {
                player.kind.see(when, || if kind == "bot" { "bot" } else { "human" });
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

impl Player {
    fn append(&self, who: &Who, rows: &mut PlayerRows) {
        let name = self.name.get().map_or("", String::as_str);
        rows.player_id.push(match who {
            Who::Numbered(number) => Some(*number),
            Who::Named(_) => None,
        });
        rows.name.push(name);
        rows.other_names.push(self.names.iter().filter(|other| *other != name));
        rows.kind.push(self.kind.get().copied());
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
