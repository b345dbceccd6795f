//! `annals engine selfplay`: games by the thousand, played by our own players, into an archive file or into the log.

mod sink;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use annals_engine::amazons;
use annals_engine::player::{Noise, Settings, SetupStyle};
use annals_engine::search::Limits;
use annals_engine::seated::Seated;
use annals_engine::selfplay::{Colours, Contestant, Options, RunError, SelfPlay, Summary};
use annals_engine::settings_text;
use annals_events::GameKind;

use crate::errors::{CliError, InWords as _};
use crate::evaluators;
use crate::home::Home;
use crate::output::{talk, write_json, write_text};
use crate::progress::bar;
use crate::terminal::{counted, grouped};
use crate::values::one_of;
use sink::Sink;

/// Play games of the engine against itself
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Play games of the engine against itself\n\n\
        The same seed gives the same games, on any machine and with any number of threads. The games state that \
        they were generated. Times are simulated, and agree with the time control.\n\n\
        With --against two settings play two games from each opening, with colours exchanged. The summary has \
        the difference in Elo with its error.\n\n\
        SETTINGS are KEY=VALUE, separated by commas: evaluator, nodes, depth, hash, setup, noise-turns, \
        noise-per-mille; for the Amazons kind and width.",
    after_help = "Examples:\n  \
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
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', num_args = 1)]
    names: Vec<String>,

    /// Search nodes per turn, if the settings set no limit [default: 2000; Amazons 15000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Setup, if the settings set none [default: random]
    #[arg(long, value_name = "STYLE")]
    setup: Option<SetupStyle>,

    /// First turns of each player that can be random [default: 6; Amazons 1]
    #[arg(long, value_name = "N")]
    noise_turns: Option<u16>,

    /// Random turns among these, of 1000 [default: 200; Amazons 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    noise_per_mille: Option<u16>,

    /// Time control [default: fast, with a game limit; Amazons: game 30m]
    #[arg(long, value_name = "CONTROL")]
    time_control: Option<String>,

    /// Working threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Archive to write in the gameroom's format; `-` is standard output
    #[arg(short, long, value_name = "FILE", conflicts_with = "log")]
    output: Option<PathBuf>,

    /// Overwrite output files that exist
    #[arg(long, requires = "output")]
    force: bool,

    /// Number of the first game in the archive [default: from the seed]
    #[arg(long, value_name = "ID", value_parser = clap::value_parser!(u64).range(1..=1 << 62))]
    first_id: Option<u64>,

    /// Import the games into the log, as streams game/PREFIX-N
    #[arg(long)]
    log: bool,

    /// Prefix of the streams [default: selfplay-SEED]
    #[arg(long, value_name = "PREFIX", requires = "log")]
    prefix: Option<String>,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn noise(&self, turns: u16, per_mille: u16) -> Noise {
        Noise {
            turns: self.noise_turns.unwrap_or(turns),
            per_mille: self.noise_per_mille.unwrap_or(per_mille),
        }
    }

    fn usual(&self) -> Settings {
        Settings {
            limits: Limits::nodes(self.nodes.unwrap_or(2_000)),
            hash_mib: 4,
            setup: self.setup.unwrap_or(SetupStyle::Random),
            noise: self.noise(6, 200),
            ..Settings::default()
        }
    }

    fn usual_amazons(&self) -> amazons::Settings {
        let usual = amazons::Settings::default();
        amazons::Settings {
            limits: self.nodes.map_or(usual.limits, Limits::nodes),
            hash_mib: 4,
            noise: self.noise(1, 1000),
            ..usual
        }
    }

    /// The two who play, and how the colours go.
    fn contestants<S: Seated>(&self, usual: &S) -> Result<([Contestant<S>; 2], Colours), CliError> {
        let read = |text: Option<&String>| {
            let text = text.map_or("", String::as_str);
            settings_text::read(text, usual.clone()).hint("annals engine selfplay --help lists the settings")
        };
        let (first, second, colours) = match (&self.gold, &self.silver, &self.against) {
            (Some(gold), Some(silver), _) => (read(Some(gold))?, read(Some(silver))?, Colours::Fixed),
            (_, _, None) => {
                let both = read(self.settings.as_ref())?;
                (both.clone(), both, Colours::Alternate)
            }
            (_, _, against) => (read(self.settings.as_ref())?, read(against.as_ref())?, Colours::Alternate),
        };
        let mut names = [&first, &second].map(S::player_name);
        if names[0] == names[1] && first != second {
            // They differ in what a name does not say.
            names[0].push_str("-a");
            names[1].push_str("-b");
        }
        match self.names.as_slice() {
            [] => {}
            [a, b] => names = [a.clone(), b.clone()],
            _ => return Err(CliError::new("--names takes two names: --names strong,weak")),
        }
        let [a, b] = names;
        Ok(([Contestant { name: a, settings: first }, Contestant { name: b, settings: second }], colours))
    }

    /// The number of the first game: so far apart for two seeds that their archives can be stored side by side, and far
    /// from those of the gameroom.
    fn first_id(&self) -> u64 {
        self.first_id.unwrap_or(1_000_000_000 + self.seed % 1_000_000_000 * 100_000_000 + 1)
    }
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    match args.game {
        GameKind::Arimaa => {
            let usual = args.usual();
            let texts = [&args.settings, &args.against, &args.gold, &args.silver];
            let registry = evaluators::registry(texts.into_iter().flatten().map(String::as_str))?;
            play(&args, home, &usual, registry)
        }
        GameKind::Amazons => {
            if args.setup.is_some() {
                return Err(CliError::new("the Amazons have no setups, so --setup has no effect"));
            }
            if args.output.is_some() || args.first_id.is_some() {
                return Err(CliError::new("the gameroom's archive format holds games of Arimaa alone")
                    .hint("write the games to the log with --log"));
            }
            let usual = args.usual_amazons();
            let registry = amazons::Registry::standard();
            play(&args, home, &usual, registry)
        }
    }
}

fn play<S: Seated>(args: &Args, home: &Home, usual: &S, registry: S::Registry) -> Result<ExitCode, CliError> {
    let (contestants, colours) = args.contestants(usual)?;
    let usual_control = if S::ENDS { Options::GAME_TIME } else { Options::TIME_CONTROL };
    let options = Options {
        seed: args.seed,
        games: args.games,
        contestants,
        colours,
        time_control: args.time_control.clone().unwrap_or_else(|| usual_control.to_owned()),
    };
    let run = SelfPlay::new(options, registry)?;
    let machine = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or(machine, usize::from);
    let to_stdout = args.output.as_ref().is_some_and(|out| out.as_os_str() == "-");
    let mut summary = Summary::new(&run);
    let begun = Instant::now();
    let mut play = |sink: &mut Sink<'_>| -> Result<(), CliError> {
        let stop = crate::interrupt::stop_on_interrupt()?;
        let bar = bar(args.games, "playing {wide_bar} {pos}/{len} games {per_sec} {eta} left", "");
        let played = run.play(threads, &stop, |game| {
            sink.take(&game)?;
            summary.add(&game);
            bar.inc(1);
            Ok::<(), CliError>(())
        });
        bar.finish_and_clear();
        match played {
            Ok(()) if stop.load(Ordering::Relaxed) => eprintln!("stopped early; the games so far are whole"),
            Ok(()) => {}
            Err(RunError::Refused(error)) => return Err(error),
            Err(RunError::Fault(fault)) => return Err(CliError::from_error(&fault)),
            Err(error) => return Err(CliError::new(error.to_string())),
        }
        Ok(())
    };
    let findings = match &args.output {
        None if args.log => {
            let prefix = args.prefix.clone().unwrap_or_else(|| format!("selfplay-{}", args.seed));
            let first_id = (args.game == GameKind::Arimaa).then(|| args.first_id());
            sink::into_log(home, args.seed, &prefix, first_id, &mut play)?
        }
        None => {
            play(&mut Sink::Nowhere)?;
            Vec::new()
        }
        Some(path) => {
            sink::into_file(path, args.force, args.first_id(), &mut play)?;
            Vec::new()
        }
    };
    let seconds = begun.elapsed().as_secs_f64().max(1e-9);
    eprintln!(
        "{} in {seconds:.1} s: {:.1} games/s, {} turns/s, {} positions/s on {}",
        counted(summary.games, "game"),
        summary.games as f64 / seconds,
        grouped((summary.turns as f64 / seconds) as u64),
        grouped((summary.nodes as f64 / seconds) as u64),
        counted(threads as u64, "thread"),
    );
    for finding in findings.iter().take(10) {
        talk(finding);
    }
    let text = if args.json { None } else { Some(summary.in_words()) };
    match (text, to_stdout) {
        (Some(text), false) => write_text(&text)?,
        (Some(text), true) => eprint!("{text}"),
        (None, false) => write_json(&summary.as_json())?,
        (None, true) => eprintln!("{}", summary.as_json()),
    }
    let whole = summary.games == args.games && findings.is_empty();
    Ok(ExitCode::from(u8::from(!whole)))
}
