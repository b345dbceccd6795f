//! `annals tournament entry machines` and `account`: the tournament's computers.

use annals_events::TournamentEvent;
use annals_events::tournament::{AccountGiven, AccountWithdrawn, Machine, MachinesAssigned};
use annals_replay::handler::{DirectorSession, Step};

use super::director::{Request, one};
use crate::errors::CliError;

/// Record the computers of a round
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record the computers of a round\n\n\
        One kind of machine for all players of the round, or for those that --player names.",
    after_help = "Examples:\n  annals tournament entry machines wcc-2015 1 \"Xeon E5-2650, 8 cores\" --system Linux\n  \
        annals tournament entry machines wcc-2015 2 \"Xeon E5-2650, 8 cores\" --system Linux \\\n    \
        --player sharp=left --player ziltoid=right"
)]
pub struct MachinesArgs {
    /// Round
    #[arg(value_name = "N")]
    round: u32,

    /// Kind of machine
    #[arg(value_name = "MACHINE")]
    hardware: String,

    /// Operating system
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,

    /// Player, with the name of their computer; may be repeated [default: all of the round]
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
    /// The developer was given the account
    Given,
    /// The account was withdrawn
    Withdrawn,
}

/// Record an account on the tournament's computers
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record an account on the tournament's computers\n\n\
        A developer was given an account on the tournament's computers, or it was withdrawn.",
    after_help = "Examples:\n  annals tournament entry account wcc-2015 sharp given --login sharp\n  \
        annals tournament entry account wcc-2015 sharp withdrawn"
)]
pub struct AccountArgs {
    /// Player
    player: String,

    /// What happened to the account
    #[arg(value_name = "WHAT", value_enum)]
    act: AccountAct,

    /// Name of the account
    #[arg(long, value_name = "NAME")]
    login: Option<String>,

    /// Note
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
