//! A year of the archive as it may come one day: other columns, other orders, letters and lines that nobody knows. Whatever
//! changes, every row is accounted for, and everything unknown shows in the summary.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use annals_ingest::row::Column;

use crate::dataset::{store, table};
use crate::fixture::{archive, cases, write};

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % count
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }
}

/// A text, and what its summary has to say.
#[derive(Default)]
struct Year {
    text: String,
    rows: u64,
    rejected: BTreeMap<String, u64>,
    unknown: BTreeMap<String, BTreeMap<String, u64>>,
    other_columns: Vec<String>,
    missing_columns: Vec<String>,
    /// Rows with a move that no piece can make.
    odd_moves: u64,
}

impl Year {
    fn expect(&mut self, column: Column, value: &str) {
        let values = self.unknown.entry(column.name().to_owned()).or_default();
        *values.entry(value.to_owned()).or_default() += 1;
    }

    /// Some rows of a real file in a format that has changed.
    fn of(rows: &[&str], random: &mut Random) -> Year {
        let mut year = Year::default();
        let dropped = if random.one_in(2) { 0 } else { random.below(4) };
        let optional: Vec<Column> = Column::ALL.into_iter().filter(|column| column.is_optional()).collect();
        let dropped: Vec<Column> = (0..dropped).map(|_| random.pick(&optional)).collect();
        year.missing_columns =
            Column::ALL.iter().filter(|c| dropped.contains(c)).map(|c| c.name().to_owned()).collect();
        let mut order: Vec<Result<Column, &str>> =
            Column::ALL.into_iter().filter(|column| !dropped.contains(column)).map(Ok).collect();
        for name in ["ping", "wcountry2", "Id", "évaluation"] {
            if random.one_in(2) {
                order.insert(random.below(order.len() + 1), Err(name));
            }
        }
        if random.one_in(2) {
            for i in (1..order.len()).rev() {
                order.swap(i, random.below(i + 1));
            }
        }
        year.other_columns = order.iter().filter_map(|column| column.err()).map(str::to_owned).collect();
        let header: Vec<&str> =
            order.iter().map(|column| column.map_or_else(|name| name, Column::name)).collect();
        year.text = header.join("\t") + "\n";
        for row in rows {
            year.row(row, &order, random);
        }
        year
    }

    fn row(&mut self, row: &str, order: &[Result<Column, &str>], random: &mut Random) {
        let mut fields: Vec<String> = row.split('\t').map(str::to_owned).collect();
        let mut unknown: Vec<(Column, &str)> = Vec::new();
        let (mut odd_moves, mut reject) = (false, None);
        for _ in 0..random.below(3) {
            let (column, value) = match random.below(8) {
                0 => (Column::Termination, random.pick(&["z", "timeout", "9"])),
                1 => (Column::Result, random.pick(&["x", "?"])),
                2 => (Column::GoldKind, "r"),
                3 => (Column::Rated, random.pick(&["2", "yes"])),
                4 => (Column::Postal, "-"),
                5 => (Column::Events, random.pick(&["w player teleported", "chess clock paused"])),
                6 => {
                    odd_moves = true;
                    continue;
                }
                _ => {
                    reject = Some(random.pick(&["column_count", "unreadable_id", "repeated_header"]));
                    continue;
                }
            };
            if !unknown.iter().any(|(before, _)| *before == column) {
                unknown.push((column, value));
            }
        }
        for (column, value) in &unknown {
            let field = &mut fields[*column as usize];
            match column {
                Column::Events if field.is_empty() || field == "NULL" => {
                    *field = format!("1769941065 [Sun Feb  1 10:17:45 2026] {value}");
                }
                Column::Events => *field += &format!("\\n1769941065 [Sun Feb  1 10:17:45 2026] {value}"),
                _ => *field = (*value).to_owned(),
            }
        }
        if odd_moves {
            let moves = &mut fields[Column::Movelist as usize];
            *moves = moves.replacen("\\n2w ", "\\n2w Ze4n ", 1);
            odd_moves = moves.contains("Ze4n");
        }
        if reject == Some("unreadable_id") {
            fields[Column::Id as usize] = "game one".to_owned();
        }
        let placed = |column: &Result<Column, &str>| column.map_or("new", |c| fields[c as usize].as_str());
        let mut line: Vec<&str> = order.iter().map(placed).collect();
        match reject {
            Some("column_count") => drop(line.pop()),
            Some("repeated_header") => {
                line = self.text.lines().next().unwrap_or_default().split('\t').collect();
            }
            _ => {}
        }
        let line = line.join("\t") + "\n";
        self.text += &line;
        self.rows += 1;
        match reject {
            Some(reason) => *self.rejected.entry(reason.to_owned()).or_default() += 1,
            None => {
                let stands = |column: &Column| order.contains(&Ok(*column));
                unknown.iter().filter(|(c, _)| stands(c)).for_each(|(c, value)| self.expect(*c, value));
                self.odd_moves += u64::from(odd_moves);
            }
        }
    }
}

fn check(year: &Year, folder: &Path, which: &str) {
    let source = write(folder, "year.txt", year.text.as_bytes());
    let dataset = folder.join("data");
    let summary = store(&dataset, &[&source]).unwrap();
    let (counts, of_source) = (summary.counts, &summary.sources[0]);
    assert_eq!(counts.rows, year.rows, "{which}");
    assert_eq!(counts.accepted + counts.flagged + counts.rejected, counts.rows, "{which}");
    assert_eq!(summary.reasons, year.rejected, "{which}");
    assert_eq!(summary.unknown, year.unknown, "{which}");
    assert_eq!(of_source.other_columns, year.other_columns, "{which}");
    assert_eq!(of_source.missing_columns, year.missing_columns, "{which}");
    let illegal = summary.flags.get("illegal-turn").copied().unwrap_or(0);
    assert!(illegal >= year.odd_moves, "{which}: {illegal} of {}", year.odd_moves);
    assert_eq!(table(&dataset, "games").rows() as u64, counts.accepted + counts.flagged, "{which}");
    assert_eq!(table(&dataset, "rejects").rows() as u64, counts.rejected, "{which}");
    let clean = year.unknown.is_empty() && year.other_columns.is_empty() && year.missing_columns.is_empty();
    assert!(clean || !summary.is_clean(), "{which}");
}

#[test]
fn whatever_changes_in_a_years_file_every_row_and_everything_unknown_is_accounted_for() {
    let Some(archive) = archive() else { return };
    let mut met = BTreeSet::new();
    for name in ["allgames2002.txt", "allgames202602.txt"] {
        let text = std::fs::read(archive.join(name)).unwrap();
        let text = String::from_utf8_lossy(&text);
        // Short rows without a server log or with one, so that many cases take little time.
        let rows: Vec<&str> = text.lines().skip(1).filter(|row| row.len() < 9_000).take(40).collect();
        assert!(rows.len() > 20, "{name}");
        for case in 0..u64::from(cases(12)) {
            let mut random = Random(case * 77 + rows.len() as u64);
            let folder = tempfile::tempdir().unwrap();
            let year = Year::of(&rows, &mut random);
            check(&year, folder.path(), &format!("{name}, case {case}"));
            met.extend(year.unknown.into_keys());
            met.extend(year.rejected.into_keys());
            met.extend(year.other_columns);
            met.extend((year.odd_moves > 0).then(|| "odd moves".to_owned()));
            met.extend((!year.missing_columns.is_empty()).then(|| "missing".to_owned()));
        }
    }
    // Every kind of change came up: six columns of unknown values, three reasons, four other columns, and two more.
    assert_eq!(met.len(), 15, "{met:?}");
}

#[test]
fn the_real_files_hold_nothing_unknown() {
    let Some(archive) = archive() else { return };
    let folder = tempfile::tempdir().unwrap();
    let summary = store(&folder.path().join("data"), &[&archive]).unwrap();
    assert_eq!(summary.unknown, BTreeMap::new());
    assert!(summary.sources.iter().all(|source| source.has_only_known_columns()));
}
