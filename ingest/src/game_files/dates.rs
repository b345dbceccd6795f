//! Dates in game files, within the log's range. A date without a time is read as the end of its day, month or year: the
//! earliest by which the game had begun.

use annals_events::canonical::MAX_INTEGER;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

const DAY: i64 = 86_400_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dated {
    /// Microseconds since 1970, UTC.
    pub at: i64,
    /// The end of a span: no time of day is stated.
    pub only_date: bool,
}

/// Reads `2000-08-21`, `2000-08`, `2000`, the first date of an SGF list (`2000-08-21,22`), or an RFC 3339 time.
pub(super) fn read(text: &str) -> Option<Dated> {
    let first = text.split(',').next().unwrap_or_default().trim();
    if let Ok(at) = first.parse::<Timestamp>() {
        return within(Dated { at: at.as_microsecond(), only_date: false });
    }
    let mut parts = first.split('-');
    let year = number(parts.next()?, 4)?;
    let month = parts.next().map(|text| number(text, 2));
    let day = parts.next().map(|text| number(text, 2));
    if parts.next().is_some() {
        return None;
    }
    let next = match (month, day) {
        (None, _) => Date::new(year.checked_add(1)?, 1, 1),
        (Some(month), None) => match i8::try_from(month?).ok()? {
            12 => Date::new(year.checked_add(1)?, 1, 1),
            month @ 1..12 => Date::new(year, month + 1, 1),
            _ => return None,
        },
        (Some(month), Some(day)) => {
            let (month, day) = (i8::try_from(month?).ok()?, i8::try_from(day?).ok()?);
            Date::new(year, month, day).and_then(Date::tomorrow)
        }
    };
    let next = next.ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp().as_microsecond();
    within(Dated { at: next - 1, only_date: true })
}

/// The log's range is some 285 years from 1970.
fn within(dated: Dated) -> Option<Dated> {
    (-MAX_INTEGER..=MAX_INTEGER).contains(&dated.at).then_some(dated)
}

fn number(text: &str, digits: usize) -> Option<i16> {
    let fits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}

/// Whether a time is the last microsecond of a day.
pub(super) const fn is_end_of_day(at: i64) -> bool {
    at.wrapping_add(1).rem_euclid(DAY) == 0
}

/// In UTC.
pub(super) fn date(at: i64) -> Option<String> {
    let time = Timestamp::from_microsecond(at).ok()?;
    let date = time.to_zoned(TimeZone::UTC).date();
    (date.year() >= 0).then(|| date.to_string())
}

/// As [`read`] reads it: only the date at the end of a day.
pub(super) fn date_or_time(at: i64) -> Option<String> {
    if is_end_of_day(at) { date(at) } else { Some(Timestamp::from_microsecond(at).ok()?.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_its_end_and_survives() {
        let shown = |text: &str| date_or_time(read(text).unwrap().at).unwrap();
        for (text, back) in [
            ("2000-08-21", "2000-08-21"),
            ("2000-08-21,22,23", "2000-08-21"),
            ("2000-02", "2000-02-29"),
            ("1999", "1999-12-31"),
            ("2000-12", "2000-12-31"),
            ("2000-08-21T10:15:00Z", "2000-08-21T10:15:00Z"),
        ] {
            assert_eq!(shown(text), back);
        }
        assert!(read("1999").unwrap().only_date && !read("2000-08-21T10:15:00Z").unwrap().only_date);
        for bad in ["", "21.8.2000", "2000-13", "2000-02-30", "2000-8-1", "99", "2000-01-01-01"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        assert!(read("1700").is_some() && read("2200-01-01").is_some());
        for bad in ["0001-01-01", "1600", "1600-02-03T04:05:06Z", "2300-01", "9999-12-31"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        for at in [i64::MIN, i64::MAX, -1, 0] {
            let _ = (is_end_of_day(at), date(at), date_or_time(at));
        }
    }
}
