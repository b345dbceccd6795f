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
use sink::Sink;

/// Play games by the thousand against ourselves, into an archive file or into the log.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Play games by the thousand against ourselves, into an archive file or into the log.\n\nThe same seed gives the \
        same games, on any machine and with any number of threads; game 17 of a run is the same in a longer run. The games say \
        of themselves that they were generated, in event and site, and their players' names say what played. Times are \
        simulated, and agree with the time control; at the end of its length a game is scored.\n\nWith --against, two settings \
        are pitted against each other: two games from each opening, with the colours exchanged, and the difference in Elo with \
        its error. SETTINGS are parts KEY=VALUE joined by commas: evaluator, nodes, depth, hash, setup, noise-turns, \
        noise-per-mille; what is not said is as by the other options.\n\nWith --game amazons the games are of the Amazons, \
        whose players take kind (searcher, greedy, random) and width instead of setup; such games go into the log or are \
        only counted.",
    after_help = "Examples:\n  annals engine selfplay --games 1000 --seed 7 --nodes 500 -o games.txt\n  \
        annals ingest games.txt\n  \
        annals engine selfplay --games 200 --settings evaluator=material,nodes=4000 --against nodes=1000\n  \
        annals engine selfplay --games 20 --gold nodes=2000 --silver nodes=500 --log --prefix handicap\n  \
        annals engine selfplay --game amazons --games 100 --settings nodes=15000 --against kind=greedy"
)]
pub struct Args {
    /// Which game is played: arimaa or amazons.
    #[arg(long, value_name = "GAME", default_value = "arimaa")]
    game: GameKind,

    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=Options::MOST_GAMES))]
    games: u64,

    /// The same seed gives the same games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How both play, or with --against the first of two.
    #[arg(long, value_name = "SETTINGS", conflicts_with_all = ["gold", "silver"])]
    settings: Option<String>,

    /// How the other one plays; the colours alternate.
    #[arg(long, value_name = "SETTINGS", conflicts_with_all = ["gold", "silver"])]
    against: Option<String>,

    /// How Gold, or White, plays in every game.
    #[arg(long, value_name = "SETTINGS", requires = "silver")]
    gold: Option<String>,

    /// How Silver, or Black, plays in every game.
    #[arg(long, value_name = "SETTINGS", requires = "gold")]
    silver: Option<String>,

    /// The names of the two, where theirs are not to say their settings.
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', num_args = 1)]
    names: Vec<String>,

    /// Positions to look at in a turn, where the settings name no limit; 2000, and 15000 for the Amazons, where it is not
    /// given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// How both set up, where the settings do not say: random (where it is not given), varied or fixed. Arimaa only.
    #[arg(long, value_name = "STYLE")]
    setup: Option<SetupStyle>,

    /// In how many of their first turns any turn may be played; 6, and 1 for the Amazons, where it is not given.
    #[arg(long, value_name = "N")]
    noise_turns: Option<u16>,

    /// How often, of a thousand times, it then is; 200, and always for the Amazons, where it is not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    noise_per_mille: Option<u16>,

    /// The time control; its length of the game is where a game is scored. A fast one with a length where it is not given,
    /// and half an hour for all moves of a side for the Amazons.
    #[arg(long, value_name = "CONTROL")]
    time_control: Option<String>,

    /// Working threads; as many as the machine has where it is not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Write an archive in the gameroom's format; `-` is standard output, with the summary on standard error.
    #[arg(short, long, value_name = "FILE", conflicts_with = "log")]
    out: Option<PathBuf>,

    /// Write over a file that is there.
    #[arg(long, requires = "out")]
    force: bool,

    /// The number of the first game in the archive; one that follows from the seed where it is not given.
    #[arg(long, value_name = "ID", value_parser = clap::value_parser!(u64).range(1..=1 << 62))]
    first_id: Option<u64>,

    /// Import the games into the home's log, each into a stream `game/PREFIX-N`.
    #[arg(long)]
    log: bool,

    /// How the streams are called; `selfplay-SEED` where it is not given.
    #[arg(long, value_name = "PREFIX", requires = "log")]
    prefix: Option<String>,

    /// Print the summary as JSON.
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
            settings_text::read(text, usual.clone()).hint("annals engine selfplay --help tells the settings")
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
                return Err(CliError::new("the Amazons have no setups, so --setup says nothing there"));
            }
            if args.out.is_some() || args.first_id.is_some() {
                return Err(CliError::new("the gameroom's archive format holds games of Arimaa alone")
                    .hint("play into the log with --log"));
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
    let to_stdout = args.out.as_ref().is_some_and(|out| out.as_os_str() == "-");
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
    let findings = match &args.out {
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
