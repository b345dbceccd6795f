//! `annals engine selfplay`: many games between built-in players, written into an archive file or into the log.

mod sink;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use annals_engine::seated::Seated;
use annals_engine::selfplay::{Colours, Contestant, Options, RunError, SelfPlay, Summary};
use annals_engine::{amazons, player, settings_text};
use annals_events::GameKind;
use jiff::tz::TimeZone;

use crate::errors::{CliError, InWords as _};
use crate::evaluators;
use crate::home::Home;
use crate::interrupt::stop_on_interrupt;
use crate::output::{answer, diagnostic};
use crate::progress::bar;
use crate::values::{ThreadsArgs, one_of};
use sink::Sink;

/// Play games of the engine against itself
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Play games of the engine against itself\n\n\
        The same seed gives the same games, on any machine and with any number of threads. The games state that \
        they were generated. Times are simulated, agree with the time control, and begin in 2020.\n\n\
        With --against two settings play two games from each opening, with colours exchanged. The summary has \
        the difference in Elo with its error.\n\n\
        SETTINGS are KEY=VALUE, separated by commas: evaluator, nodes, depth, hash, threads, setup, \
        noise-turns, noise-per-mille; for the Amazons kind and width.",
    after_long_help = "Examples:\n  \
        annals engine selfplay --games 1000 --seed 7 --nodes 500 -o games.txt\n  \
        annals engine selfplay --games 200 --settings material --against nodes=1000\n  \
        annals engine selfplay --gold nodes=2000 --silver nodes=500 --log\n  \
        annals engine selfplay --game amazons --games 100 --against kind=greedy"
)]
pub struct Args {
    /// Kind of game
    #[arg(long, value_name = "GAME", default_value = "arimaa", value_parser = one_of(GameKind::ALL, GameKind::word))]
    game: GameKind,

    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=Options::MOST_GAMES))]
    games: u64,

    /// Seed; the same seed gives the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Settings of both players, or with --against of the first
    #[arg(long, value_name = "SETTINGS", conflicts_with_all = ["gold", "silver"])]
    settings: Option<String>,

    /// Settings of the opponent; the colours alternate
    #[arg(long, value_name = "SETTINGS", conflicts_with_all = ["gold", "silver"])]
    against: Option<String>,

    /// Settings of Gold (White) in every game
    #[arg(long, value_name = "SETTINGS", requires = "silver")]
    gold: Option<String>,

    /// Settings of Silver (Black) in every game
    #[arg(long, value_name = "SETTINGS", requires = "gold")]
    silver: Option<String>,

    /// Names of the two players [default: their settings]
    #[arg(long, value_name = "NAME,NAME", value_parser = two_names)]
    names: Option<[String; 2]>,

    /// Search nodes per turn, if the settings set no limit [default: 2000; Amazons 15000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Setup, if the settings set none [default: random]
    #[arg(long, value_name = "STYLE", value_parser = ["fixed", "varied", "random"])]
    setup: Option<String>,

    /// First turns of each player that can be random [default: 6; Amazons 1]
    #[arg(hide_short_help = true, long, value_name = "N")]
    noise_turns: Option<u16>,

    /// Random turns among these, of 1000 [default: 200; Amazons 1000]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    noise_per_mille: Option<u16>,

    /// Time control [default: fast, with a game limit; Amazons: game 30m]
    #[arg(long, value_name = "CONTROL")]
    time_control: Option<String>,

    #[command(flatten)]
    threads: ThreadsArgs,

    /// Archive to write in the gameroom's format; `-` is standard output
    #[arg(short, long, value_name = "FILE", conflicts_with = "log")]
    output: Option<PathBuf>,

    /// Overwrite output files that exist
    #[arg(long, requires = "output")]
    force: bool,

    /// Number of the first game in the archive [default: from the seed]
    #[arg(hide_short_help = true, long, value_name = "ID", value_parser = clap::value_parser!(u64).range(1..=1 << 62))]
    first_id: Option<u64>,

    /// Import the games into the log, as streams game/PREFIX-N
    #[arg(long)]
    log: bool,

    /// Prefix of the streams [default: selfplay-SEED]
    #[arg(hide_short_help = true, long, value_name = "PREFIX", requires = "log")]
    prefix: Option<String>,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

fn two_names(text: &str) -> Result<[String; 2], String> {
    let names: Vec<String> = text.split(',').map(str::to_owned).collect();
    names.try_into().map_err(|_| "write two names, as in strong,weak".to_owned())
}

impl Args {
    /// The two players, and how the colours alternate.
    fn contestants<S: Seated>(&self) -> Result<([Contestant<S>; 2], Colours), CliError> {
        let options = settings_text::write([
            ("nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("setup", self.setup.clone()),
            ("noise-turns", self.noise_turns.map(|turns| turns.to_string())),
            ("noise-per-mille", self.noise_per_mille.map(|per_mille| per_mille.to_string())),
        ]);
        let default = settings_text::read(&options, S::for_selfplay())?;
        let read = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or_default();
            settings_text::read(text, default.clone())
                .hint("annals engine selfplay --help lists the settings")
        };
        let (first, second, colours) = match (&self.gold, &self.against) {
            (Some(_), _) => (&self.gold, &self.silver, Colours::Fixed),
            (None, Some(_)) => (&self.settings, &self.against, Colours::Alternate),
            (None, None) => (&self.settings, &self.settings, Colours::Alternate),
        };
        Ok((Contestant::pair([read(first)?, read(second)?], self.names.clone()), colours))
    }

    fn first_id(&self) -> u64 {
        self.first_id.unwrap_or(Options::first_id(self.seed))
    }
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    match args.game {
        GameKind::Arimaa => {
            let texts = [&args.settings, &args.against, &args.gold, &args.silver];
            let registry = evaluators::registry(texts.into_iter().flatten().map(String::as_str))?;
            play::<player::Settings>(args, home, registry)
        }
        GameKind::Amazons => {
            if args.setup.is_some() {
                return Err(CliError::new("the Amazons have no setups, so --setup has no effect"));
            }
            if args.output.is_some() || args.first_id.is_some() {
                return Err(CliError::new("the gameroom's archive format holds games of Arimaa alone")
                    .hint("write the games to the log with --log"));
            }
            play::<amazons::Settings>(args, home, amazons::Registry::standard())
        }
    }
}

fn play<S: Seated>(args: &Args, home: &Home, registry: S::Registry) -> Result<ExitCode, CliError> {
    let (contestants, colours) = args.contestants::<S>()?;
    let control = args.time_control.as_deref().unwrap_or(Options::default_control::<S>());
    let (seed, games, time_control) = (args.seed, args.games, control.to_owned());
    let run = SelfPlay::new(Options { seed, games, contestants, colours, time_control }, registry)?;
    let mut summary = Summary::new(&run);
    let mut log = args.log.then(|| sink::open_log(args, home)).transpose()?;
    let mut sink = match (&mut log, &args.output) {
        (Some((prefix, open)), _) => Sink::log(args, prefix, open)?,
        (None, Some(path)) => Sink::archive(path, args.force, args.first_id())?,
        (None, None) => Sink::Nowhere,
    };
    let (begun, threads, stop) = (Instant::now(), args.threads.count(), stop_on_interrupt()?);
    let bar = bar(games, "playing {wide_bar} {pos}/{len} games {per_sec} {eta} left", "");
    let played = run.play(threads, &stop, |game| {
        sink.take(&game)?;
        summary.add(&game);
        bar.inc(1);
        Ok::<(), CliError>(())
    });
    bar.finish_and_clear();
    let findings = sink.finish(played.map_err(|error| match error {
        RunError::Refused(error) => error,
        error => CliError::from_error(&error),
    }))?;
    if stop.load(Ordering::Relaxed) {
        diagnostic("note: stopped early; the games so far are complete");
    }
    diagnostic(summary.speed(begun.elapsed(), threads));
    findings.iter().take(10).for_each(diagnostic);
    match args.output.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        false => answer(args.json, &summary.as_json(), || summary.document())?,
        true if args.json => diagnostic(summary.as_json()),
        true => diagnostic(summary.document().text(&TimeZone::UTC, None).trim_end()),
    }
    Ok(ExitCode::from(u8::from(summary.games != games || !findings.is_empty())))
}
