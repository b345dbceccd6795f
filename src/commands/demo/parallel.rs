//! Work for all cores, with the results in the order of the tasks, whoever was done first.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::errors::CliError;

/// Does a piece of work for every task; the first that fails, in the order of the tasks, is the error.
pub fn each<T: Sync, R: Send>(
    tasks: &[T],
    work: impl Fn(&T) -> Result<R, CliError> + Sync,
) -> Result<Vec<R>, CliError> {
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(tasks.len().max(1));
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<R, CliError>)>> = Mutex::new(Vec::with_capacity(tasks.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(at) else { break };
                    let result = work(task);
                    if let Ok(mut done) = done.lock() {
                        done.push((at, result));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_tasks_and_the_first_failure_is_told() {
        let tasks: Vec<u64> = (0..100).collect();
        assert_eq!(each(&tasks, |n| Ok(n * n)).unwrap(), tasks.iter().map(|n| n * n).collect::<Vec<_>>());
        let failed = each(&tasks, |n| if *n < 40 { Ok(*n) } else { Err(CliError::new(n)) });
        assert_eq!(failed.unwrap_err().to_string(), "40");
        assert!(each(&[], |n: &u64| Ok(*n)).unwrap().is_empty());
    }
}
