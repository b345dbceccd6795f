//! A row as events: move list and server log merged in order of time. The fold of the events checks legality. Buffers
//! are reused, so that in general nothing is allocated.

mod buffers;
mod ending;
mod merge;
mod move_list;

pub use buffers::RowEvents;

use crate::flags::Flag;
use crate::row::Row;
use crate::server_log::{LogKind, LogLine};

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
