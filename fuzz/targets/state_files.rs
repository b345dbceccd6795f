//! State files of directors: what is read is written and read again as the same statements, which give the same events. The
//! first byte chooses the rulebook.
#![no_main]

use annals_ingest::imported::Recording;
use annals_ingest::state_file::{FromState, StateFile, recorded};
use annals_tournaments::Tournament;
use annals_tournaments::rulebook::Rulebook;
use libfuzzer_sys::fuzz_target;

const RULEBOOKS: [&str; 4] = ["wcc-2015", "wc-2009", "postal-2006", "olympiad-amazons-2000"];
const BEGINS: i64 = 1_400_000_000_000_000;

fn written(told: &FromState) -> StateFile {
    recorded((1..).zip(&told.events).map(|(seq, told)| (seq, told.at, &told.event))).file
}

fuzz_target!(|data: &[u8]| {
    let [rulebook, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Ok(file) = StateFile::read(text) else { return };
    let again = StateFile::read(&file.to_string()).unwrap_or_else(|error| panic!("{file}\n{error}"));
    assert!(again.said().eq(file.said()), "{file}");
    let rulebook = Rulebook::named(RULEBOOKS[usize::from(*rulebook) % RULEBOOKS.len()]).unwrap();
    let recording = Recording::new("A Final", rulebook);
    let told = file.events(&recording, BEGINS);
    let mut tournament = Tournament::default();
    for (seq, told) in (1..).zip(&told.events) {
        tournament.evolve(seq, told.at, &told.event);
    }
    let out = written(&told);
    let again = StateFile::read(&out.to_string()).unwrap_or_else(|error| panic!("{out}\n{error}"));
    let events = again.events(&recording, BEGINS).events;
    assert_eq!(events.len(), told.events.len(), "{out}");
    for (new, old) in events.iter().zip(&told.events) {
        assert_eq!(new.event, old.event, "{out}");
    }
});
