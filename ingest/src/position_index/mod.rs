//! The index of positions of one year, sorted by key. It is made from that year's `turns` and `games` alone, so that
//! its bytes depend on the set of games only. Memory is bounded: keys are divided into ranges, with several passes if
//! needed; games above a budget are spilled.

mod merge;

use std::path::Path;

use arrow::datatypes::{Int16Type, Int32Type, UInt8Type, UInt32Type, UInt64Type};
use rayon::prelude::*;

use crate::location;
use crate::run::limits::Limits;
use crate::spill::{NumberedMap, Value};
use crate::tables::LookupRows;
use crate::write::{
    Encoder, RowGroup, StagedFile, StoredFile, StoredFileError, TableFile, WriteError, stored_value,
};

pub use merge::merge;

/// Target rows per key range, and so per row group.
const RANGE_ROWS: u64 = 100_000;

/// The input of a year's index.
#[derive(Debug, Clone)]
pub struct YearFiles {
    pub year: i16,
    pub turns: Vec<location::TableFile>,
    /// Of the same sources.
    pub games: Vec<location::TableFile>,
}

#[derive(Debug, thiserror::Error)]
pub enum PositionIndexError {
    #[error(transparent)]
    Stored(#[from] StoredFileError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("asked to stop")]
    Stopped,
}

/// Makes a year's index at `path`; none without turns. `limits` bounds memory, `stop` is polled, temporary files go to
/// the folder of `path`.
///
/// # Errors
/// If a stored file cannot be read, or the disk fails.
pub fn build(
    files: &YearFiles,
    path: &Path,
    limits: &Limits,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<StagedFile>, PositionIndexError> {
    let games = games(files, path.parent().unwrap_or(Path::new(".")), limits.held_bytes)?;
    let turns: Vec<StoredFile> = files.turns.iter().map(StoredFile::open).collect::<Result<_, _>>()?;
    let rows: u64 = turns.iter().map(StoredFile::rows).sum();
    if rows == 0 {
        return Ok(None);
    }
    let groups: Vec<(&StoredFile, usize)> =
        turns.iter().flat_map(|file| (0..file.row_groups()).map(move |group| (file, group))).collect();
    let ranges = KeyRanges::new(rows);
    let encoder = Encoder::<LookupRows>::new()?;
    let mut file = TableFile::create(path, &encoder)?;
    let window = rayon::current_num_threads().max(1) * 2;
    for pass in ranges.passes(rows, limits.index_rows) {
        let read = |(file, group): &(&StoredFile, usize)| match stop() {
            true => Err(PositionIndexError::Stopped),
            false => Chunk::read(file, *group, &games, &ranges, pass.clone()),
        };
        let mut chunks: Vec<Chunk> = groups.par_iter().map(read).collect::<Result<_, _>>()?;
        for range in pass.clone().step_by(window) {
            if stop() {
                return Err(PositionIndexError::Stopped);
            }
            let upto = (range + window).min(pass.end);
            // The rows of each range, removed from the chunks so that they are freed after writing.
            let mut taken: Vec<Vec<Row>> = (range..upto).map(|_| Vec::new()).collect();
            for (number, chunk) in (0..).zip(&mut chunks) {
                for (rows, range) in taken.iter_mut().zip(range..upto) {
                    let mut of_chunk = std::mem::take(&mut chunk.ranges[range - pass.start]);
                    of_chunk.iter_mut().for_each(|row| row.chunk = number);
                    rows.append(&mut of_chunk);
                }
            }
            let encode = |rows: Vec<Row>| encode(rows, &chunks, &encoder);
            let groups: Vec<Option<RowGroup>> =
                taken.into_par_iter().map(encode).collect::<Result<_, _>>()?;
            for group in groups.into_iter().flatten() {
                file.append(group)?;
            }
        }
    }
    Ok(Some(file.finish()?))
}

/// Indexed facts of a game.
#[derive(Clone, Copy)]
struct Facts {
    gold_rating: Option<i32>,
    silver_rating: Option<i32>,
    result: &'static str,
}

impl Value for Facts {
    type Bytes = [u8; 10];

    fn to_bytes(self) -> [u8; 10] {
        let mut bytes = [0; 10];
        let result = RESULTS.iter().position(|word| *word == self.result).unwrap_or_default();
        let known = u8::from(self.gold_rating.is_some()) | u8::from(self.silver_rating.is_some()) << 1;
        (bytes[0], bytes[1]) = (result as u8, known);
        bytes[2..6].copy_from_slice(&self.gold_rating.unwrap_or_default().to_le_bytes());
        bytes[6..].copy_from_slice(&self.silver_rating.unwrap_or_default().to_le_bytes());
        bytes
    }

    fn from_bytes(&[result, known, g0, g1, g2, g3, s0, s1, s2, s3]: &[u8; 10]) -> Facts {
        Facts {
            gold_rating: (known & 1 != 0).then_some(i32::from_le_bytes([g0, g1, g2, g3])),
            silver_rating: (known & 2 != 0).then_some(i32::from_le_bytes([s0, s1, s2, s3])),
            result: RESULTS.get(usize::from(result)).copied().unwrap_or(RESULTS[0]),
        }
    }
}

/// Results; the first is the fallback.
const RESULTS: [&str; 4] = ["unknown", "gold", "silver", "draw"];

fn games(files: &YearFiles, folder: &Path, held: usize) -> Result<NumberedMap<Facts>, PositionIndexError> {
    let mut games = NumberedMap::new(folder, held);
    for file in &files.games {
        let columns = ["game_id", "gold_rating", "silver_rating", "year", "result"];
        StoredFile::open(file)?.each_batch(&columns, |batch| {
            let (ids, years) = (batch.numbers::<UInt64Type>("game_id")?, batch.numbers::<Int16Type>("year")?);
            let gold = batch.numbers::<Int32Type>("gold_rating")?;
            let silver = batch.numbers::<Int32Type>("silver_rating")?;
            let results = batch.texts("result")?;
            for row in (0..batch.rows()).filter(|row| years.value(*row) == files.year) {
                let facts = Facts {
                    gold_rating: stored_value(gold, row),
                    silver_rating: stored_value(silver, row),
                    result: result_word(results.value(row)),
                };
                games.insert(ids.value(row), facts)?;
            }
            Ok::<_, PositionIndexError>(())
        })?;
    }
    Ok(games)
}

fn result_word(word: &str) -> &'static str {
    RESULTS.into_iter().find(|known| *known == word).unwrap_or(RESULTS[0])
}

/// Key ranges with about equal numbers of rows.
struct KeyRanges {
    /// The first key of each range after the first.
    bounds: Vec<u64>,
}

impl KeyRanges {
    /// A key is the smaller of two hashes, so small keys are more frequent: of uniform hashes, the part 1 − √(1 − q) of
    /// the keys has the part q of the rows.
    fn new(rows: u64) -> KeyRanges {
        let count = rows.div_ceil(RANGE_ROWS).max(1);
        let bound = |i: u64| {
            let part = 1.0 - (1.0 - i as f64 / count as f64).sqrt();
            (part * 2f64.powi(64)) as u64
        };
        KeyRanges { bounds: (1..count).map(bound).collect() }
    }

    fn of(&self, key: u64) -> usize {
        self.bounds.partition_point(|bound| *bound <= key)
    }

    /// The ranges of each pass.
    fn passes(&self, rows: u64, rows_held: u64) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let count = self.bounds.len() + 1;
        let at_a_time = (count as u64 * rows_held.max(1) / rows.max(1)).clamp(1, count as u64) as usize;
        (0..count).step_by(at_a_time).map(move |start| start..(start + at_a_time).min(count))
    }
}

#[derive(Clone, Copy)]
struct Row {
    key: u64,
    game: u64,
    facts: Facts,
    /// The ply, and in the highest bits whether a symmetric image was on the board, and by which symmetry.
    ply_flipped: u32,
    /// Chunk and offset of the next turn's text; length [`NO_NEXT`] is none.
    chunk: u32,
    start: u32,
    len: u32,
}

const FLIPPED: u32 = 1 << 31;
const SYMMETRIC: u32 = 1 << 30;
const SYMMETRY_FROM: u32 = 27;
/// Far above [`crate::run::MAX_TURNS`].
const PLY: u32 = (1 << SYMMETRY_FROM) - 1;
const NO_NEXT: u32 = u32::MAX;

impl Row {
    const fn ply(&self) -> u32 {
        self.ply_flipped & PLY
    }

    fn symmetry(&self) -> Option<u8> {
        (self.ply_flipped & SYMMETRIC != 0).then_some((self.ply_flipped >> SYMMETRY_FROM & 7) as u8)
    }
}

/// One row group's contribution to a pass: rows by range, and their turns' text.
struct Chunk {
    text: String,
    ranges: Vec<Vec<Row>>,
}

impl Chunk {
    fn read(
        file: &StoredFile,
        group: usize,
        games: &NumberedMap<Facts>,
        ranges: &KeyRanges,
        pass: std::ops::Range<usize>,
    ) -> Result<Chunk, PositionIndexError> {
        let batch = file.row_group(group, &["game_id", "ply", "steps", "key", "flipped", "symmetry"])?;
        let columns = file.columns(&batch);
        let ids = columns.numbers::<UInt64Type>("game_id")?;
        let plies = columns.numbers::<UInt32Type>("ply")?;
        let keys = columns.numbers::<UInt64Type>("key")?;
        let flipped = columns.bools("flipped")?;
        let symmetries = columns.numbers::<UInt8Type>("symmetry")?;
        let steps = columns.texts("steps")?;
        let mut chunk = Chunk { text: String::new(), ranges: vec![Vec::new(); pass.len()] };
        let mut last = (0, None);
        for row in 0..columns.rows() {
            let (id, key) = (ids.value(row), keys.value(row));
            let facts = match last {
                (game, Some(facts)) if game == id => facts,
                _ => match games.get(id)? {
                    Some(facts) => facts,
                    None => return Err(file.damaged(format!("its game {id} is not in `games`")).into()),
                },
            };
            last = (id, Some(facts));
            let range = ranges.of(key);
            if !pass.contains(&range) {
                continue;
            }
            let start = chunk.text.len() as u32;
            let goes_on = row + 1 < columns.rows() && ids.value(row + 1) == id;
            let len = if goes_on {
                chunk.text.push_str(steps.value(row + 1));
                chunk.text.len() as u32 - start
            } else {
                NO_NEXT
            };
            let symmetry = stored_value(symmetries, row)
                .map_or(0, |symmetry| SYMMETRIC | u32::from(symmetry & 7) << SYMMETRY_FROM);
            let ply = plies.value(row) & PLY;
            let ply_flipped = ply | symmetry | if flipped.value(row) { FLIPPED } else { 0 };
            chunk.ranges[range - pass.start].push(Row {
                key,
                game: id,
                facts,
                ply_flipped,
                chunk: 0,
                start,
                len,
            });
        }
        Ok(chunk)
    }

    fn next_turn(&self, row: &Row) -> Option<&str> {
        let start = row.start as usize;
        (row.len != NO_NEXT).then(|| &self.text[start..start + row.len as usize])
    }
}

/// Sorts and encodes a range.
fn encode(
    rows: Vec<Row>,
    chunks: &[Chunk],
    encoder: &Encoder<LookupRows>,
) -> Result<Option<RowGroup>, WriteError> {
    // Most keys are unique: sort keys first, then the few equal ones by row.
    let mut order: Vec<(u64, u32)> = rows.iter().zip(0..).map(|(row, place)| (row.key, place)).collect();
    order.sort_unstable_by_key(|(key, _)| *key);
    let row = |place: u32| &rows[place as usize];
    for same in order.chunk_by_mut(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        same.sort_unstable_by_key(|(_, place)| (row(*place).game, row(*place).ply()));
    }
    let mut out = LookupRows::default();
    for row in order.into_iter().map(|(_, place)| row(place)) {
        let Facts { gold_rating, silver_rating, result } = row.facts;
        out.key.push(row.key);
        out.flipped.push(row.ply_flipped & FLIPPED != 0);
        out.symmetry.push(row.symmetry());
        out.game_id.push(row.game);
        out.ply.push(row.ply());
        out.next_turn.push(chunks[row.chunk as usize].next_turn(row));
        out.result.push(result);
        out.gold_rating.push(gold_rating);
        out.silver_rating.push(silver_rating);
    }
    encoder.encode(&mut out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranges_of_keys_hold_about_equally_many_rows() {
        let ranges = KeyRanges::new(2_000_000);
        let mut counts = vec![0u32; ranges.bounds.len() + 1];
        assert_eq!(counts.len(), 20);
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state ^ state >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        for _ in 0..200_000 {
            counts[ranges.of(random().min(random()))] += 1;
        }
        assert!(counts.iter().all(|count| (9_000..11_000).contains(count)), "{counts:?}");
    }

    proptest! {
        #[test]
        fn every_range_is_in_exactly_one_pass(rows in 1u64..10_000_000, held in 1u64..5_000_000) {
            let ranges = KeyRanges::new(rows);
            let passes: Vec<_> = ranges.passes(rows, held).collect();
            let all: Vec<usize> = passes.iter().cloned().flatten().collect();
            prop_assert_eq!(all, (0..=ranges.bounds.len()).collect::<Vec<_>>());
            prop_assert!(ranges.bounds.is_sorted());
        }
    }
}
