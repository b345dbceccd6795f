//! `annals learn reproduce`: *Learning To Evaluate Arimaa Positions* again, from games to figures.

mod args;
mod diagnostics;

use std::process::ExitCode;

use annals_experiments::Error;

use crate::errors::CliError;
use crate::home::Home;
use crate::output::{diagnostic, write_text};
use crate::stored_games;
pub use args::Args;
pub use diagnostics::OnStandardError;

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    let options = args.options();
    let command = options.command(&args.games.sources);
    // Without a dataset there are no real games.
    let files = args.games.named_or_stored(home).unwrap_or_default();
    let report =
        annals_experiments::reproduce(&files, &args.output, options, command, &OnStandardError::default())
            .map_err(explain)?;
    let mut text = report.summary.join("\n");
    for line in &report.not_done {
        text.push('\n');
        text.push_str(line);
    }
    text.push('\n');
    write_text(&text)?;
    diagnostic(format_args!("note: the report is {}", report.page.display()));
    Ok(ExitCode::SUCCESS)
}

/// The error with its hints.
fn explain(error: Error) -> CliError {
    let hints: &[&str] = match &error {
        Error::DropoutRate(_) => &["write shares from 0 to below 1, as in --dropouts 0,0.1"],
        Error::Kernel(_) => &["leave it out of --kernels, or take another network"],
        Error::Folder(..) => &["name a writable directory with --output"],
        Error::NoReport(_) => &["name a new directory with --output"],
        Error::OtherRun { .. } => &[
            "give the same options as before to continue, or name another directory with --output",
            "or delete the file, and the stage runs again",
        ],
        Error::Damaged(..) => &["delete it, and the stage runs again"],
        Error::NoGames(_) => &[
            "name more archive files, or generate games of self-play with --games 3000",
            "--rating-floor none takes games of any rating",
        ],
        Error::FewGames(_) => &[
            "generate more with --games, into another directory or after deleting selfplay.txt and its stage in this one",
            "--games 0 uses only the real games",
        ],
        Error::NoWinner(_) => &["generate more with --games, or raise --nodes"],
        Error::Gone(..) | Error::Changed(_) => {
            &["delete stages/selfplay.json next to it, and the games are generated again"]
        }
        Error::Stage(..) => {
            let error = CliError::from_error(&error);
            return if error.to_string().contains("checkpoint") {
                error.hint("delete the checkpoint, and the stage starts again")
            } else {
                error.hint("finished stages are kept; another --seed or other settings need another --output")
            };
        }
        _ => &[],
    };
    match error {
        Error::Kept(error) => CliError::from(error).hint("finished stages are kept"),
        Error::Output(error) => error.into(),
        Error::Games(error) => stored_games::explain(
            &error,
            "name more archive files, or generate games of self-play with --games 3000",
        ),
        error => hints.iter().fold(CliError::from_error(&error), |error, hint| error.hint(hint)),
    }
}
