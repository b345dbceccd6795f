use annals_events::{Ended, GameEvent, GameKind, Side, Started};
use annals_rules::amazons::{Amazons, Move, Position};
use annals_rules::game::{Game, Strictness};

use super::error::{WriteError, colour};

#[derive(Debug)]
pub(super) struct Record<'e> {
    pub at: Option<i64>,
    pub started: &'e Started<'e>,
    pub position: Position,
    pub steps: Vec<Step<'e>>,
    pub ended: Option<&'e Ended<'e>>,
    /// The winner and the squares of its territory at the end.
    pub territory: Option<(Side, u32)>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub number: u32,
    pub side: Side,
    pub played: Move,
    pub used: Option<u32>,
    pub reserves: [Option<i64>; 2],
}

#[derive(Debug)]
pub(super) enum Step<'e> {
    Turn(Turn),
    /// Retracts the last turn.
    Retract(Option<&'e str>),
    /// Written as a comment: the format cannot express it.
    Note(String),
}

impl<'e> Record<'e> {
    pub fn of(events: &'e [(Option<i64>, GameEvent<'e>)]) -> Result<Record<'e>, WriteError> {
        let Some(((at, GameEvent::Started(started)), rest)) = events.split_first() else {
            return Err(WriteError::NotStarted);
        };
        if started.game != GameKind::Amazons {
            return Err(WriteError::OtherGame { found: started.game });
        }
        let position = match &started.position {
            None => Position::start(),
            Some(text) => text.parse()?,
        };
        let mut record =
            Record { at: *at, started, position, steps: Vec::new(), ended: None, territory: None };
        let mut game: Game<Amazons> = Game::new(Strictness::Archive);
        let mut follows = events.first().is_some_and(|(at, event)| game.apply(*at, event).is_ok());
        let mut standing: Vec<(u32, Side)> = Vec::new();
        for (at, event) in rest {
            record.step(event, &mut standing)?;
            // Clock errors do not matter here; an illegal move ends the comparison.
            follows &= game.apply(*at, event).is_ok()
                || !matches!(
                    event,
                    GameEvent::TurnTaken(_) | GameEvent::TurnRetracted(_) | GameEvent::Resumed(_)
                );
        }
        record.territory = game.state().filter(|_| follows).and_then(Position::score);
        Ok(record)
    }

    fn step(&mut self, event: &'e GameEvent<'e>, standing: &mut Vec<(u32, Side)>) -> Result<(), WriteError> {
        let after = match standing.last() {
            Some((number, side)) => format!("after move {number} of {}", colour(*side)),
            None => "before the first move".to_owned(),
        };
        let because = |reason: &Option<std::borrow::Cow<'_, str>>| {
            reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"))
        };
        let note = match event {
            GameEvent::Started(_) => format!("{after}: the game is said to have started again"),
            GameEvent::TurnTaken(turn) => {
                let (number, side) = (turn.number, turn.side);
                let played = Move::parse(turn.steps.as_bytes()).map_err(|source| WriteError::Move {
                    number,
                    side,
                    source,
                })?;
                let size = self.position.board().size();
                let squares = [played.from, played.to, played.block];
                if let Some(square) = squares.into_iter().find(|square| !size.has(*square)) {
                    return Err(WriteError::OffBoard { number, side, square, size });
                }
                let reserves = [turn.gold_reserve, turn.silver_reserve];
                self.steps.push(Step::Turn(Turn { number, side, played, used: turn.used, reserves }));
                standing.push((number, side));
                return Ok(());
            }
            GameEvent::TurnRetracted(retracted) => {
                if standing.pop().is_some() {
                    self.steps.push(Step::Retract(retracted.reason.as_deref()));
                    return Ok(());
                }
                format!("{after}: a move was to be taken back{}", because(&retracted.reason))
            }
            GameEvent::Resumed(resumed) => {
                let note = format!(
                    "{after}: play was resumed from the position after {} moves{}",
                    resumed.from_ply,
                    because(&resumed.reason)
                );
                let stand = usize::try_from(resumed.from_ply).unwrap_or(usize::MAX);
                while standing.len() > stand {
                    standing.pop();
                    self.steps.push(Step::Retract(resumed.reason.as_deref()));
                }
                note
            }
            GameEvent::Ended(ended) => {
                self.ended = Some(ended);
                return Ok(());
            }
            GameEvent::TurnRejected(rejected) => {
                let (side, steps) = (colour(rejected.side), &rejected.steps);
                format!("{after}: {steps} of {side} was refused: {}", rejected.reason)
            }
            GameEvent::ClockSet(set) => format!(
                "{after}: the clocks were set to {} s for White and {} s for Black{}",
                set.gold_reserve,
                set.silver_reserve,
                because(&set.reason)
            ),
            GameEvent::Halted(halted) => format!("{after}: play was halted{}", because(&halted.reason)),
            GameEvent::Annulled(annulled) => format!("the game was annulled{}", because(&annulled.reason)),
            GameEvent::RatedChanged(changed) => {
                let rated = if changed.rated { "rated" } else { "unrated" };
                format!("{after}: the game became {rated}{}", because(&changed.reason))
            }
        };
        self.steps.push(Step::Note(one_line(&note)));
        Ok(())
    }

    pub fn first(&self) -> Option<&Turn> {
        self.steps.iter().find_map(|step| match step {
            Step::Turn(turn) => Some(turn),
            _ => None,
        })
    }

    pub fn notes(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| match step {
            Step::Note(note) => Some(note.as_str()),
            _ => None,
        })
    }
}

/// Without control characters.
pub(super) fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    text.trim().to_owned()
}
