//! The tournament family: facts and published decisions of one tournament in the stream `tournament/NAME`. Decisions (a
//! pairing, a colour, an order) are stored with their stated grounds even if the rules imply them, so that an audit can
//! compare.
//!
//! Amounts are whole cents of the tournament's currency, points are halves, rounds and boards count from 1, rounds
//! through all stages.

pub mod announcement;
pub mod conduct;
pub mod disputes;
pub mod grounds;
pub mod ledger;
pub mod programs;
pub mod published;
pub mod qualifier;
pub mod registration;
pub mod results;
pub mod rounds;
pub mod rulings;
pub mod schedule;

pub use announcement::{
    Announced, Closed, Deadline, Fees, Milestone, Placing, RoundsDeclared, ScheduleChanged, Stage, StagePlan,
};
pub use conduct::{BanLifted, BanRecorded, PenaltyPaid, PenaltyRecorded};
pub use disputes::{AppealDecided, AppealFiled, DisputeFiled};
pub use grounds::{Draw, Evidence, Ground, Measure};
pub use ledger::{
    ContributionRecorded, FeeRecorded, PrizeAwarded, PrizeForfeited, PrizeReturned, RefundRecorded,
};
pub use programs::{
    AccountGiven, AccountWithdrawn, Computer, HardwareDeclared, HardwareSpecified, Machine, MachinesAssigned,
    ProgramDigest, ProgramPublished, ProgramSubmitted, ProgramSubstituted, ProgramTested, ProgramUpdated,
    ReferenceHardwareRecorded,
};
pub use published::{PublishedRow, TablePublished};
pub use qualifier::{Benchmark, BenchmarksDeclared, Qualified, QualifyingGamePlayed, QualifyingRank};
pub use registration::{
    Disqualification, Disqualified, InvitationLapsed, Invited, PlayerRating, PlayerRegistered,
    PlayerReinstated, PlayerWithdrawn, RatingsRecorded, Withdrawal,
};
pub use results::{ForfeitClaimed, GameAttached, Outcome, ResultRecorded};
pub use rounds::{
    Bye, ColourChosen, ColourDrawn, Equals, Lot, LotsDrawn, Pair, PairingRevoked, Ranked, RoundPaired,
    RoundStarted,
};
pub use rulings::{Clocks, Effect, Failure, RulingGiven};
pub use schedule::{AvailabilityGiven, GameScheduled, Notice, NoticeGiven, Slot};

use crate::family::family;

family! {
    pub enum TournamentEvent: "tournament" {
        /// The first event of every tournament.
        Announced(Announced) = "announced",
        ScheduleChanged(ScheduleChanged) = "schedule_changed",
        RoundsDeclared(RoundsDeclared) = "rounds_declared",
        /// A player entered the tournament.
        PlayerRegistered(PlayerRegistered) = "player_registered",
        /// From the gameroom.
        RatingsRecorded(RatingsRecorded) = "ratings_recorded",
        PlayerWithdrawn(PlayerWithdrawn) = "player_withdrawn",
        PlayerReinstated(PlayerReinstated) = "player_reinstated",
        /// A player paid a fee.
        FeeRecorded(FeeRecorded) = "fee_recorded",
        ContributionRecorded(ContributionRecorded) = "contribution_recorded",
        RefundRecorded(RefundRecorded) = "refund_recorded",
        PenaltyRecorded(PenaltyRecorded) = "penalty_recorded",
        /// A player paid a penalty.
        PenaltyPaid(PenaltyPaid) = "penalty_paid",
        BanRecorded(BanRecorded) = "ban_recorded",
        BanLifted(BanLifted) = "ban_lifted",
        AvailabilityGiven(AvailabilityGiven) = "availability_given",
        GameScheduled(GameScheduled) = "game_scheduled",
        /// The director gave a notice.
        NoticeGiven(NoticeGiven) = "notice_given",
        HardwareSpecified(HardwareSpecified) = "hardware_specified",
        ReferenceHardwareRecorded(ReferenceHardwareRecorded) = "reference_hardware_recorded",
        MachinesAssigned(MachinesAssigned) = "machines_assigned",
        AccountGiven(AccountGiven) = "account_given",
        AccountWithdrawn(AccountWithdrawn) = "account_withdrawn",
        ProgramPublished(ProgramPublished) = "program_published",
        HardwareDeclared(HardwareDeclared) = "hardware_declared",
        /// A player handed in a program.
        ProgramSubmitted(ProgramSubmitted) = "program_submitted",
        ProgramTested(ProgramTested) = "program_tested",
        ProgramUpdated(ProgramUpdated) = "program_updated",
        /// An earlier version plays instead.
        ProgramSubstituted(ProgramSubstituted) = "program_substituted",
        BenchmarksDeclared(BenchmarksDeclared) = "benchmarks_declared",
        QualifyingGamePlayed(QualifyingGamePlayed) = "qualifying_game_played",
        /// The order of a stage, and who advances.
        Qualified(Qualified) = "qualified",
        Invited(Invited) = "invited",
        /// An invitation lapsed.
        InvitationLapsed(InvitationLapsed) = "invitation_lapsed",
        /// A player was disqualified.
        Disqualified(Disqualified) = "disqualified",
        LotsDrawn(LotsDrawn) = "lots_drawn",
        /// The pairs, byes and colours of a round were published.
        RoundPaired(RoundPaired) = "round_paired",
        PairingRevoked(PairingRevoked) = "pairing_revoked",
        ColourDrawn(ColourDrawn) = "colour_drawn",
        ColourChosen(ColourChosen) = "colour_chosen",
        /// By its first game.
        RoundStarted(RoundStarted) = "round_started",
        GameAttached(GameAttached) = "game_attached",
        ResultRecorded(ResultRecorded) = "result_recorded",
        ForfeitClaimed(ForfeitClaimed) = "forfeit_claimed",
        DisputeFiled(DisputeFiled) = "dispute_filed",
        /// The director gave a ruling.
        RulingGiven(RulingGiven) = "ruling_given",
        AppealFiled(AppealFiled) = "appeal_filed",
        AppealDecided(AppealDecided) = "appeal_decided",
        /// Totals of games that the log does not contain.
        TablePublished(TablePublished) = "table_published",
        /// A player was awarded a prize.
        PrizeAwarded(PrizeAwarded) = "prize_awarded",
        PrizeForfeited(PrizeForfeited) = "prize_forfeited",
        PrizeReturned(PrizeReturned) = "prize_returned",
        /// With the final order.
        Closed(Closed) = "closed",
    }
}
