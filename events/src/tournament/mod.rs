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
        /// The tournament was announced; the first event of every tournament.
        Announced(Announced) = "announced",
        /// Dates were moved.
        ScheduleChanged(ScheduleChanged) = "schedule_changed",
        /// The number of rounds of a stage was fixed.
        RoundsDeclared(RoundsDeclared) = "rounds_declared",
        /// A player entered the tournament.
        PlayerRegistered(PlayerRegistered) = "player_registered",
        /// Ratings were taken from the gameroom.
        RatingsRecorded(RatingsRecorded) = "ratings_recorded",
        /// A player left, or was removed.
        PlayerWithdrawn(PlayerWithdrawn) = "player_withdrawn",
        /// A player who had left plays again.
        PlayerReinstated(PlayerReinstated) = "player_reinstated",
        /// A player paid a fee.
        FeeRecorded(FeeRecorded) = "fee_recorded",
        /// A contribution to the prize fund was recorded.
        ContributionRecorded(ContributionRecorded) = "contribution_recorded",
        /// A fee was paid back.
        RefundRecorded(RefundRecorded) = "refund_recorded",
        /// A penalty was imposed.
        PenaltyRecorded(PenaltyRecorded) = "penalty_recorded",
        /// A player paid a penalty.
        PenaltyPaid(PenaltyPaid) = "penalty_paid",
        /// A player or developer was banned from coming tournaments.
        BanRecorded(BanRecorded) = "ban_recorded",
        BanLifted(BanLifted) = "ban_lifted",
        /// The times at which a player can play were recorded.
        AvailabilityGiven(AvailabilityGiven) = "availability_given",
        /// The time of a game was fixed.
        GameScheduled(GameScheduled) = "game_scheduled",
        /// The director gave a notice.
        NoticeGiven(NoticeGiven) = "notice_given",
        /// The hardware of the tournament, or the limit for the players', was specified.
        HardwareSpecified(HardwareSpecified) = "hardware_specified",
        /// The machine of last year's challenge match was recorded.
        ReferenceHardwareRecorded(ReferenceHardwareRecorded) = "reference_hardware_recorded",
        /// Programs of a round were given their computers.
        MachinesAssigned(MachinesAssigned) = "machines_assigned",
        /// A developer was given an account on the tournament's computers.
        AccountGiven(AccountGiven) = "account_given",
        /// An account on the tournament's computers was withdrawn.
        AccountWithdrawn(AccountWithdrawn) = "account_withdrawn",
        /// A program was made public.
        ProgramPublished(ProgramPublished) = "program_published",
        /// A player declared the hardware on which their program runs.
        HardwareDeclared(HardwareDeclared) = "hardware_declared",
        /// A player handed in a program.
        ProgramSubmitted(ProgramSubmitted) = "program_submitted",
        /// A program was tested by the organiser.
        ProgramTested(ProgramTested) = "program_tested",
        /// A program changed between two rounds.
        ProgramUpdated(ProgramUpdated) = "program_updated",
        /// An earlier version plays in a program's place.
        ProgramSubstituted(ProgramSubstituted) = "program_substituted",
        /// The stable of benchmark players was declared.
        BenchmarksDeclared(BenchmarksDeclared) = "benchmarks_declared",
        /// A game of the qualifier was played.
        QualifyingGamePlayed(QualifyingGamePlayed) = "qualifying_game_played",
        /// The order of a stage was published, and who advances.
        Qualified(Qualified) = "qualified",
        /// The next in the order was invited.
        Invited(Invited) = "invited",
        /// An invitation lapsed.
        InvitationLapsed(InvitationLapsed) = "invitation_lapsed",
        /// A player was disqualified.
        Disqualified(Disqualified) = "disqualified",
        /// Lots were drawn for a round.
        LotsDrawn(LotsDrawn) = "lots_drawn",
        /// The pairs, byes and colours of a round were published.
        RoundPaired(RoundPaired) = "round_paired",
        /// A round's pairing, or one pair of it, was revoked.
        PairingRevoked(PairingRevoked) = "pairing_revoked",
        /// The colours of a pair were drawn by lot.
        ColourDrawn(ColourDrawn) = "colour_drawn",
        /// The colours of a pair were chosen by a player.
        ColourChosen(ColourChosen) = "colour_chosen",
        /// The first game of a round began.
        RoundStarted(RoundStarted) = "round_started",
        /// A game was attached to a pairing.
        GameAttached(GameAttached) = "game_attached",
        /// A pairing has its result.
        ResultRecorded(ResultRecorded) = "result_recorded",
        /// A player claimed a game by forfeit.
        ForfeitClaimed(ForfeitClaimed) = "forfeit_claimed",
        /// A player disputed something.
        DisputeFiled(DisputeFiled) = "dispute_filed",
        /// The director gave a ruling.
        RulingGiven(RulingGiven) = "ruling_given",
        /// A player appealed.
        AppealFiled(AppealFiled) = "appeal_filed",
        AppealDecided(AppealDecided) = "appeal_decided",
        /// The totals of games that the log does not hold were published.
        TablePublished(TablePublished) = "table_published",
        /// A player was awarded a prize.
        PrizeAwarded(PrizeAwarded) = "prize_awarded",
        PrizeForfeited(PrizeForfeited) = "prize_forfeited",
        /// A prize was given back.
        PrizeReturned(PrizeReturned) = "prize_returned",
        /// The tournament is over; its final order is fixed.
        Closed(Closed) = "closed",
    }
}
