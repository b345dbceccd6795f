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

pub use director::AtWork;
pub use start::beginning;

use crate::errors::CliError;
use crate::home::Home;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Action {
    Announce(Box<announce::Args>),
    Register(Box<register::RegisterArgs>),
    Withdraw(Box<register::WithdrawArgs>),
    Reinstate(Box<register::ReinstateArgs>),
    Ratings(Box<register::RatingsArgs>),
    Program(Box<program::ProgramArgs>),
    Hardware(Box<program::HardwareArgs>),
    Machines(Box<machines::MachinesArgs>),
    Account(Box<machines::AccountArgs>),
    Benchmarks(Box<benchmarks::BenchmarksArgs>),
    QualifyingGame(Box<benchmarks::QualifyingGameArgs>),
    Qualify(Box<qualify::QualifyArgs>),
    Invite(Box<qualify::InviteArgs>),
    Lapse(Box<qualify::LapseArgs>),
    Disqualify(Box<qualify::DisqualifyArgs>),
    DeclareRounds(Box<rounds::DeclareRoundsArgs>),
    DrawLots(Box<rounds::DrawLotsArgs>),
    Pair(Box<rounds::PairArgs>),
    Revoke(Box<rounds::RevokeArgs>),
    ChooseColour(Box<rounds::ChooseColourArgs>),
    Availability(Box<schedule::AvailabilityArgs>),
    Schedule(Box<schedule::ScheduleArgs>),
    Notify(Box<schedule::NotifyArgs>),
    Dates(Box<schedule::DatesArgs>),
    Start(Box<start::Args>),
    Move(Box<moves::Args>),
    Result(Box<result::ResultArgs>),
    Forfeit(Box<result::ForfeitArgs>),
    Rule(Box<ruling::Args>),
    Dispute(Box<disputes::DisputeArgs>),
    Appeal(Box<disputes::AppealArgs>),
    DecideAppeal(Box<disputes::DecideAppealArgs>),
    Penalty(Box<conduct::PenaltyArgs>),
    Ban(Box<conduct::BanArgs>),
    Fee(Box<money::FeeArgs>),
    Contribution(Box<money::ContributionArgs>),
    Refund(Box<money::RefundArgs>),
    Award(Box<money::AwardArgs>),
    ReturnPrize(Box<money::ReturnPrizeArgs>),
    Close(Box<close::Args>),
}

/// Runs the command.
pub fn run(command: Action, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Action::Announce(args) => announce::run(*args, home),
        Action::Register(args) => register::register(*args, home),
        Action::Withdraw(args) => register::withdraw(*args, home),
        Action::Reinstate(args) => register::reinstate(*args, home),
        Action::Ratings(args) => register::ratings(*args, home),
        Action::Program(args) => program::program(*args, home),
        Action::Hardware(args) => program::hardware(*args, home),
        Action::Machines(args) => machines::machines(*args, home),
        Action::Account(args) => machines::account(*args, home),
        Action::Benchmarks(args) => benchmarks::benchmarks(*args, home),
        Action::QualifyingGame(args) => benchmarks::qualifying_game(*args, home),
        Action::Qualify(args) => qualify::qualify(*args, home),
        Action::Invite(args) => qualify::invite(*args, home),
        Action::Lapse(args) => qualify::lapse(*args, home),
        Action::Disqualify(args) => qualify::disqualify(*args, home),
        Action::DeclareRounds(args) => rounds::declare_rounds(*args, home),
        Action::DrawLots(args) => rounds::draw_lots(*args, home),
        Action::Pair(args) => rounds::pair(*args, home),
        Action::Revoke(args) => rounds::revoke(*args, home),
        Action::ChooseColour(args) => rounds::choose_colour(*args, home),
        Action::Availability(args) => schedule::availability(*args, home),
        Action::Schedule(args) => schedule::schedule(*args, home),
        Action::Notify(args) => schedule::notify(*args, home),
        Action::Dates(args) => schedule::dates(*args, home),
        Action::Start(args) => start::run(*args, home),
        Action::Move(args) => moves::run(*args, home),
        Action::Result(args) => result::result(*args, home),
        Action::Forfeit(args) => result::forfeit(*args, home),
        Action::Rule(args) => ruling::run(*args, home),
        Action::Dispute(args) => disputes::dispute(*args, home),
        Action::Appeal(args) => disputes::appeal(*args, home),
        Action::DecideAppeal(args) => disputes::decide_appeal(*args, home),
        Action::Penalty(args) => conduct::penalty(*args, home),
        Action::Ban(args) => conduct::ban(*args, home),
        Action::Fee(args) => money::fee(*args, home),
        Action::Contribution(args) => money::contribution(*args, home),
        Action::Refund(args) => money::refund(*args, home),
        Action::Award(args) => money::award(*args, home),
        Action::ReturnPrize(args) => money::return_prize(*args, home),
        Action::Close(args) => close::run(*args, home),
    }
}
