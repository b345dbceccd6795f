//! Plays whole turns, with captures compared or filled in.

use super::illegal::Illegal;
use super::position::Position;
use super::steps::Steps;
use super::turn_text::{Action, Turn, TurnKind};
use crate::game::{Played, Strictness};

impl Position {
    /// Plays a turn of steps. All rules but that of repetition are checked.
    ///
    /// In strict reading exactly the captures must be stated, each right after the step that causes it; in archive
    /// reading captures follow from the steps, and a different statement is noted.
    ///
    /// ```
    /// use annals_rules::arimaa::{Position, Turn};
    /// use annals_rules::game::Strictness;
    ///
    /// let start: Position = "g [r......r..........................rE....................R......R]".parse().unwrap();
    /// let push = Turn::parse(b"rc4s rc3x Ed4w").unwrap();
    /// let (after, played) = start.play(&push, Strictness::Strict).unwrap();
    /// assert_eq!((played.steps, played.captures), (2, 1));
    /// assert_eq!(after.to_string(), "s [r......r..........................E.....................R......R]");
    /// let unfinished = Turn::parse(b"rc4s rc3x").unwrap();
    /// assert_eq!(start.play(&unfinished, Strictness::Strict).unwrap_err().code(), "push_not_completed");
    /// ```
    ///
    /// # Errors
    /// If the turn is illegal; the error names step and rule.
    pub fn play(&self, turn: &Turn, strictness: Strictness) -> Result<(Position, Played), Illegal> {
        match turn.kind() {
            TurnKind::Steps => {}
            TurnKind::Empty => return Err(Illegal::Empty),
            TurnKind::Setup => {
                return Err(turn.tokens().first().map_or(Illegal::Empty, |&t| Illegal::SetupOver(t)));
            }
            TurnKind::Takeback => return Err(Illegal::NotOnBoard("takeback")),
            TurnKind::Resign => return Err(Illegal::NotOnBoard("resign")),
        }
        let strict = strictness == Strictness::Strict;
        let mut steps = Steps::begin(self);
        let mut played = Played::default();
        let mut unstated = None;
        for &token in turn.tokens() {
            match token.action() {
                Action::Step(direction) => {
                    if let Some(capture) = unstated {
                        if strict {
                            return Err(Illegal::CaptureUnstated(capture));
                        }
                        played.captures_misstated = true;
                    }
                    unstated = steps.step(token, direction)?;
                    played.captures += u8::from(unstated.is_some());
                }
                Action::Capture if unstated == Some(token) => unstated = None,
                Action::Capture => {
                    if strict {
                        return Err(Illegal::CaptureMisstated(token));
                    }
                    played.captures_misstated = true;
                }
                Action::Place => return Err(Illegal::SetupOver(token)),
            }
        }
        let after = steps.finish(self)?;
        if let Some(capture) = unstated {
            if strict {
                return Err(Illegal::CaptureUnstated(capture));
            }
            played.captures_misstated = true;
        }
        played.steps = steps.made();
        Ok((after, played))
    }

    /// With captures by the rules, whatever it states.
    ///
    /// # Errors
    /// If the turn is illegal here.
    pub fn with_captures(&self, turn: &Turn) -> Result<Turn, Illegal> {
        self.play(turn, Strictness::Archive)?;
        let mut steps = Steps::begin(self);
        let mut exact = Turn::EMPTY;
        for &token in turn.tokens() {
            if let Action::Step(direction) = token.action() {
                exact.push(token);
                if let Some(capture) = steps.step(token, direction)? {
                    exact.push(capture);
                }
            }
        }
        Ok(exact)
    }
}
