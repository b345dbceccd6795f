//! One thread reads, several work, one writes in reading order. The number of jobs under way is limited, so that memory
//! is bounded, and the output does not depend on the number of threads. Generic over jobs.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::error::IngestError;

/// Polling interval of the waiting writer.
const LOOK_UP: Duration = Duration::from_millis(50);

/// The writer has stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// The panic message of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panicked(pub String);

impl From<Panicked> for IngestError {
    fn from(Panicked(what): Panicked) -> IngestError {
        IngestError::Panicked { what }
    }
}

/// Input of the reading thread.
pub struct Feed<'a, J, D, E = IngestError> {
    jobs: Sender<(u64, J)>,
    done: Sender<(u64, Result<D, E>)>,
    permits: Sender<()>,
    next: u64,
    stop: &'a AtomicBool,
}

impl<J, D, E> Feed<'_, J, D, E> {
    /// Passes a job on; waits while too many are under way.
    ///
    /// # Errors
    /// If the writer has stopped.
    pub fn job(&mut self, job: J) -> Result<(), Stopped> {
        let number = self.number()?;
        self.jobs.send((number, job)).map_err(|_| Stopped)
    }

    /// Passes a finished item on, to be written in order.
    ///
    /// # Errors
    /// If the writer has stopped.
    pub fn ready(&mut self, done: D) -> Result<(), Stopped> {
        let number = self.number()?;
        self.done.send((number, Ok(done))).map_err(|_| Stopped)
    }

    fn number(&mut self) -> Result<u64, Stopped> {
        self.permits.send(()).map_err(|_| Stopped)?;
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        self.next += 1;
        Ok(self.next - 1)
    }
}

/// Number of threads and of items under way.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub threads: usize,
    /// Most items read but not written.
    pub window: usize,
}

/// Runs a pipeline. `read` has its own thread; `worker` creates the state of a working thread, `work` does a job with
/// it; `write` gets the results in reading order on the calling thread, where `look_up` is called regularly.
///
/// # Errors
/// The first error of any; panics become errors. All threads have ended then.
pub fn run<J: Send, D: Send, W, E: From<Panicked> + Send>(
    shape: Shape,
    read: impl FnOnce(&mut Feed<'_, J, D, E>) -> Result<(), Stopped> + Send,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, J) -> Result<D, E> + Sync,
    mut write: impl FnMut(D) -> Result<(), E>,
    mut look_up: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let stop = AtomicBool::new(false);
    let (jobs, jobs_out) = bounded::<(u64, J)>(shape.window);
    let (done, done_out) = unbounded::<(u64, Result<D, E>)>();
    let (permits, permits_out) = bounded::<()>(shape.window);
    std::thread::scope(|scope| {
        let mut feed = Feed { jobs, done: done.clone(), permits, next: 0, stop: &stop };
        scope.spawn(move || {
            let ended = catch_unwind(AssertUnwindSafe(|| read(&mut feed)));
            if let Err(panic) = ended {
                let _ = feed.done.send((feed.next, Err(panicked(panic.as_ref()).into())));
            }
        });
        for _ in 0..shape.threads.max(1) {
            let (jobs, done, worker, work) = (jobs_out.clone(), done.clone(), &worker, &work);
            scope.spawn(move || work_on(&jobs, &done, worker, work));
        }
        drop((jobs_out, done));
        let result = write_in_order(&done_out, &permits_out, &mut write, &mut look_up);
        stop.store(true, Ordering::Relaxed);
        // Releases waiting senders.
        drop((done_out, permits_out));
        result
    })
}

fn work_on<J, D, W, E: From<Panicked>>(
    jobs: &Receiver<(u64, J)>,
    done: &Sender<(u64, Result<D, E>)>,
    worker: &impl Fn() -> W,
    work: &impl Fn(&mut W, J) -> Result<D, E>,
) {
    let mut state = None;
    for (number, job) in jobs {
        let result = catch_unwind(AssertUnwindSafe(|| work(state.get_or_insert_with(worker), job)));
        let result = result.unwrap_or_else(|panic| Err(panicked(panic.as_ref()).into()));
        let failed = result.is_err();
        if done.send((number, result)).is_err() || failed {
            return;
        }
    }
}

fn write_in_order<D, E>(
    done: &Receiver<(u64, Result<D, E>)>,
    permits: &Receiver<()>,
    write: &mut impl FnMut(D) -> Result<(), E>,
    look_up: &mut impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    loop {
        look_up()?;
        let (number, result) = match done.recv_timeout(LOOK_UP) {
            Ok(arrived) => arrived,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        waiting.insert(number, result?);
        while let Some(result) = waiting.remove(&next) {
            write(result)?;
            let _ = permits.try_recv();
            next += 1;
        }
    }
}

fn panicked(panic: &(dyn Any + Send)) -> Panicked {
    let what = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let what = what.or_else(|| panic.downcast_ref::<String>().cloned());
    Panicked(what.unwrap_or_else(|| "no message".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn squares(
        shape: Shape,
        count: u64,
        fail_at: Option<u64>,
        panic_at: Option<u64>,
    ) -> (Vec<u64>, Result<(), IngestError>) {
        let mut written = Vec::new();
        let result = run(
            shape,
            |feed| {
                for i in 0..count {
                    if i % 7 == 3 { feed.ready(i * i)? } else { feed.job(i)? }
                }
                Ok(())
            },
            || 0u64,
            |done, i| {
                *done += 1;
                // Uneven work, so that results overtake each other.
                std::thread::sleep(Duration::from_micros(if i % 5 == 0 { 300 } else { 10 }));
                assert!(Some(i) != panic_at, "job {i} cannot be done");
                if Some(i) == fail_at {
                    return Err(IngestError::Cancelled { finished: 0 });
                }
                Ok(i * i)
            },
            |square| {
                written.push(square);
                Ok(())
            },
            || Ok(()),
        );
        (written, result)
    }

    #[test]
    fn results_are_written_in_the_order_of_reading_however_many_work() {
        for threads in [1, 2, 5] {
            let (written, result) = squares(Shape { threads, window: 2 * threads + 1 }, 200, None, None);
            result.unwrap();
            assert_eq!(written, (0..200).map(|i| i * i).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    #[test]
    fn an_error_ends_everything_and_nothing_after_it_is_written() {
        let (written, result) = squares(Shape { threads: 3, window: 5 }, 1_000_000, Some(100), None);
        assert!(matches!(result, Err(IngestError::Cancelled { .. })));
        assert!(written.len() <= 100);
    }

    #[test]
    fn a_panic_of_a_worker_is_an_error_with_its_words() {
        let (_, result) = squares(Shape { threads: 2, window: 4 }, 1_000_000, None, Some(50));
        let error = result.unwrap_err().to_string();
        assert!(error.contains("job 50 cannot be done"), "{error}");
    }

    #[test]
    fn a_panic_of_the_reader_is_an_error_too() {
        let read = |_: &mut Feed<'_, u8, u8>| -> Result<(), Stopped> { panic!("the reader fell") };
        let error = run(Shape { threads: 2, window: 4 }, read, || (), |(), j| Ok(j), |_| Ok(()), || Ok(()));
        assert!(error.unwrap_err().to_string().contains("the reader fell"));
    }

    #[test]
    fn an_error_of_the_writer_lets_the_reader_go_even_when_it_waits() {
        let written = AtomicUsize::new(0);
        let result = run(
            Shape { threads: 1, window: 2 },
            |feed| (0..).try_for_each(|i: u64| feed.job(i)),
            || (),
            |(), i| Ok(i),
            |_| match written.fetch_add(1, Ordering::Relaxed) {
                10 => Err(IngestError::Cancelled { finished: 0 }),
                _ => Ok(()),
            },
            || Ok(()),
        );
        assert!(result.is_err());
        assert_eq!(written.into_inner(), 11);
    }

    #[test]
    fn no_more_than_the_window_is_ever_under_way() {
        let (read, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut written = 0;
        run(
            Shape { threads: 3, window: 6 },
            |feed| {
                for i in 0..500u64 {
                    feed.job(i)?;
                    read.fetch_add(1, Ordering::SeqCst);
                }
                Ok(())
            },
            || (),
            |(), i| Ok(i),
            |_| {
                most.fetch_max(read.load(Ordering::SeqCst) - written, Ordering::SeqCst);
                written += 1;
                std::thread::sleep(Duration::from_micros(50));
                Ok(())
            },
            || Ok::<(), IngestError>(()),
        )
        .unwrap();
        assert!(most.into_inner() <= 6);
    }
}
