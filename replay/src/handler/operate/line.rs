//! A parsed line of an operator.

use std::num::ParseIntError;
use std::str::FromStr;

use annals_events::Side;

/// A line of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperatorLine {
    /// A move, with its label if it has one, and the time used.
    Move {
        label: Option<(u32, Side)>,
        /// The move in the notation of the game.
        words: String,
        used: Used,
    },
    /// The last move is taken back.
    Retract {
        /// Who instructs it; by default the operator.
        by: Option<String>,
        why: String,
    },
    /// The side to move resigns.
    Resign,
    /// The side to move has used up its time.
    Time,
    /// The game has reached its limit, and the score decides.
    Score,
    Halt(Option<String>),
    Resume(Option<String>),
    /// The reserves of both sides are set, in seconds.
    Clock {
        first: i64,
        second: i64,
        why: Option<String>,
    },
    /// The position is to be shown again.
    Show,
}

/// The time used for a move, as stated by the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Used {
    /// A number of seconds.
    Seconds(u32),
    Unknown,
    /// Not stated.
    Unsaid,
}

/// Why a line cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OperatorLineError {
    #[error("the reason for taking the move back is missing: write `retract by WHO because WHY`")]
    NoReason,
    #[error("`{found}` is not a valid time: write seconds, or 1:35, or `?` where it is unknown")]
    Time { found: String },
    #[error("write both clocks, the first side's first: `clock 12:30 9:05 because WHY`")]
    Clocks,
    #[error("`{word}` has no word after it, found `{found}`")]
    Alone { word: String, found: String },
}

impl FromStr for OperatorLine {
    type Err = OperatorLineError;

    fn from_str(line: &str) -> Result<OperatorLine, OperatorLineError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let alone = |line: OperatorLine| match rest {
            "" => Ok(line),
            found => Err(OperatorLineError::Alone { word: word.to_owned(), found: shown(found) }),
        };
        match word.to_ascii_lowercase().as_str() {
            "retract" | "takeback" => retract(rest),
            "resign" | "resigns" => alone(OperatorLine::Resign),
            "time" => alone(OperatorLine::Time),
            "score" => alone(OperatorLine::Score),
            "show" => alone(OperatorLine::Show),
            "halt" => Ok(OperatorLine::Halt(because(word, rest)?)),
            "resume" => Ok(OperatorLine::Resume(because(word, rest)?)),
            "clock" => clocks(rest),
            _ => a_move(line),
        }
    }
}

pub(in crate::handler) fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

/// The reason after `because`, if there is one, and the text before it.
fn parted(text: &str) -> (&str, Option<&str>) {
    let mut words = text.match_indices("because").filter(|(at, word)| {
        let (before, after) = (&text[..*at], &text[at + word.len()..]);
        (before.is_empty() || before.ends_with(char::is_whitespace)) && after.starts_with(char::is_whitespace)
    });
    match words.next() {
        Some((at, word)) => (text[..at].trim(), Some(text[at + word.len()..].trim())),
        None => (text, None),
    }
}

fn because(word: &str, rest: &str) -> Result<Option<String>, OperatorLineError> {
    match parted(rest) {
        ("", why) => Ok(why.map(str::to_owned)),
        (found, _) => Err(OperatorLineError::Alone { word: word.to_owned(), found: shown(found) }),
    }
}

fn retract(rest: &str) -> Result<OperatorLine, OperatorLineError> {
    let (whose, why) = parted(rest);
    let why = why.filter(|why| !why.is_empty()).ok_or(OperatorLineError::NoReason)?.to_owned();
    let by = match whose.split_once(char::is_whitespace) {
        _ if whose.is_empty() => None,
        Some(("by", who)) => Some(who.trim().to_owned()),
        _ => return Err(OperatorLineError::Alone { word: "retract".to_owned(), found: shown(whose) }),
    };
    Ok(OperatorLine::Retract { by, why })
}

/// Seconds, or minutes and seconds, or hours, minutes and seconds with colons between.
fn seconds(text: &str) -> Option<u32> {
    let parts: Vec<&str> = text.split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    parts.iter().enumerate().try_fold(0u32, |total, (index, part)| {
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let number = part.parse::<u32>().ok().filter(|number| digits && (index == 0 || *number < 60))?;
        total.checked_mul(60)?.checked_add(number)
    })
}

fn clocks(rest: &str) -> Result<OperatorLine, OperatorLineError> {
    let (both, why) = parted(rest);
    let mut each = both.split_whitespace().map(seconds);
    match (each.next(), each.next(), each.next()) {
        (Some(Some(first)), Some(Some(second)), None) => Ok(OperatorLine::Clock {
            first: first.into(),
            second: second.into(),
            why: why.map(str::to_owned),
        }),
        _ => Err(OperatorLineError::Clocks),
    }
}

fn a_move(line: &str) -> Result<OperatorLine, OperatorLineError> {
    let (label, words) = labelled(line);
    let (words, used) = match words.rsplit_once(" in ") {
        None => (words, Used::Unsaid),
        Some((words, time)) => match time.trim() {
            "?" => (words, Used::Unknown),
            time => {
                let used = seconds(time).ok_or_else(|| OperatorLineError::Time { found: shown(time) })?;
                (words, Used::Seconds(used))
            }
        },
    };
    Ok(OperatorLine::Move { label, words: words.trim().to_owned(), used })
}

/// The label in front of a turn, and the rest.
pub(in crate::handler) fn labelled(text: &str) -> (Option<(u32, Side)>, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match label(word) {
        Some(label) => (Some(label), rest.trim()),
        None => (None, text),
    }
}

fn label(word: &str) -> Option<(u32, Side)> {
    let (last, side) = word.char_indices().next_back()?;
    let side = Side::from_letter(u8::try_from(side).ok()?)?;
    let number: Result<u32, ParseIntError> = word.get(..last)?.parse();
    Some((number.ok()?, side))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: &str) -> OperatorLine {
        line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn moved(label: Option<(u32, Side)>, words: &str, used: Used) -> OperatorLine {
        OperatorLine::Move { label, words: words.to_owned(), used }
    }

    #[test]
    fn a_move_may_have_a_label_in_front_and_its_time_behind() {
        assert_eq!(line("d1-d7(g7)"), moved(None, "d1-d7(g7)", Used::Unsaid));
        assert_eq!(
            line(" 3b  g10-g5/b5 in 1:35"),
            moved(Some((3, Side::Silver)), "g10-g5/b5", Used::Seconds(95))
        );
        assert_eq!(
            line("12g Ee2n Ee3n in 40"),
            moved(Some((12, Side::Gold)), "Ee2n Ee3n", Used::Seconds(40))
        );
        assert_eq!(line("a4-a6(a5) in ?"), moved(None, "a4-a6(a5)", Used::Unknown));
        assert_eq!(line("a4-a6(a5) in 1:00:01"), moved(None, "a4-a6(a5)", Used::Seconds(3601)));
    }

    #[test]
    fn whatever_is_no_move_begins_with_its_word() {
        let by = |who: Option<&str>, why: &str| OperatorLine::Retract {
            by: who.map(str::to_owned),
            why: why.to_owned(),
        };
        assert_eq!(line("retract by Jonathan because g7 was meant"), by(Some("Jonathan"), "g7 was meant"));
        assert_eq!(line("retract because it was because of me"), by(None, "it was because of me"));
        assert_eq!(line("Resign"), OperatorLine::Resign);
        assert_eq!((line("time"), line("score")), (OperatorLine::Time, OperatorLine::Score));
        assert_eq!(
            line("halt because the line is down"),
            OperatorLine::Halt(Some("the line is down".to_owned()))
        );
        assert_eq!(line("resume"), OperatorLine::Resume(None));
        assert_eq!(line("clock 12:30 545"), OperatorLine::Clock { first: 750, second: 545, why: None });
    }

    #[test]
    fn what_cannot_be_read_says_what_to_write_instead() {
        let wrong = |line: &str| line.parse::<OperatorLine>().unwrap_err().to_string();
        for line in ["retract", "retract by Jonathan", "retract by Jonathan because "] {
            assert_eq!(line.parse::<OperatorLine>(), Err(OperatorLineError::NoReason), "{line}");
        }
        assert!(wrong("retract Jonathan because of me").contains("`Jonathan`"));
        assert!(wrong("d1-d7(g7) in time").contains("`time` is not a valid time"));
        assert!(wrong("d1-d7(g7) in 1:99").contains("1:99"));
        assert!(wrong("d1-d7(g7) in 99999999999").contains("is not a valid time"));
        assert_eq!("clock 12".parse::<OperatorLine>(), Err(OperatorLineError::Clocks));
        assert!(wrong("resign now").contains("`now`"));
        assert!(wrong("halt now because of rain").contains("`now`"));
    }

    #[test]
    fn a_label_is_a_number_and_the_letter_of_a_side() {
        assert_eq!(labelled("12s ra8s"), (Some((12, Side::Silver)), "ra8s"));
        assert_eq!(labelled("3w Ee2n"), (Some((3, Side::Gold)), "Ee2n"));
        assert_eq!(labelled("4b"), (Some((4, Side::Silver)), ""));
        assert_eq!(labelled("Ee2n Ee3n"), (None, "Ee2n Ee3n"));
        assert_eq!(labelled("ra8s"), (None, "ra8s"));
    }
}
