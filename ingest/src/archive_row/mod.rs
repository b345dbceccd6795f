//! Writes the archive's format: rows of the gameroom's 29 columns, move lists, server logs. [`push_row`] writes a
//! complete row, [`Transcript`] its move list and log by line, [`push_game`] both from a game's events, so that reading
//! gives the same events. [`StoredGame`] writes a row from the dataset's columns.

mod of_events;
mod rows;
mod stored;
pub(crate) mod text;
mod transcript;

use annals_events::{PlayerAtStart, PlayerKind, Side};

pub use crate::game_record::{ArchiveText, FallenTurn, StoredTurn};
use crate::game_record::{Header, StatedResult};
use crate::row::Column;
pub use of_events::{RowError, push_game};
pub use rows::{Archive, ArchiveError, Rows, rounded};
pub use stored::{MoveListEntry, StoredGame, next_label, not_given_back, turn_of, with_game_of_events};
use text::push_number;
pub use transcript::{Figures, Transcript};

pub fn push_header(out: &mut Vec<u8>) {
    for (i, column) in Column::ALL.into_iter().enumerate() {
        if i > 0 {
            out.push(b'\t');
        }
        out.extend_from_slice(column.name().as_bytes());
    }
    out.push(b'\n');
}

/// Appends a row with line end; `log` is none without server log. Texts have no tab or line end, which [`push_game`]
/// ensures for external ones.
pub fn push_row(out: &mut Vec<u8>, id: u64, header: &Header<'_>, movelist: &[u8], log: Option<&[u8]>) {
    push_head(out, id, header);
    out.extend_from_slice(movelist);
    out.push(b'\t');
    out.extend_from_slice(log.unwrap_or(NO_LOG));
    out.push(b'\n');
}

/// A row's log field without a log.
const NO_LOG: &[u8] = b"NULL";

/// The fields before the move list, each with its tab.
fn push_head(out: &mut Vec<u8>, id: u64, header: &Header<'_>) {
    let number = |out: &mut Vec<u8>, number: Option<i64>| {
        if let Some(number) = number {
            push_number(out, number);
        }
    };
    number(out, Some(i64::try_from(id).unwrap_or(i64::MAX)));
    let mut both = |field: &dyn Fn(&mut Vec<u8>, &PlayerAtStart<'_>)| {
        for side in Side::BOTH {
            out.push(b'\t');
            field(out, header.player(side));
        }
    };
    both(&|out, player| number(out, player.player_id.map(|id| i64::try_from(id).unwrap_or(i64::MAX))));
    both(&|out, player| out.extend_from_slice(player.name.as_bytes()));
    both(&|out, player| out.extend_from_slice(player.title.as_deref().unwrap_or("").as_bytes()));
    both(&|out, player| out.extend_from_slice(player.country.as_deref().unwrap_or("").as_bytes()));
    both(&|out, player| number(out, player.rating.map(i64::from)));
    both(&|out, player| number(out, player.k.map(i64::from)));
    both(&|out, player| out.extend(player.kind.map(kind_letter)));
    for text in [&header.event, &header.site, &header.time_control] {
        out.push(b'\t');
        out.extend_from_slice(text.as_deref().unwrap_or("").as_bytes());
    }
    let yes_or_no = |yes: bool| if yes { b'1' } else { b'0' };
    out.push(b'\t');
    out.extend(header.postal.map(yes_or_no));
    for at in [header.started_at, header.ended_at] {
        out.push(b'\t');
        number(out, at.map(|at| at.div_euclid(1_000_000)));
    }
    out.extend_from_slice(&[b'\t', result_letter(header.result), b'\t']);
    match header.termination {
        Some(how) => out.push(how.archive_letter() as u8),
        None => out.extend_from_slice(header.stated_termination.as_deref().unwrap_or("").as_bytes()),
    }
    out.push(b'\t');
    number(out, header.plycount.map(i64::from));
    out.push(b'\t');
    out.extend_from_slice(header.mode.as_deref().unwrap_or("").as_bytes());
    out.push(b'\t');
    out.extend(header.rated.map(yes_or_no));
    out.extend_from_slice(&[b'\t', yes_or_no(header.corrupt), b'\t']);
}

const fn result_letter(result: StatedResult) -> u8 {
    match result {
        StatedResult::Won(Side::Gold) => b'w',
        StatedResult::Won(Side::Silver) => b'b',
        StatedResult::Draw => b'd',
        StatedResult::Unknown => b'u',
    }
}

const fn kind_letter(kind: PlayerKind) -> u8 {
    match kind {
        PlayerKind::Human => b'h',
        PlayerKind::Bot => b'b',
    }
}
