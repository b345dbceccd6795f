//! Ingests archive files into a dataset folder and prints what happened as JSON: the whole of the ingest without the
//! program around it, for profilers and for measuring beside other programs.
//!
//! `cargo run --release -p annals-ingest --example ingest_archive -- DATASET THREADS FILE…`

use std::process::ExitCode;

use annals_ingest::run::{Options, ingest};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(dataset), Some(threads)) = (arguments.next(), arguments.next().and_then(|t| t.parse().ok()))
    else {
        eprintln!("usage: ingest_archive DATASET THREADS FILE…");
        return ExitCode::from(2);
    };
    let options = Options { threads, ..Options::new(dataset, arguments) };
    match ingest(&options, &()) {
        Ok(summary) => {
            println!("{}", serde_json::to_string_pretty(&summary).unwrap_or_default());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
