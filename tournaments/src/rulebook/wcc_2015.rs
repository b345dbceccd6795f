//! The 2015 Computer Championship: programs only, a qualifier against benchmarks, a floating quadruple elimination, played
//! on for second place.

use annals_events::tournament::{Fees, Stage};
use annals_events::{GameKind, PlayerKind};

use super::{DAY, Format, HOUR, Prizes, Readings, Rule, Rulebook, StageRules};
use crate::formats::elimination::Rules;

const RULES: &[Rule] = rules! {
    "2015 WCC, Overview" {
        AnnouncementFirst "A tournament is announced once, before anything else."
        AnnouncementRulebook "The announcement names this rulebook in this edition."
        AnnouncementReadings "The announcement records how every ambiguous text is read."
    }
    "2015 WCC, Time Controls and Registration" {
        AnnouncementTerms "The announced terms are those of the rulebook."
    }
    "2015 WCC, Qualifying period" {
        AnnouncementSchedule "What opens opens before it closes, and no date moves once used."
    }
    "2015 WCC, Registration" {
        RegistrationKnown "Whatever concerns a player concerns one who entered."
        RegistrationStanding "Who is in can leave, and who is out can come back, once each."
    }
    "2015 WCC, Overview" {
        EligibilityKind "Only programs take part."
    }
    "2015 WCC, Registration" {
        RegistrationWindow "Entries are made between the two announced dates."
        RegistrationOnce "A program enters once."
        RegistrationOnePerDeveloper "A developer or a team enters one program."
        RegistrationFee "The fee of 10 dollars goes into the prize fund."
    }
    "2015 WCC, Qualifying 3" {
        RegistrationBan "Nobody enters while a ban stands."
    }
    "2015 WCC, Qualifying 1" {
        QualifierBenchmarks "The qualifier is played against declared benchmarks."
    }
    "2015 WCC, Penalty" {
        QualifierConduct "Nobody breaks a rule of the qualifying phase."
    }
    "2015 WCC, Qualifying 4" {
        QualifierGame "A qualifying game is recorded once, as it was played."
    }
    "2015 WCC, Qualifying period" {
        QualifierWindow "Games start and finish within the period."
    }
    "2015 WCC, Qualifying 4" {
        QualifierScore "Points, games that count, and the streaks make the score."
    }
    "2015 WCC, Qualifying 5" {
        QualifierOrder "Points, losses before the streaks, and completion make the order."
    }
    "2015 WCC, Qualifying 7" {
        QualifierUnplayed "Who has no counted game ranks below, by rating."
    }
    "2015 WCC, Qualifying 3" {
        QualifierHardware "Qualifying hardware is at most about five times as fast."
    }
    "2015 WCC, Overview" {
        FieldPlaces "The first eight of the qualifier play the final."
    }
    "2015 WCC, Tournament format 1" {
        FieldSeeds "Seeds are the places in the qualifier, without gaps."
    }
    "2015 WCC, Program Submission" {
        InvitationNext "The next in the order of the qualifier is invited."
        InvitationDays "An invited program has six days."
        InvitationFee "An invited developer risks no fee."
        InvitationVacancy "An invitation fills a place that fell vacant."
        InvitationLapsed "An invitation lapses for one who was invited and has no program in the final."
        ProgramDeadline "A qualified program is uploaded by the deadline, or out."
        ProgramTested "A program is tested, then access is closed."
        ProgramStandIn "A program of an earlier year stands in for an invited one."
        ProgramFrozen "A submitted program is not changed by hand."
        ProgramRun "An automated change runs between rounds, four hours at most."
    }
    "2015 WCC, Publication" {
        ProgramUnlimited "A submitted program is not limited in any manner."
    }
    "2015 WCC, Hardware and OS" {
        HardwareLimit "The machine can be bought for 1,000 dollars."
    }
    "2015 WCC, Program Submission" {
        DisqualificationCause "A disqualification has a cause that the record bears out."
    }
    "2015 WCC, Tournament format 2" {
        RoundOrder "A round is paired when every result before it is known."
    }
    "2015 WCC, Tournament begins" {
        RoundDates "The first round begins on the announced date or after it."
    }
    "2015 WCC, Technical Problems 1 and 3" {
        RoundRevoked "A pairing is revoked only before its round has begun."
    }
    "2015 WCC, Tournament format 2" {
        RoundNeeded "Rounds are played until one player is left."
        RoundPlayers "Everyone plays until they have lost four times."
    }
    "2015 WCC, Tournament format 3" {
        ByeFewest "The bye goes to somebody with the fewest byes."
    }
    "2015 WCC, Tournament format 5, 8 and 9" {
        ByeChoice "The bye: fewest losses, highest rating, best seed."
    }
    "2015 WCC, Tournament format 3-10" {
        PairingBest "No pairing is better by the constraints in their order."
    }
    "2015 WCC, Tournament format 10" {
        PairingOrder "The ranking: losses, performance rating, seed."
    }
    "2015 WCC, Color Assignment" {
        Colour "Six rules in strict priority give the colours."
    }
    "2015 WCC, Tournament format, ties" {
        Continuation "Those level for second get one more life and play on."
    }
    "2015 WCC, Time Controls" {
        TimeControl "Games are played with 2m/6m/100/0/8h/6m."
    }
    "2015 WCC, Tournament format 12" {
        GameRules "Games follow the Match Rules."
    }
    "2015 WCC, Time Controls" {
        GameClock "Clocks follow the time control."
    }
    "2015 WCC, Color Assignment" {
        GamePlayers "A game is played by its pair, with its colours."
    }
    "2015 WCC, Tournament format" {
        ResultPaired "A result belongs to a pairing that stands."
        ResultOnce "A pairing has one result."
    }
    "2015 WCC, Tournament format 12" {
        ResultGame "A result is that of its game."
    }
    "2015 WCC, Technical Problems 5" {
        RulingNumber "Rulings, disputes and appeals are numbered in order, and speak of what the record knows."
        RulingReading "A reading that is ruled is one that the text allows."
    }
    "2015 WCC, Technical Problems 1" {
        RulingFrozen "Nothing of an earlier round changes once a round has started."
    }
    "2015 WCC, Technical Problems 2" {
        RulingHalt "A game under way is halted, unrated, and resumed from a ply."
    }
    "2015 WCC, Technical Problems 3" {
        RulingInvalidate "A finished game is invalidated, unrated, and replayed."
    }
    "2015 WCC, Technical Problems 4 and 5" {
        RulingCause "A listed failure, or one that the director weighs."
    }
    "2015 WCC, Technical Problems 6" {
        RulingClocks "Clocks are restored as they were, as closely as possible."
    }
    "2015 WCC, Technical Problems 2 and 3" {
        RulingResume "The next attempt goes on from that game and ply."
        RulingUnrated "The halted or invalidated game is unrated."
    }
    "2015 WCC, Penalty" {
        Penalty "The penalty is 20 dollars, for a rule of the qualifying phase or a late upload."
    }
    "2015 WCC, Qualifying 3 and Publication" {
        Ban "Bans: two years for faster hardware; following years for limited programs."
    }
    "2015 WCC, Prizes" {
        PrizeShare "The fund is divided by the games; each share goes to a winner."
    }
    "2015 WCC, Qualifying 3" {
        PrizeForfeited "Who qualified on much faster hardware forfeits the prize."
    }
    "2015 WCC, Publication" {
        PrizeReturned "Who submitted a limited program returns the prize."
    }
    "2015 WCC, Prizes" {
        PrizeLeft "What is left of the fund is what came in less what went out."
    }
    "2015 WCC, Tournament format 2" {
        PlaceChampion "The last one left is champion."
    }
    "2015 WCC, Tournament format, ties" {
        PlaceSecond "Second place is played out."
        PlaceThird "Third place goes by games won; ties stand."
    }
    "2015 WCC, Prizes" {
        PlaceTitle "The first is Arimaa World Computer Champion."
    }
    "2015 WCC, Overview" {
        PlaceContenders "The first two compete for the Challenge."
    }
    "2015 WCC, Tournament ends" {
        Closed "After the close the record of play stands."
    }
    "2015 WCC, Tournament format 12" {
        ResultDraw "The Match Rules know no draws."
    }
};

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
