//! What is stored of a row gives the row back; also a property of the fuzz target of rows.

use annals_ingest::archive_row::{
    ArchiveText, FallenTurn, StoredGame, StoredTurn, Transcript, not_given_back,
};
use annals_ingest::playthrough::Playthrough;
use annals_ingest::row::{Column, Row};
use annals_ingest::row_events::RowEvents;

/// What is stored of a row gives it back, but for bytes that are no UTF-8.
pub fn given_back(row: &Row<'_>, read: &RowEvents<'_>) {
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
