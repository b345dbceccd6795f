//! Files that lead around for ever: reading them ends, soon and with a clear answer.

use std::fs;
use std::time::{Duration, Instant};

use annals_store::{Finding, Log, OpenError, VerifyOptions, compare, diagnose, salvage, verify};
use rusqlite::Connection;

use crate::scene::Scene;

/// Far more than any of this takes on a slow machine, and far less than for ever.
const SOON: Duration = Duration::from_secs(60);

const ENDLESS: &str = "DROP TABLE event;
    CREATE VIEW event AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT -i AS seq, 'log/annals' AS stream, i AS version, x'00' AS id, 'log.opened' AS type, 1 AS schema,
      0 AS effective_at, 0 AS recorded_at, 'x' AS actor, '{}' AS payload, x'00' AS hash FROM n";

#[test]
fn a_view_over_endless_rows_in_the_place_of_the_events_is_never_read() {
    let start = Instant::now();
    let (sound, scene) = (Scene::with_events(30), Scene::with_events(30));
    Connection::open(scene.path()).unwrap().execute_batch(ENDLESS).unwrap();
    let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
    assert!(!report.is_whole() && report.findings.contains(&Finding::NotRead), "{:?}", report.findings);
    assert_eq!((report.last, report.intact.len(), report.first_bad()), (0, 0, None));
    let appending = Log::open_for_append(&scene.path(), Box::new(scene.clock.clone()));
    for error in [
        Log::open(&scene.path()).unwrap_err(),
        Log::inspect(&scene.path()).unwrap_err(),
        appending.unwrap_err(),
    ] {
        assert!(matches!(error, OpenError::Schema { .. }), "{error}");
        assert!(error.to_string().contains("table event is missing"), "{error}");
    }
    assert!(!diagnose(&scene.path(), &scene.clock, false).is_well());
    let salvaged = salvage(&scene.path(), &mut Vec::new()).unwrap();
    assert_eq!(salvaged.readable, None);
    // Nor is it read as the backup of another log.
    assert!(compare(&sound.path(), &scene.path()).is_err());
    let options = VerifyOptions { backups: vec![scene.path()], ..VerifyOptions::default() };
    let report = verify(&sound.path(), &options).unwrap();
    assert!(matches!(report.findings.as_slice(), [Finding::Backup { .. }]), "{:?}", report.findings);
    assert!(start.elapsed() < SOON);
}

const PAGE: usize = 4096;

/// Makes the table of events a tree in which every page leads to the next one hundreds of times, and the last to one page with
/// events: more rows than anybody can count, in some 20 pages.
fn with_endless_pages(scene: &Scene) {
    let root: u32 = Connection::open(scene.path())
        .unwrap()
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'event'", [], |row| row.get(0))
        .unwrap();
    let root = root as usize;
    let mut bytes = fs::read(scene.path()).unwrap();
    let leaf = bytes.chunks(PAGE).skip(1).position(|page| page[0] == 13 && page[4] > 3).unwrap() + 1;
    let leaf_page = bytes[leaf * PAGE..][..PAGE].to_vec();
    let levels = 15;
    let first_new = bytes.len() / PAGE + 1;
    let interior = |next: usize| {
        let mut page = vec![0u8; PAGE];
        let (cells, content) = (300usize, PAGE - 5 * 300);
        page[0] = 5;
        page[3..5].copy_from_slice(&(cells as u16).to_be_bytes());
        page[5..7].copy_from_slice(&(content as u16).to_be_bytes());
        page[8..12].copy_from_slice(&(next as u32).to_be_bytes());
        for cell in 0..cells {
            let at = content + 5 * cell;
            page[12 + 2 * cell..][..2].copy_from_slice(&(at as u16).to_be_bytes());
            page[at..at + 4].copy_from_slice(&(next as u32).to_be_bytes());
            page[at + 4] = 100;
        }
        page
    };
    for level in 0..levels {
        bytes.extend(interior(first_new + level + 1));
    }
    bytes.extend(leaf_page);
    bytes[(root - 1) * PAGE..root * PAGE].copy_from_slice(&interior(first_new));
    let pages = (bytes.len() / PAGE) as u32;
    bytes[28..32].copy_from_slice(&pages.to_be_bytes());
    fs::write(scene.path(), bytes).unwrap();
}

#[test]
fn pages_that_lead_to_endless_rows_are_read_for_a_bounded_time() {
    let start = Instant::now();
    let scene = Scene::with_events(60);
    with_endless_pages(&scene);
    let report = verify(&scene.path(), &VerifyOptions::default()).unwrap();
    let is_cut_off = |finding: &Finding| finding.to_string().contains("more work than a log of this size");
    assert!(!report.is_whole() && report.findings.iter().any(is_cut_off), "{:?}", report.findings);
    assert!(!diagnose(&scene.path(), &scene.clock, false).is_well());
    // The pages with the events are all there.
    assert!(salvage(&scene.path(), &mut Vec::new()).unwrap().is_complete());
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}
