//! Rows written out of events: reading them gives the same events back, for real games and for made-up ones, and what a row
//! cannot say is refused.

use annals_events::{
    Ended, GameEvent, GameKind, Halted, PlayerAtStart, PlayerKind, Side, Started, Termination, TurnRetracted,
    TurnTaken,
};
use annals_ingest::archive_row::{RowError, Transcript, push_game, push_header};
use annals_ingest::game_record::TimedEvent;
use annals_ingest::grow::{GrowOptions, GrowSize, grow};
use annals_ingest::row_events::{RowEvents, events};

use crate::fixture::{archive, read_bytes};

/// Writes each row of an archive again out of its events, and compares what the two rows say. Gives how many there were.
fn written_again(text: &[u8]) -> u64 {
    let mut transcript = Transcript::default();
    let mut rows = 0;
    read_bytes("first.txt", text).for_each_row(|row| {
        let mut first = RowEvents::default();
        events(row, &mut first);
        if !row.flags.union(first.flags).is_empty() {
            return;
        }
        let mut again = Vec::new();
        push_header(&mut again);
        push_game(
            &mut again,
            &mut transcript,
            row.id,
            row.header.mode.as_deref().unwrap_or_default(),
            &first.events,
        )
        .unwrap();
        let mut seen = 0;
        read_bytes("again.txt", &again).for_each_row(|second| {
            let mut out = RowEvents::default();
            events(second, &mut out);
            assert!(second.flags.union(out.flags).is_empty(), "game {}: {}", row.id, out.flags);
            assert_eq!(out.events, first.events, "game {}", row.id);
            assert_eq!((second.id, &second.header.mode), (row.id, &row.header.mode));
            seen += 1;
        });
        assert_eq!(seen, 1);
        rows += 1;
    });
    rows
}

#[test]
fn every_real_row_without_a_flaw_is_written_again_out_of_its_events() {
    let Some(folder) = archive() else { return };
    let rows = |name: &str| written_again(&std::fs::read(folder.join(name)).unwrap());
    assert!(rows("allgames2002.txt") > 30);
    assert!(rows("allgames202602.txt") > 130);
}

#[test]
fn grown_rows_are_written_again_too() {
    let mut text = Vec::new();
    let options = GrowOptions { size: GrowSize::Games(60), seed: 4, ..GrowOptions::default() };
    grow(&[], &mut text, &options).unwrap();
    // `resign` in a list is no event: the ending says it.
    assert_eq!(written_again(&text), 60);
}

fn started() -> GameEvent<'static> {
    let player = |name: &'static str| PlayerAtStart {
        name: name.into(),
        kind: Some(PlayerKind::Bot),
        ..PlayerAtStart::default()
    };
    GameEvent::Started(Box::new(Started {
        gold: player("annals-a"),
        silver: player("annals-b"),
        time_control: Some("15s/2m30s/100/0/100t".into()),
        ..Started::plain(GameKind::Arimaa, None)
    }))
}

fn ended() -> GameEvent<'static> {
    let termination = Some(Termination::Resignation);
    GameEvent::Ended(Ended { winner: Some(Side::Gold), termination, stated: None, draw: false })
}

const START: i64 = 1_600_000_000_000_000;

fn refused(events: &[TimedEvent<'_>]) -> RowError {
    let mut out = b"before".to_vec();
    let error = push_game(&mut out, &mut Transcript::default(), 7, "", events).unwrap_err();
    assert_eq!(out, b"before", "a refused game leaves nothing behind");
    error
}

#[test]
fn what_a_row_cannot_say_is_refused() {
    let at = Some(START);
    let turn = |steps: &'static str| GameEvent::TurnTaken(TurnTaken::plain(1, Side::Gold, steps));
    assert_eq!(refused(&[]), RowError::NotWhole { id: 7 });
    assert_eq!(refused(&[(at, started())]), RowError::NotWhole { id: 7 });
    assert_eq!(refused(&[(at, started()), (at, turn("Ra1"))]), RowError::NotWhole { id: 7 });
    let halted = GameEvent::Halted(Halted::default());
    assert_eq!(
        refused(&[(at, started()), (at, halted), (at, ended())]),
        RowError::NoWords { id: 7, place: 2, what: "halted" }
    );
    let back = GameEvent::TurnRetracted(TurnRetracted::default());
    assert!(matches!(refused(&[(at, started()), (at, back), (at, ended())]), RowError::NoWords { .. }));
    let late = Some(START + 1);
    assert_eq!(
        refused(&[(at, started()), (late, turn("Ra1")), (at, ended())]),
        RowError::NoTime { id: 7, place: 2 }
    );
    // Read again, a start in 1970 would be none.
    assert_eq!(
        refused(&[(Some(10_000_000_000), started()), (at, ended())]),
        RowError::NoTime { id: 7, place: 1 }
    );
    assert!(matches!(
        refused(&[(at, started()), (at, turn("Ra1\tx")), (at, ended())]),
        RowError::BadText { column: "movelist", .. }
    ));
    let GameEvent::Started(mut odd) = started() else { panic!() };
    odd.gold.name = "two\\nlines".into();
    let odd = GameEvent::Started(odd);
    assert!(matches!(refused(&[(at, odd), (at, ended())]), RowError::BadText { column: "wusername", .. }));
}
