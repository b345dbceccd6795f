//! Whole championships whose games a coin decides: whoever wins, every one of them is played to its end, and is clean.

use std::collections::BTreeSet;

use annals_replay::{Cut, audit_tournament};
use annals_store::{Log, VerifyOptions, verify};

use super::*;

struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &'static str) {}

    fn game(&self) {}

    fn say(&self, _: &str) -> Result<(), DemoError> {
        Ok(())
    }
}

fn played(seed: u64) -> (tempfile::TempDir, Director, Instants) {
    let folder = tempfile::tempdir().unwrap();
    let participants = Participants::with_nodes(80).unwrap();
    let done = play(&folder.path().join("log.db"), seed, &participants, matches::coin, &Silent);
    let (director, instants) = done.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    (folder, director, instants)
}

#[test]
fn whoever_wins_a_championship_is_played_to_its_end_and_is_clean() {
    // Nearly all of the time is spent waiting for the disk, so that they go on side by side.
    let rounds: BTreeSet<u32> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..24).map(|seed| scope.spawn(move || clean(seed))).collect();
        started.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(rounds.len() > 1, "tournaments differ: {rounds:?}");
}

/// Plays a championship, which has to be clean, and gives its number of rounds.
fn clean(seed: u64) -> u32 {
    let (folder, _, instants) = played(seed);
    let path = folder.path().join("log.db");
    assert!(verify(&path, &VerifyOptions::default()).unwrap().is_whole(), "seed {seed}");
    let log = Log::open(&path).unwrap();
    let stream = "tournament/cup".parse().unwrap();
    let audit = audit_tournament(&log, &stream, &Cut::NOW, &[]).unwrap();
    assert!(audit.is_clean(), "seed {seed}: {:#?}", audit.violations().collect::<Vec<_>>());
    assert_eq!(audit.counts.undetermined, 0, "seed {seed}");
    let places: Vec<u32> = audit.places.iter().map(|placing| placing.place).collect();
    assert!(places.starts_with(&[1, 2, 3]), "seed {seed}: {:?}", audit.places);
    assert!(instants.halted.is_some() && instants.believed.is_some(), "seed {seed}");
    instants.rounds
}

#[test]
fn the_same_seed_gives_the_same_log_and_another_one_another() {
    let heads: Vec<String> =
        [7, 7, 8].into_iter().map(|seed| played(seed).1.log.acknowledged().unwrap().to_string()).collect();
    assert_eq!(heads[0], heads[1]);
    assert_ne!(heads[0], heads[2]);
}
