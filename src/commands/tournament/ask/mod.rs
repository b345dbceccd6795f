//! What everybody can ask: how it stood, and why. Each command is one question; all take the same points in time, and
//! give their answers in the same forms.

mod answer;
mod champions;
mod crosstable;
mod explain;
mod history;
mod list;
mod notices;
mod player;
mod player_record;
mod report;
mod rounds;
mod rulings;
mod show;
mod standings;

use std::process::ExitCode;

#[cfg(all(feature = "sql", feature = "charts"))]
pub use answer::tournament_stream;

use crate::errors::CliError;
use crate::home::Home;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Question {
    List(list::Args),
    Show(show::Args),
    Standings(standings::Args),
    Crosstable(crosstable::Args),
    Rounds(rounds::Args),
    Rulings(rulings::Args),
    Player(player::Args),
    Notices(notices::Args),
    Explain(explain::Args),
    History(history::Args),
    Report(report::Args),
    Champions(champions::Args),
    PlayerRecord(player_record::Args),
}

/// Runs the command.
pub fn run(command: Question, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Question::List(args) => list::run(args, home),
        Question::Show(args) => show::run(args, home),
        Question::Standings(args) => standings::run(args, home),
        Question::Crosstable(args) => crosstable::run(args, home),
        Question::Rounds(args) => rounds::run(args, home),
        Question::Rulings(args) => rulings::run(args, home),
        Question::Player(args) => player::run(args, home),
        Question::Notices(args) => notices::run(args, home),
        Question::Explain(args) => explain::run(args, home),
        Question::History(args) => history::run(args, home),
        Question::Report(args) => report::run(args, home),
        Question::Champions(args) => champions::run(args, home),
        Question::PlayerRecord(args) => player_record::run(args, home),
    }
}
