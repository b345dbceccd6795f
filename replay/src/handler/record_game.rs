//! Records finished games in the log through the command handler, each as a stream of its own.

use annals_events::canonical::CanonicalError;
use annals_events::{EnvelopeError, Event, GameEvent, GameId, Micros, StreamName};
use annals_store::{AppendError, Expected, Log, ReadError};

use super::append::{HandlerError, append};
use super::draft::Draft;

/// How often an append is retried after others appended meanwhile; each time another append succeeded.
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

/// Appends the events of a game under the first free number of a name; returns its stream. The log is open only meanwhile, so
/// others may append while games are played, also under the same name: a number that another process uses first is skipped.
/// `said_by` names who instructed each retraction, `now` is the time of the log's clock.
///
/// # Errors
/// When the log does not accept the events.
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
        // Another process may have used the name before the decision or after it.
        let taken = log.stream_info(&stream)?.is_some();
        let overtaken = matches!(error, HandlerError::Append(AppendError::Conflict { .. }));
        let is_stored = matches!(error, HandlerError::Append(AppendError::NotAcknowledged { .. }));
        if attempt == ATTEMPTS || is_stored || !(taken || overtaken) {
            return Err(error.into());
        }
    }
}
