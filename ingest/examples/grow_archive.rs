//! Grows an archive for measuring: `grow_archive OUT MEGABYTES [SEED] [EXISTING FILES…]`. Without existing files all its
//! games are new.

use std::fs::File;
use std::io::BufWriter;
use std::time::Instant;

use annals_ingest::grow::{GrowOptions, GrowSize, grow};
use annals_ingest::source::discover;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, megabytes, rest @ ..] = arguments.as_slice() else {
        return Err("usage: grow_archive OUT MEGABYTES [SEED] [EXISTING FILES…]".into());
    };
    let seed = rest.first().map_or(Ok(1), |seed| seed.parse())?;
    let existing = discover(rest.get(1..).unwrap_or_default())?;
    let size = GrowSize::Bytes(megabytes.parse::<u64>()? * 1_000_000);
    let options = GrowOptions { size, seed, ..GrowOptions::default() };
    let begun = Instant::now();
    let report = grow(&existing, &mut BufWriter::new(File::create(out)?), &options)?;
    let seconds = begun.elapsed().as_secs_f64();
    let rate = report.bytes as f64 / 1e6 / seconds;
    eprintln!("{report:#?}\n{seconds:.2} s, {rate:.0} MB/s");
    Ok(())
}
