//! The names of all rules as a type, so that misspelt names do not compile.

use annals_events::PlayerKind;
use annals_events::tournament::Disqualification;
use serde::{Serialize, Serializer};

macro_rules! rule_ids {
    ($($id:ident $name:literal)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum RuleId { $($id),* }

        impl RuleId {
            /// The dotted name in events, reports and `--rule`, such as `registration.window`.
            pub const fn name(self) -> &'static str {
                match self { $(RuleId::$id => $name),* }
            }
        }
    };
}

rule_ids! {
    AccountGiven "account.given"
    AccountWithdrawn "account.withdrawn"
    AnnouncementFirst "announcement.first"
    AnnouncementReadings "announcement.readings"
    AnnouncementRulebook "announcement.rulebook"
    AnnouncementSchedule "announcement.schedule"
    AnnouncementTerms "announcement.terms"
    AvailabilityWindow "availability.window"
    Ban "ban"
    ByeChoice "bye.choice"
    ByeFewest "bye.fewest"
    Closed "closed"
    Colour "colour"
    Continuation "continuation"
    DisputeEvidence "dispute.evidence"
    DisqualificationCause "disqualification.cause"
    EligibilityKind "eligibility.kind"
    EncounterBye "encounter.bye"
    EncounterColour "encounter.colour"
    EncounterFormat "encounter.format"
    EncounterGames "encounter.games"
    EncounterPairing "encounter.pairing"
    FieldPlaces "field.places"
    FieldSeeds "field.seeds"
    ForfeitClaim "forfeit.claim"
    ForfeitNoRematch "forfeit.no_rematch"
    ForfeitRemoved "forfeit.removed"
    GameClock "game.clock"
    GameLimit "game.limit"
    GameNoAdjournment "game.no_adjournment"
    GameNoTakeBack "game.no_take_back"
    GamePlayers "game.players"
    GamePostal "game.postal"
    GameRated "game.rated"
    GameRetraction "game.retraction"
    GameRules "game.rules"
    GroundCited "ground.cited"
    GameScore "game.score"
    GameUninterrupted "game.uninterrupted"
    HardwareDeclared "hardware.declared"
    HardwareLimit "hardware.limit"
    HardwareReference "hardware.reference"
    HardwareSame "hardware.same"
    HardwareSingle "hardware.single"
    HardwareSpecified "hardware.specified"
    HardwareUnchanged "hardware.unchanged"
    HumanDiscussion "human.discussion"
    HumanImitation "human.imitation"
    HumanProgram "human.program"
    InvitationDays "invitation.days"
    InvitationFee "invitation.fee"
    InvitationLapsed "invitation.lapsed"
    InvitationNext "invitation.next"
    InvitationVacancy "invitation.vacancy"
    NoticeGameTime "notice.game_time"
    NoticePairing "notice.pairing"
    PairingBest "pairing.best"
    PairingOrder "pairing.order"
    Penalty "penalty"
    PlaceChampion "place.champion"
    PlaceContenders "place.contenders"
    PlaceOrder "place.order"
    PlaceSecond "place.second"
    PlaceThird "place.third"
    PlaceTitle "place.title"
    PlayEnds "play.ends"
    PlayoffColour "playoff.colour"
    PlayoffPair "playoff.pair"
    PrizeForfeited "prize.forfeited"
    PrizeGift "prize.gift"
    PrizeLeft "prize.left"
    PrizeReturned "prize.returned"
    PrizeShare "prize.share"
    ProgramDeadline "program.deadline"
    ProgramFrozen "program.frozen"
    ProgramPublished "program.published"
    ProgramRun "program.run"
    ProgramStandIn "program.stand_in"
    ProgramStandInTime "program.stand_in_time"
    ProgramTested "program.tested"
    ProgramUnlimited "program.unlimited"
    QualifierBenchmarks "qualifier.benchmarks"
    QualifierConduct "qualifier.conduct"
    QualifierGame "qualifier.game"
    QualifierHardware "qualifier.hardware"
    QualifierNamed "qualifier.named"
    QualifierOrder "qualifier.order"
    QualifierScore "qualifier.score"
    QualifierUnplayed "qualifier.unplayed"
    QualifierWindow "qualifier.window"
    RefundDue "refund.due"
    RegistrationBan "registration.ban"
    RegistrationFee "registration.fee"
    RegistrationKnown "registration.known"
    RegistrationOnce "registration.once"
    RegistrationOnePerDeveloper "registration.one_per_developer"
    RegistrationStanding "registration.standing"
    RegistrationUnlimited "registration.unlimited"
    RegistrationWindow "registration.window"
    ResultDraw "result.draw"
    ResultGame "result.game"
    ResultOnce "result.once"
    ResultPaired "result.paired"
    RingColour "ring.colour"
    RingOrder "ring.order"
    RingPairing "ring.pairing"
    RoundDates "round.dates"
    RoundNeeded "round.needed"
    RoundOrder "round.order"
    RoundPlayers "round.players"
    RoundRevoked "round.revoked"
    RoundWeekly "round.weekly"
    RulingCause "ruling.cause"
    RulingClocks "ruling.clocks"
    RulingFinal "ruling.final"
    RulingFrozen "ruling.frozen"
    RulingHalt "ruling.halt"
    RulingInvalidate "ruling.invalidate"
    RulingNumber "ruling.number"
    RulingReading "ruling.reading"
    RulingRematch "ruling.rematch"
    RulingResume "ruling.resume"
    RulingUnrated "ruling.unrated"
    ScheduleBegin "schedule.begin"
    ScheduleFixed "schedule.fixed"
    ScheduleSlot "schedule.slot"
    ScheduleWindow "schedule.window"
    SwissBye "swiss.bye"
    SwissColour "swiss.colour"
    SwissDeclared "swiss.declared"
    SwissLots "swiss.lots"
    SwissOrder "swiss.order"
    SwissPairing "swiss.pairing"
    SwissRounds "swiss.rounds"
    TablePublished "table.published"
    Territory "territory"
    TimeControl "time_control"
}

impl RuleId {
    pub(crate) const fn broken_by(cause: Disqualification) -> RuleId {
        match cause {
            Disqualification::NotUploaded => RuleId::ProgramDeadline,
            Disqualification::QualifyingRules => RuleId::QualifierConduct,
            Disqualification::FasterHardware => RuleId::QualifierHardware,
            Disqualification::ProgramChanged => RuleId::ProgramFrozen,
            Disqualification::HardwareChanged => RuleId::HardwareUnchanged,
            Disqualification::LimitedProgram => RuleId::ProgramUnlimited,
            Disqualification::OutsideHelp | Disqualification::Other => RuleId::DisqualificationCause,
        }
    }

    /// The only kind of players that it binds (2006 Postal, Special Rules).
    pub const fn binds(self) -> Option<PlayerKind> {
        match self {
            RuleId::HumanDiscussion | RuleId::HumanImitation | RuleId::HumanProgram => {
                Some(PlayerKind::Human)
            }
            RuleId::HardwareDeclared
            | RuleId::HardwareLimit
            | RuleId::HardwareSingle
            | RuleId::HardwareUnchanged
            | RuleId::ProgramFrozen => Some(PlayerKind::Bot),
            _ => None,
        }
    }

    /// Whether it is of the qualifying phase (2015 WCC, Qualifying).
    pub const fn is_of_the_qualifier(self) -> bool {
        matches!(
            self,
            RuleId::QualifierBenchmarks
                | RuleId::QualifierConduct
                | RuleId::QualifierGame
                | RuleId::QualifierHardware
                | RuleId::QualifierOrder
                | RuleId::QualifierScore
                | RuleId::QualifierUnplayed
                | RuleId::QualifierWindow
        )
    }
}

impl Serialize for RuleId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl std::fmt::Display for RuleId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
