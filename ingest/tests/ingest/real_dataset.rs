//! The two real files, ingested and read back from Parquet: the figures that are known of them, and every column against a
//! fold made here.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use annals_events::{GameEvent, Side};
use annals_ingest::manifest::Counts;
use annals_ingest::row::Row;
use annals_ingest::row_events::{RowEvents, events};
use annals_ingest::source::{Blocks, Piece, RowStatus, discover};
use annals_ingest::summary::Summary;
use annals_rules::arimaa::{Arimaa, Board, Piece as Kind};
use annals_rules::game::{Game, Strictness};
use arrow::datatypes::{Int32Type, Int64Type, TimestampMicrosecondType, UInt8Type, UInt32Type, UInt64Type};

use crate::dataset::{Table, store, table};
use crate::fixture::archive;

struct Real {
    _folder: tempfile::TempDir,
    archive: PathBuf,
    dataset: PathBuf,
    summary: Summary,
}

fn ingested() -> Option<Real> {
    let archive = archive()?;
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("dataset");
    let summary = store(&dataset, &[&archive]).unwrap();
    Some(Real { _folder: folder, archive, dataset, summary })
}

#[test]
fn all_rows_of_the_real_files_are_stored_and_accounted_for() {
    let Some(real) = ingested() else { return };
    let Counts { rows, accepted, flagged, rejected, also_in_log: _ } = real.summary.counts;
    println!("{:#?}", real.summary);
    assert_eq!((rows, rejected), (211, 0));
    assert_eq!(accepted + flagged, 211);
    let games = table(&real.dataset, "games");
    assert_eq!(games.rows(), 211);
    let statuses = games.counts("status");
    assert_eq!((statuses["accepted"] as u64, statuses["flagged"] as u64), (accepted, flagged));
    assert_eq!(table(&real.dataset, "players").rows(), {
        let both = ["gold_id", "silver_id"].map(|side| games.numbers::<UInt64Type>(side));
        both.into_iter().flatten().collect::<HashSet<_>>().len()
    });
}

/// Of a table, the rows whose game stands in the year's file.
fn of_file(ids: &[Option<u64>], late: bool) -> impl Fn(usize) -> bool {
    move |row| (ids[row].unwrap() > 64) == late
}

#[test]
fn every_turn_of_2026_is_legal_and_its_clock_is_right_to_the_second() {
    let Some(real) = ingested() else { return };
    let turns = table(&real.dataset, "turns");
    let ids = turns.numbers::<UInt64Type>("game_id");
    let late: Vec<usize> = (0..turns.rows()).filter(|row| of_file(&ids, true)(*row)).collect();
    assert_eq!(late.len(), 10_298);
    let sum = |column: &str| {
        let values = turns.numbers::<UInt8Type>(column);
        late.iter().map(|row| u64::from(values[*row].unwrap())).sum::<u64>()
    };
    assert_eq!((sum("step_count"), sum("capture_count")), (39_315, 1_155));
    let clocks = turns.bools("clock_ok");
    assert!(late.iter().all(|row| clocks[*row] != Some(false)));

    let log = table(&real.dataset, "server_log");
    let log_ids = log.numbers::<UInt64Type>("game_id");
    let kinds = log.words("kind");
    let after =
        (0..log.rows()).filter(|row| of_file(&log_ids, true)(*row) && kinds[*row] == "after_move").count();
    assert_eq!(after, 10_315);

    let games = table(&real.dataset, "games");
    let (ids, illegal) = (games.numbers::<UInt64Type>("game_id"), games.numbers::<UInt32Type>("illegal_ply"));
    assert!((0..games.rows()).filter(|row| of_file(&ids, true)(*row)).all(|row| illegal[row].is_none()));
    let (check, how) = (games.words("ending_check"), games.texts("termination"));
    let (result, board) = (games.words("result"), games.texts("board_result"));
    let on_board: Vec<usize> = (0..games.rows())
        .filter(|row| of_file(&ids, true)(*row))
        .filter(|row| matches!(how[*row].as_deref(), Some("goal" | "elimination" | "immobilization")))
        .collect();
    assert_eq!(on_board.len(), 100);
    for row in on_board {
        assert_eq!(
            (check[row].as_str(), board[row].as_ref()),
            ("agrees", Some(&result[row])),
            "{:?}",
            ids[row]
        );
    }
}

#[test]
fn the_servers_rejections_are_ours_for_the_same_reasons() {
    let Some(real) = ingested() else { return };
    let fallen = table(&real.dataset, "rejected_turns");
    let (what, code, agrees) = (fallen.words("kind"), fallen.texts("illegal_code"), fallen.bools("agrees"));
    let mut codes: BTreeMap<String, usize> = BTreeMap::new();
    for row in (0..fallen.rows()).filter(|row| what[*row] == "rejected") {
        assert_eq!(agrees[row], Some(true));
        *codes.entry(code[row].clone().unwrap()).or_default() += 1;
    }
    println!("{codes:?}");
    assert_eq!(codes.values().sum::<usize>(), 16);
    assert_eq!((codes["push_not_completed"], codes["third_repetition"]), (14, 1));
}

#[test]
fn the_games_of_2002_keep_their_takebacks_and_stop_at_two_pushes_by_frozen_pieces() {
    let Some(real) = ingested() else { return };
    let fallen = table(&real.dataset, "rejected_turns");
    let (ids, what) = (fallen.numbers::<UInt64Type>("game_id"), fallen.words("kind"));
    let back: Vec<_> =
        (0..fallen.rows()).filter(|row| what[*row] == "taken back").map(|row| ids[row]).collect();
    assert_eq!((back.len(), back.iter().collect::<HashSet<_>>().len()), (25, 14));

    let games = table(&real.dataset, "games");
    let (ids, codes) = (games.numbers::<UInt64Type>("game_id"), games.texts("illegal_code"));
    let illegal: Vec<_> =
        (0..games.rows()).filter(|row| codes[*row].is_some()).map(|row| ids[row].unwrap()).collect();
    assert_eq!(illegal, [32, 55]);
    let corrupt = games.bools("corrupt");
    assert_eq!((0..games.rows()).filter(|row| corrupt[*row] == Some(true)).count(), 3);
    let check = games.words("ending_check");
    for row in (0..games.rows()).filter(|row| codes[*row].is_some()) {
        assert_eq!(check[row], "not_reached");
    }
}

#[test]
fn every_column_of_turns_and_games_is_what_a_fold_of_the_same_rows_gives() {
    let Some(real) = ingested() else { return };
    let (games, turns) = (Games::of(&real), Turns::of(&real));
    let files = discover(&[&real.archive]).unwrap();
    let mut folded = 0;
    for piece in Blocks::new(&files, |_| false) {
        let Piece::Block(block) = piece else { continue };
        for at in &block.rows {
            let RowStatus::New { id } = at.status else { panic!("rejected: {at:?}") };
            let row = Row::read(&block.columns, block.row_text(at));
            let mut row_events = RowEvents::default();
            events(&row, &mut row_events);
            let mut game = Game::<Arimaa>::new(Strictness::Archive);
            let mut steps: Vec<String> = Vec::new();
            for (time, event) in &row_events.events {
                let before = game.plies().len();
                if game.apply(*time, event).is_err() {
                    break;
                }
                match (event, game.plies().len()) {
                    (GameEvent::TurnTaken(turn), _) => steps.push(turn.steps.to_string()),
                    (_, now) if now < before => steps.truncate(now),
                    _ => {}
                }
            }
            assert_eq!(turns.by_game[&id].len(), game.plies().len(), "game {id}");
            for ((line, ply), steps) in turns.by_game[&id].iter().zip(game.plies()).zip(&steps) {
                turns.check(*line, ply, steps, &format!("game {id}, {}{}", ply.number, ply.side.letter()));
            }
            games.check(&row, at.byte_offset, at.line, game.plies().len());
            folded += 1;
        }
    }
    assert_eq!(folded, 211);
}

struct Turns {
    by_game: HashMap<u64, Vec<usize>>,
    lines: Vec<String>,
    boards: Vec<Vec<u8>>,
    numbers: BTreeMap<&'static str, Vec<Option<u64>>>,
}

impl Turns {
    const SMALL: [&'static str; 18] = [
        "step_count", "capture_count", "g_rabbits", "g_cats", "g_dogs", "g_horses", "g_camel", "g_elephant",
        "s_rabbits", "s_cats", "s_dogs", "s_horses", "s_camel", "s_elephant", "gold_frozen", "silver_frozen",
        "gold_mobile", "silver_mobile",
    ];

    fn of(real: &Real) -> Turns {
        let table = table(&real.dataset, "turns");
        let mut by_game: HashMap<u64, Vec<usize>> = HashMap::new();
        for (line, id) in table.numbers::<UInt64Type>("game_id").into_iter().enumerate() {
            by_game.entry(id.unwrap()).or_default().push(line);
        }
        let mut numbers = BTreeMap::new();
        for name in Turns::SMALL {
            numbers.insert(
                name,
                table.numbers::<UInt8Type>(name).into_iter().map(|n| n.map(u64::from)).collect(),
            );
        }
        for name in ["hash_before", "hash_after", "key", "game_time"] {
            numbers.insert(name, table.numbers::<UInt64Type>(name));
        }
        for name in ["ply", "number", "used"] {
            numbers.insert(
                name,
                table.numbers::<UInt32Type>(name).into_iter().map(|n| n.map(u64::from)).collect(),
            );
        }
        let steps = table.words("steps");
        let (side, to_move) = (table.words("side"), table.words("to_move"));
        let lines = (0..table.rows()).map(|i| format!("{}|{}|{}", side[i], to_move[i], steps[i])).collect();
        Turns { by_game, boards: table.bytes("board"), lines, numbers }
    }

    fn check(&self, line: usize, ply: &annals_rules::game::Ply<Arimaa>, steps: &str, which: &str) {
        let position = ply.state_after.position();
        let board = position.board();
        let words = format!("{}|{}|{steps}", ply.side.word(), position.to_move().word());
        assert_eq!(self.lines[line], words, "{which}");
        let planes: Vec<u64> = self.boards[line][..32]
            .chunks_exact(8)
            .map(|b| u64::from_le_bytes(b.try_into().unwrap()))
            .collect();
        assert_eq!(Board::from_planes(planes.try_into().unwrap()).as_ref(), Ok(board), "{which}");
        assert_eq!(self.boards[line][32..], [0, 0], "{which}");
        let number = |name: &str| self.numbers[name][line];
        assert_eq!(number("number"), Some(u64::from(ply.number)), "{which}");
        assert_eq!(number("hash_before"), Some(ply.hash_before), "{which}");
        assert_eq!(number("hash_after"), Some(board.hash(position.to_move())), "{which}");
        assert_eq!(number("key"), Some(board.key(position.to_move()).0), "{which}");
        assert_eq!(number("used"), ply.used.map(u64::from), "{which}");
        assert_eq!(number("step_count"), Some(u64::from(ply.played.steps)), "{which}");
        assert_eq!(number("capture_count"), Some(u64::from(ply.played.captures)), "{which}");
        for (side, letter) in [(Side::Gold, "g"), (Side::Silver, "s")] {
            let names = ["rabbits", "cats", "dogs", "horses", "camel", "elephant"];
            for (kind, name) in Kind::ALL.into_iter().zip(names) {
                let count = u64::from(board.count(side, kind));
                assert_eq!(number(&format!("{letter}_{name}")), Some(count), "{which}");
            }
            let count = |set: u64| Some(u64::from(set.count_ones()));
            assert_eq!(number(&format!("{}_frozen", side.word())), count(board.frozen(side)), "{which}");
            assert_eq!(number(&format!("{}_mobile", side.word())), count(board.mobile(side)), "{which}");
        }
    }
}

struct Games {
    table: Table,
    line: HashMap<u64, usize>,
}

impl Games {
    fn of(real: &Real) -> Games {
        let table = table(&real.dataset, "games");
        let ids = table.numbers::<UInt64Type>("game_id");
        Games { line: ids.into_iter().enumerate().map(|(line, id)| (id.unwrap(), line)).collect(), table }
    }

    fn check(&self, row: &Row<'_>, byte_offset: u64, line_number: u64, plies: usize) {
        let line = self.line[&row.id];
        let text = |name: &str| self.table.texts(name)[line].clone();
        assert_eq!(text("gold").as_deref(), Some(row.header.gold.name.as_ref()));
        assert_eq!(text("silver").as_deref(), Some(row.header.silver.name.as_ref()));
        assert_eq!(text("time_control").as_deref(), row.header.time_control.as_deref());
        assert_eq!(text("termination").as_deref(), row.header.termination.map(|t| t.word()));
        assert_eq!(text("result").as_deref(), Some(row.header.result.word()));
        let times = |name: &str| self.table.numbers::<TimestampMicrosecondType>(name)[line];
        assert_eq!((times("started_at"), times("ended_at")), (row.header.started_at, row.header.ended_at));
        let ratings = |name: &str| self.table.numbers::<Int32Type>(name)[line];
        assert_eq!(
            (ratings("gold_rating"), ratings("silver_rating")),
            (row.header.gold.rating, row.header.silver.rating)
        );
        assert_eq!((ratings("gold_k"), ratings("silver_k")), (row.header.gold.k, row.header.silver.k));
        let places = |name: &str| self.table.numbers::<UInt64Type>(name)[line];
        assert_eq!((places("byte_offset"), places("line")), (Some(byte_offset), Some(line_number)));
        assert_eq!(self.table.numbers::<UInt32Type>("plies")[line], Some(plies as u32));
        assert_eq!(self.table.bools("rated")[line], row.header.rated);
    }
}

#[test]
fn the_clock_columns_are_those_of_the_log_lines() {
    let Some(real) = ingested() else { return };
    let (turns, log) = (table(&real.dataset, "turns"), table(&real.dataset, "server_log"));
    type Clock = (Option<u32>, Option<i64>, Option<i64>, Option<u64>);
    let clocks = |table: &Table| -> Vec<Clock> {
        let (used, game) = (table.numbers::<UInt32Type>("used"), table.numbers::<UInt64Type>("game_time"));
        let (gold, silver) =
            (table.numbers::<Int64Type>("gold_reserve"), table.numbers::<Int64Type>("silver_reserve"));
        (0..table.rows()).map(|row| (used[row], gold[row], silver[row], game[row])).collect()
    };
    let (ids, numbers, sides) =
        (log.numbers::<UInt64Type>("game_id"), log.numbers::<UInt32Type>("number"), log.texts("side"));
    let (kinds, of_log) = (log.words("kind"), clocks(&log));
    let mut told: HashMap<_, Vec<Clock>> = HashMap::new();
    for row in (0..log.rows()).filter(|row| kinds[*row] == "after_move") {
        told.entry((ids[row], numbers[row], sides[row].clone())).or_default().push(of_log[row]);
    }
    let (ids, numbers, sides) =
        (turns.numbers::<UInt64Type>("game_id"), turns.numbers::<UInt32Type>("number"), turns.texts("side"));
    let of_turns = clocks(&turns);
    let mut compared = 0;
    for row in 0..turns.rows() {
        if of_turns[row].0.is_some() {
            let lines = &told[&(ids[row], numbers[row], sides[row].clone())];
            assert!(
                lines.contains(&of_turns[row]),
                "game {:?}, {:?}{:?}",
                ids[row],
                numbers[row],
                sides[row]
            );
            compared += 1;
        }
    }
    assert!(compared > 10_000, "{compared}");
}
