//! What a director does: every command is decided by the rulebook and appended, or refused.

mod announce;
mod benchmarks;
mod close;
mod conduct;
mod director;
mod disputes;
mod machines;
mod money;
mod moves;
mod program;
mod qualify;
mod register;
mod result;
mod rounds;
mod ruling;
mod schedule;
mod start;

use std::process::ExitCode;

use director::ByDirector;
pub use director::{direct, session_now};

use crate::errors::CliError;
use crate::home::Home;

macro_rules! actions {
    ($($name:ident($args:ty)),* $(,)?) => {
        #[derive(Debug, clap::Subcommand)]
        pub enum Action {
            $($name(Box<$args>),)*
        }

        pub fn run(command: Action, home: &Home) -> Result<ExitCode, CliError> {
            match command {
                $(Action::$name(args) => args.run(home),)*
            }
        }
    };
}

actions! {
    Announce(announce::Args),
    Register(ByDirector<register::RegisterArgs>),
    Withdraw(ByDirector<register::WithdrawArgs>),
    Reinstate(ByDirector<register::ReinstateArgs>),
    Ratings(ByDirector<register::RatingsArgs>),
    Program(ByDirector<program::ProgramArgs>),
    Hardware(ByDirector<program::HardwareArgs>),
    Machines(ByDirector<machines::MachinesArgs>),
    Account(ByDirector<machines::AccountArgs>),
    Benchmarks(ByDirector<benchmarks::BenchmarksArgs>),
    QualifyingGame(ByDirector<benchmarks::QualifyingGameArgs>),
    Qualify(ByDirector<qualify::QualifyArgs>),
    Invite(ByDirector<qualify::InviteArgs>),
    Lapse(ByDirector<qualify::LapseArgs>),
    Disqualify(ByDirector<qualify::DisqualifyArgs>),
    DeclareRounds(ByDirector<rounds::DeclareRoundsArgs>),
    DrawLots(ByDirector<rounds::DrawLotsArgs>),
    Pair(ByDirector<rounds::PairArgs>),
    Revoke(ByDirector<rounds::RevokeArgs>),
    ChooseColour(ByDirector<rounds::ChooseColourArgs>),
    Availability(ByDirector<schedule::AvailabilityArgs>),
    Schedule(ByDirector<schedule::ScheduleArgs>),
    Notify(ByDirector<schedule::NotifyArgs>),
    Dates(ByDirector<schedule::DatesArgs>),
    Start(ByDirector<start::Args>),
    Move(ByDirector<moves::Args>),
    Result(ByDirector<result::ResultArgs>),
    Forfeit(ByDirector<result::ForfeitArgs>),
    Rule(ByDirector<ruling::Args>),
    Dispute(ByDirector<disputes::DisputeArgs>),
    Appeal(ByDirector<disputes::AppealArgs>),
    DecideAppeal(ByDirector<disputes::DecideAppealArgs>),
    Penalty(ByDirector<conduct::PenaltyArgs>),
    Ban(ByDirector<conduct::BanArgs>),
    Fee(ByDirector<money::FeeArgs>),
    Contribution(ByDirector<money::ContributionArgs>),
    Refund(ByDirector<money::RefundArgs>),
    Award(ByDirector<money::AwardArgs>),
    ReturnPrize(ByDirector<money::ReturnPrizeArgs>),
    Close(ByDirector<close::Args>),
}
