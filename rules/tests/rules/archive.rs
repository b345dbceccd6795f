//! A reader of the gameroom's archive that is just good enough for these tests: it trusts the 29 columns. The real
//! one, which trusts nothing, lives in the ingesting crate.

use std::collections::HashMap;

use annals_events::{GameKind, PlayerAtStart, Side, Started, Termination};

use crate::vectors;

/// One row, by column name.
pub struct Row {
    columns: HashMap<&'static str, String>,
}

const COLUMNS: [&str; 29] = [
    "id", "wplayerid", "bplayerid", "wusername", "busername", "wtitle", "btitle", "wcountry", "bcountry",
    "wrating", "brating", "wratingk", "bratingk", "wtype", "btype", "event", "site", "timecontrol", "postal",
    "startts", "endts", "result", "termination", "plycount", "mode", "rated", "corrupt", "movelist",
    "events",
];

impl Row {
    pub fn text(&self, column: &str) -> &str {
        &self.columns[column]
    }

    pub fn number(&self, column: &str) -> i64 {
        self.text(column).parse().unwrap_or_else(|_| panic!("column {column} of game {}", self.text("id")))
    }

    /// The lines of a column that joins them by the two characters `\n`.
    pub fn lines(&self, column: &str) -> impl Iterator<Item = &str> {
        self.text(column).split("\\n").filter(|line| !line.is_empty())
    }

    /// When the game started, in microseconds since the Unix epoch.
    pub fn started_at(&self) -> i64 {
        self.number("startts") * 1_000_000
    }

    pub fn winner(&self) -> Option<Side> {
        Side::from_letter(self.text("result").as_bytes()[0])
    }

    pub fn termination(&self) -> Option<Termination> {
        Termination::from_archive_letter(self.text("termination").as_bytes()[0])
    }

    pub fn started(&self) -> Started<'_> {
        Started {
            game: GameKind::Arimaa,
            gold: PlayerAtStart { name: self.text("wusername").into(), ..PlayerAtStart::default() },
            silver: PlayerAtStart { name: self.text("busername").into(), ..PlayerAtStart::default() },
            time_control: Some(self.text("timecontrol").into()),
            rated: self.text("rated") == "1",
            postal: self.text("postal") == "1",
            event: None,
            site: None,
            position: None,
            pairing: None,
            attempt: None,
        }
    }
}

/// `12b hc6s …` as number, side and the rest.
pub fn label(line: &str) -> Option<(u32, Side, &str)> {
    let (label, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (number, letter) = label.split_at_checked(label.len().checked_sub(1)?)?;
    Some((number.parse().ok()?, Side::from_letter(letter.as_bytes()[0])?, rest))
}

/// The rows of a real file; none where the file is missing.
pub fn rows(file: &str) -> Option<Vec<Row>> {
    let text = vectors::archive(file)?;
    let mut lines = text.lines();
    assert_eq!(lines.next().unwrap().split('\t').collect::<Vec<_>>(), COLUMNS);
    let rows = lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), COLUMNS.len());
        Row { columns: COLUMNS.into_iter().zip(fields.into_iter().map(str::to_owned)).collect() }
    });
    Some(rows.collect())
}
