//! `annals tournament round declare`, `draw-lots`, `pair`, `revoke`, `choose-colour`: how rounds are paired.

use annals_events::tournament::PairingRevoked;
use annals_events::{BoardId, Side};
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, record, request};
use crate::errors::CliError;

fn round_or_pairing(text: &str) -> Result<(u32, Option<u32>), String> {
    if let Ok(BoardId { round, board }) = text.parse() {
        return Ok((round, Some(board)));
    }
    let round = text.strip_prefix('r').unwrap_or(text).parse().ok().filter(|round| *round > 0);
    round.map(|round| (round, None)).ok_or_else(|| format!("expected r3 or r3.2, found `{text}`"))
}

#[derive(Debug, clap::Subcommand)]
pub enum RoundRequest {
    /// Declare the number of rounds of the next stage
    ///
    /// The number follows from the number of players.
    #[command(after_long_help = "Example:\n  annals tournament round declare wc-2009")]
    Declare,

    /// Draw the lots of the next round from a seed
    ///
    /// The lots follow from the seed alone, so that they can be drawn again. A commitment published before shows that the seed
    /// was not chosen for its result.
    #[command(after_long_help = "Example:\n  \
        annals tournament round draw-lots wc-2009 --seed \"closing numbers of 2009-01-02\"")]
    DrawLots {
        /// Seed
        #[arg(long, value_name = "TEXT")]
        seed: String,

        /// Commitment to the seed that was published before
        #[arg(long, value_name = "TEXT")]
        commitment: Option<String>,
    },

    /// Pair the next round
    ///
    /// Records pairs, byes and colours with their reasons. A coin that decides a colour is drawn from the seed and recorded.
    /// If two directors pair the same round, the log rejects the second.
    #[command(after_long_help = "Examples:\n  \
        annals tournament round pair wcc-2015 --dry-run\n  \
        annals tournament round pair wc-2009 --seed \"round 3\"")]
    Pair {
        /// Seed of the coins that decide colours
        #[arg(long, value_name = "TEXT")]
        seed: Option<String>,
    },

    /// Revoke a pairing, or a round that has not begun
    ///
    /// What is revoked counts as never paired.
    #[command(after_long_help = "Examples:\n  \
        annals tournament round revoke wcc-2015 r3 --reason \"a result of round 2 was invalidated\"\n  \
        annals tournament round revoke wcc-2015 r3.2 --reason \"sharp is disqualified\"")]
    Revoke {
        /// Round (r3) or pairing (r3.2)
        #[arg(value_name = "ROUND|PAIRING", value_parser = round_or_pairing)]
        revoked: (u32, Option<u32>),

        /// Reason
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },

    /// Record the side that a player chooses
    #[command(
        after_long_help = "Example:\n  annals tournament round choose-colour wc-2009 r9.1 fritzlein gold"
    )]
    ChooseColour {
        /// Pairing
        pairing: BoardId,

        /// Player who chooses
        player: String,

        /// Side that the player takes
        side: Side,
    },
}

impl Request for RoundRequest {
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError> {
        match self {
            RoundRequest::Declare => request(Command::DeclareRounds),
            RoundRequest::DrawLots { seed, commitment } => request(Command::DrawLots { seed, commitment }),
            RoundRequest::Pair { seed } => request(Command::Pair { seed }),
            RoundRequest::Revoke { revoked: (round, board), reason } => {
                record(PairingRevoked { round, board, reason })
            }
            RoundRequest::ChooseColour { pairing, player, side } => {
                request(Command::ChooseColour { pairing, player: session.player(&player)?, side })
            }
        }
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
