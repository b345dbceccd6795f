//! `annals synthesize`: writes an archive in the gameroom's own format, for benchmarks and trials.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_ingest::grow::{GrowOptions, GrowReport, GrowSize, grow};
use annals_ingest::source::{SourceFile, discover};
use indicatif::ProgressBar;

use crate::errors::CliError;
use crate::home::Home;
use crate::output::diagnostic;
use crate::output_file::{ForceArgs, OutputFile};
use crate::progress;
use crate::terminal::{counted, grouped};
use crate::values::bytes;

/// Generate a large archive in the gameroom's format
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Generate a large archive in the gameroom's format\n\n\
        No two move lists are alike. With --from, games of an archive are mirrored and continued differently \
        from a random turn; otherwise all games are random. Every turn is legal and every clock adds up. Players \
        are named `grown_…`.",
    after_long_help = "Examples:\n  \
        annals synthesize --games 40 -o small.txt\n  \
        annals synthesize --from archive/ --size 1GB -o large.txt"
)]
pub struct Args {
    /// File to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    force: ForceArgs,

    /// Number of games
    #[arg(long, value_name = "N", conflicts_with = "size")]
    games: Option<u64>,

    /// Approximate size, such as 500MB or 1GiB
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    size: Option<u64>,

    /// Archive files, folders or patterns whose games are varied
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,

    /// Seed; the same seed gives the same archive
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Archive number of the first game
    #[arg(long, value_name = "N", default_value_t = GrowOptions::default().first_id, value_parser = clap::value_parser!(u64).range(..=1 << 62))]
    first_id: u64,

    /// Games without a server log, of 1000
    #[arg(long, value_name = "N", default_value_t = GrowOptions::default().without_log,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    without_log: u32,
}

pub fn run(args: Args, _home: &Home) -> Result<ExitCode, CliError> {
    let size = match (args.size, args.games) {
        (Some(bytes), _) => GrowSize::Bytes(bytes),
        (None, Some(games)) => GrowSize::Games(games),
        (None, None) => {
            return Err(
                CliError::new("expected --games or --size").hint("annals synthesize --games 40 -o small.txt")
            );
        }
    };
    let existing = match args.from.is_empty() {
        true => Vec::new(),
        false => discover(&args.from)?,
    };
    let options = GrowOptions {
        size,
        seed: args.seed,
        first_id: args.first_id,
        without_log: args.without_log,
        ..GrowOptions::default()
    };
    let report = write(&args.output, args.force.force, &existing, &options)?;
    diagnostic(format_args!(
        "{}: {} bytes, {}, {}, {}",
        args.output.display(),
        grouped(report.bytes),
        counted(report.games, "game"),
        counted(report.turns, "turn"),
        counted(report.players, "player"),
    ));
    Ok(ExitCode::SUCCESS)
}

/// Writes an archive into a file, or to standard output for `-`.
pub fn write(
    path: &Path,
    force: bool,
    existing: &[SourceFile],
    options: &GrowOptions,
) -> Result<GrowReport, CliError> {
    if path.as_os_str() == "-" {
        let mut out = Watched::new(BufWriter::new(io::stdout().lock()), options.size);
        let report = grow(existing, &mut out, options)?;
        out.flush()?;
        return Ok(report);
    }
    let mut out = OutputFile::create(path, force)?;
    let report = grow(existing, &mut Watched::new(&mut out, options.size), options)?;
    out.finish()?;
    Ok(report)
}

/// An output with a progress bar of its bytes or games, of which each is a line.
struct Watched<W> {
    out: W,
    bar: ProgressBar,
    by_bytes: bool,
}

impl<W: Write> Watched<W> {
    fn new(out: W, size: GrowSize) -> Watched<W> {
        const BYTES: &str = "{prefix} {wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} left";
        const GAMES: &str = "{prefix} {wide_bar} {human_pos}/{human_len} games {eta} left";
        let (total, template, by_bytes) = match size {
            GrowSize::Bytes(bytes) => (bytes, BYTES, true),
            GrowSize::Games(games) => (games, GAMES, false),
        };
        Watched { out, bar: progress::bar(total, template, "generating"), by_bytes }
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        let lines = || bytes[..written].iter().filter(|byte| **byte == b'\n').count();
        self.bar.inc(if self.by_bytes { written } else { lines() } as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W> Drop for Watched<W> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
