//! Points in time as people write them: an RFC 3339 time, a date, a month, a season or a year (its end), `round:5`, `seq:1234`. A time without
//! a zone is read in the zone of the command, which is also the zone of its output; the library computes in UTC.

use annals_events::{Micros, StatedPeriod};
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

pub use annals_report::time as show;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Point {
    /// Microseconds since 1970-01-01T00:00:00Z.
    Time(Micros),
    /// After a round's last result, before anything of the next.
    Round(u32),
    /// The first N events of the log.
    Seq(u64),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PointError {
    #[error(
        "`{0}` is not a valid point in time: expected a time (2015-04-03T18:00:00Z, 2015-04-03T18:00), a date \
         (2015-04-03, its end), a month (2015-04), a season (winter 2015), a year (2015, its end), round:5, or seq:1234"
    )]
    Unreadable(String),
    #[error("`{0}` is not a valid time")]
    NotATime(String),
    #[error(
        "`{0}` is not a valid end of a span of events: expected a time (2015-04-03T18:00), a date (2015-04-03), a month \
         (2015-04), a year (2015), or seq:1234"
    )]
    NotAnEnd(String),
    #[error(
        "`{0}` is not a valid time: expected a time (2015-04-03T18:00:00Z, 2015-04-03T18:00), or a date (2015-04-03), a \
         month (2015-04), a season (winter 2015) or a year (2015), each its beginning"
    )]
    NoBeginning(String),
    #[error(
        "`{0}` is not a valid time zone: expected a name like America/New_York, an offset like -05:00, UTC, or EST"
    )]
    Zone(String),
}

/// A zone by name: `UTC`, an offset, an IANA name, or an abbreviation of the sources. `EST` is five hours behind UTC
/// all year, as in the rulebooks; `ET` and `Eastern` follow New York.
///
/// # Errors
/// If there is no such zone.
pub fn zone(name: &str) -> Result<TimeZone, PointError> {
    let fixed = |hours: i8| TimeZone::fixed(jiff::tz::offset(hours));
    let resolve = |name: &str| TimeZone::get(name).map_err(|_| PointError::Zone(name.to_owned()));
    match name.to_ascii_uppercase().as_str() {
        "UTC" | "Z" | "GMT" => Ok(TimeZone::UTC),
        "EST" => Ok(fixed(-5)),
        "EDT" => Ok(fixed(-4)),
        "ET" | "EASTERN" => resolve("America/New_York"),
        "CET" => Ok(fixed(1)),
        "CEST" => Ok(fixed(2)),
        _ => match offset(name) {
            Some(zone) => Ok(zone),
            None => resolve(name),
        },
    }
}

fn offset(text: &str) -> Option<TimeZone> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':').unwrap_or((rest, "0"));
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    if !(0..=18).contains(&hours) || !(0..60).contains(&minutes) {
        return None;
    }
    let offset = jiff::tz::Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()?;
    Some(TimeZone::fixed(offset))
}

impl Point {
    /// Reads a point; a time without a zone is in `zone`.
    ///
    /// # Errors
    /// If the text is not a point in time.
    pub fn parse(text: &str, zone: &TimeZone) -> Result<Point, PointError> {
        let unreadable = || PointError::Unreadable(text.chars().take(80).collect());
        if let Some(seq) = text.strip_prefix("seq:") {
            return seq.parse().map(Point::Seq).map_err(|_| unreadable());
        }
        if let Some(round) = text.strip_prefix("round:") {
            return round.parse().map(Point::Round).map_err(|_| unreadable());
        }
        if let Ok(at) = text.parse::<Timestamp>() {
            return Ok(Point::Time(at.as_microsecond()));
        }
        if let Some((civil, name)) = text.rsplit_once(' ')
            && (civil.starts_with(|c: char| c.is_ascii_digit()) || civil.parse::<StatedPeriod>().is_ok())
            && let Ok(named) = self::zone(name)
        {
            return civil_point(civil, &named).ok_or_else(unreadable);
        }
        civil_point(text, zone).ok_or_else(unreadable)
    }
}

/// A date or a longer period, which means its end, or a time, in a zone.
fn civil_point(text: &str, zone: &TimeZone) -> Option<Point> {
    if let Some((_, next)) = days(text) {
        // The last day of the calendar has no next one, and ends with the last time.
        let next = next.and_then(|next| of_civil(next.at(0, 0, 0, 0), zone));
        return Some(Point::Time(next.map_or(Timestamp::MAX.as_microsecond(), |next| next - 1)));
    }
    of_civil(text.parse::<DateTime>().ok()?, zone).map(Point::Time)
}

/// An instant that a user named: a time, or a date or a year, which means its end.
///
/// # Errors
/// When the text is none of them.
pub fn instant(text: &str, zone: &TimeZone) -> Result<Micros, PointError> {
    match Point::parse(text, zone)? {
        Point::Time(at) => Ok(at),
        _ => Err(PointError::NotATime(text.to_owned())),
    }
}

/// The instant at which something named begins: a time itself, of a date or a year its first moment.
///
/// # Errors
/// When the text is none of them.
pub fn beginning(text: &str, zone: &TimeZone) -> Result<Micros, PointError> {
    let none = || PointError::NoBeginning(text.chars().take(80).collect());
    let at = instant(text, zone).map_err(|_| none())?;
    let (date, zone) = in_zone(text, zone);
    let Some((first, _)) = days(date) else { return Ok(at) };
    of_civil(first.at(0, 0, 0, 0), &zone).ok_or_else(none)
}

/// The first day of a date, a month, a season or a year, and the day after its last, if the calendar has it; none for any
/// other text.
fn days(text: &str) -> Option<(Date, Option<Date>)> {
    if let Ok(period) = text.parse() {
        return days_of(period);
    }
    let is_date = !text.contains([':', 'T', 't']);
    let first = is_date.then(|| text.parse::<Date>().ok())??;
    Some((first, first.checked_add(1.day()).ok()))
}

fn days_of(period: StatedPeriod) -> Option<(Date, Option<Date>)> {
    let (year, month) = period.first_month();
    let first = Date::new(year, i8::try_from(month).ok()?, 1).ok()?;
    Some((first, first.checked_add(i64::from(period.months()).months()).ok()))
}

/// A time at which something happened, as a source states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stated {
    /// Of a month, a season or a year its first moment; of a date its end.
    pub at: Micros,
    pub period: Option<StatedPeriod>,
}

/// Reads when something happened.
///
/// # Errors
/// When the text is neither a time nor a date, a month, a season or a year.
pub fn stated(text: &str, zone: &TimeZone) -> Result<Stated, PointError> {
    let (date, _) = in_zone(text, zone);
    match date.parse::<StatedPeriod>() {
        Ok(period) => Ok(Stated { at: beginning(text, zone)?, period: Some(period) }),
        Err(_) => Ok(Stated { at: instant(text, zone)?, period: None }),
    }
}

/// The last moment of a period that begins at an instant. A change of the clocks within it does not count.
#[must_use]
pub fn end_of(period: StatedPeriod, begins: Micros) -> Micros {
    let length = days_of(period).and_then(|(first, next)| first.until(next?).ok());
    begins.saturating_add(length.map_or(0, |span| i64::from(span.get_days()) * 86_400_000_000 - 1))
}

/// The text without the zone at its end, and the zone.
fn in_zone<'t>(text: &'t str, zone: &TimeZone) -> (&'t str, TimeZone) {
    let named = text.rsplit_once(' ').and_then(|(date, name)| Some((date, self::zone(name).ok()?)));
    named.unwrap_or_else(|| (text, zone.clone()))
}

fn of_civil(at: DateTime, zone: &TimeZone) -> Option<Micros> {
    Some(zone.to_ambiguous_zoned(at).compatible().ok()?.timestamp().as_microsecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Micros {
        text.parse::<Timestamp>().unwrap().as_microsecond()
    }

    fn parse(text: &str, name: &str) -> Result<Point, PointError> {
        Point::parse(text, &zone(name).unwrap())
    }

    #[test]
    fn every_spelling_of_a_point_is_read() {
        assert_eq!(parse("seq:1234", "UTC"), Ok(Point::Seq(1234)));
        assert_eq!(parse("round:5", "UTC"), Ok(Point::Round(5)));
        assert_eq!(parse("2015-04-03T18:00:00Z", "EST"), Ok(Point::Time(at("2015-04-03T18:00:00Z"))));
        assert_eq!(parse("2015-04-03T18:00:00-05:00", "UTC"), Ok(Point::Time(at("2015-04-03T23:00:00Z"))));
        assert_eq!(parse("2015-04-03 18:00", "EST"), Ok(Point::Time(at("2015-04-03T23:00:00Z"))));
        assert_eq!(parse("2015-04-03 18:00 EST", "UTC"), Ok(Point::Time(at("2015-04-03T23:00:00Z"))));
    }

    #[test]
    fn a_date_or_a_year_is_its_end_in_the_zone_of_the_command() {
        assert_eq!(parse("2015-04-03", "UTC"), Ok(Point::Time(at("2015-04-04T00:00:00Z") - 1)));
        assert_eq!(parse("2015-04-03", "EST"), Ok(Point::Time(at("2015-04-04T05:00:00Z") - 1)));
        assert_eq!(parse("2015-04-03 EST", "UTC"), Ok(Point::Time(at("2015-04-04T05:00:00Z") - 1)));
        assert_eq!(parse("2015-04-03", "ET"), Ok(Point::Time(at("2015-04-04T04:00:00Z") - 1)));
        assert_eq!(parse("2015", "UTC"), Ok(Point::Time(at("2016-01-01T00:00:00Z") - 1)));
        assert_eq!(parse("2015 EST", "UTC"), Ok(Point::Time(at("2016-01-01T05:00:00Z") - 1)));
        let last = Timestamp::MAX.as_microsecond();
        assert_eq!(
            [parse("9999-12-31", "UTC"), parse("9999", "EST")],
            [Ok(Point::Time(last)), Ok(Point::Time(last))]
        );
    }

    #[test]
    fn a_month_or_a_season_is_its_end_and_begins_with_its_first_moment() {
        let utc = zone("UTC").unwrap();
        assert_eq!(parse("2006-01", "UTC"), Ok(Point::Time(at("2006-02-01T00:00:00Z") - 1)));
        assert_eq!(parse("2006-01 EST", "UTC"), Ok(Point::Time(at("2006-02-01T05:00:00Z") - 1)));
        assert_eq!(parse("winter 2006", "UTC"), Ok(Point::Time(at("2006-03-01T00:00:00Z") - 1)));
        assert_eq!(parse("winter 2006 EST", "UTC"), Ok(Point::Time(at("2006-03-01T05:00:00Z") - 1)));
        for (text, begins) in [
            ("winter 2006", "2005-12-01T00:00:00Z"),
            ("fall 2006", "2006-09-01T00:00:00Z"),
            ("2006-07 EST", "2006-07-01T05:00:00Z"),
            ("2006", "2006-01-01T00:00:00Z"),
        ] {
            let stated = stated(text, &utc).unwrap();
            assert_eq!(stated.at, at(begins), "{text}");
            let period = stated.period.unwrap();
            assert_eq!(Ok(Point::Time(end_of(period, stated.at))), Point::parse(text, &utc), "{text}");
        }
        let exact = Stated { at: at("2006-01-02T00:00:00Z") - 1, period: None };
        assert_eq!(stated("2006-01-01", &utc), Ok(exact), "a date is its end");
    }

    #[test]
    fn a_date_or_a_year_begins_with_its_first_moment() {
        let begins = |text: &str, name: &str| beginning(text, &zone(name).unwrap());
        assert_eq!(begins("2015", "UTC"), Ok(at("2015-01-01T00:00:00Z")));
        assert_eq!(begins("2015 EST", "UTC"), Ok(at("2015-01-01T05:00:00Z")));
        assert_eq!(begins("2015-04-03", "ET"), Ok(at("2015-04-03T04:00:00Z")));
        assert_eq!(begins("2015-04-03T12:00", "UTC"), Ok(at("2015-04-03T12:00:00Z")));
        for bad in ["round:1", "seq:3", "circa 2006"] {
            let error = begins(bad, "UTC").unwrap_err().to_string();
            assert!(error.contains("its beginning") && !error.contains("its end"), "{error}");
        }
    }

    #[test]
    fn what_is_no_point_is_refused_with_the_spellings() {
        for bad in
            ["", "yesterday", "seq:x", "round:", "2015-13-01", "20155", "-001", "2015-04-03T25:00", "\u{0}"]
        {
            let error = parse(bad, "UTC").unwrap_err();
            assert!(error.to_string().contains("round:5"), "{error}");
        }
        // One time has one zone, and a long text does not exhaust the stack.
        for zones in [2, 500_000] {
            assert!(parse(&format!("2015{}", " EST".repeat(zones)), "UTC").is_err());
        }
        assert!(zone("Nowhere/Land").is_err());
        assert!(zone("+99:00").is_err());
    }
}
