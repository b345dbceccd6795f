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

pub use director::ByDirector;
pub use director::session_now;

use super::ask::{About, questions};
use super::files::qualifying_games;
use crate::errors::CliError;
use crate::home::Home;

/// A group of commands, each of which has a method `run`.
macro_rules! groups {
    ($($(#[$docs:meta])* $group:ident { $($name:ident($args:ty),)* })*) => {$(
        $(#[$docs])*
        #[derive(Debug, clap::Subcommand)]
        pub enum $group {
            $($name(Box<$args>),)*
        }

        impl $group {
            pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
                match self {
                    $($group::$name(args) => args.run(home),)*
                }
            }
        }
    )*};
}

groups! {
    /// Enter players, and record their programs and machines
    Entry {
        Add(ByDirector<register::RegisterArgs>),
        Withdraw(ByDirector<register::WithdrawArgs>),
        Reinstate(ByDirector<register::ReinstateArgs>),
        Disqualify(ByDirector<qualify::DisqualifyArgs>),
        Show(About<questions::Player>),
        Ratings(ByDirector<register::RatingsArgs>),
        Program(ByDirector<program::ProgramArgs>),
        Hardware(ByDirector<program::HardwareArgs>),
        Machines(ByDirector<machines::MachinesArgs>),
        Account(ByDirector<machines::AccountArgs>),
    }

    /// Record the qualifier, rank it and invite
    Qualifier {
        Benchmarks(ByDirector<benchmarks::BenchmarksArgs>),
        AddGame(ByDirector<benchmarks::QualifyingGameArgs>),
        ImportGames(qualifying_games::Args),
        Rank(ByDirector<qualify::QualifyArgs>),
        Invite(ByDirector<qualify::InviteArgs>),
        Lapse(ByDirector<qualify::LapseArgs>),
    }

    /// Pair rounds and choose colours
    Round {
        Declare(ByDirector<rounds::DeclareRoundsArgs>),
        DrawLots(ByDirector<rounds::DrawLotsArgs>),
        Pair(ByDirector<rounds::PairArgs>),
        Revoke(ByDirector<rounds::RevokeArgs>),
        ChooseColour(ByDirector<rounds::ChooseColourArgs>),
        List(About<questions::Rounds>),
    }

    /// Fix the times of games and give notice
    Schedule {
        Availability(ByDirector<schedule::AvailabilityArgs>),
        Set(ByDirector<schedule::ScheduleArgs>),
        Dates(ByDirector<schedule::DatesArgs>),
        Notify(ByDirector<schedule::NotifyArgs>),
        Notices(About<questions::Notices>),
    }

    /// Start games, record moves and results
    Game {
        Start(ByDirector<start::Args>),
        Move(ByDirector<moves::Args>),
        Result(ByDirector<result::ResultArgs>),
        Forfeit(ByDirector<result::ForfeitArgs>),
    }

    /// Give rulings, decide disputes, appeals and penalties
    Ruling {
        Give(ByDirector<ruling::Args>),
        List(About<questions::Rulings>),
        Dispute(ByDirector<disputes::DisputeArgs>),
        Appeal(ByDirector<disputes::AppealArgs>),
        DecideAppeal(ByDirector<disputes::DecideAppealArgs>),
        Penalty(ByDirector<conduct::PenaltyArgs>),
        Ban(ByDirector<conduct::BanArgs>),
    }

    /// Record fees, contributions and prizes
    Fund {
        Fee(ByDirector<money::FeeArgs>),
        Contribution(ByDirector<money::ContributionArgs>),
        Refund(ByDirector<money::RefundArgs>),
        Award(ByDirector<money::AwardArgs>),
        Return(ByDirector<money::ReturnPrizeArgs>),
    }
}
