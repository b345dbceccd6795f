//! How the game ended, and whether row, move list and log agree.

use std::borrow::Cow;

use annals_events::{Ended, GameEvent, Termination};

use super::buffers::{Label, RowEvents};
use super::move_list::ListEnd;
use crate::flags::Flag;
use crate::game_record::StatedResult;
use crate::row::{Column, Row, is_plausible};
use crate::server_log::LogKind;

/// Adds `Ended`, and flags on contradictions.
pub(super) fn end<'a>(row: &Row<'a>, out: &mut RowEvents<'a>, list: &ListEnd) {
    let clock = out.unfinished.as_ref().map(|turn| Label { number: turn.number, side: turn.side });
    let (result, termination) = (row.bytes(Column::Result), row.bytes(Column::Termination));
    let event = u32::try_from(out.events.len()).ok();
    let mut finished_at = None;
    for line in &mut out.log {
        let agrees = match line.kind {
            LogKind::Finished => {
                finished_at = line.at.filter(|at| is_plausible(*at));
                two_letters(line.text, true) == Some((result, termination))
            }
            LogKind::Result => two_letters(line.text, false) == Some((result, termination)),
            _ => continue,
        };
        line.event = event;
        if !agrees {
            out.flags.set(Flag::LogDisagrees);
        }
    }
    if times_disagree(row, out) {
        out.flags.set(Flag::LogDisagrees);
    }
    if list.resigned.is_some() && row.header.termination != Some(Termination::Resignation) {
        out.flags.set(Flag::StrayLine);
    }
    if let (Some(stated), Some(last)) = (row.header.plycount, list.last_number)
        && !plycount_fits(stated, last, list, clock)
    {
        out.flags.set(Flag::PlycountDisagrees);
    }
    // `u` means unknown; other letters are kept.
    let unknown =
        row.header.termination.is_none() || (row.header.result == StatedResult::Unknown && result != b"u");
    let stated = unknown.then(|| {
        let words = [row.text(Column::Result), row.text(Column::Termination)].join(" ");
        words.trim().to_owned()
    });
    let ended = Ended {
        winner: row.header.result.winner(),
        termination: row.header.termination,
        stated: stated.filter(|words| !words.is_empty()).map(Cow::Owned),
        draw: row.header.result == StatedResult::Draw,
    };
    out.events.push((row.header.ended_at.or(finished_at), GameEvent::Ended(ended)));
}

/// Whether the log begins or ends a day or more from the row's times. Real files differ by at most an hour; a postal
/// game may be arranged long before.
fn times_disagree(row: &Row<'_>, out: &RowEvents<'_>) -> bool {
    const DAY: u64 = 86_400_000_000;
    let apart = |stated: Option<i64>, logged: Option<i64>| match (stated, logged) {
        (Some(stated), Some(logged)) => stated.abs_diff(logged) > DAY,
        _ => false,
    };
    let first = out.log.iter().find_map(|line| line.at);
    let last = out.log.iter().rev().find_map(|line| line.at);
    row.header.postal != Some(true)
        && (apart(row.header.started_at, first) || apart(row.header.ended_at, last))
}

/// `w g`, or `wr side=b`: result and termination.
fn two_letters(text: &[u8], spaced: bool) -> Option<(&[u8], &[u8])> {
    let (result, rest) = text.split_at_checked(1)?;
    let rest = if spaced { rest.strip_prefix(b" ")? } else { rest };
    let end = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
    Some((result, &rest[..end]))
}

/// `plycount` is the last turn's number, or that of the label at which the game stopped: the server of 2002 counted the
/// turn due after a goal, and every server counts the turn replaced by a resignation or illegal move.
fn plycount_fits(stated: u32, last: u32, list: &ListEnd, clock: Option<Label>) -> bool {
    stated == last
        || [Some(list.to_move), clock, list.resigned]
            .into_iter()
            .flatten()
            .any(|label| label.number == stated)
}
