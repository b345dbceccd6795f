//! What everybody can ask: how it stood, and why. Each command is one question; all take the same points in time, and
//! give their answers in the same forms.

mod answer;
mod explain;
mod questions;
mod report;

use std::process::ExitCode;

#[cfg(all(feature = "sql", feature = "charts"))]
pub use answer::tournament_stream;
use answer::{About, AboutAll};

use crate::errors::CliError;
use crate::home::Home;

#[derive(Debug, clap::Subcommand)]
pub enum Question {
    List(AboutAll<questions::List>),
    Show(About<questions::Show>),
    Standings(About<questions::Standings>),
    Crosstable(About<questions::Crosstable>),
    Rounds(About<questions::Rounds>),
    Rulings(About<questions::Rulings>),
    Player(About<questions::Player>),
    Notices(About<questions::Notices>),
    Explain(explain::Args),
    History(About<questions::History>),
    Report(report::Args),
    Champions(AboutAll<questions::Champions>),
    PlayerRecord(AboutAll<questions::PlayerRecord>),
}

pub fn run(command: Question, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Question::List(args) => args.run(home),
        Question::Show(args) => args.run(home),
        Question::Standings(args) => args.run(home),
        Question::Crosstable(args) => args.run(home),
        Question::Rounds(args) => args.run(home),
        Question::Rulings(args) => args.run(home),
        Question::Player(args) => args.run(home),
        Question::Notices(args) => args.run(home),
        Question::Explain(args) => explain::run(args, home),
        Question::History(args) => args.run(home),
        Question::Report(args) => report::run(args, home),
        Question::Champions(args) => args.run(home),
        Question::PlayerRecord(args) => args.run(home),
    }
}
