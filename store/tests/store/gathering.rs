//! Reading for a fold gives what reading gives, event by event, and stops at the same damage.

use std::ops::{ControlFlow, RangeInclusive};

use annals_store::{FoldEvent, Log, ReadError};

use crate::scene::Scene;
use crate::tampering::unprotected;

const EVENTS: u64 = 700;

/// What is read before the end or the damage, and the damage.
type Found = (Vec<String>, Option<ReadError>);

fn go_on(seen: &mut Vec<String>, event: &FoldEvent<'_>) -> Result<ControlFlow<()>, ReadError> {
    seen.push(format!("{event:?}"));
    Ok(ControlFlow::Continue(()))
}

fn both(log: &Log, range: RangeInclusive<u64>) -> [Found; 2] {
    let (mut plain, mut gathered) = (Vec::new(), Vec::new());
    let one = log.scan(range.clone(), |event| go_on(&mut plain, &event.for_fold())).err();
    let other = log.scan_for_fold(range, |event| go_on(&mut gathered, &event)).err();
    [(plain, one), (gathered, other)]
}

#[test]
fn a_fold_reads_what_a_scan_reads() {
    let log = Scene::with_events(EVENTS).open();
    for range in [1..=u64::MAX, 1..=1, 0..=256, 2..=257, 300..=699, 700..=700, 701..=900] {
        let [plain, gathered] = both(&log, range.clone());
        assert_eq!(plain, gathered, "{range:?}");
        let expected = (*range.end()).min(EVENTS).saturating_sub((*range.start()).max(1) - 1);
        assert_eq!((plain.0.len() as u64, plain.1), (expected, None), "{range:?}");
    }
}

#[test]
fn a_fold_stops_where_a_scan_stops() {
    for damage in [
        "UPDATE event SET payload = CAST(x'FF7B7D' AS TEXT) WHERE seq = 400",
        "UPDATE event SET schema = 5000000000 WHERE seq = 256",
        "DELETE FROM event WHERE seq = 257",
        "UPDATE event SET seq = 9000 WHERE seq = 300",
    ] {
        let scene = Scene::with_events(EVENTS);
        unprotected(&scene, |connection| connection.execute_batch(damage).unwrap());
        let log = Log::inspect(&scene.path()).unwrap();
        let [plain, gathered] = both(&log, 1..=EVENTS);
        assert_eq!(plain, gathered, "{damage}");
        assert!(plain.1.is_some(), "{damage}");
        // What was gathered behind the damage is gone.
        let [plain, gathered] = both(&log, 1..=10);
        assert_eq!((plain.0.len(), plain.1.is_some()), (10, false));
        assert_eq!(plain.0, gathered.0);
    }
}

#[test]
fn a_fold_can_be_ended_early_and_read_within_another() {
    let log = Scene::with_events(EVENTS).open();
    let mut seen = Vec::new();
    log.scan_for_fold(1..=EVENTS, |event| {
        seen.push(event.seq);
        if event.seq % 100 == 0 {
            let mut within = 0;
            log.scan_for_fold(1..=EVENTS, |event| {
                within = event.seq;
                Ok::<_, ReadError>(if within == 300 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            })?;
            assert_eq!(within, 300);
        }
        Ok::<_, ReadError>(if event.seq == 500 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })
    .unwrap();
    assert_eq!(seen, (1..=500).collect::<Vec<_>>());
}
