//! What a director does: every command is decided by the rulebook and appended, or refused.

pub mod announce;
mod benchmarks;
pub mod close;
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

/// Enter players, and record their programs and machines
#[derive(Debug, clap::Subcommand)]
pub enum Entry {
    Add(Box<register::RegisterArgs>),
    Withdraw(Box<register::WithdrawArgs>),
    Reinstate(Box<register::ReinstateArgs>),
    Disqualify(Box<qualify::DisqualifyArgs>),
    Show(Box<super::ask::player::Args>),
    Ratings(Box<register::RatingsArgs>),
    Program(Box<program::ProgramArgs>),
    Hardware(Box<program::HardwareArgs>),
    Machines(Box<machines::MachinesArgs>),
    Account(Box<machines::AccountArgs>),
}

impl Entry {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        match self {
            Entry::Add(args) => register::register(*args, home),
            Entry::Withdraw(args) => register::withdraw(*args, home),
            Entry::Reinstate(args) => register::reinstate(*args, home),
            Entry::Disqualify(args) => qualify::disqualify(*args, home),
            Entry::Show(args) => super::ask::player::run(*args, home),
            Entry::Ratings(args) => register::ratings(*args, home),
            Entry::Program(args) => program::program(*args, home),
            Entry::Hardware(args) => program::hardware(*args, home),
            Entry::Machines(args) => machines::machines(*args, home),
            Entry::Account(args) => machines::account(*args, home),
        }
    }
}

/// Record the qualifier, rank it and invite
#[derive(Debug, clap::Subcommand)]
pub enum Qualifier {
    Benchmarks(Box<benchmarks::BenchmarksArgs>),
    AddGame(Box<benchmarks::QualifyingGameArgs>),
    ImportGames(Box<super::files::qualifying_games::Args>),
    Rank(Box<qualify::QualifyArgs>),
    Invite(Box<qualify::InviteArgs>),
    Lapse(Box<qualify::LapseArgs>),
}

impl Qualifier {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        match self {
            Qualifier::Benchmarks(args) => benchmarks::benchmarks(*args, home),
            Qualifier::AddGame(args) => benchmarks::qualifying_game(*args, home),
            Qualifier::ImportGames(args) => super::files::qualifying_games::run(*args, home),
            Qualifier::Rank(args) => qualify::qualify(*args, home),
            Qualifier::Invite(args) => qualify::invite(*args, home),
            Qualifier::Lapse(args) => qualify::lapse(*args, home),
        }
    }
}

/// Pair rounds and choose colours
#[derive(Debug, clap::Subcommand)]
pub enum Round {
    Declare(Box<rounds::DeclareRoundsArgs>),
    DrawLots(Box<rounds::DrawLotsArgs>),
    Pair(Box<rounds::PairArgs>),
    Revoke(Box<rounds::RevokeArgs>),
    ChooseColour(Box<rounds::ChooseColourArgs>),
    List(Box<super::ask::rounds::Args>),
}

impl Round {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        match self {
            Round::Declare(args) => rounds::declare_rounds(*args, home),
            Round::DrawLots(args) => rounds::draw_lots(*args, home),
            Round::Pair(args) => rounds::pair(*args, home),
            Round::Revoke(args) => rounds::revoke(*args, home),
            Round::ChooseColour(args) => rounds::choose_colour(*args, home),
            Round::List(args) => super::ask::rounds::run(*args, home),
        }
    }
}

/// Fix the times of games and give notice
#[derive(Debug, clap::Subcommand)]
pub enum Schedule {
    Availability(Box<schedule::AvailabilityArgs>),
    Set(Box<schedule::ScheduleArgs>),
    Dates(Box<schedule::DatesArgs>),
    Notify(Box<schedule::NotifyArgs>),
    Notices(Box<super::ask::notices::Args>),
}

impl Schedule {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        match self {
            Schedule::Availability(args) => schedule::availability(*args, home),
            Schedule::Set(args) => schedule::schedule(*args, home),
            Schedule::Dates(args) => schedule::dates(*args, home),
            Schedule::Notify(args) => schedule::notify(*args, home),
            Schedule::Notices(args) => super::ask::notices::run(*args, home),
        }
    }
}

/// Start games and record moves and results
#[derive(Debug, clap::Subcommand)]
pub enum Game {
    Start(Box<start::Args>),
    Move(Box<moves::Args>),
    Result(Box<result::ResultArgs>),
    Forfeit(Box<result::ForfeitArgs>),
}

impl Game {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        match self {
            Game::Start(args) => start::run(*args, home),
            Game::Move(args) => moves::run(*args, home),
            Game::Result(args) => result::result(*args, home),
            Game::Forfeit(args) => result::forfeit(*args, home),
        }
    }
}

/// Give rulings, decide disputes, appeals and penalties
#[derive(Debug, clap::Subcommand)]
pub enum Ruling {
    Give(Box<ruling::Args>),
    List(Box<super::ask::rulings::Args>),
    Dispute(Box<disputes::DisputeArgs>),
    Appeal(Box<disputes::AppealArgs>),
    DecideAppeal(Box<disputes::DecideAppealArgs>),
    Penalty(Box<conduct::PenaltyArgs>),
    Ban(Box<conduct::BanArgs>),
}

impl Ruling {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        match self {
            Ruling::Give(args) => ruling::run(*args, home),
            Ruling::List(args) => super::ask::rulings::run(*args, home),
            Ruling::Dispute(args) => disputes::dispute(*args, home),
            Ruling::Appeal(args) => disputes::appeal(*args, home),
            Ruling::DecideAppeal(args) => disputes::decide_appeal(*args, home),
            Ruling::Penalty(args) => conduct::penalty(*args, home),
            Ruling::Ban(args) => conduct::ban(*args, home),
        }
    }
}

/// Record fees, contributions and prizes
#[derive(Debug, clap::Subcommand)]
pub enum Fund {
    Fee(Box<money::FeeArgs>),
    Contribution(Box<money::ContributionArgs>),
    Refund(Box<money::RefundArgs>),
    Award(Box<money::AwardArgs>),
    Return(Box<money::ReturnPrizeArgs>),
}

impl Fund {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        match self {
            Fund::Fee(args) => money::fee(*args, home),
            Fund::Contribution(args) => money::contribution(*args, home),
            Fund::Refund(args) => money::refund(*args, home),
            Fund::Award(args) => money::award(*args, home),
            Fund::Return(args) => money::return_prize(*args, home),
        }
    }
}
