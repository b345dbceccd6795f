//! Sizes of memory as text: `512MB`, `1GiB`.

/// Reads a number of bytes, with or without a unit.
///
/// # Errors
/// In words, when the text is not a size above 0.
pub fn read_size(text: &str) -> Result<u64, String> {
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
    number.checked_mul(factor).filter(|n| *n > 0).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!(read_size("512MB"), Ok(512_000_000));
        assert_eq!(read_size("1GiB"), Ok(1 << 30));
        assert_eq!(read_size("4096"), Ok(4096));
        for text in ["", "GB", "-1", "1.5GB", "1XB", "0", "99999999999999999999GB"] {
            assert!(read_size(text).is_err(), "{text}");
        }
    }
}
