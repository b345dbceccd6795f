//! Why a command is refused: the rule, the obstacle, the next step.

use annals_events::tournament::Milestone;
use annals_events::{BoardId, PlayerId, PlayerKind};

use crate::check::RESUMPTION;
use crate::rulebook::{Rule, RuleId};
use crate::state::{Filed, Tournament};

/// After what is found, if only a reading forbids it.
pub const BY_T50: &str = ", by the reading T50=A";
/// After what is found, if the end of a game in the log has another winner than its result.
pub(crate) const OTHER_WINNER: &str = "; the end of the game has another `winner`";
/// The same for how the game ended.
pub(crate) const OTHER_TERMINATION: &str = "; the end of the game has another `termination`";

/// After what is expected, if a closed tournament is to be changed.
pub const AND_CLOSED: &str = "; the tournament is closed";
/// After a pairing, if its game was taken out of force.
pub(crate) const GOES_ON: &str = " goes on in the next attempt";

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
    /// Correct a field of the end of a game in the log first.
    EndOfGame(&'static str),
    /// Read the text so that earlier results are corrected.
    CorrectEarlier,
    /// Strike an event.
    Strike(u64),
    GivePlace,
    Pair,
    PairWithSeed,
    Close,
    DecideDispute(u32),
    DecideAppeal(u32),
    /// Begin the next attempt at a pairing.
    StartGame(BoardId),
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
    /// Show what was recorded, where nothing more can be done.
    History,
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

impl Remedy {
    /// The next step that a violation of a rule states by its text.
    pub fn of_text(rule: RuleId, text: &str) -> Option<Remedy> {
        match rule {
            RuleId::RulingFrozen if text.contains(AND_CLOSED) => Some(Remedy::History),
            RuleId::RulingFrozen if text.contains(BY_T50) => Some(Remedy::CorrectEarlier),
            RuleId::ResultGame if text.contains(OTHER_WINNER) => Some(Remedy::EndOfGame("winner")),
            RuleId::ResultGame if text.contains(OTHER_TERMINATION) => Some(Remedy::EndOfGame("termination")),
            rule if RESUMPTION.contains(&rule) => {
                let (before, _) = text.split_once(GOES_ON)?;
                before.rsplit(' ').next()?.parse().ok().map(Remedy::StartGame)
            }
            _ => None,
        }
    }

    /// Whether the close of a tournament leaves this step possible: it reads, or records money or conduct.
    fn outlasts_the_close(&self) -> bool {
        match self {
            Remedy::Award
            | Remedy::AwardThing
            | Remedy::DecideAppeal(_)
            | Remedy::Show
            | Remedy::Rounds
            | Remedy::Notices
            | Remedy::History => true,
            Remedy::Breach(rule) => matches!(
                rule,
                RuleId::Closed
                    | RuleId::RefundDue
                    | RuleId::PrizeForfeited
                    | RuleId::PrizeReturned
                    | RuleId::ForfeitRemoved
                    | RuleId::RegistrationKnown
                    | RuleId::RegistrationStanding
                    | RuleId::RulingNumber
            ),
            _ => false,
        }
    }
}

impl From<&'static str> for Remedy {
    fn from(words: &'static str) -> Remedy {
        Remedy::Words(words)
    }
}

impl From<Filed> for Remedy {
    fn from(filed: Filed) -> Remedy {
        match filed {
            Filed::Dispute(number) => Remedy::DecideDispute(number),
            Filed::Appeal(number) => Remedy::DecideAppeal(number),
        }
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

    /// Names no next step that the close refuses.
    pub(crate) fn in_state(mut self, tournament: &Tournament) -> Refusal {
        if tournament.closed.is_none() || self.next.as_ref().is_none_or(Remedy::outlasts_the_close) {
            return self;
        }
        self.what.push_str(AND_CLOSED);
        self.hint(Remedy::History)
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
