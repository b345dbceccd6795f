//! Points in time as text: an RFC 3339 time, a date (its end), `round:5`, `seq:1234`. Times without a zone are in the
//! given one; internally all is UTC.

use annals_events::Micros;
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
    Seq(u64),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PointError {
    #[error(
        "`{0}` names no point in time: write a time (2015-04-03T18:00:00Z, 2015-04-03T18:00), a date (2015-04-03, \
         meaning its end), round:5, or seq:1234"
    )]
    Unreadable(String),
    #[error("`{0}` is no time")]
    NotATime(String),
    #[error("`{0}` is no time zone: write a name like America/New_York, an offset like -05:00, UTC, or EST")]
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
            && civil.starts_with(|c: char| c.is_ascii_digit())
            && let Ok(named) = self::zone(name)
        {
            return Point::parse(civil, &named).map_err(|_| unreadable());
        }
        let has_time = text.contains([':', 'T', 't']);
        if !has_time && let Ok(date) = text.parse::<Date>() {
            // One microsecond before the next day.
            let next = date.checked_add(1.day()).map_err(|_| unreadable())?.at(0, 0, 0, 0);
            return of_civil(next, zone).ok_or_else(unreadable).map(|at| Point::Time(at - 1));
        }
        match text.parse::<DateTime>() {
            Ok(at) => of_civil(at, zone).ok_or_else(unreadable).map(Point::Time),
            Err(_) => Err(unreadable()),
        }
    }
}

/// A time, or the end of a date.
///
/// # Errors
/// If the text is neither.
pub fn instant(text: &str, zone: &TimeZone) -> Result<Micros, PointError> {
    match Point::parse(text, zone)? {
        Point::Time(at) => Ok(at),
        _ => Err(PointError::NotATime(text.to_owned())),
    }
}

/// A time, or the beginning of a date.
///
/// # Errors
/// If the text is neither.
pub fn beginning(text: &str, zone: &TimeZone) -> Result<Micros, PointError> {
    let at = instant(text, zone)?;
    // A date reads as its end; its day begins a day earlier, whatever its length.
    let (date, named) = match text.rsplit_once(' ') {
        Some((date, name)) => (date, self::zone(name).ok()),
        None => (text, None),
    };
    match date.parse::<Date>() {
        Ok(day) if !date.contains([':', 'T', 't']) => {
            let begins = day.to_zoned(named.unwrap_or_else(|| zone.clone()));
            begins
                .map(|begins| begins.timestamp().as_microsecond())
                .map_err(|_| PointError::NotATime(text.to_owned()))
        }
        _ => Ok(at),
    }
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
    fn a_date_is_its_end_in_the_zone_asked_for() {
        assert_eq!(parse("2015-04-03", "UTC"), Ok(Point::Time(at("2015-04-04T00:00:00Z") - 1)));
        assert_eq!(parse("2015-04-03", "EST"), Ok(Point::Time(at("2015-04-04T05:00:00Z") - 1)));
        assert_eq!(parse("2015-04-03 EST", "UTC"), Ok(Point::Time(at("2015-04-04T05:00:00Z") - 1)));
        assert_eq!(parse("2015-04-03", "ET"), Ok(Point::Time(at("2015-04-04T04:00:00Z") - 1)));
    }

    #[test]
    fn what_is_no_point_is_refused_with_the_spellings() {
        for bad in ["", "yesterday", "seq:x", "round:", "2015-13-01", "2015-04-03T25:00", "\u{0}"] {
            let error = parse(bad, "UTC").unwrap_err();
            assert!(error.to_string().contains("round:5"), "{error}");
        }
        assert!(zone("Nowhere/Land").is_err());
        assert!(zone("+99:00").is_err());
    }
}
