//! Grown archives: as large as asked, the same for the same seed, and without a flaw.

use std::collections::{BTreeMap, HashSet};

use annals_events::{GameEvent, Side};
use annals_ingest::grow::{GrowOptions, GrowReport, GrowSize, grow};
use annals_ingest::row_events::{RowEvents, events};
use annals_ingest::server_log::LogKind;
use annals_ingest::source::{SourceFile, discover};
use annals_rules::arimaa::Arimaa;
use annals_rules::game::{Applied, EndingCheck, Game, RejectionCheck, Strictness};
use annals_rules::rating::{GameScore, Rating, weekly_rises};

use crate::fixture::{archive, read_bytes};

fn grown(existing: &[SourceFile], options: &GrowOptions) -> (Vec<u8>, GrowReport) {
    let mut out = Vec::new();
    let report = grow(existing, &mut out, options).unwrap();
    assert_eq!(report.bytes, out.len() as u64);
    (out, report)
}

/// Plays every game of an archive through and asserts that nothing is to be said about any of them. Gives how often each
/// ending occurs.
fn without_a_flaw(text: &[u8], report: &GrowReport) -> BTreeMap<char, u32> {
    let reading = read_bytes("grown.txt", text);
    assert!(reading.rejects().is_empty() && reading.rejected.is_empty());
    assert_eq!(reading.ids().len() as u64, report.games);
    let (mut turns, mut logless, mut retracted, mut rejected) = (0, 0, 0, 0);
    let mut lists = HashSet::new();
    let mut endings = BTreeMap::new();
    let mut last_start = 0;
    let mut players: BTreeMap<String, (i64, Rating)> = BTreeMap::new();
    let mut game = Game::<Arimaa>::new(Strictness::Strict);
    reading.for_each_row(|row| {
        let mut out = RowEvents::default();
        events(row, &mut out);
        let flags = row.flags.union(out.flags);
        assert!(flags.is_empty(), "game {}: {flags}", row.id);
        assert!(lists.insert(row.movelist.to_vec()), "game {} is there twice", row.id);
        let (start, end) = (row.header.started_at.unwrap(), row.header.ended_at.unwrap());
        assert!(start > last_start && end > start, "game {}", row.id);
        last_start = start;
        logless += u64::from(out.log.is_empty());
        assert!(out.log.iter().all(|line| line.kind != LogKind::Other));
        game.clear();
        for (at, event) in &out.events {
            let applied = game.apply(*at, event).unwrap_or_else(|error| panic!("game {}: {error}", row.id));
            match applied {
                Applied::TurnTaken => {
                    turns += 1;
                    let ply = game.plies().last().unwrap();
                    assert_eq!(ply.clock_matches, (!out.log.is_empty()).then_some(true), "game {}", row.id);
                }
                Applied::TurnRetracted { .. } => retracted += 1,
                Applied::TurnRejected(check) => {
                    rejected += 1;
                    assert!(matches!(check, RejectionCheck::Illegal(_)), "game {}", row.id);
                }
                Applied::Ended(check) => {
                    let GameEvent::Ended(ended) = event else { panic!("an end") };
                    let letter = ended.termination.unwrap().archive_letter();
                    *endings.entry(letter).or_insert(0) += 1;
                    let on_board =
                        if "gmepn".contains(letter) { EndingCheck::Agrees } else { EndingCheck::NotOnBoard };
                    assert_eq!(check, on_board, "game {}", row.id);
                }
                _ => {}
            }
        }
        // Ratings follow from game to game, and nobody plays two games at once.
        let before = Side::BOTH.map(|side| {
            let player = row.header.player(side);
            let k = u32::try_from(player.k.unwrap()).unwrap();
            let shown = Rating { rating: player.rating.unwrap(), k };
            let expected = match players.get(player.name.as_ref()) {
                None => Rating::NEW,
                Some((last_end, rating)) => {
                    assert!(*last_end < start, "game {}: {} plays two games at once", row.id, player.name);
                    rating.after_weekly_rises(weekly_rises(*last_end, start))
                }
            };
            assert_eq!(shown, expected, "game {}: {}", row.id, player.name);
            shown
        });
        for side in Side::BOTH {
            let score = match row.header.result.winner() {
                Some(winner) if winner == side => GameScore::Win,
                Some(_) => GameScore::Loss,
                None => GameScore::Draw,
            };
            let own = before[side.index()];
            let rated = row.header.rated.unwrap();
            let after = if rated { own.after(before[side.other().index()], score) } else { own };
            players.insert(row.header.player(side).name.to_string(), (end, after));
        }
    });
    assert_eq!((turns, logless), (report.turns, report.without_log));
    assert_eq!(players.len() as u64, report.players);
    assert!(
        report.games < 1000 || (retracted > 0 && rejected > 0),
        "{retracted} taken back, {rejected} rejected"
    );
    endings
}

#[test]
fn a_small_archive_grows_from_nothing_and_has_no_flaw() {
    let (text, report) = grown(&[], &GrowOptions::default());
    assert_eq!((report.games, report.continued, report.made_anew), (40, 0, 0));
    assert!(report.without_log > 0 && report.players > 4);
    without_a_flaw(&text, &report);
    assert!(text.is_ascii());
}

#[test]
fn a_larger_archive_ends_its_games_in_every_usual_way_and_has_no_flaw() {
    let options = GrowOptions { size: GrowSize::Games(3000), seed: 5, ..GrowOptions::default() };
    let (text, report) = grown(&[], &options);
    let endings = without_a_flaw(&text, &report);
    println!("{report:?}\n{endings:?}");
    for (letter, at_least) in [('g', 1000), ('e', 1), ('m', 5), ('r', 5), ('t', 5)] {
        assert!(endings.get(&letter).is_some_and(|count| *count >= at_least), "{endings:?}");
    }
    let plies = report.turns / report.games;
    assert!((30..110).contains(&plies), "{plies} plies a game");
}

#[test]
fn the_same_seed_gives_the_same_bytes_whatever_the_threads_and_another_seed_other_games() {
    let options = GrowOptions { size: GrowSize::Games(700), ..GrowOptions::default() };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let three = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let (a, b) = (one.install(|| grown(&[], &options)), three.install(|| grown(&[], &options)));
    assert!(a == b);
    let (other, _) = grown(&[], &GrowOptions { seed: 2, ..options });
    assert_ne!(a.0, other);
}

#[test]
fn a_size_in_bytes_is_met_by_less_than_a_row() {
    for bytes in [100_000, 3_000_000] {
        let (text, report) =
            grown(&[], &GrowOptions { size: GrowSize::Bytes(bytes), ..GrowOptions::default() });
        let last = text[..text.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap();
        assert!(text.len() as u64 >= bytes && (last as u64) < bytes, "{} for {bytes}", text.len());
        without_a_flaw(&text, &report);
    }
}

#[test]
fn real_games_serve_as_material_and_are_not_written_again() {
    let Some(archive) = archive() else { return };
    let existing = discover(&[&archive]).unwrap();
    let options = GrowOptions { size: GrowSize::Games(1500), uses: 4, ..GrowOptions::default() };
    let (text, report) = grown(&existing, &options);
    without_a_flaw(&text, &report);
    assert!((600..1100).contains(&report.continued), "{report:?}");
    let mut real = HashSet::new();
    let old = crate::fixture::read(&[&archive]);
    old.for_each_row(|row| assert!(real.insert(row.movelist.to_vec())));
    let new = read_bytes("grown.txt", &text);
    new.for_each_row(|row| assert!(!real.contains(row.movelist)));
}

#[test]
fn a_place_that_is_full_is_told() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| std::io::Error::other("no space left"))?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let error = grow(&[], &mut Full(1000), &GrowOptions::default()).unwrap_err();
    assert!(error.to_string().contains("no space left"), "{error}");
}
