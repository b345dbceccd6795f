//! Values of options that several commands have: closed vocabularies, which clap prints, a number or none, and threads.

use std::fmt;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A parser of one of these values, each by its name.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let find = move |text: String| all.iter().copied().find(|one| name(*one) == text).ok_or("unknown value");
    PossibleValuesParser::new(all.iter().map(|one| name(*one))).try_map(find)
}

/// A number, or `none`.
#[derive(Debug, Clone, Copy)]
pub struct OrNone<N>(pub Option<N>);

impl<N: fmt::Display> fmt::Display for OrNone<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(number) => number.fmt(f),
            None => f.write_str("none"),
        }
    }
}

impl<N: FromStr<Err: fmt::Display>> FromStr for OrNone<N> {
    type Err = String;

    fn from_str(text: &str) -> Result<OrNone<N>, String> {
        match text {
            "none" => Ok(OrNone(None)),
            _ => text
                .parse()
                .map(|number| OrNone(Some(number)))
                .map_err(|error: N::Err| format!("{error}; write a number, or `none`")),
        }
    }
}

// How many threads work.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct ThreadsArgs {
    /// Working threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsArgs {
    /// The number of threads.
    pub fn count(self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }

    /// Runs work on a pool of these threads.
    #[cfg(feature = "learning")]
    pub fn install<T: Send>(self, work: impl FnOnce() -> T + Send) -> Result<T, rayon::ThreadPoolBuildError> {
        Ok(rayon::ThreadPoolBuilder::new().num_threads(self.count()).build()?.install(work))
    }
}
