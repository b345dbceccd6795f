//! `annals learn features`: positions of games as a table to learn from. A first Ctrl-C ends it cleanly, and nothing is
//! written then; the progress bar shows on a terminal only.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_events::{GameKind, Termination};
use annals_features::columns;
use annals_features::filter::{self, Generated, PAPER_POSITIONS, Players};
use annals_features::{
    ColumnDescribed, FeatureError, Filter, Format, Moment, Options, Progress, Report, Target,
    list_of_columns, split, write,
};
use clap::ArgGroup;

use crate::errors::CliError;
use crate::home::Home;
use crate::interrupt::stop_on_interrupt;
use crate::output::{answer, diagnostic};
use crate::output_file::ForceArgs;
use crate::progress::{self, Stages};
use crate::provenance;
use crate::stored_games::{GamesArgs, explain};
use crate::terminal::grouped;
use crate::values::{OrNone, ThreadsArgs, one_of};

/// Write a feature table of positions for training
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a feature table of positions for training\n\n\
        One row for every position of every selected game, the last position first. The default selection is \
        that of \"Learning To Evaluate Arimaa Positions\": both players rated at least 1800, games that ended by \
        goal, immobilization, elimination or resignation, the last 160 positions.\n\n\
        The same input gives the same bytes with any number of threads. docs/reference/features.md describes every column.",
    after_long_help = "Examples:\n  \
        annals learn features -o positions.parquet         the home's dataset\n  \
        annals learn features archive/ -o paper.npz --features paper\n  \
        annals learn features games.parquet turns.parquet -o positions.parquet\n  \
        annals learn features games.txt -o t.parquet --humans-only --rating-floor 2000\n  \
        annals learn features --list                       every column with its unit"
)]
#[command(group(ArgGroup::new("what").required(true).args(["output", "list"])))]
#[command(group(ArgGroup::new("who").args(["humans_only", "bots_only"])))]
#[command(group(ArgGroup::new("made").args(["generated_only", "no_generated"])))]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,

    /// Kind of game
    #[arg(long, value_name = "GAME", default_value = "arimaa", value_parser = one_of(GameKind::ALL, GameKind::word))]
    game: GameKind,

    /// File to write: .parquet, .npz or .safetensors
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    /// Format [default: by the file's ending]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::ALL, Format::word))]
    format: Option<Format>,

    /// List the columns, and write nothing
    #[arg(long)]
    list: bool,

    /// Columns or groups of columns [default: paper,modern,scalars; Amazons: amazons]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    features: Vec<String>,

    /// Endings, by the archive's letters or names
    #[arg(long, value_name = "ENDINGS", value_delimiter = ',', default_value = "g,m,e,r")]
    endings: Vec<String>,

    /// Leave out games that ended by resignation
    #[arg(long)]
    no_resignations: bool,

    /// Positions of a game, counted from its end, or `none` for all
    #[arg(long, value_name = "N", default_value_t = OrNone(NonZeroU32::new(PAPER_POSITIONS)))]
    max_height: OrNone<NonZeroU32>,

    /// Only rated games
    #[arg(long)]
    rated_only: bool,

    /// Only games of two humans
    #[arg(long)]
    humans_only: bool,

    /// Only games of two programs
    #[arg(long)]
    bots_only: bool,

    /// Only generated games: self-play and synthetic archives
    #[arg(hide_short_help = true, long)]
    generated_only: bool,

    /// Leave out generated games
    #[arg(hide_short_help = true, long)]
    no_generated: bool,

    /// Include records that the gameroom marked as corrupt
    #[arg(hide_short_help = true, long)]
    corrupt: bool,

    /// Leave out the board after Gold's setup
    #[arg(hide_short_help = true, long)]
    no_setup: bool,

    /// Include rows of games that came before
    #[arg(hide_short_help = true, long)]
    duplicates: bool,

    /// Number of folds; games are split by a hash of their number
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = split::FOLDS, value_parser = clap::value_parser!(u32).range(2..=1000))]
    folds: u32,

    /// Write without compression
    #[arg(hide_short_help = true, long)]
    uncompressed: bool,

    #[command(flatten)]
    threads: ThreadsArgs,

    /// Print a description of the table as JSON
    #[arg(long)]
    json: bool,
}

/// What to do where no position is left.
const WIDER: &str = "select more: --game amazons, --rating-floor none, --endings g,m,e,r,t,s, --corrupt; \
    `annals learn features --help` lists every option";

impl Args {
    fn filter(&self) -> Result<Filter, FeatureError> {
        let mut filter = Filter::of_game(self.game);
        filter.endings = filter::endings(&self.endings)?;
        filter.endings.retain(|ending| !(self.no_resignations && *ending == Termination::Resignation));
        if let Some(OrNone(floor)) = self.games.rating_floor {
            filter.rating_floor = floor;
        }
        Ok(Filter {
            max_height: self.max_height.0.map(NonZeroU32::get),
            rated_only: self.rated_only,
            players: match (self.humans_only, self.bots_only) {
                (true, _) => Players::Humans,
                (_, true) => Players::Bots,
                _ => Players::Any,
            },
            generated: match (self.generated_only, self.no_generated) {
                (true, _) => Generated::Only,
                (_, true) => Generated::Without,
                _ => Generated::With,
            },
            corrupt: self.corrupt,
            setup: !self.no_setup,
            duplicates: self.duplicates,
            ..filter
        })
    }

    fn write(&self, sources: &[PathBuf], path: &Path, options: Options) -> Result<Report, FeatureError> {
        let target = Target {
            path,
            format: self.format.map_or_else(|| Format::of(path), Ok)?,
            uncompressed: self.uncompressed,
            force: self.force.force,
            metadata: &provenance::present().entries(),
        };
        let options = Options {
            game: self.game,
            filter: self.filter()?,
            folds: self.folds,
            threads: self.threads.count(),
            ..options
        };
        match Stages::watched().map(Bar) {
            Some(bar) => write(sources, &options, &target, &bar),
            None => write(sources, &options, &target, &()),
        }
    }
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    let Some(path) = args.output.as_deref().filter(|_| !args.list) else {
        let all: Vec<ColumnDescribed> = columns::all().map(ColumnDescribed::of).collect();
        answer(args.json, &all, list_of_columns)?;
        return Ok(ExitCode::SUCCESS);
    };
    let explain = |error: FeatureError| explain(&error, WIDER);
    let sources = args.games.named_or_stored(home)?;
    let mut options = Options::new(columns::chosen(args.game, &args.features).map_err(explain)?);
    options.cancel = stop_on_interrupt()?;
    let report = args.write(&sources, path, options).map_err(explain)?;
    report.unread().for_each(diagnostic);
    answer(args.json, &report, || report.document(&path.display().to_string()))?;
    Ok(ExitCode::SUCCESS)
}

/// Bytes, time left, positions so far.
struct Bar(Stages<()>);

impl Progress for Bar {
    fn at(&self, moment: Moment) {
        let template = "computing {wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} left, {msg}";
        let fresh = || progress::bar(moment.total, template, "");
        self.0.at((), fresh, moment.bytes, format!("{} positions", grouped(moment.positions)));
    }
}
