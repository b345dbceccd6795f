//! `annals tournament close`: the final order, and the end.

use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, one};
use crate::errors::CliError;

/// Close the tournament with its final order.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Close the tournament with its final order, titles and what is left of the fund, as they follow from the \
        rulebook. Where the rules leave a place open, a ruling has to give it first.",
    after_help = "Example:\n  annals tournament close wcc-2015 --dry-run"
)]
pub struct Args {
    /// Anything else.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Request for Args {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        one(Command::Close { note: self.note })
    }
}
