//! The commands to run next, for each error of a library that has one; and which of them are findings about the data.

use std::error::Error;

use annals_events::{Family, StreamName};
use annals_ingest::archive_events::NoSuchEvent;
use annals_ingest::history::{NoSuchTable, TABLES};
use annals_ingest::imported::RecordingError;
use annals_ingest::output_file::OutputError;
use annals_ingest::state_file::OpenStateError;
use annals_replay::ReplayError;
use annals_replay::draft_lines::DraftLinesError;
use annals_replay::handler::{BeginError, DirectError, PlayError, QualifyingImportError, SessionError};
use annals_replay::lines::{LineError, LineProblem};
use annals_replay::point::PointError;
use annals_replay::queries::QueryError;
use annals_replay::queries::explain::NoSuchSubject;
use annals_replay::story::{NoSuchType, StoryError};
use annals_replay::subject::FindStreamError;
use annals_report::counted;
use annals_store::{
    AppendError, BackupError, BundleError, FaultKind, LossError, NotALog, OpenError, RebuildError,
};
use annals_tournaments::refusal::Remedy;
use annals_tournaments::rulebook::RuleId;

use crate::suggest::nearest;

/// What to do next about an error.
pub fn hints(error: &(dyn Error + 'static)) -> Vec<String> {
    if let Some(OpenError::NotALog(NotALog::Fault(fault)) | OpenError::Fault(fault)) = error.downcast_ref()
        && fault.kind == FaultKind::NotFound
    {
        return vec![
            "`annals log init` makes an empty log, `annals log import FILE` one with an archive's games; --home names \
             the folder that holds it"
                .to_owned(),
        ];
    }
    match error.downcast_ref() {
        Some(OutputError::Exists(_)) => {
            return vec!["name another file, or overwrite this one with --force".to_owned()];
        }
        Some(OutputError::System { .. }) => {
            return vec![
                "name a file in a folder that exists, with room on its disk, and to which you may write"
                    .to_owned(),
            ];
        }
        None => {}
    }
    #[cfg(feature = "sql")]
    {
        if let Some(error) = error.downcast_ref::<annals_analytics::Error>() {
            return error.hints();
        }
        if let Some(error) = error.downcast_ref::<annals_analytics::studies::StudyError>() {
            return error.hints();
        }
    }
    let did_you_mean = |name: &str, known: &[&str]| {
        nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"))
    };
    let refusal = match (error.downcast_ref(), error.downcast_ref()) {
        (Some(DirectError::Refused(refusal)), _) => Some(&**refusal),
        (_, Some(QueryError::Refused(refusal))) => Some(refusal),
        _ => None,
    };
    if let Some(NoSuchEvent { event, events, .. }) = error.downcast_ref() {
        let known: Vec<&str> = events.iter().map(|row| row.event.as_str()).collect();
        let shown: Vec<String> = events
            .iter()
            .take(12)
            .map(|row| format!("`{}` ({})", row.event, counted(row.games, "game")))
            .collect();
        let more = match events.len().saturating_sub(12) {
            0 => String::new(),
            more => format!(", and {more} more: --list shows all"),
        };
        let all = format!("the events of the files are {}{more}", shown.join(", "));
        return did_you_mean(event, &known).into_iter().chain([all]).collect();
    }
    if let Some(hints) = import_hints(error, &did_you_mean) {
        return hints;
    }
    match error.downcast_ref() {
        Some(FindStreamError::Several { streams, .. }) => {
            // The last one first, as it is the likeliest.
            let mut names = streams.iter().map(StreamName::as_str);
            let last = names.next_back().unwrap_or_default();
            return vec![format!("write {last}, or {}", names.collect::<Vec<_>>().join(", "))];
        }
        Some(FindStreamError::None { name, streams }) => return vec![near_stream(name, streams)],
        Some(FindStreamError::NoTournament { name, tournaments }) => {
            let known: Vec<&str> = tournaments.iter().map(String::as_str).collect();
            let otherwise = match known.as_slice() {
                [] => "it has no tournament at all; `annals tournament announce` begins one",
                _ => "`annals tournament list` lists those that it has",
            };
            return vec![did_you_mean(name, &known).unwrap_or_else(|| otherwise.to_owned())];
        }
        _ => {}
    }
    let one = match error.downcast_ref() {
        Some(SessionError::SeveralPlayers { players, .. }) => {
            let ids: Vec<&str> = players.iter().map(|id| id.as_str()).collect();
            Some(format!("name one of them by identity: {}", ids.join(", ")))
        }
        Some(SessionError::NoSuchPlayer { name, known, or }) => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let next = did_you_mean(name, &known).unwrap_or_else(|| {
                "`annals tournament entry add` makes a player known and enters them".to_owned()
            });
            return std::iter::once(next).chain(or.clone()).collect();
        }
        _ if error.is::<NoSuchType>() => error.downcast_ref().map(|NoSuchType { word, known }| {
            did_you_mean(word, known).unwrap_or_else(|| {
                format!("the families of types are {}", Family::ALL.map(Family::word).join(", "))
            })
        }),
        Some(SessionError::NoSuchRule { name, known, .. }) => did_you_mean(name, known),
        Some(SessionError::NoSuchGame { .. }) => {
            Some("leave --game out to make one, or say --no-game".to_owned())
        }
        Some(SessionError::Announced { .. }) => {
            Some("choose another name, or look at it: `annals tournament show TOURNAMENT`".to_owned())
        }
        Some(SessionError::NotPaired { .. }) => {
            Some("`annals tournament round list TOURNAMENT` lists the pairings".to_owned())
        }
        Some(SessionError::NotStarted { pairing }) => {
            Some(format!("`annals tournament game start TOURNAMENT {pairing}` begins it"))
        }
        _ => refusal.and_then(|refusal| refusal.next.as_ref()).and_then(hint),
    };
    let fixed = match (error.downcast_ref(), error.downcast_ref(), error.downcast_ref()) {
        (Some(PointError::NotATime(_)), ..) => {
            Some("write a time (2015-04-03T18:00) or a date (2015-04-03, meaning its end)")
        }
        (_, Some(BundleError::NotProven { .. }), _) => {
            Some("run `annals log verify`, which says what is whole")
        }
        _ if error.is::<OutputError>() => error.downcast_ref().map(|error| match error {
            OutputError::Exists(_) => "name another file, or overwrite this one with --force",
            OutputError::System { .. } => {
                "name a file in a folder that exists, with room on its disk, and to which you may write"
            }
        }),
        _ if error.is::<NoSuchSubject>() => {
            Some("a round (3), bye 3, colour r3.2, rank PLAYER PLAYER, qualifier, or qualifier PLAYER")
        }
        _ if matches!(error.downcast_ref(), Some(QueryError::OnlyOfRound)) => {
            Some("annals tournament explain TOURNAMENT ROUND --why-not PLAYER PLAYER")
        }
        (.., Some(DraftLinesError::NoEvent { .. })) => Some(
            r#"write one a line, for example {"stream":"people/omar","type":"people.player_known","payload":{"kind":"human","name":"Omar","player":"omar"}}"#,
        ),
        _ => None,
    };
    let one = one.or_else(|| fixed.map(str::to_owned));
    one.into_iter().collect()
}

/// What to do next about an error of an import of a tournament.
fn import_hints(
    error: &(dyn Error + 'static),
    did_you_mean: &dyn Fn(&str, &[&str]) -> Option<String>,
) -> Option<Vec<String>> {
    let hint = match (error.downcast_ref(), error.downcast_ref(), error.downcast_ref()) {
        (Some(RecordingError::NoStage { stages, .. }), ..) => format!("its stages are {}", stages.join(", ")),
        (Some(RecordingError::UnknownName { name, known }), ..) => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Some(did_you_mean(name, &known).into_iter().collect());
        }
        (_, Some(QualifyingImportError::NoDate { .. }), _) => self::hint(&Remedy::QualifyingDates)?,
        (_, Some(QualifyingImportError::NoBenchmarks), _) => {
            "annals tournament qualifier benchmarks TOURNAMENT PLAYER...".to_owned()
        }
        (.., Some(OpenStateError::NotUtf8 { .. })) => {
            "convert it first: `iconv -f latin1 -t utf-8`".to_owned()
        }
        (.., Some(OpenStateError::Line { .. })) => {
            "correct the line, or make it a comment with `#`".to_owned()
        }
        _ => {
            let NoSuchTable { name } = error.downcast_ref()?;
            let known = TABLES.map(|table| table.id);
            did_you_mean(name, &known).unwrap_or_else(|| format!("the tables are {}", known.join(", ")))
        }
    };
    Some(vec![hint])
}

/// A stream that is nearly called so, or how to list them.
fn near_stream(text: &str, streams: &[StreamName]) -> String {
    let names = || streams.iter().map(StreamName::as_str);
    let near = match text.contains('/') {
        true => nearest(text, names()),
        false => nearest(text, streams.iter().map(StreamName::name))
            .and_then(|near| streams.iter().find(|stream| stream.name() == near).map(StreamName::as_str)),
    };
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if streams.len() <= 12 => format!("its streams are {}", names().collect::<Vec<_>>().join(", ")),
        None => "`annals log show --streams` lists all streams".to_owned(),
    }
}

/// Whether an error is a finding about the data: a log that is damaged.
pub fn is_damage(error: &(dyn Error + 'static)) -> bool {
    #[cfg(feature = "sql")]
    if let Some(annals_analytics::Error::DamagedLog(_)) = error.downcast_ref() {
        return true;
    }
    error.downcast_ref().is_some_and(OpenError::is_damage)
        || matches!(error.downcast_ref(), Some(AppendError::Damaged { .. }))
        || matches!(error.downcast_ref(), Some(BackupError::Damaged { .. }))
        || matches!(error.downcast_ref(), Some(RebuildError::Damaged { .. }))
}

/// What an error of several steps is about: the error of the step that failed.
pub fn step_that_failed<'e>(error: &'e (dyn Error + 'static)) -> &'e (dyn Error + 'static) {
    if let Some(error) = error.downcast_ref() {
        return match error {
            SessionError::Direct(error) => error,
            SessionError::Begin(error) => error,
            SessionError::Replay(error) => error,
            SessionError::Append(error) => error,
            SessionError::Play(error) => error,
            _ => error,
        };
    }
    if let Some(StoryError::Write(error)) = error.downcast_ref() {
        return error;
    }
    match (error.downcast_ref(), error.downcast_ref(), error.downcast_ref()) {
        (Some(LossError::Open(error)), ..) => error,
        (_, Some(BackupError::Open(error)), _) => error,
        (.., Some(RebuildError::Open(error))) => error,
        _ => error,
    }
}

/// The hint, with `TOURNAMENT` for its name; none where there is nothing to do but to leave it.
#[must_use]
pub fn hint(remedy: &Remedy) -> Option<String> {
    let command = match remedy {
        Remedy::Words(words) => words,
        Remedy::Breach(rule) => after_breach(*rule),
        Remedy::Result(Some(pairing)) => {
            return Some(format!("annals tournament game result TOURNAMENT {pairing} OUTCOME"));
        }
        Remedy::Result(None) => "annals tournament game result TOURNAMENT PAIRING",
        Remedy::ResultOrForfeit => "`annals tournament game result TOURNAMENT PAIRING`, or `forfeit`",
        Remedy::GivePlace => "annals tournament ruling give TOURNAMENT place N PLAYER --reason TEXT",
        Remedy::Pair => "annals tournament round pair TOURNAMENT",
        Remedy::PairWithSeed => "annals tournament round pair TOURNAMENT --seed SEED",
        Remedy::Close => "annals tournament close TOURNAMENT",
        Remedy::DeclareRounds => "annals tournament round declare TOURNAMENT",
        Remedy::DrawLots => "annals tournament round draw-lots TOURNAMENT --seed SEED",
        Remedy::Qualify => "annals tournament qualifier rank TOURNAMENT",
        Remedy::QualifyingDates => {
            "annals tournament schedule dates TOURNAMENT qualifying_opens=TIME qualifying_closes=TIME --reason TEXT"
        }
        Remedy::Show => "annals tournament show TOURNAMENT",
        Remedy::Rounds => "annals tournament round list TOURNAMENT",
        Remedy::Notices => "annals tournament schedule notices TOURNAMENT",
    };
    Some(command.to_owned())
}

/// The next step after a close that leaves a rule open.
#[must_use]
pub fn after_close(rule: RuleId) -> Option<&'static str> {
    (rule == RuleId::PrizeReturned).then_some("annals tournament fund return TOURNAMENT PLAYER --reason TEXT")
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
        return Some(": `annals tournament game start` begins the game of a pairing");
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
            "a date moves only before it has passed: `annals tournament schedule dates TOURNAMENT MILESTONE=TIME --reason TEXT`"
        }
        RuleId::QualifierNamed | RuleId::PlayEnds | RuleId::RoundDates => {
            "the date moves by `annals tournament schedule dates TOURNAMENT MILESTONE=TIME --reason TEXT`, and after it has passed \
             the director answers for that"
        }
        RuleId::HardwareSame => "annals tournament entry machines TOURNAMENT ROUND MACHINE --system TEXT",
        RuleId::AccountWithdrawn => {
            "`annals tournament entry program TOURNAMENT PLAYER tested` records a passed test first; without one \
             `annals tournament entry account TOURNAMENT PLAYER withdrawn --note TEXT` gives the reason"
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
            "who had withdrawn comes back by `annals tournament entry reinstate TOURNAMENT PLAYER`"
        }
        RuleId::RegistrationKnown => "`annals tournament show TOURNAMENT` lists who entered",
        RuleId::RegistrationStanding => {
            "`annals tournament entry show TOURNAMENT PLAYER` tells what became of them"
        }
        RuleId::RegistrationOnePerDeveloper => {
            "one of the programs has to leave first: `annals tournament entry withdraw TOURNAMENT PLAYER`"
        }
        RuleId::ResultPaired => {
            "`annals tournament round list TOURNAMENT` lists the pairings; `annals tournament game start TOURNAMENT PAIRING` \
             begins a game"
        }
        RuleId::ResultOnce | RuleId::ResultGame => {
            "what is recorded is changed only by a ruling (`annals tournament ruling give --help`) or, if it was a slip of the \
             pen, by a correction in the log (`annals log --help`)"
        }
        RuleId::GameScore => {
            "`annals tournament ruling give TOURNAMENT set-result PAIRING OUTCOME --termination score --reason TEXT`"
        }
        RuleId::SwissDeclared => "`annals tournament round declare TOURNAMENT` declares them",
        RuleId::RoundOrder => "`annals tournament round list TOURNAMENT` shows what is still open",
        RuleId::HardwareDeclared => {
            "`annals tournament entry hardware TOURNAMENT MACHINE --player PLAYER --price AMOUNT` declares it, before the start"
        }
        RuleId::ForfeitClaim => {
            "`annals tournament game forfeit TOURNAMENT PAIRING --absent PLAYER` once the time is over"
        }
        RuleId::ForfeitRemoved => {
            "`annals tournament ruling appeal TOURNAMENT PLAYER --claim TEXT`, then `annals tournament ruling decide-appeal TOURNAMENT N --accept --reason TEXT`"
        }
        RuleId::ForfeitNoRematch | RuleId::RulingRematch | RuleId::RulingFrozen => {
            "a ruling without effect puts it on record: `annals tournament ruling give TOURNAMENT nothing --reason TEXT`"
        }
        RuleId::RulingResume => "`annals replay GAME` shows the game with its plies",
        RuleId::RefundDue => "`annals tournament fund refund TOURNAMENT` pays back all that is due",
        RuleId::Territory => {
            "`annals tournament ruling give TOURNAMENT set-territory PAIRING SQUARES --reason TEXT` fixes it for a game that was \
             not played out"
        }
        RuleId::PlaceChampion | RuleId::PlaceSecond | RuleId::PlaceThird | RuleId::PlaceOrder => {
            "`annals tournament standings TOURNAMENT` shows the places, and which of them a ruling has to give"
        }
        RuleId::RulingNumber | RuleId::RulingHalt | RuleId::RulingInvalidate | RuleId::RulingCause => {
            "`annals tournament ruling list TOURNAMENT` lists what was ruled"
        }
        RuleId::RoundRevoked => "`annals tournament round list TOURNAMENT` lists the pairings in force",
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
        assert!(parses("annals tournament entry disqualify TOURNAMENT PLAYER limited_program").is_err());
    }
}
