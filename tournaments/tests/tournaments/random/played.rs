//! A game of which every turn is recorded, and what a tournament needs to know of it: as the rules fold it.

use annals_events::{GameEvent, Micros};
use annals_rules::any_game::AnyGame;
use annals_rules::game::{Applied, EndingCheck, Game, Strictness};
use annals_rules::{ClockFacts, EndFacts, GameFacts, GameViolation};

/// A game as it is folded.
pub struct Played {
    pub game: Game<AnyGame>,
    pub facts: GameFacts,
    /// How long the attempts before it were, in seconds.
    before: u64,
}

impl Played {
    /// A game that has not begun, of which the names, the rating and the attempt before it are known, with the plies and
    /// clocks of that.
    pub fn new(facts: GameFacts) -> Played {
        let before = facts.clocks.last().and_then(|clock| clock.game_time).unwrap_or(0);
        Played { game: Game::new(Strictness::Archive), facts, before }
    }

    /// One event more.
    pub fn apply(&mut self, seq: u64, at: Micros, event: &GameEvent<'_>) {
        let applied = match self.game.apply(Some(at), event) {
            Ok(applied) => applied,
            Err(error) => return self.is_violation(seq, error.code(), error.to_string()),
        };
        match (event, applied) {
            (GameEvent::Started(started), _) => {
                self.facts.started_at = Some(at);
                self.facts.time_control = started.time_control.as_deref().map(str::to_owned);
            }
            (GameEvent::TurnTaken(_), _) => {
                self.facts.plies += 1;
                if let Some(fault) = self.game.just_played_past_the_limit() {
                    self.is_violation(seq, fault.code(), fault.to_string());
                }
            }
            (GameEvent::Ended(ended), Applied::Ended(check)) => {
                let termination = ended.termination.expect("it is said how it ended");
                self.facts.ended = Some(EndFacts { at, winner: ended.winner, termination });
                if let Some(fault) = self.game.ending().and_then(|ending| ending.limit.fault()) {
                    self.is_violation(seq, fault.code(), fault.to_string());
                }
                if let EndingCheck::Disagrees { .. } = check {
                    self.is_violation(seq, "ending_disagrees", "the board says something else".to_owned());
                }
            }
            _ => {}
        }
        self.facts.early_sides = self.game.early_sides();
        let winner = self.game.ending().and_then(|ending| ending.winner);
        let position = self.game.state().and_then(|state| state.amazons());
        let territory = |(winner, position): (_, &annals_rules::amazons::Position)| {
            (winner, position.board().territory(winner).count_ones())
        };
        self.facts.territory = winner.zip(position).map(territory);
        if let Ok(clock) = self.game.clock() {
            let figures = clock.figures();
            let shown = ClockFacts {
                gold_reserve: Some(figures.reserves[0]),
                silver_reserve: Some(figures.reserves[1]),
                game_time: Some(figures.game_time + self.before),
            };
            // What the clock shows now is what it shows after the last turn.
            self.facts.clocks.truncate(self.facts.plies as usize);
            self.facts.clocks.push(shown);
        }
    }

    fn is_violation(&mut self, seq: u64, code: &'static str, message: String) {
        self.facts.violations.push(GameViolation { seq, code, message });
    }
}
