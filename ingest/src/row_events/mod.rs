//! A row becomes events: its move list and its server log, merged in the order in which things happened. Whether the
//! turns are legal is not asked here; the fold of the events says so.
//!
//! The buffers are used again from row to row, so that in the steady state nothing is allocated (but for the text of
//! a turn that a stray line break had torn in two, or that is not UTF-8).

mod ending;
mod merge;
mod move_list;

use annals_events::{GameEvent, GameKind, Started, TurnTaken};

use crate::archive_row::text::Zone;
use crate::flags::{Flag, Flags};
use crate::game_record::TimedEvent;
use crate::row::Row;
use crate::server_log::{LogKind, LogLine};
use move_list::{Item, Label};

/// The events of one row, and the log lines they came from. Use one for all rows of a block.
#[derive(Debug, Default)]
pub struct RowEvents<'a> {
    /// The events in order. The first is `Started`, the last is `Ended`.
    pub events: Vec<TimedEvent<'a>>,
    /// All lines of the server log; empty where there is none.
    pub log: Vec<LogLine<'a>>,
    /// What was noticed on the way (the flags of the row itself are in [`Row::flags`]).
    pub flags: Flags,
    /// The turn in which the game ended, with the clock that the log shows after it, where the list lacks that turn.
    pub unfinished: Option<TurnTaken<'static>>,
    lines: Vec<move_list::MoveListLine<'a>>,
    /// What the lines say.
    items: Vec<Item<'a>>,
    /// Labels of the plies that stand, while the list is read.
    labels: Vec<Label>,
    /// Indices of the lines of the log that speak of moves.
    moves: Vec<u32>,
    /// The zone of the last log.
    zone: Zone,
    /// The box of the last `Started`.
    spare: Option<Box<Started<'a>>>,
}

/// Reads the events of a row into `out`, replacing what was there.
///
/// * Turns of the move list are `TurnTaken`, with the server's time, time used, reserves and game time where the log
///   has the same turn; `takeback` is `TurnRetracted`; a refused move is `TurnRejected`, before the turn that was
///   played in its place. `resign` in the list and the bare label at its end are no events: `Ended` says it.
/// * A turn whose number does not follow gets the number that does (flag `bad-label`); one whose side does not
///   follow keeps its label, so that the fold refuses it.
/// * Lines of the log that became no event have none in [`LogLine::event`]: a move received when the time was over, the
///   clock of a resignation.
pub fn events<'a>(row: &Row<'a>, out: &mut RowEvents<'a>) {
    out.clear();
    for (number, line) in (1..).zip(crate::server_log::lines(row.log)) {
        let mut line = LogLine::read(number, line);
        if line.kind == LogKind::Other {
            out.flags.set(Flag::BadLogLine);
        } else if let Some(at) = line.at {
            line.utc_offset = out.zone.offset(at / 1_000_000, line.stamp);
        }
        out.log.push(line);
    }
    let list = move_list::read(row.movelist, out);
    out.start(row);
    merge::merge(out, &list);
    ending::end(row, out, &list);
}

impl<'a> RowEvents<'a> {
    fn clear(&mut self) {
        if let Some((_, GameEvent::Started(started))) = self.events.drain(..).next() {
            self.spare = Some(started);
        }
        self.log.clear();
        self.flags = Flags::NONE;
        self.lines.clear();
        self.items.clear();
        self.labels.clear();
        self.moves.clear();
        self.unfinished = None;
    }

    fn start(&mut self, row: &Row<'a>) {
        let header = &row.header;
        let started = Started {
            game: GameKind::Arimaa,
            gold: header.gold.clone(),
            silver: header.silver.clone(),
            time_control: header.time_control.clone(),
            rated: header.rated.unwrap_or_default(),
            postal: header.postal.unwrap_or_default(),
            event: header.event.clone(),
            site: header.site.clone(),
            position: None,
            pairing: None,
            attempt: None,
        };
        // A start that the row lacks is the earliest time by which the game surely had begun.
        let logged = || self.log.iter().find_map(|line| line.at);
        let at = header.started_at.or_else(logged).or(header.ended_at);
        let started = match self.spare.take() {
            Some(mut spare) => {
                *spare = started;
                spare
            }
            None => Box::new(started),
        };
        self.events.push((at, GameEvent::Started(started)));
    }
}
