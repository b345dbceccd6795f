//! The commands that a director can give next, where a rule or the record is against a request.

use std::error::Error;

use annals_replay::ReplayError;
use annals_replay::handler::{BeginError, DirectError, PlayError};
use annals_replay::lines::{LineError, LineProblem};
use annals_replay::questions::QuestionError;
use annals_tournaments::refusal::Remedy;
use annals_tournaments::rulebook::RuleId;

/// The hint, with `TOURNAMENT` for its name; none where there is nothing to do but to leave it.
#[must_use]
pub fn hint(remedy: &Remedy) -> Option<String> {
    let command = match remedy {
        Remedy::Words(words) => words,
        Remedy::Breach(rule) => after_breach(*rule)?,
        Remedy::Result(Some(pairing)) => {
            return Some(format!("annals tournament result TOURNAMENT {pairing} OUTCOME"));
        }
        Remedy::Result(None) => "annals tournament result TOURNAMENT PAIRING",
        Remedy::ResultOrForfeit => "`annals tournament result TOURNAMENT PAIRING`, or `forfeit`",
        Remedy::GivePlace => "annals tournament rule TOURNAMENT place N PLAYER --reason TEXT",
        Remedy::Pair => "annals tournament pair TOURNAMENT",
        Remedy::PairWithSeed => "annals tournament pair TOURNAMENT --seed SEED",
        Remedy::Close => "annals tournament close TOURNAMENT",
        Remedy::DeclareRounds => "annals tournament declare-rounds TOURNAMENT",
        Remedy::DrawLots => "annals tournament draw-lots TOURNAMENT --seed SEED",
        Remedy::Qualify => "annals tournament qualify TOURNAMENT",
        Remedy::QualifyingDates => {
            "annals tournament dates TOURNAMENT qualifying_opens=TIME qualifying_closes=TIME --reason TEXT"
        }
        Remedy::Show => "annals tournament show TOURNAMENT",
        Remedy::Rounds => "annals tournament rounds TOURNAMENT",
        Remedy::Notices => "annals tournament notices TOURNAMENT",
    };
    Some(command.to_owned())
}

/// What follows the message of an error of the library: the command that helps.
pub fn after(error: &(dyn Error + 'static)) -> Option<&'static str> {
    match error.downcast_ref() {
        Some(ReplayError::NoSuchStream { .. }) => {
            return Some("; `annals log show --streams` lists those that it has");
        }
        Some(ReplayError::TwoSeqs { .. }) => return Some("; give either `--known-at` or `--seq`"),
        _ => {}
    }
    if let Some(QuestionError::LeftSince { .. }) = error.downcast_ref() {
        return Some("; `--as-of` with the time of publication shows that order");
    }
    if let Some(PlayError::NotBegun { .. }) = error.downcast_ref() {
        return Some(": `annals tournament start` begins the game of a pairing");
    }
    if let Some(BeginError::NoPosition { .. }) = error.downcast_ref() {
        return Some(". Begin the game by hand with `annals log append`");
    }
    if let Some(LineError { problem: LineProblem::Json(_), .. }) = error.downcast_ref() {
        return Some(", as `annals log export` writes it");
    }
    match error.downcast_ref()? {
        DirectError::NotAnnounced { .. } => Some(". `annals tournament announce` begins one"),
        DirectError::OtherRules { .. } => {
            Some(". Word the event yourself and hand it to `annals log append`")
        }
        _ => None,
    }
}

/// The next step after a refusal by a rule.
fn after_breach(rule: RuleId) -> Option<&'static str> {
    Some(match rule {
        RuleId::RegistrationWindow => {
            "a date moves only before it has passed: `annals tournament dates TOURNAMENT MILESTONE=TIME --reason TEXT`"
        }
        RuleId::RegistrationOnce => {
            "who had withdrawn comes back by `annals tournament reinstate TOURNAMENT PLAYER`"
        }
        RuleId::RegistrationKnown => "`annals tournament show TOURNAMENT` lists who entered",
        RuleId::RegistrationStanding => {
            "`annals tournament player TOURNAMENT PLAYER` tells what became of them"
        }
        RuleId::RegistrationOnePerDeveloper => {
            "one of the programs has to leave first: `annals tournament withdraw TOURNAMENT PLAYER`"
        }
        RuleId::ResultPaired => {
            "`annals tournament rounds TOURNAMENT` lists the pairings; `annals tournament start TOURNAMENT PAIRING` \
             begins a game"
        }
        RuleId::ResultOnce | RuleId::ResultGame => {
            "what is recorded is changed only by a ruling (`annals tournament rule --help`) or, if it was a slip of the \
             pen, by a correction in the log (`annals log --help`)"
        }
        RuleId::GameScore => {
            "`annals tournament rule TOURNAMENT set-result PAIRING OUTCOME --termination score --reason TEXT`"
        }
        RuleId::SwissDeclared => "`annals tournament declare-rounds TOURNAMENT` declares them",
        RuleId::RoundOrder => "`annals tournament rounds TOURNAMENT` shows what is still open",
        RuleId::HardwareDeclared => {
            "`annals tournament hardware TOURNAMENT MACHINE --player PLAYER --price AMOUNT` declares it, before the start"
        }
        RuleId::ForfeitClaim => {
            "`annals tournament forfeit TOURNAMENT PAIRING --absent PLAYER` once the time is over"
        }
        RuleId::ForfeitRemoved => {
            "`annals tournament appeal TOURNAMENT PLAYER --claim TEXT`, then `annals tournament decide-appeal`"
        }
        RuleId::ForfeitNoRematch | RuleId::RulingRematch | RuleId::RulingFrozen => {
            "a ruling without effect puts it on record: `annals tournament rule TOURNAMENT nothing --reason TEXT`"
        }
        RuleId::RulingResume => "`annals replay GAME` shows the game with its plies",
        RuleId::RefundDue => "`annals tournament refund TOURNAMENT` pays back all that is due",
        RuleId::Territory => {
            "`annals tournament rule TOURNAMENT set-territory PAIRING SQUARES --reason TEXT` fixes it for a game that was \
             not played out"
        }
        _ => return None,
    })
}
