//! Dates of a schedule, the same day in a later year, and times as text.

use annals_events::Micros;
use annals_events::tournament::Milestone;

use crate::state::{Entrant, Tournament};

pub const MINUTE: Micros = 60 * 1_000_000;
pub const HOUR: Micros = 60 * MINUTE;
pub const DAY: Micros = 24 * HOUR;

/// A date of the schedule in force.
pub(crate) fn date(tournament: &Tournament, milestone: Milestone) -> Option<Micros> {
    let schedule = &tournament.announced.as_ref()?.schedule;
    schedule.iter().rev().find(|deadline| deadline.milestone == milestone).map(|deadline| deadline.at)
}

/// The due time of a player's program: as invited, else as announced.
pub(crate) fn program_due(
    tournament: &Tournament,
    entrant: &Entrant,
    milestone: Milestone,
) -> Option<Micros> {
    match &entrant.invited {
        Some(invited) => invited.fact.due,
        None => date(tournament, milestone),
    }
}

/// UTC; month and day count from 1.
pub(crate) const fn moment(year: i64, month: i64, day: i64, hour: i64, minute: i64) -> Micros {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted - era * 400;
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    (era * 146_097 + day_of_era - 719_468) * DAY + hour * HOUR + minute * MINUTE
}

/// Year, month and day, in UTC.
const fn civil(at: Micros) -> (i64, i64, i64) {
    let days = at.div_euclid(DAY) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

/// The same time of the same day; 29 February becomes 1 March in other years.
pub(crate) const fn years_later(at: Micros, years: u32) -> Micros {
    let (year, month, day) = civil(at);
    moment(year + years as i64, month, day, 0, 0).saturating_add(at.rem_euclid(DAY))
}

/// `2015-01-02 00:00:00 UTC`, with a fraction of a second if any.
pub(crate) fn utc(at: Micros) -> String {
    let (year, month, day) = civil(at);
    let within = at.rem_euclid(DAY);
    let (hour, minute, second) = (within / HOUR, within / MINUTE % 60, within / 1_000_000 % 60);
    let fraction = match within % 1_000_000 {
        0 => String::new(),
        micros => format!(".{micros:06}"),
    };
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}{fraction} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_civil_calendar() {
        assert_eq!(moment(1970, 1, 1, 0, 0), 0);
        assert_eq!(moment(2015, 1, 2, 0, 0), 1_420_156_800_000_000);
        assert_eq!(moment(2009, 1, 2, 23, 0), 1_230_937_200_000_000);
        assert_eq!(utc(moment(2015, 1, 2, 0, 0)), "2015-01-02 00:00:00 UTC");
        assert_eq!(utc(-1), "1969-12-31 23:59:59.999999 UTC");
        for day in 0..40_000 {
            let (y, m, d) = civil(day * DAY);
            assert_eq!(moment(y, m, d, 0, 0), day * DAY);
        }
    }

    #[test]
    fn two_years_later_is_the_same_day_and_time() {
        assert_eq!(years_later(moment(2015, 3, 1, 7, 5), 2), moment(2017, 3, 1, 7, 5));
        assert_eq!(years_later(moment(2016, 2, 29, 1, 0), 2), moment(2018, 3, 1, 1, 0));
    }
}
