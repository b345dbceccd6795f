//! Durations in time controls.

use std::fmt;

/// An error in one field.
pub(super) enum Fault {
    Malformed,
    TooLarge(u32),
}

pub(super) const DAY: u32 = 86_400;
pub(super) const HOUR: u32 = 3_600;
pub(super) const MINUTE: u32 = 60;

/// Largest time: 100 years of 365 days.
pub(super) const MAX_SECONDS: u32 = 100 * 365 * DAY;

/// Seconds with units: `1d2h`, `2m30s`, `0`.
pub(super) struct Span(pub u32);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0");
        }
        let mut left = self.0;
        for (unit, letter) in [(DAY, 'd'), (HOUR, 'h'), (MINUTE, 'm'), (1, 's')] {
            if left >= unit {
                write!(f, "{}{letter}", left / unit)?;
                left %= unit;
            }
        }
        Ok(())
    }
}

/// Decimal digits only, up to a limit.
pub(super) fn number(digits: &str, limit: u32) -> Result<u32, Fault> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Fault::Malformed);
    }
    let mut value: u32 = 0;
    for digit in digits.bytes() {
        value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
    }
    if value > limit { Err(Fault::TooLarge(limit)) } else { Ok(value) }
}

/// In seconds; `bare` is the unit of a bare number, `small` that of a number after a colon.
pub(super) fn span(field: &str, bare: u32, small: u32) -> Result<u32, Fault> {
    const LIMIT: u32 = MAX_SECONDS;
    let times = |digits: &str, unit: u32| match number(digits, LIMIT)?.checked_mul(unit) {
        Some(seconds) if seconds <= LIMIT => Ok(seconds),
        _ => Err(Fault::TooLarge(LIMIT)),
    };
    let plus = |a: u32, b: u32| match a.checked_add(b) {
        Some(sum) if sum <= LIMIT => Ok(sum),
        _ => Err(Fault::TooLarge(LIMIT)),
    };
    if let Some((large, rest)) = field.split_once(':') {
        let large = if large.is_empty() { 0 } else { times(large, bare)? };
        return plus(large, times(rest, small)?);
    }
    let mut total = 0;
    let mut rest = field;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let (digits, unit, tail) = match end {
            None => (rest, bare, ""),
            Some(end) => {
                let unit = match rest.as_bytes()[end] {
                    b's' => 1,
                    b'm' => MINUTE,
                    b'h' => HOUR,
                    b'd' => DAY,
                    _ => return Err(Fault::Malformed),
                };
                (&rest[..end], unit, &rest[end + 1..])
            }
        };
        total = plus(total, times(digits, unit)?)?;
        rest = tail;
    }
    Ok(total)
}
