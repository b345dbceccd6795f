//! Numbers and durations for terminals.

use std::time::Duration;

/// For example `10,298`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// For example `1 row`, `1,204 rows`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// The two largest units: `4 s`, `3 min 20 s`, `2 h 5 min`.
#[must_use]
pub fn duration(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated_and_nouns_agree() {
        assert_eq!([0, 999, 10_298, 1_000_000].map(grouped), ["0", "999", "10,298", "1,000,000"]);
        assert_eq!([counted(1, "row"), counted(0, "row")], ["1 row", "0 rows"]);
    }

    #[test]
    fn a_duration_has_its_two_largest_units() {
        let text = |seconds| duration(Duration::from_secs(seconds));
        assert_eq!([text(7), text(200), text(7_530)], ["7 s", "3 min 20 s", "2 h 5 min"]);
    }
}
