//! Whole Olympiads whose games are played by chance: whoever wins, every one of them is played to its end, and is clean.

use annals_events::Termination;
use annals_replay::{Cut, Replayed, Scope, TournamentReplay, audit_tournament};
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
    let participants = Participants::with_nodes(8).unwrap();
    let done = play(&folder.path().join("log.db"), seed, &participants, matches::any_moves, &Silent);
    let (director, instants) = done.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    (folder, director, instants)
}

#[test]
fn whoever_wins_an_olympiad_is_played_to_its_end_and_is_clean() {
    let ends: Vec<Vec<Termination>> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..12).map(|seed| scope.spawn(move || clean(seed))).collect();
        started.into_iter().map(|one| one.join().unwrap()).collect()
    });
    for how in
        [Termination::Immobilization, Termination::Resignation, Termination::Time, Termination::Forfeit]
    {
        assert!(ends.iter().flatten().any(|end| *end == how), "no game ended by {how}");
    }
}

/// Plays an Olympiad, which has to be clean, and gives how its games ended.
fn clean(seed: u64) -> Vec<Termination> {
    let (folder, _, instants) = played(seed);
    let path = folder.path().join("log.db");
    assert!(verify(&path, &VerifyOptions::default()).unwrap().is_whole(), "seed {seed}");
    let log = Log::open(&path).unwrap();
    let stream = "tournament/olympiad".parse().unwrap();
    let audit = audit_tournament(&log, &stream, &Cut::NOW, &[]).unwrap();
    assert!(audit.is_clean(), "seed {seed}: {:#?}", audit.violations().collect::<Vec<_>>());
    assert_eq!(audit.counts.undetermined, 0, "seed {seed}");
    assert!(instants.halted.is_some() && instants.slip.is_some(), "seed {seed}");
    let replayed = Replayed::<TournamentReplay>::rebuild(&log, Scope::Stream(stream), &Cut::NOW).unwrap();
    let tournament = replayed.into_state().tournament;
    assert_eq!(tournament.closed.map(|closed| closed.places.len()), Some(7), "seed {seed}");
    let rounds = tournament.rounds.values();
    assert!(rounds.clone().all(|round| round.boards.len() == 6 && round.byes.len() == 1), "seed {seed}");
    rounds.flat_map(|round| round.boards.values()).filter_map(|board| board.termination()).collect()
}

#[test]
fn the_same_seed_gives_the_same_log_and_another_one_another() {
    let heads: Vec<String> =
        [7, 7, 8].into_iter().map(|seed| played(seed).1.log.acknowledged().unwrap().to_string()).collect();
    assert_eq!(heads[0], heads[1]);
    assert_ne!(heads[0], heads[2]);
}
