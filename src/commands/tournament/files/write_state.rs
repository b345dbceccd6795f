//! `annals tournament export`: a recorded tournament as a director's state file.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::TournamentEvent;
use annals_ingest::state_file::{ToState, recorded};
use annals_replay::TournamentEvents;
use annals_replay::point::show;

use super::bring;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::{diagnostic, one_line, write_json, write_text};
use crate::output_file::{self, ForceArgs};

/// Write a tournament as a director's state file
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a tournament as a director's state file\n\n\
        Writes players with their seeds, rounds, games, byes, removals and returns. `annals tournament import \
        state` reads the file again. What the file cannot hold is printed to standard error.",
    after_help = "Examples:\n  annals tournament export wcc-2015 -o wcc2015.txt\n  \
        annals tournament export wcc-2015 --as-of round:3"
)]
pub struct Args {
    /// Tournament
    tournament: String,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    moment: MomentArgs,

    /// Print JSON: the text with the remarks
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let log = log_file::open_whole(home)?;
    let bare = args.tournament.strip_prefix("tournament/").unwrap_or(&args.tournament);
    let stream = log_file::stream(&log, bring::stream(bare)?.as_str())?;
    let (cut, zone) = args.moment.cut(&log, Some(&stream))?;
    let events = TournamentEvents::at(&log, &stream, &cut)?;
    let ToState { file, remarks } = recorded(events.iter());
    let name = events.iter().find_map(|(_, _, event)| match event {
        TournamentEvent::Announced(announced) => Some(announced.name.as_str()),
        _ => None,
    });
    let mut text = format!("# {}\n", one_line(name.unwrap_or(bare)));
    if let Some((_, at, _)) = events.iter().next() {
        text.push_str(&format!("# recorded as {stream}, begun {}\n", show(at, &zone)));
    }
    text.push_str(&format!("\n{file}"));
    for remark in &remarks {
        diagnostic(format_args!("note: {}", one_line(remark)));
    }
    if let Some(path) = &args.out {
        output_file::write(path, args.force.force, text.as_bytes())?;
    }
    match (args.json, &args.out) {
        (true, _) => write_json(&serde_json::json!({ "text": text, "remarks": remarks, "file": args.out }))?,
        (false, None) => write_text(&text)?,
        (false, Some(path)) => {
            diagnostic(format_args!("note: wrote {}; {}", path.display(), log_file::verified(&log)?))
        }
    }
    Ok(ExitCode::SUCCESS)
}
