//! The 2015 Computer Championship: programs, a qualifier against benchmarks, a floating quadruple elimination
//! with a continuation for second place.

use annals_events::tournament::{Fees, Milestone, Stage};
use annals_events::{GameKind, Micros, PlayerKind};

use super::value::{Format, Prizes, Rule, Rulebook, StageRules, eastern};
use crate::formats::elimination::Rules;
use crate::state::calendar::{DAY, HOUR};

const RULES: &[Rule] = rules! {
    "2015 WCC":
    AnnouncementFirst "Overview" "A tournament is announced once, before anything else."
    AnnouncementRulebook "Overview" "The announcement names this rulebook in this edition."
    AnnouncementReadings "Overview" "The announcement records how every ambiguous text is read."
    AnnouncementTerms "Time Controls and Registration" "The announced terms are those of the rulebook."
    AnnouncementSchedule "Qualifying period" "What opens opens before it closes, and no date moves once used."
    RegistrationKnown "Registration" "Whatever concerns a player concerns one who entered."
    RegistrationStanding "Registration" "Who is in can leave, and who is out can come back, once each."
    EligibilityKind "Overview" "Only programs take part."
    RegistrationWindow "Registration" "Entries are made between the two announced dates."
    RegistrationOnce "Registration" "A program enters once."
    RegistrationOnePerDeveloper "Registration" "A developer or a team enters one program."
    RegistrationFee "Registration" "The fee of 10 dollars goes into the prize fund."
    RegistrationBan "Qualifying 3" "No player enters while a ban is in force."
    QualifierBenchmarks "Qualifying 1" "The qualifier is played against declared benchmarks."
    QualifierConduct "Penalty" "No player breaks a rule of the qualifying phase."
    QualifierGame "Qualifying 4" "A qualifying game is recorded once, as it was played."
    QualifierWindow "Qualifying period" "Games start and finish within the period."
    QualifierScore "Qualifying 4" "Points, games that count, and the streaks make the score."
    QualifierOrder "Qualifying 5" "Points, losses before the streaks, and completion make the order."
    QualifierUnplayed "Qualifying 7" "Who has no counted game ranks below, by rating."
    QualifierHardware "Qualifying 3" "Qualifying hardware is at most about five times as fast."
    FieldPlaces "Overview" "The first eight of the qualifier play the final."
    FieldSeeds "Tournament format 1" "Seeds are the places in the qualifier, without gaps."
    InvitationNext "Program Submission" "The next in the order of the qualifier is invited."
    InvitationDays "Program Submission" "An invited program has six days."
    InvitationFee "Program Submission" "An invited developer risks no fee."
    InvitationVacancy "Program Submission" "An invitation fills a place that fell vacant."
    InvitationLapsed "Program Submission"
        "An invitation lapses for one who was invited and has no program in the final."
    ProgramDeadline "Program Submission" "A qualified program is uploaded by the deadline, or out."
    ProgramTested "Program Submission" "A program is tested, then access is closed."
    ProgramStandIn "Program Submission" "A program of an earlier year stands in for an invited one."
    ProgramFrozen "Program Submission" "A submitted program is not changed by hand."
    ProgramRun "Program Submission" "An automated change runs between rounds, four hours at most."
    ProgramUnlimited "Publication" "A submitted program is not limited in any manner."
    HardwareLimit "Hardware and OS" "The machine can be bought for 1,000 dollars."
    DisqualificationCause "Program Submission" "A disqualification has a cause that the record supports."
    RoundOrder "Tournament format 2" "A round is paired when every result before it is known."
    RoundDates "Tournament begins" "The first round begins on the announced date or after it."
    RoundRevoked "Technical Problems 1 and 3" "A pairing is revoked only before its round has begun."
    RoundNeeded "Tournament format 2" "Rounds are played until one player is left."
    RoundPlayers "Tournament format 2" "Everyone plays until they have lost four times."
    ByeFewest "Tournament format 3" "The bye goes to a player with the fewest byes."
    ByeChoice "Tournament format 5, 8 and 9" "The bye: fewest losses, highest rating, best seed."
    PairingBest "Tournament format 3-10" "No pairing is better by the constraints in their order."
    PairingOrder "Tournament format 10" "The ranking: losses, performance rating, seed."
    Colour "Color Assignment" "Six rules in strict priority give the colours."
    Continuation "Tournament format, ties" "Those level for second get one more life and play on."
    TimeControl "Time Controls" "Games are played with 2m/6m/100/0/8h/6m."
    GameRules "Tournament format 12" "Games follow the Match Rules."
    GameClock "Time Controls" "Clocks follow the time control."
    GamePlayers "Color Assignment" "A game is played by its pair, with its colours."
    ResultPaired "Tournament format" "A result belongs to a pairing in force."
    ResultOnce "Tournament format" "A pairing has one result."
    ResultGame "Tournament format 12" "A result is that of its game."
    RulingNumber "Technical Problems 5"
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows."
    RulingReading "Technical Problems 5" "A reading that is ruled is one that the text allows."
    RulingFrozen "Technical Problems 1" "Nothing of an earlier round changes once a round has started."
    RulingHalt "Technical Problems 2" "A game under way is halted, unrated, and resumed from a ply."
    RulingInvalidate "Technical Problems 3" "A finished game is invalidated, unrated, and replayed."
    RulingCause "Technical Problems 4 and 5" "A listed failure, or one that the director weighs."
    RulingClocks "Technical Problems 6" "Clocks are restored as they were, as closely as possible."
    RulingResume "Technical Problems 2 and 3" "The next attempt goes on from that game and ply."
    RulingUnrated "Technical Problems 2 and 3" "The halted or invalidated game is unrated."
    Penalty "Penalty" "The penalty is 20 dollars, for a rule of the qualifying phase or a late upload."
    Ban "Qualifying 3 and Publication"
        "Bans: two years for faster hardware; following years for limited programs."
    PrizeShare "Prizes" "The fund is divided by the games; each share goes to a winner."
    PrizeForfeited "Qualifying 3" "Who qualified on much faster hardware forfeits the prize."
    PrizeReturned "Publication" "Who submitted a limited program returns the prize."
    PrizeLeft "Prizes" "What is left of the fund is what came in less what went out."
    PlaceChampion "Tournament format 2" "The last one left is champion."
    PlaceSecond "Tournament format, ties" "Second place is played out."
    PlaceThird "Tournament format, ties" "Third place goes by games won; ties remain."
    PlaceTitle "Prizes" "The first is Arimaa World Computer Champion."
    PlaceContenders "Overview" "The first two compete for the Challenge."
    Closed "Tournament ends" "After the close the record of play is final."
    ResultDraw "Tournament format 12" "The Match Rules know no draws."
};

const PUBLISHED: &[(Milestone, Micros)] = &[
    (Milestone::RegistrationOpens, eastern(2014, 12, 1, 19)),
    (Milestone::RegistrationCloses, eastern(2014, 12, 31, 19)),
    (Milestone::QualifyingOpens, eastern(2015, 1, 1, 19)),
    (Milestone::QualifyingCloses, eastern(2015, 2, 1, 19)),
    (Milestone::QualifiersNamed, eastern(2015, 2, 1, 24)),
    (Milestone::AccountsGiven, eastern(2015, 2, 8, 24)),
    (Milestone::ProgramsDue, eastern(2015, 2, 22, 19)),
    (Milestone::TestsDue, eastern(2015, 2, 28, 24)),
    (Milestone::PlayBegins, eastern(2015, 3, 1, 0)),
    (Milestone::PlayEnds, eastern(2015, 3, 15, 24)),
];

const SINCE_EDITION_2: &[Rule] = rules! {
    "2015 WCC":
    GameLimit "Time Controls" "A game that reaches its limit ends by score at that instant."
    QualifierNamed "Top 8 qualifying bots determined" "The order of the qualifier is published by the announced date."
    PlayEnds "Tournament ends" "Games begin before the announced end of play."
    AccountGiven "Program Submission" "Developers of the first eight, and invited ones, get an account in time."
    AccountWithdrawn "Programs tested by organizer" "An account is withdrawn once the program has passed its test."
    ProgramStandInTime "Program Submission" "No earlier program stands in before the days of the invited one are over."
    ProgramPublished "Publication" "Programs of the final are made public after the challenge match."
    HardwareReference "Qualifying 3" "Qualifying machines are compared with that of the previous year's challenge match."
    HardwareSpecified "Hardware and OS" "The machine and its system are specified before the tournament begins."
    HardwareSame "Tournament format" "Both computers of a pairing have the same hardware and system."
    RegistrationUnlimited "Publication" "Who submitted a limited program enters in no following year."
};

pub(super) fn rulebook(edition: u32) -> Rulebook {
    let title = "The 2015 Arimaa World Computer Championship";
    let time_control = Some("2m/6m/100/0/8h/6m");
    let qualifier = Format::Qualifier { games_per_benchmark: 20, points_per_benchmark: 4 };
    let elimination = Format::Elimination(Rules::championship_2015());
    Rulebook {
        stages: vec![
            StageRules { places: Some(8), ..StageRules::of(Stage::Qualifier, qualifier) },
            StageRules { time_control, ..StageRules::of(Stage::Final, elimination) },
            StageRules {
                time_control,
                if_needed: true,
                ..StageRules::of(Stage::Continuation, Format::Continuation)
            },
        ],
        fees: Some(Fees { registration: 1_000, refundable: 0, penalty: 2_000 }),
        currency: Some("USD"),
        series: Some("arimaa-wcc"),
        title_won: Some("Arimaa World Computer Champion"),
        contenders: 2,
        prizes: Prizes::PerGameWon,
        invitation: Some(6 * DAY),
        program_run: Some(4 * HOUR),
        hardware_price: Some(100_000),
        hardware_speed: Some(5_000),
        ban_years: Some(2),
        published: PUBLISHED,
        ambiguous: &[
            "T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T20", "T21", "T22", "T23", "T24", "T25",
            "T26", "T27", "T31", "T36", "T37", "T38", "T39", "T40", "T41", "T45", "T46", "T48",
            "arbitrary_colour",
        ],
        ..Rulebook::plain(
            "wcc-2015",
            edition,
            title,
            GameKind::Arimaa,
            &[PlayerKind::Bot],
            &[RULES, SINCE_EDITION_2],
        )
    }
}
