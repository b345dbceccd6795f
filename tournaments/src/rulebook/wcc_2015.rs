//! The 2015 Computer Championship: programs only, a qualifier against benchmarks, a floating quadruple elimination, played
//! on for second place.

use annals_events::tournament::{Fees, Stage};
use annals_events::{GameKind, PlayerKind};

use super::{DAY, Format, HOUR, Prizes, Readings, Rule, RuleId, Rulebook, StageRules};
use crate::formats::elimination::Rules;

const fn rule(id: RuleId, paragraph: &'static str, says: &'static str) -> Rule {
    Rule { id, paragraph, says }
}

const RULES: &[Rule] = &[
    rule(
        RuleId::AnnouncementFirst,
        "2015 WCC, Overview",
        "A tournament is announced once, before anything else.",
    ),
    rule(
        RuleId::AnnouncementRulebook,
        "2015 WCC, Overview",
        "The announcement names this rulebook in this edition.",
    ),
    rule(
        RuleId::AnnouncementReadings,
        "2015 WCC, Overview",
        "The announcement records how every ambiguous text is read.",
    ),
    rule(
        RuleId::AnnouncementTerms,
        "2015 WCC, Time Controls and Registration",
        "The announced terms are those of the rulebook.",
    ),
    rule(
        RuleId::AnnouncementSchedule,
        "2015 WCC, Qualifying period",
        "What opens opens before it closes, and no date moves once used.",
    ),
    rule(
        RuleId::RegistrationKnown,
        "2015 WCC, Registration",
        "Whatever concerns a player concerns one who entered.",
    ),
    rule(
        RuleId::RegistrationStanding,
        "2015 WCC, Registration",
        "Who is in can leave, and who is out can come back, once each.",
    ),
    rule(RuleId::EligibilityKind, "2015 WCC, Overview", "Only programs take part."),
    rule(
        RuleId::RegistrationWindow,
        "2015 WCC, Registration",
        "Entries are made between the two announced dates.",
    ),
    rule(RuleId::RegistrationOnce, "2015 WCC, Registration", "A program enters once."),
    rule(
        RuleId::RegistrationOnePerDeveloper,
        "2015 WCC, Registration",
        "A developer or a team enters one program.",
    ),
    rule(
        RuleId::RegistrationFee,
        "2015 WCC, Registration",
        "The fee of 10 dollars goes into the prize fund.",
    ),
    rule(RuleId::RegistrationBan, "2015 WCC, Qualifying 3", "Nobody enters while a ban stands."),
    rule(
        RuleId::QualifierBenchmarks,
        "2015 WCC, Qualifying 1",
        "The qualifier is played against declared benchmarks.",
    ),
    rule(RuleId::QualifierConduct, "2015 WCC, Penalty", "Nobody breaks a rule of the qualifying phase."),
    rule(
        RuleId::QualifierGame,
        "2015 WCC, Qualifying 4",
        "A qualifying game is recorded once, as it was played.",
    ),
    rule(RuleId::QualifierWindow, "2015 WCC, Qualifying period", "Games start and finish within the period."),
    rule(
        RuleId::QualifierScore,
        "2015 WCC, Qualifying 4",
        "Points, games that count, and the streaks make the score.",
    ),
    rule(
        RuleId::QualifierOrder,
        "2015 WCC, Qualifying 5",
        "Points, losses before the streaks, and completion make the order.",
    ),
    rule(
        RuleId::QualifierUnplayed,
        "2015 WCC, Qualifying 7",
        "Who has no counted game ranks below, by rating.",
    ),
    rule(
        RuleId::QualifierHardware,
        "2015 WCC, Qualifying 3",
        "Qualifying hardware is at most about five times as fast.",
    ),
    rule(RuleId::FieldPlaces, "2015 WCC, Overview", "The first eight of the qualifier play the final."),
    rule(
        RuleId::FieldSeeds,
        "2015 WCC, Tournament format 1",
        "Seeds are the places in the qualifier, without gaps.",
    ),
    rule(
        RuleId::InvitationNext,
        "2015 WCC, Program Submission",
        "The next in the order of the qualifier is invited.",
    ),
    rule(RuleId::InvitationDays, "2015 WCC, Program Submission", "An invited program has six days."),
    rule(RuleId::InvitationFee, "2015 WCC, Program Submission", "An invited developer risks no fee."),
    rule(
        RuleId::InvitationVacancy,
        "2015 WCC, Program Submission",
        "An invitation fills a place that fell vacant.",
    ),
    rule(
        RuleId::InvitationLapsed,
        "2015 WCC, Program Submission",
        "An invitation lapses for one who was invited and has no program in the final.",
    ),
    rule(
        RuleId::ProgramDeadline,
        "2015 WCC, Program Submission",
        "A qualified program is uploaded by the deadline, or out.",
    ),
    rule(
        RuleId::ProgramTested,
        "2015 WCC, Program Submission",
        "A program is tested, then access is closed.",
    ),
    rule(
        RuleId::ProgramStandIn,
        "2015 WCC, Program Submission",
        "A program of an earlier year stands in for an invited one.",
    ),
    rule(
        RuleId::ProgramFrozen,
        "2015 WCC, Program Submission",
        "A submitted program is not changed by hand.",
    ),
    rule(
        RuleId::ProgramRun,
        "2015 WCC, Program Submission",
        "An automated change runs between rounds, four hours at most.",
    ),
    rule(
        RuleId::ProgramUnlimited,
        "2015 WCC, Publication",
        "A submitted program is not limited in any manner.",
    ),
    rule(RuleId::HardwareLimit, "2015 WCC, Hardware and OS", "The machine can be bought for 1,000 dollars."),
    rule(
        RuleId::DisqualificationCause,
        "2015 WCC, Program Submission",
        "A disqualification has a cause that the record bears out.",
    ),
    rule(
        RuleId::RoundOrder,
        "2015 WCC, Tournament format 2",
        "A round is paired when every result before it is known.",
    ),
    rule(
        RuleId::RoundDates,
        "2015 WCC, Tournament begins",
        "The first round begins on the announced date or after it.",
    ),
    rule(
        RuleId::RoundRevoked,
        "2015 WCC, Technical Problems 1 and 3",
        "A pairing is revoked only before its round has begun.",
    ),
    rule(RuleId::RoundNeeded, "2015 WCC, Tournament format 2", "Rounds are played until one player is left."),
    rule(
        RuleId::RoundPlayers,
        "2015 WCC, Tournament format 2",
        "Everyone plays until they have lost four times.",
    ),
    rule(
        RuleId::ByeFewest,
        "2015 WCC, Tournament format 3",
        "The bye goes to somebody with the fewest byes.",
    ),
    rule(
        RuleId::ByeChoice,
        "2015 WCC, Tournament format 5, 8 and 9",
        "The bye: fewest losses, highest rating, best seed.",
    ),
    rule(
        RuleId::PairingBest,
        "2015 WCC, Tournament format 3-10",
        "No pairing is better by the constraints in their order.",
    ),
    rule(
        RuleId::PairingOrder,
        "2015 WCC, Tournament format 10",
        "The ranking: losses, performance rating, seed.",
    ),
    rule(RuleId::Colour, "2015 WCC, Color Assignment", "Six rules in strict priority give the colours."),
    rule(
        RuleId::Continuation,
        "2015 WCC, Tournament format, ties",
        "Those level for second get one more life and play on.",
    ),
    rule(RuleId::TimeControl, "2015 WCC, Time Controls", "Games are played with 2m/6m/100/0/8h/6m."),
    rule(RuleId::GameRules, "2015 WCC, Tournament format 12", "Games follow the Match Rules."),
    rule(RuleId::GameClock, "2015 WCC, Time Controls", "Clocks follow the time control."),
    rule(
        RuleId::GamePlayers,
        "2015 WCC, Color Assignment",
        "A game is played by its pair, with its colours.",
    ),
    rule(RuleId::ResultPaired, "2015 WCC, Tournament format", "A result belongs to a pairing that stands."),
    rule(RuleId::ResultOnce, "2015 WCC, Tournament format", "A pairing has one result."),
    rule(RuleId::ResultGame, "2015 WCC, Tournament format 12", "A result is that of its game."),
    rule(
        RuleId::RulingNumber,
        "2015 WCC, Technical Problems 5",
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows.",
    ),
    rule(
        RuleId::RulingReading,
        "2015 WCC, Technical Problems 5",
        "A reading that is ruled is one that the text allows.",
    ),
    rule(
        RuleId::RulingFrozen,
        "2015 WCC, Technical Problems 1",
        "Nothing of an earlier round changes once a round has started.",
    ),
    rule(
        RuleId::RulingHalt,
        "2015 WCC, Technical Problems 2",
        "A game under way is halted, unrated, and resumed from a ply.",
    ),
    rule(
        RuleId::RulingInvalidate,
        "2015 WCC, Technical Problems 3",
        "A finished game is invalidated, unrated, and replayed.",
    ),
    rule(
        RuleId::RulingCause,
        "2015 WCC, Technical Problems 4 and 5",
        "A listed failure, or one that the director weighs.",
    ),
    rule(
        RuleId::RulingClocks,
        "2015 WCC, Technical Problems 6",
        "Clocks are restored as they were, as closely as possible.",
    ),
    rule(
        RuleId::RulingResume,
        "2015 WCC, Technical Problems 2 and 3",
        "The next attempt goes on from that game and ply.",
    ),
    rule(
        RuleId::RulingUnrated,
        "2015 WCC, Technical Problems 2 and 3",
        "The halted or invalidated game is unrated.",
    ),
    rule(
        RuleId::Penalty,
        "2015 WCC, Penalty",
        "The penalty is 20 dollars, for a rule of the qualifying phase or a late upload.",
    ),
    rule(
        RuleId::Ban,
        "2015 WCC, Qualifying 3 and Publication",
        "Bans: two years for faster hardware; following years for limited programs.",
    ),
    rule(
        RuleId::PrizeShare,
        "2015 WCC, Prizes",
        "The fund is divided by the games; each share goes to a winner.",
    ),
    rule(
        RuleId::PrizeForfeited,
        "2015 WCC, Qualifying 3",
        "Who qualified on much faster hardware forfeits the prize.",
    ),
    rule(
        RuleId::PrizeReturned,
        "2015 WCC, Publication",
        "Who submitted a limited program returns the prize.",
    ),
    rule(
        RuleId::PrizeLeft,
        "2015 WCC, Prizes",
        "What is left of the fund is what came in less what went out.",
    ),
    rule(RuleId::PlaceChampion, "2015 WCC, Tournament format 2", "The last one left is champion."),
    rule(RuleId::PlaceSecond, "2015 WCC, Tournament format, ties", "Second place is played out."),
    rule(
        RuleId::PlaceThird,
        "2015 WCC, Tournament format, ties",
        "Third place goes by games won; ties stand.",
    ),
    rule(RuleId::PlaceTitle, "2015 WCC, Prizes", "The first is Arimaa World Computer Champion."),
    rule(RuleId::PlaceContenders, "2015 WCC, Overview", "The first two compete for the Challenge."),
    rule(RuleId::Closed, "2015 WCC, Tournament ends", "After the close the record of play stands."),
    rule(RuleId::ResultDraw, "2015 WCC, Tournament format 12", "The Match Rules know no draws."),
];

/// The rulebook.
pub(super) fn rulebook() -> Rulebook {
    Rulebook {
        name: "wcc-2015",
        edition: 1,
        title: "The 2015 Arimaa World Computer Championship",
        game: GameKind::Arimaa,
        players: &[PlayerKind::Bot],
        stages: vec![
            StageRules {
                stage: Stage::Qualifier,
                format: Format::Qualifier { games_per_benchmark: 20, points_per_benchmark: 4 },
                time_control: None,
                places: Some(8),
                if_needed: false,
            },
            StageRules {
                stage: Stage::Final,
                format: Format::Elimination(Rules::championship_2015()),
                time_control: Some("2m/6m/100/0/8h/6m"),
                places: None,
                if_needed: false,
            },
            StageRules {
                stage: Stage::Continuation,
                format: Format::Continuation,
                time_control: Some("2m/6m/100/0/8h/6m"),
                places: None,
                if_needed: true,
            },
        ],
        fees: Some(Fees { registration: 1_000, refundable: 0, penalty: 2_000 }),
        currency: Some("USD"),
        series: Some("arimaa-wcc"),
        title_won: Some("Arimaa World Computer Champion"),
        contenders: 2,
        prizes: Prizes::PerGameWon,
        lateness: None,
        availability_within: None,
        invitation: Some(6 * DAY),
        program_run: Some(4 * HOUR),
        hardware_price: Some(100_000),
        hardware_speed: Some(5_000),
        ban_years: Some(2),
        rules: RULES,
        ambiguous: &[
            "T1",
            "T2",
            "T3",
            "T4",
            "T5",
            "T6",
            "T7",
            "T8",
            "T9",
            "T20",
            "T21",
            "T22",
            "T23",
            "T24",
            "T25",
            "T26",
            "T27",
            "T31",
            "arbitrary_colour",
        ],
        readings: Readings::default(),
    }
}
