//! The line at the foot of a chart: the source of its figures, so that it can be reproduced and checked.

use annals_events::PROGRAM;
use annals_replay::point::show;
use annals_replay::{Cut, RoundEnd};
use annals_store::{Log, ReadError};
use jiff::tz::TimeZone;

use crate::Session;

/// Characters of a digest that are shown.
const DIGITS: usize = 16;

fn short(digest: &str) -> &str {
    digest.get(..DIGITS).unwrap_or(digest)
}

/// A chart from the dataset: its digest and its games, and the command.
#[must_use]
pub fn of_dataset(session: &Session, command: &str) -> String {
    let dataset = session.dataset();
    let games = dataset.rows("games");
    format!("Source: dataset {} ({games} games). {command}. {PROGRAM}", short(dataset.digest()))
}

/// A chart from a game of a file.
#[must_use]
pub fn of_file(name: &str, command: &str) -> String {
    format!("Source: {name}. {command}. {PROGRAM}")
}

/// As [`of_log`], of a log that was verified.
///
/// # Errors
/// When the log cannot be read.
pub fn of_verified_log(log: &Log, cut: &Cut, command: &str) -> Result<String, ReadError> {
    let source = of_log(log, cut, command)?;
    let head = log.acknowledged().map_or(0, |head| head.seq);
    Ok(match log.last_seq()? {
        last if last > head => format!("{source}; verified against head {head}, events to {last}"),
        _ => format!("{source}; verified against head {head}"),
    })
}

/// A chart from the log: its head, the point in time that is shown, and the command.
///
/// # Errors
/// When the log cannot be read.
pub fn of_log(log: &Log, cut: &Cut, command: &str) -> Result<String, ReadError> {
    let head = match log.acknowledged() {
        Some(head) => head,
        None => log.head()?,
    };
    let hash = head.hash.to_string();
    let mut point = String::new();
    let times = [("as of", cut.as_of), ("known at", cut.known_at)];
    for (word, at) in times.iter().filter_map(|(word, at)| at.map(|at| (word, at))) {
        point.push_str(&format!(", {word} {}", show(at, &TimeZone::UTC)));
    }
    if let Some(RoundEnd { round: Some(round), last, .. }) = cut.round_end {
        let unfinished = if last.is_none() { " (unfinished)" } else { "" };
        point.push_str(&format!(", end of round {round}{unfinished}"));
    }
    if let Some(seq) = cut.seq {
        point.push_str(&format!(", the first {seq} events"));
    }
    Ok(format!("Source: log with {} events, head {}{point}. {command}. {PROGRAM}", head.seq, short(&hash)))
}
