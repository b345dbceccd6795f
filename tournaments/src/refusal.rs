//! Why a command is refused: the rule, the obstacle, the next step.

use annals_events::tournament::Milestone;
use annals_events::{BoardId, PlayerId, PlayerKind};

use crate::rulebook::{Rule, RuleId};

/// What a director can do next. The program names its own command for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    Words(&'static str),
    /// For a rule that an event would break.
    Breach(RuleId),
    Result(Option<BoardId>),
    ResultOrForfeit,
    /// End the game of a pairing, which is in the log, with its result.
    EndGame(BoardId),
    /// Record the result of a game that was played out, with its territory.
    PlayedOut(BoardId),
    /// Add the territory to a result.
    Territory(u64),
    /// Record the colour that a player chooses.
    ChooseColour(BoardId, PlayerId),
    /// Strike an event.
    Strike(u64),
    GivePlace,
    Pair,
    PairWithSeed,
    Close,
    DeclareRounds,
    DrawLots,
    /// Award the prizes of money.
    Award,
    /// Record a prize that is not money.
    AwardThing,
    Qualify,
    /// Declare the benchmark players of the qualifier.
    Benchmarks,
    /// Record a game of the qualifier.
    QualifyingGame,
    /// Close a tournament without a game, for a reason that is stated.
    CloseWithNote,
    /// Fix the qualifying period.
    QualifyingDates,
    Show,
    Rounds,
    Notices,
    /// Record a forfeit of the player who left.
    Forfeit(BoardId, PlayerId),
    /// Enter a player.
    Enter,
    /// Enter a player of a kind that the rulebook admits.
    EnterAs(PlayerKind),
    /// Revoke a round that has not begun.
    RevokeRound(u32),
    /// Revoke a round that has not begun, and move dates that passed.
    RevokeAndMove(u32, Vec<Milestone>),
    /// Move dates.
    MoveDates(Vec<Milestone>),
}

impl From<&'static str> for Remedy {
    fn from(words: &'static str) -> Remedy {
        Remedy::Words(words)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text())]
pub struct Refusal {
    /// None if the record is incomplete.
    pub rule: Option<Rule>,
    /// With the evidence.
    pub what: String,
    pub next: Option<Remedy>,
}

impl Refusal {
    /// A refusal because the record is incomplete.
    pub fn lacking(what: impl Into<String>) -> Refusal {
        Refusal { rule: None, what: what.into(), next: None }
    }

    pub fn by(rule: Option<Rule>, what: impl Into<String>) -> Refusal {
        Refusal { rule, what: what.into(), next: None }
    }

    pub fn hint(mut self, next: impl Into<Remedy>) -> Refusal {
        self.next = Some(next.into());
        self
    }

    fn text(&self) -> String {
        match &self.rule {
            Some(rule) => {
                format!(
                    "{} ({}, {}: {})",
                    self.what,
                    rule.id,
                    rule.paragraph,
                    rule.says.trim_end_matches('.')
                )
            }
            None => self.what.clone(),
        }
    }
}
