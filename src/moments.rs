//! Points in time on the command line: `--as-of`, `--known-at`, `--seq` and the zone in which times are read and shown.

use annals_events::Micros;
use annals_replay::point::{self, Point};
use jiff::tz::TimeZone;

use crate::errors::CliError;

/// The zone of times.
#[derive(Debug, Clone, clap::Args)]
pub struct ZoneArgs {
    /// The zone in which times are read and shown: UTC, EST, America/New_York, +02:00.
    #[arg(long, value_name = "ZONE", default_value = "UTC", allow_hyphen_values = true)]
    pub tz: String,
}

impl ZoneArgs {
    /// The zone.
    pub fn zone(&self) -> Result<TimeZone, CliError> {
        point::zone(&self.tz).map_err(|e| CliError::from_error(&e))
    }
}

/// An instant that a user named: a time, or a date, which means its end.
pub fn instant(text: &str, zone: &TimeZone) -> Result<Micros, CliError> {
    match Point::parse(text, zone).map_err(|e| CliError::from_error(&e))? {
        Point::Time(at) => Ok(at),
        _ => Err(CliError::new(format!("`{text}` is no time"))
            .hint("write a time (2015-04-03T18:00) or a date (2015-04-03, meaning its end)")),
    }
}

/// The instant at which something named begins: a time itself, of a date its first moment.
pub fn beginning(text: &str, zone: &TimeZone) -> Result<Micros, CliError> {
    let at = instant(text, zone)?;
    // A date is read as its end, one microsecond before the next; the day begins a day earlier, whatever its length.
    match text.parse::<jiff::civil::Date>() {
        Ok(date) if !text.contains([':', 'T', 't']) => {
            let begins = date.to_zoned(zone.clone()).map_err(|e| CliError::from_error(&e))?;
            Ok(begins.timestamp().as_microsecond())
        }
        _ => Ok(at),
    }
}
