//! Rows of an archive: the columns of the dataset give the row back, and a row that is written of a game's events is read as
//! the same events.
#![no_main]

#[path = "../../ingest/tests/ingest/given_back.rs"]
mod given_back;

use std::sync::LazyLock;

use annals_ingest::archive_row::{Transcript, push_game};
use annals_ingest::row::{Column, Columns, Row};
use annals_ingest::row_events::{RowEvents, events};
use given_back::given_back;
use libfuzzer_sys::fuzz_target;

static COLUMNS: LazyLock<Columns> =
    LazyLock::new(|| Columns::from_header(Column::ALL.map(Column::name).join("\t").as_bytes()).unwrap());

fuzz_target!(|text: &[u8]| {
    let row = Row::read(&COLUMNS, text);
    let mut out = RowEvents::default();
    events(&row, &mut out);
    assert!(out.events.len() >= 2);
    assert_eq!(out.log.len(), annals_ingest::server_log::lines(row.log).count());
    given_back(&row, &out);
    written(&row, &out);
});

fn written(row: &Row<'_>, read: &RowEvents<'_>) {
    let mut text = Vec::new();
    let mode = row.text(Column::Mode);
    if push_game(&mut text, &mut Transcript::default(), row.id, &mode, &read.events).is_err() {
        return assert!(text.is_empty());
    }
    let again = Row::read(&COLUMNS, text.strip_suffix(b"\n").unwrap_or(&text));
    let mut out = RowEvents::default();
    events(&again, &mut out);
    assert_eq!(out.events, read.events, "{}", String::from_utf8_lossy(&text));
}
