//! Finished games go into the log of the home, each as a stream of its own, through the desk like anything else.

use annals_events::canonical::CanonicalError;
use annals_events::log::ClockKind;
use annals_events::{Event, GameEvent, GameId, Micros, StreamName};
use annals_replay::handler::{self, Draft, HandlerError};
use annals_store::{AppendError, Expected};

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;

/// How often a game is appended anew when others append in between; each time one of them has come further.
const ATTEMPTS: u32 = 1000;

/// Keeps games under the name of a match.
pub struct Keeper<'a> {
    home: &'a Home,
    actor: String,
    name: GameId,
}

impl<'a> Keeper<'a> {
    /// Looks whether the log can be appended to, before anything is played; where there is none, it is made.
    pub fn open(home: &'a Home, actor: &str, name: &str) -> Result<Keeper<'a>, CliError> {
        let name = name.parse::<GameId>().map_err(|e| CliError::from_error(&e))?;
        let open = log_file::open_or_create(home, actor, None)?;
        if open.log.opened().clock == ClockKind::Simulated {
            return Err(CliError::new(
                "the log runs by a simulated clock, and these games are played by the real one: none of them could be \
                 said to have happened",
            )
            .hint("name another home with --home, or keep nothing with --no-log"));
        }
        Ok(Keeper { home, actor: actor.to_owned(), name })
    }

    /// Appends the events of a game; gives the name of its stream. The log is held only meanwhile, so that others may
    /// append while games are played, also under the same name: a number that somebody takes first is theirs. `said_by` names who
    /// asked for each move that was taken back.
    pub fn keep(
        &self,
        events: &[(Micros, GameEvent<'static>)],
        said_by: &[String],
    ) -> Result<StreamName, CliError> {
        let mut open = log_file::open_for_append(&self.home.log(), None)?;
        let mut number = 1_u64;
        let mut attempt = 0;
        loop {
            let text = format!("game/{}-{number}", self.name);
            let stream = text.parse::<StreamName>().map_err(|e| CliError::from_error(&e))?;
            if open.log.stream_info(&stream)?.is_some() {
                number += 1;
                continue;
            }
            let mut said_by = said_by.iter();
            let drafts = events.iter().map(|(at, event)| {
                // A clock that was set back meanwhile must not put a game into the future.
                let draft = Draft::new(stream.clone(), (*at).min(open.now), Event::from(event.clone()))?;
                let who = match event {
                    GameEvent::TurnRetracted(_) => said_by.next(),
                    _ => None,
                };
                Ok(match who {
                    Some(who) => draft.by(who),
                    None => draft,
                })
            });
            let drafts: Vec<Draft> =
                drafts.collect::<Result<_, CanonicalError>>().map_err(|e| CliError::from_error(&e))?;
            let free = [(stream.clone(), Expected::NoStream)];
            let Err(error) = handler::append(&mut open.log, &drafts, &self.actor, &free) else {
                return Ok(stream);
            };
            attempt += 1;
            // Whoever took the name in between may have done so before it was decided or after.
            let taken = open.log.stream_info(&stream)?.is_some();
            let overtaken = matches!(error, HandlerError::Append(AppendError::Conflict { .. }));
            if attempt == ATTEMPTS || !(taken || overtaken) {
                return Err(error.into());
            }
        }
    }
}
