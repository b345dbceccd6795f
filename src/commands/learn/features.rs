//! `annals learn features`: positions of games as a table to learn from. A first Ctrl-C ends it cleanly, and nothing is
//! written then; the progress bar shows on a terminal only.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::{GameKind, Termination};
use annals_features::columns::{self, Group, Kind};
use annals_features::filter::{Generated, PAPER_POSITIONS, PAPER_RATING, Players};
use annals_features::{
    ColumnDescribed, FeatureError, Filter, Format, Moment, Options, Progress, Report, split, write,
};
use clap::ArgGroup;

use crate::errors::CliError;
use crate::home::Home;
use crate::interrupt::stop_on_interrupt;
use crate::output::talk;
use crate::output_file::{ForceArgs, Staging, check};
use crate::progress::{self, Stages};
use crate::stored_games::named_or_stored;
use crate::terminal::{counted, grouped};
use crate::values::one_of;

/// Write a feature table of positions for training
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a feature table of positions for training\n\n\
        One row for every position of every selected game, the last position first. The default selection is \
        that of \"Learning To Evaluate Arimaa Positions\": both players rated at least 1800, games that ended by \
        goal, immobilization, elimination or resignation, the last 160 positions.\n\n\
        The same input gives the same bytes with any number of threads. docs/features.md describes every column.",
    after_help = "Examples:\n  \
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
    /// Archive files, a dataset or Parquet files [default: the home's dataset]
    #[arg(value_name = "SOURCE")]
    inputs: Vec<PathBuf>,

    /// Kind of game
    #[arg(long, value_name = "GAME", default_value = "arimaa", value_parser = one_of(GameKind::ALL, GameKind::word))]
    game: GameKind,

    /// File to write: .parquet, .npz or .safetensors
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    /// Format [default: by the file's ending]
    #[arg(long, value_name = "FORMAT", value_parser = ["parquet", "npz", "safetensors"])]
    format: Option<String>,

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

    /// Least rating of both players, or `none` [default: 1800; Amazons: none]
    #[arg(long, value_name = "N", value_parser = rating, allow_negative_numbers = true)]
    rating_floor: Option<Limit<i32>>,

    /// Positions of a game, counted from its end, or `none` for all
    #[arg(long, value_name = "N", default_value_t = Limit(Some(PAPER_POSITIONS)), value_parser = positions)]
    max_height: Limit<u32>,

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
    #[arg(long)]
    generated_only: bool,

    /// Leave out generated games
    #[arg(long)]
    no_generated: bool,

    /// Include records that the gameroom marked as corrupt
    #[arg(long)]
    corrupt: bool,

    /// Leave out the board after Gold's setup
    #[arg(long)]
    no_setup: bool,

    /// Include rows of games that came before
    #[arg(long)]
    duplicates: bool,

    /// Number of folds; games are split by a hash of their number
    #[arg(long, value_name = "N", default_value_t = split::FOLDS, value_parser = clap::value_parser!(u32).range(2..=1000))]
    folds: u32,

    /// Write without compression
    #[arg(long)]
    uncompressed: bool,

    /// Working threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print a description of the table as JSON
    #[arg(long)]
    json: bool,
}

/// The name of the table until it is complete.
const TABLE: &str = "table";

/// A number, or none.
#[derive(Debug, Clone, Copy)]
struct Limit<N>(Option<N>);

impl<N: std::fmt::Display> std::fmt::Display for Limit<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(number) => number.fmt(f),
            None => f.write_str("none"),
        }
    }
}

fn rating(text: &str) -> Result<Limit<i32>, String> {
    match text {
        "none" => Ok(Limit(None)),
        _ => {
            text.parse().map(|n| Limit(Some(n))).map_err(|_| "write a rating, as 1800, or `none`".to_owned())
        }
    }
}

fn positions(text: &str) -> Result<Limit<u32>, String> {
    match text.parse() {
        _ if text == "none" => Ok(Limit(None)),
        Ok(number) if number > 0 => Ok(Limit(Some(number))),
        _ => Err("write a number of positions, at least 1, or `none`".to_owned()),
    }
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let Some(out) = args.output.clone().filter(|_| !args.list) else {
        list(args.json)?;
        return Ok(ExitCode::SUCCESS);
    };
    let format = match &args.format {
        Some(word) => Format::ALL.into_iter().find(|format| format.word() == word),
        None => None,
    };
    let format = format.map_or_else(|| Format::of(&out), Ok).map_err(explain)?;
    let force = args.force.force;
    let description = (format == Format::Npz).then(|| {
        let mut name = out.clone().into_os_string();
        name.push(".json");
        PathBuf::from(name)
    });
    description.iter().try_for_each(|path| check(path, force))?;
    let staging = Staging::begin(&out, force)?;
    let sources = named_or_stored(&args.inputs, home)?;
    let mut options = Options::new(asked(&args).map_err(explain)?);
    options.game = args.game;
    options.filter = filter(&args)?;
    options.folds = args.folds;
    options.cancel = stop_on_interrupt()?;
    if let Some(threads) = args.threads {
        options.threads = usize::from(threads);
    }
    let bar = Stages::watched().map(Bar);
    let progress: &dyn Progress = match &bar {
        Some(bar) => bar,
        None => &(),
    };
    let result = write(&sources, &options, &staging.path(TABLE), format, args.uncompressed, progress);
    drop(bar);
    let report = result.map_err(explain)?;
    if let Some(description) = &description {
        staging.publish(format!("{TABLE}.json"), description)?;
    }
    staging.publish(TABLE, &out)?;
    warn(&report);
    let mut stdout = io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut stdout, &report).map_err(io::Error::from)?;
        writeln!(stdout)?;
    } else {
        summary(&mut stdout, &report, &out.display().to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The columns that are asked for, or the usual ones of the game.
fn asked(args: &Args) -> Result<Vec<&'static columns::Column>, FeatureError> {
    match args.features.as_slice() {
        [] => {
            let usual: Vec<&str> = Group::usual(args.game).iter().map(|group| group.word()).collect();
            columns::named_of(args.game, &usual)
        }
        names => columns::named_of(args.game, names),
    }
}

/// The paper's floor is one of Arimaa.
fn usual_floor(game: GameKind) -> Option<i32> {
    (game == GameKind::Arimaa).then_some(PAPER_RATING)
}

fn filter(args: &Args) -> Result<Filter, CliError> {
    let mut endings = Vec::new();
    for name in &args.endings {
        let ending = Termination::ALL.into_iter().find(|ending| {
            name == ending.word() || (name.len() == 1 && name.starts_with(ending.archive_letter()))
        });
        let ending = ending.ok_or_else(|| explain(FeatureError::NoSuchEnding { name: name.clone() }))?;
        if !(endings.contains(&ending) || args.no_resignations && ending == Termination::Resignation) {
            endings.push(ending);
        }
    }
    Ok(Filter {
        endings,
        rating_floor: args.rating_floor.map_or(usual_floor(args.game), |floor| floor.0),
        max_height: args.max_height.0,
        rated_only: args.rated_only,
        players: match (args.humans_only, args.bots_only) {
            (true, _) => Players::Humans,
            (_, true) => Players::Bots,
            _ => Players::Any,
        },
        generated: match (args.generated_only, args.no_generated) {
            (true, _) => Generated::Only,
            (_, true) => Generated::Without,
            _ => Generated::With,
        },
        corrupt: args.corrupt,
        setup: !args.no_setup,
        duplicates: args.duplicates,
    })
}

fn explain(error: FeatureError) -> CliError {
    let said = CliError::from_error(&error);
    match &error {
        FeatureError::Empty { .. } => said.hint(
            "choose more widely: --rating-floor none, --endings g,m,e,r,t,s, --corrupt; \
             `annals learn features --help` has every part of the choice",
        ),
        FeatureError::NoSuchFeature { name } => {
            let groups = Group::ASKED.map(Group::word);
            let known: Vec<&str> = columns::all().map(|c| c.name).chain(groups).chain(["all"]).collect();
            said.did_you_mean(name, known, "").hint("`annals learn features --list` lists every column")
        }
        FeatureError::NoSuchEnding { name } => {
            let words = Termination::ALL.map(Termination::word);
            let said = said.did_you_mean(name, words, "");
            let all = Termination::ALL.map(|ending| format!("{} {}", ending.archive_letter(), ending.word()));
            said.hint(format_args!("the endings are {}", all.join(", ")))
        }
        FeatureError::UnknownFormat { .. } => {
            said.hint("give the file one of these endings, or add --format parquet, npz or safetensors")
        }
        FeatureError::OtherGame { .. } => {
            said.hint("`annals learn features --list` lists every column with its group; those of the group `amazons` are of that game")
        }
        FeatureError::Write { .. } => said.hint(
            "look to the folder, its permissions and the space on its disk, or name another with --output",
        ),
        _ => said,
    }
}

/// What the reader of a table should know about its sources.
fn warn(report: &Report) {
    for source in &report.not_read {
        talk(format_args!("{}: not read: {}", source.name, source.reason));
    }
    for source in &report.sources {
        if let Some(why) = &source.incomplete {
            talk(format_args!("{}: read in part only: {why}", source.name));
        }
    }
}

/// The summary in words.
fn summary(out: &mut impl Write, report: &Report, name: &str) -> io::Result<()> {
    writeln!(
        out,
        "{name}: {} of {}, {}",
        counted(report.positions, "position"),
        counted(report.games, "game"),
        counted(report.columns.len() as u64, "column")
    )?;
    writeln!(out, "chosen: {}", report.filter)?;
    if !report.left_out.is_empty() {
        let words: Vec<String> =
            report.left_out.iter().map(|(why, rows)| format!("{why} {}", grouped(*rows))).collect();
        writeln!(out, "left out of {}: {}", counted(report.rows, "row"), words.join(", "))?;
    }
    Ok(())
}

/// Every column.
fn list(json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        let all: Vec<ColumnDescribed> = columns::all().map(ColumnDescribed::of).collect();
        serde_json::to_writer_pretty(&mut out, &all)?;
        return writeln!(out);
    }
    for column in columns::all() {
        let shape = match column.kind {
            Kind::Planes(planes) => format!("{}x{}x8x8", column.kind.number_type(), planes.len()),
            kind => kind.number_type().to_owned(),
        };
        let unit = if column.unit.is_empty() { String::new() } else { format!(" ({})", column.unit) };
        let (group, name) = (column.group.word(), column.name);
        writeln!(out, "{group:<8} {name:<18} {shape:<12} {}{unit}", column.about)?;
    }
    Ok(())
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
