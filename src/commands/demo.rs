//! `annals demo`: a short tour in a folder of its own. It makes a small archive, ingests it, and runs the same commands
//! that a user would type, each shown before its output.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_ingest::grow::{GrowOptions, GrowSize};
use annals_ingest::manifest::Manifest;
use clap::Parser as _;

use crate::cli::Cli;
use crate::commands;
use crate::errors::CliError;
use crate::home::Home;

/// Games of the demonstration; enough for every kind of ending to come up.
const GAMES: u64 = 120;

/// A short tour in an empty folder: make games, ingest them, query them, show a board.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  annals demo --folder /tmp/tour")]
pub struct Args {
    /// The folder for the demonstration, apart from any home with real games; it is made where it is missing.
    #[arg(long, value_name = "DIR", default_value = "annals-demo")]
    folder: PathBuf,

    /// The same seed gives the same games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
pub fn run(args: Args, _home: &Home) -> Result<ExitCode, CliError> {
    let folder = &args.folder;
    fs::create_dir_all(folder)
        .map_err(|e| CliError::new(format!("cannot make the folder {}: {e}", folder.display())))?;
    if let Some(found) = what_is_no_demo(folder)? {
        return Err(CliError::new(format!(
            "{} holds {found}, which no demonstration made: made-up games are not mixed with anything else",
            folder.display()
        ))
        .hint("name an empty folder: --folder DIR"));
    }
    let archive = folder.join(format!("grown-{}.txt", args.seed));
    let options = GrowOptions { size: GrowSize::Games(GAMES), seed: args.seed, ..GrowOptions::default() };
    let (archive, home) = (archive.display().to_string(), folder.display().to_string());
    say(&format!("$ annals grow --games {GAMES} --seed {} --out {archive}", args.seed))?;
    commands::grow::write(archive.as_ref(), &[], &options)?;
    say(&format!("{GAMES} made-up games in the gameroom's own format."))?;

    let first = options.first_id.to_string();
    let mut tour: Vec<Vec<&str>> = vec![vec!["ingest", &archive]];
    if cfg!(feature = "sql") {
        tour.push(vec![
            "query",
            "SELECT termination, count(*) AS games, round(avg(plies), 1) AS mean_plies \
             FROM games GROUP BY termination ORDER BY games DESC, termination",
        ]);
        tour.push(vec!["games", "--ending", "goal", "--limit", "3"]);
        tour.push(vec!["game", &first, "--turn", "6w"]);
    }
    for words in &tour {
        let shown: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        say(&format!("\n$ annals --home {home} {}", shown.join(" ")))?;
        let line = ["annals", "--home", &home].into_iter().chain(words.iter().copied());
        let cli = Cli::try_parse_from(line).map_err(|e| CliError::new(e.to_string()))?;
        let status = commands::run(cli)?;
        if status != ExitCode::SUCCESS {
            return Ok(status);
        }
    }
    say(&format!(
        "\nGo on with:\n  annals --home {home} player grown_0001\n  annals --home {home} explore --game {first} --turn 2w\n  \
         annals --home {home} query\n  annals schema\n  annals ingest YOUR-ARCHIVE.txt"
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Something in a folder that an earlier demonstration did not make.
fn what_is_no_demo(folder: &Path) -> Result<Option<String>, CliError> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let made_up = name.starts_with("grown-") && name.ends_with(".txt");
        if !made_up && !["dataset", "tmp", "query_history"].contains(&name.as_str()) {
            return Ok(Some(format!("`{name}`")));
        }
    }
    let dataset = Home::new(folder.to_owned()).dataset();
    let manifest = Manifest::read(&dataset).map_err(|e| CliError::from_error(&e))?;
    let strange = manifest.and_then(|m| m.sources.into_iter().find(|s| !s.name.starts_with("grown-")));
    Ok(strange.map(|source| format!("games of {}", source.name)))
}

fn quoted(word: &str) -> String {
    let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./".contains(&b));
    if plain { word.to_owned() } else { format!("\"{word}\"") }
}

fn say(text: &str) -> Result<(), CliError> {
    writeln!(io::stdout().lock(), "{text}").map_err(CliError::from)
}
