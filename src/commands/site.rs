//! `annals site`: the pages of tournaments as files, for any web host or to be opened from disk.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_ingest::output_file::Staging;
use annals_server::{Failure, MARKER, Moments, Site, SiteError};

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::output::{diagnostic, write_text};
use crate::progress::bar;

/// Write the pages of tournaments as files
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write the pages of tournaments as files\n\n\
        The pages of `annals serve` for a web host, or to be opened from disk: index.html is the first. What only a \
        server answers is left out, and each page names the command that answers it.\n\n\
        The same log gives the same files. An earlier site in the folder is replaced when the new one is complete.",
    after_long_help = "Examples:\n  \
        annals site -o public\n  \
        annals --home annals-demo site --tournament cup --moments all -o public"
)]
pub struct Args {
    /// Tournament (repeatable) [default: all]
    #[arg(long = "tournament", value_name = "TOURNAMENT")]
    tournaments: Vec<String>,

    /// Points in time at which tournaments are shown as well as now
    #[arg(long, value_enum, default_value = "rounds")]
    moments: Points,

    /// Folder to write: new, empty, or of an earlier site
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

/// The points in time of `--moments`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Points {
    /// As rounds; standings also at each time of an event
    All,
    /// The end of each round
    Rounds,
    /// None
    None,
}

impl From<Points> for Moments {
    fn from(points: Points) -> Moments {
        match points {
            Points::All => Moments::All,
            Points::Rounds => Moments::Rounds,
            Points::None => Moments::None,
        }
    }
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    let target = replaceable(&args.output)?;
    let site = Site::of(home.log(), &args.tournaments, args.moments.into()).map_err(failed)?;
    let staging = Staging::next_to(&target)?;
    let new = staging.path("site");
    let bar = bar(0, "{prefix} [{bar:30}] {pos}/{len} pages {elapsed}", "writing");
    let put = |path: &str, bytes: &[u8]| {
        let path = new.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&new))?;
        fs::write(path, bytes)
    };
    let written = site.write(put, |done, known| {
        bar.set_length(known);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let files = written.map_err(|error| match error {
        SiteError::Page(failure) => failed(failure),
        SiteError::System(error) => cannot(&args.output, error),
    })?;
    publish(&new, &target).map_err(|error| cannot(&args.output, error))?;
    let index = args.output.join("index.html");
    write_text(&format!("{}\n", index.display()))?;
    diagnostic(format_args!(
        "note: wrote {files} files of {}; every event of the log was verified",
        site.tournaments.join(", ")
    ));
    Ok(ExitCode::SUCCESS)
}

fn failed(failure: Failure) -> CliError {
    let mut error = CliError::new(failure.error);
    if let Some(reason) = failure.reason {
        error = error.reason(reason);
    }
    let hint = failure.hints.into_iter().next();
    error.hint(hint.unwrap_or_else(|| "`annals tournament list` lists the tournaments".to_owned()))
}

fn cannot(folder: &Path, error: io::Error) -> CliError {
    CliError::new(format!("cannot write {}", folder.display()))
        .reason(error.to_string())
        .state("the folder is as it was")
}

/// The folder itself, without links, if a site may be written there.
fn replaceable(folder: &Path) -> Result<PathBuf, CliError> {
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(folder.to_owned()),
        Err(error) => return Err(cannot(folder, error)),
    };
    if entries.next().is_some() && !folder.join(MARKER).is_file() {
        return Err(CliError::new(format!("{} has other files", folder.display()))
            .reason(format!(
                "a folder is replaced only if it is empty or a site, which has the file {MARKER}"
            ))
            .state("nothing was written")
            .hint("name a new folder: `annals site -o public`"));
    }
    fs::canonicalize(folder).cannot(format_args!("cannot read {}", folder.display()))
}

/// Gives a complete site its name. An earlier one is moved aside first, and back if that fails.
fn publish(new: &Path, target: &Path) -> io::Result<()> {
    if !target.exists() {
        return fs::rename(new, target);
    }
    // Not among the unfinished files, which are removed when a signal ends the program.
    let parent = target.parent().unwrap_or(Path::new("/"));
    let aside = tempfile::Builder::new().prefix(".annals-").suffix(".old").tempdir_in(parent)?;
    let old = aside.path().join("site");
    fs::rename(target, &old)?;
    if let Err(error) = fs::rename(new, target) {
        fs::rename(&old, target)?;
        return Err(error);
    }
    Ok(())
}
