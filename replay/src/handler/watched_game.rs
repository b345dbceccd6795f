//! A game that programs play: it is folded event by event, and each event is appended to the log if the game is stored there.

use annals_events::{Event, GameEvent, Micros, StreamName, TurnRetracted};
use annals_report::Document;
use annals_store::Log;
use jiff::tz::TimeZone;

use super::append::{append, would_append};
use super::draft::Draft;
use super::operated_game::EnterError;
use crate::cut::Cut;
use crate::game::GameReplay;
use crate::view::GameView;

/// A game that programs play, up to the present turn.
#[derive(Debug)]
pub struct WatchedGame {
    stream: StreamName,
    replay: GameReplay,
}

impl WatchedGame {
    /// A game without events.
    #[must_use]
    pub fn new(stream: StreamName) -> WatchedGame {
        WatchedGame { stream, replay: GameReplay::default() }
    }

    /// Folds an event; a start begins the next game.
    pub fn happened(&mut self, at: Micros, event: &GameEvent<'_>) {
        if let GameEvent::Started(_) = event {
            self.replay = GameReplay::default();
        }
        self.replay.apply_event(0, at, event);
    }

    /// Appends an event that happens now, and returns its time; `by` is the person who had a move taken back.
    ///
    /// # Errors
    /// When the log refuses it.
    pub fn append(
        &self,
        (log, now): (&mut Log, Micros),
        actor: &str,
        event: &GameEvent<'static>,
        by: Option<&str>,
    ) -> Result<Micros, EnterError> {
        Ok(append(log, &[self.draft(now, event.clone(), by)?], actor, &[])?.recorded_at)
    }

    /// Checks that a person may have the last move taken back; without a log, that there is one.
    ///
    /// # Errors
    /// When there is no move, or the log would refuse the event.
    pub fn check_retraction(
        &self,
        log: Option<(&Log, Micros)>,
        by: &str,
        why: &str,
    ) -> Result<(), EnterError> {
        if self.replay.game().plies().is_empty() {
            return Err(EnterError::NoMove);
        }
        if let Some((log, now)) = log {
            let event = GameEvent::TurnRetracted(TurnRetracted { reason: Some(why.to_owned().into()) });
            would_append(log, &[self.draft(now, event, Some(by))?])?;
        }
        Ok(())
    }

    /// The position with the clocks, as it is shown at the board.
    #[must_use]
    pub fn at_the_board(&self) -> Document {
        GameView::of(&self.stream, &self.replay, &Cut::NOW).at_the_board(&TimeZone::UTC)
    }

    fn draft(&self, now: Micros, event: GameEvent<'static>, by: Option<&str>) -> Result<Draft, EnterError> {
        let draft = Draft::new(self.stream.clone(), now, Event::from(event))?.now();
        Ok(match by {
            Some(by) => draft.by(by),
            None => draft,
        })
    }
}
