//! What a director can do next when a rule forbids a request: the command, with the tournament for them to fill in.

use crate::rulebook::RuleId;

/// The next step after a refusal by a rule; none where there is nothing to do but to leave it.
pub(super) fn step(rule: RuleId) -> Option<&'static str> {
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
