//! The named numbers on positions where they can be counted by hand, and the modern planes.

use std::collections::BTreeMap;
use std::path::Path;

use annals_features::columns::named;
use annals_features::{Filter, Format, Options, modern, paper, write};
use annals_rules::arimaa::Position;
use arrow::array::{Array, AsArray as _};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::shared::{Record, SETUPS, archive, to};

/// The numbers of every row of a game: by column, the last position first.
fn numbers(folder: &Path, moves: &str) -> BTreeMap<String, Vec<i64>> {
    let file = archive(folder, "a.txt", &[Record::new(7, moves)]);
    let path = folder.join("t.parquet");
    let options =
        Options { filter: Filter::everything(), ..Options::new(named(&["scalars", "counts"]).unwrap()) };
    write(&[file], &options, &to(&path, Format::Parquet, false), &()).unwrap();
    columns_of(&path)
}

/// The numbers of every row of a Parquet table, by column.
pub fn columns_of(path: &Path) -> BTreeMap<String, Vec<i64>> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(path).unwrap());
    let mut all: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for batch in reader.unwrap().build().unwrap() {
        let batch = batch.unwrap();
        for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
            if field.data_type().is_integer() || *field.data_type() == DataType::Boolean {
                let column = cast(column, &DataType::Int64).unwrap();
                if column.null_count() > 0 {
                    continue;
                }
                let column = column.as_primitive::<Int64Type>();
                all.entry(field.name().clone()).or_default().extend(column.values());
            }
        }
    }
    all
}

#[test]
fn a_game_of_two_setups_and_a_turn_counts_as_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let table = numbers(folder.path(), &format!("{SETUPS}\\n2w Ee2n Ee3n Ee4n Ee5n"));
    let row = |name: &str| table[name].as_slice();
    // Rows: after Gold's elephant has run to e6 (Silver to move), after both setups (Gold), after Gold's setup.
    assert_eq!(row("height"), [0, 1, 2]);
    assert_eq!(row("ply"), [3, 2, 1]);
    assert_eq!(row("own_rabbits"), [8, 8, 0]);
    assert_eq!(row("opp_rabbits"), [8, 8, 8]);
    assert_eq!(row("material"), [0, 0, -(800 + 400 + 500 + 1_000 + 900 + 1_800)]);
    // Every piece of the second rank steps forward; nothing else can move.
    assert_eq!(row("own_first_steps")[1], 8);
    assert_eq!((row("own_mobile")[1], row("own_frozen")[1]), (8, 0));
    assert_eq!((row("own_goal_distance")[1], row("own_goal_distance")[2]), (7, 8));
    assert_eq!((row("own_goal_steps")[1], row("opp_goal_steps")[2]), (5, 5));
    assert_eq!((row("own_captures")[1], row("own_best_capture")[1]), (0, 0));
    // Traps c3 and f3: one own piece below each; c6 and f6: one enemy above each.
    let traps = ["trap_home_left", "trap_home_right", "trap_far_left", "trap_far_right"];
    assert_eq!(traps.map(|name| row(name)[1]), [1, 1, -1, -1]);
    // Seen by Silver: the elephant on e6 is on Silver's own side, at its left hand, beside the trap f6.
    assert_eq!(traps.map(|name| row(name)[0]), [0, 1, -1, -1]);
    assert_eq!(row("own_turns")[2], 0);
    assert!(row("own_turns")[1] > 1_000 && row("own_turns")[1] == row("opp_turns")[1]);
}

/// A position with Gold to move, from the eighth rank to the first.
fn position(ranks: &[&str; 8]) -> Position {
    format!("g [{}]", ranks.concat()).parse().unwrap()
}

#[test]
fn the_modern_planes_show_the_frozen_the_traps_and_who_holds_them() {
    // Silver's cat on d5 stands alone beside Gold's elephant on d4; a gold dog holds the trap c3 from c2.
    let position = position(&[
        "rrrrrrr.", "........", "........", "...c....", "...E....", "........", "..D.....", "RRRRRRRR",
    ]);
    let planes = modern::planes(&position, 3, 7);
    let count = |plane: usize| planes[plane * 64..][..64].iter().filter(|cell| **cell != 0).count();
    assert_eq!((count(12), count(13)), (0, 1), "the cat alone is frozen");
    let cat = planes[13 * 64..][..64].iter().position(|cell| *cell == 1);
    assert_eq!(cat, Some(3 * 8 + 3), "the fourth row from the far end, the fourth file");
    assert_eq!((count(15), count(16)), (1, 0));
    assert_eq!((count(0), count(6), count(14)), (8, 7, 4));
    assert!(planes[17 * 64..][..64].iter().all(|cell| *cell == 1), "Gold is to move");
    assert!(planes[18 * 64..][..64].iter().all(|cell| *cell == 3), "with three steps");
    assert!(planes[19 * 64..].iter().all(|cell| *cell == 2), "twice and more is twice");
}

#[test]
fn a_position_and_the_same_from_the_other_chair_have_the_same_planes() {
    let gold = position(&[
        "rrrr.rrr", "..hd.c..", "....m...", "........", "...eE...", "........", "..D.HCDM", "RRRRRRRR",
    ]);
    let silver = gold.rotated();
    assert_ne!(gold.to_move(), silver.to_move());
    assert_eq!(paper::planes(&gold), paper::planes(&silver));
    let (a, b) = (modern::planes(&gold, 4, 0), modern::planes(&silver, 4, 0));
    assert_eq!(a[..17 * 64], b[..17 * 64]);
    assert_eq!((a[17 * 64], b[17 * 64]), (1, 0));
}
