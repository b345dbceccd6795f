//! The protocol as a model that is searched whole, and recordings of the program held against it.

mod model;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod recordings;
mod search;

use model::{Mistake, Model, State};
use search::{Found, search};

use crate::scene::sample;

const SMALL: Model = Model { processes: 2, events: 3, crashes: 2, damages: 1, backups: false, mistake: None };

fn searched(model: Model, most: usize) -> Found {
    search(State::new(model.processes, 1), most, |state| model.next(state), |state| model.broken(state))
}

#[test]
fn no_reachable_state_of_the_protocol_breaks_a_promise() {
    let most = sample(100_000, 12_000_000);
    let models = [
        SMALL,
        Model { crashes: 1, backups: true, damages: 2, ..SMALL },
        Model { events: sample(3, 4), crashes: 3, damages: 2, ..SMALL },
        Model { processes: 3, events: sample(3, 4), ..SMALL },
    ];
    let mut states = 0;
    for model in models {
        let found = searched(model, most);
        println!("{model:?}: {} states, complete: {}", found.states, found.is_complete);
        assert_eq!(found.broken, None, "{model:?}");
        states += found.states;
    }
    println!("{} models: {states} states", models.len());
}

#[test]
fn every_mistake_in_the_protocol_breaks_a_promise() {
    use Mistake::*;
    for mistake in [
        AcknowledgesBeforeTheSync,
        AnchorsBeforeTheSync,
        WritesOverTheNewestLine,
        TrustsLinesOfOthers,
        DoesNotSettle,
        SettlesWithoutWritingAgain,
        AcceptsALossUnsettled,
        KeepsTheEpoch,
        ReadsAnUnreadableLineAsOld,
        NamesABackupBeforeTheSync,
        AcceptsALossWithoutTheLock,
    ] {
        let backups = mistake == NamesABackupBeforeTheSync;
        let (crashes, damages) = match mistake {
            ReadsAnUnreadableLineAsOld => (SMALL.crashes, 2),
            AcceptsALossWithoutTheLock => (0, 2),
            _ => (SMALL.crashes, 1),
        };
        let found = searched(Model { backups, crashes, damages, mistake: Some(mistake), ..SMALL }, 1_000_000);
        let broken = found.broken.unwrap_or_else(|| panic!("{mistake:?}: {} states", found.states));
        println!("{mistake:?}, {} states: {broken}\n", found.states);
    }
}
