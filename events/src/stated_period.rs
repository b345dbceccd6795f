//! A month, a season or a year, where a source states no day. Seasons are those of the northern hemisphere, of whole months;
//! a winter has the year of its January.

use std::fmt;
use std::str::FromStr;

use crate::ids::text_serde;

/// Written as it is stated: `2006`, `2006-01`, `winter 2006`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StatedPeriod {
    year: u16,
    part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Year,
    /// From 1.
    Month(u8),
    Season(&'static Season),
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Season {
    name: &'static str,
    /// From 1; of the year before in a winter.
    first: u8,
}

const SEASONS: [Season; 5] = [
    Season { name: "spring", first: 3 },
    Season { name: "summer", first: 6 },
    Season { name: "autumn", first: 9 },
    Season { name: "fall", first: 9 },
    Season { name: "winter", first: 12 },
];

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a month (2006-01), a season (winter 2006) or a year (2006)")]
pub struct NotAPeriod(String);

impl StatedPeriod {
    /// Year and month, from 1.
    #[must_use]
    pub fn first_month(self) -> (i16, u8) {
        let year = i16::try_from(self.year).unwrap_or(i16::MAX);
        match self.part {
            Part::Year => (year, 1),
            Part::Month(month) => (year, month),
            Part::Season(Season { first: 12, .. }) => (year - 1, 12),
            Part::Season(season) => (year, season.first),
        }
    }

    #[must_use]
    pub const fn months(self) -> u8 {
        match self.part {
            Part::Year => 12,
            Part::Month(_) => 1,
            Part::Season(_) => 3,
        }
    }
}

impl fmt::Display for StatedPeriod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Part::Year => write!(f, "{:04}", self.year),
            Part::Month(month) => write!(f, "{:04}-{month:02}", self.year),
            Part::Season(season) => write!(f, "{} {:04}", season.name, self.year),
        }
    }
}

impl FromStr for StatedPeriod {
    type Err = NotAPeriod;

    fn from_str(text: &str) -> Result<StatedPeriod, NotAPeriod> {
        read(text).ok_or_else(|| NotAPeriod(text.chars().take(80).collect()))
    }
}

fn read(text: &str) -> Option<StatedPeriod> {
    let digits = |text: &str, count: usize| {
        let all = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
        all.then(|| text.parse::<u16>().ok())?.filter(|number| *number > 0)
    };
    if let Some((name, year)) = text.split_once(' ') {
        let season = SEASONS.iter().find(|season| season.name == name)?;
        return Some(StatedPeriod { year: digits(year, 4)?, part: Part::Season(season) });
    }
    match text.split_once('-') {
        None => Some(StatedPeriod { year: digits(text, 4)?, part: Part::Year }),
        Some((year, month)) => {
            let month = digits(month, 2).filter(|month| *month <= 12)?;
            let part = Part::Month(u8::try_from(month).ok()?);
            Some(StatedPeriod { year: digits(year, 4)?, part })
        }
    }
}

text_serde!(StatedPeriod, "a month (2006-01), a season (winter 2006) or a year (2006)");

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts() -> impl Strategy<Value = String> {
        let season = prop::sample::select(vec!["spring", "summer", "autumn", "fall", "winter"]);
        prop_oneof![
            (1_u16..=9999).prop_map(|year| format!("{year:04}")),
            (1_u16..=9999, 1_u8..=12).prop_map(|(year, month)| format!("{year:04}-{month:02}")),
            (season, 1_u16..=9999).prop_map(|(season, year)| format!("{season} {year:04}")),
        ]
    }

    proptest! {
        #[test]
        fn a_period_survives_its_text(text in texts()) {
            let period: StatedPeriod = text.parse().unwrap();
            prop_assert_eq!(period.to_string(), text.clone());
            let json = serde_json::to_string(&period).unwrap();
            prop_assert_eq!(serde_json::from_str::<StatedPeriod>(&json).unwrap(), period);
        }

        #[test]
        fn no_other_text_is_a_period(text in "[a-z0-9 -]{0,12}") {
            if let Ok(period) = text.parse::<StatedPeriod>() {
                prop_assert_eq!(period.to_string(), text);
            }
        }
    }

    #[test]
    fn a_winter_begins_in_the_december_before_its_year() {
        let of =
            |text: &str| text.parse::<StatedPeriod>().map(|period| (period.first_month(), period.months()));
        assert_eq!(of("winter 2006"), Ok(((2005, 12), 3)));
        assert_eq!(of("fall 2006"), of("autumn 2006"));
        assert_eq!(of("2006"), Ok(((2006, 1), 12)));
        assert_eq!(of("2006-01"), Ok(((2006, 1), 1)));
        for bad in
            ["", "2006-13", "2006-1", "Winter 2006", "winter", "winter 06", "0000", "2006-00", "2006-01-01"]
        {
            assert!(bad.parse::<StatedPeriod>().is_err(), "{bad}");
        }
    }
}
