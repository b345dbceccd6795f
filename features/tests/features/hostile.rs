//! Stored games that are damaged, lack something or contradict each other: each an error that names the file and the place.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals_features::{Dataset, FeatureError, Filter, collect};
use annals_ingest::run::{Options as Ingest, ingest};
use annals_ingest::tables::{GameRows, TurnRows};
use arrow::array::{ArrayRef, AsArray as _, BooleanArray, Int64Array, RecordBatch, StringArray, UInt64Array};
use arrow::compute::{cast, concat_batches, filter_record_batch};
use arrow::datatypes::{DataType, Field, Schema, UInt64Type};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::shared::grown;
use crate::stored::tables;

/// The two tables of a small dataset, to be changed and written again.
struct Tables {
    folder: tempfile::TempDir,
    games: RecordBatch,
    turns: RecordBatch,
}

fn read(path: &Path) -> RecordBatch {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let batches: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
    concat_batches(&batches[0].schema(), &batches).unwrap()
}

impl Tables {
    fn new() -> Tables {
        let folder = tempfile::tempdir().unwrap();
        let dataset = folder.path().join("dataset");
        ingest(&Ingest::new(&dataset, [grown(folder.path(), 6, 8)]), &()).unwrap();
        let files = tables(&dataset);
        let of = |name: &str| -> Vec<RecordBatch> {
            files.iter().filter(|path| path.starts_with(dataset.join(name))).map(|path| read(path)).collect()
        };
        let (games, turns) = (of("games"), of("turns"));
        let turns = concat_batches(&turns[0].schema(), &turns).unwrap();
        Tables { folder, games: games[0].clone(), turns }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes both tables and reads them.
    fn collect(&self, games: &RecordBatch, turns: &RecordBatch) -> Result<Dataset, FeatureError> {
        let files = [self.path("games.parquet"), self.path("turns.parquet")];
        for (path, batch) in files.iter().zip([games, turns]) {
            let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
            writer.write(batch).unwrap();
            writer.close().unwrap();
        }
        collect(&files, &Filter::everything(), 2)
    }

    fn error(&self, games: &RecordBatch, turns: &RecordBatch) -> String {
        self.collect(games, turns).unwrap_err().to_string()
    }
}

/// A batch with another column in the place of one.
fn with(batch: &RecordBatch, name: &str, column: ArrayRef) -> RecordBatch {
    let schema = batch.schema();
    let fields = schema.fields().iter().map(|field| match field.name() == name {
        true => Arc::new(Field::new(name, column.data_type().clone(), true)),
        false => Arc::clone(field),
    });
    let schema = Schema::new(fields.collect::<Vec<_>>());
    let place = schema.index_of(name).unwrap();
    let mut columns = batch.columns().to_vec();
    columns[place] = column;
    RecordBatch::try_new(Arc::new(schema), columns).unwrap()
}

fn without(batch: &RecordBatch, name: &str) -> RecordBatch {
    let keep: Vec<usize> =
        (0..batch.num_columns()).filter(|place| batch.schema().field(*place).name() != name).collect();
    batch.project(&keep).unwrap()
}

fn text(batch: &RecordBatch, name: &str) -> Vec<Option<String>> {
    let column = cast(batch.column_by_name(name).unwrap(), &DataType::Utf8).unwrap();
    column.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
}

/// A batch with one text in the place of another.
fn texted(batch: &RecordBatch, name: &str, row: usize, value: Option<&str>) -> RecordBatch {
    let mut texts = text(batch, name);
    texts[row] = value.map(str::to_owned);
    with(batch, name, Arc::new(StringArray::from(texts)))
}

fn numbers(batch: &RecordBatch, name: &str) -> Vec<u64> {
    let column = cast(batch.column_by_name(name).unwrap(), &DataType::UInt64).unwrap();
    column.as_primitive::<UInt64Type>().values().to_vec()
}

fn numbered(batch: &RecordBatch, name: &str, row: usize, value: u64) -> RecordBatch {
    let mut values = numbers(batch, name);
    values[row] = value;
    with(batch, name, Arc::new(UInt64Array::from(values)))
}

/// A batch without a row.
fn less(batch: &RecordBatch, row: usize) -> RecordBatch {
    let keep: BooleanArray = (0..batch.num_rows()).map(|place| Some(place != row)).collect();
    filter_record_batch(batch, &keep).unwrap()
}

#[test]
fn other_programs_write_the_same_values_in_other_types() {
    let tables = Tables::new();
    let whole = tables.collect(&tables.games, &tables.turns).unwrap();
    let retyped = |batch: &RecordBatch| {
        batch.schema().fields().iter().fold(batch.clone(), |batch, field| {
            let to = match field.data_type() {
                number if number.is_unsigned_integer() => DataType::Int64,
                DataType::Dictionary(..) => DataType::LargeUtf8,
                DataType::Utf8 => DataType::Utf8View,
                _ => return batch,
            };
            // Hashes have all 64 bits.
            match cast(batch.column_by_name(field.name()).unwrap(), &to) {
                Ok(column) if column.null_count() == 0 => with(&batch, field.name(), column),
                _ => batch,
            }
        })
    };
    let again = tables.collect(&retyped(&tables.games), &retyped(&tables.turns)).unwrap();
    assert_eq!((whole.digest, whole.len()), (again.digest, again.len()));
    // Neither the order of the turns nor that of the games in their files is told by more than their columns.
    let backwards = |batch: &RecordBatch| {
        let rows: UInt64Array = (0..batch.num_rows() as u64).rev().collect();
        arrow::compute::take_record_batch(batch, &rows).unwrap()
    };
    let again = tables.collect(&backwards(&tables.games), &backwards(&tables.turns)).unwrap();
    assert_eq!(whole.digest, again.digest);
}

#[test]
fn a_column_that_is_missing_or_of_another_type_is_named_with_its_file() {
    let tables = Tables::new();
    let Tables { games, turns, .. } = &tables;
    for (name, says) in [
        (GameRows::plies, "games.parquet` has no column `plies`, which the table `games` has"),
        (GameRows::ending_check, "games.parquet` has no column `ending_check`"),
        (
            GameRows::result,
            "games.parquet` is neither a table of games nor one of turns: it has no column `result`",
        ),
    ] {
        let error = tables.error(&without(games, name), turns);
        assert!(error.contains(says), "{error}");
    }
    let error = tables.error(games, &without(turns, TurnRows::side));
    assert!(error.contains("turns.parquet` has no column `side`, which the table `turns` has"), "{error}");
    let words: ArrayRef = Arc::new(StringArray::from(vec!["x"; games.num_rows()]));
    let error = tables.error(&with(games, GameRows::plies, words), turns);
    assert!(error.contains("games.parquet`: the column `plies` holds Utf8; expected UINTEGER"), "{error}");
    let ones: ArrayRef = Arc::new(Int64Array::from(vec![1; turns.num_rows()]));
    let error = tables.error(games, &with(turns, TurnRows::steps, ones));
    assert!(error.contains("turns.parquet`: the column `steps` holds Int64; expected VARCHAR"), "{error}");
}

#[test]
fn a_value_that_no_record_has_is_named_with_its_row() {
    let tables = Tables::new();
    let Tables { games, turns, .. } = &tables;
    for (changed, says) in [
        (texted(games, GameRows::result, 1, Some("both")), "row 2: the column `result` says `both`"),
        (
            texted(games, GameRows::termination, 0, Some("tired")),
            "row 1: the column `termination` says `tired`",
        ),
        (texted(games, GameRows::game, 2, Some("chess")), "row 3: the column `game` says `chess`"),
        (texted(games, GameRows::gold_kind, 0, Some("cat")), "row 1: the column `gold_kind` says `cat`"),
        (texted(games, GameRows::gold, 3, None), "row 4: the column `gold` is empty"),
        (numbered(games, GameRows::plies, 1, 1 << 40), "row 2: the column `plies` is too large"),
    ] {
        let error = tables.error(&changed, turns);
        assert!(error.contains("games.parquet`, ") && error.contains(says), "{says}: {error}");
    }
    let mut plies: Vec<i64> = numbers(games, GameRows::plies).iter().map(|n| n.cast_signed()).collect();
    plies[2] = -1;
    let error = tables.error(&with(games, GameRows::plies, Arc::new(Int64Array::from(plies))), turns);
    assert!(error.contains("row 3: the column `plies` cannot be read"), "{error}");
    for (changed, says) in [
        (
            texted(turns, TurnRows::side, 6, Some("red")),
            "row 7: the column `side` says `red`, which is no side",
        ),
        (texted(turns, TurnRows::steps, 4, None), "row 5: the column `steps` is empty"),
        (numbered(turns, TurnRows::number, 4, 1 << 33), "row 5: the column `number` is too large"),
    ] {
        let error = tables.error(games, &changed);
        assert!(error.contains("turns.parquet`, ") && error.contains(says), "{says}: {error}");
    }
}

#[test]
fn tables_that_contradict_each_other_are_told_with_the_game() {
    let tables = Tables::new();
    let Tables { games, turns, .. } = &tables;
    let (ids, plies) = (numbers(games, GameRows::game_id), numbers(games, GameRows::plies));
    let (id, first) = (ids[0], plies[0] as usize);

    let error = tables.error(&numbered(games, GameRows::game_id, 1, id), turns);
    assert!(error.contains(&format!("row 2: game {id} stands in the table a second time")), "{error}");
    let error = tables.error(&numbered(games, GameRows::plies, 0, plies[0] + 1), turns);
    assert!(
        error.contains(&format!(
            "row 1: game {id} has {} plies here, and the table `turns` has no row",
            first + 1
        )),
        "{error}"
    );
    let error = tables.error(&numbered(games, GameRows::plies, 0, plies[0] - 1), turns);
    assert!(
        error.contains(&format!(
            "row {first}: game {id} has a turn of ply {first} here, and {} plies",
            first - 1
        )),
        "{error}"
    );
    let error = tables.error(games, &less(turns, 2));
    assert!(
        error.contains(&format!("row 1: game {id} has {first} plies here"))
            && error.contains("no row of its ply 3"),
        "{error}"
    );
    let error = tables.error(games, &numbered(turns, TurnRows::ply, 3, 3));
    assert!(error.contains(&format!("row 4: game {id} has its ply 3 here a second time")), "{error}");
    // A game of which no turns could be played is left out; one that is said to be whole is held against the rules.
    let error = tables.error(games, &texted(turns, TurnRows::steps, 3, Some("Ra1s")));
    assert!(
        error.contains(&format!(
            "turns.parquet`, row 4: game {id} has a turn that the rules refuse, ply 4 `Ra1s`: "
        )),
        "{error}"
    );
    let error = tables.error(games, &texted(turns, TurnRows::side, 2, Some("silver")));
    assert!(error.contains(&format!("row 3: game {id} has a turn that the rules refuse")), "{error}");
    for changed in
        [texted(games, GameRows::start, 0, Some("nowhere")), texted(games, GameRows::start, 0, Some(""))]
    {
        let error = tables.error(&changed, turns);
        assert!(error.contains(&format!("games.parquet`, row 1: game {id} cannot begin: ")), "{error}");
    }
}

#[test]
fn a_file_that_is_cut_off_or_overwritten_is_an_error_and_never_a_panic() {
    let tables = Tables::new();
    let whole = tables.collect(&tables.games, &tables.turns).unwrap();
    let files = [tables.path("games.parquet"), tables.path("turns.parquet")];
    for path in &files {
        let bytes = fs::read(path).unwrap();
        for length in [0, 3, 8, 100, bytes.len() / 2, bytes.len() - 9, bytes.len() - 1] {
            fs::write(path, &bytes[..length]).unwrap();
            let error = collect(&files, &Filter::everything(), 1).unwrap_err().to_string();
            assert!(
                error.contains(&format!("{}` is not a valid Parquet file", path.display())),
                "{length}: {error}"
            );
        }
        // Bytes here and there: what is read is the same, or an error of the tables, but no thread dies.
        for place in (4..bytes.len()).step_by(bytes.len() / 150 + 1) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x5a;
            fs::write(path, &damaged).unwrap();
            match collect(&files, &Filter::everything(), 1) {
                Ok(_) | Err(FeatureError::Stored(_) | FeatureError::Empty { .. }) => {}
                Err(error) => panic!("byte {place} of {}: {error}", path.display()),
            }
        }
        fs::write(path, &bytes).unwrap();
    }
    assert_eq!(collect(&files, &Filter::everything(), 2).unwrap().digest, whole.digest);
    let missing = [files[0].clone(), tables.path("none.parquet")];
    let error = collect(&missing, &Filter::everything(), 1).unwrap_err().to_string();
    assert!(error.contains("none.parquet` cannot be read: "), "{error}");
}

#[test]
fn a_dataset_whose_files_are_not_as_its_manifest_lists_them_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("dataset");
    ingest(&Ingest::new(&dataset, [grown(folder.path(), 3, 8)]), &()).unwrap();
    let path = tables(&dataset).pop().unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let error = collect(&[dataset], &Filter::everything(), 1).unwrap_err().to_string();
    assert!(error.contains("bytes instead of") && error.contains(&path.display().to_string()), "{error}");
}
