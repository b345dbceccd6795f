//! `annals tournament round declare`, `draw-lots`, `pair`, `revoke`, `choose-colour`: how rounds come about.

use annals_events::tournament::PairingRevoked;
use annals_events::{BoardId, Side, TournamentEvent};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, one, pairing, word};
use crate::errors::CliError;

/// Declare the number of rounds of the next stage
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Declare the number of rounds of the next stage\n\n\
        The number follows from the number of players.",
    after_help = "Example:\n  annals tournament round declare wc-2009"
)]
pub struct DeclareRoundsArgs {}

impl Request for DeclareRoundsArgs {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        one(Command::DeclareRounds)
    }
}

/// Draw the lots of the next round from a seed
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw the lots of the next round from a seed\n\n\
        The lots follow from the seed alone, so that they can be drawn again. A commitment published before \
        shows that the seed was not chosen for its result.",
    after_help = "Example:\n  annals tournament round draw-lots wc-2009 --seed \"closing numbers of 2009-01-02\""
)]
pub struct DrawLotsArgs {
    /// Seed
    #[arg(long, value_name = "TEXT")]
    seed: String,

    /// Commitment to the seed that was published before
    #[arg(long, value_name = "TEXT")]
    commitment: Option<String>,
}

impl Request for DrawLotsArgs {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        one(Command::DrawLots { seed: self.seed, commitment: self.commitment })
    }
}

/// Pair the next round
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Pair the next round\n\n\
        Records pairs, byes and colours with their reasons. A coin that decides a colour is drawn from the seed \
        and recorded. If two directors pair the same round, the log rejects the second.",
    after_help = "Examples:\n  annals tournament round pair wcc-2015 --dry-run\n  annals tournament round pair wc-2009 --seed \"round 3\""
)]
pub struct PairArgs {
    /// Seed of the coins that decide colours
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
}

impl Request for PairArgs {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        one(Command::Pair { seed: self.seed })
    }
}

/// Revoke a pairing, or a round that has not begun
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Revoke a pairing, or a round that has not begun\n\n\
        What is revoked counts as never paired.",
    after_help = "Examples:\n  annals tournament round revoke wcc-2015 r3 --reason \"a result of round 2 was invalidated\"\n  \
        annals tournament round revoke wcc-2015 r3.2 --reason \"sharp is disqualified\""
)]
pub struct RevokeArgs {
    /// Round (r3) or pairing (r3.2)
    #[arg(value_name = "ROUND|PAIRING", value_parser = round_or_pairing)]
    what: (u32, Option<u32>),

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

fn round_or_pairing(text: &str) -> Result<(u32, Option<u32>), String> {
    if let Ok(BoardId { round, board }) = text.parse() {
        return Ok((round, Some(board)));
    }
    let round = text.strip_prefix('r').unwrap_or(text).parse().ok().filter(|round| *round > 0);
    round.map(|round| (round, None)).ok_or_else(|| format!("`{text}` is no round; write r3 or r3.2"))
}

impl Request for RevokeArgs {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let (round, board) = self.what;
        one(TournamentEvent::PairingRevoked(PairingRevoked { round, board, reason: self.reason }))
    }
}

/// Record the side that a player chooses
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  annals tournament round choose-colour wc-2009 r9.1 fritzlein gold")]
pub struct ChooseColourArgs {
    /// Pairing
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// Player who chooses
    player: String,

    /// Side that the player takes
    #[arg(value_name = "SIDE", value_parser = word::<Side>)]
    side: Side,
}

impl Request for ChooseColourArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        one(Command::ChooseColour { pairing: self.pairing, player, side: self.side })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_or_a_pairing_is_named() {
        assert_eq!(round_or_pairing("r3"), Ok((3, None)));
        assert_eq!(round_or_pairing("3"), Ok((3, None)));
        assert_eq!(round_or_pairing("r3.2"), Ok((3, Some(2))));
        for bad in ["", "r0", "r3.0", "x"] {
            assert!(round_or_pairing(bad).is_err(), "{bad}");
        }
    }
}
