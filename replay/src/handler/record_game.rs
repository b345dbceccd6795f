//! Finished games into the log, each as a stream of its own, through the command handler like anything else.

use annals_events::canonical::CanonicalError;
use annals_events::{EnvelopeError, Event, GameEvent, GameId, Micros, StreamName};
use annals_store::{AppendError, Expected, Log, ReadError};

use super::append::{HandlerError, append};
use super::draft::Draft;

/// How often a game is appended again when others append in between; each time one of them has come further.
const ATTEMPTS: u32 = 1000;

/// Why a game is not recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordGameError {
    #[error(transparent)]
    Handler(#[from] HandlerError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    #[error(transparent)]
    Name(#[from] EnvelopeError),
}

/// Appends the events of a game under the first free number of a name; gives its stream. The log is held only meanwhile, so
/// others may append while games are played, also under the same name: a number that somebody takes first is theirs.
/// `said_by` names who asked for each move that was taken back, `now` is the time of the log's clock.
///
/// # Errors
/// When the log does not take the events.
pub fn record_game(
    log: &mut Log,
    now: Micros,
    (actor, name): (&str, &GameId),
    events: &[(Micros, GameEvent<'static>)],
    said_by: &[String],
) -> Result<StreamName, RecordGameError> {
    let mut number = 1_u64;
    let mut attempt = 0;
    loop {
        let stream = format!("game/{name}-{number}").parse::<StreamName>()?;
        if log.stream_info(&stream)?.is_some() {
            number += 1;
            continue;
        }
        let mut said_by = said_by.iter();
        let drafts = events.iter().map(|(at, event)| {
            // A clock that was set back meanwhile must not put a game into the future.
            let draft = Draft::new(stream.clone(), (*at).min(now), Event::from(event.clone()))?;
            let who = match event {
                GameEvent::TurnRetracted(_) => said_by.next(),
                _ => None,
            };
            Ok(match who {
                Some(who) => draft.by(who),
                None => draft,
            })
        });
        let drafts: Vec<Draft> = drafts.collect::<Result<_, CanonicalError>>()?;
        let free = [(stream.clone(), Expected::NoStream)];
        let Err(error) = append(log, &drafts, actor, &free) else { return Ok(stream) };
        attempt += 1;
        // Whoever took the name in between may have done so before it was decided or after.
        let taken = log.stream_info(&stream)?.is_some();
        let overtaken = matches!(error, HandlerError::Append(AppendError::Conflict { .. }));
        if attempt == ATTEMPTS || !(taken || overtaken) {
            return Err(error.into());
        }
    }
}
