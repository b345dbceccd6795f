//! Ticks with labels: round numbers, days, months, years.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use crate::chart::Scale;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) word: String,
}

/// Of an axis of full length.
pub(crate) const MOST: usize = 11;

/// Between two values, inclusive, about `most`.
pub(crate) fn ticks(from: f64, to: f64, scale: Scale, most: usize) -> Vec<Tick> {
    match scale {
        Scale::Number => numbers(from, to, 0.0, most),
        Scale::Whole => numbers(from, to, 1.0, most),
        Scale::Time => times(from, to),
        Scale::Span => spans(from, to, most),
    }
}

/// Units of durations in seconds, with steps between ticks.
const UNITS: [(&str, f64, &[f64]); 4] = [
    ("s", 1.0, &[1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0]),
    ("min", 60.0, &[1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0]),
    ("h", 3_600.0, &[1.0, 2.0, 3.0, 6.0, 12.0]),
    ("d", 86_400.0, &[1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0]),
];

/// Round durations in one unit.
fn spans(from: f64, to: f64, most: usize) -> Vec<Tick> {
    let steps =
        UNITS.iter().flat_map(|(word, unit, steps)| steps.iter().map(move |step| (*word, *unit, *step)));
    let fits = |(_, unit, step): &(&str, f64, f64)| (to - from) / (unit * step) <= most as f64;
    let Some((word, unit, step)) = steps.filter(|_| (to - from).is_finite()).find(fits) else {
        return numbers(from, to, 1.0, most);
    };
    let (first, last) = ((from / (unit * step)).ceil() as i64, (to / (unit * step)).floor() as i64);
    let tick = |n: i64| {
        let said = n as f64 * step;
        let words = if n == 0 { "0".to_owned() } else { format!("{said} {word}").replace('-', "\u{2212}") };
        Tick { at: said * unit, word: words }
    };
    (first..=last).map(tick).collect()
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn numbers(from: f64, to: f64, least: f64, most: usize) -> Vec<Tick> {
    let span = to - from;
    if !(span.is_finite() && span > 0.0) {
        return Vec::new();
    }
    let rough = (span / (most.max(2) - 1) as f64).max(least);
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|step| *step >= rough * 0.999_999);
    let step = step.unwrap_or(10.0 * power);
    let decimals = if step < 1.0 { (-step.log10().floor()) as usize } else { 0 };
    let first = (from / step - 1e-9).ceil() as i64;
    let last = (to / step + 1e-9).floor() as i64;
    let tick = |n: i64| {
        let at = n as f64 * step;
        let word = if n == 0 { "0".to_owned() } else { format!("{at:.decimals$}") };
        Tick { at, word: word.replace('-', "\u{2212}") }
    };
    (first..=last).map(tick).collect()
}

/// Three or four digits without trailing zeros.
pub(crate) fn plain(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string() };
    }
    let decimals = (2 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let word = format!("{value:.decimals$}");
    let word = if decimals > 0 { word.trim_end_matches('0').trim_end_matches('.') } else { &word };
    word.replace('-', "\u{2212}")
}

/// The distance of time ticks.
#[derive(Debug, Clone, Copy)]
enum Step {
    Hours(i64),
    Days(i64),
    Months(i32),
    Years(i16),
}

const STEPS: [Step; 18] = [
    Step::Hours(1),
    Step::Hours(3),
    Step::Hours(6),
    Step::Hours(12),
    Step::Days(1),
    Step::Days(2),
    Step::Days(4),
    Step::Days(7),
    Step::Days(14),
    Step::Months(1),
    Step::Months(2),
    Step::Months(3),
    Step::Months(6),
    Step::Years(1),
    Step::Years(2),
    Step::Years(5),
    Step::Years(10),
    Step::Years(100),
];

fn times(from: f64, to: f64) -> Vec<Tick> {
    let civil = |at: f64| {
        let at = Timestamp::from_microsecond(at as i64).ok()?;
        Some(at.to_zoned(TimeZone::UTC).datetime())
    };
    let (Some(first), Some(last)) = (civil(from), civil(to)) else { return Vec::new() };
    for step in STEPS {
        let ticks = times_by(step, first, last);
        // Dates are wide.
        if ticks.as_ref().is_some_and(|ticks| ticks.len() < MOST - 2) {
            return ticks.unwrap_or_default();
        }
    }
    Vec::new()
}

/// None if there would be too many.
fn times_by(step: Step, first: DateTime, last: DateTime) -> Option<Vec<Tick>> {
    let mut at = begin(step, first)?;
    let mut ticks = Vec::new();
    while at <= last {
        if at >= first {
            let micros = at.to_zoned(TimeZone::UTC).ok()?.timestamp().as_microsecond();
            ticks.push(Tick { at: micros as f64, word: word(step, at) });
        }
        let next = match step {
            Step::Hours(n) => at.checked_add(n.hours()),
            Step::Days(n) => at.checked_add(n.days()),
            Step::Months(n) => at.checked_add(n.months()),
            Step::Years(n) => at.checked_add(n.years()),
        };
        at = next.ok()?;
        if ticks.len() > 10 * MOST {
            return None;
        }
    }
    Some(ticks)
}

/// The last tick at or before a time.
fn begin(step: Step, first: DateTime) -> Option<DateTime> {
    let midnight = |year, month, day| Some(Date::new(year, month, day).ok()?.at(0, 0, 0, 0));
    match step {
        Step::Hours(_) | Step::Days(_) => Some(first.date().at(0, 0, 0, 0)),
        Step::Months(n) => {
            midnight(first.year(), (first.month() - 1) / i8::try_from(n).ok()? * i8::try_from(n).ok()? + 1, 1)
        }
        Step::Years(n) => midnight(first.year().div_euclid(n) * n, 1, 1),
    }
}

fn word(step: Step, at: DateTime) -> String {
    let date = at.date();
    match step {
        Step::Hours(_) => format!("{date} {:02}:00", at.hour()),
        Step::Days(_) => date.to_string(),
        Step::Months(_) => format!("{:04}-{:02}", date.year(), date.month()),
        Step::Years(_) => format!("{:04}", date.year()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(from: f64, to: f64, scale: Scale) -> Vec<String> {
        ticks(from, to, scale, MOST).into_iter().map(|tick| tick.word).collect()
    }

    fn at(text: &str) -> f64 {
        let day = match text.len() {
            4 => format!("{text}-01-01"),
            7 => format!("{text}-01"),
            _ => text.to_owned(),
        };
        format!("{day}T00:00:00Z").parse::<Timestamp>().unwrap().as_microsecond() as f64
    }

    #[test]
    fn numbers_are_round_and_not_too_many() {
        assert_eq!(
            words(-1.0, 1.0, Scale::Number),
            ["−1.0", "−0.8", "−0.6", "−0.4", "−0.2", "0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(words(1_340.0, 1_760.0, Scale::Number).first().unwrap(), "1350");
        assert_eq!(words(1.0, 3.0, Scale::Whole), ["1", "2", "3"]);
        assert_eq!(words(0.4, 0.6, Scale::Whole), [""; 0]);
        assert_eq!(words(0.0, 137.0, Scale::Whole), ["0", "20", "40", "60", "80", "100", "120"]);
        for scale in [Scale::Number, Scale::Whole, Scale::Time, Scale::Span] {
            assert!(
                ticks(f64::NAN, 1.0, scale, MOST).len() <= MOST
                    && ticks(0.0, f64::INFINITY, scale, MOST).len() <= MOST
            );
            for exponent in -6..18 {
                let (from, to) = (-3.1 * 10f64.powi(exponent), 4.2 * 10f64.powi(exponent));
                assert!(ticks(from, to, scale, MOST).len() <= MOST, "{from} {to} {scale:?}");
            }
        }
    }

    #[test]
    fn lengths_of_time_have_round_ticks_in_one_unit() {
        let few = |from: f64, to: f64, scale: Scale| -> Vec<String> {
            ticks(from, to, scale, 5).into_iter().map(|tick| tick.word).collect()
        };
        assert_eq!(few(-3.0, 64.0, Scale::Span), ["0", "15 s", "30 s", "45 s", "60 s"]);
        assert_eq!(few(0.0, 640.0, Scale::Span), ["0", "5 min", "10 min"]);
        assert_eq!(few(-130.0, 400.0, Scale::Span), ["\u{2212}2 min", "0", "2 min", "4 min", "6 min"]);
        assert_eq!(few(0.0, 9e5, Scale::Span), ["0", "5 d", "10 d"]);
        assert!(few(0.0, 1e12, Scale::Span).len() <= MOST && few(0.0, f64::NAN, Scale::Span).is_empty());
    }

    #[test]
    fn a_plain_number_has_three_digits_and_no_zeros_behind() {
        let words = [-2.0, 0.5, 1234.0, 0.012_345, 0.0, 99.96].map(plain);
        assert_eq!(words, ["\u{2212}2", "0.5", "1234", "0.0123", "0", "100"]);
    }

    #[test]
    fn times_have_ticks_at_hours_days_months_and_years() {
        assert_eq!(words(at("2002-11-03"), at("2003-01-05"), Scale::Time).first().unwrap(), "2002-11-03");
        assert_eq!(
            words(at("2002-03"), at("2003-01-05"), Scale::Time),
            ["2002-03", "2002-05", "2002-07", "2002-09", "2002-11", "2003-01"]
        );
        assert_eq!(
            words(at("2003-06"), at("2009-01-05"), Scale::Time),
            ["2004", "2005", "2006", "2007", "2008", "2009"]
        );
        assert_eq!(
            words(at("2026-02-01"), at("2026-02-04"), Scale::Time),
            [
                "2026-02-01 00:00", "2026-02-01 12:00", "2026-02-02 00:00", "2026-02-02 12:00",
                "2026-02-03 00:00", "2026-02-03 12:00", "2026-02-04 00:00",
            ]
        );
    }
}
