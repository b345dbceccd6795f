//! `annals tournament close`: the final order, and the end.

use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::Command;

use super::director::{Request, one};
use crate::errors::CliError;

/// Close the tournament with its final order
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Close the tournament with its final order\n\n\
        Records the final order, the titles and the rest of the fund, as the rulebook gives them. If the rules \
        leave a place undetermined, a ruling must give it first.",
    after_help = "Example:\n  annals tournament close wcc-2015 --dry-run"
)]
pub struct Args {
    /// Note
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Request for Args {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        one(Command::Close { note: self.note })
    }
}
