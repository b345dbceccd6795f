use annals_events::Micros;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::cut::{Cut, RoundEnd};
use crate::finding::Finding;
use crate::point::show;

/// The first line of every view.
pub(crate) fn heading(what: &str, cut: &Cut, zone: &TimeZone) -> String {
    format!("{what}, {}", point(cut, zone))
}

/// A time of a cut; the last one of the calendar ends its last year.
fn named(at: Micros, zone: &TimeZone) -> String {
    match at >= Timestamp::MAX.as_microsecond() {
        true => "the end of the year 9999".to_owned(),
        false => show(at, zone),
    }
}

pub(crate) fn point(cut: &Cut, zone: &TimeZone) -> String {
    let mut points = Vec::new();
    if let Some(at) = cut.as_of {
        let stated = cut.round_end.and_then(|end| end.stated);
        points.push(format!("as of {}", stated.map_or_else(|| named(at, zone), |period| period.to_string())));
    }
    match cut.round_end {
        Some(RoundEnd { round: Some(round), last: Some(_), .. }) => {
            points.push(format!("end of round {round}"))
        }
        Some(RoundEnd { round: Some(round), last: None, .. }) => {
            points.push(format!("round {round} unfinished"))
        }
        Some(RoundEnd { round: None, .. }) | None => {}
    }
    if let Some(at) = cut.known_at {
        points.push(format!("as known at {}", named(at, zone)));
    }
    if let Some(seq) = cut.seq {
        points.push(format!("after event {seq}"));
    }
    if points.is_empty() { "as known now".to_owned() } else { points.join(", ") }
}

/// As on a clock: `2:28`, `1:02:03`, `-0:05`.
pub(crate) fn clock(seconds: i64) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    let seconds = seconds.unsigned_abs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{sign}{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{sign}{minutes}:{seconds:02}")
    }
}

/// Or the word for none.
pub(crate) fn time(at: Option<Micros>, zone: &TimeZone) -> String {
    at.map_or_else(|| "unknown".to_owned(), |at| show(at, zone))
}

pub(crate) fn findings(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_read_as_people_write_them() {
        assert_eq!([0, 59, 148, 3723, -5].map(clock), ["0:00", "0:59", "2:28", "1:02:03", "-0:05"]);
    }
}
