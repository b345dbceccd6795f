//! Many games on several threads, returned in their order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::bounded;

/// Plays the games 0 to `count - 1`, up to `jobs` at a time, and passes the result of `play` for each to `done`, in the order of
/// their numbers, independent of the order in which they end. If `done` fails, no further game begins, and the
/// running ones are awaited.
///
/// # Errors
/// The first error of `done`.
pub fn play_all<T: Send, E>(
    count: usize,
    jobs: usize,
    play: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let jobs = jobs.clamp(1, count.max(1));
    let next = AtomicUsize::new(0);
    let (sender, finished) = bounded(jobs);
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, play) = (sender.clone(), &next, &play);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, play(index))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut handed = 0;
        while let Ok((index, result)) = finished.recv() {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&handed) {
                if let Err(error) = done(handed, result) {
                    next.store(count, Ordering::Relaxed);
                    drop(finished);
                    return Err(error);
                }
                handed += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_handed_of_in_order_and_an_error_ends_the_series() {
        let play = |index: usize| {
            thread::sleep(std::time::Duration::from_millis((7 * index as u64) % 5));
            index * index
        };
        let mut handed = Vec::new();
        let all: Result<(), ()> = play_all(20, 3, play, |index, square| {
            handed.push((index, square));
            Ok(())
        });
        all.unwrap();
        assert_eq!(handed, (0..20).map(|n| (n, n * n)).collect::<Vec<_>>());
        let stopped = play_all(1000, 2, play, |index, _| if index == 3 { Err("enough") } else { Ok(()) });
        assert_eq!(stopped, Err("enough"));
        assert_eq!(play_all(0, 4, play, |_, _| Err(())), Ok(()));
    }
}
