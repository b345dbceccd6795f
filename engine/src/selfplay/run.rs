//! All games of a run, on several threads, returned in order. At most a few games per thread are under way or waiting
//! for an earlier one, so that memory is bounded for any number and any duration of games.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};

use super::SelfPlay;
use super::game::{GameFault, GameTable, Generated};
use crate::seated::{Seated, TableError};

/// Games under way or waiting, for each thread.
const AHEAD: u64 = 4;

/// The result of a game; none if it did not begin.
type Played = Option<Result<Generated, GameFault>>;

/// A game whose result a receiver awaits: a message is always sent, even if a player panics.
struct Promise {
    number: u64,
    send: Sender<(u64, Played)>,
    played: Played,
}

impl Drop for Promise {
    fn drop(&mut self) {
        // There is no receiver after the run was stopped.
        let _ = self.send.send((self.number, self.played.take()));
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    #[error(transparent)]
    Fault(#[from] GameFault),
    #[error("{threads} threads cannot be started: {why}")]
    Threads { threads: usize, why: String },
    #[error("the players of {threads} threads cannot be made ready: {error}")]
    GameTable { threads: usize, error: TableError },
    #[error("a game was played but not taken")]
    Refused(E),
}

impl<S: Seated> SelfPlay<S> {
    /// Plays all games and calls `each` with them, in the order of their numbers for any number of threads. `stop` ends the
    /// run after the games under way; those played so far have been handed out.
    ///
    /// # Errors
    /// When a player makes an illegal turn, or `each` fails; then no further game begins.
    pub fn play<E>(
        &self,
        threads: usize,
        stop: &AtomicBool,
        each: impl FnMut(Generated) -> Result<(), E>,
    ) -> Result<(), RunError<E>> {
        self.play_from(0, threads, stop, each)
    }

    /// As [`SelfPlay::play`], without the games before `first`.
    ///
    /// # Errors
    /// As [`SelfPlay::play`].
    pub fn play_from<E>(
        &self,
        first: u64,
        threads: usize,
        stop: &AtomicBool,
        mut each: impl FnMut(Generated) -> Result<(), E>,
    ) -> Result<(), RunError<E>> {
        let threads = threads.clamp(1, 1024);
        let cannot = |why: String| RunError::Threads { threads, why };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| cannot(error.to_string()))?;
        let games = self.options().games;
        let ahead = threads as u64 * AHEAD;
        // Players are reused; their tables are cleared between two games.
        let mut tables = Vec::with_capacity(threads);
        for _ in 0..threads {
            tables.push(self.table().map_err(|error| RunError::GameTable { threads, error })?);
        }
        let tables: Mutex<Vec<GameTable<'_, S>>> = Mutex::new(tables);
        let given_up = AtomicBool::new(false);
        pool.in_place_scope(|scope| {
            let (send, receive) = channel::<(u64, Played)>();
            let begin = |number: u64| {
                let (send, tables, given_up) = (send.clone(), &tables, &given_up);
                scope.spawn(move |_| {
                    let mut promise = Promise { number, send, played: None };
                    let halted = given_up.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
                    let table = if halted { None } else { lock(tables).pop() };
                    promise.played = table.map(|mut table| {
                        let played = table.play(number);
                        lock(tables).push(table);
                        played
                    });
                });
            };
            (first..games.min(first + ahead)).for_each(&begin);
            let mut waiting = BTreeMap::new();
            let mut next = first;
            while next < games {
                let Ok((number, played)) = receive.recv() else { break };
                waiting.insert(number, played);
                while let Some(played) = waiting.remove(&next) {
                    let Some(played) = played else { return Ok(()) };
                    let taken = played
                        .map_err(RunError::Fault)
                        .and_then(|game| each(game).map_err(RunError::Refused));
                    if let Err(error) = taken {
                        given_up.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                    if next + ahead < games {
                        begin(next + ahead);
                    }
                    next += 1;
                }
            }
            Ok(())
        })
    }
}

/// The tables; a panic leaves them unchanged, since each thread has its own.
fn lock<'m, 'r, S: Seated>(
    tables: &'m Mutex<Vec<GameTable<'r, S>>>,
) -> std::sync::MutexGuard<'m, Vec<GameTable<'r, S>>> {
    tables.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
