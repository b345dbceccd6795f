//! How long it takes from archive text to planes, labels and heights, on a grown archive of `ANNALS_BENCH_GAMES` games (2,000
//! where nothing is said; the paper had 46,210), into memory and into a Parquet file, beside the Python checker in the same run
//! on a part of the same text, and beside the floor: reading and digesting the text, and nothing else. `ANNALS_ORACLES` names
//! the folder of the checker. Processor time is given beside the clock's where the system tells it: other programs slow the
//! one, not the other.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use annals_features::columns::named;
use annals_features::{Filter, Format, Options, collect, write};
use annals_ingest::grow::{GrowOptions, GrowSize, grow};
use annals_ingest::source::{Blocks, discover};

/// The paper's positions and games.
const PAPER: (f64, u32) = (3_977_256.0, 46_210);

/// Games that Python reads.
const FOR_PYTHON: u64 = 300;

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

fn grown(folder: &Path, games: u64) -> PathBuf {
    let path = folder.join(format!("grown_{games}.txt"));
    let options = GrowOptions { size: GrowSize::Games(games), ..GrowOptions::default() };
    let mut out = BufWriter::new(File::create(&path).expect("the folder can be written"));
    grow(&[], &mut out, &options).expect("an archive can be grown");
    path
}

fn tell(what: &str, positions: u64, (clock, processor): (f64, f64)) {
    let (per_position, all) = (processor / positions as f64, PAPER.0);
    println!(
        "{what:<34} {clock:7.2} s, {processor:7.2} s of processor; {:>9.0} positions/s; the paper's {}: {:6.1} s of processor",
        positions as f64 / processor,
        PAPER.1,
        per_position * all
    );
}

fn main() {
    let games = std::env::var("ANNALS_BENCH_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let file = grown(folder.path(), games);
    let bytes = fs::metadata(&file).map_or(0, |metadata| metadata.len());
    let files = [file];
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(2);
    println!("{games} games, {:.0} MB of text, {threads} threads", bytes as f64 / 1e6);

    let filter = Filter::default();
    let (table, clock, processor) = timed(|| collect(&files, &filter, threads).expect("positions are left"));
    let positions = table.len() as u64;
    drop(table);
    tell("planes, labels, heights in memory", positions, (clock, processor));
    let path = folder.path().join("t.parquet");
    for (what, features) in
        [("the same as Parquet", "paper"), ("all but the counts as Parquet", "paper,modern,scalars")]
    {
        let columns = named(&features.split(',').collect::<Vec<_>>()).expect("these are features");
        let options = Options { threads, ..Options::new(columns) };
        let (report, clock, processor) = timed(|| {
            write(&files, &options, &path, Format::Parquet, false, &()).expect("the table is written")
        });
        tell(what, report.positions, (clock, processor));
    }
    let (_, clock, processor) = timed(|| {
        let files = discover(&files).expect("the file is there");
        Blocks::new(&files, |_| false).count()
    });
    tell("the floor: reading the text", positions, (clock, processor));
    python(folder.path());
}

/// The checker on a part of the text.
fn python(folder: &Path) {
    let oracles = std::env::var("ANNALS_ORACLES").unwrap_or_else(|_| "../shared/oracles".to_owned());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let checker = root.join(oracles).join("games/evaluation/paper_features.py");
    let part = grown(folder, FOR_PYTHON);
    let positions =
        collect(std::slice::from_ref(&part), &Filter::default(), 1).expect("positions are left").len();
    let mut command = Command::new("python3");
    command.arg(checker).arg(folder.join("theirs.npz")).arg("0").arg(part);
    let (output, clock, _) = timed(|| command.output());
    match output {
        Ok(output) if output.status.success() => {
            let rate = positions as f64 / clock;
            println!(
                "{:<34} {clock:7.2} s for {positions} positions; {rate:>9.0} positions/s; the paper's {}: {:6.0} s",
                "Python (one thread)",
                PAPER.1,
                PAPER.0 / rate
            );
        }
        _ => println!("Python: there is no python3 with numpy, or no checker"),
    }
}
