//! A small home with a log and a dataset, for targets that query it.

use std::{fs, thread};

use annals_analytics::{Options, STACK_BYTES, Schema, Session};
use annals_events::{Entry, Event, EventId};
use annals_ingest::imported::Recording;
use annals_ingest::run::{self, ingest};
use annals_ingest::state_file::StateFile;
use annals_server::{App, Home};
use annals_store::{Log, NewEvent, NewLog, SetClock, Transaction};
use annals_tournaments::rulebook::Rulebook;
use tempfile::TempDir;

use crate::known_log::{LOG, START, event, folder};
use crate::seeds::{SMALL_FINAL, archive};

/// Bytes for a query.
const MEMORY: usize = 64 << 20;

pub struct SmallHome {
    folder: TempDir,
}

impl SmallHome {
    /// Games of two players in the log, a tournament, and a dataset of generated games.
    pub fn create() -> SmallHome {
        let folder = folder();
        let new = NewLog { log_id: LOG, program: "fuzz".to_owned(), note: None, actor: "omar".to_owned() };
        let mut log =
            Log::create(&folder.path().join("log.db"), &new, Box::new(SetClock::at(START))).unwrap();
        let rulebook = Rulebook::named("wcc-2015").unwrap();
        let told = StateFile::read(SMALL_FINAL).unwrap().events(&Recording::new("A Final", rulebook), START);
        let tournament = (100..).zip(told.events).map(|(number, told)| {
            let entry = Entry::from(Event::from(told.event));
            let id = EventId::for_import([8; 8], number);
            NewEvent::new("tournament/final".parse().unwrap(), id, told.at, "omar", &entry).unwrap()
        });
        log.append(&Transaction::of((2..8).map(event).chain(tournament).collect())).unwrap();
        drop(log);
        let games = folder.path().join("games.txt");
        fs::write(&games, archive(20, 1)).unwrap();
        ingest(&run::Options::new(folder.path().join("dataset"), [games]), &()).unwrap();
        SmallHome { folder }
    }

    pub fn session(&self) -> Session {
        let options = Options {
            memory: MEMORY,
            last_resort: None,
            threads: Some(1),
            spill: self.folder.path().join("spill"),
            log: Some(self.folder.path().join("log.db")),
            schema: Schema::default(),
            files: Vec::new(),
        };
        Session::open(&self.folder.path().join("dataset").as_path().into(), &options).unwrap()
    }

    pub fn app(&self) -> App {
        App::new(Home {
            log: self.folder.path().join("log.db"),
            dataset: self.folder.path().join("dataset").into(),
            spill: self.folder.path().join("spill"),
            memory: MEMORY,
        })
    }
}

/// On a thread with the stack that the program has.
pub fn on_large_stack(work: impl FnOnce() + Send) {
    thread::scope(|scope| {
        thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).unwrap();
    });
}
