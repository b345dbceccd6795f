//! `annals doctor --dataset ADDRESS`: every file of a dataset, compared with its digest.

use std::process::ExitCode;

use annals_ingest::location::{Checked, Location};
use annals_report::{Cell, Document, Table, counted, grouped};
use jiff::tz::TimeZone;
use serde_json::json;

use super::Args;
use crate::errors::CliError;
use crate::progress::bar;

pub fn run(args: &Args, dataset: &Location) -> Result<ExitCode, CliError> {
    if args.works_on_the_log() {
        return Err(CliError::new(
            "with `--dataset`, `annals doctor` checks that dataset and has no other work",
        )
        .hint("leave out `--dataset`, or the other option"));
    }
    let shown =
        bar(0, "{prefix} {wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} left", "checking");
    let checked = dataset.check(|bytes, all| {
        shown.set_length(all);
        shown.inc(bytes);
    });
    shown.finish_and_clear();
    let checked = checked?;
    let value = json!({
        "dataset": dataset.to_string(),
        "number": checked.number,
        "digest": checked.digest,
        "files": checked.files.files,
        "bytes": checked.files.bytes,
        "damaged": checked.damaged,
    });
    args.form.write_in(&value, &TimeZone::UTC, || document(dataset, &checked))?;
    Ok(ExitCode::from(u8::from(!checked.damaged.is_empty())))
}

fn document(dataset: &Location, checked: &Checked) -> Document {
    let mut damaged = Table::new("Damaged files", &["file", "problem"]);
    for file in &checked.damaged {
        damaged.rows.push(vec![Cell::text(&file.file), Cell::text(&file.why)]);
    }
    let result = match checked.damaged.len() as u64 {
        0 => "every file has the content of its digest".to_owned(),
        number => format!("{} damaged", counted(number, "file")),
    };
    let address = dataset.to_string();
    let again = match checked.number {
        Some(_) if address.starts_with("http") => {
            "next: copy the published folder to the web host again".to_owned()
        }
        Some(_) => format!(
            "next: delete the damaged files, and run `annals --home HOME publish {address}` with the home that has the dataset"
        ),
        None => "next: delete the folder of the dataset, and run `annals ingest FILE...`".to_owned(),
    };
    let next = if checked.damaged.is_empty() { Vec::new() } else { vec![again] };
    Document::new("Files of the dataset")
        .facts(vec![
            ("Dataset", Cell::text(dataset)),
            ("Manifest", Cell::some(checked.number.map(|number| format!("manifest-{number}.json")))),
            ("Digest", Cell::text(&checked.digest)),
            (
                "Read",
                Cell::text(format!(
                    "{}, {} bytes",
                    counted(checked.files.files, "file"),
                    grouped(checked.files.bytes)
                )),
            ),
            ("Result", Cell::text(result)),
        ])
        .table(damaged)
        .lines("", next)
}
