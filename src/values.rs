//! Parsers of argument values: closed vocabularies, whose values clap prints, and `NAME=VALUE`.

use std::fmt::Display;
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

/// Parses `NAME=VALUE`; the last `=` divides them.
pub fn assignment<N, V>(text: &str) -> Result<(N, V), String>
where
    N: FromStr<Err: Display>,
    V: FromStr<Err: Display>,
{
    let halves = text.rsplit_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let (name, value) = halves
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| format!("expected NAME=VALUE, found `{text}`"))?;
    let name = name.parse().map_err(|error: N::Err| error.to_string())?;
    Ok((name, value.parse().map_err(|error: V::Err| error.to_string())?))
}

/// Parses `NAME[=VALUE]`.
pub fn name_with_value<V: FromStr<Err: Display>>(text: &str) -> Result<(String, Option<V>), String> {
    match text.trim() {
        "" => Err("expected a name, found nothing".to_owned()),
        text if text.contains('=') => assignment(text).map(|(name, value)| (name, Some(value))),
        text => Ok((text.to_owned(), None)),
    }
}

#[cfg(test)]
mod tests {
    use annals_events::PlayerId;

    use super::*;

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
}
