//! Writing the archive's format: the one place where a row of the gameroom's 29 columns, a line of a move list or a line of
//! the server's log is put into bytes. [`push_row`] writes a row of which everything is known, [`Transcript`] its move list
//! and its log line by line, and [`push_game`] makes both out of the events of a game, so that reading the row
//! gives the same events back.

mod of_events;
mod transcript;
pub(crate) mod words;

use annals_events::{PlayerAtStart, PlayerKind, Side, Termination};

use crate::game_record::StatedResult;
use crate::row::Column;
pub use of_events::{RowError, push_game};
pub use transcript::{Figures, Transcript};
use words::push_number;

/// What a row says of a game beside its moves and its log.
#[derive(Debug, Clone)]
pub struct RowFacts<'a> {
    /// Number of the game.
    pub id: u64,
    /// Gold and Silver as they stood at the start.
    pub players: [PlayerAtStart<'a>; 2],
    /// The event.
    pub event: &'a str,
    /// Where it was played.
    pub site: &'a str,
    /// The time control.
    pub time_control: &'a str,
    /// Whether it is a postal game.
    pub postal: bool,
    /// Start, seconds since the Unix epoch.
    pub started_at: i64,
    /// End, seconds since the Unix epoch.
    pub ended_at: i64,
    /// Who won.
    pub result: StatedResult,
    /// How.
    pub termination: Option<Termination>,
    /// Number of the last turn.
    pub plycount: u32,
    /// How it was played.
    pub mode: &'a str,
    /// Whether it counts for ratings.
    pub rated: bool,
}

/// Appends the header line.
pub fn push_header(out: &mut Vec<u8>) {
    for (i, column) in Column::ALL.into_iter().enumerate() {
        if i > 0 {
            out.push(b'\t');
        }
        out.extend_from_slice(column.name().as_bytes());
    }
    out.push(b'\n');
}

/// Appends a row with its line end. `log` is none where the game has no server log. No text may hold a tab or a line end;
/// [`push_game`] sees to that for what comes from outside.
pub fn push_row(out: &mut Vec<u8>, facts: &RowFacts<'_>, movelist: &[u8], log: Option<&[u8]>) {
    push_number(out, i64::try_from(facts.id).unwrap_or(i64::MAX));
    let mut both = |field: &dyn Fn(&mut Vec<u8>, &PlayerAtStart<'_>)| {
        for player in &facts.players {
            out.push(b'\t');
            field(out, player);
        }
    };
    let number = |out: &mut Vec<u8>, number: Option<i64>| {
        if let Some(number) = number {
            push_number(out, number);
        }
    };
    both(&|out, player| number(out, player.player_id.map(|id| i64::try_from(id).unwrap_or(i64::MAX))));
    both(&|out, player| out.extend_from_slice(player.name.as_bytes()));
    both(&|out, player| out.extend_from_slice(player.title.as_deref().unwrap_or("").as_bytes()));
    both(&|out, player| out.extend_from_slice(player.country.as_deref().unwrap_or("").as_bytes()));
    both(&|out, player| number(out, player.rating.map(i64::from)));
    both(&|out, player| number(out, player.k.map(i64::from)));
    both(&|out, player| out.extend(player.kind.map(kind_letter)));
    for text in [facts.event, facts.site, facts.time_control, if facts.postal { "1" } else { "0" }] {
        out.push(b'\t');
        out.extend_from_slice(text.as_bytes());
    }
    for at in [facts.started_at, facts.ended_at] {
        out.push(b'\t');
        push_number(out, at);
    }
    out.extend_from_slice(&[b'\t', result_letter(facts.result), b'\t']);
    out.extend(facts.termination.map(|how| how.archive_letter() as u8));
    out.push(b'\t');
    push_number(out, i64::from(facts.plycount));
    out.push(b'\t');
    out.extend_from_slice(facts.mode.as_bytes());
    out.extend_from_slice(if facts.rated { b"\t1\t0\t" } else { b"\t0\t0\t" });
    out.extend_from_slice(movelist);
    out.push(b'\t');
    out.extend_from_slice(log.unwrap_or(b"NULL"));
    out.push(b'\n');
}

/// The letter of a result: `w`, `b`, `d`, `u`.
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
