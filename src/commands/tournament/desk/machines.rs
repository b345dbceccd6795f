//! `annals tournament entry machines` and `account`: the tournament's computers.

use annals_events::TournamentEvent;
use annals_events::tournament::{AccountGiven, AccountWithdrawn, Machine, MachinesAssigned};
use annals_replay::handler::{DirectorSession, Step};

use super::director::{Request, one};
use crate::errors::CliError;

/// Record the computers on which the programs of a round play.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record the computers on which the programs of a round play: one kind of machine for all of its players, or for \
        those that --player names.",
    after_help = "Examples:\n  annals tournament entry machines wcc-2015 1 \"Xeon E5-2650, 8 cores\" --system Linux\n  \
        annals tournament entry machines wcc-2015 2 \"Xeon E5-2650, 8 cores\" --system Linux \\\n    \
        --player sharp=left --player ziltoid=right"
)]
pub struct MachinesArgs {
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
}

impl Request for MachinesArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let machine = |player, computer| Machine {
            player,
            hardware: self.hardware.clone(),
            system: self.system.clone(),
            computer,
        };
        let mut machines = Vec::new();
        for text in &self.players {
            let (player, computer) = text
                .split_once('=')
                .map_or((text.as_str(), None), |(player, computer)| (player, Some(computer.to_owned())));
            machines.push(machine(work.player(player)?, computer));
        }
        if machines.is_empty() {
            let state = work.state()?;
            let boards = state.rounds.get(&self.round).into_iter().flat_map(|round| round.boards.values());
            machines
                .extend(boards.flat_map(|board| board.players()).map(|player| machine(player.clone(), None)));
        }
        one(TournamentEvent::MachinesAssigned(MachinesAssigned { round: self.round, machines }))
    }
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
    after_help = "Examples:\n  annals tournament entry account wcc-2015 sharp given --login sharp\n  \
        annals tournament entry account wcc-2015 sharp withdrawn"
)]
pub struct AccountArgs {
    /// The player.
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
}

impl Request for AccountArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        one(match self.act {
            AccountAct::Given => {
                TournamentEvent::AccountGiven(AccountGiven { player, login: self.login, note: self.note })
            }
            AccountAct::Withdrawn => {
                TournamentEvent::AccountWithdrawn(AccountWithdrawn { player, reason: self.note })
            }
        })
    }
}
