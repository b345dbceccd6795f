//! How long it takes from archive text to planes, labels and heights, on a grown archive of `ANNALS_BENCH_GAMES` games (2,000
//! where nothing is said; the paper had 46,210), into memory and into a Parquet file, beside the Python checker in the same run
//! on a part of the same text, and beside the floor: reading and digesting the text, and nothing else. Then what the other columns cost,
//! and how much memory a table takes while it is written, of all the text and of a tenth of it.
//!
//! `ANNALS_ORACLES` names the folder of the checker, `ANNALS_BENCH_PYTHON` a Python with numpy. Processor time is given beside the
//! clock's where the system tells it: other programs slow the one, not the other. After `--`, words choose parts: `memory`,
//! `files`, `counts`, `floor`, `python`.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use annals_features::columns::named;
use annals_features::{Filter, Format, Options, Report, Target, collect, write};
use annals_ingest::grow::{GrowOptions, GrowSize, grow};
use annals_ingest::source::{Blocks, discover};

/// The paper's positions and games.
const PAPER: (f64, u32) = (3_977_256.0, 46_210);

/// Games that Python reads.
const FOR_PYTHON: u64 = 600;

/// Games of which every turn is counted.
const COUNTED: u64 = 300;

/// Processor time of this process so far, of all its threads.
fn processor_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

/// Does something, and says how long it took by the clock and by the processor.
fn timed<T>(what: impl FnOnce() -> T) -> (T, f64, f64) {
    let (begun, before) = (Instant::now(), processor_time());
    let result = what();
    let clock = begun.elapsed();
    let processor = processor_time().zip(before).map_or(clock, |(now, before)| now.saturating_sub(before));
    (result, clock.as_secs_f64(), processor.as_secs_f64())
}

/// Forgets how much memory was held at most, where the system can.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory that was held since, in MiB.
fn peak() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()? / 1024.0)
}

fn grown(folder: &Path, games: u64) -> PathBuf {
    let path = folder.join(format!("grown_{games}.txt"));
    let options = GrowOptions { size: GrowSize::Games(games), ..GrowOptions::default() };
    let mut out = BufWriter::new(File::create(&path).expect("the folder can be written"));
    grow(&[], &mut out, &options).expect("an archive can be grown");
    path
}

fn megabytes(path: &Path) -> f64 {
    fs::metadata(path).map_or(0.0, |metadata| metadata.len() as f64 / 1e6)
}

fn tell(what: &str, positions: u64, (clock, processor): (f64, f64)) {
    let rate = |seconds: f64| positions as f64 / seconds;
    println!(
        "{what:<34} {positions:>8} positions: {clock:6.2} s, {processor:6.2} s of processor; {:>9.0} positions/s by the clock; \
         the paper's {}: {:5.1} s",
        rate(clock),
        PAPER.1,
        PAPER.0 / rate(clock)
    );
}

struct Bench {
    folder: tempfile::TempDir,
    files: [PathBuf; 1],
    games: u64,
    threads: usize,
}

fn main() {
    let parts: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let asked = |part: &str| parts.is_empty() || parts.iter().any(|word| word == part);
    let games = std::env::var("ANNALS_BENCH_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let files = [grown(folder.path(), games)];
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(2);
    println!("{games} games, {:.0} MB of text, {threads} threads", megabytes(&files[0]));
    let bench = Bench { folder, files, games, threads };
    for (part, run) in [
        ("floor", Bench::floor as fn(&Bench)),
        ("files", Bench::files),
        ("counts", Bench::counts),
        ("memory", Bench::in_memory),
        ("python", Bench::python),
    ] {
        if asked(part) {
            run(&bench);
        }
    }
}

impl Bench {
    /// Reading alone; the text is read once before, so that all that follows finds it where the system keeps what was read.
    fn floor(&self) {
        let read = || {
            let files = discover(&self.files).expect("the file is there");
            Blocks::new(&files, |_| false).count()
        };
        read();
        let (_, clock, processor) = timed(read);
        println!("{:<34} {clock:6.2} s, {processor:6.2} s of processor", "the floor: reading the text");
    }

    fn in_memory(&self) {
        let (table, clock, processor) =
            timed(|| collect(&self.files, &Filter::default(), self.threads).expect("positions are left"));
        tell("planes, labels, heights in memory", table.len() as u64, (clock, processor));
    }

    fn write(&self, files: &[PathBuf], features: &str) -> (Report, f64, f64) {
        let columns = named(&features.split(',').collect::<Vec<_>>()).expect("these are features");
        let options = Options { threads: self.threads, ..Options::new(columns) };
        let path = self.folder.path().join("t.parquet");
        let target =
            Target { path: &path, format: Format::Parquet, uncompressed: false, force: true, metadata: &[] };
        timed(|| write(files, &options, &target, &()).expect("the table is written"))
    }

    fn files(&self) {
        let tenth = [grown(self.folder.path(), self.games.div_ceil(10))];
        for (what, features) in
            [("the same as Parquet", "paper"), ("all but the counts as Parquet", "paper,modern,scalars")]
        {
            for (files, of) in [(&tenth, "a tenth"), (&self.files, "all")] {
                forget_peak();
                let (report, clock, processor) = self.write(files, features);
                tell(&format!("{what}, {of}"), report.positions, (clock, processor));
                let written = megabytes(&self.folder.path().join("t.parquet"));
                match peak() {
                    Some(peak) => println!("{:<34} {peak:.0} MiB at most; {written:.0} MB written", ""),
                    None => println!("{:<34} {written:.0} MB written", ""),
                }
            }
        }
    }

    /// Counting distinct turns, for both sides, of a part of the text; and the same without.
    fn counts(&self) {
        let part = [grown(self.folder.path(), COUNTED)];
        for features in ["paper", "counts"] {
            let (report, clock, processor) = self.write(&part, features);
            tell(&format!("{features} of a part, as Parquet"), report.positions, (clock, processor));
            let minutes = clock / report.positions as f64 * 1e6 / 60.0;
            println!("{:<34} {minutes:.2} minutes a million positions", "");
        }
    }

    /// The checker on a part of the text, beside ours on the same part with one thread.
    fn python(&self) {
        let oracles = std::env::var("ANNALS_ORACLES").unwrap_or_else(|_| "../shared/oracles".to_owned());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let checker = root.join(oracles).join("games/evaluation/paper_features.py");
        let interpreter = std::env::var("ANNALS_BENCH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let part = grown(self.folder.path(), FOR_PYTHON);
        let (table, ours, processor) = timed(|| {
            collect(std::slice::from_ref(&part), &Filter::default(), 1).expect("positions are left")
        });
        tell("ours of a part (one thread)", table.len() as u64, (ours, processor));
        let mut command = Command::new(interpreter);
        command.arg(checker).arg(self.folder.path().join("theirs.npz")).arg("0").arg(part);
        let (output, clock, _) = timed(|| command.output());
        match output {
            Ok(output) if output.status.success() => {
                let rate = table.len() as f64 / clock;
                println!(
                    "{:<34} {clock:6.2} s; {rate:.0} positions/s; the paper's {}: {:.0} s; {:.0} times as long as ours",
                    "Python of the same (one thread)",
                    PAPER.1,
                    PAPER.0 / rate,
                    clock / ours
                );
                print!("{}", String::from_utf8_lossy(&output.stdout));
            }
            _ => println!("Python: there is no python3 with numpy, or no checker"),
        }
    }
}
