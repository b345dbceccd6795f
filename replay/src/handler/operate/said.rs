//! A line of an operator as it is read: what it says of the game.

use std::str::FromStr;

use annals_events::Side;

use crate::handler::play::labelled;

/// A line of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A move, with its label where it has one, and how long it took.
    Move {
        label: Option<(u32, Side)>,
        /// The move in the notation of the game.
        words: String,
        used: Used,
    },
    /// The last move is taken back.
    Retract {
        /// On whose word; the operator's own where no one is named.
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

/// How long a move took, as far as the operator says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Used {
    /// So many seconds.
    Seconds(u32),
    Unknown,
    /// Nothing is said of it.
    Unsaid,
}

/// Why a line cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoLine {
    #[error("it is not said why the move is taken back: write `retract by WHO because WHY`")]
    NoReason,
    #[error("`{found}` is no time: write seconds, or 1:35, or `?` where it is unknown")]
    Time { found: String },
    #[error("write both clocks, the first side's first: `clock 12:30 9:05 because WHY`")]
    Clocks,
    #[error("`{word}` has no word after it, found `{found}`")]
    Alone { word: String, found: String },
}

impl FromStr for Said {
    type Err = NoLine;

    fn from_str(line: &str) -> Result<Said, NoLine> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let alone = |said: Said| match rest {
            "" => Ok(said),
            found => Err(NoLine::Alone { word: word.to_owned(), found: shown(found) }),
        };
        match word.to_ascii_lowercase().as_str() {
            "retract" | "takeback" => retract(rest),
            "resign" | "resigns" => alone(Said::Resign),
            "time" => alone(Said::Time),
            "score" => alone(Said::Score),
            "show" => alone(Said::Show),
            "halt" => Ok(Said::Halt(because(word, rest)?)),
            "resume" => Ok(Said::Resume(because(word, rest)?)),
            "clock" => clocks(rest),
            _ => a_move(line),
        }
    }
}

pub(in crate::handler) fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

/// The reason after `because`, where there is one, and what is before it.
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

fn because(word: &str, rest: &str) -> Result<Option<String>, NoLine> {
    match parted(rest) {
        ("", why) => Ok(why.map(str::to_owned)),
        (found, _) => Err(NoLine::Alone { word: word.to_owned(), found: shown(found) }),
    }
}

fn retract(rest: &str) -> Result<Said, NoLine> {
    let (whose, why) = parted(rest);
    let why = why.filter(|why| !why.is_empty()).ok_or(NoLine::NoReason)?.to_owned();
    let by = match whose.split_once(char::is_whitespace) {
        _ if whose.is_empty() => None,
        Some(("by", who)) => Some(who.trim().to_owned()),
        _ => return Err(NoLine::Alone { word: "retract".to_owned(), found: shown(whose) }),
    };
    Ok(Said::Retract { by, why })
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

fn clocks(rest: &str) -> Result<Said, NoLine> {
    let (both, why) = parted(rest);
    let mut each = both.split_whitespace().map(seconds);
    match (each.next(), each.next(), each.next()) {
        (Some(Some(first)), Some(Some(second)), None) => {
            Ok(Said::Clock { first: first.into(), second: second.into(), why: why.map(str::to_owned) })
        }
        _ => Err(NoLine::Clocks),
    }
}

fn a_move(line: &str) -> Result<Said, NoLine> {
    let (label, words) = labelled(line);
    let (words, used) = match words.rsplit_once(" in ") {
        None => (words, Used::Unsaid),
        Some((words, time)) => match time.trim() {
            "?" => (words, Used::Unknown),
            time => {
                let used = seconds(time).ok_or_else(|| NoLine::Time { found: shown(time) })?;
                (words, Used::Seconds(used))
            }
        },
    };
    Ok(Said::Move { label, words: words.trim().to_owned(), used })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Said {
        line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn moved(label: Option<(u32, Side)>, words: &str, used: Used) -> Said {
        Said::Move { label, words: words.to_owned(), used }
    }

    #[test]
    fn a_move_may_have_a_label_in_front_and_its_time_behind() {
        assert_eq!(said("d1-d7(g7)"), moved(None, "d1-d7(g7)", Used::Unsaid));
        assert_eq!(
            said(" 3b  g10-g5/b5 in 1:35"),
            moved(Some((3, Side::Silver)), "g10-g5/b5", Used::Seconds(95))
        );
        assert_eq!(
            said("12g Ee2n Ee3n in 40"),
            moved(Some((12, Side::Gold)), "Ee2n Ee3n", Used::Seconds(40))
        );
        assert_eq!(said("a4-a6(a5) in ?"), moved(None, "a4-a6(a5)", Used::Unknown));
        assert_eq!(said("a4-a6(a5) in 1:00:01"), moved(None, "a4-a6(a5)", Used::Seconds(3601)));
    }

    #[test]
    fn whatever_is_no_move_begins_with_its_word() {
        let by =
            |who: Option<&str>, why: &str| Said::Retract { by: who.map(str::to_owned), why: why.to_owned() };
        assert_eq!(said("retract by Jonathan because g7 was meant"), by(Some("Jonathan"), "g7 was meant"));
        assert_eq!(said("retract because it was because of me"), by(None, "it was because of me"));
        assert_eq!(said("Resign"), Said::Resign);
        assert_eq!((said("time"), said("score")), (Said::Time, Said::Score));
        assert_eq!(said("halt because the line is down"), Said::Halt(Some("the line is down".to_owned())));
        assert_eq!(said("resume"), Said::Resume(None));
        assert_eq!(said("clock 12:30 545"), Said::Clock { first: 750, second: 545, why: None });
    }

    #[test]
    fn what_cannot_be_read_says_what_to_write_instead() {
        let wrong = |line: &str| line.parse::<Said>().unwrap_err().to_string();
        for line in ["retract", "retract by Jonathan", "retract by Jonathan because "] {
            assert_eq!(line.parse::<Said>(), Err(NoLine::NoReason), "{line}");
        }
        assert!(wrong("retract Jonathan because of me").contains("`Jonathan`"));
        assert!(wrong("d1-d7(g7) in time").contains("`time` is no time"));
        assert!(wrong("d1-d7(g7) in 1:99").contains("1:99"));
        assert!(wrong("d1-d7(g7) in 99999999999").contains("is no time"));
        assert_eq!("clock 12".parse::<Said>(), Err(NoLine::Clocks));
        assert!(wrong("resign now").contains("`now`"));
        assert!(wrong("halt now because of rain").contains("`now`"));
    }
}
