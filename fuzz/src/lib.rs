//! What the targets share: a known log, games at random, the seeds of the corpora, and the properties of several targets.

#[path = "../../ingest/tests/ingest/any_game_file.rs"]
pub mod game_files;
#[cfg(feature = "sql")]
pub mod home;
pub mod known_log;
pub mod seeds;
mod seeds_of_sql;

use std::fmt::{Debug, Display};
use std::str::FromStr;

/// What is accepted is written, and read again as the same value.
pub fn survives<T>(text: &str)
where
    T: FromStr<Err: Debug> + Display + PartialEq + Debug,
{
    let Ok(value) = text.parse::<T>() else { return };
    let written = value.to_string();
    let again = written.parse::<T>();
    assert_eq!(again.as_ref().ok(), Some(&value), "{written:?} gives {again:?}");
}

/// As [`survives`], and the text has one spelling.
pub fn survives_to_the_byte<T>(text: &str)
where
    T: FromStr<Err: Debug> + Display + PartialEq + Debug,
{
    survives::<T>(text);
    if let Ok(value) = text.parse::<T>() {
        assert_eq!(value.to_string(), text);
    }
}
