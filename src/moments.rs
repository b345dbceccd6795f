//! Points in time on the command line: `--as-of`, `--known-at`, and the time zone of input and output.

use annals_events::{Micros, StatedPeriod, StreamName};
use annals_replay::point;
use annals_replay::{Asked, Cut, resolve};
use annals_store::Log;
use jiff::tz::TimeZone;

use crate::errors::CliError;
use crate::log_file::ActorArgs;

// The zone of times.
#[derive(Debug, Clone, clap::Args)]
pub struct ZoneArgs {
    /// Time zone for input and output: UTC, EST, America/New_York, +02:00
    #[arg(long, value_name = "ZONE", default_value = "UTC", allow_hyphen_values = true)]
    pub tz: String,
}

impl ZoneArgs {
    /// The zone.
    pub fn zone(&self) -> Result<TimeZone, CliError> {
        Ok(point::zone(&self.tz)?)
    }
}

// A point in time, on either clock or both.
#[derive(Debug, Clone, clap::Args)]
pub struct MomentArgs {
    /// Show what was true then: time, date (its end), month, season, year, round:5 or seq:120
    #[arg(long, value_name = "POINT")]
    pub as_of: Option<String>,

    /// Show only what was recorded by then; same values as --as-of
    #[arg(long, value_name = "POINT")]
    pub known_at: Option<String>,

    #[command(flatten)]
    pub zone: ZoneArgs,
}

impl MomentArgs {
    /// No point.
    #[cfg(feature = "sql")]
    pub fn now() -> MomentArgs {
        MomentArgs { as_of: None, known_at: None, zone: ZoneArgs { tz: "UTC".to_owned() } }
    }

    /// Whether no point is given.
    pub fn is_now(&self) -> bool {
        self.as_of.is_none() && self.known_at.is_none()
    }

    /// The options as they are typed, each after a space.
    #[cfg(all(feature = "sql", feature = "charts"))]
    pub fn words(&self) -> String {
        let zone = (self.zone.tz != "UTC").then_some(&self.zone.tz);
        let options =
            [("as-of", self.as_of.as_ref()), ("known-at", self.known_at.as_ref()), ("tz", zone)].into_iter();
        options
            .filter_map(|(name, value)| Some(format!(" --{name} {}", annals_report::shell_word(value?))))
            .collect()
    }

    /// The cut of the given points, with the zone.
    pub fn cut(&self, log: &Log, stream: Option<&StreamName>) -> Result<(Cut, TimeZone), CliError> {
        let zone = self.zone.zone()?;
        let asked = Asked { as_of: self.as_of.as_deref(), known_at: self.known_at.as_deref(), seq: None };
        Ok((resolve(log, stream, &asked, &zone)?, zone))
    }
}

// The actor of the events, and when they happened.
#[derive(Debug, clap::Args)]
pub struct WhenArgs {
    #[command(flatten)]
    actor: ActorArgs,

    /// When it happened: time, date (its end), 2006-01, winter 2006 or 2006 [default: now]
    #[arg(long, value_name = "TIME")]
    at: Option<String>,

    #[command(flatten)]
    zone: ZoneArgs,
}

// When the events happened, whether they are appended, and how they are printed.
#[derive(Debug, clap::Args)]
pub struct AppendArgs {
    #[command(flatten)]
    pub when: WhenArgs,

    /// Append nothing; print the events and their verdicts
    #[arg(long)]
    pub dry_run: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl AppendArgs {
    /// The arguments that name this actor, for what happens now.
    pub fn now(actor: &str) -> AppendArgs {
        AppendArgs { when: WhenArgs::now(actor), dry_run: false, json: false }
    }
}

/// The actor of the events, and when they happened; now if no time is given.
pub struct When {
    pub actor: String,
    /// Of a month, a season or a year its first moment.
    pub at: Option<Micros>,
    pub period: Option<StatedPeriod>,
    pub zone: TimeZone,
}

impl WhenArgs {
    fn now(actor: &str) -> WhenArgs {
        WhenArgs { actor: ActorArgs::of(actor), at: None, zone: ZoneArgs { tz: "UTC".to_owned() } }
    }

    /// Reads the time in its zone.
    pub fn read(&self) -> Result<When, CliError> {
        let actor = self.actor.name()?;
        let zone = self.zone.zone()?;
        let stated = self.at.as_deref().map(|text| point::stated(text, &zone)).transpose()?;
        let period = stated.and_then(|stated| stated.period);
        Ok(When { actor, at: stated.map(|stated| stated.at), period, zone })
    }
}

/// A single point, as `diff` takes it: `now`, or a value of `--as-of`; with `known:` before it, a value of `--known-at`.
pub fn single_cut(
    text: &str,
    log: &Log,
    stream: Option<&StreamName>,
    zone: &TimeZone,
) -> Result<Cut, CliError> {
    let mut asked = Asked::default();
    match text.strip_prefix("known:") {
        Some(point) => asked.known_at = Some(point),
        None if text == "now" => {}
        None => asked.as_of = Some(text),
    }
    Ok(resolve(log, stream, &asked, zone)?)
}

/// An instant that a user named: a time, or a date, which means its end.
pub fn instant(text: &str, zone: &TimeZone) -> Result<Micros, CliError> {
    Ok(point::instant(text, zone)?)
}
