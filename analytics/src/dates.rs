//! Dates as users type them, in the forms of a point in time; and times as they are shown.

use annals_replay::point;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::Error;

/// The span of time that a text names, from its first microsecond up to and excluding the end, since 1970. What has no zone is UTC.
///
/// # Errors
/// If the text has none of the forms.
pub fn span(text: &str) -> Result<(i64, i64), Error> {
    let refused = |_| Error::Argument {
        what: "date",
        found: text.to_owned(),
        why: "write a year (2004), a season (winter 2004), a month (2004-05), a day (2004-05-06) or a time \
              (2004-05-06T12:00, 2004-05-06T12:00:00Z)"
            .to_owned(),
    };
    let start = point::beginning(text, &TimeZone::UTC).map_err(refused)?;
    let last = point::instant(text, &TimeZone::UTC).map_err(refused)?;
    Ok((start, last.saturating_add(1)))
}

/// The microseconds since 1970 of a time as [`instant`] writes it.
#[must_use]
pub(crate) fn micros(text: &str) -> Option<i64> {
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_microsecond)
}

/// An instant in RFC 3339, to the second: `2004-05-06T12:00:00Z`.
#[must_use]
pub fn instant(microseconds: i64) -> String {
    Timestamp::from_microsecond(microseconds).map_or_else(|_| microseconds.to_string(), |t| format!("{t:.0}"))
}

/// As [`instant`], in a zone: `2004-05-06T08:00:00-04:00`.
#[must_use]
pub fn instant_in(microseconds: i64, zone: &TimeZone) -> String {
    let offset = Timestamp::from_microsecond(microseconds).map(|at| (at, zone.to_offset(at)));
    match offset {
        Ok((at, offset)) if offset.seconds() != 0 => format!("{:.0}", at.display_with_offset(offset)),
        _ => instant(microseconds),
    }
}

/// The day of an instant, UTC: `2004-05-06`.
#[must_use]
pub fn day(microseconds: i64) -> String {
    instant(microseconds).chars().take(10).collect()
}

/// Seconds for reading: `7s`, `2m30s`, `1h05m`, `3d04h`.
#[must_use]
pub fn seconds(seconds: i64) -> String {
    let (sign, s) = if seconds < 0 { ("-", seconds.unsigned_abs()) } else { ("", seconds.unsigned_abs()) };
    let text = match s {
        0..60 => format!("{s}s"),
        60..3_600 => format!("{}m{:02}s", s / 60, s % 60),
        3_600..86_400 => format!("{}h{:02}m", s / 3_600, s / 60 % 60),
        _ => format!("{}d{:02}h", s / 86_400, s / 3_600 % 24),
    };
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_a_month_and_a_day_are_spans() {
        let (start, end) = span("2004").unwrap();
        assert_eq!(
            (instant(start), instant(end)),
            ("2004-01-01T00:00:00Z".into(), "2005-01-01T00:00:00Z".into())
        );
        let (start, end) = span("2004-02").unwrap();
        assert_eq!((day(start), day(end)), ("2004-02-01".into(), "2004-03-01".into()));
        let (start, end) = span("2004-02-29").unwrap();
        assert_eq!((day(start), day(end)), ("2004-02-29".into(), "2004-03-01".into()));
        let (start, end) = span("2004-02-29T12:00:00Z").unwrap();
        assert_eq!((instant(start), end - start), ("2004-02-29T12:00:00Z".into(), 1));
    }

    #[test]
    fn a_date_has_the_forms_of_a_point_in_time() {
        let noon = span("2004-02-29T12:00:00Z").unwrap();
        assert_eq!(
            ["2004-02-29T12:00", "2004-02-29 12:00", "2004-02-29 07:00 EST"].map(|text| span(text).unwrap()),
            [noon; 3]
        );
        let (start, end) = span("winter 2004").unwrap();
        assert_eq!((day(start), day(end)), ("2003-12-01".into(), "2004-03-01".into()));
        assert!(["round:2", "seq:5"].iter().all(|text| span(text).is_err()));
    }

    #[test]
    fn a_time_is_shown_in_a_zone_with_its_offset() {
        let (noon, _) = span("2004-05-06T12:00:00Z").unwrap();
        assert_eq!(instant_in(noon, &point::zone("America/New_York").unwrap()), "2004-05-06T08:00:00-04:00");
        assert_eq!(instant_in(noon, &TimeZone::UTC), "2004-05-06T12:00:00Z");
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "", "yesterday", "2004-13", "2003-02-29", "04", "2004-1-1-1", "2004/05", "-2004", "20045",
            "2004-",
        ] {
            assert!(span(text).is_err(), "{text}");
        }
    }

    #[test]
    fn seconds_are_shown_in_their_two_largest_units() {
        assert_eq!(seconds(7), "7s");
        assert_eq!(seconds(150), "2m30s");
        assert_eq!(seconds(3_900), "1h05m");
        assert_eq!(seconds(273_600), "3d04h");
        assert_eq!(seconds(-90), "-1m30s");
    }
}
