//! Fast formatting of numbers, labels, turns and log stamps.

use annals_events::Side;
use annals_events::canonical::decimal;
use annals_rules::arimaa::{Action, Token};

pub(crate) fn push_number(out: &mut Vec<u8>, number: i64) {
    out.extend_from_slice(decimal(number, &mut [0; 20]));
}

/// For example `12w`.
pub(crate) fn push_label(out: &mut Vec<u8>, number: u32, side: Side) {
    push_number(out, i64::from(number));
    out.push(side.archive_letter() as u8);
}

/// For example `Ee2n`.
pub(crate) fn push_token(out: &mut Vec<u8>, token: Token) {
    let square = token.square();
    let letter = token.piece().letter(token.side()) as u8;
    out.extend_from_slice(&[letter, b'a' + square.file(), b'1' + square.rank()]);
    match token.action() {
        Action::Place => {}
        Action::Step(direction) => out.push(direction.letter() as u8),
        Action::Capture => out.push(b'x'),
    }
}

pub(crate) fn push_tokens(out: &mut Vec<u8>, tokens: &[Token]) {
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 {
            out.push(b' ');
        }
        push_token(out, *token);
    }
}

/// Writes `1769941065 [Sun Feb  1 10:17:45 2026] `, and caches the day.
#[derive(Debug, Default)]
pub(crate) struct Stamp {
    day: Option<i64>,
    /// `Sun Feb  1 `
    before: Vec<u8>,
    /// ` 2026`
    after: Vec<u8>,
}

const DAY: i64 = 86_400;

impl Stamp {
    /// A time in seconds as number and text; the text is `offset` seconds ahead of UTC.
    pub fn push(&mut self, out: &mut Vec<u8>, at: i64, offset: i32) {
        push_number(out, at);
        out.extend_from_slice(b" [");
        self.words(out, at.saturating_add(i64::from(offset)));
        out.extend_from_slice(b"] ");
    }

    fn words(&mut self, out: &mut Vec<u8>, at: i64) {
        self.turn_to(at);
        out.extend_from_slice(&self.before);
        out.extend_from_slice(&time_of_day(at));
        out.extend_from_slice(&self.after);
    }

    /// Whether this is the text of a time, in UTC.
    fn gives(&mut self, at: i64, words: &[u8]) -> bool {
        self.turn_to(at);
        let time = words.strip_prefix(self.before.as_slice()).and_then(<[u8]>::split_first_chunk);
        time.is_some_and(|(time, after)| *time == time_of_day(at) && after == self.after)
    }

    fn turn_to(&mut self, at: i64) {
        let day = at.div_euclid(DAY);
        if self.day != Some(day) {
            self.day = Some(day);
            self.name(day);
        }
    }

    fn name(&mut self, day: i64) {
        let date = jiff::Timestamp::from_second(day * DAY)
            .unwrap_or_default()
            .to_zoned(jiff::tz::TimeZone::UTC)
            .strftime("%a %b %e|%Y")
            .to_string();
        let (before, year) = date.split_once('|').unwrap_or((&date, ""));
        self.before = format!("{before} ").into_bytes();
        self.after = format!(" {year}").into_bytes();
    }
}

/// `10:17:45`
fn time_of_day(at: i64) -> [u8; 8] {
    let second = at.rem_euclid(DAY) as u32;
    let digits = |part: u32| [b'0' + (part / 10) as u8, b'0' + (part % 10) as u8];
    let [[h, i], [m, n], [s, t]] = [second / 3600, second / 60 % 60, second % 60].map(digits);
    [h, i, b':', m, n, b':', s, t]
}

/// Reads and caches the offset of times from UTC: a log has one zone, or two.
#[derive(Debug, Default)]
pub(crate) struct Zone {
    stamp: Stamp,
    offset: i32,
}

impl Zone {
    /// The offset in seconds of text such as `Sun Feb  1 10:17:45 2026`; none if it is not a time near `at`.
    pub fn offset(&mut self, at: i64, words: &[u8]) -> Option<i32> {
        if !self.gives(at, self.offset, words) {
            let said = jiff::civil::DateTime::strptime("%a %b %e %H:%M:%S %Y", words).ok()?;
            let said = said.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second();
            let offset = i32::try_from(said.checked_sub(at)?).ok()?;
            if i64::from(offset).abs() > DAY || !self.gives(at, offset, words) {
                return None;
            }
            self.offset = offset;
        }
        Some(self.offset)
    }

    fn gives(&mut self, at: i64, offset: i32, words: &[u8]) -> bool {
        self.stamp.gives(at.saturating_add(i64::from(offset)), words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_rules::arimaa::Turn;

    #[test]
    fn numbers_and_turns_are_written_as_the_archive_does() {
        let mut out = Vec::new();
        for number in [0, 7, -95, i64::MAX, i64::MIN] {
            push_number(&mut out, number);
            out.push(b' ');
        }
        assert_eq!(out, b"0 7 -95 9223372036854775807 -9223372036854775808 ");
        for text in ["rb3e rc3x Hb2n", "Ra1 Mh2", "me7s"] {
            let mut out = Vec::new();
            push_tokens(&mut out, Turn::parse(text.as_bytes()).unwrap().tokens());
            assert_eq!(out, text.as_bytes());
        }
    }

    #[test]
    fn a_stamp_is_that_of_the_real_log() {
        let mut stamp = Stamp::default();
        let mut out = Vec::new();
        stamp.push(&mut out, 1_769_941_026, 0);
        stamp.push(&mut out, 1_769_941_050, 0);
        stamp.push(&mut out, 1_771_829_930, 0);
        let expected = "1769941026 [Sun Feb  1 10:17:06 2026] 1769941050 [Sun Feb  1 10:17:30 2026] \
                        1771829930 [Mon Feb 23 06:58:50 2026] ";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn the_zone_of_the_words_is_found_and_words_that_are_no_time_have_none() {
        let mut zone = Zone::default();
        assert_eq!(zone.offset(1_769_941_026, b"Sun Feb  1 10:17:06 2026"), Some(0));
        assert_eq!(zone.offset(1_769_941_026, b"Sun Feb  1 04:17:06 2026"), Some(-21_600));
        assert_eq!(zone.offset(1_769_941_027, b"Sun Feb  1 04:17:07 2026"), Some(-21_600));
        for words in ["", "Mon Feb  1 10:17:06 2026", "Sun Feb 1 10:17:06 2026", "Sun Feb  1 10:17:06 2020"] {
            assert_eq!(zone.offset(1_769_941_026, words.as_bytes()), None, "{words}");
        }
    }
}
