//! Archives to make tables of: grown ones, the real files where they are at hand, and records made up row by row.

use std::fs::File;
use std::path::{Path, PathBuf};

use annals_features::{Dataset, Filter, Format, Target, collect};
use annals_ingest::grow::{GrowOptions, GrowSize, grow};
use annals_ingest::row::Column;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn named(variable: &str, otherwise: &str) -> PathBuf {
    root().join(std::env::var_os(variable).map_or_else(|| PathBuf::from(otherwise), PathBuf::from))
}

/// A shared file; where it is missing this is said, and under `CI=true` it is a failure.
fn there(path: PathBuf, variable: &str) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!ci, "{} is missing; set {variable}", path.display());
    eprintln!("skipped: {} is missing; set {variable}", path.display());
    None
}

/// A file for a table, which may exist.
pub fn to(path: &Path, format: Format, uncompressed: bool) -> Target<'_> {
    Target { path, format, uncompressed, force: true, metadata: &[] }
}

/// The two real archive files.
pub fn real() -> Option<Vec<PathBuf>> {
    ["allgames2002.txt", "allgames202602.txt"]
        .into_iter()
        .map(|name| there(named("ANNALS_ARCHIVE", "../shared/data/archive").join(name), "ANNALS_ARCHIVE"))
        .collect()
}

/// A program that computes the same in Python.
pub fn oracle(name: &str) -> Option<PathBuf> {
    there(named("ANNALS_ORACLES", "../shared/oracles").join(name), "ANNALS_ORACLES")
}

/// Grows an archive of so many games in a folder.
pub fn grown(folder: &Path, games: u64, seed: u64) -> PathBuf {
    let path = folder.join(format!("grown_{games}_{seed}.txt"));
    let options = GrowOptions { size: GrowSize::Games(games), seed, ..GrowOptions::default() };
    grow(&[], &mut File::create(&path).unwrap(), &options).unwrap();
    path
}

pub const SETUPS: &str = "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
                          1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

/// A record of which most is always the same: two people, 1900 and 2000, Gold won by goal.
#[derive(Clone)]
pub struct Record {
    fields: Vec<String>,
}

impl Record {
    pub fn new(id: u64, moves: &str) -> Record {
        let mut record = Record { fields: vec![String::new(); Column::ALL.len()] };
        for (column, text) in [
            (Column::GoldName, "anna"),
            (Column::SilverName, "bela"),
            (Column::GoldRating, "1900"),
            (Column::SilverRating, "2000"),
            (Column::GoldKind, "h"),
            (Column::SilverKind, "h"),
            (Column::StartTs, "1769941051"),
            (Column::EndTs, "1769942363"),
            (Column::Result, "w"),
            (Column::Termination, "g"),
            (Column::Rated, "1"),
            (Column::Corrupt, "0"),
            (Column::Postal, "0"),
            (Column::Movelist, moves),
        ] {
            record = record.with(column, text);
        }
        record.with(Column::Id, &id.to_string())
    }

    pub fn with(mut self, column: Column, text: &str) -> Record {
        self.fields[column as usize] = text.to_owned();
        self
    }
}

/// Writes records as an archive file.
pub fn archive(folder: &Path, name: &str, records: &[Record]) -> PathBuf {
    let mut text = Column::ALL.map(Column::name).join("\t") + "\n";
    for record in records {
        text += &(record.fields.join("\t") + "\n");
    }
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The table of one file.
pub fn of(path: &Path, filter: &Filter) -> Dataset {
    collect(&[path.to_owned()], filter, 2).unwrap()
}
