//! The command that a director runs next, for each refusal by a rule.

use annals_events::PlayerKind;
use annals_tournaments::refusal::Remedy;
use annals_tournaments::rulebook::RuleId;

/// The hint, with `TOURNAMENT` for its name; none where there is nothing to do but to leave it.
#[must_use]
pub fn hint(remedy: &Remedy) -> Option<String> {
    let command = match remedy {
        Remedy::Words(words) => words,
        Remedy::Breach(rule) => after_breach(*rule),
        Remedy::Result(Some(pairing)) => {
            return Some(format!("annals tournament game result TOURNAMENT {pairing} OUTCOME"));
        }
        Remedy::Result(None) | Remedy::ResultOrForfeit => "annals tournament game result TOURNAMENT PAIRING",
        Remedy::EndGame(pairing) => {
            return Some(format!(
                "`annals tournament game result TOURNAMENT {pairing} OUTCOME --termination resignation` ends the game, if it was resigned"
            ));
        }
        Remedy::PlayedOut(pairing) => {
            return Some(format!(
                "`annals tournament game result TOURNAMENT {pairing} OUTCOME --termination immobilization --territory SQUARES` if \
                 the game was played out"
            ));
        }
        Remedy::Territory(seq) => {
            return Some(format!("annals log correct {seq} territory=SQUARES --reason TEXT"));
        }
        Remedy::ChooseColour(pairing, player) => {
            return Some(format!(
                "`annals tournament round choose-colour TOURNAMENT {pairing} {player} SIDE` records the colour that `{player}` chooses"
            ));
        }
        Remedy::EndOfGame(field) => {
            return Some(format!(
                "`annals log show GAME` has the number of the end of the game: if that was entered wrongly, correct its `{field}` first"
            ));
        }
        Remedy::CorrectEarlier => {
            "`annals tournament ruling give TOURNAMENT read T50=B --reason TEXT` lets results be corrected once a later round has begun"
        }
        Remedy::Strike(seq) => return Some(format!("annals log correct {seq} --strike --reason TEXT")),
        Remedy::GivePlace => "annals tournament ruling give TOURNAMENT place N PLAYER --reason TEXT",
        Remedy::Pair => "annals tournament round pair TOURNAMENT",
        Remedy::PairWithSeed => "annals tournament round pair TOURNAMENT --seed SEED",
        Remedy::Close => "annals tournament close TOURNAMENT",
        Remedy::DecideDispute(number) => {
            return Some(format!(
                "`annals tournament ruling give TOURNAMENT nothing --dispute {number} --reason TEXT` dismisses it; another ruling \
                 with `--dispute {number}` upholds it"
            ));
        }
        Remedy::DecideAppeal(number) => {
            return Some(format!(
                "`annals tournament ruling decide-appeal TOURNAMENT {number} --reject --reason TEXT` rejects it, `--accept` \
                 accepts it"
            ));
        }
        Remedy::StartGame(pairing) => {
            return Some(format!("annals tournament game start TOURNAMENT {pairing}"));
        }
        Remedy::DeclareRounds => "annals tournament round declare TOURNAMENT",
        Remedy::DrawLots => "annals tournament round draw-lots TOURNAMENT --seed SEED",
        Remedy::Award => {
            "`annals tournament fund award TOURNAMENT` awards the prizes; the close then states what is left of the fund"
        }
        Remedy::AwardThing => {
            "`annals tournament fund award TOURNAMENT PLAYER --thing TEXT` records a prize that is not money"
        }
        Remedy::Qualify => "annals tournament qualifier rank TOURNAMENT",
        Remedy::Benchmarks => {
            "`annals tournament qualifier benchmarks TOURNAMENT PLAYER` declares the benchmark players, before the entrants \
             play them"
        }
        Remedy::QualifyingGame => "annals tournament qualifier add-game --help",
        Remedy::CloseWithNote => {
            "`annals tournament close TOURNAMENT --note TEXT` closes it nevertheless, with the reason"
        }
        Remedy::QualifyingDates => {
            "annals tournament schedule dates TOURNAMENT qualifying_opens=TIME qualifying_closes=TIME --reason TEXT"
        }
        Remedy::Forfeit(pairing, player) => {
            return Some(format!("annals tournament game forfeit TOURNAMENT {pairing} --absent {player}"));
        }
        Remedy::Enter => "annals tournament entry add TOURNAMENT PLAYER",
        Remedy::EnterAs(PlayerKind::Bot) => {
            "`annals tournament entry add TOURNAMENT PLAYER --bot` enters a program; docs/reference/tournaments.md shows how an \
             event for people is recorded"
        }
        Remedy::EnterAs(_) => {
            "`annals tournament entry add TOURNAMENT PLAYER` without --bot enters a person, under an identity that is not a program"
        }
        Remedy::RevokeRound(round) => {
            return Some(format!(
                "`annals tournament round revoke TOURNAMENT r{round} --reason TEXT` first, since no game of it has begun"
            ));
        }
        Remedy::RevokeAndMove(round, dates) => {
            let dates: Vec<String> = dates.iter().map(|milestone| format!("`{milestone}`")).collect();
            return Some(format!(
                "`annals tournament round revoke TOURNAMENT r{round} --reason TEXT` first, since no game of it has begun; then {} \
                 has to be moved (`schedule dates`), since it has passed",
                dates.join(" and ")
            ));
        }
        Remedy::MoveDates(dates) => {
            let dates: Vec<String> = dates.iter().map(|milestone| format!("{milestone}=TIME")).collect();
            let dates = dates.join(" ");
            return Some(format!("annals tournament schedule dates TOURNAMENT {dates} --reason TEXT"));
        }
        Remedy::Show => "annals tournament show TOURNAMENT",
        Remedy::Rounds => "annals tournament round list TOURNAMENT",
        Remedy::Notices => "annals tournament schedule notices TOURNAMENT",
        Remedy::History => "`annals tournament history TOURNAMENT` shows the record",
    };
    Some(command.to_owned())
}

/// As [`hint`], with the name of the tournament.
pub fn hint_about(tournament: &str) -> impl Fn(&Remedy) -> Option<String> {
    move |remedy| Some(hint(remedy)?.replace("TOURNAMENT", tournament))
}

/// The next step after a close that leaves a rule undetermined.
#[must_use]
pub fn after_close(rule: RuleId) -> Option<&'static str> {
    match rule {
        RuleId::PrizeReturned => Some("annals tournament fund return TOURNAMENT PLAYER --reason TEXT"),
        RuleId::PrizeShare => Some(
            "`annals tournament fund award TOURNAMENT` awards them; before the close, it lowers what the close says is left",
        ),
        _ => None,
    }
}

/// What repairs a mistake of entry, where a ruling would only decide otherwise.
#[must_use]
pub fn correction(rule: RuleId) -> Option<&'static str> {
    (rule == RuleId::ResultOnce).then_some(
        "`annals log correct SEQ outcome=OUTCOME --reason TEXT` repairs a result that was entered wrongly",
    )
}

/// The next step after a refusal by a rule.
fn after_breach(rule: RuleId) -> &'static str {
    match rule {
        RuleId::ResultOnce => {
            "`annals tournament ruling give TOURNAMENT set-result PAIRING OUTCOME --reason TEXT` decides that the game counts otherwise"
        }
        RuleId::HardwareSame => "annals tournament entry machines TOURNAMENT ROUND MACHINE --system TEXT",
        RuleId::AccountWithdrawn => {
            "`annals tournament entry account TOURNAMENT PLAYER withdrawn --note TEXT` gives the reason"
        }
        RuleId::PrizeReturned => {
            "`annals tournament entry disqualify TOURNAMENT PLAYER --cause limited_program` records that the program was limited"
        }
        RuleId::PrizeForfeited => "annals tournament fund return TOURNAMENT PLAYER --reason TEXT",
        RuleId::RulingUnrated => "annals tournament ruling give TOURNAMENT unrated PAIRING --reason TEXT",
        RuleId::ProgramStandInTime => {
            "`annals tournament entry program TOURNAMENT PLAYER substituted --note TEXT` gives the reason"
        }
        RuleId::RegistrationOnce => {
            "`annals tournament entry reinstate TOURNAMENT PLAYER` reinstates a player who withdrew"
        }
        RuleId::RegistrationKnown => "`annals tournament show TOURNAMENT` lists the entries",
        RuleId::RegistrationStanding => {
            "`annals tournament entry show TOURNAMENT PLAYER` shows the state of the entry"
        }
        RuleId::RegistrationOnePerDeveloper => {
            "`annals tournament entry withdraw TOURNAMENT PROGRAM` withdraws the other program first"
        }
        RuleId::ResultPaired => {
            "`annals tournament game start TOURNAMENT PAIRING` begins the game of a pairing"
        }
        RuleId::ScheduleBegin => "`annals tournament round list TOURNAMENT` lists the fixed times",
        RuleId::RoundRevoked => "`annals tournament round list TOURNAMENT` lists the pairings in force",
        RuleId::ResultGame => {
            "`annals tournament game result --help` lists the outcomes and the endings that a result can have"
        }
        RuleId::GameScore => {
            "annals tournament ruling give TOURNAMENT set-result PAIRING OUTCOME --termination score --reason TEXT"
        }
        RuleId::SwissDeclared => "`annals tournament round declare TOURNAMENT` declares them",
        RuleId::RoundOrder => {
            "`annals tournament round list TOURNAMENT` lists the rounds and their unfinished games"
        }
        RuleId::HardwareDeclared => {
            "`annals tournament entry hardware TOURNAMENT MACHINE --player PLAYER --price AMOUNT` declares it, before the start"
        }
        RuleId::ForfeitClaim => {
            "`annals tournament game forfeit TOURNAMENT PAIRING --absent PLAYER` once the time is over"
        }
        RuleId::ForfeitRemoved => {
            "`annals tournament ruling appeal TOURNAMENT PLAYER --claim TEXT` files an appeal"
        }
        RuleId::ForfeitNoRematch | RuleId::RulingRematch | RuleId::RulingFrozen => {
            "`annals tournament ruling give TOURNAMENT nothing --reason TEXT` records a ruling without effect"
        }
        RuleId::RulingResume => "`annals replay GAME` shows the game with its plies",
        RuleId::RefundDue => "`annals tournament fund refund TOURNAMENT` refunds all that is due",
        RuleId::Territory => {
            "`annals tournament ruling give TOURNAMENT set-territory PAIRING SQUARES --reason TEXT` sets it for an unfinished game"
        }
        RuleId::PlaceChampion | RuleId::PlaceSecond | RuleId::PlaceThird | RuleId::PlaceOrder => {
            "`annals tournament standings TOURNAMENT` shows the places, and which of them a ruling has to give"
        }
        RuleId::RulingNumber | RuleId::RulingHalt | RuleId::RulingInvalidate | RuleId::RulingCause => {
            "`annals tournament ruling list TOURNAMENT` lists the rulings"
        }
        _ => "`annals tournament show TOURNAMENT` shows what is recorded",
    }
}

#[cfg(test)]
mod tests {
    use annals_events::tournament::Milestone;
    use annals_tournaments::rulebook::Rulebook;
    use clap::Parser as _;
    use clap::error::ErrorKind;

    use super::*;
    use crate::cli::Cli;

    /// A value for each placeholder of a command.
    const VALUES: [(&str, &str); 17] = [
        ("PROGRAM", "anna"),
        ("SEQ", "5"),
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
        ("SIDE", "gold"),
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
            Remedy::EndGame("r1.1".parse().unwrap()),
            Remedy::PlayedOut("r1.1".parse().unwrap()),
            Remedy::Territory(5),
            Remedy::ChooseColour("r1.1".parse().unwrap(), "anna".parse().unwrap()),
            Remedy::EndOfGame("winner"),
            Remedy::CorrectEarlier,
            Remedy::Strike(5),
            Remedy::GivePlace,
            Remedy::Pair,
            Remedy::PairWithSeed,
            Remedy::Close,
            Remedy::DecideDispute(1),
            Remedy::DecideAppeal(1),
            Remedy::StartGame("r1.1".parse().unwrap()),
            Remedy::History,
            Remedy::DeclareRounds,
            Remedy::DrawLots,
            Remedy::Award,
            Remedy::AwardThing,
            Remedy::Qualify,
            Remedy::Benchmarks,
            Remedy::QualifyingGame,
            Remedy::CloseWithNote,
            Remedy::QualifyingDates,
            Remedy::Show,
            Remedy::Rounds,
            Remedy::Notices,
            Remedy::Forfeit("r1.1".parse().unwrap(), "anna".parse().unwrap()),
            Remedy::Enter,
            Remedy::EnterAs(PlayerKind::Bot),
            Remedy::EnterAs(PlayerKind::Human),
            Remedy::RevokeRound(1),
            Remedy::RevokeAndMove(1, vec![Milestone::RegistrationCloses]),
            Remedy::MoveDates(vec![Milestone::RegistrationCloses, Milestone::PlayBegins]),
        ];
        let mut checked = 0;
        let corrections = correction(RuleId::ResultOnce).map(str::to_owned);
        for text in breaches.chain(others).filter_map(|remedy| hint(&remedy)).chain(corrections) {
            let commands = commands(&text);
            assert!(commands.len() == 1 || commands.is_empty() && !text.contains("annals "), "{text}");
            for command in commands {
                checked += 1;
                parses(command).unwrap_or_else(|error| panic!("`{command}`: {error}"));
            }
        }
        assert!(checked > 40, "{checked}");
        assert!(parses("annals tournament entry disqualify TOURNAMENT PLAYER limited_program").is_err());
    }
}
