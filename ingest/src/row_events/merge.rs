//! Merges the turns of the list and the moves of the log, both in order of play. A turn is matched by label and steps
//! within a few moves.

use std::borrow::Cow;

use annals_events::{GameEvent, TurnRejected, TurnRetracted, TurnTaken};

use super::buffers::{Item, Label, RowEvents};
use super::move_list::ListEnd;
use crate::flags::Flag;
use crate::server_log::{LogKind, LogLine};

/// Log moves searched for a turn.
const REACH: usize = 24;

/// Makes the events, and keeps a final clock line without turn: of a resignation or an illegal last move.
pub(super) fn merge<'a>(out: &mut RowEvents<'a>, list: &ListEnd) {
    let about_moves = |line: &LogLine<'_>| {
        matches!(line.kind, LogKind::MoveReceived | LogKind::AfterMove | LogKind::Rejected)
    };
    for (at, line) in (0..).zip(&out.log) {
        if about_moves(line) {
            out.moves.push(at);
        }
    }
    let mut merge = Merge { out, next: 0, received: None };
    let mut items = std::mem::take(&mut merge.out.items);
    for item in items.drain(..) {
        match item {
            Item::Turn { label, text } => merge.turn(label, text),
            Item::Takeback => merge.push(None, GameEvent::TurnRetracted(TurnRetracted::default())),
        }
    }
    merge.out.items = items;
    merge.rest(list);
}

struct Merge<'o, 'a> {
    out: &'o mut RowEvents<'a>,
    /// Index of the next `out.moves`.
    next: usize,
    /// The last received move without a turn.
    received: Option<u32>,
}

impl<'a> Merge<'_, 'a> {
    fn push(&mut self, at: Option<i64>, event: GameEvent<'a>) {
        self.out.events.push((at, event));
    }

    fn line(&self, at: usize) -> Option<&LogLine<'a>> {
        self.out.moves.get(at).and_then(|line| self.out.log.get(*line as usize))
    }

    /// The index of the next event.
    fn coming(&self) -> Option<u32> {
        u32::try_from(self.out.events.len()).ok()
    }

    fn turn(&mut self, label: Label, text: Cow<'a, [u8]>) {
        let mut turn = TurnTaken::plain(label.number, label.side, decoded(text));
        let mut at = None;
        if let Some(found) = self.find(label, turn.steps.as_bytes()) {
            let between = self.next..found;
            self.pass(between, true);
            self.next = found + 1;
            let event = self.coming();
            if let Some(line) = self.out.log.get_mut(self.out.moves[found] as usize) {
                at = line.at;
                line.event = event;
            }
            let after = self.out.moves.get(self.next).and_then(|line| self.out.log.get_mut(*line as usize));
            if let Some(line) = after
                && line.kind == LogKind::AfterMove
                && label_of(line) == Some(label)
            {
                add_clock(&mut turn, line);
                line.event = event;
                self.next += 1;
            }
            self.received = None;
        } else if !self.out.moves.is_empty() {
            self.out.flags.set(Flag::LogDisagrees);
        }
        self.push(at, GameEvent::TurnTaken(turn));
    }

    /// Where the log received this turn and did not reject it.
    fn find(&self, label: Label, steps: &[u8]) -> Option<usize> {
        (self.next..self.out.moves.len()).take(REACH).find(|at| {
            self.line(*at).is_some_and(|line| {
                line.kind == LogKind::MoveReceived
                    && label_of(line) == Some(label)
                    && line.steps.is_some_and(|found| same_steps(found, steps))
                    && self.line(at + 1).is_none_or(|next| next.kind != LogKind::Rejected)
            })
        })
    }

    /// Skips lines without a turn in the list; rejected moves become events.
    fn pass(&mut self, range: std::ops::Range<usize>, more_follow: bool) {
        for at in range {
            let Some(index) = self.out.moves.get(at).copied() else { return };
            let Some(line) = self.out.log.get(index as usize).copied() else { return };
            match line.kind {
                LogKind::MoveReceived => {
                    if self.received.is_some() {
                        self.out.flags.set(Flag::LogDisagrees);
                    }
                    self.received = Some(index);
                }
                LogKind::Rejected => self.rejected(index, &line),
                // The clock of a turn missing in the list; at the end perhaps of a resignation.
                _ if more_follow => self.out.flags.set(Flag::LogDisagrees),
                _ => {}
            }
        }
        if more_follow && self.received.take().is_some() {
            self.out.flags.set(Flag::LogDisagrees);
        }
    }

    fn rejected(&mut self, index: u32, line: &LogLine<'a>) {
        let event = self.coming();
        let received = self.received.take();
        let received = received.and_then(|received| self.out.log.get_mut(received as usize));
        let label = received.and_then(|received| {
            received.event = event;
            (received.steps == line.steps).then(|| label_of(received)).flatten()
        });
        let Some(label) = label else {
            // The intended turn is unknown.
            self.out.flags.set(Flag::LogDisagrees);
            return;
        };
        if let Some(line) = self.out.log.get_mut(index as usize) {
            line.event = event;
        }
        let rejected = TurnRejected {
            number: label.number,
            side: label.side,
            steps: String::from_utf8_lossy(line.steps.unwrap_or_default()),
            reason: String::from_utf8_lossy(line.text),
        };
        self.push(line.at, GameEvent::TurnRejected(rejected));
    }

    /// The log after the last turn of the list.
    fn rest(mut self, list: &ListEnd) {
        let rest = self.next..self.out.moves.len();
        self.pass(rest.clone(), false);
        let mut unfinished = None;
        let mut odd = false;
        for at in rest {
            let Some(line) = self.line(at) else { break };
            let label = label_of(line);
            // A late move, or the clock of an unplayed turn: under the label to move.
            let fits = label == Some(list.to_move) || (label.is_some() && label == list.resigned);
            if line.kind == LogKind::AfterMove {
                odd |= !fits || unfinished.is_some();
                unfinished = label.map(|label| {
                    let mut turn = TurnTaken::plain(label.number, label.side, "");
                    add_clock(&mut turn, line);
                    turn
                });
            } else if line.kind == LogKind::MoveReceived && line.event.is_none() {
                odd |= !fits;
            }
        }
        if odd {
            self.out.flags.set(Flag::LogDisagrees);
        }
        self.out.unfinished = unfinished;
    }
}

/// Adds a clock line to a turn.
fn add_clock(turn: &mut TurnTaken<'_>, line: &LogLine<'_>) {
    turn.used = line.used;
    turn.gold_reserve = line.gold_reserve;
    turn.silver_reserve = line.silver_reserve;
    turn.game_time = line.game_time;
}

fn label_of(line: &LogLine<'_>) -> Option<Label> {
    Some(Label { number: line.number?, side: line.side? })
}

fn same_steps(a: &[u8], b: &[u8]) -> bool {
    let words = |text| <[u8]>::split(text, u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    a == b || words(a).eq(words(b))
}

/// With replacement of invalid UTF-8.
fn decoded(text: Cow<'_, [u8]>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}
