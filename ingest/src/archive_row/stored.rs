//! A game as the dataset's columns, and back to its row. [`not_given_back`] lists fields that the columns do not
//! reproduce, so that every row can be written again.

use annals_events::{Ended, GameEvent, GameKind, Side, TurnRetracted, TurnTaken};

use super::transcript::Transcript;
use super::{NO_LOG, push_head, push_row};
use crate::game_record::{ArchiveText, FallenTurn, Header, StatedResult, StoredTurn, TimedEvent};
use crate::playthrough::{Fate, Playthrough};
use crate::row::{Column, Row};
use crate::server_log::{LogKind, LogLine};

#[derive(Debug, Clone, Copy)]
pub struct StoredGame<'r, 'a> {
    pub id: u64,
    pub header: &'r Header<'a>,
    /// Turns in force, in order.
    pub turns: &'r [StoredTurn<'a>],
    /// The others in order, without those only in the server log.
    pub fallen: &'r [FallenTurn<'a>],
    /// The server's log. A received move may omit steps equal to the turn in force.
    pub log: &'r [LogLine<'a>],
    pub text: &'r ArchiveText,
    /// Whether the record states an end, even without winner and reason.
    pub over: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveListEntry<'r, 'a> {
    Turn(&'r StoredTurn<'a>),
    /// This turn was retracted.
    Takeback(&'r StoredTurn<'a>),
}

/// Calls a function with the game that events make, as the dataset stores it.
pub fn with_game_of_events<T>(
    id: u64,
    events: &[TimedEvent<'_>],
    with: impl FnOnce(&StoredGame<'_, '_>) -> T,
) -> T {
    let mut played = Playthrough::default();
    played.play(events);
    with(&StoredGame {
        id,
        header: &Header::of_events(events),
        turns: &StoredTurn::standing(events, &played),
        fallen: &FallenTurn::of(events, &played),
        log: &[],
        text: &ArchiveText::default(),
        over: events.iter().any(|(_, event)| matches!(event, GameEvent::Ended(_))),
    })
}

impl<'r, 'a> StoredGame<'r, 'a> {
    /// Turns and retractions in order. A retracted turn has its ply, so that walking back from the last one
    /// reconstructs what preceded each.
    #[must_use]
    pub fn said(&self) -> Vec<MoveListEntry<'r, 'a>> {
        let mut standing: Vec<&StoredTurn<'a>> = self.turns.iter().collect();
        let mut backwards = Vec::with_capacity(self.turns.len() + 2 * self.fallen.len());
        let taken_back = self.fallen.iter().rev().filter(|fallen| fallen.fate == Fate::TakenBack);
        for FallenTurn { ply, turn, .. } in taken_back {
            let before = usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX);
            while standing.len() > before {
                backwards.extend(standing.pop().map(MoveListEntry::Turn));
            }
            backwards.push(MoveListEntry::Takeback(turn));
            standing.push(turn);
        }
        backwards.extend(standing.into_iter().rev().map(MoveListEntry::Turn));
        backwards.reverse();
        let unplayed =
            self.fallen.iter().filter(|fallen| matches!(fallen.fate, Fate::Illegal | Fate::Unplayed));
        backwards.extend(unplayed.map(|fallen| MoveListEntry::Turn(&fallen.turn)));
        backwards
    }

    #[must_use]
    pub fn ended(&self) -> Option<Ended<'a>> {
        let Header { result, termination, stated_termination, ended_at, .. } = self.header;
        let draw = *result == StatedResult::Draw;
        let over =
            self.over || result.winner().is_some() || draw || termination.is_some() || ended_at.is_some();
        (over || stated_termination.is_some()).then(|| Ended {
            winner: result.winner(),
            termination: *termination,
            stated: stated_termination.clone(),
            draw,
        })
    }

    /// The stored events, for a kind of game.
    #[must_use]
    pub fn events(&self, game: GameKind) -> Vec<TimedEvent<'r>>
    where
        'a: 'r,
    {
        let header = self.header;
        let started = header.started(game);
        let mut events = vec![(header.started_at, GameEvent::Started(Box::new(started)))];
        events.extend(self.said().into_iter().map(|said| match said {
            MoveListEntry::Turn(turn) => {
                let taken = TurnTaken::plain(turn.number, turn.side, &*turn.steps);
                (None, GameEvent::TurnTaken(TurnTaken { used: turn.used, ..taken }))
            }
            MoveListEntry::Takeback(_) => (None, GameEvent::TurnRetracted(TurnRetracted::default())),
        }));
        events.extend(self.ended().map(|ended| (header.ended_at, GameEvent::Ended(ended))));
        events
    }

    /// Appends the game's row with line end: the original one, if it is from an archive.
    pub fn push_row(&self, out: &mut Vec<u8>, transcript: &mut Transcript) {
        self.transcribe(transcript);
        let log = (!self.log.is_empty()).then(|| transcript.log());
        if self.text.fields.is_empty() {
            return push_row(out, self.id, self.header, transcript.list(), log);
        }
        let mut row = Vec::new();
        push_row(&mut row, self.id, self.header, transcript.list(), log);
        let kept = |column: Column| {
            self.text.fields.iter().find_map(|field| field.strip_prefix(column.name())?.strip_prefix('='))
        };
        for (place, (column, field)) in Column::ALL.into_iter().zip(fields(&row)).enumerate() {
            if place > 0 {
                out.push(b'\t');
            }
            out.extend_from_slice(kept(column).map_or(field, str::as_bytes));
        }
        out.push(b'\n');
    }

    fn transcribe(&self, transcript: &mut Transcript) {
        transcript.clear();
        self.list(transcript);
        for line in self.log {
            let steps = line.steps.or_else(|| turn_of(self.turns, line).map(|turn| turn.steps.as_bytes()));
            transcript.line(line, steps.unwrap_or_default());
        }
    }

    fn list(&self, transcript: &mut Transcript) {
        let mut due = (1, Side::Gold);
        for item in self.said() {
            match item {
                MoveListEntry::Turn(turn) => {
                    transcript.list_turn(turn.number, turn.side, turn.steps.as_bytes());
                    due = next_label(turn.number, turn.side);
                }
                MoveListEntry::Takeback(turn) => {
                    let (number, side) = next_label(turn.number, turn.side);
                    transcript.list_turn(number, side, b"takeback");
                    due = (turn.number, turn.side);
                }
            }
        }
        if self.text.resign_listed {
            transcript.list_turn(due.0, due.1, b"resign");
            due = next_label(due.0, due.1);
        }
        transcript.list_end(due.0, due.1);
    }
}

/// Fields that the columns do not reproduce. `game` is the game to be stored, without archive text.
#[must_use]
pub fn not_given_back(row: &Row<'_>, game: StoredGame<'_, '_>, transcript: &mut Transcript) -> ArchiveText {
    let mut text = ArchiveText::default();
    if gives_back(row, game, transcript) {
        return text;
    }
    let mut again = Vec::new();
    game.push_row(&mut again, transcript);
    let list = |again: &[u8]| fields(again).nth(Column::Movelist as usize) == Some(row.movelist);
    if !list(&again) {
        let resigned = ArchiveText { resign_listed: true, fields: Vec::new() };
        let mut other = Vec::new();
        StoredGame { text: &resigned, ..game }.push_row(&mut other, transcript);
        if list(&other) {
            (text, again) = (resigned, other);
        }
    }
    let differing =
        Column::ALL.into_iter().zip(fields(&again)).filter(|(column, field)| row.bytes(*column) != *field);
    text.fields = differing.map(|(column, _)| format!("{}={}", column.name(), row.text(column))).collect();
    text
}

/// Whether the columns reproduce all fields: nearly always, so this is the fast path.
fn gives_back(row: &Row<'_>, game: StoredGame<'_, '_>, transcript: &mut Transcript) -> bool {
    game.transcribe(transcript);
    let log = if game.log.is_empty() { NO_LOG } else { transcript.log() };
    if (transcript.list(), log) != (row.movelist, row.bytes(Column::Events)) {
        return false;
    }
    let mut head = Vec::with_capacity(256);
    push_head(&mut head, game.id, game.header);
    let mut rest = head.as_slice();
    let before = Column::ALL.into_iter().take_while(|column| *column != Column::Movelist);
    before.map(|column| row.bytes(column)).all(|field| match rest.strip_prefix(field) {
        Some([b'\t', after @ ..]) => {
            rest = after;
            true
        }
        _ => false,
    })
}

/// The turn in force with a line's label, if its ply is that of a game without gaps.
#[must_use]
pub fn turn_of<'r, 'a>(turns: &'r [StoredTurn<'a>], line: &LogLine<'_>) -> Option<&'r StoredTurn<'a>> {
    if line.kind != LogKind::MoveReceived {
        return None;
    }
    let (number, side) = (line.number?, line.side?);
    let place = usize::try_from(number.checked_sub(1)?).ok()?.checked_mul(2)?.checked_add(side.index())?;
    turns.get(place).filter(|turn| (turn.number, turn.side) == (number, side))
}

fn fields(row: &[u8]) -> impl Iterator<Item = &[u8]> {
    row.strip_suffix(b"\n").unwrap_or(row).split(|byte| *byte == b'\t')
}

/// The following label.
#[must_use]
pub fn next_label(number: u32, side: Side) -> (u32, Side) {
    match side {
        Side::Gold => (number, Side::Silver),
        Side::Silver => (number.saturating_add(1), Side::Gold),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(number: u32, side: Side, steps: &'static str) -> StoredTurn<'static> {
        StoredTurn { number, side, steps: steps.into(), used: None }
    }

    fn back(ply: u32, turn: StoredTurn<'static>) -> FallenTurn<'static> {
        FallenTurn { fate: Fate::TakenBack, ply, turn }
    }

    #[test]
    fn turns_that_were_taken_back_stand_where_they_were_played() {
        let turns = [turn(1, Side::Gold, "a"), turn(1, Side::Silver, "e"), turn(2, Side::Gold, "f")];
        let fallen = [
            back(3, turn(2, Side::Gold, "c")),
            back(3, turn(2, Side::Gold, "d")),
            back(2, turn(1, Side::Silver, "b")),
        ];
        let (header, text) = (&Header::default(), &ArchiveText::default());
        let game = StoredGame { id: 1, header, turns: &turns, fallen: &fallen, log: &[], text, over: true };
        let words: Vec<&str> = game
            .said()
            .iter()
            .map(|said| match said {
                MoveListEntry::Turn(turn) => &*turn.steps,
                MoveListEntry::Takeback(_) => "back",
            })
            .collect();
        assert_eq!(words, ["a", "b", "c", "back", "d", "back", "back", "e", "f"]);
    }
}
