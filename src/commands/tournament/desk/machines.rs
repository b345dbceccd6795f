//! `annals tournament machines` and `account`: the tournament's computers.

use std::process::ExitCode;

use annals_events::TournamentEvent;
use annals_events::tournament::{AccountGiven, AccountWithdrawn, Machine, MachinesAssigned};

use super::director::DirectorArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Record the computers on which the programs of a round play.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record the computers on which the programs of a round play: one kind of machine for all of its players, or for \
        those that --player names.",
    after_help = "Examples:\n  annals tournament machines wcc-2015 1 \"Xeon E5-2650, 8 cores\" --system Linux\n  \
        annals tournament machines wcc-2015 2 \"Xeon E5-2650, 8 cores\" --system Linux \\\n    \
        --player sharp=left --player ziltoid=right"
)]
pub struct MachinesArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The round.
    #[arg(value_name = "N")]
    round: u32,

    /// The kind of machine.
    #[arg(value_name = "MACHINE")]
    hardware: String,

    /// Its operating system.
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,

    /// A player, with the name of that one computer if it has one; may be repeated [default: all players of the round].
    #[arg(long = "player", value_name = "PLAYER[=NAME]")]
    players: Vec<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `machines`.
pub fn machines(args: MachinesArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let machine = |player, computer| Machine {
        player,
        hardware: args.hardware.clone(),
        system: args.system.clone(),
        computer,
    };
    let mut machines = Vec::new();
    for text in &args.players {
        let (player, computer) = text
            .split_once('=')
            .map_or((text.as_str(), None), |(player, computer)| (player, Some(computer.to_owned())));
        machines.push(machine(work.player(player)?, computer));
    }
    if machines.is_empty() {
        let state = work.state()?;
        let boards = state.rounds.get(&args.round).into_iter().flat_map(|round| round.boards.values());
        machines.extend(boards.flat_map(|board| board.players()).map(|player| machine(player.clone(), None)));
    }
    work.record(TournamentEvent::MachinesAssigned(MachinesAssigned { round: args.round, machines }))
}

/// What becomes of an account.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum AccountAct {
    /// The developer was given it.
    Given,
    /// It was withdrawn.
    Withdrawn,
}

/// Record an account on the tournament's computers.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that the developer of a program was given an account on the tournament's computers, or that it was \
        withdrawn.",
    after_help = "Examples:\n  annals tournament account wcc-2015 sharp given --login sharp\n  \
        annals tournament account wcc-2015 sharp withdrawn"
)]
pub struct AccountArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// What became of it.
    #[arg(value_name = "WHAT", value_enum)]
    act: AccountAct,

    /// The name of the account.
    #[arg(long, value_name = "NAME")]
    login: Option<String>,

    /// Anything else; of a withdrawal, why it comes before a test that was passed.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `account`.
pub fn account(args: AccountArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let player = work.player(&args.player)?;
    work.record(match args.act {
        AccountAct::Given => {
            TournamentEvent::AccountGiven(AccountGiven { player, login: args.login, note: args.note })
        }
        AccountAct::Withdrawn => {
            TournamentEvent::AccountWithdrawn(AccountWithdrawn { player, reason: args.note })
        }
    })
}
