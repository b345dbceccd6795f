//! The commands that a director can give next, where a rule or the record is against a request.

use std::error::Error;

use annals_replay::ReplayError;
use annals_replay::handler::{BeginError, DirectError, PlayError};
use annals_replay::lines::{LineError, LineProblem};
use annals_replay::queries::QueryError;
use annals_tournaments::refusal::Remedy;
use annals_tournaments::rulebook::RuleId;

/// The hint, with `TOURNAMENT` for its name; none where there is nothing to do but to leave it.
#[must_use]
pub fn hint(remedy: &Remedy) -> Option<String> {
    let command = match remedy {
        Remedy::Words(words) => words,
        Remedy::Breach(rule) => after_breach(*rule),
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

/// The next step after a close that leaves a rule open.
#[must_use]
pub fn after_close(rule: RuleId) -> Option<&'static str> {
    (rule == RuleId::PrizeReturned)
        .then_some("annals tournament return-prize TOURNAMENT PLAYER --reason TEXT")
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
    if let Some(QueryError::LeftSince { .. }) = error.downcast_ref() {
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
fn after_breach(rule: RuleId) -> &'static str {
    match rule {
        RuleId::RegistrationWindow => {
            "a date moves only before it has passed: `annals tournament dates TOURNAMENT MILESTONE=TIME --reason TEXT`"
        }
        RuleId::QualifierNamed | RuleId::PlayEnds | RuleId::RoundDates => {
            "the date moves by `annals tournament dates TOURNAMENT MILESTONE=TIME --reason TEXT`, and after it has passed \
             the director answers for that"
        }
        RuleId::HardwareSame => "annals tournament machines TOURNAMENT ROUND MACHINE --system TEXT",
        RuleId::AccountWithdrawn => {
            "`annals tournament program TOURNAMENT PLAYER tested` records a passed test first; without one \
             `annals tournament account TOURNAMENT PLAYER withdrawn --note TEXT` gives the reason"
        }
        RuleId::PrizeReturned => {
            "`annals tournament disqualify TOURNAMENT PLAYER --cause limited_program` records that the program was limited"
        }
        RuleId::PrizeForfeited => "annals tournament return-prize TOURNAMENT PLAYER --reason TEXT",
        RuleId::RulingUnrated => "annals tournament rule TOURNAMENT unrated PAIRING --reason TEXT",
        RuleId::ProgramStandInTime => {
            "`annals tournament program TOURNAMENT PLAYER substituted --note TEXT` gives the reason"
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
            "`annals tournament appeal TOURNAMENT PLAYER --claim TEXT`, then `annals tournament decide-appeal TOURNAMENT N --accept --reason TEXT`"
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
        RuleId::PlaceChampion | RuleId::PlaceSecond | RuleId::PlaceThird | RuleId::PlaceOrder => {
            "`annals tournament standings TOURNAMENT` shows the places, and which of them a ruling has to give"
        }
        RuleId::RulingNumber | RuleId::RulingHalt | RuleId::RulingInvalidate | RuleId::RulingCause => {
            "`annals tournament rulings TOURNAMENT` lists what was ruled"
        }
        RuleId::RoundRevoked => "`annals tournament rounds TOURNAMENT` lists the pairings in force",
        _ => "`annals tournament show TOURNAMENT` shows what is on record",
    }
}

#[cfg(test)]
mod tests {
    use annals_tournaments::rulebook::Rulebook;
    use clap::Parser as _;
    use clap::error::ErrorKind;

    use super::*;
    use crate::cli::Cli;

    /// A value for each placeholder of a command.
    const VALUES: [(&str, &str); 14] = [
        ("MILESTONE=TIME", "play_ends=2015-03-01"),
        ("TIME", "2015-03-01"),
        ("TOURNAMENT", "cup"),
        ("PAIRING", "r1.1"),
        ("OUTCOME", "gold"),
        ("PLAYER", "anna"),
        ("ROUND", "1"),
        ("MACHINE", "laptop"),
        ("AMOUNT", "1000"),
        ("SQUARES", "5"),
        ("GAME", "game/cup.r1.1"),
        ("TEXT", "text"),
        ("SEED", "seed"),
        ("N", "1"),
    ];

    /// The commands of a hint: what is in backticks, or all of it.
    fn commands(hint: &str) -> Vec<&str> {
        let quoted: Vec<&str> = hint.split('`').skip(1).step_by(2).collect();
        let all = if quoted.is_empty() { vec![hint] } else { quoted };
        all.into_iter().filter(|command| command.starts_with("annals ")).collect()
    }

    fn parses(command: &str) -> Result<(), clap::Error> {
        let fill = |word: &str| {
            let found = VALUES.iter().find(|(name, _)| *name == word);
            let ended = || word.split_once('=').filter(|(_, value)| *value == "TIME");
            match (found, ended()) {
                (Some((_, value)), _) => (*value).to_owned(),
                (None, Some((name, _))) => format!("{name}=2015-03-01"),
                (None, None) => word.to_owned(),
            }
        };
        match Cli::try_parse_from(command.split(' ').map(fill)) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == ErrorKind::DisplayHelp => Ok(()),
            Err(error) => Err(error),
        }
    }

    #[test]
    fn every_command_of_a_hint_is_one_of_the_program() {
        let rules = Rulebook::all().into_iter().flat_map(|rulebook| rulebook.rules);
        let breaches = rules.map(|rule| Remedy::Breach(rule.id));
        let others = [
            Remedy::Result(None),
            Remedy::Result("r1.1".parse().ok()),
            Remedy::ResultOrForfeit,
            Remedy::GivePlace,
            Remedy::Pair,
            Remedy::PairWithSeed,
            Remedy::Close,
            Remedy::DeclareRounds,
            Remedy::DrawLots,
            Remedy::Qualify,
            Remedy::QualifyingDates,
            Remedy::Show,
            Remedy::Rounds,
            Remedy::Notices,
        ];
        let mut checked = 0;
        for text in breaches.chain(others).filter_map(|remedy| hint(&remedy)) {
            let commands = commands(&text);
            assert!(!commands.is_empty() || !text.contains("annals "), "{text}");
            for command in commands {
                checked += 1;
                parses(command).unwrap_or_else(|error| panic!("`{command}`: {error}"));
            }
        }
        assert!(checked > 40, "{checked}");
        assert!(parses("annals tournament disqualify TOURNAMENT PLAYER limited_program").is_err());
    }
}
