//! What is asked of the log when the championship is over: each command as a user would type it, and what it says.

use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use super::desk::{CUP, written};
use super::final_rounds::Instants;
use super::talk::say;
use crate::cli::Cli;
use crate::commands;
use crate::errors::CliError;

/// One command of the tour: what it is for, and its words.
struct Stop {
    about: &'static str,
    words: Vec<String>,
}

fn stop(about: &'static str, words: &[&str]) -> Stop {
    Stop { about, words: words.iter().map(|word| (*word).to_owned()).collect() }
}

/// Asks everything that this build has a command for; the first command that finds something wrong ends it with its status.
pub fn ask(home: &str, instants: &Instants) -> Result<ExitCode, CliError> {
    let mut stops = checked();
    stops.extend(gone_back(instants));
    stops.extend(in_sql());
    stops.push(rated());
    stops.extend(charted(home, instants));
    for Stop { about, words } in stops.iter().filter(|stop| is_there(&stop.words)) {
        let shown: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        say(format!("\n# {about}\n$ annals --home {} {}", quoted(home), shown.join(" ")))?;
        let line = ["annals", "--home", home].into_iter().chain(words.iter().map(String::as_str));
        let cli = Cli::try_parse_from(line).map_err(|e| CliError::new(e.to_string()))?;
        let status = commands::run(cli)?;
        if status != ExitCode::SUCCESS {
            return Ok(status);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether this build has a command: without SQL there are fewer.
fn is_there(words: &[String]) -> bool {
    words.first().is_some_and(|name| Cli::command().find_subcommand(name).is_some())
}

/// Is it what was acknowledged, and does everything in it follow from the rules?
fn checked() -> Vec<Stop> {
    vec![
        stop("Is the log what was acknowledged, and are all its games by the rules?", &["log", "verify"]),
        stop("Does every decision follow from the rulebook?", &["audit", CUP]),
    ]
}

/// Three instants.
fn gone_back(instants: &Instants) -> Vec<Stop> {
    let mut stops = Vec::new();
    if let Some((game, at)) = &instants.halted {
        let (game, at) = (format!("game/{game}"), written(*at));
        stops.push(stop("Back to the moment before a game was halted.", &["replay", &game, "--as-of", &at]));
    }
    if let Some(at) = instants.believed {
        stops.push(stop(
            "Back to the end of round 2, as it was believed then: with the result that was taken away later.",
            &["tournament", "standings", CUP, "--known-at", &written(at)],
        ));
    }
    stops.push(stop("Back to the end of round 6.", &["tournament", "standings", CUP, "--as-of", "round:6"]));
    stops
}

/// The games as Parquet, and questions.
fn in_sql() -> Vec<Stop> {
    vec![
        stop("All games into Parquet.", &["ingest", "--log"]),
        stop(
            "How did the games end? In SQL.",
            &[
                "query",
                "SELECT termination, count(*) AS games, round(avg(plies), 1) AS mean_plies \
                 FROM games GROUP BY termination ORDER BY games DESC, termination",
            ],
        ),
    ]
}

/// How strong everybody is by their rated games: what was invalidated or went on after a halt is not among them.
fn rated() -> Stop {
    stop("How strong is everybody, by the rated games?", &["rate"])
}

/// Charts, in the folder.
fn charted(home: &str, instants: &Instants) -> Vec<Stop> {
    let file = |name: &str| Path::new(home).join(name).display().to_string();
    let mut stops = vec![
        stop("Ratings over time.", &["chart", "ratings", "-o", &file("ratings.svg")]),
        stop(
            "Losses, round by round.",
            &["chart", "standings", CUP, "--count", "losses", "-o", &file("standings.svg")],
        ),
    ];
    if let Some((game, _)) = &instants.halted {
        let (game, file) = (format!("game/{game}.2"), file("game.svg"));
        stops.push(stop(
            "The game that was halted, as it went on, turn by turn.",
            &["chart", "evaluation", &game, "-o", &file],
        ));
    }
    stops
}

/// What to try next.
pub fn next(home: &str, instants: &Instants) -> Result<(), CliError> {
    let home = quoted(home);
    let mut lines = vec![
        (format!("tournament report {CUP} -o {CUP}.html"), "one page to print"),
        (format!("tournament explain {CUP} 3"), "why round 3 was paired so"),
        (format!("tournament explain {CUP} qualifier"), "how everybody qualified"),
        (format!("tournament rulings {CUP}"), "who ruled what, and what it changed"),
        (format!("audit {CUP} --reading T7=B"), "what another reading of the rulebook would change"),
        (format!("log show tournament/{CUP}"), "everything that happened, in order"),
    ];
    if let Some((game, _)) = &instants.halted {
        lines.push((format!("replay game/{game}.2"), "the halted game, as it went on"));
    }
    lines.push(("query".to_owned(), "ask on, in SQL"));
    let mut lines =
        lines.iter().filter(|(line, _)| is_there(&line.split(' ').map(str::to_owned).collect::<Vec<_>>()));
    say("\nGo on with:")?;
    lines.try_for_each(|(line, about)| say(format!("  annals --home {home} {line:<34}# {about}")))
}

/// A word as it is typed: between quotes where it has to be.
fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./:".contains(&b));
    if plain { word.to_owned() } else { format!("\"{word}\"") }
}
