//! From a user's text to a cut. Both times have one grammar; rounds and positions are resolved in the log.

use annals_events::{PairingId, StreamName};
use annals_store::Log;
use jiff::tz::TimeZone;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::point::Point;

/// The point in time that a user named; an absent bound is infinite. Both times take the values of [`Point`]; `seq:N` means
/// the first N events in either.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked<'w> {
    /// What was true then.
    pub as_of: Option<&'w str>,
    /// What was recorded by then.
    pub known_at: Option<&'w str>,
    /// The first N events, as a third bound.
    pub seq: Option<u64>,
}

/// Times without a zone are in `zone`. `round:N` is of the tournament `stream`, or of the game's pairing, as recorded
/// at the other bounds of the cut.
///
/// # Errors
/// When a value cannot be read, or names a round or an event that is not there.
pub fn resolve(
    log: &Log,
    stream: Option<&StreamName>,
    asked: &Asked<'_>,
    zone: &TimeZone,
) -> Result<Cut, ReplayError> {
    let mut cut = Cut { seq: asked.seq, ..Cut::NOW };
    let parse = |text: Option<&str>| text.map(|text| Point::parse(text, zone)).transpose();
    let (as_of, known_at) = (parse(asked.as_of)?, parse(asked.known_at)?);
    for point in [as_of, known_at].into_iter().flatten() {
        if let Point::Seq(seq) = point {
            let last = log.last_seq()?;
            if seq > last {
                return Err(ReplayError::NoSuchSeq { asked: seq, last });
            }
            cut.seq = Some(cut.seq.map_or(seq, |other| other.min(seq)));
        }
    }
    match known_at {
        Some(Point::Time(at)) => cut.known_at = Some(at),
        Some(Point::Round(round)) => cut.known_at = end_of_round(log, stream, round, &Cut::NOW)?.as_of,
        Some(Point::Seq(_)) | None => {}
    }
    Ok(match as_of {
        Some(Point::Time(at)) => Cut { as_of: Some(at), ..cut },
        Some(Point::Round(round)) => end_of_round(log, stream, round, &cut)?,
        Some(Point::Seq(_)) | None => cut,
    })
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
