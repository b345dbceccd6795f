//! Values of cells and facts, formatted for people and programs.

use jiff::Timestamp;
use jiff::tz::TimeZone;

#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Empty,
    Text(String),
    /// A name, and the identity of whom it names: names may be equal, and may be anything.
    Named {
        name: String,
        identity: String,
    },
    Number(i64),
    /// With decimals for people; programs get it in full.
    Decimal(f64, usize),
    /// A formatted number.
    Figure(String),
    /// In halves.
    Points(u32),
    /// Microseconds since 1970.
    Time(i64),
    /// Cents, with the currency if any.
    Money(i64, Option<String>),
    /// Millionths of an Elo point.
    Rating(i64),
}

impl Cell {
    #[must_use]
    pub fn text(words: impl ToString) -> Cell {
        Cell::Text(words.to_string())
    }

    /// A name with the identity of whom it names.
    #[must_use]
    pub fn named(name: impl ToString, identity: impl ToString) -> Cell {
        Cell::Named { name: name.to_string(), identity: identity.to_string() }
    }

    #[must_use]
    pub fn some(words: Option<impl ToString>) -> Cell {
        words.map_or(Cell::Empty, Cell::text)
    }

    /// Joined by a separator.
    #[must_use]
    pub fn join(words: impl IntoIterator<Item: ToString>, between: &str) -> Cell {
        let words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
        Cell::Text(words.join(between))
    }

    /// Limited to the largest number of a cell.
    #[must_use]
    pub fn count(number: impl TryInto<i64>) -> Cell {
        Cell::Number(number.try_into().unwrap_or(i64::MAX))
    }

    /// In halves.
    #[must_use]
    pub fn points(half_points: Option<u32>) -> Cell {
        half_points.map_or(Cell::Empty, Cell::Points)
    }

    #[must_use]
    pub fn number(number: Option<impl Into<i64>>) -> Cell {
        number.map_or(Cell::Empty, |number| Cell::Number(number.into()))
    }

    #[must_use]
    pub fn time(at: Option<i64>) -> Cell {
        at.map_or(Cell::Empty, Cell::Time)
    }

    /// For people, with times in a zone.
    #[must_use]
    pub fn shown(&self, zone: &TimeZone) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(words) | Cell::Figure(words) | Cell::Named { name: words, .. } => words.clone(),
            Cell::Number(number) => number.to_string(),
            Cell::Decimal(number, decimals) => decimal(*number, *decimals),
            Cell::Points(half_points) => points(*half_points),
            Cell::Time(at) => time(*at, zone),
            Cell::Money(cents, currency) => money(*cents, currency.as_deref()),
            Cell::Rating(millionths) => tenths(*millionths),
        }
    }

    /// For programs: points as decimals, times in UTC, money without currency.
    pub(crate) fn plain(&self) -> String {
        match self {
            Cell::Points(half_points) => {
                format!("{}{}", half_points / 2, if half_points % 2 == 1 { ".5" } else { "" })
            }
            Cell::Decimal(number, _) => number.to_string(),
            Cell::Money(cents, _) => money(*cents, None),
            Cell::Time(at) => match Timestamp::from_microsecond(*at) {
                Ok(timestamp) => timestamp.to_string(),
                Err(_) => at.to_string(),
            },
            other => other.shown(&TimeZone::UTC),
        }
    }

    /// Of whom a name names.
    pub(crate) fn identity(&self) -> Option<&str> {
        match self {
            Cell::Named { identity, .. } => Some(identity),
            _ => None,
        }
    }

    pub(crate) fn is_blank(&self) -> bool {
        match self {
            Cell::Empty => true,
            Cell::Text(words) | Cell::Named { name: words, .. } => words.is_empty(),
            _ => false,
        }
    }

    pub(crate) const fn is_figure(&self) -> bool {
        !matches!(self, Cell::Empty | Cell::Text(_) | Cell::Named { .. } | Cell::Time(_))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Cell {
        Cell::Number(number)
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Cell {
        i64::try_from(number).map_or_else(|_| Cell::Figure(number.to_string()), Cell::Number)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        Cell::Decimal(number, 3)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Empty, Into::into)
    }
}

/// Without trailing zeros.
fn decimal(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    if !number.is_finite() || !text.contains('.') {
        return text;
    }
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Millionths rounded to one decimal, halves away from zero; without it if integral.
fn tenths(millionths: i64) -> String {
    if millionths % 1_000_000 == 0 {
        return (millionths / 1_000_000).to_string();
    }
    let sign = if millionths < 0 { "-" } else { "" };
    let tenths = (millionths.unsigned_abs() + 50_000) / 100_000;
    format!("{sign}{}.{}", tenths / 10, tenths % 10)
}

/// Half points: `2½`.
#[must_use]
pub fn points(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// Cents: `150.00 USD`.
#[must_use]
pub fn money(cents: i64, currency: Option<&str>) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    let unit = currency.map_or(String::new(), |currency| format!(" {currency}"));
    format!("{sign}{}.{:02}{unit}", cents / 100, cents % 100)
}

/// Microseconds since 1970 as `2015-04-03 18:00:00 -05:00`; fractions only if any.
#[must_use]
pub fn time(at: i64, zone: &TimeZone) -> String {
    // Times beyond the calendar are shown as its first or last one.
    let limit = if at < 0 { Timestamp::MIN } else { Timestamp::MAX };
    let timestamp = Timestamp::from_microsecond(at).unwrap_or(limit);
    let zoned = timestamp.to_zoned(zone.clone());
    let civil = zoned.datetime();
    let (date, time, seconds) = (civil.date(), civil.time(), zoned.offset().seconds());
    if seconds == 0 {
        return format!("{date} {time}Z");
    }
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.unsigned_abs() / 60;
    format!("{date} {time} {sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_money_read_as_people_write_them() {
        assert_eq!([0, 1, 2, 5].map(points), ["0", "½", "1", "2½"]);
        assert_eq!(money(-150, Some("USD")), "-1.50 USD");
    }

    #[test]
    fn ratings_are_rounded_to_tenths() {
        assert_eq!([1_500_049_999, 1_500_050_000, -50_000, 0].map(tenths), ["1500.0", "1500.1", "-0.1", "0"]);
    }

    #[test]
    fn numbers_for_reading_have_the_decimals_that_say_something() {
        let three = [1_523.333_333, 2.0, 0.5, -0.000_01, f64::NAN].map(|number| decimal(number, 3));
        assert_eq!(three, ["1523.333", "2", "0.5", "0", "NaN"]);
        assert_eq!(decimal(20.0, 0), "20");
    }

    #[test]
    fn a_time_is_shown_in_the_zone_asked_for() {
        let noon = "2015-04-03T12:00:00Z".parse::<Timestamp>().unwrap().as_microsecond();
        let zone = |hours| TimeZone::fixed(jiff::tz::offset(hours));
        assert_eq!(time(noon, &TimeZone::UTC), "2015-04-03 12:00:00Z");
        assert_eq!(time(noon, &zone(-5)), "2015-04-03 07:00:00 -05:00");
        let half = TimeZone::fixed(jiff::tz::Offset::from_seconds(5 * 3600 + 1800).unwrap());
        assert_eq!(time(noon, &half), "2015-04-03 17:30:00 +05:30");
    }
}
