//! What is published: the same bytes whatever the threads and the order, every row accounted for, once, and nothing left
//! behind by whatever went wrong.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use annals_ingest::manifest::{Counts, MANIFEST_FILE, Manifest, ManifestError};
use annals_ingest::run::{IngestError, Moment, Options, Progress, Stage, ingest};
use annals_ingest::tables;
use annals_ingest::write::{Lock, STAGING_FOLDER, WriteError};
use arrow::datatypes::{UInt32Type, UInt64Type};

use crate::dataset::{files, options, parquet_files, store, table};
use crate::fixture::{fields, gzip, header, row, tar, text, write};

/// More than one block of rows with games of several years, some of which are odd.
fn varied(ids: std::ops::Range<u64>) -> String {
    let mut text = header() + "\n";
    for id in ids {
        let mut fields = fields(id);
        let start = 1_100_000_000 + (id % 5) * 32_000_000;
        fields[19] = start.to_string();
        fields[20] = (start + 600).to_string();
        fields[9] = (1000 + id % 900).to_string();
        if id % 11 == 0 {
            fields[27] = fields[27].replace("2b ed7s", "2b ed7e");
        }
        if id % 13 == 0 {
            fields[27] = fields[27].replace("2b ed7s", "2b takeback\\n2w Md2n\\n2b ed7s");
        }
        if id % 17 == 0 {
            fields[21] = "?".to_owned();
        }
        text += &fields.join("\t");
        text.push('\n');
    }
    text
}

#[test]
fn the_bytes_depend_neither_on_the_threads_nor_on_the_order_of_the_sources() {
    let folder = tempfile::tempdir().unwrap();
    // Ids that fall, so that blocks are sorted inside but not among each other.
    let one = write(folder.path(), "one.txt", varied(20_000..40_000).as_bytes());
    let two = write(folder.path(), "two.txt", varied(0..3_000).as_bytes());
    let three = write(folder.path(), "three.txt", varied(50_000..50_200).as_bytes());
    let mut seen: Option<(BTreeMap<String, String>, Vec<u8>)> = None;
    for threads in [1, 2, 3] {
        let dataset = folder.path().join(format!("data-{threads}"));
        let options = Options { threads, ..options(&dataset, &[&one, &two, &three]) };
        let summary = ingest(&options, &()).unwrap();
        assert_eq!(summary.counts.rows, 23_200);
        let now = (files(&dataset), fs::read(dataset.join(MANIFEST_FILE)).unwrap());
        assert_eq!(seen.get_or_insert_with(|| now.clone()), &now, "{threads} threads");
    }
    // One after the other, the last first: every file is the same, for no game stands in two sources.
    let dataset = folder.path().join("data-one-by-one");
    for source in [&three, &two, &one] {
        store(&dataset, &[source]).unwrap();
    }
    let (all, manifest) = seen.unwrap();
    assert_eq!(files(&dataset), all);
    assert_eq!(fs::read(dataset.join(MANIFEST_FILE)).unwrap(), manifest);
}

#[test]
fn the_index_depends_on_the_set_of_stored_games_alone_also_where_sources_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let year = write(folder.path(), "year.txt", varied(0..600).as_bytes());
    let month = write(folder.path(), "month.txt", varied(300..900).as_bytes());
    let of = |name: &str, order: [&Path; 2]| {
        let dataset = folder.path().join(name);
        for source in order {
            store(&dataset, &[source]).unwrap();
        }
        let derived = |path: &String| path.starts_with("lookup/") || path.starts_with("players/");
        files(&dataset).into_iter().filter(|(path, _)| derived(path)).collect::<Vec<_>>()
    };
    let (one, other) = (of("one", [&year, &month]), of("other", [&month, &year]));
    assert_eq!(one, other);
    assert_eq!(one.len(), 6);
}

#[test]
fn the_index_is_the_same_when_it_takes_many_passes() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "a.txt", text(0..60_000).as_bytes());
    let mut indexes = Vec::new();
    for rows in [100, 70_000, 10_000_000] {
        let dataset = folder.path().join(rows.to_string());
        let mut options = options(&dataset, &[&source]);
        options.limits.index_rows = rows;
        ingest(&options, &()).unwrap();
        indexes.push((table(&dataset, "lookup").lines(), files(&dataset)));
    }
    for (lines, files) in &indexes[1..] {
        assert!(*lines == indexes[0].0, "other rows");
        assert_eq!(*files, indexes[0].1);
    }
}

#[test]
fn the_index_holds_every_turn_with_the_one_that_followed_in_the_order_of_positions() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "a.txt", varied(0..500).as_bytes());
    let dataset = folder.path().join("data");
    store(&dataset, &[&source]).unwrap();

    let (games, turns) = (table(&dataset, "games"), table(&dataset, "turns"));
    let ids = games.numbers::<UInt64Type>("game_id");
    let facts: BTreeMap<_, _> = ids.iter().zip(games.words("result")).collect();
    let (game, ply) = (turns.numbers::<UInt64Type>("game_id"), turns.numbers::<UInt32Type>("ply"));
    let (key, flipped) = (turns.numbers::<UInt64Type>("key"), turns.bools("flipped"));
    let steps = turns.texts("steps");
    let mut by_year: BTreeMap<u64, Vec<_>> = BTreeMap::new();
    for i in 0..turns.rows() {
        let next = (game.get(i + 1) == Some(&game[i])).then(|| steps[i + 1].clone()).flatten();
        let row = (key[i], game[i], ply[i], flipped[i], next, facts[&game[i]].clone());
        by_year.entry(game[i].unwrap() % 5).or_default().push(row);
    }
    let expected: Vec<_> = by_year
        .into_values()
        .flat_map(|mut rows| {
            rows.sort();
            rows
        })
        .collect();

    let index = table(&dataset, "lookup");
    let (game, ply) = (index.numbers::<UInt64Type>("game_id"), index.numbers::<UInt32Type>("ply"));
    let (key, flipped) = (index.numbers::<UInt64Type>("key"), index.bools("flipped"));
    let (next, result) = (index.texts("next_turn"), index.words("result"));
    let found: Vec<_> = (0..index.rows())
        .map(|i| (key[i], game[i], ply[i], flipped[i], next[i].clone(), result[i].clone()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn every_table_is_read_back_with_the_columns_that_its_description_names() {
    let folder = tempfile::tempdir().unwrap();
    let mut content = varied(0..300);
    content += "1\tnot a row\n";
    let source = write(folder.path(), "a.txt", content.as_bytes());
    let dataset = folder.path().join("data");
    store(&dataset, &[&source]).unwrap();
    for described in tables::describe() {
        let stored = table(&dataset, described.name);
        if described.name == "server_log" {
            assert_eq!(stored.rows(), 0);
            continue;
        }
        assert!(stored.rows() > 0, "{}", described.name);
        let named: Vec<_> = described.columns.iter().map(|c| c.name.to_owned()).collect();
        let found: Vec<_> = stored.shape().into_iter().map(|(name, _)| name).collect();
        assert_eq!(found, named, "{}", described.name);
    }
}

#[test]
fn a_row_that_comes_again_is_stored_once_and_told_apart_from_one_that_differs() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("data");
    let other = row(3).replace("alice", "alicia");
    let year = write(folder.path(), "year.txt", format!("{}{}\n{other}\n", text(1..6), row(2)).as_bytes());
    let summary = store(&dataset, &[&year]).unwrap();
    assert_eq!(summary.counts, Counts { rows: 7, accepted: 5, flagged: 0, rejected: 2, also_in_log: 0 });
    let month = write(
        folder.path(),
        "month.txt",
        format!("{}{}\n", text(4..9), row(5).replace("alice", "bob")).as_bytes(),
    );
    let summary = store(&dataset, &[&month]).unwrap();
    assert_eq!(summary.counts, Counts { rows: 6, accepted: 3, flagged: 0, rejected: 3, also_in_log: 0 });
    assert_eq!(
        summary.dataset.counts,
        Counts { rows: 13, accepted: 8, flagged: 0, rejected: 5, also_in_log: 0 }
    );
    assert!(!summary.is_clean());

    let rejects = table(&dataset, "rejects");
    let mut found: Vec<_> =
        rejects.numbers::<UInt64Type>("game_id").into_iter().zip(rejects.words("reason")).collect();
    found.sort();
    let expected = [
        (2, "duplicate"),
        (3, "duplicate_differs"),
        (4, "duplicate"),
        (5, "duplicate"),
        (5, "duplicate_differs"),
    ];
    assert_eq!(found, expected.map(|(id, reason)| (Some(id), reason.to_owned())));
    assert_eq!(table(&dataset, "games").rows(), 8);
}

#[test]
fn unchanged_files_are_not_read_again_and_the_same_text_under_another_name_is_not_stored_again() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("data");
    let plain = write(folder.path(), "in/a.txt", text(0..50).as_bytes());
    write(folder.path(), "in/b.tgz", &gzip(&tar(&[("b1.txt", text(50..60).as_bytes()), ("b2.txt", b"")])));
    let given = folder.path().join("in");
    let first = store(&dataset, &[&given]).unwrap();
    assert_eq!(first.counts.accepted, 60);
    assert_eq!((first.rejected_sources.len(), first.unchanged.len()), (1, 0));
    let before = (files(&dataset), fs::read(dataset.join(MANIFEST_FILE)).unwrap());

    let again = store(&dataset, &[&given]).unwrap();
    assert_eq!(again.unchanged, ["a.txt", "b.tgz"]);
    assert_eq!(again.counts, Counts::default());
    assert_eq!((files(&dataset), fs::read(dataset.join(MANIFEST_FILE)).unwrap()), before);

    // The member alone, the plain file packed, and a copy under another name.
    write(folder.path(), "other/b1.txt", text(50..60).as_bytes());
    write(folder.path(), "other/a.txt.gz", &gzip(&fs::read(&plain).unwrap()));
    write(folder.path(), "other/c.txt", &fs::read(&plain).unwrap());
    let other = store(&dataset, &[&folder.path().join("other")]).unwrap();
    assert_eq!(other.counts, Counts::default());
    assert_eq!(other.unchanged, ["c.txt"]);
    assert_eq!(other.known.len(), 2, "{:?}", other.known);
    assert_eq!(files(&dataset), before.0);
    // Now they are known as they lie.
    assert_eq!(store(&dataset, &[&folder.path().join("other")]).unwrap().unchanged.len(), 3);
}

#[test]
fn a_changed_file_is_a_new_source_of_which_only_the_new_games_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("data");
    let source = write(folder.path(), "a.txt", text(0..10).as_bytes());
    store(&dataset, &[&source]).unwrap();
    write(folder.path(), "a.txt", text(0..12).as_bytes());
    let summary = store(&dataset, &[&source]).unwrap();
    assert_eq!(summary.counts, Counts { rows: 12, accepted: 2, flagged: 0, rejected: 10, also_in_log: 0 });
    assert!(summary.is_clean(), "the same record again is nothing wrong");
    let manifest = Manifest::open(&dataset).unwrap();
    assert_eq!(manifest.sources.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["a.txt", "a.txt"]);
    assert_eq!(table(&dataset, "lookup").rows(), 48);
    assert_eq!(manifest.table("lookup").count(), 1);
    assert_eq!(manifest.table("players").count(), 1);
}

#[test]
fn what_is_no_archive_text_is_one_row_of_rejects_and_the_rest_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("data");
    write(folder.path(), "in/1-empty.txt", b"");
    write(folder.path(), "in/2-empty-too.txt", b"");
    write(folder.path(), "in/3-picture.txt", b"\x89PNG\r\n\x1a\n what a picture");
    write(folder.path(), "in/4-games.txt", text(0..3).as_bytes());
    let summary = store(&dataset, &[&folder.path().join("in")]).unwrap();
    let reasons: Vec<_> = summary.rejected_sources.iter().map(|r| r.reason.as_str()).collect();
    assert_eq!(reasons, ["empty_source", "empty_source", "something_else"]);
    assert_eq!(summary.counts, Counts { rows: 3, accepted: 3, flagged: 0, rejected: 0, also_in_log: 0 });
    let rejects = table(&dataset, "rejects");
    assert_eq!(rejects.numbers::<UInt64Type>("line"), [Some(0), Some(0)]);
    let again = store(&dataset, &[&folder.path().join("in")]).unwrap();
    assert_eq!(again.unchanged.len(), 4);
}

#[test]
fn a_damaged_manifest_or_a_shortened_or_missing_file_is_a_clear_error_and_nothing_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("data");
    let source = write(folder.path(), "a.txt", text(0..5).as_bytes());
    store(&dataset, &[&source]).unwrap();
    let path = dataset.join(MANIFEST_FILE);
    let good = fs::read_to_string(&path).unwrap();
    let other = write(folder.path(), "b.txt", text(5..9).as_bytes());

    fs::write(&path, &good[..good.len() / 2]).unwrap();
    let error = store(&dataset, &[&other]).unwrap_err();
    assert!(matches!(error, IngestError::Manifest(ManifestError::Damaged { .. })), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), good[..good.len() / 2]);

    fs::write(&path, &good).unwrap();
    let listed = Manifest::open(&dataset).unwrap().table("turns").next().unwrap().path.clone();
    let file = dataset.join(&listed);
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let error = store(&dataset, &[&other]).unwrap_err();
    assert!(matches!(error, IngestError::Manifest(ManifestError::File { .. })), "{error}");
    assert!(error.to_string().contains(&listed), "{error}");

    fs::remove_file(&file).unwrap();
    let error = store(&dataset, &[&other]).unwrap_err();
    assert!(matches!(error, IngestError::Manifest(ManifestError::File { .. })), "{error}");
    assert!(error.to_string().contains(&listed), "{error}");
}

#[test]
fn two_ingests_at_once_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("data");
    let source = write(folder.path(), "a.txt", text(0..5).as_bytes());
    let held = Lock::acquire(&dataset).unwrap();
    let error = store(&dataset, &[&source]).unwrap_err();
    assert!(matches!(error, IngestError::Write(WriteError::Busy { .. })), "{error}");
    drop(held);
    store(&dataset, &[&source]).unwrap();
}

#[test]
fn what_an_ingest_replaced_stays_for_readers_until_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("data");
    for (name, ids) in [("a.txt", 0..5), ("b.txt", 5..9), ("c.txt", 9..12)] {
        let source = write(folder.path(), name, text(ids).as_bytes());
        store(&dataset, &[&source]).unwrap();
    }
    let (listed, there) = (files(&dataset), parquet_files(&dataset));
    let unlisted: Vec<_> = there.iter().filter(|path| !listed.contains_key(*path)).collect();
    let of = |table: &str| unlisted.iter().filter(|path| path.starts_with(table)).count();
    assert_eq!((of("lookup/"), unlisted.len() <= 2), (1, true), "{unlisted:?}");
}

/// Stops an ingest at the n-th moment of a stage.
struct StopAt {
    options: Options,
    stage: Stage,
    games: u64,
}

impl Progress for StopAt {
    fn at(&self, moment: Moment) {
        if moment.stage == self.stage && moment.games >= self.games {
            self.options.cancel.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn an_ingest_that_is_stopped_goes_on_where_it_was_and_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let given = folder.path().join("in");
    for i in 0..6 {
        write(&given, &format!("{i}.txt"), varied(i * 1000..i * 1000 + 1000).as_bytes());
    }
    let members: Vec<_> = (6..9).map(|i| (format!("{i}.txt"), varied(i * 1000..i * 1000 + 1000))).collect();
    let members: Vec<_> = members.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    write(&given, "many.tgz", &gzip(&tar(&members)));
    let whole = folder.path().join("whole");
    store(&whole, &[&given]).unwrap();

    let stops =
        [(Stage::Reading, 2_000), (Stage::Reading, 7_000), (Stage::Indexing, 0), (Stage::Publishing, 0)];
    for (stage, games) in stops {
        let dataset = folder.path().join(format!("{stage:?}-{games}"));
        let stopped = options(&dataset, &[&given]);
        let error = ingest(&stopped, &StopAt { options: stopped.clone(), stage, games }).unwrap_err();
        let IngestError::Cancelled { finished } = error else { panic!("{error}") };
        assert!(finished as u64 >= games / 1000 - games / 7_000, "{finished} after {games}");
        assert!(Manifest::read(&dataset).unwrap().is_none());
        let summary = store(&dataset, &[&given]).unwrap();
        assert_eq!(summary.resumed, finished as u64);
        assert_eq!(summary.counts.rows, 9_000);
        assert_eq!(files(&dataset), files(&whole), "{stage:?}");
        assert_eq!(
            fs::read(dataset.join(MANIFEST_FILE)).unwrap(),
            fs::read(whole.join(MANIFEST_FILE)).unwrap()
        );
        assert!(!dataset.join(STAGING_FOLDER).exists());
    }
}

#[test]
fn what_was_finished_is_not_taken_over_by_another_ingest() {
    let folder = tempfile::tempdir().unwrap();
    let given = folder.path().join("in");
    for i in 0..4 {
        write(&given, &format!("{i}.txt"), varied(i * 1000..i * 1000 + 1000).as_bytes());
    }
    let dataset = folder.path().join("data");
    let stopped = options(&dataset, &[&given]);
    let stage = Stage::Indexing;
    ingest(&stopped, &StopAt { options: stopped.clone(), stage, games: 0 }).unwrap_err();
    // A file in between has changed: what came before it is taken over, what comes after it is read again.
    write(&given, "1.txt", varied(1000..1900).as_bytes());
    let summary = store(&dataset, &[&given]).unwrap();
    assert_eq!((summary.resumed, summary.counts.rows), (1, 3_900));
    let fresh = folder.path().join("fresh");
    store(&fresh, &[&given]).unwrap();
    assert_eq!(files(&dataset), files(&fresh));
}

/// Notes what it is told.
#[derive(Default)]
struct Notes {
    calls: AtomicU64,
    last: Mutex<Option<Moment>>,
}

impl Progress for Notes {
    fn at(&self, moment: Moment) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let last = self.last.lock().unwrap().replace(moment);
        if let Some(last) = last.filter(|last| last.stage == moment.stage) {
            assert!(last.bytes <= moment.bytes && last.games <= moment.games);
        }
    }
}

#[test]
fn progress_only_grows_and_ends_with_all_games() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "a.txt", varied(0..20_000).as_bytes());
    let notes = Notes::default();
    ingest(&options(&folder.path().join("data"), &[&source]), &notes).unwrap();
    let last = notes.last.into_inner().unwrap().unwrap();
    assert_eq!((last.stage, last.games), (Stage::Publishing, 20_000));
    assert!(notes.calls.into_inner() >= 3);
}
