//! The command line. The arguments of each command are in its file under `commands/`.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{CommandFactory as _, Parser};

use crate::errors::CliError;
use crate::home::Home;
use crate::program::Program;
use crate::{commands, terminal};

const GLOBAL: &str = "Global options";

/// The widest help, and its width where no terminal is there.
const WIDTH: usize = 100;

const DEFAULT_HOME: &str = "annals-home";

/// Record board-game championships and query the record
#[derive(Debug, Parser)]
#[command(
    name = "annals",
    version,
    after_help = "Start with `annals demo`, which plays a championship, or `annals ingest FILE...`."
)]
pub struct Cli {
    /// Data directory
    #[arg(long, global = true, help_heading = GLOBAL, env = "ANNALS_HOME", hide_env_values = true,
          default_value = DEFAULT_HOME, value_name = "DIR", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub home: PathBuf,

    /// Dataset to read, by folder or address [default: the home's]
    // Hidden: one line more in the help of every command would be longer than a screen.
    #[cfg(feature = "dataset")]
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "ADDRESS", hide = true)]
    pub dataset: Option<String>,

    /// Read a damaged log; mark the output and exit with status 1
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub allow_damage: bool,

    /// Print long output without a pager
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub no_pager: bool,

    #[command(subcommand)]
    pub command: commands::Command,
}

impl Cli {
    /// Runs the command that was given.
    pub fn run(self) -> Result<ExitCode, CliError> {
        // An empty ANNALS_HOME counts as not set.
        let home = if self.home.as_os_str().is_empty() { PathBuf::from(DEFAULT_HOME) } else { self.home };
        let home = Home::new(home).allowing_damage(self.allow_damage);
        #[cfg(feature = "dataset")]
        let home = home.reading(self.dataset);
        let program = Program {
            definition,
            #[cfg(feature = "sql")]
            run: Cli::run_line,
        };
        commands::run(self.command, &home, &program)
    }

    /// Runs a command line.
    #[cfg(feature = "sql")]
    fn run_line(words: &[&str]) -> Result<ExitCode, CliError> {
        crate::provenance::begin(words.iter().map(|word| (*word).to_owned()));
        Cli::try_parse_from(words).map_err(CliError::new)?.run()
    }
}

/// The definition of all commands, with examples that a shell reads as they are printed.
pub fn definition() -> clap::Command {
    with_broken_examples(Cli::command())
}

/// The columns of an example in the help.
const EXAMPLE: usize = 80;

fn with_broken_examples(command: clap::Command) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    let command =
        names.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_broken_examples));
    match command.get_after_long_help().map(ToString::to_string) {
        Some(text) => command.after_long_help(text.lines().map(broken).collect::<Vec<_>>().join("\n")),
        None => command,
    }
}

/// A long example, broken with backslashes before words; a quoted text is one word.
fn broken(line: &str) -> String {
    if !line.starts_with("  annals ") || line.chars().count() <= EXAMPLE {
        return line.to_owned();
    }
    let mut quote = None;
    let ends_word = |sign: char| {
        quote = match quote {
            None if ['"', '\''].contains(&sign) => Some(sign),
            Some(open) if open == sign => None,
            other => other,
        };
        sign == ' ' && quote.is_none()
    };
    let mut lines = vec![" ".to_owned()];
    for word in line.trim().split(ends_word).filter(|word| !word.is_empty()) {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 4 && word != "\\" && last + word.chars().count() + 3 > EXAMPLE {
            lines.push("   ".to_owned());
        }
        if let Some(last) = lines.last_mut() {
            last.push(' ');
            last.push_str(word);
        }
    }
    lines.join(" \\\n")
}

/// Prints the help, or what is wrong with the command line, with the usage wrapped at the width of the rest.
pub fn print(error: &clap::Error) -> io::Result<()> {
    let mut out: Box<dyn io::Write> =
        if error.use_stderr() { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let is_terminal =
        if error.use_stderr() { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let text = match terminal::in_colour(is_terminal) {
        true => error.render().ansi().to_string(),
        false => error.render().to_string(),
    };
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = columns.or_else(|| Some(terminal::size()?.0.into())).unwrap_or(WIDTH).min(WIDTH);
    let wrap = textwrap::Options::new(width).subsequent_indent("         ").break_words(false);
    let wrapped = text.split('\n').map(|line| match line.contains("Usage:") {
        // With ANNALS_HOME set, clap lists `--home` as if it were required.
        true => textwrap::fill(&line.replacen(" --home <DIR>", " [OPTIONS]", 1), &wrap),
        false => line.to_owned(),
    });
    out.write_all(wrapped.collect::<Vec<_>>().join("\n").as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn no_command_has_two_arguments_of_one_name() {
        Cli::command().debug_assert();
    }

    fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.is_dir() {
                true => pages(&entry, found),
                false if entry.extension().is_some_and(|ending| ending == "md") => found.push(entry),
                false => {}
            }
        }
    }

    /// The command lines of a text, without what a shell does with their output.
    fn command_lines<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<Vec<String>> {
        let commands = lines.flat_map(|line| {
            line.trim().trim_start_matches("$ ").split(" && ").flat_map(|line| line.split(" | "))
        });
        let read = |command: &str| {
            // The examples of the help have their comments behind spaces.
            let command = command.split("   ").next().unwrap_or_default();
            let words = shlex::split(command).unwrap_or_else(|| panic!("{command}"));
            let is_shell = |word: &String| [">", ">>", "2>&1", "<", "|"].contains(&word.as_str());
            words.into_iter().take_while(|word| !is_shell(word)).collect()
        };
        commands.filter(|command| command.starts_with("annals ")).map(read).collect()
    }

    /// With lines joined that end in a backslash.
    fn joined(text: &str) -> String {
        text.split("\\\n").map(str::trim_start).collect::<Vec<_>>().join("")
    }

    /// The lines of the blocks of a page.
    fn in_blocks(page: &str) -> impl Iterator<Item = &str> {
        let mut in_block = false;
        page.lines().filter(move |line| {
            in_block ^= line.trim().starts_with("```");
            in_block
        })
    }

    /// The examples of a command and of all below it.
    fn examples(command: &clap::Command, found: &mut Vec<String>) {
        found.extend(command.get_after_long_help().map(ToString::to_string));
        command.get_subcommands().for_each(|below| examples(below, found));
    }

    /// The commands without the common formats, by the reason.
    const WITHOUT_COMMON_FORMATS: &[(&str, &[&str])] = &[
        (
            "writes files",
            &[
                "publish", "ingest", "study export", "learn features", "learn train", "learn grid",
                "learn reproduce", "log export", "log backup", "log bundle", "synthesize", "demo", "site",
                "man",
            ],
        ),
        (
            "draws a picture",
            &[
                "chart board", "chart calibration", "chart crosstable", "chart evaluation", "chart ratings",
                "chart standings",
            ],
        ),
        (
            "appends to the log",
            &[
                "player rename",
                "game enter",
                "log init",
                "log key create",
                "log key rotate",
                "log sign",
                "log append",
                "log correct",
                "log import",
                "tournament announce",
                "tournament close",
                "tournament entry",
                "tournament qualifier",
                "tournament round",
                "tournament schedule",
                "tournament game",
                "tournament ruling",
                "tournament fund",
                "tournament import",
            ],
        ),
        ("is interactive, or serves", &["game read", "serve", "worker", "engine aei", "log witness serve"]),
        ("plays games", &["engine match", "engine selfplay"]),
        (
            "has formats of its own",
            &[
                "game export", "cite game", "cite event", "cite tournament", "cite dataset", "cite chart",
                "tournament export", "tournament report", "log key show", "log check-proof",
                "log witness create", "log witness watch", "log witness cosign",
            ],
        ),
        ("prints a text that is read as it is", &["study show", "log prove", "completions"]),
    ];

    /// The commands that have none below them.
    fn leaves(command: &clap::Command, words: &str, found: &mut Vec<(String, clap::Command)>) {
        for below in command.get_subcommands() {
            let words = format!("{words} {}", below.get_name()).trim().to_owned();
            match below.has_subcommands() {
                true => leaves(below, &words, found),
                false => found.push((words, below.clone())),
            }
        }
    }

    fn has_common_formats(command: &clap::Command) -> bool {
        let formats = command.get_arguments().filter(|argument| argument.get_id() == "format");
        let names: Vec<String> = formats
            .flat_map(clap::Arg::get_possible_values)
            .map(|value| value.get_name().to_owned())
            .collect();
        let common = ["csv", "tsv", "json"].iter().all(|name| names.iter().any(|known| known == name));
        common && command.get_arguments().any(|argument| argument.get_id() == "json")
    }

    #[cfg(all(feature = "sql", feature = "charts", feature = "learning", feature = "server"))]
    #[test]
    fn every_command_that_prints_an_answer_has_the_common_formats() {
        let mut commands = Vec::new();
        leaves(&Cli::command(), "", &mut commands);
        let excepted: Vec<&str> =
            WITHOUT_COMMON_FORMATS.iter().flat_map(|(_, commands)| commands.iter().copied()).collect();
        let is_excepted =
            |words: &str| excepted.iter().any(|one| words == *one || words.starts_with(&format!("{one} ")));
        let has_none: Vec<&str> = commands
            .iter()
            .filter(|(_, command)| !has_common_formats(command))
            .map(|(words, _)| words.as_str())
            .collect();
        let missing: Vec<&&str> = has_none.iter().filter(|words| !is_excepted(words)).collect();
        assert!(missing.is_empty(), "commands without the common formats: {missing:?}");
        // No exception is left over.
        for one in excepted {
            let is_of = |words: &&str| *words == one || words.starts_with(&format!("{one} "));
            assert!(has_none.iter().any(is_of), "`{one}` has the common formats, or is no command");
        }
        assert!(commands.len() - has_none.len() > 35, "{} of {}", has_none.len(), commands.len());
    }

    #[cfg(all(feature = "sql", feature = "charts", feature = "learning"))]
    #[test]
    fn every_command_line_of_the_documentation_and_of_the_help_is_accepted() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut paths = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
        pages(&root.join("docs"), &mut paths);
        // It has the help, wrapped.
        paths.retain(|path| !path.ends_with("reference/commands.md"));
        let mut wrong = Vec::new();
        let mut check = |place: &str, lines: Vec<Vec<String>>| {
            for words in &lines {
                let error = Cli::try_parse_from(words).err();
                let error = error.filter(|error| error.kind() != ErrorKind::DisplayHelp);
                wrong.extend(error.map(|error| format!("{place}: {words:?}: {error}")));
            }
            lines.len()
        };
        let mut checked = 0;
        for path in paths {
            let page = joined(&fs::read_to_string(&path).unwrap());
            checked += check(&path.display().to_string(), command_lines(in_blocks(&page)));
        }
        let mut help = Vec::new();
        examples(&Cli::command(), &mut help);
        for text in help {
            checked += check("help", command_lines(joined(&text).lines()));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(checked > 400, "{checked}");
    }
}
