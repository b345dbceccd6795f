//! A game as an operator enters it, line by line as it is played: moves with the time they took, moves taken back, an end
//! that the board does not show, halts, clocks set by hand. A line becomes the events of the game; whether they are accepted
//! the command handler decides.

use std::str::FromStr;

use annals_events::canonical::CanonicalError;
use annals_events::{
    ClockSet, Ended, GameEvent, Halted, Micros, Resumed, Side, StreamName, Termination, TurnRetracted,
    TurnTaken,
};
use annals_store::Log;

use super::draft::Draft;
use super::play::{first_number, labelled};
use crate::colours::{colour, letter};
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::game::GameReplay;
use crate::read::game_at;

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
        /// On whose word; the operator's own where nobody is named.
        by: Option<String>,
        why: String,
    },
    /// The side to move resigns.
    Resign,
    /// The side to move has used up its time.
    Time,
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
    #[error("`{found}` is no time: write seconds, or 1:35, or `?` where nobody knows")]
    Time { found: String },
    #[error("write both clocks, the first side's first: `clock 12:30 9:05 because WHY`")]
    Clocks,
    #[error("`{word}` stands alone; `{found}` after it means nothing")]
    Alone { word: String, found: String },
}

/// Why a line makes no events in a game.
#[derive(Debug, thiserror::Error)]
pub enum OperateError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("`{stream}` has not begun: its first event is not its start")]
    NotBegun { stream: StreamName },
    #[error("`{found}` is labelled as another move than {expected}, which is next")]
    Label { found: String, expected: String },
    #[error("{message} [{code}]")]
    Illegal { code: String, message: String },
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
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
            "show" => alone(Said::Show),
            "halt" => Ok(Said::Halt(because(word, rest)?)),
            "resume" => Ok(Said::Resume(because(word, rest)?)),
            "clock" => clocks(rest),
            _ => a_move(line),
        }
    }
}

fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

/// The reason after `because`, where there is one, and what stands before it.
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

/// A game at the point where its operator stands.
#[derive(Debug)]
pub struct Board<'a> {
    stream: &'a StreamName,
    replay: GameReplay,
    drafts: Vec<Draft>,
    at: Micros,
    now: bool,
}

impl<'a> Board<'a> {
    /// The game as the log holds it, with further events on top that are not in the log. What happens next happens `at` a
    /// time, or `now`.
    ///
    /// # Errors
    /// When the log cannot be read or has no such game, or the game has not begun.
    pub fn of(
        log: &Log,
        stream: &'a StreamName,
        on_top: &[Draft],
        (at, now): (Option<Micros>, Micros),
    ) -> Result<Board<'a>, OperateError> {
        let mut replay = game_at(log, stream, &Cut::NOW)?;
        for draft in on_top {
            if let Ok(annals_events::Event::Game(event)) = draft.decode().map(|entry| entry.event) {
                replay.apply_event(0, draft.effective_at, &event);
            }
        }
        if replay.started().is_none() {
            return Err(OperateError::NotBegun { stream: stream.clone() });
        }
        Ok(Board::on(stream, replay, (at, now)))
    }

    /// A game that has begun.
    pub(super) fn on(
        stream: &'a StreamName,
        replay: GameReplay,
        (at, now): (Option<Micros>, Micros),
    ) -> Board<'a> {
        Board { stream, replay, drafts: Vec::new(), at: at.unwrap_or(now), now: at.is_none() }
    }

    /// What has happened on it since.
    pub(super) fn drafts(&self) -> &[Draft] {
        &self.drafts
    }

    /// The game as it stands, what was said last included.
    #[must_use]
    pub fn replay(&self) -> &GameReplay {
        &self.replay
    }

    /// Seconds that the side to move has used so far, by the clock of the log; none where nobody knows.
    #[must_use]
    pub fn running(&self, now: Micros) -> Option<u32> {
        self.replay.clocks_at(Some(now)).ok()?.running.map(|running| running.used)
    }

    /// What is expected next, as a label: `12w`.
    #[must_use]
    pub fn next(&self) -> Option<String> {
        let side = self.replay.game().to_move().filter(|_| !self.replay.is_over())?;
        Some(format!("{}{}", self.number(None), letter(self.replay.kind(), side)))
    }

    fn number(&self, label: Option<u32>) -> u32 {
        let expected = self.replay.game().expected_number();
        expected.or(label).unwrap_or_else(|| first_number(&self.replay, None))
    }

    /// What a line makes happen in the game. A move that the operator gives no time for took `running` seconds. Where the
    /// board then shows the end, the game ends with it.
    ///
    /// # Errors
    /// When the game does not take it: then the board is of no more use.
    pub fn say(mut self, said: &Said, running: Option<u32>) -> Result<(Board<'a>, Vec<Draft>), OperateError> {
        let plies = self.replay.game().plies().len();
        let side = self.replay.game().to_move().unwrap_or(Side::Gold);
        match said {
            Said::Show => {}
            Said::Move { label, words, used } => {
                self.labelled_right(*label, words)?;
                let used = match used {
                    Used::Seconds(seconds) => Some(*seconds),
                    Used::Unknown => None,
                    Used::Unsaid => running,
                };
                let number = self.number(label.map(|(number, _)| number));
                let turn = TurnTaken { used, ..TurnTaken::plain(number, side, words.clone()) };
                self.happens(GameEvent::TurnTaken(turn), None)?;
                self.ends_on_the_board()?;
            }
            Said::Retract { by, why } => {
                let reason = Some(why.clone().into());
                self.happens(GameEvent::TurnRetracted(TurnRetracted { reason }), by.as_deref())?;
            }
            Said::Resign => self.is_lost_by(side, Termination::Resignation)?,
            Said::Time => self.is_lost_by(side, Termination::Time)?,
            Said::Halt(why) => {
                let reason = why.clone().map(Into::into);
                self.happens(GameEvent::Halted(Halted { reason }), None)?;
            }
            Said::Resume(why) => {
                let from_ply = u32::try_from(plies).unwrap_or(u32::MAX);
                let reason = why.clone().map(Into::into);
                let resumed = Resumed { from_ply, gold_reserve: None, silver_reserve: None, reason };
                self.happens(GameEvent::Resumed(resumed), None)?;
            }
            Said::Clock { first, second, why } => {
                let reason = why.clone().map(Into::into);
                let set = ClockSet { gold_reserve: *first, silver_reserve: *second, reason };
                self.happens(GameEvent::ClockSet(set), None)?;
            }
        }
        let drafts = std::mem::take(&mut self.drafts);
        Ok((self, drafts))
    }

    fn labelled_right(&self, label: Option<(u32, Side)>, words: &str) -> Result<(), OperateError> {
        let (Some((number, side)), Some(to_move)) = (label, self.replay.game().to_move()) else {
            return Ok(());
        };
        let expected = self.replay.game().expected_number();
        if side == to_move && expected.is_none_or(|expected| expected == number) {
            return Ok(());
        }
        let found = format!("{number}{} {}", letter(self.replay.kind(), side), shown(words));
        let expected = format!("{}{}", self.number(None), letter(self.replay.kind(), to_move));
        Err(OperateError::Label { found, expected })
    }

    pub(super) fn is_lost_by(&mut self, side: Side, termination: Termination) -> Result<(), OperateError> {
        let (winner, termination) = (Some(side.other()), Some(termination));
        self.happens(GameEvent::Ended(Ended { winner, termination, stated: None, draw: false }), None)
    }

    pub(super) fn ends_on_the_board(&mut self) -> Result<(), OperateError> {
        let game = self.replay.game();
        let Some(outcome) = game.board_says().filter(|_| game.ending().is_none()) else { return Ok(()) };
        let ended = Ended {
            winner: outcome.winner,
            termination: Some(outcome.termination),
            stated: None,
            draw: outcome.winner.is_none(),
        };
        self.happens(GameEvent::Ended(ended), None)
    }

    pub(super) fn happens(
        &mut self,
        event: GameEvent<'static>,
        by: Option<&str>,
    ) -> Result<(), OperateError> {
        let before = self.replay.findings().len();
        self.replay.apply_event(0, self.at, &event);
        if let Some(finding) = self.replay.findings().get(before) {
            let (code, message) = (finding.code.to_owned(), finding.message.clone());
            return Err(OperateError::Illegal { code, message });
        }
        let draft = Draft::new(self.stream.clone(), self.at, event)?;
        let draft = if self.now { draft.now() } else { draft };
        self.drafts.push(match by {
            Some(by) => draft.by(by),
            None => draft,
        });
        Ok(())
    }

    /// How the game ended, in words; none while it goes on.
    #[must_use]
    pub fn ending(&self) -> Option<String> {
        let ending = self.replay.game().ending()?;
        let how = ending.termination.map_or_else(String::new, |how| format!(" by {how}"));
        Some(match ending.winner {
            Some(side) => format!("{} wins{how}", colour(self.replay.kind(), side)),
            None => format!("nobody wins{how}"),
        })
    }
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
        assert_eq!(said("time"), Said::Time);
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
