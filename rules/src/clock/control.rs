//! The time control `M/R/P/L/G/T` of the gameroom, or one fixed time for all moves (`game 30m`): parsing and the normal
//! form. [`Clock`](super::Clock) applies it.

use std::fmt;
use std::str::FromStr;

use super::control_error::{ControlField, TimeControlError};
use super::span::{Fault, HOUR, MAX_SECONDS, MINUTE, Span, number, span};

/// A time control: move time, reserve, percentage, limit of the reserve, length of the game, longest turn.
///
/// In whole seconds, at most [`TimeControl::MAX_SECONDS`]; only [`TimeControl::parse`] makes one.
///
/// ```
/// use annals_rules::clock::{GameLimit, TimeControl};
///
/// let control = TimeControl::parse("0:30/3/100/5/8").unwrap();
/// assert_eq!(control.move_time(), 30);
/// assert_eq!(control.reserve(), 180);
/// assert_eq!(control.reserve_limit(), Some(300));
/// assert_eq!(control.game_limit(), Some(GameLimit::Seconds(8 * 3600)));
/// assert_eq!(control.to_string(), "30s/3m/100/5m/8h/0");
///
/// let fixed = TimeControl::parse("game 30m").unwrap();
/// assert_eq!(fixed.whole_game(), Some(1800));
/// assert_eq!((fixed.move_time(), fixed.reserve(), fixed.percent()), (0, 1800, 0));
/// assert_eq!(fixed.to_string(), "game 30m");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeControl {
    move_time: u32,
    reserve: u32,
    percent: u32,
    /// 0 is none.
    reserve_limit: u32,
    /// Never 0.
    game_limit: Option<GameLimit>,
    /// 0 is none.
    turn_limit: u32,
    /// Stated as one time for all moves.
    fixed: bool,
}

/// The length of a game before it is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameLimit {
    /// Seconds of both players together.
    Seconds(u32),
    /// Turns per side (a setup is the first).
    Turns(u32),
}

impl TimeControl {
    /// Largest time of a field: 100 years of 365 days.
    pub const MAX_SECONDS: u32 = MAX_SECONDS;
    pub const MAX_PERCENT: u32 = 1_000;
    /// Per side.
    pub const MAX_TURNS: u32 = 1_000_000;

    /// Reads any notation of the archive. A bare number is minutes (hours for the game length); `a:b` adds the next
    /// smaller unit; units may be written (`1d`, `2m30s`, `7h13s`), with a final bare number as before. Fields may be
    /// omitted from the right; an empty one has its default: 100 percent, no limit.
    ///
    /// Or one fixed time for all moves: `game 30m`. It is all reserve, without additions: as `0/30m/0`, but without a
    /// minute for the setup.
    ///
    /// # Errors
    /// If a field cannot be read or exceeds its limit; never panics.
    pub fn parse(text: &str) -> Result<TimeControl, TimeControlError> {
        let text = text.trim_matches([' ', '\t']);
        if let Some(time) = after_the_word(text) {
            return Self::parse_whole_game(text, time);
        }
        let mut fields = [""; 6];
        let mut count = 0;
        for field in text.split('/') {
            if let Some(place) = fields.get_mut(count) {
                *place = field;
            }
            count += 1;
        }
        if !(2..=6).contains(&count) {
            return Err(TimeControlError::FieldCount { text: shown(text), fields: count });
        }
        for i in [0, 1] {
            if fields[i].is_empty() {
                return Err(TimeControlError::Missing { text: shown(text), field: ControlField::ALL[i] });
            }
        }
        let at = |i: usize, result: Result<u32, Fault>| {
            result.map_err(|fault| {
                let (field, text, found) = (ControlField::ALL[i], shown(text), shown(fields[i]));
                match fault {
                    Fault::Malformed => TimeControlError::Malformed { text, field, found },
                    Fault::TooLarge(limit) => TimeControlError::TooLarge { text, field, found, limit },
                }
            })
        };
        let percent = if fields[2].is_empty() { Ok(100) } else { number(fields[2], Self::MAX_PERCENT) };
        let game_limit = match fields[4].strip_suffix('t') {
            Some(turns) => {
                Some(at(4, number(turns, Self::MAX_TURNS))?).filter(|n| *n > 0).map(GameLimit::Turns)
            }
            None => Some(at(4, span(fields[4], HOUR, MINUTE))?).filter(|n| *n > 0).map(GameLimit::Seconds),
        };
        Ok(TimeControl {
            move_time: at(0, span(fields[0], MINUTE, 1))?,
            reserve: at(1, span(fields[1], MINUTE, 1))?,
            percent: at(2, percent)?,
            reserve_limit: at(3, span(fields[3], MINUTE, 1))?,
            game_limit,
            turn_limit: at(5, span(fields[5], MINUTE, 1))?,
            fixed: false,
        })
    }

    fn parse_whole_game(text: &str, time: &str) -> Result<TimeControl, TimeControlError> {
        let time = time.trim_matches([' ', '\t']);
        let (text, found) = (shown(text), shown(time));
        match span(time, MINUTE, 1) {
            Ok(0) | Err(Fault::Malformed) => Err(TimeControlError::NoWholeGame { text, found }),
            Err(Fault::TooLarge(limit)) => {
                Err(TimeControlError::TooLarge { text, field: ControlField::WholeGame, found, limit })
            }
            Ok(reserve) => Ok(TimeControl {
                move_time: 0,
                reserve,
                percent: 0,
                reserve_limit: 0,
                game_limit: None,
                turn_limit: 0,
                fixed: true,
            }),
        }
    }

    /// Seconds for all moves, if stated so.
    #[must_use]
    pub const fn whole_game(&self) -> Option<u32> {
        if self.fixed { Some(self.reserve) } else { None }
    }

    /// Seconds for all moves in either notation: `game 30m`, or only a reserve without additions (`0/30m`).
    #[must_use]
    pub const fn one_time(&self) -> Option<u32> {
        let alone = self.move_time == 0
            && self.reserve > 0
            && self.reserve_limit == 0
            && self.game_limit.is_none()
            && self.turn_limit == 0;
        if alone { Some(self.reserve) } else { None }
    }

    /// M, in seconds.
    #[must_use]
    pub const fn move_time(&self) -> u32 {
        self.move_time
    }

    /// R, in seconds.
    #[must_use]
    pub const fn reserve(&self) -> u32 {
        self.reserve
    }

    /// P: the percentage of unused move time that is added to the reserve.
    #[must_use]
    pub const fn percent(&self) -> u32 {
        self.percent
    }

    /// L, in seconds.
    #[must_use]
    pub const fn reserve_limit(&self) -> Option<u32> {
        if self.reserve_limit == 0 { None } else { Some(self.reserve_limit) }
    }

    /// G.
    #[must_use]
    pub const fn game_limit(&self) -> Option<GameLimit> {
        self.game_limit
    }

    /// T, in seconds.
    #[must_use]
    pub const fn turn_limit(&self) -> Option<u32> {
        if self.turn_limit == 0 { None } else { Some(self.turn_limit) }
    }

    /// Seconds before the reserve is used: M, at least a minute for a setup unless one time is fixed.
    #[must_use]
    pub const fn free_time(&self, setup: bool) -> u32 {
        if setup && !self.fixed && self.move_time < MINUTE { MINUTE } else { self.move_time }
    }

    /// Neither move time nor reserve (`0/0/0/0/0`): no clock. Literally such a control would end every game at once;
    /// seven games of 2002 have it.
    #[must_use]
    pub const fn is_untimed(&self) -> bool {
        self.move_time == 0 && self.reserve == 0
    }

    /// With another game length; a limit of 0 is none. A fixed time has none.
    #[must_use]
    pub const fn with_game_limit(self, limit: Option<GameLimit>) -> TimeControl {
        let game_limit = match limit {
            Some(GameLimit::Seconds(0) | GameLimit::Turns(0)) => None,
            limit => limit,
        };
        if self.fixed { self } else { TimeControl { game_limit, ..self } }
    }

    /// The control after some game time: the length is reduced to at least a second. A length in turns is unchanged.
    #[must_use]
    pub fn after(self, game_time: u64) -> TimeControl {
        match self.game_limit {
            Some(GameLimit::Seconds(limit)) => {
                let played = u32::try_from(game_time).unwrap_or(u32::MAX);
                let left = limit.saturating_sub(played).max(1);
                self.with_game_limit(Some(GameLimit::Seconds(left)))
            }
            _ => self,
        }
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        TimeControl::parse(text)
    }
}

/// All six fields with units (`2m/2m/100/10m/8h/0`), or `game 30m`. Parses back to the same.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(seconds) = self.whole_game() {
            return write!(f, "game {}", Span(seconds));
        }
        write!(
            f,
            "{}/{}/{}/{}/",
            Span(self.move_time),
            Span(self.reserve),
            self.percent,
            Span(self.reserve_limit)
        )?;
        match self.game_limit {
            None => f.write_str("0")?,
            Some(GameLimit::Seconds(seconds)) => Span(seconds).fmt(f)?,
            Some(GameLimit::Turns(turns)) => write!(f, "{turns}t")?,
        }
        write!(f, "/{}", Span(self.turn_limit))
    }
}

/// The text after `game`, in any case.
fn after_the_word(text: &str) -> Option<&str> {
    let (word, rest) = text.split_at_checked(4)?;
    (word.eq_ignore_ascii_case("game") && rest.starts_with([' ', '\t'])).then_some(rest)
}

/// Truncated for messages.
fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> (u32, u32, u32, Option<u32>, Option<GameLimit>, Option<u32>) {
        let c = TimeControl::parse(text).unwrap();
        (c.move_time(), c.reserve(), c.percent(), c.reserve_limit(), c.game_limit(), c.turn_limit())
    }

    #[test]
    fn every_way_of_spelling_a_time_gives_its_seconds() {
        use GameLimit::{Seconds, Turns};
        assert_eq!(fields("2/2/100/10/8"), (120, 120, 100, Some(600), Some(Seconds(28_800)), None));
        assert_eq!(fields("0:12/5"), (12, 300, 100, None, None, None));
        assert_eq!(fields(":12/5"), (12, 300, 100, None, None, None));
        assert_eq!(fields("15s/2m30s/100"), (15, 150, 100, None, None, None));
        assert_eq!(fields("1m30/2"), (60 + 30 * 60, 120, 100, None, None, None));
        assert_eq!(fields("4/4/100/4/90t/5"), (240, 240, 100, Some(240), Some(Turns(90)), Some(300)));
        assert_eq!(fields("24h5m10s/0/0/0/60d"), (86_710, 0, 0, None, Some(Seconds(5_184_000)), None));
        assert_eq!(fields("2/2//10/1:30/"), (120, 120, 100, Some(600), Some(Seconds(5_400)), None));
        assert_eq!(fields("2/2/100/0/0t"), (120, 120, 100, None, None, None));
        assert_eq!(fields(" 3/0\t"), (180, 0, 100, None, None, None));
    }

    #[test]
    fn a_fixed_time_for_a_game_is_read_in_every_spelling_and_written_in_one() {
        for (text, normal) in [
            ("game 30m", "game 30m"),
            ("game 30", "game 30m"),
            ("Game\t1:30", "game 1m30s"),
            (" game  1h30m ", "game 1h30m"),
        ] {
            let control = TimeControl::parse(text).unwrap();
            assert_eq!(control.to_string(), normal, "{text}");
            assert_eq!(TimeControl::parse(normal), Ok(control), "{text}");
        }
        // The gameroom's form is unchanged, and so is a fixed time for a resumed game.
        let fixed = TimeControl::parse("game 30m").unwrap();
        assert_eq!((fixed.after(600), fixed.free_time(true)), (fixed, 0));
        assert_eq!(fixed.with_game_limit(Some(GameLimit::Turns(5))), fixed);
        assert_eq!(TimeControl::parse("0/30m/0").unwrap().to_string(), "0/30m/0/0/0/0");
        for text in ["0/30m/0", "0/30m", "1s/30m/0", "0/0/0"] {
            assert_eq!(TimeControl::parse(text).unwrap().whole_game(), None, "{text}");
        }
        let one = |text: &str| TimeControl::parse(text).unwrap().one_time();
        for text in ["game 30m", "0/30m/0", "0/30", "0/30:00"] {
            assert_eq!(one(text), Some(1800), "{text}");
        }
        for text in ["1s/30m/0", "0/0/0", "0/30m/0/30m", "0/30m/0/0/8h", "0/30m/0/0/0/1m"] {
            assert_eq!(one(text), None, "{text}");
        }
        let code = |text: &str| TimeControl::parse(text).unwrap_err().code();
        for text in ["game soon", "game 0", "game ", "game -3", "game 30m/2"] {
            assert_eq!(code(text), if text == "game " { "field_count" } else { "field_malformed" }, "{text}");
        }
        assert_eq!(code("game 36501d"), "field_too_large");
    }

    #[test]
    fn a_game_that_goes_on_has_the_rest_of_the_length() {
        let left = |text: &str, played| TimeControl::parse(text).unwrap().after(played).to_string();
        assert_eq!(left("2m/6m/100/0/8h/6m", 290), "2m/6m/100/0/7h55m10s/6m");
        assert_eq!(left("2m/6m/100/0/8h/6m", 0), "2m/6m/100/0/8h/6m");
        assert_eq!(left("2m/6m/100/0/8h/6m", u64::MAX), "2m/6m/100/0/1s/6m");
        assert_eq!(left("2m/6m/100/0/90t/6m", 290), "2m/6m/100/0/90t/6m");
        assert_eq!(left("2m/6m", 290), "2m/6m/100/0/0/0");
        let control = TimeControl::parse("2m/6m/100/0/8h").unwrap();
        assert_eq!(control.with_game_limit(Some(GameLimit::Seconds(0))).game_limit(), None);
    }

    #[test]
    fn what_is_no_time_control_is_refused_with_the_field_that_is_wrong() {
        let code = |text: &str| TimeControl::parse(text).unwrap_err().code();
        for text in ["", "2", "2/2/100/10/8/0/0"] {
            assert_eq!(code(text), "field_count", "{text}");
        }
        for text in ["/2", "2/", "/"] {
            assert_eq!(code(text), "field_missing", "{text}");
        }
        for text in [
            "x/2", "2/2/a", "2/2/1s", "2/2/100/10/t", "2/2/100/10/m", "1:/2", "1:2:3/4", "-1/2", "2 /2",
            "2/2/100/1é",
        ] {
            assert_eq!(code(text), "field_malformed", "{text}");
        }
        for text in [
            "99999999999999999999999/2",
            "2/36501d",
            "2/100000d100000d",
            "52560001/0",
            "2/2/1001",
            "2/2/100/0/1000001t",
            "2/2/100/0/0:52560001",
        ] {
            assert_eq!(code(text), "field_too_large", "{text}");
        }
        let error = TimeControl::parse("2/2/lots").unwrap_err().to_string();
        assert!(error.contains("`lots`") && error.contains("P (percent"), "{error}");
    }

    #[test]
    fn the_largest_time_survives_the_normal_form() {
        let text = format!("{}s/0", TimeControl::MAX_SECONDS);
        let control = TimeControl::parse(&text).unwrap();
        assert_eq!(control.to_string(), "36500d/0/100/0/0/0");
        assert_eq!(TimeControl::parse("36500d/0/100/0/0/0"), Ok(control));
    }

    #[test]
    fn a_long_bad_text_is_cut_in_the_message() {
        let text = format!("{}/2", "x".repeat(1_000_000));
        assert!(TimeControl::parse(&text).unwrap_err().to_string().len() < 500);
    }
}
