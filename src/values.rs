//! Values of options that several commands have: closed vocabularies, which clap prints, `NAME=VALUE`, a number or none, and
//! threads.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use annals_report::shell_word;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A parser of one of these values, each by its name.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let find = move |text: String| all.iter().copied().find(|one| name(*one) == text).ok_or("unknown value");
    PossibleValuesParser::new(all.iter().map(|one| name(*one))).try_map(find)
}

/// Parses `NAME=VALUE`; the last `=` divides them.
pub fn assignment<N, V>(text: &str) -> Result<(N, V), String>
where
    N: FromStr<Err: fmt::Display>,
    V: FromStr<Err: fmt::Display>,
{
    let halves = text.rsplit_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let (name, value) = halves
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| format!("expected NAME=VALUE, found `{text}`"))?;
    let name = name.parse().map_err(|error: N::Err| error.to_string())?;
    Ok((name, value.parse().map_err(|error: V::Err| error.to_string())?))
}

/// Parses `NAME[=VALUE]`.
pub fn name_with_value<V: FromStr<Err: fmt::Display>>(text: &str) -> Result<(String, Option<V>), String> {
    match text.trim() {
        "" => Err("expected a name, found nothing".to_owned()),
        text if text.contains('=') => assignment(text).map(|(name, value)| (name, Some(value))),
        text => Ok((text.to_owned(), None)),
    }
}

/// A path as a word of a command line.
pub fn shell_path(path: &Path) -> String {
    shell_word(&path.to_string_lossy())
}

/// Reads a size: a number of bytes, with or without a unit.
pub fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a size such as 512MB, 4GB or 1GiB, found `{text}`");
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number.checked_mul(factor).filter(|bytes| *bytes > 0).ok_or_else(wrong)
}

/// A number, or `none`.
#[cfg(feature = "dataset")]
#[derive(Debug, Clone, Copy)]
pub struct OrNone<N>(pub Option<N>);

#[cfg(feature = "dataset")]
impl<N: fmt::Display> fmt::Display for OrNone<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(number) => number.fmt(f),
            None => f.write_str("none"),
        }
    }
}

#[cfg(feature = "dataset")]
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

/// A parser of one of these values, each after its word.
#[cfg(feature = "sql")]
pub fn by_word<T: Copy + Send + Sync + 'static>(
    all: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let find = move |text: String| {
        all.iter().find(|(word, _)| *word == text).map(|(_, one)| *one).ok_or("unknown value")
    };
    PossibleValuesParser::new(all.iter().map(|(word, _)| *word)).try_map(find)
}

#[cfg(test)]
mod tests {
    use annals_events::PlayerId;

    use super::{assignment, bytes, name_with_value};

    #[test]
    fn the_last_equals_sign_divides_a_name_and_its_value() {
        let identity = assignment::<String, PlayerId>;
        assert_eq!(identity("a=b=c"), Ok(("a=b".to_owned(), "c".parse().unwrap())));
        for wrong in ["", "a", "=a", "a=", "a=B"] {
            assert!(identity(wrong).is_err(), "{wrong}");
        }
        assert_eq!(name_with_value("Pentium 4 = 800"), Ok(("Pentium 4".to_owned(), Some(800))));
        assert_eq!(name_with_value::<u32>("left"), Ok(("left".to_owned(), None)));
        assert!(name_with_value::<u32>(" ").is_err());
    }

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!((bytes("512MB"), bytes("1GiB")), (Ok(512_000_000), Ok(1 << 30)));
        assert_eq!((bytes("500 mb"), bytes("4096")), (Ok(500_000_000), Ok(4096)));
        for text in ["", "GB", "-1", "1.5GB", "1XB", "0", "99999999999999999999", "99999999999GB"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
