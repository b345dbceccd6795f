//! Fixed game times, in seconds (SGF) and as time controls.

use annals_rules::clock::TimeControl;

/// Seconds per side for all moves, as tournaments write it.
pub(super) fn fixed(seconds: u32) -> String {
    let control = format!("game {seconds}s");
    TimeControl::parse(&control).map_or(control, |control| control.to_string())
}

/// The same of a control with a fixed time only; also reads `30m`.
pub(super) fn fixed_seconds(control: &str) -> Option<u32> {
    TimeControl::parse(control).or_else(|_| TimeControl::parse(&format!("0/{control}"))).ok()?.one_time()
}

/// SGF seconds; fractions are dropped.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let text = text.trim();
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    let value: f64 = if plain { text.parse().ok()? } else { return None };
    // Within the range of a payload; the cast is exact.
    (value.abs() <= f64::from(TimeControl::MAX_SECONDS)).then_some(value.trunc() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_time_survives_and_no_other_control_is_one() {
        for time in [1, 59, 60, 90, 1800, 5400] {
            assert_eq!(fixed_seconds(&fixed(time)), Some(time));
        }
        assert_eq!((fixed(1800), fixed(90)), ("game 30m".to_owned(), "game 1m30s".to_owned()));
        for text in ["30m", "0/30", "game 30m", "Game 30"] {
            assert_eq!(fixed_seconds(text), Some(1800), "{text}");
        }
        for other in ["", "2/2", "0/30/100/10", "0/30/100/0/2", "half an hour", "0/0"] {
            assert_eq!(fixed_seconds(other), None, "{other}");
        }
        assert_eq!((seconds("1799.9"), seconds("-3"), seconds("7")), (Some(1799), Some(-3), Some(7)));
        for bad in ["", "-", "1e3", "nan", "inf", "1 800", "99999999999999"] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
    }
}
