//! From a user's text to a cut. Both times have one grammar; rounds and positions are resolved in the log.

use annals_events::{PairingId, StreamName};
use annals_store::Log;
use jiff::tz::TimeZone;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::point::Point;

/// A point in time as text; absent parts are infinite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked<'w> {
    /// True then: a time, a date (its end), `round:N`, or `seq:N` (when that event happened).
    pub as_of: Option<&'w str>,
    /// Recorded by then: the same grammar; `seq:N` means the first N events.
    pub known_at: Option<&'w str>,
    /// The first so many events.
    pub seq: Option<u64>,
}

/// Times without a zone are in `zone`. `round:N` is of the tournament `stream`, or of the game's pairing, as recorded
/// at the rest of the cut.
///
/// # Errors
/// If the text cannot be read, or names a missing round or event.
pub fn resolve(
    log: &Log,
    stream: Option<&StreamName>,
    asked: &Asked<'_>,
    zone: &TimeZone,
) -> Result<Cut, ReplayError> {
    let mut cut = Cut { seq: asked.seq, ..Cut::NOW };
    if let Some(text) = asked.known_at {
        match Point::parse(text, zone)? {
            Point::Time(at) => cut.known_at = Some(at),
            Point::Seq(known_at) => {
                if let Some(seq) = asked.seq {
                    return Err(ReplayError::TwoSeqs { known_at, seq });
                }
                cut.seq = Some(known_at);
            }
            Point::Round(round) => cut.known_at = end_of_round(log, stream, round, &Cut::NOW)?.as_of,
        }
    }
    if let Some(text) = asked.as_of {
        cut = match Point::parse(text, zone)? {
            Point::Time(at) => Cut { as_of: Some(at), ..cut },
            Point::Seq(seq) => Cut { as_of: Some(happened_at(log, seq)?), ..cut },
            Point::Round(round) => end_of_round(log, stream, round, &cut)?,
        };
    }
    Ok(cut)
}

/// By its own time: a correction does not move the point.
fn happened_at(log: &Log, seq: u64) -> Result<i64, ReplayError> {
    match log.event(seq)?.filter(|event| event.seq == seq) {
        Some(event) => Ok(event.effective_at),
        None => Err(ReplayError::NoSuchSeq { asked: seq, last: log.last_seq()? }),
    }
}

fn end_of_round(log: &Log, stream: Option<&StreamName>, round: u32, cut: &Cut) -> Result<Cut, ReplayError> {
    let of_what = || ReplayError::RoundOfWhat { round };
    let stream = stream.ok_or_else(of_what)?;
    let tournament = match stream.family() {
        "tournament" => stream.clone(),
        "game" => tournament_of_game(log, stream)?.ok_or_else(of_what)?,
        _ => return Err(of_what()),
    };
    crate::round_end::end_of_round(log, &tournament, round, cut)
}

/// The tournament of a game: by its start, else by its name.
fn tournament_of_game(log: &Log, stream: &StreamName) -> Result<Option<StreamName>, ReplayError> {
    let game = crate::read::game_at(log, stream, &Cut::NOW)?;
    let stated = game.started().and_then(|started| started.pairing.as_deref());
    let pairing = stated.unwrap_or(stream.name()).parse::<PairingId>().ok();
    Ok(pairing.and_then(|pairing| format!("tournament/{}", pairing.tournament).parse().ok()))
}
