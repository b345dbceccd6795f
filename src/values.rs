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

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!((bytes("512MB"), bytes("1GiB")), (Ok(512_000_000), Ok(1 << 30)));
        assert_eq!((bytes("500 mb"), bytes("4096")), (Ok(500_000_000), Ok(4096)));
        for text in ["", "GB", "-1", "1.5GB", "1XB", "0", "99999999999999999999", "99999999999GB"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
