//! Parsers of closed vocabularies, whose values clap prints.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A parser of one of these values, each by its name.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let find = move |text: String| all.iter().copied().find(|one| name(*one) == text).ok_or("unknown value");
    PossibleValuesParser::new(all.iter().map(|one| name(*one))).try_map(find)
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
