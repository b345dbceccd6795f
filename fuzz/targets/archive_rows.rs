//! Rows of an archive: the columns of the dataset give the row back, and a row that is written of a game's events is read as
//! the same events.
#![no_main]

use std::sync::LazyLock;

use annals_ingest::archive_row::{
    ArchiveText, FallenTurn, StoredGame, StoredTurn, Transcript, not_given_back, push_game,
};
use annals_ingest::playthrough::Playthrough;
use annals_ingest::row::{Column, Columns, Row};
use annals_ingest::row_events::{RowEvents, events};
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

fn given_back(row: &Row<'_>, read: &RowEvents<'_>) {
    let mut played = Playthrough::default();
    played.play(&read.events);
    let turns = StoredTurn::standing(&read.events, &played);
    let fallen = FallenTurn::of(&read.events, &played);
    let (id, header, log) = (row.id, &row.header, read.log.as_slice());
    let plain = &ArchiveText::default();
    let game = StoredGame { id, header, turns: &turns, fallen: &fallen, log, text: plain, over: true };
    let mut transcript = Transcript::default();
    let text = &not_given_back(row, game, &mut transcript);
    let mut again = Vec::new();
    StoredGame { text, ..game }.push_row(&mut again, &mut transcript);
    let expected: Vec<_> = Column::ALL.map(|column| row.text(column).into_owned()).to_vec();
    assert_eq!(String::from_utf8_lossy(&again), expected.join("\t") + "\n");
}

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
