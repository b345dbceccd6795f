//! `annals synthesize`: writes an archive in the gameroom's own format, for benchmarks and trials.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_ingest::grow::{GrowOptions, GrowReport, GrowSize, grow};
use annals_ingest::source::{SourceFile, discover};

use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;
use crate::output_file::{ForceArgs, OutputFile};
use crate::terminal::{counted, grouped};

/// Generate a large archive in the gameroom's format
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Generate a large archive in the gameroom's format\n\n\
        No two move lists are alike. With --from, games of an archive are mirrored and continued differently \
        from a random turn; otherwise all games are random. Every turn is legal and every clock adds up. Players \
        are named `grown_…`.",
    after_help = "Examples:\n  \
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

fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" | "k" => 1_000,
        "mb" | "m" => 1_000_000,
        "gb" | "g" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(format!("`{unit}` is not a valid unit of size; write 500MB, 1GB or 1GiB")),
    };
    let number: u64 =
        number.parse().map_err(|_| format!("expected a size such as 500MB, 1GB or 1GiB, found `{text}`"))?;
    number.checked_mul(factor).ok_or_else(|| format!("`{text}` is more bytes than can be counted"))
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
    talk(format_args!(
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
        let mut out = BufWriter::new(io::stdout().lock());
        let report = grow(existing, &mut out, options)?;
        out.flush()?;
        return Ok(report);
    }
    let mut out = OutputFile::create(path, force)?;
    let report = grow(existing, &mut out, options)?;
    out.finish()?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_a_unit_that_people_write() {
        assert_eq!(bytes("1GB"), Ok(1_000_000_000));
        assert_eq!(bytes("1GiB"), Ok(1 << 30));
        assert_eq!(bytes("500 mb"), Ok(500_000_000));
        assert_eq!(bytes("12"), Ok(12));
        for bad in ["", "GB", "1XB", "-1", "99999999999999999999", "99999999999GB"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}
