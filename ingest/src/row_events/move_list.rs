//! The move list of a row: lines and labels.

use std::borrow::Cow;

use annals_events::Side;

use super::buffers::{Item, Label, MoveListLine, RowEvents};
use crate::flags::Flag;
use crate::server_log::{self, escaped_lines};

/// The state at the end of the list.
pub(super) struct ListEnd {
    /// The label of the next turn.
    pub to_move: Label,
    /// The label of a resignation.
    pub resigned: Option<Label>,
    /// Of the turns in force.
    pub last_number: Option<u32>,
}

impl<'a> MoveListLine<'a> {
    fn read(line: &'a [u8]) -> MoveListLine<'a> {
        if let Some((number, side, rest)) = server_log::label(line)
            && rest.first().is_none_or(u8::is_ascii_whitespace)
        {
            return MoveListLine { label: Some(Label { number, side }), text: rest.trim_ascii() };
        }
        MoveListLine { label: None, text: line }
    }
}

/// Reads into `out.items`; oddities become flags.
pub(super) fn read<'a>(text: &'a [u8], out: &mut RowEvents<'a>) -> ListEnd {
    for line in escaped_lines(text) {
        let line = line.trim_ascii();
        if !line.is_empty() {
            out.lines.push(MoveListLine::read(line));
        }
    }
    let mut list = List { expected: Label::FIRST, resigned: None, out };
    let mut at = 0;
    while let Some(line) = list.out.lines.get(at).copied() {
        at += 1;
        let Some(label) = line.label else {
            list.out.flags.set(Flag::BadLabel);
            list.line(list.expected, Cow::Borrowed(without_letter(line.text, list.expected.side)));
            continue;
        };
        let unlabelled = list.out.lines[at..].iter().take_while(|line| line.label.is_none()).count();
        let after = list.out.lines.get(at + unlabelled).and_then(|line| line.label);
        if line.text.is_empty() && unlabelled == 0 {
            list.bare(label, after.is_none());
            continue;
        }
        // Unlabelled lines join this one if the next label leaves no room for turns between.
        let torn =
            unlabelled > 0 && (line.text.is_empty() || after.is_none_or(|after| after == label.next()));
        let mut text = Cow::Borrowed(line.text);
        if torn {
            list.out.flags.set(Flag::SplitTurn);
            for part in &list.out.lines[at..at + unlabelled] {
                let text = text.to_mut();
                if !text.is_empty() {
                    text.push(b' ');
                }
                text.extend_from_slice(part.text);
            }
            at += unlabelled;
        }
        list.line(label, text);
    }
    let (to_move, resigned) = (list.expected, list.resigned);
    let last_number = out.labels.last().map(|label| label.number);
    if out.items.iter().all(|item| matches!(item, Item::Takeback)) {
        out.flags.set(Flag::NoTurns);
    }
    ListEnd { to_move, resigned, last_number }
}

/// A label without number: `w Ee2n`.
fn without_letter(text: &[u8], side: Side) -> &[u8] {
    match text {
        [letter, b' ', rest @ ..] if Side::from_letter(*letter) == Some(side) => rest.trim_ascii(),
        _ => text,
    }
}

struct List<'o, 'a> {
    expected: Label,
    resigned: Option<Label>,
    out: &'o mut RowEvents<'a>,
}

impl<'a> List<'_, 'a> {
    /// A bare label: at the end it names the side to move.
    fn bare(&mut self, label: Label, last: bool) {
        if !last {
            self.out.flags.set(Flag::StrayLine);
        } else if label != self.expected && Some(label) != self.resigned {
            self.out.flags.set(Flag::BadLabel);
        }
    }

    fn line(&mut self, label: Label, text: Cow<'a, [u8]>) {
        if self.resigned.is_some() {
            // The game continued, or the line is misplaced.
            self.out.flags.set(Flag::StrayLine);
        }
        if text.eq_ignore_ascii_case(b"takeback") {
            self.check(label);
            match self.out.labels.pop() {
                Some(back) => {
                    self.expected = back;
                    self.out.items.push(Item::Takeback);
                }
                None => self.out.flags.set(Flag::StrayLine),
            }
        } else if text.eq_ignore_ascii_case(b"resign") || text.eq_ignore_ascii_case(b"resigns") {
            self.check(label);
            self.resigned = Some(self.expected);
            self.expected = self.expected.next();
        } else {
            self.check(label);
            let label = if label.side == self.expected.side { self.expected } else { label };
            self.out.labels.push(label);
            self.expected = label.next();
            self.out.items.push(Item::Turn { label, text });
        }
    }

    fn check(&mut self, label: Label) {
        if label != self.expected {
            self.out.flags.set(Flag::BadLabel);
        }
    }
}
