//! From the words of a user to a cut. Both times take the same words; what a round or a position in the
//! log means as a time is looked up in the log itself.

use annals_events::{PairingId, StreamName};
use annals_store::Log;
use jiff::tz::TimeZone;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::point::Point;

/// A point in time in a user's words; what is not given is infinite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked<'w> {
    /// What was true then: a time, a date (its end), `round:N`, or `seq:N` (when that event happened).
    pub as_of: Option<&'w str>,
    /// What was believed then: the same words; `seq:N` means the first N events.
    pub known_at: Option<&'w str>,
    /// The first so many events.
    pub seq: Option<u64>,
}

/// The cut that is asked for. Times without a zone are read in `zone`. `round:N` counts in the tournament that `stream`
/// is, or to whose pairing the game that it is belongs; it is read as known at the rest of the cut.
///
/// # Errors
/// When a word cannot be read, or names a round or an event that is not there.
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

/// When an event happened, by what it says itself; a correction of it does not move what the user pointed at.
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

/// The tournament whose pairing a game is an attempt at: what its start says, else what its name says.
fn tournament_of_game(log: &Log, stream: &StreamName) -> Result<Option<StreamName>, ReplayError> {
    let game = crate::read::game_at(log, stream, &Cut::NOW)?;
    let stated = game.started().and_then(|started| started.pairing.as_deref());
    let pairing = stated.unwrap_or(stream.name()).parse::<PairingId>().ok();
    Ok(pairing.and_then(|pairing| format!("tournament/{}", pairing.tournament).parse().ok()))
}
