//! A row as events: move list and server log merged in order of time. The fold of the events checks legality. Buffers
//! are reused, so that in general nothing is allocated.

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

/// The events of a row, and their log lines. Reusable for all rows of a block.
#[derive(Debug, Default)]
pub struct RowEvents<'a> {
    /// The first is `Started`, the last `Ended`.
    pub events: Vec<TimedEvent<'a>>,
    /// Empty without server log.
    pub log: Vec<LogLine<'a>>,
    /// The row's own are in [`Row::flags`].
    pub flags: Flags,
    /// The turn in which the game ended, with its logged clock, if the list lacks it.
    pub unfinished: Option<TurnTaken<'static>>,
    lines: Vec<move_list::MoveListLine<'a>>,
    /// Of the move list.
    items: Vec<Item<'a>>,
    /// Labels in force while reading the list.
    labels: Vec<Label>,
    /// Indices of log lines on moves.
    moves: Vec<u32>,
    /// Of the last log.
    zone: Zone,
    /// The box of the last `Started`, for reuse.
    spare: Option<Box<Started<'a>>>,
}

/// Reads the events of a row into `out`.
///
/// * Turns of the list are `TurnTaken`, with the clock figures of the log's equal turn; `takeback` is `TurnRetracted`;
///   a rejected move is `TurnRejected`, before the turn played instead. `resign` and the final bare label are part of
///   `Ended`.
/// * A wrong turn number is corrected (flag `bad-label`); a wrong side is kept, so that the fold rejects the turn.
/// * Log lines without an event have none in [`LogLine::event`]: a move after time was over, the clock of a
///   resignation.
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
        // A missing start is the earliest time by which the game had begun.
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
