//! How a narrative shows times and sides.

use crate::ids::PlayerId;
use crate::time::Micros;
use crate::vocabulary::{GameKind, Side};

/// An event as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narrative {
    /// One sentence, with its full stop.
    pub what: String,
    /// The reason and grounds, if stated.
    pub why: Option<String>,
}

/// The name of a player; none where nothing but the identity is known.
type NameOf<'t> = &'t dyn Fn(&PlayerId) -> Option<String>;

/// Times within events are formatted by `time`, sides have the names of the game, and players those of `names`.
#[derive(Clone, Copy)]
pub struct Narrator<'t> {
    time: &'t dyn Fn(Micros) -> String,
    game: GameKind,
    names: Option<NameOf<'t>>,
    pub(super) freezes: bool,
}

impl Default for Narrator<'_> {
    /// Arimaa, times in UTC.
    fn default() -> Self {
        Narrator::new(&utc)
    }
}

impl<'t> Narrator<'t> {
    /// `time` formats microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn new(time: &'t dyn Fn(Micros) -> String) -> Narrator<'t> {
        Narrator { time, game: GameKind::Arimaa, names: None, freezes: false }
    }

    /// For another game: events seldom name theirs.
    #[must_use]
    pub const fn of_game(self, game: GameKind) -> Narrator<'t> {
        Narrator { game, ..self }
    }

    /// With names of players; a player without one has the identity.
    #[must_use]
    pub const fn with_names(self, names: &'t dyn Fn(&PlayerId) -> Option<String>) -> Narrator<'t> {
        Narrator { names: Some(names), ..self }
    }

    /// For a rulebook by which nothing of an earlier round changes once a round has begun.
    #[must_use]
    pub const fn freezing(self, freezes: bool) -> Narrator<'t> {
        Narrator { freezes, ..self }
    }

    pub(super) fn name(&self, player: &PlayerId) -> String {
        self.names.and_then(|names| names(player)).unwrap_or_else(|| player.to_string())
    }

    pub(super) const fn side(&self, side: Side) -> &'static str {
        side.name_in(self.game)
    }

    pub(super) fn at(&self, time: Micros) -> String {
        (self.time)(time)
    }
}

/// In UTC: `2015-04-03 18:00:00Z`, with six decimals if any. Years beyond four digits keep their sign and all digits.
#[must_use]
pub fn utc(at: Micros) -> String {
    let (seconds, micros) = (at.div_euclid(1_000_000), at.rem_euclid(1_000_000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let fraction = if micros == 0 { String::new() } else { format!(".{micros:06}") };
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// Year, month and day of a day number from 1970-01-01, Gregorian: 400-year eras that begin in March, so that the leap
/// day is last.
fn civil(days: i64) -> (i64, i64, i64) {
    const DAYS_OF_ERA: i64 = 146_097;
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(DAYS_OF_ERA), days.rem_euclid(DAYS_OF_ERA));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}
